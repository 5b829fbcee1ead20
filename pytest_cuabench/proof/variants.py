"""Honest and loose variants: what a check compares by kinds, written otherwise, and what it does not, changed.

After the reference solution the state is rewritten, without an interface: each compared value in every other spelling
of its kind, after which the task must still be a success, and in each value that is nearly it, after which it must not.
What the reference changed and no kind compares is changed by itself, key by key: the task must not be a success either,
unless the check declares the place free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Change, Evidence, State, Write
from pytest_cuabench.task.kinds import FURTHER, Compared, Kind, Place, Raw, Record, Tree, recorded
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Verdict

MOST_LOOSE = 200  # changes of what no kind compares that are tried for a state, drawn by the seed


@dataclass(frozen=True, slots=True)
class Variant:
    """A rewritten state and what came of it.

    Attributes:
        kind: The kind of the compared value; empty for a change of what no kind compares.
        form: How it was written.
        honest: Whether it means the same, so that it should be accepted.
        missed: Milestones that were not reached any more.
    """

    kind: str
    form: str
    place: str
    value: str
    honest: bool
    accepted: bool
    missed: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the check said what it should."""
        return self.honest == self.accepted

    def __str__(self) -> str:
        if not self.kind:
            return f"the check accepts {self.form} at {self.place}"
        said = "refuses" if self.honest else "accepts"
        return f"the check {said} {self.value} at {self.place} ({self.kind}: {self.form})"


@dataclass(slots=True)
class Tried:
    """What was tried on the state after one reference."""

    variants: list[Variant] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    free: dict[str, str] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)

    @property
    def broken(self) -> str | None:
        """What does not hold, one line each; None if all does."""
        lines = [*self.faults, *(str(one) for one in self.variants if not one.holds)]
        return "\n".join(lines) or None


def try_variants(
    task: Task, evidence: Evidence, case: Case, seed: int, *, most: int | None = MOST_LOOSE
) -> Tried:
    """Rewrite the state after a reference, and judge each variant of it.

    A milestone that depends on what no kind compares is a fault, and so is a check without kinds.

    Args:
        most: How many loose changes to try, drawn by the seed; None for all.

    Raises:
        CheckerFailure: The check fails on the state itself.
    """
    random = Random(f"{task.name}:variants:{seed}")  # noqa: S311 - variety
    with recorded() as record:
        verdict = task.judge(evidence, case)
    tried = Tried(free={_words(one.at): one.why for one in record.free})
    if not verdict.success:
        tried.faults.append("the reference solution does not succeed")
        return tried
    tried.faults += [f"{place} is free without a reason" for place, why in tried.free.items() if not why]
    judge = _Judge(task, case, evidence)
    declared = list(_located(record, evidence, tried))
    if not record.compared and evidence.answer is None and evidence.ending != "infeasible":
        tried.faults.append("the check compares nothing by a kind")
    tried.variants += [
        each
        for at, one in declared
        if one.seen is not None
        for each in judge.spelled(at, one, [other.kind for place, other in declared if place == at], random)
    ]
    free = [place for one in record.free for place in _whole(one.at, evidence)]
    trees = [at for at, one in declared if isinstance(one.kind, Tree) or one.seen is None]
    loose = [*_loose(evidence, [at for at, _ in declared if at not in trees], free, trees)]
    if most is not None and len(loose) > most:
        loose = random.sample(loose, most)
    for at, form, state in loose:
        variant = judge.of(state, Variant("", form, _words(at), "", honest=False, accepted=False))
        tried.variants.append(variant)
        if variant.missed and not _within(at, trees) and form != "a further row":
            names = ", ".join(variant.missed)
            tried.faults.append(f"{variant.place} is compared without a kind (milestone {names})")
    return tried


@dataclass(frozen=True, slots=True)
class _Judge:
    task: Task
    case: Case
    evidence: Evidence

    def of(self, state: State, variant: Variant) -> Variant:
        """Return the variant with what came of it; one that the check cannot read is not accepted."""
        try:
            verdict: Verdict = self.task.judge(replace(self.evidence, after=state), self.case)
        except CheckerFailure:
            return replace(variant, accepted=False)
        missed = tuple(one.name for one in verdict.milestones if not one.reached)
        return replace(variant, accepted=verdict.success, missed=missed)

    def spelled(self, at: Place, one: Compared, kinds: list[Kind], random: Random) -> Iterator[Variant]:
        """Yield a compared value in its other spellings, as what each of its kinds tells from it, and missing."""
        after, kind, value = self.evidence.after, one.kind, one.seen
        for form, spelled in kind.spellings(value, random):
            if spelled != value or type(spelled) is not type(value):  # 1, 1.0 and True are equal
                variant = Variant(kind.name, form, _words(at), f"{spelled!r}", honest=True, accepted=False)
                yield self.of(put(after, at, spelled), variant)
        unlike = [
            other
            for other in kind.others(value, random)
            if other != value and not any(each.matches(other, value) for each in kinds)
        ]
        before = _value(self.evidence.before, at)
        for other in (*unlike, None) if len(at) > 2 else unlike:
            if not one.optional or (other is not None and other != before):
                variant = Variant(
                    kind.name, "another value", _words(at), f"{other!r}", honest=False, accepted=True
                )
                yield self.of(put(after, at, other), variant)


