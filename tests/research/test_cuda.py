"""`Batch` on CUDA: in Numba's simulator, and against what a real GPU left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from benchmarks import partners_gpu
from benchmarks.research_gpu import COMPARED, digest
from benchmarks.research_gpu import STEPS as STEPS_COMPARED

from tacit import Match, game_named, game_names
from tacit.core import gpu
from tacit.core.bits import spread
from tacit.core.observation import Field
from tacit.research import Batch, cuda
from tacit.research.cuda import WARP_SIZE, Cuda, first_number, sizes, tile
from tacit.research.partner_kernels import write_partner_kernels
from tests.research.test_partners import network

N, STEPS = 3, 20
ARRAYS = ("observation", "mask", "words", "history", "reward", "done", "seat", "seeds", "illegal")
ROOT = Path(__file__).parent.parent.parent
SIMULATOR = """
import sys
import numpy as np
import tests.conftest
from tests.research import test_cuda
np.savez(sys.argv[2], *getattr(test_cuda, sys.argv[3])(sys.argv[1], "cuda"))
"""


def played(name: str, device: str) -> list[Any]:
    """All that a small batch says in some steps, an illegal one and an imagined one among them; and its states."""
    game = game_named(name)
    batch = Batch(game, N, game.min_seats, device=device, seed=21, penalty=-3, history=5)  # type: ignore[arg-type]
    found: list[Any] = []

    def note(batch: Batch) -> None:
        found.extend(np.array(getattr(batch, name)) for name in ARRAYS)
        states = np.zeros(N, game.dtype)
        for i in range(N):
            batch.state(i).store(states[i])
        found.append(states.view(np.int8))

    note(batch)
    for step in range(STEPS):
        actions = np.array(batch.random())
        if step == 3:
            actions[1] = 60
        batch.step(actions)
        note(batch)
    worlds = batch.imagine(seed=5)
    note(worlds)
    worlds.step(worlds.random())
    note(worlds)
    note(batch.copy())
    found.append(np.array(batch.observe(1)))
    found.append(np.array(batch.legal()))
    batch = Batch(game, N, game.min_seats, device=device, seed=5, history=3, skip_forced=True)  # type: ignore[arg-type]
    for _ in range(4):
        batch.step(batch.random())
        note(batch)
    return found


def brought(name: str, device: str) -> list[Any]:
    """More matches than one block writes, into arrays that begin between two words, and into others that do not."""
    game = game_named(name)
    n = WARP_SIZE + 5
    found: list[Any] = []
    for off in (0, 3):
        game.divergent = off == 3  # once in one kernel, once sorted
        out = {
            "observation": np.full(n * game.observation + off, 9, np.int8)[off:].reshape(n, -1),
            "mask": np.ones(n * game.actions + off, np.bool_)[off:].reshape(n, -1),
        }
        batch = Batch(game, n, 2, device=device, seed=4, out=out)  # type: ignore[arg-type]
        batch.step(batch.random())
        found += [out["observation"], out["mask"], np.array(batch.observe(1))]
    return found


def packed(name: str, device: str) -> list[Any]:
    """A few packed observations, into an array that begins between two words, and into one that does not."""
    game, found = game_named(name), []
    for off in (0, 3):
        out = {"observation": np.full(3 * game.observation + off, 9, np.int8)[off:].reshape(3, -1)}
        batch = Batch(game, 3, 2, device=device, seed=4, out=out, mask=False)  # type: ignore[arg-type]
        batch.step(batch.random())
        found.append(out["observation"])
    return found


def partnered(name: str, device: str) -> list[Any]:
    """All that a batch with partners says, and a copy of it."""
    names = ["random", "tests.research.last_card"]
    batch = Batch(name, 5, 3, device=device, partners=names, learner=None, seed=5, history=3)  # type: ignore[arg-type]
    found: list[Any] = []
    for _ in range(6):
        batch.step(batch.random())
        found.extend(np.array(getattr(batch, name)) for name in (*ARRAYS, "partner"))
    twin = batch.copy()
    twin.step(twin.random())
    return [*found, np.array(twin.observation), np.array(batch.legal())]


def simulated(made_by: Any, name: str, path: Path) -> None:
    """Does the simulator make what the CPU makes?"""
    command = [sys.executable, "-W", "ignore", "-c", SIMULATOR, name, str(path), made_by.__name__]
    subprocess.run(command, env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}, check=True, cwd=ROOT)
    expected = made_by(name, "cpu")
    with np.load(path) as found:
        assert len(found.files) == len(expected)
        for key, array in zip(found.files, expected, strict=True):
            assert found[key].tobytes() == array.tobytes(), key


@pytest.mark.parametrize("name", game_names() if "TACIT_LONG" in os.environ else ["toy"])
def test_the_simulator_plays_the_same_batch(name: str, tmp_path: Path) -> None:
    simulated(played, name, tmp_path / "simulated.npz")


def test_the_simulator_writes_every_row_wherever_it_lies(tmp_path: Path) -> None:
    simulated(brought, "toy", tmp_path / "simulated.npz")


def test_the_simulator_packs_the_same_rows(tmp_path: Path) -> None:
    assert game_named("silver-and-gold").packed
    simulated(packed, "silver-and-gold", tmp_path / "simulated.npz")


def test_the_simulator_plays_the_same_partners(tmp_path: Path) -> None:
    simulated(partnered, "toy", tmp_path / "simulated.npz")


def test_a_network_is_no_partner_on_a_gpu(tmp_path: Path) -> None:
    game = game_named("toy")
    with pytest.raises(ValueError, match=r"The partner '.+' plays on the CPU only: choose device='cpu'"):
        write_partner_kernels(game, [network(tmp_path / "network.npz")], tmp_path)


def test_a_block_gathers_as_many_rows_as_fit() -> None:
    def rows(cells: int, packed: bool) -> int:
        fields = (Field("set", "set", "", ("",) * (cells - 1)), Field("number", "number", ""))
        return tile(SimpleNamespace(fields=fields, observation=cells, packed=packed))  # type: ignore[arg-type]

    assert [rows(cells, False) for cells in (2, 899, 1518, 1600, 6144, 7000, 49152)] == [32, 32, 32, 24, 8, 7, 1]
    assert [rows(cells, True) for cells in (2, 899, 1518, 1600, 6144, 7000, 49152)] == [32, 32, 32, 32, 32, 32, 7]
    with pytest.raises(ValueError, match="of 49153 cells does not fit"):
        rows(49153, False)


@pytest.mark.parametrize("name", [name for name in game_names() if game_named(name).packed])
def test_only_spread_writes_before_the_first_number(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a GPU those cells have no bytes of their own: another way of writing them would write elsewhere."""
    game = game_named(name)
    knowledge = import_module(f"tacit.games.{name.replace('-', '_')}.knowledge")
    within = [0]

    def spread_and_tell(out: Any, at: int, x: int, n: int) -> int:
        within[0] += 1
        try:
            return spread(out, at, x, n)
        finally:
            within[0] -= 1

    class Row(list[int]):
        def __setitem__(self, at: Any, number: Any) -> None:
            assert within[0] or at >= first_number(game)
            super().__setitem__(at, number)

    monkeypatch.setattr(knowledge, "spread", spread_and_tell)
    for seats in (game.min_seats, game.max_seats):
        match = Match(game, seats, seed=seats)
        while not match.over:
            seat = min(match.due)
            knowledge.observe(match.state, seat, Row([0] * game.observation))
            match.play(seat, match.see(seat).legal[-1])
            match.settle()


