"""What `deploy/` says is so: the pinned dependencies are complete, and those of the tests."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distribution

from packaging.requirements import Requirement

from tests.server.harness import ROOT

DEPLOY = ROOT / "deploy"


def plain(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def test_every_dependency_of_a_server_is_pinned() -> None:
    lines = (DEPLOY / "constraints.txt").read_text().splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted_by_us = project["dependencies"] + project["optional-dependencies"]["server"]
    version = re.findall(r"^FROM .*/python:([\d.]+)-slim", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)[-1]
    image = {"python_version": version, "python_full_version": f"{version}.0"}  # what it has need not be what we have
    todo, needed = [Requirement(text) for text in wanted_by_us], set()
    while todo:
        wanted = todo.pop()
        name = plain(wanted.name)
        assert name in pinned, f"{name} is missing"
        assert wanted.specifier.contains(pinned[name]), f"{wanted} and {pinned[name]}"
        if (name, *wanted.extras) not in needed:
            needed.add((name, *wanted.extras))
            found = [Requirement(text) for text in distribution(name).requires or []]
            asked = [image | {"extra": extra} for extra in ("", *wanted.extras)]
            todo += [one for one in found if one.marker is None or any(map(one.marker.evaluate, asked))]
    assert {name for name, *_ in needed} == set(pinned), "something is pinned that nobody needs"
    tested = [Requirement(text) for text in project["optional-dependencies"]["dev"]]
    for one in tested:
        if plain(one.name) in pinned:
            assert one.specifier.contains(pinned[plain(one.name)]), f"the tests run with {one}"
