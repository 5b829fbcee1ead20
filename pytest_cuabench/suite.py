"""Reading a suite folder: `suite.toml`, and per application `tasks.toml` with the code beside it.

    suites/<name>/suite.toml
    suites/<name>/test_<name>.py
    suites/<name>/<application>/tasks.toml     what is asked, in words
    suites/<name>/<application>/cases.py       def <task>(state, chance) -> values
    suites/<name>/<application>/checks.py      def <task>(evidence, case) -> milestones and violations
    suites/<name>/<application>/solutions.py   async def <task>(hand, case), prologue, @wrong(...) functions
    suites/<name>/<application>/setups.py      def <task>(chance) -> steps that prepare the world (optional)
    suites/<name>/<application>/mistakes.py    more @wrong(...) functions, where they fill a file (optional)

The code is loaded by path under one package name, so it may use relative imports within the suite.
"""

from __future__ import annotations

import importlib
import sys
import tomllib
import types
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pytest_cuabench import library
from pytest_cuabench.action import Size
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task import SYNTHETIC, SuiteInfo, Task, Wrong

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", description="lower case letters, digits, _")]
Words = Annotated[str, Field(min_length=1)]
Difficulty = Literal["easy", "medium", "hard"]
GROUP = "pytest_cuabench.suites"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Environment(_Strict):
    driver: Identifier
    world: Identifier
    screen: tuple[Annotated[int, Field(ge=320, le=7680)], Annotated[int, Field(ge=240, le=4320)]]


class _Budget(_Strict):
    steps: Annotated[int, Field(ge=1, le=10_000)]
    seconds: Annotated[float, Field(gt=0, le=86_400)]


class _SuiteFile(_Strict):
    name: Identifier
    title: Words
    paper: Words
    applications: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    variants: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    audit_seeds: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1)] = (0, 1, 2)
    environment: _Environment
    budget: _Budget


class _TaskEntry(_Strict):
    id: Identifier
    title: Words
    difficulty: Difficulty
    goals: dict[Identifier, Annotated[tuple[Words, ...], Field(min_length=1)]]
    max_steps: Annotated[int, Field(ge=1, le=10_000)] | None = None
    max_seconds: Annotated[float, Field(gt=0, le=86_400)] | None = None
    solved_by_prologue: bool = False


class _Application(_Strict):
    title: Words
    domain: Words
    preamble: str = ""
    harmless: tuple[Identifier, ...] = ()
    tier: Identifier = SYNTHETIC


class _TasksFile(_Strict):
    application: _Application
    task: Annotated[tuple[_TaskEntry, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _distinct(self) -> _TasksFile:
        ids = [entry.id for entry in self.task]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"task ids must be different, {', '.join(twice)} stands twice")
        return self


_Model = TypeVar("_Model", bound=BaseModel)


def load_suite(folder: Path) -> SuiteInfo:
    """Read a suite folder and import its code.

    Raises:
        SettingError: A file is missing or malformed; the sentence names the file, the key and what is allowed.
    """
    file = folder / "suite.toml"
    suite = read_strict(file, _SuiteFile)
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


def read_strict(file: Path, model: type[_Model]) -> _Model:
    """Read a TOML file into a model that knows every allowed key.

    Raises:
        SettingError: It is missing, no TOML, or does not fit the model.
    """
    return fit_strict(read_toml(file), model, str(file))


def read_toml(file: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        SettingError: It is missing, or no TOML.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingError(f"{file} is missing") from None
    except OSError as error:
        raise SettingError(f"{file} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingError(f"{file} is not valid TOML: {error}") from None


def fit_strict(data: Mapping[str, Any], model: type[_Model], place: str) -> _Model:
    """Fit what a TOML file says, or a table of it, into a model that knows every allowed key.

    Raises:
        SettingError: It does not fit.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise SettingError(f"{place}: {_sentence(error, data, model)}") from None


def _sentence(error: ValidationError, data: Mapping[str, Any], model: type[BaseModel]) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "the file"
    if first["type"] == "extra_forbidden":
        return f"{place} is not a known key; known there: {', '.join(_siblings(model, first['loc']))}"
    if first["type"] == "missing":
        return f"{place} is missing"
    value = f", not {first['input']!r}" if isinstance(first["input"], str | int | float) else ""
    entry = _task_id(data, first["loc"])
    return f"{place}{entry}: {first['msg'][0].lower()}{first['msg'][1:]}{value}"


def _task_id(data: Mapping[str, Any], place: tuple[str | int, ...]) -> str:
    if len(place) > 1 and place[0] == "task" and isinstance(place[1], int):
        entry = data["task"][place[1]]
        return f" (task {entry.get('id', '?')})" if isinstance(entry, dict) else ""
    return ""


def _siblings(model: type[BaseModel], place: tuple[str | int, ...]) -> list[str]:
    """Return the keys allowed beside the offending one."""
    for part in place[:-1]:
        field = model.model_fields.get(str(part))  # none: the index of a list, or the name of a table
        model = _model_within(field.annotation) or model if field else model
    return sorted(model.model_fields)


def _model_within(annotation: Any) -> type[BaseModel] | None:
    """Return the model in an annotation such as `tuple[Model, ...] | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_within, get_args(annotation))), None)


def _application(folder: Path, application: str, suite: _SuiteFile, package: str) -> Iterator[Task]:
    declared = read_strict(folder / application / "tasks.toml", _TasksFile)
    code = {
        kind: _module(f"{package}.{application}.{kind}", folder / application / f"{kind}.py")
        for kind in ("cases", "checks", "solutions")
    }
    proofs = [code["solutions"]]
    if more := _optional(f"{package}.{application}.mistakes", folder / application / "mistakes.py"):
        proofs.append(more)
    setups = _optional(f"{package}.{application}.setups", folder / application / "setups.py")
    mistakes = _wrong_solutions(proofs, {entry.id for entry in declared.task})
    for entry in declared.task:
        if set(entry.goals) != set(suite.variants):
            raise SettingError(
                f"{folder / application / 'tasks.toml'}: task {entry.id} has goals for "
                f"{', '.join(entry.goals)}, but the suite's variants are {', '.join(suite.variants)}"
            )
        yield Task(
            id=entry.id,
            title=entry.title,
            suite=suite.name,
            application=application,
            domain=declared.application.domain,
            difficulty=entry.difficulty,
            max_steps=entry.max_steps or suite.budget.steps,
            max_seconds=entry.max_seconds or suite.budget.seconds,
            goals=entry.goals,
            preamble=declared.application.preamble,
            harmless=frozenset(declared.application.harmless),
            builder=_function(code["cases"], entry.id),
            checker=_function(code["checks"], entry.id),
            solution=_function(code["solutions"], entry.id),
            wrong=mistakes.get(entry.id, ()),
            prologue=getattr(code["solutions"], "prologue", None),
            solved_by_prologue=entry.solved_by_prologue,
            tier=declared.application.tier,
            arranger=_function(setups, entry.id) if setups else None,
        )


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
        for task, reason in getattr(function, "wrong_for", ()):
            if task not in tasks:
                file = sys.modules[function.__module__].__file__
                raise SettingError(f"{file}: {name} is declared wrong for {task!r}, which is no task")
            found[task] = (*found.get(task, ()), Wrong(name, reason, function))
    return found