def test_kernels_of_another_make_are_refused(tmp_path: Path) -> None:
    """Their arguments could be others: they would write anywhere."""
    about = {"sizes": {**sizes(game_named("toy")), "kernels": "another"}, "kernels": {}}
    (tmp_path / "toy.json").write_text(json.dumps(about))
    with pytest.raises(ValueError, match="another version"):
        Cuda(game_named("toy"), 4, tmp_path, None)


def kept() -> list[dict[str, Any]]:
    """What the last measurement on a GPU left behind."""
    path = ROOT / "benchmarks" / "research_gpu.json"
    found: list[dict[str, Any]] = json.loads(path.read_text())["cases"] if path.exists() else []
    return [row for row in found if "remake" not in row]  # the others wait for the next run on a GPU


@pytest.mark.parametrize("row", kept(), ids=lambda row: f"{row['game']}-{row['seats']}")
def test_the_cpu_steps_what_a_real_gpu_stepped(row: dict[str, Any]) -> None:
    assert (row["matches"], row["steps"]) == (COMPARED, STEPS_COMPARED)
    assert digest(row["game"], row["seats"], row["options"], "cpu") == row["digest"]


PARTNERED = json.loads((ROOT / "benchmarks" / "partners_gpu.json").read_text())


@pytest.mark.long  # three bots of a game take a minute to compile
@pytest.mark.parametrize("row", PARTNERED, ids=itemgetter("game"))
def test_the_cpu_plays_the_partners_that_a_real_gpu_played(row: dict[str, Any]) -> None:
    assert partners_gpu.digest(row["game"], row["bots"], "cpu") == row["digest"]


