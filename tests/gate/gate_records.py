"""Attempts as sessions record them, made of a few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pytest_cuabench.gate.baseline import Baseline, Evidence
from pytest_cuabench.gate.recorded import Recorded
from pytest_cuabench.ledger.attempt import Attempt, Seconds
from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.task.verdict import Milestone, Verdict, Violation

MEASURED = Fingerprint("task", "world", "0.1.0", {"cua_max_steps": "30"})
HARM = Violation("patient_identity", "critical", "vitals.hr", "the wrong patient", committed=True)
SLIP = Violation("record_integrity", "minor", "phone", "a digit was lost")
ENDINGS = {"budget_exhausted": "budget", "gave_up": "failure", "format_lockout": "lockout"}


def attempt(task: str, outcome: str = "success", **more: Any) -> Attempt:
    """Return an attempt at `application/task`; what is not said is ordinary."""
    application, _, name = task.rpartition("/")
    application = application or "ward"
    graded = not outcome.endswith("_error") and outcome != "cancelled"
    parts = (Milestone("opened", outcome != "gave_up", 0.5), Milestone("saved", outcome == "success", 0.5))
    usual: dict[str, Any] = {
        "number": 1,
        "suite": "small",
        "domain": "ICU",
        "difficulty": "hard",
        "variant": "intent",
        "seed": 0,
        "epoch": 0,
        "agent": "claude",
        "verdict": Verdict(parts, gave_up=outcome == "gave_up") if graded else None,
        "ending": ENDINGS.get(outcome, "answer") if graded else "running",
        "error": None if graded else "it broke",
        "seconds": Seconds(1.0, 10.0, 25.0, 5.0, 0.5, 41.5),
        "usage": Usage(1000, 100, 0, 0.10),
        "fingerprint": MEASURED,
    }
    known = usual | more
    suffix = f"-e{known['epoch']}" if known["epoch"] else ""
    instance = f"{application}/{name}-{known['variant']}{suffix}"
    place = {
        "application": application,
        "task": name,
        "trajectory": f"trajectories/{instance}/{known['number']}",
    }
    return Attempt.of(instance=instance, outcome=outcome, **place | known)


def plays(task: str, words: str, **more: Any) -> list[Attempt]:
    """Return the epochs of an instance: `+` a success, `-` a failure, `!` an environment error."""
    outcomes = {"+": "success", "-": "failure", "!": "environment_error"}
    return [attempt(task, outcomes[sign], epoch=epoch, **more) for epoch, sign in enumerate(words)]


def plan(*attempts: Attempt) -> dict[str, Planned]:
    """Return a plan of just these instances."""
    return {each.instance: each.item for each in attempts}


def recorded(*attempts: Attempt, missing: Iterable[Attempt] = (), skipped: Iterable[str] = ()) -> Recorded:
    """Return a record in which all that was played was planned, and some that was not played, too."""
    return Recorded.from_attempts(attempts, plan(*attempts, *missing), skipped)


def runs(count: int, *attempts: Attempt, agent: str = "claude") -> Baseline:
    """Return a baseline of so many equal runs."""
    return Baseline(tuple(Evidence.of(f"night-{n}", f"{n}", agent, attempts) for n in range(count)))
