"""Figures of a run for the reports, and the recorded steps and changes of an attempt."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import isinf
from statistics import fmean
from typing import Any, NamedTuple

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.jsonl import read_lines
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.stats import Estimate, clustered_share, repeated, wilson
from pytest_cuabench.reporting.failures import Failure, Thresholds, failure_of
from pytest_cuabench.reporting.marks import marks
from pytest_cuabench.reporting.words import action_words
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.evidence import Change, difference, state_from_json
from pytest_cuabench.task.machine import LAYERS
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.redact import secrets_in, without
from pytest_cuabench.task.text import many, short
from pytest_cuabench.task.usage import Usage

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
        """The rate, None where nothing is graded."""
        return self.successes / self.graded if self.graded else None


def rate(attempts: Iterable[Attempt]) -> Rate:
    """Return the success rate; ungraded attempts are left out."""
    graded = [attempt for attempt in attempts if attempt.result.graded]
    successes = sum(attempt.result is Outcome.SUCCESS for attempt in graded)
    return Rate(successes, len(graded), *wilson(successes, len(graded)))


def difficulties(attempts: Iterable[Attempt]) -> list[str]:
    """Return the difficulties that occur, easiest first."""
    found = {attempt.item.difficulty for attempt in attempts}
    return [name for name in _KNOWN if name in found] + sorted(found.difference(_KNOWN))


def matrix(attempts: Sequence[Attempt]) -> dict[str, dict[str, Rate]]:
    """Return the rate of each application by difficulty and overall; the last row is the total."""
    columns = [*difficulties(attempts), ALL]
    rows = sorted({attempt.item.application for attempt in attempts})
    return {
        row: {
            column: rate(
                attempt
                for attempt in attempts
                if row in (ALL, attempt.item.application) and column in (ALL, attempt.item.difficulty)
            )
            for column in columns
        }
        for row in [*rows, ALL]
    }


class Measures(NamedTuple):
    """Measures of a group of attempts as in the MedCUA-Bench paper.

    Attributes:
        reward: The mean reward, -1 to 1.
        timeouts: The share that ran out of budget.
        steps: The mean number of steps.
        tokens: The mean number of tokens, in and out.
    """

    rate: Rate
    reward: float | None
    timeouts: float | None
    steps: float | None
    tokens: float | None


GROUPINGS = ("domain", "difficulty", "variant", "tier")


def measures(attempts: Iterable[Attempt]) -> Measures:
    """Return the means over graded attempts; all None where nothing is graded."""
    graded = [attempt for attempt in attempts if attempt.result.graded]
    return Measures(
        rate(graded),
        _mean(attempt.verdict.reward for attempt in graded if attempt.verdict),
        _mean(attempt.end.ending == "budget" for attempt in graded),
        _mean(attempt.counts.steps for attempt in graded),
        _mean(attempt.cost.usage.tokens_in + attempt.cost.usage.tokens_out for attempt in graded),
    )


def resets(attempts: Iterable[Attempt]) -> dict[str, dict[str, list[float]]]:
    """Return the seconds of resets by machine and layer, cheapest layer first; empty where none are recorded."""
    told = [
        (attempt.conditions.reset, attempt.cost.seconds.reset)
        for attempt in attempts
        if attempt.conditions.reset
    ]
    return {
        machine: {
            layer: found
            for layer in LAYERS
            if (found := [took for reset, took in told if (reset.machine, reset.layer) == (machine, layer)])
        }
        for machine in sorted({reset.machine for reset, _ in told})
    }


class Repeats(NamedTuple):
    """Figures of instances that were played several times.

    Attributes:
        success: The mean success of all graded episodes.
        any_of: pass@k by k: at least one of k plays succeeds.
        all_of: pass^k by k: all k plays succeed.
    """

    success: Estimate
    any_of: dict[int, Estimate]
    all_of: dict[int, Estimate]


def repeats(attempts: Sequence[Attempt]) -> dict[str, Repeats]:
    """Return the figures of repeated plays by variant, the total last; empty where nothing was repeated.

    The repeats of an instance are its epochs; seeds and variants are instances of their own. All intervals are 95 %,
    clustered by task.
    """
    epochs = len({attempt.item.epoch for attempt in attempts})
    if epochs < 2:
        return {}
    variants = sorted({attempt.item.variant for attempt in attempts})
    groups = {name: [a for a in attempts if a.item.variant == name] for name in variants}
    if len(groups) > 1:
        groups[ALL] = list(attempts)
    return {name: _repeats(group, _some_of(epochs)) for name, group in groups.items()}


def _repeats(attempts: Sequence[Attempt], ks: Sequence[int]) -> Repeats:
    tasks: dict[tuple[str, ...], dict[tuple[str, int], list[bool]]] = {}
    for attempt in attempts:
        instances = tasks.setdefault((attempt.item.suite, attempt.item.application, attempt.item.task), {})
        tries = instances.setdefault((attempt.item.variant, attempt.item.seed), [])
        if attempt.result.graded:
            tries.append(attempt.result is Outcome.SUCCESS)
    counts = {
        task: [(len(tries), sum(tries)) for tries in instances.values()] for task, instances in tasks.items()
    }
    values = {
        task: [float(good) for tries in instances.values() for good in tries]
        for task, instances in tasks.items()
    }
    ungraded = sum(not attempt.result.graded for attempt in attempts)
    return Repeats(
        replace(clustered_share(values), left_out=ungraded),
        {k: repeated(counts, k, all_of=False) for k in ks},
        {k: repeated(counts, k, all_of=True) for k in ks},
    )


def _some_of(epochs: int) -> list[int]:
    """Return the k to show: all up to 5, then powers of two, and the number of epochs."""
    return sorted({k for k in range(2, epochs + 1) if k <= 5 or k.bit_count() == 1} | {epochs})


def repeat_rows(found: Repeats) -> Iterator[tuple[str, str, str]]:
    """Yield rows of measure, figure with interval, and number of values."""
    rows = {"success": found.success}
    rows |= {f"pass@{k}": figure for k, figure in found.any_of.items()}
    rows |= {f"pass^{k}": figure for k, figure in found.all_of.items()}
    for name, figure in rows.items():
        kind = "episode" if name == "success" else "instance"
        left_out = f"; {figure.left_out} left out" if figure.left_out else ""
        yield name, share(figure), f"{many(figure.n, kind)} of {many(figure.tasks, 'task')}{left_out}"


def share(figure: Estimate) -> str:
    """Format an estimate as `73.3 % (66.4–79.2)`, without an interval of one task, or as a dash without values."""
    if figure.value is None:
        return "–"
    if isinf(figure.high):
        return f"{figure.value * 100:.1f} %"
    return f"{figure.value * 100:.1f} % ({figure.low * 100:.1f}–{figure.high * 100:.1f})"


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return fmean(known) if known else None


def breakdown(attempts: Sequence[Attempt]) -> dict[str, dict[str, Measures]]:
    """Return the measures by domain, difficulty, variant and tier; the last group is the total."""
    return {
        **{grouping: _grouped(attempts, grouping) for grouping in GROUPINGS},
        ALL: {ALL: measures(attempts)},
    }


def _grouped(attempts: Sequence[Attempt], grouping: str) -> dict[str, Measures]:
    found = {getattr(attempt.item, grouping) for attempt in attempts}
    names = difficulties(attempts) if grouping == "difficulty" else sorted(found)
    return {
        name: measures(attempt for attempt in attempts if getattr(attempt.item, grouping) == name)
        for name in names
    }


def failures(run: Run, attempts: Iterable[Attempt]) -> dict[Failure, int]:
    """Count the kinds of failure, in the order of `Failure`."""
    thresholds = Thresholds.of(run)
    counts = Counter(failure_of(run, attempt, thresholds) for attempt in attempts)
    return {kind: counts[kind] for kind in Failure if counts[kind]}


def outcomes(attempts: Iterable[Attempt]) -> dict[Outcome, int]:
    """Count the outcomes, in the order of `Outcome`."""
    counts = Counter(attempt.result for attempt in attempts)
    return {outcome: counts[outcome] for outcome in Outcome if counts[outcome]}


def cost(attempts: Iterable[Attempt]) -> tuple[float, bool]:
    """Return the known cost in US dollars, and whether the cost of every attempt is known."""
    costs = [attempt.cost.usage.cost for attempt in attempts]
    return sum(value for value in costs if value is not None), None not in costs


def spent(attempts: Iterable[Attempt]) -> Usage:
    """Return the total usage; its cost is None where any attempt's cost is unknown."""
    return sum((attempt.cost.usage for attempt in attempts), Usage())


