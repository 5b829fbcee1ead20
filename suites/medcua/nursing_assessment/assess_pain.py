"""Chart what a patient says about the pain."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from . import assessing


def case(state: State, random: Random) -> Values:
    patient = assessing.patient(state, "pain_new")
    rest = random.randint(0, 6)
    points = {"rest": rest, "movement": random.randint(rest + 2, 10)}
    where = random.choice(
        [each for each in _options("pain", "location") if each.startswith(("Right", "Left"))]
    )
    kind = random.choice(_options("pain", "quality"))
    job = {"pain": assessing.form_values("pain", points, {"location": where, "quality": kind})}
    words = {"rest": rest, "movement": points["movement"], "where": where.lower(), "kind": kind.lower()}
    return assessing.assessing(state, random, patient, assessing.patient(state, "planned"), job) | words


def _options(form: str, field: str) -> list[str]:
    """Return what a field that is not scored offers."""
    found: list[str] = next(
        entry["options"] for entry in assessing.scale(form)["details"] if entry["key"] == field
    )
    return found


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign a pain score that says what the patient told."""
    yield from assessing.one_form(evidence, case, "pain")


async def solve(pilot: Pilot, case: Case) -> None:
    """Chart both scores, place and kind, and sign."""
    await assessing.sign_in_and_assess(pilot, case)


@wrong("patient_identity/critical")
async def charted_on_the_namesake(pilot: Pilot, case: Case) -> None:
    """The family name is the same."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def took_the_other_side(pilot: Pilot, case: Case) -> None:
    """Left and right are mixed up."""
    told = case["forms"]["pain"]["enter_details"]
    side, part = told["location"].split(" ", 1)
    other = f"{'Left' if side == 'Right' else 'Right'} {part}"
    await solve(pilot, assessing.retold(case, "pain", enter_details=told | {"location": other}))


@wrong("milestone:rest")
async def turned_the_scores_around(pilot: Pilot, case: Case) -> None:
    """Rest and movement have each other's score."""
    points = case["forms"]["pain"]["points"]
    turned = assessing.rescored(case, "pain", rest=points["movement"], movement=points["rest"])
    await solve(pilot, turned)


@wrong("data_accuracy/minor")
async def left_the_kind_out(pilot: Pilot, case: Case) -> None:
    """What the pain feels like is blank."""
    told = case["forms"]["pain"]["enter_details"]
    await solve(pilot, assessing.retold(case, "pain", enter_details={"location": told["location"]}))
