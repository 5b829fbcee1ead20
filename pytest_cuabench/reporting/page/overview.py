"""Overview data of the HTML report: figures of each run and one row per instance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.stats import percentile
from pytest_cuabench.reporting.closing import code_used
from pytest_cuabench.reporting.failures import Failure, Thresholds, failure_of
from pytest_cuabench.reporting.figures import (
    ALL,
    Rate,
    breakdown,
    cost,
    difficulties,
    measured,
    outcomes,
    rate,
    repeat_rows,
    repeats,
    resets,
    spent,
)
from pytest_cuabench.reporting.people import HEADINGS, performances
from pytest_cuabench.reporting.safety import SEVERITIES, safety
from pytest_cuabench.reporting.video import FILE as VIDEO
from pytest_cuabench.reporting.words import reason
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.outcome import Outcome

GATE = "gate.json"
ROWS = ("domain", "application")  # possible rows of the matrix


@dataclass(frozen=True, slots=True)
class Played:
    """A run with its attempts.

    Attributes:
        instances: All attempts of each instance, by its id, in order.
        failures: Failure kind by instance, for instances whose last attempt failed.
    """

    run: Run
    instances: Mapping[str, Sequence[Attempt]]
    failures: Mapping[str, Failure]
    thresholds: Thresholds

    @property
    def last(self) -> list[Attempt]:
        """The last attempt of each instance."""
        return [attempts[-1] for attempts in self.instances.values()]

    @property
    def all(self) -> list[Attempt]:
        """All attempts."""
        return [attempt for attempts in self.instances.values() for attempt in attempts]


def played(run: Run) -> Played:
    """Read the attempts of a run."""
    found: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in run.attempts():
        found[attempt.item.instance].append(attempt)
    thresholds = Thresholds.of(run)
    failed = {name: failure_of(run, attempts[-1], thresholds) for name, attempts in found.items()}
    kinds = {name: kind for name, kind in failed.items() if kind is not None}
    return Played(run, dict(sorted(found.items())), kinds, thresholds)


def overview(runs: Sequence[Played]) -> dict[str, Any]:
    """Return the overview's data."""
    last = [attempt for each in runs for attempt in each.last]
    return {
        "runs": [_run(each) for each in runs],
        "outcomes": Outcome.table(),
        "failures": {kind.label: kind.words for kind in Failure},
        "severities": list(SEVERITIES),
        "difficulties": difficulties(last),
        "people": list(HEADINGS),
        "instances": _instances(runs),
    }


def _run(each: Played) -> dict[str, Any]:
    last = each.last
    counted = Counter(each.failures.values())
    return {
        "name": each.run.name,
        "imported": each.run.imported,
        "agents": sorted({attempt.agent for attempt in last if attempt.agent}),
        "suites": sorted({attempt.item.suite for attempt in last}),
        "tiers": sorted({attempt.item.tier for attempt in last}),
        "isolations": sorted(
            {attempt.conditions.isolation for attempt in last if attempt.conditions.isolation}
        ),
        "spaces": sorted(
            {attempt.conditions.action_space for attempt in last if attempt.conditions.action_space}
        ),
        "code": " ".join(code_used(last)),
        "started": min((attempt.started for attempt in last), default=""),
        "versions": each.run.about().get("versions", {}),
        "rate": _rate(rate(last)),
        "outcomes": {outcome.label: n for outcome, n in outcomes(last).items()},
        "failures": {kind.label: counted[kind] for kind in Failure if counted[kind]},
        "thresholds": each.thresholds.to_json(),
        "breakdown": [
            {"grouping": grouping, "name": name, "rate": _rate(found.rate), "texts": measured(found)}
            for grouping, groups in breakdown(last).items()
            for name, found in groups.items()
        ],
        "matrix": {row: _matrix(last, row) for row in ROWS},
        "safety": [
            {"dimension": name, "counts": harm.counts, "harmed": _rate(harm.harmed)}
            for name, harm in safety(last).items()
        ],
        "repeats": {name: list(repeat_rows(found)) for name, found in repeats(last).items()},
        "gate": _gate(each.run),
        "people": [[group, *found.cells()] for group, found in performances(each.run, last).items()],
        "figures": _figures(each.all, last),
    }


