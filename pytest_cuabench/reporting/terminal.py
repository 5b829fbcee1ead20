"""What a person sees in the terminal: a line per instance as it ends, and one table at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

from pytest_cuabench.complete import Completeness
from pytest_cuabench.ledger import Attempt, Run
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.reporting.closing import closing
from pytest_cuabench.runs import finish_run
from pytest_cuabench.stats import wilson
from pytest_cuabench.usage import Usage

_ID_WIDTH = 58


class TerminalProgress:
    """Listens on the process that leads the run."""

    def __init__(self, config: pytest.Config, run: Run, watch: Completeness) -> None:
        self._config = config
        self._run = run
        self._watch = watch
        self._expected: int | None = None
        self._running: set[str] = set()
        self._done: Counter[str] = Counter()
        self._claims: dict[str, list[bool]] = {}
        self._cost: float | None = 0.0
        self._footer = False
        self._page: Path | None = None

    # While the run goes on

    def pytest_report_header(self) -> str:
        """Say which agent plays, where that was chosen, and where the run is kept."""
        from pytest_cuabench.keys import SETTINGS

        settings = self._config.stash[SETTINGS].described()
        words = ", ".join(f"{name} {value}" for name, value in settings.items())
        return f"cuabench: {words}; run {self._place(self._run.folder)}"

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Know how many instances there are."""
        ours = [item for item in session.items if "attempt" in getattr(item, "fixturenames", ())]
        if ours:
            self._expected = len(ours)
        if ours and len(ours) == len(session.items):
            self._mute_pytest()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        """Know how many instances there are, when workers collect."""
        self._expected = len(ids)
        self._mute_pytest()

    def _mute_pytest(self) -> None:
        """Leave out file names and percentages: one line per instance says it all."""
        if self._reporter.verbosity:
            return
        self._reporter.showfspath = False
        self._reporter._show_progress_info = False

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Count what is running."""
        self._running.add(nodeid)
        self._draw_footer()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Count what is running."""
        self._running.discard(nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Count our items as pytest does, but show them by a line of their own."""
        if isinstance(report, pytest.CollectReport) or not self._shown_by_us(report):
            return None
        if report.skipped:
            return "skipped", "", ""
        if report.failed:
            return ("failed", "", "FAILED") if report.when == "call" else ("error", "", "ERROR")
        return ("passed" if report.when == "call" else ""), "", ""

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print the line of an instance that has ended."""
        figures = dict(report.user_properties)
        ended = report.when == "call" or report.failed
        if "cua_outcome" not in figures or not ended or report.when == "teardown":
            return
        self._count(figures)
        self._running.discard(report.nodeid)
        if self._shown_by_us(report):
            self._write_line(figures)

    def _shown_by_us(self, report: pytest.TestReport) -> bool:
        ours = any(name == "cua_outcome" for name, _ in report.user_properties)
        return ours and self._reporter.verbosity == 0

    def _count(self, figures: dict[str, Any]) -> None:
        self._done[figures["cua_outcome"]] += 1
        if "cua_claim" in figures:
            self._claims.setdefault(figures["cua_claim"], []).append(figures["cua_claim_holds"])
        cost = figures.get("cua_cost")
        self._cost = None if cost is None or self._cost is None else self._cost + float(cost)

    def _write_line(self, figures: dict[str, Any]) -> None:
        sign, colour = _sign(figures)
        label = figures["cua_outcome"]
        words = "" if label == "success" else label.replace("_", " ")
        if "cua_recorded" in figures:
            words = f"{words}, recorded" if words else "recorded"
        effort = f"{figures.get('cua_steps', 0):>3} steps {float(figures.get('cua_seconds', 0)):>6.1f} s"
        self._erase_footer()
        self._reporter.write_line(
            f"{sign} {figures['cua_instance']:<{_ID_WIDTH}} {effort}  {words:<20} {self._standing()}",
            **{colour: True},
        )
        self._draw_footer()

    def _standing(self) -> str:
        """Say how far the run is: done, success rate (of claims: how many hold), cost, running."""
        graded = sum(count for label, count in self._done.items() if Outcome.of(label).graded)
        good = self._done["success"]
        if self._claims:
            claims = [held for kind in self._claims.values() for held in kind]
            good, graded = sum(claims), len(claims)
        parts = [f"{self._done.total()}/{self._expected or '?'}"]
        parts += [f"{100 * good / graded:.0f} %"] if graded else []
        parts += ["$?" if self._cost is None else f"${self._cost:.2f}"] if self._cost != 0 else []
        parts += [f"{len(self._running)} running"] if self._running else []
        return " · ".join(parts)

    def _draw_footer(self) -> None:
        """On a terminal, keep a line below the others that says what is running."""
        if self._reporter.isatty and self._reporter.verbosity == 0 and self._running:
            names = ", ".join(
                sorted(nodeid.partition("[")[2].removesuffix("]") for nodeid in self._running)[:3]
            )
            self._reporter.rewrite(f"  {len(self._running)} running: {names}"[:100], erase=True)
            self._footer = True

    def _erase_footer(self) -> None:
        if self._footer:
            self._reporter.rewrite("", erase=True)
            self._footer = False

    # At the end

    def pytest_terminal_summary(self) -> None:
        """Print the table, the times, and where the report lies."""
        self._erase_footer()
        attempts = list(self._run.last_attempts().values())
        page = self._finish()
        if attempts and page is not None:
            self._write_summary(attempts, page)
        for problem in self._watch.problems:
            self._reporter.write_line(f"cuabench: {problem}", red=True)

    def _write_summary(self, attempts: list[Attempt], page: Path) -> None:
        self._reporter.section("cuabench", "=")
        table = _claims(self._claims) if self._claims else _table(attempts)
        repeats = () if self._claims else _repeats(attempts)
        effort = () if self._claims else _effort(self._run, attempts)
        for line in (*table, *repeats, *effort, *closing(self._run, attempts)):
            self._reporter.write_line(line)
        self._page = page

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None, None, None]:
        """Say where the report lies, after everything that pytest itself says of failures."""
        yield
        if self._page is not None:
            self._reporter.write_line(f"report: {self._place(self._page)}")

    def _finish(self) -> Path | None:
        """Write the reports; what was recorded stays, whatever goes wrong with them."""
        try:
            return finish_run(self._run)
        except Exception as error:
            self._watch.fail(f"the report could not be written: {type(error).__name__}: {error}")
            return self._run.folder

    def _place(self, path: Any) -> str:
        root = self._config.rootpath
        return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)

    @property
    def _reporter(self) -> TerminalReporter:
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        assert isinstance(reporter, TerminalReporter)
        return reporter


