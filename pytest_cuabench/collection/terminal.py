"""Terminal output: one line per finished instance, and a table at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_cuabench.collection.stash import SETTINGS
from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.stats import wilson
from pytest_cuabench.reporting.closing import closing
from pytest_cuabench.reporting.finish import finish_run
from pytest_cuabench.reporting.silent import reporter_of
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import dollars, tell, visible
from pytest_cuabench.task.usage import Usage

if TYPE_CHECKING:
    from pytest_cuabench.collection.reconcile import Completeness

_ID_WIDTH = 58
_CENTS = 0.00005  # US dollars; less is a matter of rounding


class TerminalProgress:
    """Plugin of the controller process that prints progress and summary."""

    def __init__(self, config: pytest.Config, run: Run, watch: Completeness) -> None:
        self._config = config
        self._run = run
        self._watch = watch
        self._expected: int | None = None
        self._running: set[str] = set()
        self._done: dict[tuple[str, str], str] = {}
        self._claims: dict[str, list[bool]] = {}
        self._cost: float | None = 0.0
        self._footer = False
        self._page: Path | None = None

    # During the run

    def pytest_report_header(self) -> str:
        """Return the non-default settings with their sources, and the run's folder."""
        from pytest_cuabench.collection.stash import SETTINGS

        settings = self._config.stash[SETTINGS].described()
        words = ", ".join(f"{name} {value}" for name, value in settings.items())
        return f"cuabench: {words}; run {self._place(self._run.folder)}"

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count the instances."""
        ours = [item for item in session.items if "attempt" in getattr(item, "fixturenames", ())]
        if ours:
            self._expected = len(ours)
        if ours and len(ours) == len(session.items):
            self._mute_pytest()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        """Count the instances when xdist workers collect."""
        self._expected = len(ids)
        self._mute_pytest()

    def _mute_pytest(self) -> None:
        """Turn off pytest's file names and percentages."""
        if self._reporter.verbosity:
            return
        self._reporter.showfspath = False
        self._reporter._show_progress_info = False

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Update the running instances."""
        self._running.add(nodeid)
        self._draw_footer()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Update the running instances."""
        self._running.discard(nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Count instances as pytest does, without its progress letter; a plugin's own outcomes are left to it."""
        if isinstance(report, pytest.CollectReport) or not self._shown_by_us(report):
            return None
        if report.outcome not in ("passed", "failed", "skipped"):
            return None
        if report.skipped:
            return "skipped", "", ""
        if report.failed:
            return ("failed", "", "FAILED") if report.when == "call" else ("error", "", "ERROR")
        return ("passed" if report.when == "call" else ""), "", ""

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print the line of a finished instance."""
        figures = dict(report.user_properties)
        ended = report.when == "call" or report.failed
        if "cua_outcome" not in figures or not ended or report.when == "teardown":
            return
        self._count(report.nodeid, figures)
        self._running.discard(report.nodeid)
        if self._shown_by_us(report):
            self._write_line(figures)

    def _shown_by_us(self, report: pytest.TestReport) -> bool:
        ours = any(name == "cua_outcome" for name, _ in report.user_properties)
        return ours and self._reporter.verbosity == 0

    def _count(self, nodeid: str, figures: dict[str, Any]) -> None:
        """Count an instance once, also if a plugin runs its test again, which then gets the recorded result."""
        played = nodeid, str(figures["cua_instance"])
        if (known := self._done.get(played)) and Outcome.of(known).graded and "cua_claim" not in figures:
            return
        self._done[played] = figures["cua_outcome"]
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
        tell(
            self._reporter,
            f"{sign} {figures['cua_instance']:<{_ID_WIDTH}} {effort}  {words:<20} {self._standing()}",
            **{colour: True},
        )
        self._draw_footer()

    def _standing(self) -> str:
        """Return the run's progress: finished, success rate (in audits: claims that hold), cost, running."""
        done = list(self._done.values())
        graded, good = sum(Outcome.of(label).graded for label in done), done.count("success")
        if self._claims:
            claims = [held for kind in self._claims.values() for held in kind]
            good, graded = sum(claims), len(claims)
        parts = [f"{len(done)}/{self._expected or '?'}"]
        parts += [f"{100 * good / graded:.0f} %"] if graded else []
        parts += ["$?" if self._cost is None else f"${self._cost:.2f}"] if self._cost != 0 else []
        running = self._played_ahead() or len(self._running)
        parts += [f"{running} running"] if running else []
        return " · ".join(parts)

    def _played_ahead(self) -> int:
        """Return how many are played before pytest reaches their tests, without xdist."""
        if self._config.stash[SETTINGS].at_once == 1:
            return 0
        from pytest_cuabench.collection.lanes import AHEAD

        ahead = self._config.stash.get(AHEAD, None)
        return ahead.running if ahead else 0

    def _draw_footer(self) -> None:
        """On a terminal, draw a last line with the running instances."""
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
        """Print the table, the closing lines and problems."""
        self._erase_footer()
        try:
            attempts = list(self._run.last_attempts().values())
        except SettingError as error:
            self._watch.fail(f"cannot print the summary: {error}")
            attempts = []
        page = self._finish()
        if attempts and page is not None:
            self._write_summary(attempts, page)
            self._export()
        for problem in self._watch.problems:
            tell(self._reporter, f"cuabench: {problem}", red=True)

    def _write_summary(self, attempts: list[Attempt], page: Path) -> None:
        self._reporter.section("cuabench", "=")
        table = _claims(self._claims) if self._claims else _table(attempts)
        repeats = () if self._claims else _repeats(attempts)
        effort = () if self._claims else _effort(self._run, attempts)
        for line in (*table, *repeats, *effort, *closing(self._run, attempts)):
            tell(self._reporter, line)
        self._page = page

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None, None, None]:
        """Print the report's path after pytest's own summary."""
        yield
        if self._page is not None:
            tell(self._reporter, f"report: {self._place(self._page)}")

    def _finish(self) -> Path | None:
        """Write the reports; an error here does not affect the recorded run."""
        try:
            return finish_run(self._run)
        except Exception as error:
            self._watch.fail(f"cannot write the report: {type(error).__name__}: {error}")
            return self._run.folder

    def _export(self) -> None:
        """Let the chosen exporters write; one that breaks is a warning, and never changes the verdict."""
        from pytest_cuabench.collection.stash import SETTINGS
        from pytest_cuabench.reporting.exporters import export

        for name in self._config.stash[SETTINGS].export or ():
            try:
                written = export(self._run, name)
            except CuabenchError as error:
                tell(self._reporter, f"cuabench: warning: {visible(str(error))}", yellow=True)
            else:
                tell(self._reporter, f"{name}: {self._place(written)}")

    def _place(self, path: Any) -> str:
        root = self._config.rootpath
        return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)

    @property
    def _reporter(self) -> Any:
        return reporter_of(self._config)


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
    levels = [name for name in ("easy", "medium", "hard") if any(a.item.difficulty == name for a in attempts)]
    yield f"{'application':<28}" + "".join(f"{name:<26}" for name in (*levels, "all"))
    for application in sorted({attempt.item.application for attempt in attempts}):
        mine = [attempt for attempt in attempts if attempt.item.application == application]
        yield _row(application, mine, levels)
    if len({attempt.item.application for attempt in attempts}) > 1:
        yield _row("all", attempts, levels)


