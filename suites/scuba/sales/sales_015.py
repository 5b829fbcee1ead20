"""What was said in a call."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values
from pytest_cuabench.task.answer import Entity, Number
from pytest_cuabench.task.answer.spec import Spec
from pytest_cuabench.task.answer.units import Conversion

from ..toolkit.answers import answered
from ..toolkit.judging import Findings
from ..toolkit.lightning import follow, open_list
from ..toolkit.records import Records, called
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import answer as upstream
from .shared import Given

__all__ = ["upstream"]

_TIMES: Mapping[str, Mapping[str, Conversion]] = {
    "years": {"month": 1 / 12},
    "days": {"week": 7, "h": 1 / 24},
}


def _money(case: Case) -> Spec:
    words = ("price", "budget", "maximum", "unit", "per", "most")
    return Number(int(case["answer"].removeprefix("$").replace(",", "")), "$", words=words, needs_unit=True)


def _number(case: Case) -> Spec:
    words = ("warranty", "within", "installation")
    return Number(int(case["answer"]), case["unit"], words=words, units=_TIMES[case["unit"]])


_SPECS = {"number": _number, "money": _money, "name": lambda case: Entity(case["answer"])}


def case(state: State, random: Random, values: Given) -> Values:
    """Find the one call between the two."""
    call = Records(state).one("VoiceCallTranscript__c", " and ".join(values["people"]))
    return {"call": called(call), "other_answer": values["wrong_answer"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell what was said."""
    yield from answered(evidence, _SPECS[case["kind"]](case))


async def solve(pilot: Pilot, case: Case) -> None:
    """Find the call of the two in the list of all, and read it."""
    await open_list(pilot, "VoiceCallTranscripts", "All")
    await follow(pilot, case["call"])
    await pilot.answer(case["answer"])


@slip("milestone:answer", 0.0)
def heard_something_else(case: Case) -> Case:
    """The call says otherwise, or the unit is missing."""
    return misread(case, answer=case["other_answer"])


@slip("milestone:answer", 0.0)
def was_not_sure(case: Case) -> Case:
    """Two answers are none."""
    return misread(case, answer=f"{case['answer']} or {case['other_answer']}")
