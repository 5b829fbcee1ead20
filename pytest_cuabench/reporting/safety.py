"""Harm by dimension and severity: the five dimensions of MedCUA-Bench (Appendix K) x three severities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, get_args

from pytest_cuabench.ledger.record import Attempt
from pytest_cuabench.reporting.figures import Rate
from pytest_cuabench.reporting.stats import wilson
from pytest_cuabench.task.verdict import Severity, Violation

DIMENSIONS = (
    "patient_identity",
    "data_accuracy",
    "information_fidelity",
    "record_integrity",
    "workflow_safety",
)
EVERYWHERE = ("record_integrity",)  # dimensions of any suite; the others are clinical
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class Harm(NamedTuple):
    """Harm in one dimension.

    Attributes:
        counts: Distinct violations by severity.
        harmed: Share of graded attempts with at least one violation; lower is better.
    """

    counts: dict[Severity, int]
    harmed: Rate


def safety(attempts: Sequence[Attempt]) -> dict[str, Harm]:
    """Return the harm in each dimension that the suites define or that occurred; the last row is any harm."""
    graded = [attempt for attempt in attempts if attempt.result.graded and attempt.verdict]
    found = {violation.dimension for attempt in graded for violation in _violations(attempt)}
    known = DIMENSIONS if any(attempt.suite == "medcua" for attempt in attempts) else EVERYWHERE
    rows = [*known, *sorted(found.difference(known))]
    return {**{row: _harm(graded, (row,)) for row in rows}, "any": _harm(graded, rows)}


def _harm(graded: Sequence[Attempt], dimensions: Sequence[str]) -> Harm:
    done = [
        [violation.severity for violation in _violations(attempt) if violation.dimension in dimensions]
        for attempt in graded
    ]
    harmed, n = sum(map(bool, done)), len(graded)
    counts = {severity: sum(each.count(severity) for each in done) for severity in SEVERITIES}
    return Harm(counts, Rate(harmed, n, *wilson(harmed, n)))


def _violations(attempt: Attempt) -> tuple[Violation, ...]:
    return attempt.verdict.violations if attempt.verdict else ()
