"""The gate of a run that is being played: it takes the place of single failures in deciding the exit code.

What an agent failed to do is a failed test as always, and so it looks; but the session's exit code is the gate's.
pytest's own code stays where the session did not end by itself, nothing was collected, or anything else was wrong that
the gate knows nothing about: a test of another kind, a broken fixture, a module that cannot be imported.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_cuabench.gate.config import Gate, read_gate
from pytest_cuabench.gate.decision import Decision, Finding, Judgement
from pytest_cuabench.gate.judge import judge_run
from pytest_cuabench.gate.words import lines, printable, write_judgement
from pytest_cuabench.ledger import LEDGER, Run
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.reporting.words import many

_COLOURS = {Decision.PASS: "green", Decision.INCONCLUSIVE: "yellow", Decision.FAIL: "red"}
_ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)


class GateKeeper:
    """Listens on the process that leads the run."""

    def __init__(self, run: Run, gate: Gate) -> None:
        self._run = run
        self._gate = gate
        self._others: list[str] = []
        self._judgement: Judgement | None = None
        self._problem: str | None = None
        self._status = int(pytest.ExitCode.OK)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note failures that are not the agent's, nor trouble that the record tells of."""
        if report.failed and not _recorded(report):
            self._others.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note modules that cannot be collected."""
        if report.failed:
            self._others.append(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Decide, once all workers are done; trouble while deciding is never a pass."""
        self._status = int(session.exitstatus)
        try:
            self._judgement = self._judged(self._status)
            if (self._run.folder / LEDGER).is_file():  # where nothing was planned, the folder is not kept
                write_judgement(self._run.folder, self._judgement)
            code = self._code(self._judgement.decision)
        except Exception as error:
            self._problem = f"the gate could not decide: {type(error).__name__}: {error}"
            code = int(pytest.ExitCode.INTERNAL_ERROR)
        if self._status in _ENDED:
            self._status = session.exitstatus = code

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was decided, and why."""
        terminalreporter.section("cuabench gate", "=")
        if self._problem:
            terminalreporter.write_line(printable(self._problem), red=True)
        for line, decision in lines(self._judgement) if self._judgement else ():
            terminalreporter.write_line(line, **{_COLOURS[decision]: True})
        if self._judgement and self._status != self._judgement.decision.code:
            terminalreporter.write_line(f"exit code {self._status} is pytest's own: {self._why()}")

    def _judged(self, status: int) -> Judgement:
        judgement = judge_run(self._run, self._gate)
        if status in _ENDED:
            return judgement
        reason = f"The session did not end by itself: pytest's exit code is {status}."
        broken = Finding("session", "the session", Decision.INCONCLUSIVE, reason, {"exit_code": status})
        return Judgement(judgement.run, judgement.agent, (broken, *judgement.findings), judgement.gate)

    def _code(self, decision: Decision) -> int:
        """Return the gate's code; a pass does not make up for what else was wrong."""
        if decision is Decision.PASS and self._others:
            return int(pytest.ExitCode.TESTS_FAILED)
        return decision.code

    def _why(self) -> str:
        if self._status in _ENDED and self._others:
            count = many(len(self._others), "failure")
            return f"{count} not for the gate to judge, such as {self._others[0]}"
        return "the session did not end by itself, or had nothing to do"


def gate_of(file: Path) -> Gate:
    """Return the gate of a run about to be played.

    Raises:
        SettingError: The gate, or its baseline, cannot be read; said before anything is played or paid.
    """
    from pytest_cuabench.gate.baseline import Baseline

    gate = read_gate(file)
    if baseline := gate.baseline_file():
        Baseline.read(baseline)
    return gate


def _recorded(report: pytest.TestReport) -> bool:
    """Whether a failed report is only what the ledger tells: the agent failed, or the trouble was ours."""
    label = dict(report.user_properties).get("cua_outcome")
    if not isinstance(label, str):
        return False
    outcome = Outcome.of(label)
    if outcome.graded:
        return outcome is not Outcome.SUCCESS and report.when == "call"
    return report.when != "teardown"
