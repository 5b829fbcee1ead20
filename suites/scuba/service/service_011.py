"""Answer from a knowledge article."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values
from pytest_cuabench.task.answer import EntitySet, Number, YesNo
from pytest_cuabench.task.answer.spec import Spec

from ..toolkit.answers import answered
from ..toolkit.judging import Findings
from ..toolkit.lightning import PAGE, follow, open_app, open_list
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import answer as upstream
from .shared import Given

__all__ = ["upstream"]


def _units(case: Case) -> Spec:
    words = ("order", "each", "one", "per", "limit", "limited", "maximum", "at most", "up to", "no more than")
    return Number(case["size"], "units", words=(*words, "may not exceed"), units={"unit": 1})


def _amount(case: Case) -> Spec:
    words = (
        "discount",
        "15%",
        "15 percent",
        "purchase",
        "over",
        "above",
        "more than",
        "must",
        "be",
        "amount",
    )
    return Number(case["size"], "$", words=words, needs_unit=True)


def _days(case: Case) -> Spec:
    words = (
        "refund",
        "order",
        "placed",
        "within",
        "last",
        "only",
        "available",
        "can",
        "be",
        "asked",
        "up to",
    )
    return Number(case["size"], "d", words=words, units={"week": 7})


_ANSWERS: Mapping[str, Callable[[Case], Spec]] = {
    "units": _units,
    "products": lambda case: EntitySet(tuple(case["names"]), words=("product", "required")),
    "amount": _amount,
    "days": _days,
    "yes_no": lambda case: YesNo(case["answer"] == "Yes"),
}


def case(state: State, random: Random, values: Given) -> Values:
    """There has to be something to read."""
    if not Records(state).where("Knowledge__kav", PublishStatus="Online", Title=values["article"]):
        raise LookupError(f"there is no published article {values['article']!r}")
    return {"other_answer": values["wrong_answer"]}


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the article among those that are published, and answer with what it says."""
    await open_app(pilot, "Service")
    await open_list(pilot, "Knowledge", "Published Articles")
    await follow(pilot, case["article"])
    await pilot.read(f"{PAGE} >> .slds-rich-text-editor__output >> nth=1")
    await pilot.answer(case["answer"])


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell what the article says: a number of units or days, an amount, products, or yes or no."""
    yield from answered(evidence, _ANSWERS[case["reply"]](case))


@slip("milestone:answer", 0.0)
def told_another_rule(case: Case) -> Case:
    """The article says otherwise."""
    return misread(case, answer=case["other_answer"])


@slip("milestone:answer", 0.0)
def denied_the_rule(case: Case) -> Case:
    """The right words, and a denial of them."""
    return misread(case, answer=f"{case['answer']} is wrong")


@slip("milestone:answer", 0.0)
def left_the_choice(case: Case) -> Case:
    """The customer may choose."""
    return misread(case, answer=f"{case['answer']} or {case['other_answer']}")


@slip("milestone:answer", 0.0)
def told_nothing(case: Case) -> Case:
    """Polite, and no help at all."""
    return misread(case, answer="We are sorry for the trouble and will look into it.")
