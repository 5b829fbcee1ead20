"""Compare a session's reports with its record, record attempts of dead workers, and fail on missing records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from pytest_cuabench.collection.attempts import agent_name
from pytest_cuabench.collection.items import find_instance
from pytest_cuabench.collection.stash import PAST, SETTINGS
from pytest_cuabench.errors import RecordFailure, SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.resume import Past
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.text import short

_ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)  # other exit codes already mean a failure


class Completeness:
    """Plugin of the controller process that fails the session if any record is missing."""

    def __init__(self, config: pytest.Config, run: Run) -> None:
        self._config = config
        self._run = run
        self._session: pytest.Session | None = None
        self._expected: set[str] = set()
        self._ended: set[str] = set()
        self._told: set[tuple[str, str]] = set()
        self.problems: list[str] = []

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Keep the session for its exit code."""
        self._session = session

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Keep the expected instances."""
        self._expected.update(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        """Keep the expected instances when xdist workers collect."""
        self._expected.update(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the finished instances and their reported outcomes."""
        self._ended.add(report.nodeid)
        figures = dict(report.user_properties)
        if "cua_outcome" in figures:
            self._told.add((str(figures["cua_instance"]), str(figures["cua_outcome"])))

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """Record the attempt of a dead worker."""
        instance = find_instance(self._config, crashitem)
        if instance is not None:
            ended = self._ended_before(instance) or self._lose(instance)
            report.user_properties += [("cua_instance", instance.id), ("cua_outcome", ended.outcome)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Compare the reported instances with the record."""
        try:
            for problem in self._missing(session):
                self.fail(problem)
        except SettingError as error:  # the ledger holds an invalid record
            self.fail(str(error))

    def fail(self, problem: str) -> None:
        """Add a problem; the session then fails whatever the verdicts are."""
        self.problems.append(problem)
        if self._session is not None and self._session.exitstatus in _ENDED:
            self._session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def _ended_before(self, instance: Instance) -> Attempt | None:
        """Return the graded attempt that a dead worker recorded in this session, but did not report."""
        last = self._run.last_attempts().get(instance.id)
        past = self._config.stash.get(PAST, Past())
        return last if last and last.result.graded and last != past.last.get(instance.id) else None

    def _lose(self, instance: Instance) -> Attempt:
        number = 1 + sum(attempt.item.instance == instance.id for attempt in self._run.attempts())
        words = "its worker process died"
        lost = Attempt.lost(instance, agent_name(self._config, self._config.stash[SETTINGS]), words, number)
        try:
            self._run.append(lost)
        except RecordFailure as failure:
            self.fail(str(failure))
        return lost

    def _missing(self, session: pytest.Session) -> Iterator[str]:
        unplayed = self._expected - self._ended
        if unplayed and session.exitstatus == pytest.ExitCode.OK:
            yield f"{_counted(unplayed)} did not end"
        recorded = {(attempt.item.instance, attempt.outcome) for attempt in self._run.attempts()}
        if lost := {name for name, _ in self._told - recorded}:
            yield f"{_counted(lost)} ended, but is not recorded in {self._run.folder}"


def _counted(names: Iterable[str]) -> str:
    """Format the number of instances with the first name."""
    ordered = sorted(names)
    more = f" and {len(ordered) - 1} more" if len(ordered) > 1 else ""
    return f"{short(ordered[0], 200)}{more}"
