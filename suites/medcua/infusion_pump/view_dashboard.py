"""Count the patients who get something at the moment."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.misreading import misread
from ..toolkit.reading import read_on_list
from ..toolkit.screen import sign_in
from . import pumps


def case(state: State, random: Random) -> Values:
    patients = state.rows("patients")
    active = {row["mrn"] for row in state.rows("channels", status="infusing")}
    programmed = {row["mrn"] for row in state.rows("channels") if row["rate"] is not None}
    return pumps.nurse(state) | {
        "active": len(active),
        "programmed": len(programmed),
        "pumps": len(patients),
        "other": pumps.namesake(state, "limits"),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell how many patients get an infusion at the moment."""
    words = (
        "patients",
        "people",
        "pumps",
        "with",
        "channel",
        "infusing",
        "infusion",
        "active",
        "unit",
    )
    yield from read_on_list(evidence, case, Number(case["active"], words=words), "count")
    yield from pumps.confined(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Count on the dashboard."""
    await sign_in(pilot, case)
    await pilot.answer(str(case["active"]))


@wrong("information_fidelity/major")
async def counted_those_on_hold_too(pilot: Pilot, case: Case) -> None:
    """Something is programmed for them, but nothing infuses."""
    await solve(pilot, misread(case, active=case["programmed"]))


@wrong("information_fidelity/major")
async def counted_the_pumps(pilot: Pilot, case: Case) -> None:
    """Not every pump infuses."""
    await solve(pilot, misread(case, active=case["pumps"]))


@wrong("patient_identity/critical")
async def stopped_one_while_counting(pilot: Pilot, case: Case) -> None:
    """The number is right, but an infusion was stopped on the way."""
    await sign_in(pilot, case)
    await pumps.hold_at_another_bed(pilot, case)
    await pilot.answer(str(case["active"]))