def _row(name: str, attempts: list[Attempt], levels: list[str]) -> str:
    groups = [[a for a in attempts if a.item.difficulty == level] for level in levels]
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
    """Yield the figures of repeated plays, with intervals clustered by task."""
    from pytest_cuabench.reporting.figures import repeat_rows, repeats

    found = repeats(attempts)
    for name, figures in found.items():
        rows = [f"{measure} {figure}" for measure, figure, _ in repeat_rows(figures)]
        counted = next(of for _, _, of in repeat_rows(figures))
        yield f"{name}: {', '.join(rows)}; {counted}"
    if found:
        yield "repeated plays: 95 % intervals, clustered by task"


def _effort(run: Run, attempts: list[Attempt]) -> Iterator[str]:
    """Yield mean reward and effort, total usage, failure kinds and human performance."""
    from pytest_cuabench.agents.models.budget import charged as charged_dollars
    from pytest_cuabench.reporting.figures import failures, measured, measures, spent
    from pytest_cuabench.reporting.people import HEADINGS, performances
    from pytest_cuabench.reporting.words import usage_words

    reward, timeouts, steps, tokens = measured(measures(attempts))
    yield f"mean reward {reward}, timeouts {timeouts}, {steps} steps and {tokens} tokens per instance"
    usage = spent(run.attempts())
    if usage != Usage():
        yield f"usage of all attempts: {usage_words(usage)}"
    charged = charged_dollars(run.folder)
    if charged is not None and charged - (usage.cost or 0.0) >= _CENTS:
        yield (
            f"charged to --cua-max-cost: {dollars(charged)}; calls without a reply or without a cost count with their "
            "worst case"
        )
    if kinds := failures(run, attempts):
        named = ", ".join(f"{count} {kind.label.replace('_', ' ')}" for kind, count in kinds.items())
        yield f"failures: {named}"
    if repaired := sum((Counter(attempt.counts.repairs) for attempt in attempts), Counter()):
        yield f"repaired in replies: {', '.join(f'{kind} {count}' for kind, count in repaired.items())}"
    if people := performances(run, attempts):
        yield "people:     " + "".join(f"{name:<13}" for name in HEADINGS)
        for group, found in people.items():
            yield " " * 12 + "".join(f"{cell:<13}" for cell in (group, *found.cells()))
