"""Starting states of the shipped worlds, and a pen that writes evidence by hand."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from shipped import shipped
from suites.by_hand import Pen, Trial

from pytest_cuabench.ledger.jsonl import write_json
from pytest_cuabench.task import library
from pytest_cuabench.task.evidence import State, state_from_json
from pytest_cuabench.task.model import SuiteInfo

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
                write_json(file, _sessions().open(self._application, SEEDS[seed]).state())
            self._known[seed] = state_from_json(json.loads(file.read_bytes()))
        return self._known[seed]


@cache
def _sessions() -> Any:
    """The clinic's sessions, in this process."""
    from clinic.__main__ import program
    from clinic.catalogue import discover
    from clinic.fixtures import open_fixtures

    return program(open_fixtures(library.FIXTURES / "clinic"), discover(None)).public.sessions


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


@pytest.fixture
def play(request: pytest.FixtureRequest, trial: Callable[..., Trial]) -> Callable[..., Trial]:
    """Opens a trial of a task of the application that the test's module is named after."""
    application = request.path.stem.removeprefix("test_medcua_")
    return lambda task, seed=0, kind=Trial: trial(f"{application}/{task}", seed, kind)
