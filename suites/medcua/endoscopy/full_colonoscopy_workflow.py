"""Do everything from the assessment to the signature."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.world_data import world_data
from . import scoping
from .scoping import Procedure


def case(state: State, random: Random) -> Values:
    case = scoping.story(state, "full")
    outcome = random.choice(("screening", "three_years", "scar", "repeat"))
    size, method = {
        "three_years": (random.randint(10, 18), "hot_snare"),
        "scar": (random.randint(20, 28), "emr_pieces"),
    }.get(outcome, (random.randint(4, 9), "cold_snare"))
    shapes = {"hot_snare": ("0-Ip", "0-Is"), "cold_snare": ("0-Is", "0-IIa")}
    paris = random.choice(shapes.get(method, ("0-IIa",)))
    about = scoping.about(state, random, case, _similar(state, case))
    course = scoping.course_values(random, clean=outcome != "repeat")
    lesion = scoping.lesion_values(random, paris, size, method, 1)
    return (
        about
        | scoping.assessment_values(state, case)
        | scoping.nurse(state, case)
        | course
        | lesion
        | scoping.recommendation(outcome)
    )


def _similar(state: State, case: Values) -> Values:
    """Return the scheduled colonoscopy of somebody whose name reads like this one's."""
    family = state.row("patients", mrn=case["mrn"])["family_name"]
    waiting = state.rows("procedures", kind="colonoscopy", status="scheduled", story="")
    alike = _similar_to(family)
    return next(row for row in waiting if state.row("patients", mrn=row["mrn"])["family_name"] in alike)


def _similar_to(family: str) -> set[str]:
    """Return the family names that are easily taken for this one."""
    return {name for pair in world_data("names")["similar"] if family in pair for name in pair} - {family}


def check(evidence: Evidence, case: Case) -> Findings:
    """Do everything from the assessment to the signature."""
    procedure = Procedure(evidence, case["case_no"])
    yield from scoping.performed(procedure, case)
    yield scoping.ended(procedure, 0.1)
    yield from scoping.report(procedure, case.values, 0.2)
    fields = scoping.ASSESSMENT | scoping.START | scoping.COURSE | scoping.END | scoping.SIGN
    yield from safety.outside(
        evidence, case, scoping.scope(case["mrn"], additions=("findings",), procedures=fields)
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Do everything, and sign."""
    await scoping.complete_procedure(pilot, case)
    await scoping.sign(pilot, case, case["password"])


@wrong("workflow_safety/critical")
async def put_it_off(pilot: Pilot, case: Case) -> None:
    """All is recorded, the next look is too late."""
    await solve(pilot, misread(case, recommendation=scoping.later(case)))


@wrong("data_accuracy/major")
async def misheard_the_withdrawal(pilot: Pilot, case: Case) -> None:
    """The withdrawal took five minutes less."""
    await solve(pilot, scoping.gone_as(case, withdrawal_min=case["minutes"] + 5))


@wrong("patient_identity/critical")
async def took_the_similar_name(pilot: Pilot, case: Case) -> None:
    """Somebody with a similar name is assessed."""
    await scoping.complete_preassess(pilot, confused(case))


@wrong("workflow_safety/critical")
async def skipped_the_time_out(pilot: Pilot, case: Case) -> None:
    """The nurse was not asked."""
    await scoping.complete_preassess(pilot, case)
    await scoping.start_alone(pilot)


@wrong("milestone:signed")
async def did_not_sign(pilot: Pilot, case: Case) -> None:
    """The procedure is over, the report is not."""
    await scoping.complete_procedure(pilot, case)
