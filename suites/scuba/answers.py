"""Questions: the answer is typed and nothing in the org is to be changed."""

from __future__ import annotations

from pytest_cuabench.answer.spec import Match, Spec
from pytest_cuabench.evidence import Evidence
from pytest_cuabench.verdict import Milestone

from .judging import Findings, Work


def answered(evidence: Evidence, spec: Spec) -> Findings:
    """Judge an answer, and whatever was changed on the way to it."""
    match = spec.match(evidence.answer)
    yield from judged_answer(evidence, match, spec.expected)


def judged_answer(evidence: Evidence, match: Match, expected: str) -> Findings:
    """Yield the one milestone of a question, and what was changed."""
    yield Milestone("answer", match.ok, 1.0, expected, match.seen)
    yield from Work(evidence.before, evidence.after, evidence.changes).unasked()