def _gate(run: Run) -> dict[str, Any] | None:
    """Return a gate's decision and reasons; None without a gate, or if its file is incomplete."""
    try:
        found = parse_json((run.folder / GATE).read_bytes())
        return {"decision": str(found["decision"]), "reasons": [str(reason) for reason in found["reasons"]]}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _rate(value: Rate) -> dict[str, Any]:
    return {"k": value.successes, "n": value.graded, "low": round(value.low, 4), "high": round(value.high, 4)}


def _matrix(last: Sequence[Attempt], row: str) -> list[dict[str, Any]]:
    """Return the rate of each group by difficulty and overall; the last row is the total."""
    columns = [*difficulties(last), ALL]
    names = sorted({str(getattr(attempt.item, row)) for attempt in last})
    return [
        {
            "name": name,
            "cells": {
                column: _rate(
                    rate(
                        attempt
                        for attempt in last
                        if name in (ALL, getattr(attempt.item, row))
                        and column in (ALL, attempt.item.difficulty)
                    )
                )
                for column in columns
            },
        }
        for name in [*names, ALL]
    ]


def _figures(attempts: Sequence[Attempt], last: Sequence[Attempt]) -> dict[str, Any]:
    graded = [attempt.counts.steps for attempt in last if attempt.result.graded]
    successes = [attempt.counts.steps for attempt in last if attempt.outcome == "success"]
    dollars, complete = cost(attempts)
    return {
        "steps": median(graded) if graded else None,
        "steps_of_successes": median(successes) if successes else None,
        "reset": _spread(attempt.cost.seconds.reset for attempt in attempts if attempt.cost.seconds.reset),
        "resets": {
            f"{machine}, {layer}": [*(_spread(found) or ()), len(found)]
            for machine, layers in resets(attempts).items()
            for layer, found in layers.items()
        },
        "step": _spread(seconds for attempt in attempts for seconds in attempt.cost.step_seconds),
        "model": _spread(
            (attempt.cost.seconds.model - attempt.cost.seconds.waited) / attempt.counts.steps
            for attempt in attempts
            if attempt.counts.steps
        ),
        "seconds": _spread(attempt.cost.seconds.total for attempt in last),
        "cost": round(dollars, 6),
        "cost_complete": complete,
        "tokens_in": sum(attempt.cost.usage.tokens_in for attempt in attempts),
        "tokens_out": sum(attempt.cost.usage.tokens_out for attempt in attempts),
        "tokens_cached": sum(attempt.cost.usage.tokens_cached for attempt in attempts),
        "attempts": len(attempts),
    }


def _spread(values: Iterable[float]) -> list[float] | None:
    known = list(values)
    found = [percentile(known, q) for q in (50, 95)]
    return [round(value, 4) for value in found if value is not None] or None


# Instances


def _instances(runs: Sequence[Played]) -> list[dict[str, Any]]:
    """Return one row per instance played in any run, with its result in each run."""
    names = sorted({name for each in runs for name in each.instances})
    places = [{name: place for place, name in enumerate(each.instances)} for each in runs]
    return [
        {
            **_what(next(each.instances[name][-1] for each in runs if name in each.instances)),
            "played": [
                _result(each, name, place[name]) if name in place else None
                for each, place in zip(runs, places, strict=True)
            ],
        }
        for name in names
    ]


def _what(attempt: Attempt) -> dict[str, Any]:
    names = ("application", "task", "variant", "seed", "epoch", "difficulty", "domain", "tier")
    return {
        "id": attempt.item.instance,
        **{name: getattr(attempt.item, name) for name in names},
        "goal": attempt.goal[:1000],
    }


def _result(each: Played, name: str, place: int) -> dict[str, Any]:
    attempts = each.instances[name]
    last = attempts[-1]
    verdict, usage, failed = last.verdict, spent(attempts), each.failures.get(name)
    return {
        "piece": place,
        "outcome": last.outcome,
        "failure": failed.label if failed else None,
        "reason": reason(last, 240),
        "score": verdict.score if verdict else None,
        "reward": verdict.reward if verdict else None,
        "harm": sorted({v.dimension for v in verdict.violations}) if verdict else [],
        "steps": last.counts.steps,
        "seconds": round(last.cost.seconds.total, 3),
        "cost": usage.cost,
        "tokens": usage.tokens_in + usage.tokens_out,
        "agent": last.agent,
        "isolation": last.conditions.isolation,
        "code": last.counts.code_used,
        "scripts": last.counts.scripts,
        "video": _video(each.run.folder, last),
    }


def _video(folder: Path, attempt: Attempt) -> bool:
    return attempt.files.trajectory is not None and (folder / attempt.files.trajectory / VIDEO).is_file()