class FakeError(Exception):
    """What a driver answers to kernels that it cannot load."""


def fake_cupy(driver: int, capability: str, answer: str | None = None) -> Any:
    """As much of CuPy as loading needs, over a driver of this version and a GPU of this capability."""

    class Module:
        def __init__(self, path: str) -> None:
            assert Path(path).suffix == ".cubin"

        def get_function(self, entry: str) -> str:
            if answer is not None:
                raise FakeError(answer)
            return entry

    parts = SimpleNamespace(
        runtime=SimpleNamespace(driverGetVersion=lambda: driver),
        Device=lambda: SimpleNamespace(compute_capability=capability),
        driver=SimpleNamespace(CUDADriverError=FakeError),
    )
    return SimpleNamespace(cuda=parts, RawModule=Module)


def written(folder: Path, cuda: tuple[int, int], capability: tuple[int, int]) -> Path:
    """A folder as `write_kernels` leaves it."""
    about = {
        "sizes": sizes(game_named("toy")),
        "cuda": cuda,
        "capability": capability,
        "kernels": {"play": {"entry": "entry", "parameters": []}},
    }
    (folder / "toy.json").write_text(json.dumps(about))
    return folder


@pytest.mark.parametrize(("driver", "capability"), [(13000, "90"), (13050, "90"), (14000, "90"), (13000, "91")])
def test_a_driver_loads_what_a_newer_compiler_of_its_cuda_made(driver: int, capability: str, tmp_path: Path) -> None:
    found = Cuda(game_named("toy"), 4, written(tmp_path, (13, 5), (9, 0)), fake_cupy(driver, capability))
    assert found.kernels["play"] == ("entry", [])


@pytest.mark.parametrize(
    ("driver", "capability", "sentence"),
    [
        (12080, "90", "compiled with CUDA 13.5, and the driver here knows CUDA 12.8 at most: update the driver"),
        (13000, "100", r"compute capability 9.0, and this one has 10.0: write them with capability=\(10, 0\)"),
        (13000, "89", r"compute capability 9.0, and this one has 8.9: write them with capability=\(8, 9\)"),
    ],
)
def test_kernels_for_another_machine_are_refused(driver: int, capability: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=sentence):
        Cuda(game_named("toy"), 4, written(tmp_path, (13, 5), (9, 0)), fake_cupy(driver, capability))