def percent(rate: Rate) -> str:
    """Format a rate as `73.3 % (66.4–79.2)`, or as a dash where nothing is graded."""
    if rate.share is None:
        return "–"
    return f"{rate.share:.1%} ({rate.low * 100:.1f}–{rate.high * 100:.1f})".replace("%", " %")


def measured(found: Measures) -> tuple[str, str, str, str]:
    """Format reward, timeouts, steps and tokens; dashes where nothing is graded."""
    shapes = (("{:+.2f}", found.reward), ("{:.0%}", found.timeouts), ("{:.1f}", found.steps))
    first, second, third = ("–" if value is None else shape.format(value) for shape, value in shapes)
    tokens = "–" if found.tokens is None else f"{found.tokens:,.0f}"
    return first.replace("-", "−"), second.replace("%", " %"), third, tokens


def steps(run: Run, attempt: Attempt, phase: str = "") -> Iterator[dict[str, Any]]:
    """Yield the recorded steps of an attempt, or of one of its earlier phases, with secrets masked.

    A line that a crash cut short is skipped.

    Raises:
        SettingError: A record is not a valid step.
    """
    file = run.folder / (attempt.files.trajectory or "") / phase / "steps.jsonl"
    hidden = secrets(run, attempt)
    for number, step in enumerate(read_lines(file) if file.is_file() else (), 1):
        if problem := _flaw(step):
            raise SettingError(f"{file}, step {number}: {problem}; restore the file or remove it")
        yield without(step, hidden)


