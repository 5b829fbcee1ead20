"""Score consciousness and pupils from what was seen."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from ..toolkit.world_data import world_data
from . import assessing

_COMA = (
    (4, 4, 6),
    (3, 4, 6),
    (3, 4, 5),
    (4, 0, 6),
    (3, 0, 5),
    (2, 2, 4),
    (3, 3, 5),
    (2, 2, 5),
    (3, 0, 6),
    (2, 2, 3),
)
_REACTIONS = ("Brisk", "Sluggish", "Absent")


def case(state: State, random: Random) -> Values:
    patient = assessing.patient(state, "gcs_new")
    eye, verbal, motor = random.choice(_COMA)
    points = {"eye": eye, "verbal": verbal, "motor": motor}
    right, left = random.sample(("2", "3", "4", "5"), 2)
    quick, slow = random.sample(_REACTIONS, 2)
    seen = {"right_size": right, "right_reaction": quick, "left_size": left, "left_reaction": slow}
    said = {key: random.choice(_finding("gcs", key, value)) for key, value in points.items()}
    job = {"gcs": assessing.form_values("gcs", points, seen)}
    pupils = f"right {right} mm with {_light(quick)}, left {left} mm with {_light(slow)}"
    return (
        assessing.assessing(state, random, patient, assessing.patient(state, "planned"), job)
        | said
        | {"pupils": pupils}
    )


def _light(reaction: str) -> str:
    return "no reaction to light" if reaction == "Absent" else f"a {reaction.lower()} reaction to light"


def _finding(form: str, item: str, value: int) -> list[str]:
    """Return the sentences that mean an option."""
    found: list[str] = world_data("nursing_assessment/findings")[form][item][str(value)]
    return found


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign a coma scale that says what was seen."""
    yield from assessing.one_form(evidence, case, "gcs")


async def solve(pilot: Pilot, case: Case) -> None:
    """Score the three responses and the pupils, and sign."""
    await assessing.sign_in_and_assess(pilot, case)


@wrong("patient_identity/critical")
async def scored_the_other_one(pilot: Pilot, case: Case) -> None:
    """The score went to another patient whose consciousness is watched."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def swapped_the_pupils(pilot: Pilot, case: Case) -> None:
    """Right and left as the nurse stands, not as the patient lies."""
    seen = case["forms"]["gcs"]["details"]
    turned = {
        f"{side}_{kind}": seen[f"{other}_{kind}"]
        for side, other in (("right", "left"), ("left", "right"))
        for kind in ("size", "reaction")
    }
    await solve(pilot, assessing.retold(case, "gcs", enter_details=turned))


@wrong("data_accuracy/minor")
async def left_the_pupils_out(pilot: Pilot, case: Case) -> None:
    """The pupils were told, but are blank."""
    await solve(pilot, assessing.retold(case, "gcs", enter_details={}))


@wrong("milestone:motor")
async def took_the_motor_response_for_another(pilot: Pilot, case: Case) -> None:
    """The best motor response is a point too low."""
    motor = case["forms"]["gcs"]["points"]["motor"]
    await solve(pilot, assessing.rescored(case, "gcs", motor=motor - 1))
