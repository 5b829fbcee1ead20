"""Reading a suite folder: `suite.toml`, and per application `application.toml` with two files for each task.

    suites/<name>/suite.toml
    suites/<name>/test_<name>.py
    suites/<name>/<application>/application.toml   title, domain, preamble, the names of its tasks in their order
    suites/<name>/<application>/<task>.toml        what is asked, in words (`schema.py`)
    suites/<name>/<application>/<task>.py          how it is built, judged and done (`functions.py`),
                                                   or one module for several tasks, which application.toml names
    suites/<name>/<application>/second.py          second solutions, each named as the task's file (optional)
    suites/<name>/<documents>/<task>.md            something to read with the task in one of the variants (optional)

What several tasks share lies in further modules beside them, and what several applications share in folders beside
the applications. The code is loaded by path under one package name, so it may use relative imports within the suite;
it is imported when a task is played or audited, and not when it is collected.
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.case import Solution, Values
from pytest_cuabench.task.documents import read_document
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.functions import Functions, Second, WrongSolutions, read_functions
from pytest_cuabench.task.model import Phase, SuiteInfo, Task, fields
from pytest_cuabench.task.names import did_you_mean, unknown_name
from pytest_cuabench.task.parts import Proof, Rules, Scope, TaskBudget, TaskFunctions, TaskMeta, Wording
from pytest_cuabench.task.phases import Reference
from pytest_cuabench.task.phases import faults as phase_faults
from pytest_cuabench.task.schema import (
    ApplicationFile,
    Computer,
    PhaseTable,
    SuiteFile,
    TaskTable,
    TemplateFile,
    TemplateTable,
)
from pytest_cuabench.task.task_files import TaskFiles
from pytest_cuabench.task.toml import fit_strict, read_strict, read_toml

_TASKS = "application.toml"
_SECOND = "second.py"


def load_suite(folder: Path) -> SuiteInfo:
    """Read a suite folder; no code of it is imported.

    Raises:
        SettingError: Files are missing or malformed; a line for each fault names the file, the place and the cure.
    """
    suite = read_strict(folder / "suite.toml", SuiteFile)
    reader = _Reader(folder, suite, _package(f"cuabench_suite_{suite.name}", folder))
    reader.phases = reader.read_phases()
    tasks = tuple(task for application in suite.applications for task in reader.application(application))
    task_files = reader.task_files()
    if reader.faults:
        raise SettingError("\n".join(dict.fromkeys(reader.faults)))  # of what several tasks share, once
    places: dict[str, SuiteInfo] = {}  # each place knows them, too
    whole = SuiteInfo(
        suite.name,
        suite.title,
        suite.paper,
        suite.environment.driver,
        suite.environment.world,
        Size(*suite.environment.screen),
        suite.audit_seeds,
        tasks,
        folder,
        task_files,
        suite.environment.app,
        places,
    )
    for application, own in reader.places.items():
        screen = Size(*own.screen)
        places[application] = replace(whole, driver=own.driver, world=own.world, screen=screen, app=own.app)
    return whole


def known_suites() -> dict[str, Path]:
    """Return the folders of all shipped and installed suites by name."""
    return {
        file.parent.name: file.parent
        for folder in library.suite_roots()
        for file in sorted(folder.glob("*/suite.toml"))
    }


def suite_folder(name: str) -> Path:
    """Return the folder of a suite.

    Raises:
        SettingError: No shipped or installed suite has this name.
    """
    known = known_suites()
    if name not in known:
        raise SettingError(f"--cua-suite: {unknown_name('suite', name, known)}{library.more()}")
    return known[name]


@dataclass
class _Reader:
    """Reads the applications of a suite, and gathers what is wrong with their files."""

    folder: Path
    suite: SuiteFile
    package: str
    faults: list[str] = field(default_factory=list)
    phases: Mapping[str, tuple[Phase, ...]] = field(default_factory=dict)
    places: dict[str, Computer] = field(default_factory=dict)

    @contextmanager
    def _gathering(self) -> Iterator[None]:
        try:
            yield
        except SettingError as error:
            self.faults.append(str(error))

    def task_files(self) -> TaskFiles | None:
        """Return how published task files are played, where `suite.toml` says so."""
        if self.suite.task_files is None:
            return None
        with self._gathering():
            found = TaskFiles.read(self.folder, self.package, self.suite.task_files)
            self.faults += found.faults()
            return found
        return None

    def read_phases(self) -> dict[str, tuple[Phase, ...]]:
        """Return what is played before the tasks, by variant."""
        found: dict[str, tuple[Phase, ...]] = {}
        for table in self.suite.phases:
            with self._gathering():
                functions = self._functions(table.module)
                self.faults += phase_faults(functions)
                for variant in table.every_variant:
                    phase = self._phase(table, functions, played=variant in table.variants)
                    found[variant] = (*found.get(variant, ()), phase)
        return found

    def _phase(self, table: PhaseTable, functions: Functions, *, played: bool) -> Phase:
        place = SuiteInfo(
            f"{self.suite.name}.{table.name}",
            self.suite.title,
            self.suite.paper,
            table.environment.driver,
            table.environment.world,
            Size(*table.environment.screen),
            self.suite.audit_seeds,
            (),
            self.folder,
            app=table.environment.app,
        )
        return Phase(
            table.name,
            place,
            table.application,
            played,
            table.wording,
            TaskBudget(table.budget.steps, table.budget.seconds),
            functions,
        )

    def _functions(self, module: str) -> Functions:
        return read_functions(self.folder / f"{module.replace('.', '/')}.py", f"{self.package}.{module}")

    def application(self, name: str) -> list[Task]:
        """Return the tasks of an application, as far as they can be read."""
        tasks: list[Task] = []
        with self._gathering():
            place = self.folder / name
            if not (place / _TASKS).is_file():
                near = did_you_mean(name, (file.parent.name for file in self.folder.glob(f"*/{_TASKS}")))
                raise SettingError(f"{place / _TASKS} is missing, and suite.toml lists the application{near}")
            declared = read_strict(place / _TASKS, ApplicationFile)
            if declared.environment is not None:
                self.places[name] = declared.environment
            files = {file.stem for file in place.glob("*.toml")} - {"application"}
            self.faults += _unlisted(place, declared, files)
            shared = self._shared(place, declared)
            prologue = self._prologue(place, declared)
            second = self._second(place)
            for file in (file for file in declared.tasks if file in files):
                with self._gathering():
                    functions = self._own(place, file, shared)
                    tasks += self._tasks(place / f"{file}.toml", declared, functions, prologue, second)
            if second is not None:
                self.faults += second.unknown({*files, *(_name(task.id) for task in tasks)})
        self.faults += _twice(self.folder / name, [task.id for task in tasks])
        return tasks

    def _shared(self, place: Path, declared: ApplicationFile) -> Functions | None:
        """Return the functions of the tasks without a Python file of their own, if a module is named for them."""
        if declared.module is None:
            return None
        if all((place / f"{name}.py").is_file() for name in declared.tasks):
            self.faults.append(f"{place / _TASKS}: module: each task has its own Python file; remove the key")
        return self._functions(declared.module)

    def _own(self, place: Path, task: str, shared: Functions | None) -> Functions:
        file = place / f"{task}.py"
        if shared is not None and not file.is_file():
            return shared
        return read_functions(file, f"{self.package}.{place.name}.{task}")

    def _prologue(self, place: Path, declared: ApplicationFile) -> Solution | None:
        if declared.prologue is None:
            return None
        module, _, name = declared.prologue.partition(":")
        with self._gathering():
            functions = self._functions(module)
            self.faults += functions.signature_faults(name, ("pilot", "case"))
            if name not in functions:
                near = did_you_mean(name, functions.defined)
                self.faults.append(
                    f"{place / _TASKS}: prologue: {functions.file} has no function {name}{near}"
                )
            return functions.late(name)
        return None

    def _second(self, place: Path) -> Functions | None:
        """Return the second solutions of an application, if it has any."""
        if not (place / _SECOND).is_file():
            return None
        with self._gathering():
            return self._functions(f"{place.name}.{Path(_SECOND).stem}")
        return None

    def _tasks(
        self,
        file: Path,
        declared: ApplicationFile,
        functions: Functions,
        prologue: Solution | None,
        second: Functions | None,
    ) -> Iterator[Task]:
        data = read_toml(file)
        template = file.stem if "task" in data else ""
        tables: tuple[TaskTable, ...] = ()
        with self._gathering():
            tables = _tables(data, file, template)
        application = file.parent.name
        self.faults += functions.faults(template=bool(template))
        documents = {
            variant: read_document(self.folder / name / f"{file.stem}.md")
            for variant, name in self.suite.documents.items()
        }
        budget = self.suite.budget
        rules = Rules(self.suite.run_code, self.suite.scripts, self.suite.dimensions)
        for table in tables:
            if self.phases and not table.reference:
                self.faults.append(
                    f"{file}: a [reference] is missing: url, query and steps, for the suite's phases"
                )
            values = table.values if isinstance(table, TemplateTable) else {}
            name = table.id if isinstance(table, TemplateTable) else file.stem
            goals = self._goals(table, file)
            yield Task(
                id=name,
                suite=self.suite.name,
                application=application,
                meta=TaskMeta(
                    table.title, declared.domain, table.difficulty, declared.tier, template, _labels(table)
                ),
                wording=Wording(goals, declared.preamble, documents),
                functions=TaskFunctions(
                    case=_Cases(functions, values, template),
                    check=functions.late("check"),
                    solve=functions.late("solve"),
                    wrong=WrongSolutions(functions),
                    also=_Also(
                        functions,
                        second,
                        (_name(name), file.stem),
                        (declared.preamble, *next(iter(goals.values()), ())),
                    ),
                    prologue=prologue,
                    setup=functions.setup(values),
                    upstream=functions.late("upstream") if "upstream" in functions else None,
                ),
                budget=TaskBudget(
                    table.max_steps or budget.steps, table.max_seconds or budget.seconds, budget.dollars
                ),
                scope=Scope(
                    name if declared.opens == "task" else "",
                    frozenset(declared.harmless),
                    frozenset(table.resources),
                ),
                rules=rules,
                proof=Proof(table.proved, declared.kinds, table.solved_by_prologue),
                values=values,
                reference=Reference(**table.reference.model_dump()) if table.reference else None,
                phases=self.phases,
            )

    def _goals(self, table: TaskTable, file: Path) -> Mapping[str, tuple[str, ...]]:
        goals = table.goals or dict.fromkeys(self.suite.variants, table.wording)
        if set(goals) != set(self.suite.variants):
            self.faults.append(
                f"{file}: there are goals for {', '.join(goals)}, "
                f"but the suite's variants are {', '.join(self.suite.variants)}"
            )
        return goals


def _tables(data: Mapping[str, Any], file: Path, template: str) -> tuple[TaskTable, ...]:
    """Return the tables of a file: those of a template's tasks, or the one of its only task."""
    text = file.read_text(encoding="utf-8")
    if template:
        return fit_strict(data, TemplateFile, str(file), text).task
    return (fit_strict(data, TaskTable, str(file), text),)


