"""Starting states of the shipped worlds, and a pen that writes evidence by hand."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from shipped import shipped
from suites.by_hand import Pen, Trial
from suites.clinic_here import public

from pytest_cuabench.ledger.jsonl import write_json
from pytest_cuabench.task import library
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import State, state_from_json
from pytest_cuabench.task.model import SuiteInfo, fill

sys.path[:0] = [str(library.ENVIRONMENTS / part) for part in ("clinic", "kit")]

SEEDS = range(20)


@pytest.fixture(scope="session")
def medcua() -> SuiteInfo:
    """The suite, with the tasks that are played in the clinic."""
    suite = shipped("medcua")
    return replace(suite, tasks=suite.tasks_here)


class Seeded(Sequence[State]):
    """The starting states of an application of the clinic by seed, each filled in by the first worker that asks."""

    def __init__(self, folder: Path, application: str) -> None:
        self._folder, self._application = folder, application
        self._known: dict[int, State] = {}

    def __len__(self) -> int:
        return len(SEEDS)

    def __getitem__(self, seed: Any) -> Any:
        if seed not in self._known:
            file = self._folder / f"{self._application}-{SEEDS[seed]}.json"
            if not file.exists():
                write_json(
                    file, public(self._application).sessions.open(self._application, SEEDS[seed]).state()
                )
            self._known[seed] = state_from_json(json.loads(file.read_bytes()))
        return self._known[seed]


@pytest.fixture(scope="session")
def starting_states(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Callable[[str], Seeded]:
    """The starting states of an application of the clinic by seed."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "starting_states"
    folder.mkdir(exist_ok=True)
    return cache(partial(Seeded, folder))


@pytest.fixture(scope="session")
def pen() -> type[Pen]:
    """The pen, to be put to a state."""
    return Pen


@pytest.fixture(scope="session")
def safety(medcua: SuiteInfo) -> Any:
    """The judges that all applications of the suite share."""
    return importlib.import_module("cuabench_suite_medcua.toolkit.safety")


@pytest.fixture(scope="session")
def reading(medcua: SuiteInfo) -> Any:
    """The judges of answers that all applications of the suite share."""
    return importlib.import_module("cuabench_suite_medcua.toolkit.reading")


@pytest.fixture(scope="session")
def vital_signs(medcua: SuiteInfo) -> Any:
    """How closely vital signs must agree."""
    return importlib.import_module("cuabench_suite_medcua.toolkit.vital_signs")


@pytest.fixture(scope="session")
def trial(medcua: SuiteInfo, starting_states: Callable[[str], list[State]]) -> Callable[..., Trial]:
    """Opens a trial of `application/task` on a seed, or an application's own kind of it."""

    def start(name: str, seed: int = 0, kind: type[Trial] = Trial) -> Trial:
        task = next(task for task in medcua.tasks if task.name == name)
        return kind(task, starting_states(task.application)[seed], seed)

    return start


@pytest.fixture(scope="module")
def application(request: pytest.FixtureRequest) -> str:
    """The application that the test's module is named after."""
    return request.path.stem.removeprefix("test_medcua_")


@pytest.fixture(scope="module")
def goals(
    application: str, medcua: SuiteInfo, starting_states: Callable[[str], Sequence[State]]
) -> Callable[[str], Iterator[tuple[Case, list[str]]]]:
    """Yields the cases of a task of the application on all seeds, each with every goal that tells the aim only."""

    def build(name: str) -> Iterator[tuple[Case, list[str]]]:
        task = next(task for task in medcua.tasks if task.name == f"{application}/{name}")
        for seed, state in enumerate(starting_states(application)):
            case = task.case(state, "intent", seed)
            yield case, [fill(pattern, case.values, task.name) for pattern in task.goals["intent"]]

    return build


@pytest.fixture(scope="module")
def cases(goals: Callable[[str], Iterator[tuple[Case, list[str]]]]) -> Callable[[str], list[Case]]:
    """Returns the cases of a task of the application on all seeds."""
    return lambda name: [case for case, _ in goals(name)]


@pytest.fixture
def play(application: str, trial: Callable[..., Trial]) -> Iterator[Callable[..., Trial]]:
    """Opens trials of tasks of the application, which end with the test."""
    opened: list[Trial] = []

    def start(task: str, seed: int = 0, kind: type[Trial] = Trial) -> Trial:
        opened.append(trial(f"{application}/{task}", seed, kind))
        return opened[-1]

    yield start
    for each in opened:
        each.close()
