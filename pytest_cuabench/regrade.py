"""Judging a recorded run again with the checks of today: which verdicts changed, and why; nothing is played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import CheckerFailure, SettingError
from pytest_cuabench.fingerprint import UPSTREAM_SCORING
from pytest_cuabench.ledger import Attempt, Run, now
from pytest_cuabench.recorded import judge_again, read_evidence
from pytest_cuabench.records import ATTEMPT, regrade, with_latest_judgements
from pytest_cuabench.reporting.words import short
from pytest_cuabench.scienceboard.tasks import task_of_case
from pytest_cuabench.suite import known_suites, load_suite
from pytest_cuabench.task import Task
from pytest_cuabench.verdict import Verdict

_EVIDENCE = ("case.json", "before.json", "after.json", "activity.json")


@dataclass(frozen=True, slots=True)
class Judged:
    """An attempt and what today's checks make of it.

    Attributes:
        record: The attempt's own line of the ledger.
        old: The attempt as it was judged last.
        new: As it is judged now; None where that is not possible.
        problem: Why that is not possible.
    """

    record: Mapping[str, Any]
    old: Attempt
    new: Attempt | None
    problem: str = ""

    @property
    def changed(self) -> bool:
        """Whether the outcome, the reward or any finding is another; other wording is no change."""
        return self.new is not None and _findings(self.old) != _findings(self.new)

    def reasons(self) -> Iterator[str]:
        """Yield the findings that are new, and those that are gone."""
        before, after = (_reasons(attempt) for attempt in (self.old, self.new or self.old))
        yield from (f"now: {text}" for text in after if text not in before)
        yield from (f"no longer: {text}" for text in before if text not in after)


def grade(run: Run, suites: Mapping[str, Path], *, upstream: bool = False) -> list[Judged]:
    """Judge every attempt again that left all its evidence; the others were never judged and cannot be.

    Each is scored as it was when it was played, or all of them as the authors of their benchmark do.

    Raises:
        SettingError: A suite of the run is not known, or is malformed.
    """
    records = list(run.records(ATTEMPT))
    latest = map(Attempt.from_json, with_latest_judgements(run.records()))
    recorded = [(record, old) for record, old in zip(records, latest, strict=True) if _has_evidence(run, old)]
    tasks = _tasks({old.suite for _, old in recorded}, suites)
    return [
        _judged(run, record, old, tasks.get((old.suite, old.application, old.task)), upstream)
        for record, old in recorded
    ]


def write(run: Run, judged: Iterable[Judged]) -> None:
    """Add the verdicts that changed to the ledger; the old ones stay in it.

    Raises:
        RecordFailure: The ledger cannot be written.
    """
    when = now()
    for each in judged:
        if each.changed and each.new is not None:
            run.add(regrade(each.record, each.new.to_json(), when, version("pytest-cuabench")))


def _has_evidence(run: Run, attempt: Attempt) -> bool:
    folder = run.folder / (attempt.trajectory or "")
    ended = attempt.trajectory is not None and attempt.ending != "running"
    return ended and all((folder / name).is_file() for name in _EVIDENCE)


def _tasks(names: Iterable[str], given: Mapping[str, Path]) -> dict[tuple[str, str, str], Task]:
    known = {**known_suites(), **given}
    found: dict[tuple[str, str, str], Task] = {}
    for name in sorted(names):
        if name not in known:
            raise SettingError(f"no suite is named {name!r}; say where it lies: --suite DIR")
        found |= {(name, task.application, task.id): task for task in load_suite(known[name]).tasks}
    return found


def _judged(run: Run, record: Mapping[str, Any], old: Attempt, task: Task | None, upstream: bool) -> Judged:
    if task and (upstream or (old.fingerprint and UPSTREAM_SCORING in old.fingerprint.settings)):
        task = task.scored_upstream()
    try:
        evidence, case = read_evidence(run, old)
        task = task_of_case(case, old) or task
        if task is None:
            gone = f"the suite {old.suite} has no task {old.application}/{old.task} any more"
            return Judged(record, old, None, gone)
        new = judge_again(task, old, evidence, case)
    except (CheckerFailure, SettingError) as error:
        return Judged(record, old, None, str(error))
    if old.ending == "violation" and not (
        new.verdict and any(v.ends_episode for v in new.verdict.violations)
    ):
        return Judged(record, old, None, "it was ended for harm that is none any more; play it again")
    return Judged(record, old, replace(new, error=None if old.verdict is None else old.error))


def _findings(attempt: Attempt) -> tuple[Any, ...]:
    verdict = attempt.verdict or Verdict((), ())
    reached = sorted((m.name, m.reached, m.weight) for m in verdict.milestones)
    harm = sorted((v.reason, v.subject, v.committed) for v in verdict.violations)
    return attempt.outcome, round(verdict.reward, 9), reached, harm


def _reasons(attempt: Attempt) -> list[str]:
    if attempt.verdict is None:
        return [short(attempt.error or attempt.result.words, 300)]
    missed = [
        f"missed: {m.name} (seen: {m.seen or 'nothing'})" for m in attempt.verdict.milestones if not m.reached
    ]
    harm = [f"{v.severity} {v.dimension}: {v.detail} [{v.subject}]" for v in attempt.verdict.violations]
    return [short(text, 300) for text in (*harm, *missed)]
