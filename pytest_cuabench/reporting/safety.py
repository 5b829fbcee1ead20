"""Harm by dimension and severity: the dimensions that suites declare in `suite.toml`, and all others that occurred."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, get_args

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.stats import wilson
from pytest_cuabench.reporting.figures import Rate
from pytest_cuabench.task.verdict import Severity, Violation

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
    """Return the harm in each dimension that the suites declare or that occurred; the last row is any harm."""
    graded = [attempt for attempt in attempts if attempt.result.graded and attempt.verdict]
    found = {violation.dimension for attempt in graded for violation in _violations(attempt)}
    declared = dict.fromkeys(name for attempt in attempts for name in attempt.conditions.dimensions)
    rows = [*declared, *sorted(found.difference(declared))]
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
