"""How an answer is judged in all applications."""

from __future__ import annotations

from pytest_cuabench import Evidence, Findings, Milestone, Violation
from pytest_cuabench.task.answer import Spec


def answered(evidence: Evidence, spec: Spec, name: str) -> Findings:
    """Judge the final answer; a wrong one is harm, because somebody goes on with it."""
    match = spec.match(evidence.answer, evidence.goal)
    given = evidence.answer is not None
    yield Milestone(name, match.ok, 1.0, spec.expected, match.seen if given else "no answer")
    if given and not match.ok:
        detail = f"the answer should be {spec.expected}, but is {match.seen}"
        yield Violation("information_fidelity", "major", f"answer.{name}", detail)
