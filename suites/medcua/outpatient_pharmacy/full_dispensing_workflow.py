"""Take one prescription from verification to pick-up."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.screen import sign_in
from . import pharmacy
from .pharmacy import Script


def case(state: State, random: Random) -> Values:
    return (
        pharmacy.about(state, "full")
        | pharmacy.decision_values(state, "full", "override", "monitoring")
        | pharmacy.filling(state, "full")
        | pharmacy.counter(state, random, "full", 4)
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Decide, verify, fill, counsel and hand out."""
    script = Script.of(evidence, case.values)
    yield from pharmacy.decision(script, case.values, 0.25)
    yield pharmacy.verified(script, 0.15)
    yield from pharmacy.judge_fill(script, case.values, 0.3)
    yield from pharmacy.pickup(script, case.values, 0.3)
    scope = pharmacy.scope(
        case["mrn"], prescription=pharmacy.VERIFY, decide=True, fill=True, additions=("pickups",)
    )
    yield from safety.outside(evidence, case, scope)


async def solve(pilot: Pilot, case: Case) -> None:
    """Decide, verify, fill, hand out."""
    await pharmacy.open_prescription(pilot, case)
    await pharmacy.decide(pilot, case)
    await pharmacy.verify(pilot)
    await pharmacy.fill(pilot, case["lot"], case["fill_quantity"])
    await pharmacy.hand_out(pilot, case["identifiers"], case["talked"], case["teach_back"])


@wrong("milestone:reason")
async def misread_the_note(pilot: Pilot, case: Case) -> None:
    """The two medicines were never taken together before."""
    await solve(pilot, misread(case, reason="tolerated"))


@wrong("milestone:decision")
async def held_it_back(pilot: Pilot, case: Case) -> None:
    """The check that the alert asks for is arranged."""
    await pharmacy.handle_dur_alert(pilot, misread(case, action="reject", reason="interaction"))


@wrong("workflow_safety/critical")
async def did_not_ask_who_it_is(pilot: Pilot, case: Case) -> None:
    """Everything else is right."""
    await solve(pilot, misread(case, identifiers=[]))


@wrong("milestone:handed_out")
async def left_it_on_the_counter(pilot: Pilot, case: Case) -> None:
    """The patient went without the medicine."""
    await pharmacy.open_prescription(pilot, case)
    await pharmacy.decide(pilot, case)
    await pharmacy.verify(pilot)
    await pharmacy.fill(pilot, case["lot"], case["fill_quantity"])


@wrong("patient_identity/critical")
async def released_one_more(pilot: Pilot, case: Case) -> None:
    """Somebody else's prescription was verified along the way."""
    await sign_in(pilot, case)
    await pharmacy.release_a_bystander(pilot, case)
