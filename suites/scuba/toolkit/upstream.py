"""How the benchmark's authors score, for comparison: records found by name, the first of several, nothing else seen."""

from __future__ import annotations

import re
from collections import Counter

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.verdict import Milestone

from .judging import Findings
from .records import Row

_ARTICLES = frozenset({"a", "an", "the"})


def fact(name: str, weight: float, reached: bool, seen: object = "") -> Milestone:
    """Return a milestone of theirs."""
    return Milestone(name, bool(reached), weight, name.replace("_", " "), str(seen))


def first(rows: list[Row]) -> Row:
    """Return the first of several records, or one without any fields."""
    return rows[0] if rows else {}


def answer(evidence: Evidence, case: Case) -> Findings:
    """Score an answer by its words in common with the truth, where it holds the truth letter by letter."""
    truth, said = str(case["answer"]), evidence.answer or ""
    score = _overlap(_words(truth), _words(said)) if truth in said else 0.0
    yield fact("answer", score, score > 0, said)
    if score < 1:
        yield fact("answer_in_full", 1 - score, False, said)


def _words(text: str) -> list[str]:
    return [word for word in re.sub(r"[^\w\s]", " ", text.lower()).split() if word not in _ARTICLES]


def _overlap(truth: list[str], said: list[str]) -> float:
    common = sum((Counter(truth) & Counter(said)).values())
    return 2 * common / (len(truth) + len(said)) if common else 0.0
