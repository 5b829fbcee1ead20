"""The tables of papers from one or several ledgers: success by two groupings, and what each agent took.

A cell is the mean success of all graded episodes that fall into it, with a 95 % interval clustered by task, so that
several seeds, epochs or runs of one task do not count as so many tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger import Attempt, Run
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.reporting.figures import difficulties, share
from pytest_cuabench.reporting.words import dollars
from pytest_cuabench.stats import Estimate, clustered_mean, clustered_share

OVERALL = "overall"
_UNKNOWN = "unknown"


class Played(NamedTuple):
    """An attempt, and the run that it belongs to."""

    run: Run
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Table:
    """Success by two groupings.

    Attributes:
        headings: Names of the row groupings, then of the columns; the last one is all of them.
        rows: The values of the row groupings, and one estimate for each column.
        left_out: Instances that were never graded.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[Estimate, ...]], ...]
    left_out: int


def _observation(played: Played) -> str:
    """Return what the agent was shown: as the attempt's fingerprint says, or the run where that is older."""
    prints = played.attempt.fingerprint
    if prints and (known := prints.settings.get("cua_observation")):
        return known
    settings = played.run.about().get("settings", {})
    return str(settings.get("observation", _UNKNOWN)).partition(" (")[0]


def _shown(played: Played) -> str:
    """Return whether the very task was among the demonstrations that the agent read."""
    kinds = {"exact_demo": "exact demo", "similar_demo": "similar demo"}
    return next((words for label, words in kinds.items() if label in played.attempt.labels), "no demo")


def _of_attempt(name: str) -> Callable[[Played], str]:
    return lambda played: str(getattr(played.attempt, name)) or _UNKNOWN


GROUPINGS: Mapping[str, Callable[[Played], str]] = {
    "observation": _observation,
    "run": lambda played: played.run.name,
    "demonstration": _shown,
    **{
        name: _of_attempt(name)
        for name in ("agent", "suite", "application", "domain", "difficulty", "variant", "tier", "template")
    },
}


def played_in(runs: Iterable[Run]) -> list[Played]:
    """Return the last attempt of each instance of each run."""
    return [Played(run, attempt) for run in runs for attempt in run.last_attempts().values()]


def success(played: Sequence[Played], rows: Sequence[str], columns: str) -> Table:
    """Return success by some groupings, and by another one across.

    Raises:
        SettingError: There is no grouping of this name, or one is asked for twice.
    """
    _known(rows, columns)
    across = _ordered(played, columns)
    groups = _grouped(played, rows)
    made = tuple(
        (key, tuple(_estimate(_within(group, columns, name)) for name in (*across, None)))
        for key, group in sorted(groups.items())
    )
    left_out = sum(not each.attempt.result.graded for each in played)
    return Table((*rows, *across, OVERALL), made, left_out)


Measures = Mapping[str, Callable[[Attempt], float | None]]


def spent(played: Sequence[Played], rows: Sequence[str]) -> Table:
    """Return dollars, seconds and decisions of a task by some groupings: means over graded episodes.

    Money is unknown where that of any episode is; seconds are those of the whole episode, and those of them in which
    the agent was waited for.
    """
    return measured(played, rows, _MEASURES)


def scored(played: Sequence[Played], rows: Sequence[str]) -> Table:
    """Return what SCUBA's paper tells of agents (its Table 3) by some groupings: means over graded episodes.

    Minutes are those of the world and the agent without resets and back-off; actions are the single clicks and keys
    that the steps consist of.
    """
    return measured(played, rows, _SCUBA)


def measured(played: Sequence[Played], rows: Sequence[str], measures: Measures) -> Table:
    """Return the means of some measures by some groupings.

    Raises:
        SettingError: There is no grouping of this name.
    """
    _known(rows, "suite" if "suite" not in rows else "run")
    made = tuple(
        (key, tuple(_mean(group, measure) for measure in measures.values()))
        for key, group in sorted(_grouped(played, rows).items())
    )
    return Table((*rows, *measures), made, sum(not each.attempt.result.graded for each in played))


_MEASURES: Measures = {
    "cost per task": lambda attempt: attempt.usage.cost,
    "seconds per task": lambda attempt: attempt.seconds.total,
    "of them the agent": lambda attempt: attempt.seconds.model,
    "decisions": lambda attempt: float(attempt.steps),
}

_SCUBA: Measures = {
    "milestone score": lambda attempt: attempt.verdict.score if attempt.verdict else None,
    "success": lambda attempt: float(attempt.result is Outcome.SUCCESS),
    "minutes": lambda attempt: (attempt.seconds.world + attempt.seconds.model - attempt.seconds.waited) / 60,
    "steps": lambda attempt: float(attempt.steps),
    "actions": lambda attempt: float(attempt.actions),
    "tokens": lambda attempt: float(attempt.usage.tokens_in + attempt.usage.tokens_out),
    "cost": lambda attempt: attempt.usage.cost,
}
_SHARES = frozenset({"milestone score", "success"})


def cells(table: Table) -> Iterator[tuple[str, ...]]:
    """Yield a table's headings, then its rows, as texts."""
    yield table.headings
    names = table.headings[len(table.headings) - len(table.rows[0][1]) :] if table.rows else ()
    for key, estimates in table.rows:
        yield (*key, *(_text(name, estimate) for name, estimate in zip(names, estimates, strict=True)))


def _text(name: str, estimate: Estimate) -> str:
    if name in _SHARES or name not in (*_MEASURES, *_SCUBA):
        return f"{share(estimate)} · {estimate.n}" if estimate.n else "–"
    if estimate.value is None:
        return "–"
    return dollars(estimate.value) if name.startswith("cost") else f"{estimate.value:,.1f}"


def _known(rows: Sequence[str], columns: str) -> None:
    for name in (*rows, columns):
        if name not in GROUPINGS:
            raise SettingError(f"{name!r} is no grouping; known: {', '.join(sorted(GROUPINGS))}")
        if (*rows, columns).count(name) > 1:
            raise SettingError(f"the grouping {name} is asked for twice; rows and columns must be different")


def _ordered(played: Sequence[Played], grouping: str) -> list[str]:
    """Return the values of a grouping; difficulties from the easiest on."""
    if grouping == "difficulty":
        return difficulties(each.attempt for each in played)
    return sorted({GROUPINGS[grouping](each) for each in played})


def _grouped(played: Sequence[Played], names: Sequence[str]) -> dict[tuple[str, ...], list[Played]]:
    groups: dict[tuple[str, ...], list[Played]] = {}
    for each in played:
        groups.setdefault(tuple(GROUPINGS[name](each) for name in names), []).append(each)
    return groups


def _within(played: Iterable[Played], grouping: str, value: str | None) -> list[Attempt]:
    return [each.attempt for each in played if value is None or GROUPINGS[grouping](each) == value]


def _estimate(attempts: Iterable[Attempt]) -> Estimate:
    values: dict[Any, list[float]] = {}
    ungraded = 0
    for attempt in attempts:
        if attempt.result.graded:
            task = (attempt.suite, attempt.application, attempt.task)
            values.setdefault(task, []).append(float(attempt.result is Outcome.SUCCESS))
        else:
            ungraded += 1
    return replace(clustered_share(values), left_out=ungraded)


def _mean(played: Iterable[Played], measure: Callable[[Attempt], float | None]) -> Estimate:
    values: dict[Any, list[float]] = {}
    for attempt in (each.attempt for each in played if each.attempt.result.graded):
        value = measure(attempt)
        if value is None:
            return clustered_mean({})
        values.setdefault((attempt.suite, attempt.application, attempt.task), []).append(value)
    return clustered_mean(values)
