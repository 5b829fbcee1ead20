"""Starting states of the shipped worlds, and a pen that writes evidence by hand."""

from __future__ import annotations

import copy
import importlib
import json
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from shipped import shipped

from pytest_cuabench.ledger.jsonl import write_json
from pytest_cuabench.task import library
from pytest_cuabench.task.evidence import Evidence, State, Write, state_from_json
from pytest_cuabench.task.model import Case, SuiteInfo, Task
from pytest_cuabench.task.verdict import Verdict

sys.path[:0] = [str(library.ENVIRONMENTS / part) for part in ("clinic", "kit")]

SEEDS = range(20)
LATER, LAST = "2027-01-01T10:00", "2027-12-31T23:59"


class Pen:
    """Writes into a copy of a state the way a world does, and keeps the journal."""

    def __init__(self, state: State) -> None:
        self._before = state
        self._rows: dict[str, dict[str, Any]] = copy.deepcopy(dict(state.collections))
        self._journal: list[Write] = []

    def insert(self, collection: str, key: str, **row: Any) -> Pen:
        """Add an entry."""
        self._rows.setdefault(collection, {})[key] = row
        self._journal.append(Write(collection, key, "insert", None, dict(row)))
        return self

    def update(self, collection: str, key: str, **fields: Any) -> Pen:
        """Change fields of an entry."""
        before = self._rows[collection][key]
        after = {**before, **fields}
        self._rows[collection][key] = after
        self._journal.append(Write(collection, key, "update", before, after))
        return self

    def evidence(self, answer: str | None = None) -> Evidence:
        """Return what a checker is given."""
        after = State(self._rows, tuple(self._journal), len(self._journal), self._before.clock and LAST)
        return Evidence(self._before, after, answer, "answer" if answer is not None else "success")


class Trial:
    """One task on one seed, and a pen to do it with."""

    def __init__(self, task: Task, state: State, seed: int = 0) -> None:
        self.task = task
        self.case: Case = task.case(state, "intent", seed)
        self.pen = Pen(state)

    def verdict(self, answer: str | None = None) -> Verdict:
        return self.task.judge(self.pen.evidence(answer), self.case)


class Shift(Trial):
    """A triage; steps can be chained."""

    _entries = 0

    def job(self, mrn: str | None = None) -> dict[str, Any]:
        jobs = self.case.values.get("jobs")
        return next(job for job in jobs if job["mrn"] == mrn) if jobs else dict(self.case.values)

    def vitals(self, mrn: str | None = None, **changed: Any) -> str:
        """Chart what was called out, with changes; return the entry's key."""
        job = self.job(mrn)
        self._entries += 1
        key = f"new-{self._entries}"
        row = {**job["expected"], **changed, "mrn": job["mrn"], "in_error": False}
        self.pen.insert("vitals", key, **row)
        return key

    def patient(self, mrn: str | None = None, **fields: Any) -> Shift:
        self.pen.update("patients", self.job(mrn)["mrn"], **fields)
        return self

    def esi(self, level: int, reason: str, mrn: str | None = None) -> Shift:
        return self.patient(mrn, esi=level, esi_reason=reason, esi_at=f"{LATER}:{level}")

    def start(self, mrn: str | None = None) -> Shift:
        return self.patient(mrn, status="in_triage", nurse="n", triage_started_at=LATER)

    def complete(self, mrn: str | None = None) -> Shift:
        return self.patient(mrn, status="triaged", triaged_at=LATER)

    def review(self, none: bool = False) -> Shift:
        return self.patient(allergies_reviewed_at=LATER, no_known_allergies=none)

    def allergy(self, substance: str, reaction: str = "Hives", severity: str = "unknown") -> Shift:
        self._entries += 1
        row = {"substance": substance, "reaction": reaction, "severity": severity, "in_error": False}
        self.pen.insert("allergies", f"new-{self._entries}", mrn=self.job()["mrn"], **row)
        return self


@pytest.fixture(scope="session")
def medcua() -> SuiteInfo:
    """The suite."""
    return shipped("medcua")


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
    """Opens a trial of `application/task` on a seed."""

    def start(name: str, seed: int = 0) -> Trial:
        task = next(task for task in medcua.tasks if task.name == name)
        return Trial(task, starting_states(task.application)[seed], seed)

    return start


@pytest.fixture
def shift(
    request: pytest.FixtureRequest, medcua: SuiteInfo, starting_states: Callable[[str], list[State]]
) -> Shift:
    """The task of emergency triage that a test names, on one seed."""
    name = f"emergency_triage/{request.param}"
    task = next(task for task in medcua.tasks if task.name == name)
    return Shift(task, starting_states("emergency_triage")[0])
