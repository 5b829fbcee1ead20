"""Questions: the answer is typed and nothing in the org is to be changed."""

from __future__ import annotations

from pytest_cuabench.task.answer.spec import Spec
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.verdict import Milestone

from .judging import Findings
from .work import Work


def answered(evidence: Evidence, spec: Spec) -> Findings:
    """Judge an answer, and whatever was changed on the way to it."""
    match = spec.match(evidence.answer, evidence.goal)
    yield Milestone("answer", match.ok, 1.0, spec.expected, match.seen)
    yield from Work.of(evidence).unasked()