def test_what_a_driver_refuses_is_said_with_both_versions(tmp_path: Path) -> None:
    cupy = fake_cupy(13000, "90", "CUDA_ERROR_UNSUPPORTED_PTX_VERSION")
    with pytest.raises(
        RuntimeError, match=r"CUDA 13\.0\) cannot load .* with CUDA 13\.5 .* CUDA_ERROR_UNSUPPORTED_PTX"
    ):
        Cuda(game_named("toy"), 4, written(tmp_path, (13, 5), (9, 0)), cupy)


def test_kernels_are_compiled_once_for_a_gpu_and_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path))
    made: list[tuple[int, int]] = []
    version = (13, 4)

    def write(game: Any, folder: Path, capability: tuple[int, int]) -> None:
        made.append(capability)
        folder.mkdir(parents=True)
        written(folder, version, capability)

    monkeypatch.setattr(cuda, "write_kernels", write)
    monkeypatch.setattr(gpu, "compiler_version", lambda: version)
    first = cuda.cached(game_named("toy"), fake_cupy(13000, "90"))
    assert cuda.cached(game_named("toy"), fake_cupy(13020, "90")) == first
    assert cuda.cached(game_named("toy"), fake_cupy(13000, "100")) != first
    version = (13, 5)
    assert cuda.cached(game_named("toy"), fake_cupy(13000, "90")) != first
    assert made == [(9, 0), (10, 0), (9, 0)]
    with pytest.raises(RuntimeError, match="the driver here knows CUDA 12.9 at most"):
        cuda.cached(game_named("toy"), fake_cupy(12090, "90"))
    assert len(made) == 3  # nothing is compiled for a driver that could not load it


def test_without_a_compiler_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError("cuda")

    monkeypatch.setattr(gpu, "compiler_version", missing)
    with pytest.raises(RuntimeError, match=r"pip install 'tacit-games\[gpu\]'"):
        cuda.cached(game_named("toy"), fake_cupy(13000, "90"))


class FakeLinker:
    """As much of cuda.bindings.nvjitlink as linking needs; it knows PTX up to 9.4."""

    class nvJitLinkError(Exception):
        pass

    InputType = SimpleNamespace(PTX="ptx")
    LOG = b"ptxas fatal : Unsupported .version 9.5; current version is '9.4'\nERROR 4\n\0"

    def __init__(self) -> None:
        self.open: list[list[str]] = []
        self.data = b""

    def version(self) -> tuple[int, int]:
        return (13, 4)

    def create(self, count: int, options: list[str]) -> list[str]:
        assert count == len(options)
        self.open.append(options)
        return options

    def add_data(self, linker: Any, kind: str, data: bytes, size: int, name: str) -> None:
        assert (kind, size) == ("ptx", len(data))
        self.data = data

    def complete(self, linker: Any) -> None:
        if b".version 9.5" in self.data:
            raise self.nvJitLinkError("ERROR_PTX_COMPILE (4)")

    def get_linked_cubin_size(self, linker: Any) -> int:
        return len(self.data)

    def get_linked_cubin(self, linker: Any, into: bytearray) -> None:
        into[:] = self.data

    def get_error_log_size(self, linker: Any) -> int:
        return len(self.LOG)

    def get_error_log(self, linker: Any, into: bytearray) -> None:
        into[:] = self.LOG

    def destroy(self, linker: Any) -> None:
        self.open.remove(linker)


def test_ptx_is_assembled_for_the_gpu_or_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeLinker()
    monkeypatch.setitem(sys.modules, "cuda.bindings", SimpleNamespace(nvjitlink=fake))
    assert gpu.compiler_version() == (13, 4)
    assert gpu.link_ptx(".version 9.4 .target sm_90", (9, 0)) == b".version 9.4 .target sm_90"
    with pytest.raises(
        RuntimeError, match=r"nvJitLink 13\.4 cannot assemble .*: ptxas fatal : Unsupported \.version 9\.5"
    ):
        gpu.link_ptx(".version 9.5 .target sm_90", (9, 0))
    assert fake.open == []
