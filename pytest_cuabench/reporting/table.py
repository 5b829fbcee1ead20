"""Result tables as in papers, from one or several ledgers: success by two groupings, and means of measures by agent.

A cell is the mean success of its graded episodes with a 95 % interval clustered by task, because seeds, epochs and
runs of one task are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Any, NamedTuple

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.stats import Estimate, clustered_mean, clustered_share
from pytest_cuabench.reporting.figures import difficulties, share
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import dollars

OVERALL = "overall"
_UNKNOWN = "unknown"
_NOT_PLAYED = nan  # of an episode without the phase that a measure is of
Measure = Callable[[Attempt], float | None]


class Played(NamedTuple):
    """An attempt with its run."""

    run: Run
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Table:
    """Success by two groupings.

    Attributes:
        headings: Names of the row groupings, then of the columns; the last one is the total.
        rows: The values of the row groupings, and one estimate per column.
        left_out: Number of instances that were never graded.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[Estimate, ...]], ...]
    left_out: int


def _observation(played: Played) -> str:
    """Return the observation type, from the attempt's fingerprint or, in older runs, from the run."""
    prints = played.attempt.conditions.fingerprint
    if prints and (known := prints.settings.get("cua_observation")):
        return known
    settings = played.run.about().get("settings", {})
    return str(settings.get("observation", _UNKNOWN)).partition(" (")[0]


def _shown(played: Played) -> str:
    """Return whether the agent read a demonstration of the same task, of a similar one or none."""
    kinds = {"exact_demo": "exact demo", "similar_demo": "similar demo"}
    return next((words for label, words in kinds.items() if label in played.attempt.item.labels), "no demo")


def _of_attempt(name: str) -> Callable[[Played], str]:
    return lambda played: str(played.attempt.values()[name]) or _UNKNOWN


GROUPINGS: Mapping[str, Callable[[Played], str]] = {
    "observation": _observation,
    "run": lambda played: played.run.name,
    "demonstration": _shown,
    **{
        name: _of_attempt(name)
        for name in (
            "agent",
            "suite",
            "application",
            "domain",
            "difficulty",
            "variant",
            "tier",
            "template",
            "isolation",
        )
    },
}


def played_in(runs: Iterable[Run]) -> list[Played]:
    """Return the last attempt of each instance of each run."""
    return [Played(run, attempt) for run in runs for attempt in run.last_attempts().values()]


def success(played: Sequence[Played], rows: Sequence[str], columns: str) -> Table:
    """Return success by row groupings and one column grouping.

    Raises:
        SettingError: A grouping is unknown or given twice.
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


def spent(played: Sequence[Played], rows: Sequence[str]) -> Table:
    """Return cost, seconds and steps per task by groupings. Seconds are of the whole episode, and of the agent."""
    return measured(played, rows, ("cost per task", "seconds per task", "agent seconds per task", "steps"))


def measured(played: Sequence[Played], rows: Sequence[str], measures: Sequence[str]) -> Table:
    """Return the means of measures over graded episodes, by groupings.

    A mean is unknown if the value of any episode is unknown, such as its cost.

    Raises:
        SettingError: A grouping or a measure is unknown.
    """
    _known(rows, "suite" if "suite" not in rows else "run")
    found = {name: _measure(name, played) for name in measures}
    made = tuple(
        (key, tuple(_mean(group, found[name]) for name in measures))
        for key, group in sorted(_grouped(played, rows).items())
    )
    return Table((*rows, *measures), made, sum(not each.attempt.result.graded for each in played))


def _measure(name: str, played: Sequence[Played]) -> Measure:
    """Return a measure; `PHASE METRIC`, such as `search tui`, is a metric of an earlier phase."""
    if name in MEASURES:
        return MEASURES[name]
    phases = [phase for each in played for phase in each.attempt.phases]
    known = {f"{phase.name} {metric}" for phase in phases for metric in phase.metrics}
    if name not in known and (known or " " not in name):
        raise SettingError(unknown_name("measure", name, [*MEASURES, *sorted(known)]))
    phase, _, metric = name.partition(" ")
    return lambda attempt: _of_phase(attempt, phase, metric)


def _of_phase(attempt: Attempt, phase: str, metric: str) -> float | None:
    values = [each.metrics.get(metric) for each in attempt.phases if each.name == phase]
    return float(values[0]) if values and isinstance(values[0], int | float) else _NOT_PLAYED


MEASURES: Mapping[str, Measure] = {
    "milestone score": lambda attempt: attempt.verdict.score if attempt.verdict else None,
    "success": lambda attempt: float(attempt.result is Outcome.SUCCESS),
    # of the world and the agent, without resets and back-off
    "minutes": lambda attempt: (
        (attempt.cost.seconds.world + attempt.cost.seconds.model - attempt.cost.seconds.waited) / 60
    ),
    "seconds per task": lambda attempt: attempt.cost.seconds.total,
    "agent seconds per task": lambda attempt: attempt.cost.seconds.model,
    "steps": lambda attempt: float(attempt.counts.steps),
    "actions": lambda attempt: float(attempt.counts.actions),  # single clicks and keys within the steps
    "tokens": lambda attempt: float(attempt.cost.usage.tokens_in + attempt.cost.usage.tokens_out),
    **dict.fromkeys(("cost", "cost per task"), lambda attempt: attempt.cost.usage.cost),
}
_SHARES = frozenset({"milestone score", "success"})


def cells(table: Table) -> Iterator[tuple[str, ...]]:
    """Yield a table's headings, then its rows, as text."""
    yield table.headings
    names = table.headings[len(table.headings) - len(table.rows[0][1]) :] if table.rows else ()
    for key, estimates in table.rows:
        yield (*key, *(_text(name, estimate) for name, estimate in zip(names, estimates, strict=True)))


def _text(name: str, estimate: Estimate) -> str:
    if name in _SHARES or name not in MEASURES:
        return f"{share(estimate)} · {estimate.n}" if estimate.n else "–"
    if estimate.value is None:
        return "–"
    return dollars(estimate.value) if name.startswith("cost") else f"{estimate.value:,.1f}"


def _known(rows: Sequence[str], columns: str) -> None:
    for name in (*rows, columns):
        if name not in GROUPINGS:
            raise SettingError(unknown_name("grouping", name, GROUPINGS))
        if (*rows, columns).count(name) > 1:
            raise SettingError(f"the grouping {name} is named twice; use each in --rows or --columns once")


def _ordered(played: Sequence[Played], grouping: str) -> list[str]:
    """Return the values of a grouping; difficulties easiest first."""
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
            task = (attempt.item.suite, attempt.item.application, attempt.item.task)
            values.setdefault(task, []).append(float(attempt.result is Outcome.SUCCESS))
        else:
            ungraded += 1
    return replace(clustered_share(values), left_out=ungraded)


def _mean(played: Iterable[Played], measure: Measure) -> Estimate:
    values: dict[Any, list[float]] = {}
    for attempt in (each.attempt for each in played if each.attempt.result.graded):
        value = measure(attempt)
        if value is None:
            return clustered_mean({})
        if value is _NOT_PLAYED:  # NaN equals nothing, not even itself
            continue
        values.setdefault((attempt.item.suite, attempt.item.application, attempt.item.task), []).append(value)
    return clustered_mean(values)