def _located(record: Record, evidence: Evidence, tried: Tried) -> Iterator[tuple[Place, Compared]]:
    """Yield each comparison with the place of its value; what cannot be found is a fault."""
    seen: set[tuple[Place, str]] = set()
    for one in record.compared:
        if isinstance(one.kind, Raw):
            tried.raw[_words(one.at) if one.at else f"{one.seen!r:.60}"] = one.kind.why
            if not one.kind.why:
                tried.faults.append(f"{one.seen!r:.60} is compared as it is written without a reason")
        places = _whole(one.at, evidence) if one.at is not None else _found(one, evidence)
        if one.at is not None and not any(_held(at, evidence) for at in places) and one.seen is not None:
            continue  # the state does not hold its row
        if not places:
            tried.faults.append(
                f"{one.seen!r:.60} is compared as {one.kind.name}, but is not in the state; add `at`"
            )
        for at in places:
            if (at, one.kind.name) not in seen:
                seen.add((at, one.kind.name))
                yield at, one


def _held(at: Place, evidence: Evidence) -> bool:
    return at[1] in evidence.after.collections.get(str(at[0]), {})


def _whole(at: Place, evidence: Evidence) -> list[Place]:
    """Return a place, in the collection that holds its row where none is said."""
    held = evidence.after.collections.items()
    return [at] if at[0] is not None else [(name, *at[1:]) for name, rows in held if at[1] in rows]


def _found(one: Compared, evidence: Evidence) -> list[Place]:
    """Return where a value is in what was changed; all places if there are several."""
    leaves = (leaf for change in evidence.changes for leaf in _changed(change))
    return [at for at, value in leaves if value == one.seen and type(value) is type(one.seen)]


def _changed(change: Change) -> Iterator[tuple[Place, Any]]:
    """Yield the leaves of what a change left, and values that are containers themselves."""
    for name, value in (change.after or {}).items():
        if (change.before or {}).get(name) != value:
            yield from _leaves((change.collection, change.key, name), value)


def _leaves(at: Place, value: Any) -> Iterator[tuple[Place, Any]]:
    yield at, value
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _leaves((*at, key), one)
    elif isinstance(value, list | tuple):
        for number, one in enumerate(value):
            yield from _leaves((*at, number), one)


def _loose(
    evidence: Evidence, compared: Iterable[Place], free: Iterable[Place], trees: Iterable[Place]
) -> Iterator[tuple[Place, str, State]]:
    """Yield states in which one more thing is changed: a value of a touched row, a further key, a further row."""
    known = [*(at for at in compared if len(at) > 2), *free]
    after = evidence.after
    for change in evidence.changes:
        row = (change.collection, change.key)
        if not change.after or _within(row, known):
            continue
        for at, value in _values(row, change.after):
            if not _within(at, known):
                yield at, "a changed value", put(after, at, _otherwise(value))
        inner = [
            at for at, one in _leaves(row, change.after) if isinstance(one, Mapping) and _within(at, trees)
        ]
        for at in (row, *inner):
            if not _within(further := (*at, FURTHER), known):
                yield further, "a further key", put(after, further, "1")
        if change.op == "insert" and (change.collection, FURTHER) not in known:
            copied = (change.collection, f"{change.key} 2")
            yield copied, "a further row", _written(put(after, copied, change.after), copied)


def _written(state: State, at: Place) -> State:
    """Return a state whose journal tells of a new row, where it tells of writes."""
    collection, key = str(at[0]), str(at[1])
    write = Write(collection, key, "insert", None, state.collections[collection][key])
    return replace(state, journal=(*state.journal, write)) if state.journal else state


def _values(at: Place, value: Any) -> Iterator[tuple[Place, Any]]:
    """Yield the values of a row that are no containers."""
    return ((place, one) for place, one in _leaves(at, value) if not isinstance(one, Mapping | list | tuple))


def _within(at: Place, known: Iterable[Place]) -> bool:
    """Whether a place is one of those, or below one."""
    return any(at[: len(one)] == one for one in known)


def _otherwise(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case None:
            return "~"
        case _:
            return f"{value}~"


def put(state: State, at: Place, value: Any) -> State:
    """Return the state with another value at a place; for a place of two parts, with its row under another key.

    A mapping at such a place is a row to add, and None at another one that there is no value.
    """
    collection, key, *path = (str(at[0]), str(at[1]), *at[2:])
    rows = dict(state.collections.get(collection, {}))
    if path:
        rows[key] = _with(rows.get(key, {}), path, value)
    elif isinstance(value, Mapping):
        rows[key] = value
    else:
        rows = {str(value) if name == key else name: row for name, row in rows.items()}
    return replace(state, collections={**state.collections, collection: rows})


def _value(state: State, at: Place) -> Any:
    """Return the value at a place, or None."""
    value: Any = state.collections.get(str(at[0]), {}).get(str(at[1]))
    for part in at[2:]:
        if isinstance(value, list | tuple):
            value = value[part] if isinstance(part, int) and part < len(value) else None
        else:
            value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _with(value: Any, path: list[Any], new: Any) -> Any:
    if not path:
        return new
    first, *rest = path
    if new is None and not rest and isinstance(value, Mapping):
        return {key: one for key, one in value.items() if key != first}
    if isinstance(value, list | tuple):
        return [_with(one, rest, new) if number == first else one for number, one in enumerate(value)]
    return {**(value or {}), first: _with((value or {}).get(first), rest, new)}


def _words(at: Place) -> str:
    collection, key, *path = (str(part) for part in at)
    return f"{collection}/{key}" + (f":{'.'.join(path)}" if path else "")
