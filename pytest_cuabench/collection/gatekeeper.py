"""The gate at the end of a session: it sets the exit code instead of single failures.

A failure of the agent is reported as a failed test as always, but the session's exit code is the gate's. pytest's
exit code stays if the session was interrupted, if nothing was collected, or if something outside of the gate failed:
another test, a fixture, a module that cannot be imported.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_cuabench.collection.stash import KEY, SUITES
from pytest_cuabench.gate.config import Gate, read_gate
from pytest_cuabench.gate.decision import Decision, Finding, Judgement
from pytest_cuabench.gate.judge import judge_run
from pytest_cuabench.gate.summary import lines, write_judgement
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import many, tell

_COLOURS = {Decision.PASS: "green", Decision.INCONCLUSIVE: "yellow", Decision.FAIL: "red"}
_ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)


class GateKeeper:
    """Plugin of the controller process that judges the run and sets the exit code."""

    def __init__(self, config: pytest.Config, run: Run, gate: Gate) -> None:
        self._config = config
        self._run = run
        self._gate = gate
        self._others: list[str] = []
        self._judgement: Judgement | None = None
        self._problem: str | None = None
        self._status = int(pytest.ExitCode.OK)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note failures that are neither the agent's nor recorded infrastructure failures."""
        if report.failed and not _recorded(report):
            self._others.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note collection errors."""
        if report.failed:
            self._others.append(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Judge the run after all workers have finished; an error while judging is never a pass."""
        self._status = int(session.exitstatus)
        try:
            self._judgement = self._judged(self._status)
            if (self._run.folder / LEDGER).is_file():  # the folder is not kept if nothing was planned
                write_judgement(self._run.folder, self._judgement)
            code = self._code(self._judgement.decision)
        except Exception as error:
            self._problem = f"the gate could not judge the run: {type(error).__name__}: {error}"
            code = int(pytest.ExitCode.INTERNAL_ERROR)
        if self._status in _ENDED:
            self._status = session.exitstatus = code

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the decision and its reasons."""
        terminalreporter.section("cuabench gate", "=")
        if self._problem:
            tell(terminalreporter, self._problem, red=True)
        for line, decision in lines(self._judgement) if self._judgement else ():
            tell(terminalreporter, line, **{_COLOURS[decision]: True})
        if self._judgement and self._status != self._judgement.decision.code:
            tell(terminalreporter, f"exit code {self._status} is pytest's: {self._why()}")

    def _judged(self, status: int) -> Judgement:
        suites = self._config.stash.get(SUITES, {})
        folders = {suite.name: folder for folder, suite in suites.items()}
        judgement = judge_run(self._run, self._gate, self._config.stash.get(KEY, None), folders)
        if status in _ENDED:
            return judgement
        reason = f"The session was interrupted: pytest's exit code is {status}."
        broken = Finding("session", "the session", Decision.INCONCLUSIVE, reason, {"exit_code": status})
        return replace(judgement, findings=(broken, *judgement.findings))

    def _code(self, decision: Decision) -> int:
        """Return the exit code; a passing gate does not hide other failures."""
        if decision is Decision.PASS and self._others:
            return int(pytest.ExitCode.TESTS_FAILED)
        return decision.code

    def _why(self) -> str:
        if self._status in _ENDED and self._others:
            count = many(len(self._others), "failure")
            return f"{count} outside of the gate, such as {self._others[0]}"
        return "the session was interrupted, or no tests ran"


def gate_of(file: Path) -> Gate:
    """Return the gate of a run before it is played.

    Raises:
        SettingError: The gate or its baseline cannot be read.
    """
    from pytest_cuabench.gate.baseline import Baseline

    gate = read_gate(file)
    if baseline := gate.baseline_file():
        Baseline.read(baseline)
    return gate


def _recorded(report: pytest.TestReport) -> bool:
    """Whether a failed report is recorded in the ledger: a failure of the agent or of the infrastructure."""
    label = dict(report.user_properties).get("cua_outcome")
    if not isinstance(label, str):
        return False
    outcome = Outcome.of(label)
    if outcome.graded:
        return outcome is not Outcome.SUCCESS and report.when == "call"
    return report.when != "teardown"
