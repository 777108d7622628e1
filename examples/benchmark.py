"""Read a result of `tacit benchmark`: who understands whom, and how sure is it?

tacit benchmark run aht-v1 silencio --out result.json
python examples/benchmark.py result.json
"""

from __future__ import annotations

import sys
from pathlib import Path

from tacit.benchmark.result import read_result

ours = Path(__file__).parent.parent / "benchmarks" / "results" / "aht-v1-silencio.json"
result = read_result(Path(sys.argv[1]) if len(sys.argv) > 1 else ours)  # raises if the file was changed
for row in result.rows:
    print(f"{row.name}: {row.disqualified or ', '.join(f'{name} {value}' for name, value in row.figures.items())}")
for partner, best in result.best_responses.items():
    print(f"the best known partner of {partner} is {best}: {result.matrix[best][partner]}")
