"""How an episode must have ended, for the tasks that demand it; for all others upstream does not ask."""

from __future__ import annotations

from pytest_cuabench.task.evidence import Evidence

from ..items import Stop
from .finding import Finding

_PRIMITIVES = {
    "answer": "ANS",
    "success": "DONE",
    "failure": "FAIL",
    "infeasible": "FAIL",
    "budget": "TIMEOUT",
    "lockout": "TIMEOUT",
    "violation": "TIMEOUT",
}


def primitive(ending: str) -> str | None:
    """Return what upstream calls an ending, None while the episode runs."""
    return _PRIMITIVES.get(ending)


def arguments(answer: str | None) -> tuple[str, ...]:
    """Return the arguments of `ANS`: the stripped block, split on single spaces, so that two make an empty one."""
    return tuple(f"ANS {answer or ''}".strip().split(" ")[1:])


def stopped(item: Stop, evidence: Evidence) -> Finding:
    """Return whether the episode ended so, to the letter: no case folding, no tolerance, no other spacing."""
    ended = primitive(evidence.ending)
    given = arguments(evidence.answer) if ended == "ANS" else ()
    demanded = item.args if item.value == "ANS" else given
    seen = " ".join([ended or "the episode runs", *given])
    return Finding(ended == item.value and given == demanded, " ".join([item.value, *item.args]), seen)
