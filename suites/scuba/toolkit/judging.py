"""Checks made out of rules: a rule looks for the facts that a task wants and claims what belongs to them.

Facts that were true before count for nothing: their weight goes to the others.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.kinds import Kind, Place, recorded
from pytest_cuabench.task.verdict import Milestone, Violation

from .kinds import CHOSEN, of_field, place
from .records import Row, called
from .work import Work

Findings = Iterator[Milestone | Violation]
Rule = Callable[[Work, Case], Iterable[Milestone]]
API_NAME = "the page proposes an API name, and the task names none"
ASKED = 0.1  # weight of what a task asks and its authors do not score


def judged(rule: Rule) -> Callable[[Evidence, Case], Findings]:
    """Make a check out of a rule."""

    @functools.wraps(rule)
    def check(evidence: Evidence, case: Case) -> Findings:
        with recorded():  # what was there before is compared by no kind
            idle = {item.name for item in rule(Work(evidence.before, evidence.before), case) if item.reached}
        work = Work.of(evidence)
        found = list(rule(work, case))
        counted = [item for item in found if item.name not in idle] or found
        total = sum(item.weight for item in counted)
        yield from (replace(item, weight=item.weight / total) for item in counted)
        for item in found:
            if item not in counted and not item.reached:
                detail = f"{item.expected} was true before, now: {item.seen}"
                yield Violation("record_integrity", "major", f"undone/{item.name}", detail)
        yield from work.unasked()

    return check


def exists(name: str, weight: float, row: Row | None, expected: str) -> Milestone:
    """A record is there."""
    return Milestone(name, row is not None, weight, expected, called(row) or "there" if row else "none")


def holds(
    name: str,
    weight: float,
    row: Row | None,
    field: str,
    wanted: Any,
    kind: Kind | None = None,
) -> Milestone:
    """A record has a value in a field; without a kind, it is that of the field."""
    value = row.get(field) if row else None
    seen = "no such record" if row is None else "nothing" if value in (None, "") else str(value)
    right = row is not None and means(
        kind or of_field(field, wanted), value, wanted, place(row.get("Id"), field)
    )
    return Milestone(name, right, weight, f"{field} {wanted}", seen)


def means(kind: Kind, value: Any, wanted: Any, at: Place) -> bool:
    """Whether a value means what is wanted, by a kind; nothing and an empty text are the same."""
    if wanted in (None, ""):
        return CHOSEN.same(value or None, None, at)
    return kind.same(value, wanted, at)


def listed(names: Iterable[str]) -> str:
    """Return names in one line, for a report."""
    return ", ".join(sorted(names)) or "none"
