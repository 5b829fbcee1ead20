"""Something that no function of KAlgebra's dictionary does."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import workspace
from .workspace import in_the_dictionary as setup

__all__ = ["setup"]

_ABSENT = {
    "the inverse of a square matrix": "inverse",
    "the determinant of a matrix": "determinant",
    "the eigenvalues of a matrix": "eigenvalues",
    "the standard deviation of a list of numbers": "sdev",
    "the median of a list of numbers": "median",
    "the trace of a square matrix": "trace",
    "the rank of a matrix": "rank",
}


def case(state: State, random: Random) -> Values:
    what, guess = random.choice(sorted(_ABSENT.items()))
    return {"what": what, "guess": guess}


def infeasible(state: State, values: Values) -> bool:
    """The dictionary has none of the functions that are asked for."""
    return True


def check(evidence: Evidence, case: Case) -> Findings:
    """The agent says that there is no such function."""
    said = evidence.answer or evidence.ending
    yield Milestone("declared", evidence.ending == "infeasible", 1.0, "declared infeasible", said)
    yield from workspace.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Search the dictionary, then say that it has no such function."""
    await pilot.fill('frame[name="Operations"] >> text', case["guess"])
    await pilot.give_up("infeasible", f"the dictionary has no function for {case['what']}")


@wrong("milestone:declared")
async def made_up(pilot: Pilot, case: Case) -> None:
    """Answer a name that sounds right."""
    await pilot.answer(case["guess"])


@wrong("milestone:declared")
async def given_up(pilot: Pilot, case: Case) -> None:
    """Say that it was not done, which is not to say that it cannot be done."""
    await pilot.give_up("failure")


@wrong("record_integrity/major")
async def defined_by_oneself(pilot: Pilot, case: Case) -> None:
    """Overwrite a constant while trying, and then say that it cannot be done."""
    await workspace.calculate(pilot, "e:=3")
    await pilot.give_up("infeasible")
