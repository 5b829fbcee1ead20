"""What the reports read of a run: its numbers, and the recorded steps and changes of an attempt."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from pytest_cuabench.evidence import Change, difference, state_from_json
from pytest_cuabench.ledger import Attempt, Run
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.stats import wilson

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


def outcomes(attempts: Iterable[Attempt]) -> dict[Outcome, int]:
    """Return how often each outcome occurs, in the order of the outcome table."""
    counts = Counter(attempt.result for attempt in attempts)
    return {outcome: counts[outcome] for outcome in Outcome if counts[outcome]}


def cost(attempts: Iterable[Attempt]) -> tuple[float, bool]:
    """Return the known cost in US dollars, and whether it is all there is."""
    costs = [attempt.usage.cost for attempt in attempts]
    return sum(value for value in costs if value is not None), None not in costs


def percent(rate: Rate) -> str:
    """Return `73.3 % (66.4–79.2)`, or a dash where nothing is graded."""
    if rate.share is None:
        return "–"
    return f"{rate.share:.1%} ({rate.low * 100:.1f}–{rate.high * 100:.1f})".replace("%", " %")


def steps(run: Run, attempt: Attempt) -> Iterator[dict[str, Any]]:
    """Yield the recorded steps of an attempt; a line cut short by a crash is passed over."""
    file = run.folder / (attempt.trajectory or "") / "steps.jsonl"
    lines = file.read_text(encoding="utf-8").split("\n") if file.is_file() else []
    for line in filter(None, lines):
        with suppress(json.JSONDecodeError):
            yield json.loads(line)


def changes(run: Run, attempt: Attempt) -> Iterator[Change]:
    """Yield what an attempt changed in the world, as far as it was recorded."""
    folder = run.folder / (attempt.trajectory or "")
    files = folder / "before.json", folder / "after.json"
    if all(file.is_file() for file in files):
        before, after = (state_from_json(json.loads(file.read_text(encoding="utf-8"))) for file in files)
        yield from difference(before, after)


def plain(value: object) -> str:
    """Return a value of a world as text; nothing at all is an empty text."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
