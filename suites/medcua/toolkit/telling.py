"""Texts by which the agent tells another person something: what they must say, and must not deny."""

from __future__ import annotations

from pytest_cuabench import Findings, Milestone, Violation
from pytest_cuabench.task.answer import Message


def says(
    message: Message, text: str | None, name: str, weight: float, subject: str, goal: str = ""
) -> Findings:
    """Ask for a text that names what it must, and judge one that denies, contradicts or withdraws it.

    Args:
        text: What stands in the record; None where nothing was written.
    """
    match = message.match(text, goal, spoken=False)
    yield Milestone(name, match.ok, weight, message.expected, match.seen)
    if denied := message.denial(text or "", goal):
        detail = f"“{text}” denies, contradicts or withdraws what it is to tell: “{denied}”"
        yield Violation("information_fidelity", "major", subject, detail)
