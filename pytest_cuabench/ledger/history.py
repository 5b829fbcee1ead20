"""Consistency checks of a whole ledger: whether sessions can have written its records in this order.

An instance has one result. It is replayed after an attempt with an infrastructure failure, or if a session that
resumed the run found another fingerprint or agent; any other attempt after a result is an illegitimate retry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import same_agent, same_question
from pytest_cuabench.ledger.inspection import Entry, Ledger, Problem, read_ledger
from pytest_cuabench.ledger.lines import key_of
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.record import Run

AUDIT = "audit"  # the agent of audits, whose instances are named differently and have no plan
_IDENTITY = ("suite", "application", "task", "variant", "seed", "epoch")
_DECLARED = ("domain", "difficulty", "template", "labels")


def history(ledger: Ledger, run: Run) -> Iterator[Problem]:
    """Yield the problems of a ledger besides its invalid records."""
    for entry in ledger.entries:
        yield from _dated(entry)
        yield from _named(entry)
    if ledger.plans:
        yield from _unplanned(ledger)
    yield from _repeated(ledger)
    sessions = max(1, len(ledger.plans))
    for entries in by_instance(ledger.entries).values():
        yield from _gaps(entries)
        yield from _second_results(entries, sessions)
    yield from _unknown_sessions(ledger, run.about())
    yield from _left_behind(ledger, run.folder)


def warnings(run: Run, most: int = 3) -> Iterator[str]:
    """Yield a few warnings on a readable ledger that no gate would pass."""
    ledger = read_ledger(run.folder)
    problems = [*ledger.problems, *history(ledger, run)]
    for problem in problems[:most]:
        yield f"a gate would not pass this run: {problem.sentence(ledger.file)}"
    if len(problems) > most:
        yield f"and {len(problems) - most} more problems; cuabench gate lists them"


def by_instance(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Return the attempts of each instance, in order."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.first.item.instance, []).append(entry)
    return found


def _dated(entry: Entry) -> Iterator[Problem]:
    times = [(entry.line, "started", entry.first.started)]
    times += [(line, "regraded", regrade.regraded) for line, regrade in entry.regrades]
    for line, name, text in times:
        try:
            datetime.fromisoformat(text or "2000-01-01")
        except ValueError:
            yield Problem(line, f"{name} is not a valid time: {text!r}", record=False)


def _named(entry: Entry) -> Iterator[Problem]:
    """Yield a problem if an instance's id does not match its parts, see `Instance.id`."""
    attempt = entry.first
    if attempt.agent == AUDIT:
        return
    seed, epoch = (
        f"-{sign}{value}" if value else ""
        for sign, value in (("s", attempt.item.seed), ("e", attempt.item.epoch))
    )
    name = f"{attempt.item.application}/{attempt.item.task}-{attempt.item.variant}{seed}{epoch}"
    if name != attempt.item.instance:
        yield _contradiction(
            entry, f"the instance is named {attempt.item.instance}, but its fields say {name}"
        )
    elif attempt.files.trajectory and not attempt.files.trajectory.startswith(f"trajectories/{name}/"):
        yield _contradiction(entry, f"its trajectory {attempt.files.trajectory} belongs to another instance")


def _unplanned(ledger: Ledger) -> Iterator[Problem]:
    """Yield problems of instances that were never planned, or whose attempts differ from their plan."""
    plans: dict[str, list[Planned]] = {}
    for _, plan in ledger.plans:
        for each in plan:
            plans.setdefault(each.instance, []).append(each)
    for entry in ledger.entries:
        attempt = entry.first
        if attempt.agent == AUDIT:
            continue
        if attempt.item.instance not in plans:
            yield _contradiction(entry, f"{attempt.item.instance} was played, but is not in any plan")
        elif name := _differs(attempt.item, plans[attempt.item.instance]):
            value = getattr(attempt.item, name)
            words = f"the {name} of {attempt.item.instance} is {value!r}, but the plan says otherwise"
            yield _contradiction(entry, words)
    for line, instance in ledger.skipped:
        if instance not in plans:
            words = f"{instance} was skipped, but is not in any plan"
            yield Problem(line, words, contradiction=True, record=False)


