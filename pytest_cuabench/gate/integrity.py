"""Integrity checks of a run's record, before anything is concluded from it.

fail           a contradiction, a wrong signature, or a missing one where signatures are required
inconclusive   a gap: an unknown value, a line that is not a record, a regrade that cannot be verified, a ledger
               that was not closed where signatures are required
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.gate.recorded import Recorded
from pytest_cuabench.ledger import signing
from pytest_cuabench.ledger.history import history
from pytest_cuabench.ledger.inspection import Ledger, Problem, read_ledger
from pytest_cuabench.ledger.lines import ABOUT, LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.regrade import unexplained
from pytest_cuabench.ledger.signing import CLOSED, SIGNED, Key
from pytest_cuabench.settings import KEY_VARIABLE
from pytest_cuabench.task.text import many

_MOST = 200  # findings shown at most
_RECORD = "the record"


@dataclass(frozen=True, slots=True)
class Checked:
    """A run's record and the findings on it."""

    recorded: Recorded
    findings: tuple[Finding, ...]
    counts: Mapping[str, Any]


def check_record(
    run: Run, key: Key | None, suites: Mapping[str, Path], *, require_signed: bool = False
) -> Checked:
    """Read a run and check its record.

    Raises:
        SettingError: Signatures are required, and there is no key.
    """
    if require_signed and key is None:
        raise SettingError(NO_KEY)
    ledger = read_ledger(run.folder)
    flaws = list(_flaws(ledger, key, run, require_signed=require_signed))
    verified = key is not None and _is_signed(ledger) and not flaws
    problems = [*ledger.problems, *history(ledger, run), *flaws]
    if not verified:  # a valid signature also vouches for regrades
        problems += unexplained(run, ledger.entries, suites)
    counts = {**count(ledger, run), "signed": _signed(ledger, key, flaws)}
    findings = [_finding(problem) for problem in sorted(problems, key=lambda problem: problem.line)]
    return Checked(Recorded.read(ledger, run), (*_most(findings), _summary(counts)), counts)


NO_KEY = (
    "the gate requires signatures (require_signed), but there is no key to verify them; "
    f"type: export {KEY_VARIABLE}=..."
)


def count(ledger: Ledger, run: Run) -> dict[str, int]:
    """Count a run's attempts, retries, regrades and sessions."""
    about = run.about()
    parts = about.get("merged") or [about]
    instances = {entry.first.item.instance for entry in ledger.entries}
    return {
        "attempts": len(ledger.entries),
        "instances": len(instances),
        "replayed": len(ledger.entries) - len(instances),
        "regraded": sum(bool(entry.regrades) for entry in ledger.entries),
        "resumed": sum(len(part.get("resumed", ())) for part in parts),
        "merged": len(about.get("merged", ())),
        "cut": ledger.cut,
    }


def _summary(counts: Mapping[str, Any]) -> Finding:
    words = [
        f"{many(counts['attempts'], 'attempt')} at {many(counts['instances'], 'instance')}",
        f"{counts['replayed']} retried",
        f"{counts['regraded']} regraded",
        f"resumed {many(counts['resumed'], 'time')}",
    ]
    words += [f"merged from {many(counts['merged'], 'run')}"] if counts["merged"] else []
    words += [f"{many(counts['cut'], 'line')} cut short by a crash"] if counts["cut"] else []
    return Finding(
        "ledger", _RECORD, Decision.PASS, f"Record: {', '.join(words)}; {counts['signed']}.", counts
    )


def _finding(problem: Problem) -> Finding:
    decision = Decision.FAIL if problem.contradiction else Decision.INCONCLUSIVE
    subject = f"line {problem.line}" if problem.line else _RECORD
    return Finding("ledger", subject, decision, f"{problem.sentence(Path(LEDGER))}.", {"line": problem.line})


def _most(findings: list[Finding]) -> Iterator[Finding]:
    """Yield the worst findings, and the number of further ones."""
    worst = sorted(findings, key=lambda finding: finding.decision is not Decision.FAIL)
    yield from worst[:_MOST]
    if len(worst) > _MOST:
        words = f"{LEDGER} has {len(worst) - _MOST} more problems."
        yield Finding("ledger", _RECORD, worst[_MOST].decision, words)


# Signatures


def _flaws(ledger: Ledger, key: Key | None, run: Run, *, require_signed: bool) -> Iterator[Problem]:
    if key is None or not (require_signed or _is_signed(ledger)):
        return
    for flaw in signing.flaws(ledger.lines, key, run.folder / ABOUT):
        yield Problem(flaw.line, flaw.words, contradiction=not flaw.open, record=False)


def _is_signed(ledger: Ledger) -> bool:
    return signing.is_signed(ledger.lines)


def _signed(ledger: Ledger, key: Key | None, flaws: list[Problem]) -> str:
    """Describe whether the ledger is signed, and how many of its sessions were closed."""
    if not _is_signed(ledger):
        return "not signed"
    if key is None:
        return f"signed, but not verified: {KEY_VARIABLE} is not set"
    if flaws:
        return "invalid signatures"
    records = [line.record for line in ledger.lines if line.record is not None]
    sessions = {str(record[SIGNED]["by"]).partition(".")[0] for record in records}
    closed = {
        str(record[SIGNED]["by"]).partition(".")[0] for record in records if record.get("type") == CLOSED
    }
    return f"signed by {many(len(sessions), 'session')}, {len(closed)} of them closed"
