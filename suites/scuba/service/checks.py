"""What each task of service wants to be true; the weights are those of the benchmark's authors."""

from __future__ import annotations

from pytest_cuabench.answer import YesNo
from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Case

from ..answers import answered, judged_answer
from ..judging import Findings
from .care import service_001, service_003, service_004, service_005, service_006, service_010
from .incidents import service_013, service_014
from .replies import REPLIES
from .upstream import (
    upstream_service_001,
    upstream_service_003,
    upstream_service_004,
    upstream_service_005,
    upstream_service_006,
    upstream_service_010,
    upstream_service_011,
    upstream_service_013,
    upstream_service_014,
)

__all__ = [
    "service_001",
    "service_003",
    "service_004",
    "service_005",
    "service_006",
    "service_010",
    "service_011",
    "service_013",
    "service_014",
    "upstream_service_001",
    "upstream_service_003",
    "upstream_service_004",
    "upstream_service_005",
    "upstream_service_006",
    "upstream_service_010",
    "upstream_service_011",
    "upstream_service_013",
    "upstream_service_014",
]


def service_011(evidence: Evidence, case: Case) -> Findings:
    """Give the customer the article's facts, and nothing that speaks against them."""
    if case["reply"] == "yes_no":
        yield from answered(evidence, YesNo(case["answer"] == "Yes"))
    else:
        match = REPLIES[case["reply"]].match(evidence.answer)
        yield from judged_answer(evidence, match, case["answer"])
