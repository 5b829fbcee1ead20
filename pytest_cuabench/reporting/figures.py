"""What the reports read of a run: its numbers, and the recorded steps and changes of an attempt."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from statistics import fmean
from typing import Any, NamedTuple

from pytest_cuabench.evidence import Change, difference, state_from_json
from pytest_cuabench.failures import Failure, Thresholds, failure_of
from pytest_cuabench.ledger import Attempt, Run
from pytest_cuabench.lines import read_lines
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.stats import wilson
from pytest_cuabench.usage import Usage

ALL = "all"
_KNOWN = ("easy", "medium", "hard")


class Rate(NamedTuple):
    """Successes among graded attempts, with the Wilson 95 % interval."""

    successes: int
    graded: int
    low: float
    high: float

    @property
    def share(self) -> float | None:
        """The rate itself, None where nothing is graded."""
        return self.successes / self.graded if self.graded else None


def rate(attempts: Iterable[Attempt]) -> Rate:
    """Return the success rate; ungraded attempts are left out."""
    graded = [attempt for attempt in attempts if attempt.result.graded]
    successes = sum(attempt.result is Outcome.SUCCESS for attempt in graded)
    return Rate(successes, len(graded), *wilson(successes, len(graded)))


def difficulties(attempts: Iterable[Attempt]) -> list[str]:
    """Return the difficulties that occur, the easiest first."""
    found = {attempt.difficulty for attempt in attempts}
    return [name for name in _KNOWN if name in found] + sorted(found.difference(_KNOWN))


def matrix(attempts: Sequence[Attempt]) -> dict[str, dict[str, Rate]]:
    """Return the rate of every application at every difficulty and overall; the last row is all of them."""
    columns = [*difficulties(attempts), ALL]
    rows = sorted({attempt.application for attempt in attempts})
    return {
        row: {
            column: rate(
                attempt
                for attempt in attempts
                if row in (ALL, attempt.application) and column in (ALL, attempt.difficulty)
            )
            for column in columns
        }
        for row in [*rows, ALL]
    }


class Measures(NamedTuple):
    """What the MedCUA-Bench paper tells of a group of attempts: strict success, and what it took.

    Attributes:
        reward: The mean reward, -1 to 1.
        timeouts: The share that ended because the budget ran out.
        steps: The mean number of decisions.
        tokens: The mean number of tokens, in and out.
    """

    rate: Rate
    reward: float | None
    timeouts: float | None
    steps: float | None
    tokens: float | None


GROUPINGS = ("domain", "difficulty", "variant", "tier")


def measures(attempts: Iterable[Attempt]) -> Measures:
    """Return the measures of graded attempts; there are none where nothing is graded."""
    graded = [attempt for attempt in attempts if attempt.result.graded]
    return Measures(
        rate(graded),
        _mean(attempt.verdict.reward for attempt in graded if attempt.verdict),
        _mean(attempt.ending == "budget" for attempt in graded),
        _mean(attempt.steps for attempt in graded),
        _mean(attempt.usage.tokens_in + attempt.usage.tokens_out for attempt in graded),
    )


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return fmean(known) if known else None


def breakdown(attempts: Sequence[Attempt]) -> dict[str, dict[str, Measures]]:
    """Return the measures by domain, difficulty, variant and tier; the last group is all attempts."""
    return {
        **{grouping: _grouped(attempts, grouping) for grouping in GROUPINGS},
        ALL: {ALL: measures(attempts)},
    }


def _grouped(attempts: Sequence[Attempt], grouping: str) -> dict[str, Measures]:
    found = {getattr(attempt, grouping) for attempt in attempts}
    names = difficulties(attempts) if grouping == "difficulty" else sorted(found)
    return {
        name: measures(attempt for attempt in attempts if getattr(attempt, grouping) == name)
        for name in names
    }


def failures(run: Run, attempts: Iterable[Attempt]) -> dict[Failure, int]:
    """Return how often each kind of failure occurs, in the order of the kinds."""
    thresholds = Thresholds.of(run)
    counts = Counter(failure_of(run, attempt, thresholds) for attempt in attempts)
    return {kind: counts[kind] for kind in Failure if counts[kind]}


def outcomes(attempts: Iterable[Attempt]) -> dict[Outcome, int]:
    """Return how often each outcome occurs, in the order of the outcome table."""
    counts = Counter(attempt.result for attempt in attempts)
    return {outcome: counts[outcome] for outcome in Outcome if counts[outcome]}


def cost(attempts: Iterable[Attempt]) -> tuple[float, bool]:
    """Return the known cost in US dollars, and whether it is all there is."""
    costs = [attempt.usage.cost for attempt in attempts]
    return sum(value for value in costs if value is not None), None not in costs


def spent(attempts: Iterable[Attempt]) -> Usage:
    """Return all tokens and money; the money is None where any part of it is unknown."""
    return sum((attempt.usage for attempt in attempts), Usage())


def percent(rate: Rate) -> str:
    """Return `73.3 % (66.4–79.2)`, or a dash where nothing is graded."""
    if rate.share is None:
        return "–"
    return f"{rate.share:.1%} ({rate.low * 100:.1f}–{rate.high * 100:.1f})".replace("%", " %")


def measured(found: Measures) -> tuple[str, str, str, str]:
    """Return reward, timeouts, steps and tokens as texts, dashes where nothing is graded."""
    shapes = (("{:+.2f}", found.reward), ("{:.0%}", found.timeouts), ("{:.1f}", found.steps))
    first, second, third = ("–" if value is None else shape.format(value) for shape, value in shapes)
    tokens = "–" if found.tokens is None else f"{found.tokens:,.0f}"
    return first.replace("-", "−"), second.replace("%", " %"), third, tokens


def steps(run: Run, attempt: Attempt) -> Iterator[dict[str, Any]]:
    """Yield the recorded steps of an attempt; a line cut short by a crash is passed over."""
    file = run.folder / (attempt.trajectory or "") / "steps.jsonl"
    if file.is_file():
        yield from read_lines(file)


def changes(run: Run, attempt: Attempt) -> Iterator[Change]:
    """Yield what an attempt changed in the world, as far as it was recorded."""
    folder = run.folder / (attempt.trajectory or "")
    files = folder / "before.json", folder / "after.json"
    if all(file.is_file() for file in files):
        with suppress(ValueError):  # one that a crash cut short says nothing
            before, after = (state_from_json(json.loads(file.read_text(encoding="utf-8"))) for file in files)
            yield from difference(before, after)


def plain(value: object) -> str:
    """Return a value of a world as text; nothing at all is an empty text."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
