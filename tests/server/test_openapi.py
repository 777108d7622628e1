"""The OpenAPI document is true: the server answers every allowed and forbidden request as it says."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from typing import Any

import httpx
import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.transport import Response
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.server.harness import TRUST, Api, Server

LONG = "TACIT_LONG" in os.environ
EXAMPLES = 600 if LONG else 5  # of each operation, and as many that break the document


@pytest.mark.filterwarnings("ignore")  # of libraries below schemathesis
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_answer_is_as_the_document_says(mode: GenerationMode, server: Server) -> None:
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=2, spectators="public")
    api.start(table, keys[0])
    document = schemathesis.openapi.from_dict(api.get("/api/openapi.json").json())
    client = httpx.Client(base_url=server.url, timeout=60, verify=TRUST)
    statuses: Counter[tuple[str, int]] = Counter()

    def check(operation: Any) -> None:
        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=EXAMPLES, deadline=None, database=None, derandomize=not LONG,
            suppress_health_check=list(HealthCheck), phases=[hypothesis.Phase.generate],
        )  # fmt: skip
        def one(case: schemathesis.Case[Any]) -> None:
            if "table" in case.path_parameters and len(str(case.path_parameters["table"])) % 2:
                case.path_parameters["table"] = table  # half of them at a table that is there
            if isinstance(case.query, dict) and "wait" in case.query:
                case.query["wait"] = 0  # nobody has that much time
            if isinstance(case.body, dict) and "ask" in case.body:
                case.body["ask"] = 999  # never the open question, so that nothing may be decided
            sent = case.as_transport_kwargs(base_url=server.url)
            sent.pop("cookies", None)
            answer = client.request(**sent)
            statuses[operation.label, answer.status_code] += 1
            assert answer.status_code < 500, (case.method, case.formatted_path, answer.text)
            if answer.status_code == 413:
                return  # refused before it was read to its end
            # What a message means is judged at the table: one that is well-formed may still be refused.
            case.validate_response(Response.from_any(answer), excluded_checks=[positive_data_acceptance])

        with contextlib.suppress(hypothesis.errors.Unsatisfiable):  # nothing can be wrong with some requests
            one()

    with client:
        for found in document.get_all_operations():
            check(found.ok())  # type: ignore[union-attr]
    asked = {operation for operation, _ in statuses}
    assert len(asked) > (25 if mode is GenerationMode.POSITIVE else 15)
    assert {200, 400, 403, 404} <= {status for _, status in statuses}
    assert [line for line in server.lines(table) if not line.startswith("*")] == []
    assert api.get("/healthz").status_code == 200
