"""Settle the three things that are overdue for one patient."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.screen import open_record, sign_in
from . import ward
from .ward import Care


def case(state: State, random: Random) -> Values:
    patient = ward.case_row(state, "late")
    late = ward.overdue(state, patient["mrn"])
    pain, position = (next(row for row in late if row["measure"] == name) for name in ("pain", "position"))
    medicine = next(row for row in late if row["kind"] == "medication")
    score, side = random.randint(1, 9), random.choice(list(ward.POSITIONS))
    reason = random.choice(("refused", "held"))
    stories = {
        "refused": "the patient refuses it today",
        "held": "the doctor on the phone says to leave it out",
    }
    return (
        ward.login_values(state, random)
        | ward.identity(patient)
        | {
            "pain": ward.job(state, pain) | {"expected": {"pain": score}},
            "position": ward.job(state, position) | {"expected": {"position": side}},
            "medicine": ward.job(state, medicine) | {"reason": reason},
            "score": score,
            "side": ward.POSITIONS[side].lower(),
            "title": medicine["title"],
            "story": stories[reason],
            "reason_words": ward.NOT_DONE[reason],
            "side_words": ward.POSITIONS[side],
            "other_side": next(each for each in ward.POSITIONS if each != side),
            "other": ward.care(state, "sampling"),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Settle three overdue tasks, two done and one not."""
    for name in ("pain", "position"):
        yield from ward.observed(Care.of(evidence, case[name]), case[name], 0.3, name)
    yield from ward.not_done(Care.of(evidence, case["medicine"]), case["medicine"], 0.4)
    tasks = [case[name] for name in ("pain", "position", "medicine")]
    yield from ward.within(evidence, case, case["mrn"], tasks=tasks)


async def solve(pilot: Pilot, case: Case) -> None:
    """Settle one after the other."""
    await sign_in(pilot, case)
    await open_record(pilot, case)
    await ward.leave_out(pilot, case["medicine"])
    await ward.observe(pilot, case["pain"])
    await ward.observe(pilot, case["position"])


@wrong("information_fidelity/critical")
async def charted_the_medicine_as_given(pilot: Pilot, case: Case) -> None:
    """It was told that the patient did not get it."""
    await sign_in(pilot, case)
    await open_record(pilot, case)
    await ward.give(pilot, case["medicine"])


@wrong("data_accuracy/minor")
async def one_point_off(pilot: Pilot, case: Case) -> None:
    """The score is one higher than was told."""
    await solve(pilot, ward.misheard(case, "pain", pain=case["score"] + 1))


@wrong("data_accuracy/major")
async def turned_the_other_way(pilot: Pilot, case: Case) -> None:
    """The position charted is not the one the patient lies in."""
    await solve(pilot, ward.misheard(case, "position", position=case["other_side"]))


@wrong("milestone:pain")
async def forgot_the_pain(pilot: Pilot, case: Case) -> None:
    """Two of three were settled."""
    await sign_in(pilot, case)
    await open_record(pilot, case)
    await ward.leave_out(pilot, case["medicine"])
    await ward.observe(pilot, case["position"])


@wrong("patient_identity/critical")
async def helped_a_neighbour(pilot: Pilot, case: Case) -> None:
    """Care of another patient was charted, too."""
    await ward.charted_elsewhere(pilot, case)
    await open_record(pilot, case)
    await ward.observe(pilot, case["pain"])
