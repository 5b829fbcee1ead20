"""`summary.md`: one page of Markdown per run, for pull requests and job summaries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.closing import code_used
from pytest_cuabench.reporting.failures import Failure, Thresholds
from pytest_cuabench.reporting.figures import (
    Repeats,
    breakdown,
    failures,
    matrix,
    measured,
    outcomes,
    percent,
    rate,
    repeat_rows,
    repeats,
    spent,
)
from pytest_cuabench.reporting.people import HEADINGS, performances
from pytest_cuabench.reporting.words import reason
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import dollars, short

FILE = "summary.md"
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+.!|<>&~@:^$=-])")


def write_summary(run: Run) -> Path:
    """Write the summary into the run's folder and return its path."""
    file = run.folder / FILE
    file.write_text("\n".join(_lines(run)) + "\n", encoding="utf-8")
    return file


def escape(text: object, limit: int = 200) -> str:
    """Escape a text for a Markdown table cell, on one line."""
    return _SPECIAL.sub(r"\\\1", short(text, limit))


def _lines(run: Run) -> Iterator[str]:
    attempts = list(run.last_attempts().values())
    agents = ", ".join(sorted({attempt.agent for attempt in attempts if attempt.agent}))
    yield f"# {escape(run.name)}"
    yield ""
    tiers = ", ".join(sorted({attempt.item.tier for attempt in attempts}))
    isolations = ", ".join(
        sorted({attempt.conditions.isolation for attempt in attempts if attempt.conditions.isolation})
    )
    spaces = ", ".join(
        sorted({attempt.conditions.action_space for attempt in attempts if attempt.conditions.action_space})
    )
    told = (("Tier", tiers), ("Agent", agents), ("Actions", spaces), ("Isolation", isolations))
    yield _headline(attempts) + "".join(f" {name}: {escape(words)}." for name, words in told if words)
    yield from (f"\n{sentence[0].upper()}{sentence[1:]}." for sentence in code_used(attempts))
    if not attempts:
        return
    yield from ["", "## Success by application and difficulty", "", *_matrix(attempts)]
    if found := repeats(attempts):
        yield from ["", "## Repeated plays", "", *_repeats(found)]
    yield from ["", "## By domain, difficulty, variant and tier", "", *_breakdown(attempts)]
    yield from ["", "## Tokens and money", "", *_spent(list(run.attempts()))]
    yield from ["", "## Outcomes", "", *_outcomes(attempts)]
    if kinds := failures(run, attempts):
        yield from ["", "## How attempts failed", "", *_failures(run, kinds)]
    if people := performances(run, attempts):
        yield from ["", "## How people performed", "", _row(HEADINGS), _row(["---"] * len(HEADINGS))]
        yield from (_row([escape(group), *found.cells()]) for group, found in people.items())
    failing = [attempt for attempt in attempts if attempt.result is not Outcome.SUCCESS]
    if failing:
        yield from ["", "## Instances without success", ""]
        yield from map(_failing, sorted(failing, key=lambda attempt: attempt.item.instance))


def _headline(attempts: Sequence[Attempt]) -> str:
    overall = rate(attempts)
    ungraded = len(attempts) - overall.graded
    words = f"**{overall.successes} of {overall.graded}** graded instances succeeded"
    if overall.graded:
        words += f": {percent(overall)}, 95 % Wilson interval in brackets"
    return f"{words}." + (f" {ungraded} could not be graded." if ungraded else "")


def _matrix(attempts: Sequence[Attempt]) -> Iterator[str]:
    table = matrix(attempts)
    columns = list(next(iter(table.values())))
    yield _row(["application", *map(escape, columns)])
    yield _row(["---", *("---:" for _ in columns)])
    for name, cells in table.items():
        figures = [
            f"{percent(cell)} · {cell.successes}/{cell.graded}" if cell.graded else "–"
            for cell in cells.values()
        ]
        yield _row([escape(name), *figures])


def _outcomes(attempts: Sequence[Attempt]) -> Iterator[str]:
    yield _row(["outcome", "instances", "meaning"])
    yield _row(["---", "---:", "---"])
    for outcome, count in outcomes(attempts).items():
        yield _row([escape(outcome.label), str(count), outcome.words])


def _repeats(found: Mapping[str, Repeats]) -> Iterator[str]:
    yield _row(["variant", "measure", "95 %, clustered by task", "of"])
    yield _row(["---", "---", "---:", "---"])
    for name, figures in found.items():
        for measure, figure, counted in repeat_rows(figures):
            yield _row([escape(name), escape(measure), figure, counted])


def _breakdown(attempts: Sequence[Attempt]) -> Iterator[str]:
    """Yield one table of all groupings, the total last."""
    yield _row(["", "group", "strict success", "reward", "timeouts", "steps", "tokens"])
    yield _row(["---", "---", *("---:" for _ in range(5))])
    for grouping, groups in breakdown(attempts).items():
        for name, found in groups.items():
            yield _row([escape(grouping), escape(name), percent(found.rate), *map(escape, measured(found))])


def _spent(attempts: Sequence[Attempt]) -> Iterator[str]:
    """Yield tokens and cost of all attempts, including ungraded ones."""
    usage = spent(attempts)
    figures = (len(attempts), usage.tokens_in, usage.tokens_cached, usage.tokens_out)
    yield _row(["attempts", "tokens in", "cached", "tokens out", "cost"])
    yield _row(["---:"] * 5)
    yield _row([*(f"{figure:,}" for figure in figures), escape(dollars(usage.cost))])


def _failures(run: Run, kinds: Mapping[Failure, int]) -> Iterator[str]:
    yield _row(["kind", "instances", "meaning"])
    yield _row(["---", "---:", "---"])
    for kind, count in kinds.items():
        yield _row([escape(kind.label), str(count), kind.words])
    limits = Thresholds.of(run)
    yield ""
    yield (
        f"Early abort: at most {limits.early_abort} steps. "
        f"Heavy loop: at least {limits.heavy_loop} rounds of the same steps."
    )


def _failing(attempt: Attempt) -> str:
    return f"- **{escape(attempt.item.instance)}** {escape(attempt.outcome)}: {escape(reason(attempt))}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
