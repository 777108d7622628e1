"""The modules of the server import each other without cycles, for types too, and use no private member of another."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import tacit.server

FOLDER = Path(tacit.server.__file__).parent
MODULES = {path.stem: ast.parse(path.read_text()) for path in FOLDER.glob("*.py") if path.stem != "__init__"}


def imported(tree: ast.Module) -> set[str]:
    """The modules of the server that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "tacit.server":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tacit.server."):
            found.add((node.module or "").split(".")[2])
    return found & MODULES.keys()


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = {name: imported(tree) for name, tree in MODULES.items()}
    assert "live_table" in graph["table_service"]
    list(TopologicalSorter(graph).static_order())  # CycleError names the modules


@pytest.mark.parametrize("name", sorted(MODULES))
def test_private_members_stay_inside_their_module(name: str) -> None:
    tree = MODULES[name]
    own = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_self(node)}
    own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__")
    }
    assert used <= own | {"_replace", "_asdict"}


def _is_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"
