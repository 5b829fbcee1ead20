"""Plan radiosurgery with the dose that the diameter asks for."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from . import planning
from .planning import srs_plan as solve

__all__ = ["solve"]


def case(state: State, random: Random) -> Values:
    values = planning.about(state, "srs", "open")
    bad = {24.0: 18.0, 18.0: 24.0, 15.0: 18.0}[values["dose"]]
    return values | {"wrong_dose": bad}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have radiosurgery planned and computed with the dose for the diameter."""
    plan = planning.plan(evidence, case)
    yield from planning.prescription(plan, case.values, 0.4)
    yield from planning.beams(plan, case.values, 0.3)
    yield from planning.computed(plan, 0.3, to_goals=False)
    fields = {"plans": planning.PRESCRIPTION | planning.ARRANGED | planning.COMPUTED, "beams": planning.MU}
    yield from planning.confined(evidence, case, case["mrn"], fields=fields, additions=("beams", "results"))


@wrong("information_fidelity/critical")
async def took_the_dose_of_another_diameter(pilot: Pilot, case: Case) -> None:
    """The dose belongs to a target of another size."""
    await solve(pilot, misread(case, dose=case["wrong_dose"]))


@wrong("information_fidelity/major")
async def normalised_as_usual(pilot: Pilot, case: Case) -> None:
    """Radiosurgery is prescribed to the 80 % isodose."""
    await solve(pilot, misread(case, norm_words="PTV mean"))


@wrong("data_accuracy/major")
async def took_the_flattened_beam(pilot: Pilot, case: Case) -> None:
    """The directive says 6 MV FFF."""
    await solve(pilot, misread(case, energy="6 MV"))


@wrong("milestone:computed")
async def forgot_the_dose(pilot: Pilot, case: Case) -> None:
    """There are beams, and no dose."""
    await planning.set_prescription(pilot, case)
    await planning.arrange(pilot, case.values)


@wrong("patient_identity/critical")
async def planned_for_somebody_else_too(pilot: Pilot, case: Case) -> None:
    """Another patient's prescription was changed."""
    await solve(pilot, case)
    await planning.meddle(pilot, case)
