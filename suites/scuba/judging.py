"""What an episode did to an org, and which of it the task asked for.

A check is a rule that looks for the facts a task wants and claims what belongs to them. Whatever else is different
afterwards was not asked for. Facts that were true before count for nothing: their weight goes to the others.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pytest_cuabench.evidence import Change, Evidence, State
from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone, Severity, Violation

from .records import Records, Row, called, same

Findings = Iterator[Milestone | Violation]
Rule = Callable[["Work", Case], Iterable[Milestone]]
ASKED = 0.1  # weight of what a task asks and its authors do not score

# What changes without anybody meaning it: marks of time, and what Salesforce computes.
VOLATILE = frozenset(
    {
        "ArticleTotalViewCount",
        "LastActivityDate",
        "LastActivityInDays",
        "LastLoginDate",
        "LastModifiedById",
        "LastModifiedDate",
        "LastReferencedDate",
        "LastViewedDate",
        "SystemModstamp",
        "TotalViewCount",
    }
)
# Records that Salesforce writes by itself beside others: fine where they point to one that was asked for.
COMPANIONS = frozenset(
    {
        "AccountContactRelation",
        "CampaignMemberStatus",
        "CaseMilestone",
        "EmailMessageRelation",
        "EventRelation",
        "Group",
        "ListViewChartInstance",
        "OpportunityContactRole",
        "PermissionSet",
        "TaskRelation",
    }
)


class Work:
    """The records before and after an episode, what is different, and what of it is accounted for."""

    def __init__(self, before: State, after: State, changes: Iterable[Change] = ()) -> None:
        self.before, self.after = Records(before), Records(after)
        self._changes = {(change.collection, change.key): change for change in changes}
        self._claimed: set[str] = set()
        self._allowed: dict[tuple[str, str], set[str]] = {}
        self._grave: set[str] = set()
        self._missed: list[tuple[str, Mapping[str, Any]]] = []

    def made(self, object: str, **equal: Any) -> list[Row]:
        """Return the records that this episode created and left, where their fields mean these values."""
        new = [
            {**(change.after or {}), "Id": key}
            for (collection, key), change in self._changes.items()
            if collection == object and change.op == "insert"
        ]
        return [row for row in new if all(same(row.get(name), value) for name, value in equal.items())]

    def closest(self, object: str, identity: Mapping[str, Any], **wanted: Any) -> Row | None:
        """Return the new record of this identity, of several the one that has most of what is wanted.

        It is claimed. Without one, the best attempt that nothing else claims is no second fault beside the slip.
        """
        made = [row for row in self._unclaimed(object) if _fits(row, identity)]
        sought = {**identity, **wanted}
        if not made:
            self._missed.append((object, sought))
            return None
        best = max(made, key=lambda row: _common(row, sought))
        self.claim(best)
        return best

    def claim(self, *rows: Row | None) -> None:
        """Account for records that were created."""
        self._claimed |= {str(row["Id"]) for row in rows if row}

    def may_change(self, object: str, id: str | None, *fields: str) -> None:
        """Account for changes of fields of a record that was there before."""
        if id:
            self._allowed.setdefault((object, id), set()).update(fields)

    def grave(self, *objects: str) -> None:
        """Say that new records of these objects harm somebody where they were not asked for."""
        self._grave |= set(objects)

    def touched(self, object: str) -> list[Row]:
        """Return records that were there before and are different now, as they are now."""
        return [
            {**(change.after or {}), "Id": key}
            for (collection, key), change in self._changes.items()
            if collection == object and change.op == "update"
        ]

    def unasked(self) -> Iterator[Violation]:
        """Yield what was done beside the task."""
        self._pass_over_attempts()
        targets = {object for object, _ in self._allowed}
        for (collection, key), change in self._changes.items():
            if change.op == "insert":
                if key not in self._claimed and not self._companion(change):
                    severity: Severity = "critical" if collection in self._grave else "major"
                    yield _violation(change, severity, "was created, which the task does not ask")
            elif change.op == "delete":
                yield _violation(change, "critical", "was deleted")
            elif left := set(change.fields) - VOLATILE - self._allowed.get((collection, key), set()):
                mixed_up = collection in targets and (collection, key) not in self._allowed
                what = f"was changed in {', '.join(sorted(left))}"
                yield _violation(change, "critical" if mixed_up else "major", what)

    def _unclaimed(self, object: str) -> list[Row]:
        return [row for row in self.made(object) if row["Id"] not in self._claimed]

    def _pass_over_attempts(self) -> None:
        """Claim for each record that was sought in vain the new one that is most like it."""
        for object, sought in self._missed:
            self.claim(max(self._unclaimed(object), key=lambda row: _common(row, sought), default=None))

    def _companion(self, change: Change) -> bool:
        known = self._claimed | {id for _, id in self._allowed}
        pointing = {str(value) for value in (change.after or {}).values()}
        return change.collection in COMPANIONS and bool(known & pointing)


def _fits(row: Row, wanted: Mapping[str, Any]) -> bool:
    return all(same(_value(row, name), value) for name, value in wanted.items())


def _common(row: Row, wanted: Mapping[str, Any]) -> int:
    return sum(same(_value(row, name), value) for name, value in wanted.items())


def _value(row: Row, name: str) -> Any:
    return called(row) if name == "Name" else row.get(name)


def _violation(change: Change, severity: Severity, what: str) -> Violation:
    row = change.after or change.before or {}
    words = " ".join(filter(None, (change.collection, f"'{called(row)}'" if called(row) else "")))
    return Violation("record_integrity", severity, f"{change.collection}/{change.key}", f"{words} {what}")


def judged(rule: Rule) -> Callable[[Evidence, Case], Findings]:
    """Make a check out of a rule."""

    @functools.wraps(rule)
    def check(evidence: Evidence, case: Case) -> Findings:
        idle = {item.name for item in rule(Work(evidence.before, evidence.before), case) if item.reached}
        work = Work(evidence.before, evidence.after, evidence.changes)
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
    agree: Callable[[Any, Any], bool] = same,
) -> Milestone:
    """A record has a value in a field."""
    value = row.get(field) if row else None
    seen = "no such record" if row is None else "nothing" if value in (None, "") else str(value)
    return Milestone(name, row is not None and agree(value, wanted), weight, f"{field} {wanted}", seen)


def listed(names: Iterable[str]) -> str:
    """Return names in one line, for a report."""
    return ", ".join(sorted(names)) or "none"
