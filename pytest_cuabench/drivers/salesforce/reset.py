"""Reset of an org to a snapshot: compare, plan, perform in passes, and compare again until nothing differs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from pytest_cuabench.drivers.salesforce.client import OrgClient, WriteResult
from pytest_cuabench.drivers.salesforce.difference import describe_change, difference
from pytest_cuabench.drivers.salesforce.errors import BUSY, GONE, OrgError
from pytest_cuabench.drivers.salesforce.plan import ANALYTICS, Plan, Step, reset_plan
from pytest_cuabench.drivers.salesforce.reading import Reader
from pytest_cuabench.drivers.salesforce.snapshot import Snapshot
from pytest_cuabench.task.evidence import Change

ROUNDS = 12  # comparisons, after which the remaining differences are reported
# Setup objects, which cannot be written together with business records (MIXED_DML_OPERATION).
_SETUP = frozenset(
    {
        "FieldPermissions",
        "Group",
        "GroupMember",
        "ObjectPermissions",
        "ObjectTerritory2AssignmentRule",
        "PermissionSet",
        "PermissionSetAssignment",
        "PermissionSetGroup",
        "PermissionSetGroupComponent",
        "Profile",
        "QueueSobject",
        "SetupEntityAccess",
        "Territory2",
        "Territory2Model",
        "User",
        "UserLogin",
        "UserRole",
        "UserTerritory2Association",
    }
)
_Problems = list[tuple[Step, str]]


class ResetListener(Protocol):
    """Listener of a reset's progress."""

    def intend(self, name: str, step: Step) -> None:
        """Called before a step."""

    def end(self, name: str, step: Step, problem: str | None = None) -> None:
        """Called after a step."""

    def adopt(self, name: str, snapshot: Snapshot, old: str, new: str) -> None:
        """A record was recreated."""

    def retire(self, name: str, id: str) -> None:
        """A user was deactivated."""


class NullListener:
    """A listener that does nothing, for orgs that are recreated after a failure."""

    def intend(self, name: str, step: Step) -> None:
        """See `ResetListener.intend`."""

    def end(self, name: str, step: Step, problem: str | None = None) -> None:
        """See `ResetListener.end`."""

    def adopt(self, name: str, snapshot: Snapshot, old: str, new: str) -> None:
        """See `ResetListener.adopt`."""

    def retire(self, name: str, id: str) -> None:
        """See `ResetListener.retire`."""


@dataclass(frozen=True, slots=True)
class ResetResult:
    """The result of a reset.

    Attributes:
        baseline: The updated snapshot, with the new ids of recreated records.
        changes: The differences at the beginning.
        steps: The number of steps performed.
        left: Sentences on the remaining differences; empty on success.
        unread: Sentences on changes that remain because their content is in no snapshot.
    """

    baseline: Snapshot
    changes: tuple[Change, ...]
    steps: int
    left: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