def secrets(run: Run, attempt: Attempt) -> tuple[str, ...]:
    """Return the passwords and other secrets of the recorded case.

    Raises:
        SettingError: The case cannot be read, so that nobody knows what to mask.
    """
    file = run.folder / (attempt.files.trajectory or "") / "case.json"
    try:
        case = parse_json(file.read_bytes()) if attempt.files.trajectory and file.is_file() else {}
        return tuple(secrets_in(case.get("values", {})))
    except (ValueError, AttributeError):
        raise SettingError(f"{file} is damaged; restore the file, or remove {file.parent}") from None


_STEP: dict[str, Any] = {
    **dict.fromkeys(("step",), int),
    **dict.fromkeys(("time", "seconds"), int | float),
    **dict.fromkeys(("actions", "results", "notices"), list),
    "thought": str,
    "screenshot": str | None,
}
_PICTURE = re.compile(r"[\w.-]+\.png")


def _flaw(step: dict[str, Any]) -> str:
    """Return why a record is not a valid step; empty if it is valid."""
    for name, kind in _STEP.items():
        if not isinstance(step.get(name), kind):
            return f"{name} is missing or has the wrong type"
    if step["screenshot"] and not _PICTURE.fullmatch(step["screenshot"]):
        return f"{short(repr(step['screenshot']))} is not a valid screenshot name"
    if not all(isinstance(result, dict) and {"error", "text"} <= set(result) for result in step["results"]):
        return "malformed results"
    try:
        for action in step["actions"]:
            action_words(action)
        marks(step["actions"])
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        return f"malformed action ({type(error).__name__}: {short(error)})"
    return ""


def changes(run: Run, attempt: Attempt) -> Iterator[Change]:
    """Yield the recorded changes of the world's state in an attempt."""
    folder = run.folder / (attempt.files.trajectory or "")
    files = folder / "before.json", folder / "after.json"
    if all(file.is_file() for file in files):
        with suppress(ValueError, KeyError, TypeError, AttributeError):  # a damaged record yields no changes
            before, after = (state_from_json(parse_json(file.read_bytes())) for file in files)
            hidden = secrets(run, attempt)
            for change in difference(before, after):
                before, after = without((change.before, change.after), hidden)
                yield replace(change, before=before, after=after)


def plain(value: object) -> str:
    """Format a value of the world's state as text; None becomes an empty text."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
