"""Reading a suite folder: `suite.toml`, and per application `tasks.toml` with the code beside it.

    suites/<name>/suite.toml
    suites/<name>/test_<name>.py
    suites/<name>/<application>/tasks.toml     what is asked, in words
    suites/<name>/<application>/cases.py       def <task>(state, chance) -> values
    suites/<name>/<application>/checks.py      def <task>(evidence, case) -> milestones and violations
    suites/<name>/<application>/solutions.py   async def <task>(hand, case), prologue, @wrong(...) functions
    suites/<name>/<application>/setups.py      def <task>(chance) -> steps that prepare the world (optional)
    suites/<name>/<application>/mistakes.py    more @wrong(...) functions, where they fill a file (optional)
    suites/<name>/<documents>/<task>.md        something to read with the task in one of the variants (optional)

Several tasks may be of one template (`declared.py`): the functions then have the template's name instead of the
task's, and its builder is `def <template>(state, chance, values) -> more values`. A check `upstream_<task>` beside
the check is how the benchmark's authors scored the task, where that is another way.

The code is loaded by path under one package name, so it may use relative imports within the suite.
"""

from __future__ import annotations

import importlib
import re
import sys
import types
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

from pytest_cuabench import library
from pytest_cuabench.action import Size
from pytest_cuabench.declared import SuiteFile, TaskEntry, TasksFile
from pytest_cuabench.documents import read_document
from pytest_cuabench.errors import SettingError
from pytest_cuabench.strict import read_strict
from pytest_cuabench.task import CaseBuilder, SuiteInfo, Task, Wrong

GROUP = "pytest_cuabench.suites"


def load_suite(folder: Path) -> SuiteInfo:
    """Read a suite folder and import its code.

    Raises:
        SettingError: A file is missing or malformed; the sentence names the file, the key and what is allowed.
    """
    file = folder / "suite.toml"
    suite = read_strict(file, SuiteFile)
    package = _package(f"cuabench_suite_{suite.name}", folder)
    tasks = tuple(
        task
        for application in suite.applications
        for task in _application(folder, application, suite, package)
    )
    return SuiteInfo(
        suite.name,
        suite.title,
        suite.paper,
        suite.environment.driver,
        suite.environment.world,
        Size(*suite.environment.screen),
        suite.audit_seeds,
        tasks,
        folder,
    )


def known_suites() -> dict[str, Path]:
    """Return the folders of all shipped and installed suites by name."""
    folders = [library.SUITES]
    folders += [Path(str(entry.load())) for entry in entry_points(group=GROUP)]
    return {
        file.parent.name: file.parent for folder in folders for file in sorted(folder.glob("*/suite.toml"))
    }


def suite_folder(name: str) -> Path:
    """Return the folder of a suite.

    Raises:
        SettingError: No shipped or installed suite has this name.
    """
    known = known_suites()
    if name not in known:
        raise SettingError(f"--cua-suite: no suite is named {name!r}; known: {', '.join(known)}")
    return known[name]


def _application(folder: Path, application: str, suite: SuiteFile, package: str) -> Iterator[Task]:
    place = folder / application
    declared = read_strict(place / "tasks.toml", TasksFile)
    code = {
        kind: _module(f"{package}.{application}.{kind}", place / f"{kind}.py")
        for kind in ("cases", "checks", "solutions")
    }
    proofs = [code["solutions"]]
    if more := _optional(f"{package}.{application}.mistakes", place / "mistakes.py"):
        proofs.append(more)
    setups = _optional(f"{package}.{application}.setups", place / "setups.py")
    functions = [entry.template or entry.id for entry in declared.task]
    mistakes = _wrong_solutions(proofs, set(functions))
    for entry, name in zip(declared.task, functions, strict=True):
        yield Task(
            id=entry.id,
            title=entry.title,
            suite=suite.name,
            application=application,
            domain=declared.application.domain,
            difficulty=entry.difficulty,
            max_steps=entry.max_steps or suite.budget.steps,
            max_seconds=entry.max_seconds or suite.budget.seconds,
            max_dollars=suite.budget.dollars,
            goals=_goals(entry, suite, place),
            preamble=declared.application.preamble,
            harmless=frozenset(declared.application.harmless),
            builder=_builder(code["cases"], name, entry),
            checker=_function(code["checks"], name),
            solution=_function(code["solutions"], name),
            wrong=mistakes.get(name, ()),
            prologue=getattr(code["solutions"], "prologue", None),
            solved_by_prologue=entry.solved_by_prologue,
            tier=declared.application.tier,
            arranger=_function(setups, name) if setups else None,
            template=entry.template or "",
            values=entry.values,
            labels=(*entry.labels, *(f"touches_{_marker(name)}" for name in entry.resources)),
            resources=frozenset(entry.resources),
            documents={
                variant: read_document(folder / name_of / f"{name}.md")
                for variant, name_of in suite.documents.items()
            },
            upstream=getattr(code["checks"], f"upstream_{name}", None),
        )


def _goals(entry: TaskEntry, suite: SuiteFile, place: Path) -> Mapping[str, tuple[str, ...]]:
    goals = entry.goals or dict.fromkeys(suite.variants, entry.wording)
    if set(goals) != set(suite.variants):
        raise SettingError(
            f"{place / 'tasks.toml'}: task {entry.id} has goals for "
            f"{', '.join(goals)}, but the suite's variants are {', '.join(suite.variants)}"
        )
    return goals


def _builder(module: types.ModuleType, name: str, entry: TaskEntry) -> CaseBuilder:
    """Return what builds a task's cases; that of a template is given the task's values, and adds to them."""
    function = _function(module, name)
    if entry.template is None:
        return cast(CaseBuilder, function)
    return lambda state, chance: {**entry.values, **function(state, chance, entry.values)}


def _marker(name: str) -> str:
    return re.sub(r"\W+", "_", name.lower())


def code_package(folder: Path) -> str:
    """Return the package under which the code in a suite's folder is imported, for what else can use it.

    Raises:
        SettingError: Another folder has this name already.
    """
    return _package(f"cuabench_suite_{folder.name}", folder)


def _package(name: str, folder: Path) -> str:
    """Make a package out of a folder, without putting the folder on `sys.path`."""
    known = sys.modules.get(name)
    if known is not None and list(known.__path__) != [str(folder)]:
        raise SettingError(f"two suites have one name: {folder} and {known.__path__[0]}; rename one of them")
    if known is None:
        package = types.ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name


def _optional(name: str, file: Path) -> types.ModuleType | None:
    return _module(name, file) if file.is_file() else None


def _module(name: str, file: Path) -> types.ModuleType:
    if not file.is_file():
        raise SettingError(f"{file} is missing")
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise SettingError(f"{file} cannot be imported: {type(error).__name__}: {error}") from error


def _function(module: types.ModuleType, name: str) -> Any:
    function = getattr(module, name, None)
    if not callable(function):
        raise SettingError(f"{module.__file__}: there is no function {name} for the task of that name")
    return function


def _wrong_solutions(modules: list[types.ModuleType], tasks: set[str]) -> dict[str, tuple[Wrong, ...]]:
    functions = {name: function for module in modules for name, function in vars(module).items()}
    found: dict[str, tuple[Wrong, ...]] = {}
    for name, function in functions.items():
        for task, reason, score in getattr(function, "wrong_for", ()):
            if task not in tasks:
                file = sys.modules[function.__module__].__file__
                raise SettingError(f"{file}: {name} is declared wrong for {task!r}, which is no task")
            found[task] = (*found.get(task, ()), Wrong(name, reason, function, score))
    return found
