"""Is everything that a session played also on the disk? What a worker could not record is recorded here, and where
anything is missing all the same, the session does not end well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from pytest_cuabench.attempts import agent_name
from pytest_cuabench.collect import find_instance
from pytest_cuabench.errors import RecordFailure
from pytest_cuabench.keys import PAST, SETTINGS
from pytest_cuabench.ledger import Attempt, Run
from pytest_cuabench.reporting.words import short
from pytest_cuabench.resume import Past
from pytest_cuabench.task import Instance

_ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)  # the others say already that it did not end well


class Completeness:
    """Listens on the process that leads the run, and takes the green away from a session with something missing."""

    def __init__(self, config: pytest.Config, run: Run) -> None:
        self._config = config
        self._run = run
        self._session: pytest.Session | None = None
        self._expected: set[str] = set()
        self._ended: set[str] = set()
        self._told: set[tuple[str, str]] = set()
        self.problems: list[str] = []

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Know whose exit code it is."""
        self._session = session

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Know what has to end."""
        self._expected.update(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        """Know what has to end, when workers collect."""
        self._expected.update(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember what has ended, and what was said of it."""
        self._ended.add(report.nodeid)
        figures = dict(report.user_properties)
        if "cua_outcome" in figures:
            self._told.add((str(figures["cua_instance"]), str(figures["cua_outcome"])))

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """Keep a record of the attempt that a dead worker took with it."""
        instance = find_instance(self._config, crashitem)
        if instance is not None:
            ended = self._ended_before(instance) or self._lose(instance)
            report.user_properties += [("cua_instance", instance.id), ("cua_outcome", ended.outcome)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Compare what was reported with what is recorded."""
        for problem in self._missing(session):
            self.fail(problem)

    def fail(self, problem: str) -> None:
        """Add a sentence on what is missing; from now on no verdict on the agent decides how the session ends."""
        self.problems.append(problem)
        if self._session is not None and self._session.exitstatus in _ENDED:
            self._session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def _ended_before(self, instance: Instance) -> Attempt | None:
        """Return the judged attempt that a worker could still record in this session, though not report."""
        last = self._run.last_attempts().get(instance.id)
        past = self._config.stash.get(PAST, Past())
        return last if last and last.result.graded and last != past.last.get(instance.id) else None

    def _lose(self, instance: Instance) -> Attempt:
        number = 1 + sum(attempt.instance == instance.id for attempt in self._run.attempts())
        words = "the worker that played it died"
        lost = Attempt.lost(instance, agent_name(self._config, self._config.stash[SETTINGS]), words, number)
        try:
            self._run.append(lost)
        except RecordFailure as failure:
            self.fail(str(failure))
        return lost

    def _missing(self, session: pytest.Session) -> Iterator[str]:
        unplayed = self._expected - self._ended
        if unplayed and session.exitstatus == pytest.ExitCode.OK:
            yield f"{_counted(unplayed)} never ended"
        recorded = {(attempt.instance, attempt.outcome) for attempt in self._run.attempts()}
        if lost := {name for name, _ in self._told - recorded}:
            yield f"{_counted(lost)} ended, but that is not recorded in {self._run.folder}"


def _counted(names: Iterable[str]) -> str:
    """Return how many there are, and the first by name."""
    ordered = sorted(names)
    more = f" and {len(ordered) - 1} more" if len(ordered) > 1 else ""
    return f"{short(ordered[0], 200)}{more}"
