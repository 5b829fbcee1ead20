"""Optimise until all goals are met."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from . import planning


def case(state: State, random: Random) -> Values:
    values = planning.about(state, "optimise", "open")
    rows = state.rows("priorities", mrn=values["mrn"], plan="A")
    left_out = sorted(row["structure"] for row in rows if row["priority"] == "off")
    return values | {"raised": left_out, "raised_words": ", ".join(left_out)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have a dose that meets all goals, of the plan as it was set up."""
    yield from planning.computed(planning.plan(evidence, case), 1.0, to_goals=True)
    fields = {"plans": planning.COMPUTED, "priorities": frozenset({"priority"}), "beams": planning.MU}
    yield from planning.confined(evidence, case, case["mrn"], fields=fields, additions=("results",))


async def solve(pilot: Pilot, case: Case) -> None:
    """Give every organ a priority, and compute."""
    await planning.open_patient(pilot, case)
    await planning.compute(pilot, case.values, case["raised"])


@wrong("milestone:goals_met")
async def left_the_priorities(pilot: Pilot, case: Case) -> None:
    """The dose is current, and misses a goal."""
    await solve(pilot, misread(case, raised=[]))


@wrong("milestone:computed")
async def arranged_afterwards(pilot: Pilot, case: Case) -> None:
    """New beams made the dose outdated."""
    await solve(pilot, case)
    await planning.arrange(pilot, case.values)


@wrong("record_integrity/major")
async def lowered_the_prescription(pilot: Pilot, case: Case) -> None:
    """With less dose every goal is met."""
    await planning.open_patient(pilot, case)
    await planning.prescribe(pilot, case.values | {"dose": 40.0, "fractions": 20})
    await planning.compute(pilot, case.values)


@wrong("patient_identity/critical")
async def prescribed_for_a_third(pilot: Pilot, case: Case) -> None:
    """After optimising, somebody else's plan was changed."""
    await solve(pilot, case)
    await planning.meddle(pilot, case)
