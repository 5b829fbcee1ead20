"""How the modules of the package depend on each other, and those of the environments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import pytest_cuabench

ROOT = Path(pytest_cuabench.__file__).parent
ENVIRONMENTS = ROOT.parent / "environments"
PROGRAMS = sorted(
    file.parent for file in ENVIRONMENTS.glob("*/*/__init__.py")
)  # the package of each world, and what they share


def modules(root: Path = ROOT) -> dict[str, ast.Module]:
    """Return the syntax tree of each module below a package by its name."""
    files = ((file, file.relative_to(root.parent).with_suffix("")) for file in root.rglob("*.py"))
    return {
        ".".join(path.parts).removesuffix(".__init__"): ast.parse(file.read_bytes()) for file, path in files
    }


def imported(node: ast.AST) -> Iterator[str]:
    """Yield what a module imports wherever it does so, for the sake of types, too."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom) and child.module:
            yield from (f"{child.module}.{name.name}" for name in child.names)
        elif isinstance(child, ast.Import):
            yield from (name.name for name in child.names)
        yield from imported(child)


@cache
def imports(root: Path = ROOT) -> dict[str, set[str]]:
    """Return the modules of a package that each of them imports."""
    known = modules(root)
    named = {name: {*imported(tree)} for name, tree in known.items()}
    return {
        name: ({one if one in known else one.rpartition(".")[0] for one in names} & set(known))
        - {name, root.name}
        for name, names in named.items()
    }


def test_no_module_imports_itself_through_others() -> None:
    """Imports run one way, those inside functions and for annotations too."""
    TopologicalSorter(imports()).prepare()  # CycleError names a circle


def test_every_world_is_looked_at() -> None:
    """The packages of the worlds are found, among them the clinic, the org and the guest of a desktop."""
    assert {"clinic", "guest", "salesforce_org"} <= {program.name for program in PROGRAMS}
    assert all(imports(program) for program in PROGRAMS)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_no_module_of_a_world_imports_itself_through_others(program: Path) -> None:
    """Imports within a world run one way, those inside functions and for annotations too."""
    TopologicalSorter(imports(program)).prepare()


def test_rooms_import_downwards() -> None:
    """A room of the package imports from those below it alone, but for what names and errors are made of."""
    floors = [
        {"errors", "settings"}, {"task"}, {"drivers", "ledger"}, {"agents"},
        {"episode", "gate", "reporting", "testing"}, {"proof"}, {"collection"}, {"commands", "plugin", "serving"},
    ]  # fmt: skip
    floor = {room: number for number, rooms in enumerate(floors) for room in rooms}
    rooms = {name.split(".")[1] for name in imports() if "." in name}
    assert rooms == set(floor)
    upwards = {
        (name, other)
        for name, others in imports().items()
        if "." in name
        for other in others
        if floor[other.split(".")[1]] > floor[name.split(".")[1]]
    }
    assert upwards == {
        ("pytest_cuabench.errors", "pytest_cuabench.task.evidence"),
        ("pytest_cuabench.errors", "pytest_cuabench.task.usage"),
        ("pytest_cuabench.settings", "pytest_cuabench.task.names"),
    }


def test_agents_know_drivers_by_their_base_alone() -> None:
    """No agent imports a driver; the browser's own protocol alone takes the session of pages that `pages` hands out."""
    shared = {"base", "driver", "confining", "leases", "scratch"}
    by_protocol = "pytest_cuabench.agents.program.endpoints.cdp."
    known = {
        (name, other)
        for name, others in imports().items()
        if name.startswith("pytest_cuabench.agents.")
        for other in others
        if other.startswith("pytest_cuabench.drivers.") and other.split(".")[2] not in shared
    }
    assert {other for name, other in known if not name.startswith(by_protocol)} == set()
    assert {other.rpartition(".")[0] for _, other in known} <= {"pytest_cuabench.drivers.chromium.session"}