def _differs(item: Planned, plans: Sequence[Planned]) -> str:
    """Return a field in which a played instance differs from every plan of it; empty if one matches."""
    for name in (*_IDENTITY, *_DECLARED):
        if all(getattr(item, name) != getattr(plan, name) for plan in plans):
            return name
    return ""


def _repeated(ledger: Ledger) -> Iterator[Problem]:
    """Yield duplicate records, and attempts that share a trajectory."""
    keys: dict[str, int] = {}
    places: dict[str, int] = {}
    for entry in ledger.entries:
        place = entry.first.files.trajectory
        if line := keys.get(key_of(entry.record)):
            yield _contradiction(entry, f"it duplicates the record of line {line}")
        elif place and (line := places.get(place)):
            yield _contradiction(entry, f"it has the same trajectory as line {line}")
        keys.setdefault(key_of(entry.record), entry.line)
        if place:
            places.setdefault(place, entry.line)


def _gaps(entries: Sequence[Entry]) -> Iterator[Problem]:
    for earlier, entry in enumerate(entries):
        if entry.first.number > earlier + 1:
            words = f"it is attempt {entry.first.number} at {entry.first.item.instance}, but only {earlier} precede it"
            yield Problem(entry.line, f"{words}: a line was removed or moved", record=False)


def _second_results(entries: Sequence[Entry], sessions: int) -> Iterator[Problem]:
    """Yield attempts after a result without a reason to replay the instance."""
    has_result, changes = False, 0
    for before, entry in zip([None, *entries], entries, strict=False):
        if before is not None and not _same(before.first, entry.first):
            changes += 1
            # A change needs a session that resumed the run: the first of N sessions makes none.
            if has_result and changes >= sessions:
                words = (
                    f"{_after(before)}, with another fingerprint or agent, and the run was not resumed since"
                )
                yield _contradiction(entry, words)
            has_result = False
        elif before is not None and has_result:
            words = f"{_after(before)}: it is an unexpected further attempt"
            # A session that resumes a run plays again what has no fingerprint, see `resume.changes`.
            unknown = (
                entry.first.conditions.fingerprint is None
                and before.first.conditions.fingerprint is None
                and sessions > 1
            )
            yield Problem(entry.line, words, contradiction=not unknown, record=False)
        has_result = has_result or entry.first.result.graded


def _after(before: Entry) -> str:
    return (
        f"{before.first.item.instance} already has its result in line {before.line} ({before.first.outcome})"
    )


def _same(old: Attempt, new: Attempt) -> bool:
    """Whether a resuming session would keep the old attempt's result."""
    before, after = old.conditions.fingerprint, new.conditions.fingerprint
    if old.agent != new.agent or (before is None) != (after is None):
        return False
    if before is None or after is None:
        return True
    return same_question(before, after) and same_agent(before, after)


def _unknown_sessions(ledger: Ledger, about: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem if there are more plans than sessions in `run.json`."""
    parts = about.get("merged") or [about]
    sessions = sum(1 + len(part.get("resumed", ())) for part in parts)
    if about and len(ledger.plans) > sessions:
        words = f"it is plan {sessions + 1} of the run, but run.json lists {sessions} sessions"
        yield Problem(ledger.plans[sessions][0], words, contradiction=True, record=False)


def _left_behind(ledger: Ledger, folder: Path) -> Iterator[Problem]:
    """Yield trajectories with a verdict that no line of the ledger mentions."""
    listed = {line.record.get("trajectory") for line in ledger.lines if line.record is not None}
    for file in sorted((folder / "trajectories").glob("*/*/*/verdict.json")):
        place = file.parent.relative_to(folder).as_posix()
        if place not in listed:
            yield Problem(0, f"{place} was judged, but no line mentions it", record=False)


def _contradiction(entry: Entry, words: str) -> Problem:
    return Problem(entry.line, words, contradiction=True, record=False)
