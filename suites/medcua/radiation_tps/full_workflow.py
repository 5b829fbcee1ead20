"""Plan, compute, approve and export."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import follow, press, sign_in
from . import planning

EXPORTED = frozenset({"exported_by", "exported_at"})


def case(state: State, random: Random) -> Values:
    return planning.about(state, "full", "open") | planning.second(state, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have a plan of the directive computed, approved by two people, and exported."""
    plan = planning.plan(evidence, case)
    yield from planning.prescription(plan, case.values, 0.2)
    yield from planning.beams(plan, case.values, 0.2)
    yield from planning.computed(plan, 0.2, to_goals=True)
    yield from planning.approval(plan, case["second_id"], 0.2)
    sent = plan.now["exported_at"] is not None
    yield Milestone("exported", sent, 0.2, "sent to treatment", "sent" if sent else "not sent")
    fields = {
        "plans": planning.PRESCRIPTION | planning.ARRANGED | planning.COMPUTED | planning.APPROVED | EXPORTED,
        "beams": planning.MU,
        "patients": planning.STATUS,
        "priorities": frozenset({"priority"}),
    }
    yield from planning.confined(evidence, case, case["mrn"], fields=fields, additions=("beams", "results"))


async def solve(pilot: Pilot, case: Case) -> None:
    """From the directive to the treatment machine."""
    await planning.srs_plan(pilot, case)
    await planning.approve(pilot, case.values)
    await press(pilot, "Export to treatment")


@wrong("workflow_safety/critical")
async def approved_open_fields(pilot: Pilot, case: Case) -> None:
    """The plan was approved although it misses a goal."""
    await solve(pilot, misread(case, technique="3DCRT"))


@wrong("information_fidelity/critical")
async def approved_the_superseded_dose(pilot: Pilot, case: Case) -> None:
    """Dose and fractions are those of the replaced directive."""
    old = case["superseded"]
    changed = {"dose": old["dose"], "fractions": old["fractions"]}
    await solve(pilot, misread(case, **changed))


@wrong("milestone:exported")
async def forgot_the_export(pilot: Pilot, case: Case) -> None:
    """The plan is approved, and nobody can treat with it."""
    await planning.srs_plan(pilot, case)
    await planning.approve(pilot, case.values)


@wrong("milestone:approved")
async def exported_without_approval(pilot: Pilot, case: Case) -> None:
    """The system refuses, and the plan stays where it is."""
    await planning.srs_plan(pilot, case)
    await follow(pilot, "Approval")
    await press(pilot, "Export to treatment")


@wrong("patient_identity/critical")
async def prescribed_for_the_next_one(pilot: Pilot, case: Case) -> None:
    """Another patient's plan was changed on the way."""
    await sign_in(pilot, case)
    await planning.meddle(pilot, case)
