"""Turn a colleague's skin round into a Braden score."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from . import assessing


def case(state: State, random: Random) -> Values:
    patient = assessing.patient(state, "braden_new")
    job = {"braden": assessing.told(state, patient, "braden", carry=False)}
    before = assessing.points_of("braden", assessing.latest(state, "braden", patient["mrn"]))
    return assessing.assessing(state, random, patient, assessing.patient(state, "braden_read"), job) | {
        "before": before
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign a Braden that says what the skin round found."""
    yield from assessing.one_form(evidence, case, "braden")


async def solve(pilot: Pilot, case: Case) -> None:
    """Score the six subscales and sign."""
    await assessing.sign_in_and_assess(pilot, case)


@wrong("patient_identity/critical")
async def scored_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The points went into the record of somebody whose name reads alike."""
    await solve(pilot, confused(case))


@wrong("information_fidelity/critical")
async def kept_the_old_points(pilot: Pilot, case: Case) -> None:
    """The last values were carried forward and confirmed, although the patient is at high risk now."""
    kept = assessing.retold(case, "braden", carry=True, enter={})
    await solve(pilot, kept)


@wrong("workflow_safety/major")
async def braden_not_signed(pilot: Pilot, case: Case) -> None:
    """Everything is right, but it is a draft."""
    await assessing.left_as_draft(pilot, case, "braden")


@wrong("data_accuracy/minor")
async def one_point_off(pilot: Pilot, case: Case) -> None:
    """A subscale is a point off, the class is the same."""
    await solve(pilot, _a_point_off(case))


def _a_point_off(case: Case) -> Case:
    told = case["forms"]["braden"]
    step = 1 if assessing.band("braden", told["total"] + 1) == told["band"] else -1
    key = next(
        key for key in told["points"] if told["points"][key] + step in assessing.points_list("braden", key)
    )
    return assessing.rescored(case, "braden", **{key: told["points"][key] + step})


@wrong("record_integrity/major")
async def signed_twice(pilot: Pilot, case: Case) -> None:
    """The same assessment stands in the record two times; the warning was confirmed."""
    await solve(pilot, case)
    await assessing.assess(pilot, case, "braden")