def _sign(figures: dict[str, Any]) -> tuple[str, str]:
    outcome = Outcome.of(figures["cua_outcome"])
    good = figures.get("cua_claim_holds", outcome is Outcome.SUCCESS)
    if good:
        return "✓", "green"
    return ("✗", "red") if outcome.graded else ("!", "yellow")


def _claims(claims: dict[str, list[bool]]) -> Iterator[str]:
    for kind, held in claims.items():
        yield f"{kind:<12}{sum(held):>5} of {len(held):>4} claims hold"


def _table(attempts: list[Attempt]) -> Iterator[str]:
    levels = [name for name in ("easy", "medium", "hard") if any(a.difficulty == name for a in attempts)]
    yield f"{'application':<28}" + "".join(f"{name:<26}" for name in (*levels, "all"))
    for application in sorted({attempt.application for attempt in attempts}):
        mine = [attempt for attempt in attempts if attempt.application == application]
        yield _row(application, mine, levels)
    if len({attempt.application for attempt in attempts}) > 1:
        yield _row("all", attempts, levels)


def _row(name: str, attempts: list[Attempt], levels: list[str]) -> str:
    groups = [[a for a in attempts if a.difficulty == level] for level in levels]
    return f"{name:<28}" + "".join(f"{_rate(group):<26}" for group in (*groups, attempts))


def _rate(attempts: list[Attempt]) -> str:
    graded = [attempt for attempt in attempts if attempt.result.graded]
    if not graded:
        return "-"
    successes = sum(attempt.result is Outcome.SUCCESS for attempt in graded)
    low, high = wilson(successes, len(graded))
    return (
        f"{successes}/{len(graded)} {100 * successes / len(graded):.0f} % [{100 * low:.0f}, {100 * high:.0f}]"
    )


def _repeats(attempts: list[Attempt]) -> Iterator[str]:
    """Say how repeated plays went, with intervals that know that plays of one task resemble each other."""
    from pytest_cuabench.reporting.figures import repeat_rows, repeats

    found = repeats(attempts)
    for name, figures in found.items():
        rows = [f"{measure} {figure}" for measure, figure, _ in repeat_rows(figures)]
        counted = next(of for _, _, of in repeat_rows(figures))
        yield f"{name}: {', '.join(rows)}; {counted}"
    if found:
        yield "intervals of repeated plays are 95 %, clustered by task"


def _effort(run: Run, attempts: list[Attempt]) -> Iterator[str]:
    """Say what the run is worth and took on average, and how the failed ones failed."""
    from pytest_cuabench.reporting.figures import failures, measured, measures, spent
    from pytest_cuabench.reporting.people import HEADINGS, performances
    from pytest_cuabench.reporting.words import usage_words

    reward, timeouts, steps, tokens = measured(measures(attempts))
    yield f"mean reward {reward}, timeouts {timeouts}, {steps} steps and {tokens} tokens an instance"
    usage = spent(run.attempts())
    if usage != Usage():
        yield f"spent on all attempts: {usage_words(usage)}"
    if kinds := failures(run, attempts):
        named = ", ".join(f"{count} {kind.label.replace('_', ' ')}" for kind, count in kinds.items())
        yield f"failed by: {named}"
    if people := performances(run, attempts):
        yield "people:     " + "".join(f"{name:<13}" for name in HEADINGS)
        for group, found in people.items():
            yield " " * 12 + "".join(f"{cell:<13}" for cell in (group, *found.cells()))
