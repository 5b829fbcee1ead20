"""Regrade a recorded run with the current checks, without playing: changed verdicts and reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import CheckerFailure, SettingError
from pytest_cuabench.ledger.attempt import Attempt, now
from pytest_cuabench.ledger.fingerprint import UPSTREAM_SCORING, task_hash
from pytest_cuabench.ledger.inspection import Entry, Problem, Regrade, read_ledger
from pytest_cuabench.ledger.lines import regrade
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.recorded import judge_again, read_evidence
from pytest_cuabench.task.model import SuiteInfo, Task
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.outcome import BROKEN, Outcome
from pytest_cuabench.task.suite import known_suites, load_suite
from pytest_cuabench.task.text import short
from pytest_cuabench.task.verdict import Verdict

_Tasks = Mapping[str, Task]  # by application/id
_Suites = Mapping[str, tuple[SuiteInfo, _Tasks]]  # by name
_EVIDENCE = ("case.json", "before.json", "after.json", "activity.json")


@dataclass(frozen=True, slots=True)
class Judged:
    """An attempt and its verdict by the current checks.

    Attributes:
        record: The attempt's own line of the ledger.
        old: The attempt with its newest recorded verdict.
        new: The attempt with its new verdict; None if it cannot be judged.
        problem: Why it cannot be judged.
        task: Hash of the task that judges it.
        upstream: Whether it is scored by the benchmark authors' rules.
    """

    record: Mapping[str, Any]
    old: Attempt
    new: Attempt | None
    problem: str = ""
    task: str = ""
    upstream: bool = False

    @property
    def changed(self) -> bool:
        """Whether the outcome, the reward or any finding differs, apart from wording."""
        return self.new is not None and _findings(self.old) != _findings(self.new)

    def reasons(self) -> Iterator[str]:
        """Yield the new findings, and the removed ones."""
        before, after = (_reasons(attempt) for attempt in (self.old, self.new or self.old))
        yield from (f"now: {text}" for text in after if text not in before)
        yield from (f"no longer: {text}" for text in before if text not in after)


def grade(run: Run, suites: Mapping[str, Path], *, upstream: bool = False) -> list[Judged]:
    """Judge every attempt again that left all its evidence; the others were never judged and cannot be.

    Each is scored as it was when it was played, or all of them as the authors of their benchmark do.

    Raises:
        SettingError: A suite of the run is not known, or is malformed.
    """
    ledger = read_ledger(run.folder)
    ledger.refuse()
    recorded = [entry for entry in ledger.entries if _has_evidence(run, entry.attempt)]
    loaded = _loaded({entry.first.item.suite for entry in recorded}, suites)
    return [_judged(run, entry.record, entry.attempt, loaded, upstream) for entry in recorded]


def unexplained(run: Run, entries: Iterable[Entry], suites: Mapping[str, Path]) -> Iterator[Problem]:
    """Yield later judgements that today's checks do not come to on the recorded evidence.

    Raises:
        SettingError: A suite of the run is malformed.
    """
    regraded = [entry for entry in entries if entry.regrades]
    known = {**known_suites(), **suites}
    loaded = _loaded({entry.first.item.suite for entry in regraded} & set(known), suites)
    for entry in regraded:
        line, told = entry.regrades[-1]
        if reason := _unexplained(run, entry, told, loaded):
            yield Problem(
                line, f"regrade of {entry.first.item.instance}: {reason.words}", reason.contradiction, False
            )


def _unexplained(run: Run, entry: Entry, told: Regrade, suites: _Suites) -> Problem | None:
    if entry.first.item.suite not in suites:
        return Problem(
            0, f"it cannot be verified without the suite {entry.first.item.suite}; add --suite=DIR"
        )
    if not _has_evidence(run, entry.first):
        return Problem(0, "it cannot be verified, because the evidence of the attempt is missing")
    judged = _judged(run, entry.record, entry.first, suites, told.upstream)
    if judged.new is None:
        return Problem(0, f"it cannot be verified: {judged.problem}")
    if _findings(judged.new) == _findings(entry.attempt):
        return None
    words = (
        f"it says {told.outcome}, but the current checks judge the recorded evidence as {judged.new.outcome}"
    )
    if told.task == judged.task:
        return Problem(0, f"{words}, and these are the checks that it names", contradiction=True)
    return Problem(0, f"{words}; the checks have changed since, so grade the run again")


def write(run: Run, judged: Iterable[Judged]) -> None:
    """Add the verdicts that changed to the ledger; the old ones stay in it.

    Raises:
        RecordFailure: The ledger cannot be written.
    """
    when = now()
    for each in judged:
        if each.changed and each.new is not None:
            plugin = version("pytest-cuabench")
            new = each.new.to_json()
            run.add(regrade(each.record, new, when, plugin, task=each.task, upstream=each.upstream))


def _has_evidence(run: Run, attempt: Attempt) -> bool:
    folder = run.folder / (attempt.files.trajectory or "")
    ended = attempt.files.trajectory is not None and attempt.end.ending != "running"
    return ended and all((folder / name).is_file() for name in _EVIDENCE)


def _loaded(names: Iterable[str], given: Mapping[str, Path]) -> _Suites:
    known = {**known_suites(), **given}
    found: dict[str, tuple[SuiteInfo, _Tasks]] = {}
    for name in sorted(names):
        if name not in known:
            raise SettingError(f"{unknown_name('suite', name, known)}; give its folder: --suite DIR")
        suite = load_suite(known[name])
        found[name] = (suite, {task.name: task for task in suite.tasks})
    return found


def _judged(run: Run, record: Mapping[str, Any], old: Attempt, suites: _Suites, upstream: bool) -> Judged:
    upstream = upstream or bool(
        old.conditions.fingerprint and UPSTREAM_SCORING in old.conditions.fingerprint.settings
    )
    suite, tasks = suites[old.item.suite]
    task = tasks.get(f"{old.item.application}/{old.item.task}")
    if task and upstream:
        task = task.scored_upstream()
    try:
        evidence, case = read_evidence(run, old)
        task = (suite.task_files.task(case, old) if suite.task_files else None) or task
        if task is None:
            gone = f"the suite {old.item.suite} no longer has the task {old.item.application}/{old.item.task}"
            return Judged(record, old, None, gone)
        new = judge_again(task, old, evidence, case)
    except (CheckerFailure, SettingError) as error:
        return Judged(record, old, None, str(error))
    if _ended_for_harm(old) and not _still_ends(new):
        return Judged(record, old, None, "stopped early by a violation that no longer counts; replay it")
    new = replace(new, error=None if _was_complete(old) else old.error)
    return Judged(record, old, new, task=task_hash(task, suite.folder), upstream=upstream)


def _ended_for_harm(attempt: Attempt) -> bool:
    """Whether the attempt was cut short, and is graded for the harm alone."""
    if attempt.end.ending != BROKEN:
        return attempt.end.ending == "violation"
    every_time = attempt.end.broke is not None and attempt.end.broke.control
    return attempt.result is Outcome.VIOLATION and not every_time


def _still_ends(attempt: Attempt) -> bool:
    if attempt.verdict is None:
        return False
    if attempt.end.ending == BROKEN:
        return attempt.verdict.harmed
    return any(violation.ends_episode for violation in attempt.verdict.violations)


def _was_complete(attempt: Attempt) -> bool:
    """Whether only its checks had failed, so that nothing of its error is left when they no longer do."""
    return attempt.verdict is None and attempt.end.ending != BROKEN


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