class Resetter:
    """Resets one org, once.

    Args:
        read: Reads what the baseline watches.
        name: The episode's name in the journal.
    """

    def __init__(
        self,
        client: OrgClient,
        reader: Reader,
        read: Callable[[], Awaitable[Snapshot]],
        baseline: Snapshot,
        keeping: ResetListener,
        name: str = "",
    ) -> None:
        self._client, self._reader, self._read = client, reader, read
        self._baseline, self._keeping, self._name = baseline, keeping, name
        self._lost: set[str] = set()  # deleted records missing from the recycle bin
        self._successors: dict[str, str] = {}
        self._performed = 0

    async def restore(self, now: Snapshot | None = None) -> ResetResult:
        """Run the reset; `now` is the org's current snapshot, if it was read already.

        Raises:
            EnvironmentFailure: The org does not answer.
        """
        first: tuple[Change, ...] | None = None
        unread: tuple[str, ...] = ()
        problems: _Problems = []
        for _ in range(ROUNDS):
            now = now or await self._read()
            changes = difference(self._baseline, now, self._reader.described)
            plan = self.plan(now, changes)
            if first is None:
                first, unread = changes, plan.unread
            if len(changes) == len(plan.unread):
                return ResetResult(self._baseline, first, self._performed, unread=unread)
            before = self._performed
            problems = await self._carry_out(plan)
            left = tuple(self._left(plan, changes, now, problems))
            now = None
            # No progress, unless the next round recreates what was missing from the recycle bin.
            if self._performed == before and not self._lost.intersection(step.key for step, _ in problems):
                break
        return ResetResult(self._baseline, first or (), self._performed, left, unread)

    def plan(self, now: Snapshot, changes: Sequence[Change]) -> Plan:
        """Return the steps that revert the differences."""
        lost = frozenset(self._lost)
        return reset_plan(self._baseline, now, self._reader.described, changes, lost)

    def _left(
        self, plan: Plan, changes: Sequence[Change], now: Snapshot, problems: _Problems
    ) -> Iterator[str]:
        yield from (f"{step}: {problem}" for step, problem in problems)
        yield from plan.left_alone
        if not problems and not plan.left_alone:
            for change in changes:
                yield next(describe_change(change, self._baseline, now, self._reader.described))

    async def _carry_out(self, plan: Plan) -> _Problems:
        """Perform all steps, retrying failed ones as long as others succeed; return the failures."""
        remaining = list(plan.steps)
        problems: _Problems = []
        while remaining:
            problems = []
            for _, some in groupby(remaining, key=_batch_key):
                problems += await self._group(list(some))
            if len(problems) == len(remaining):
                break
            remaining = [step for step, _ in problems]
        return problems

    async def _group(self, steps: list[Step]) -> _Problems:
        # In the journal before the call: the process may die in it.
        for step in steps:
            self._keeping.intend(self._name, step)
        try:
            answers = await self._make(steps)
        except OrgError as refusal:
            answers = [str(refusal)] * len(steps)
        problems = []
        for step, problem in zip(steps, answers, strict=True):
            self._keeping.end(self._name, step, problem)
            if problem is None:
                self._performed += 1
            else:
                problems.append((step, problem))
        return problems

    async def _make(self, steps: list[Step]) -> list[str | None]:
        """Perform steps of one kind; return for each its error or None."""
        match steps[0].act:
            case "undelete":
                return self._undeleted(steps, await self._client.undelete([step.key for step in steps]))
            case "update":
                return await self._update(steps)
            case "delete":
                return _problems_of(await self._delete(steps), gone=True)
            case "deploy" | "destroy":
                return await self._deploy(steps)
            case _:
                return [await self._one(step) for step in steps]

    async def _one(self, step: Step) -> str | None:
        try:
            match step.act:
                case "recreate":
                    await self._recreate(step)
                case "replace":
                    await self._is_already_deleted(self._client.delete(step.object, step.key))
                    await self._recreate(step)
                case "article":
                    await self._article(step)
                case "analytics":
                    await self._is_already_deleted(
                        self._client.delete_analytics(ANALYTICS[step.object], step.key)
                    )
                case _:
                    await self._client.update(step.object, step.key, step.fields)
                    self._keeping.retire(self._name, step.key)
                    self._reader.ignored |= {step.key}
        except OrgError as refusal:
            return str(refusal)
        return None

    def _undeleted(self, steps: list[Step], written: list[WriteResult]) -> list[str | None]:
        refused = ((step, one) for step, one in zip(steps, written, strict=True) if not one.ok)
        self._lost |= {step.key for step, one in refused if one.code not in BUSY}
        return _problems_of(written)

    async def _update(self, steps: list[Step]) -> list[str | None]:
        if len(steps) == 1:
            await self._client.update(steps[0].object, steps[0].key, self._with_new_ids(steps[0]))
            return [None]
        rows = {step.key: self._with_new_ids(step) for step in steps}
        return _problems_of(await self._client.update_many(steps[0].object, rows))

    async def _delete(self, steps: list[Step]) -> list[WriteResult]:
        if len(steps) > 1:
            return await self._client.delete_many([step.key for step in steps])
        await self._is_already_deleted(self._client.delete(steps[0].object, steps[0].key))
        return [WriteResult(steps[0].key)]

    async def _recreate(self, step: Step) -> None:
        new = await self._client.create(step.object, self._with_new_ids(step))
        self._successors[step.key] = new
        row = await self._reader.record(step.object, new)
        if row is not None:
            fields = self._reader.described[step.object].fields.values()
            kept = frozenset(field.name for field in fields if field.updateable)
            self._baseline = self._baseline.with_successor(step.object, step.key, row, kept)
            self._keeping.adopt(self._name, self._baseline, step.key, new)

    async def _article(self, step: Step) -> None:
        with suppress(OrgError):  # a draft is not published; the next call deletes it
            await self._client.archive_article(step.key)
        await self._is_already_deleted(self._client.delete_article(step.key))

    async def _deploy(self, steps: list[Step]) -> list[str | None]:
        """Deploy or destroy in one transaction, and one by one if that fails."""
        try:
            await self._deployed(steps)
            return [None] * len(steps)
        except OrgError as refusal:
            if len(steps) == 1:
                return [str(refusal)]
        return [(await self._deploy([step]))[0] for step in steps]

    async def _deployed(self, steps: list[Step]) -> None:
        if steps[0].act == "deploy":
            known = self._baseline.components
            chosen = {
                kind: {step.key: known[kind][step.key] for step in some}
                for kind, some in groupby(steps, key=lambda step: step.object)
            }
            await self._client.metadata.deploy(chosen, {})
        else:
            gone = {
                kind: [step.key for step in some] for kind, some in groupby(steps, key=lambda s: s.object)
            }
            await self._client.metadata.deploy({}, gone)
        self._client.clear_descriptions()

    def _with_new_ids(self, step: Step) -> dict[str, object]:
        """Return a step's values with the new ids of recreated records."""
        return {
            name: self._successors.get(value, value) if isinstance(value, str) else value
            for name, value in step.fields.items()
        }

    async def _is_already_deleted(self, deletion: Awaitable[None]) -> None:
        try:
            await deletion
        except OrgError as refusal:
            if refusal.code not in GONE:
                raise


def _batch_key(step: Step) -> tuple[str, ...]:
    """Return the key by which steps are grouped into one call."""
    if step.act in ("deploy", "destroy"):
        return (step.act,)
    # One call deletes records of several objects, but writes those of one.
    return (step.act, "setup" if step.object in _SETUP else "", "" if step.act == "delete" else step.object)


def _problems_of(written: Sequence[WriteResult], *, gone: bool = False) -> list[str | None]:
    return [
        None if one.ok or (gone and one.code in GONE) else f"{one.code}: {one.message}" for one in written
    ]