def _labels(table: TaskTable) -> tuple[str, ...]:
    touched = (f"touches_{_marker(part)}" for part in table.resources)
    return (*table.labels, *touched, *(() if table.proved else ("unproved",)))


def _unlisted(place: Path, declared: ApplicationFile, files: set[str]) -> Iterator[str]:
    """Yield the tasks that are listed without a file, and the files that are not listed."""
    for name in declared.tasks:
        if name not in files:
            near = did_you_mean(name, files - set(declared.tasks))
            yield f"{place / f'{name}.toml'} is missing, but {_TASKS} lists the task{near}"
    for name in sorted(files - set(declared.tasks)):
        yield f"{place / f'{name}.toml'}: not listed in {_TASKS}; add it to tasks or remove the file"


def _twice(place: Path, ids: list[str]) -> Iterator[str]:
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        yield f"{place}: duplicate task id {name}"


@dataclass(frozen=True)
class _Also:
    """The further solutions of a task: those in its file, and the function in `second.py` that is named as it.

    Attributes:
        told: What says which values of the case are told: the preamble and the patterns of the goal.
    """

    functions: Functions
    second: Functions | None
    names: tuple[str, ...]
    told: tuple[str, ...]

    def __call__(self) -> Iterator[tuple[str, Solution]]:
        yield from self.functions.also()
        if self.second is not None and (
            name := next((one for one in self.names if one in self.second.offered), None)
        ):
            told = frozenset(chain.from_iterable(map(fields, self.told)))
            yield "second", Second(self.second.late(name), told)


@dataclass(frozen=True)
class _Cases:
    """Builds a task's cases; `case` of a template is given the task's values, and adds to them."""

    functions: Functions
    values: Values
    template: str

    def __call__(self, state: State, random: Random) -> Values:
        given = (self.values,) if self.template else ()
        found = self.functions.get("case")(state, random, *given) if "case" in self.functions else {}
        if not isinstance(found, Mapping):
            raise TypeError(f"case must return a dict of values, not {found!r}")
        case = {**self.values, **found}
        if "infeasible" in self.functions and self.functions.get("infeasible")(state, case):
            case["infeasible"] = True
        return case

    @property
    def __code__(self) -> CodeType | None:  # where errors of what it returns are said to be
        return self.functions.defined.get("case")


def _name(task: str) -> str:
    return task.replace("-", "_")


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
        raise SettingError(
            f"two suites have the same name: {folder} and {known.__path__[0]}; rename one of them"
        )
    if known is None:
        package = types.ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name
