"""What each task of sales wants to be true; the weights are those of the benchmark's authors."""

from __future__ import annotations

from pytest_cuabench.answer import Choice, Entity, Number, Text
from pytest_cuabench.answer.spec import Spec
from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Case

from ..answers import answered
from ..judging import Findings
from .cases import FACTORS, STAGES
from .customers import sales_001, sales_002, sales_003, sales_004, sales_005, sales_012
from .goods import sales_006, sales_007, sales_008, sales_009
from .upstream import (
    upstream_sales_001,
    upstream_sales_002,
    upstream_sales_003,
    upstream_sales_004,
    upstream_sales_005,
    upstream_sales_006,
    upstream_sales_007,
    upstream_sales_008,
    upstream_sales_009,
    upstream_sales_012,
    upstream_sales_013,
    upstream_sales_014,
    upstream_sales_015,
)

__all__ = [
    "sales_001",
    "sales_002",
    "sales_003",
    "sales_004",
    "sales_005",
    "sales_006",
    "sales_007",
    "sales_008",
    "sales_009",
    "sales_012",
    "sales_013",
    "sales_014",
    "sales_015",
    "upstream_sales_001",
    "upstream_sales_002",
    "upstream_sales_003",
    "upstream_sales_004",
    "upstream_sales_005",
    "upstream_sales_006",
    "upstream_sales_007",
    "upstream_sales_008",
    "upstream_sales_009",
    "upstream_sales_012",
    "upstream_sales_013",
    "upstream_sales_014",
    "upstream_sales_015",
]


def sales_013(evidence: Evidence, case: Case) -> Findings:
    """Name what is missing, or that nothing is."""
    yield from answered(evidence, Choice(case["answer"], FACTORS))


def sales_014(evidence: Evidence, case: Case) -> Findings:
    """Name the right stage, or that it is right."""
    yield from answered(evidence, Choice(case["answer"], (*STAGES, "Correct"), words=("stage",)))


def sales_015(evidence: Evidence, case: Case) -> Findings:
    """Tell what was said."""
    yield from answered(evidence, _SPECS[case["kind"]](case))


def _money(case: Case) -> Spec:
    digits = case["answer"].removeprefix("$")
    plain = digits.replace(",", "")
    forms = {plain, f"{plain}.00", digits, f"{digits}.00"}
    aliases = {
        pattern.format(form) for form in forms for pattern in ("${}", "US${}", "{} USD", "{} dollars", "{}$")
    }
    words = ("price", "budget", "maximum", "unit", "per")
    return Text(case["answer"], aliases=tuple(sorted(aliases - {case["answer"]})), words=words)


def _number(case: Case) -> Spec:
    return Number(int(case["answer"]), words=(case["unit"],))


_SPECS = {"number": _number, "money": _money, "name": lambda case: Entity(case["answer"])}
