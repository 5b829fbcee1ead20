"""How the modules of the package depend on each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest_cuabench

ROOT = Path(pytest_cuabench.__file__).parent


def modules() -> dict[str, ast.Module]:
    """Return the syntax tree of each module by its name."""
    files = ((file, file.relative_to(ROOT.parent).with_suffix("")) for file in ROOT.rglob("*.py"))
    return {
        ".".join(path.parts).removesuffix(".__init__"): ast.parse(file.read_bytes()) for file, path in files
    }


def imported(node: ast.AST) -> Iterator[str]:
    """Yield what a module imports wherever it does so, but for the sake of types."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.ImportFrom) and child.module:
            yield from (f"{child.module}.{name.name}" for name in child.names)
        yield from imported(child)


def test_no_module_imports_itself_through_others() -> None:
    """Imports run one way, those inside functions too."""
    known = modules()
    needs = {
        name: {one if one in known else one.rpartition(".")[0] for one in imported(tree)} & set(known)
        for name, tree in known.items()
    }
    TopologicalSorter(needs).prepare()  # CycleError names a circle
