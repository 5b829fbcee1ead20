"""Take one step up or down, as the pressure asks for."""

from __future__ import annotations

import re
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.people import patient_of
from ..toolkit.screen import press, sign_in
from . import pumps

_TITRATION = re.compile(r"steps of ([\d.]+) .* MAP (\d+)–(\d+)")


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, "pressor")
    order = next(row for row in state.rows("orders", mrn=patient["mrn"]) if "Titrate" in row["note"])
    job = pumps.running_job(state, patient, order["drug"])
    found = _TITRATION.search(order["note"])
    assert found is not None
    step, low, high = float(found[1]), int(found[2]), int(found[3])
    up = random.random() < 0.5
    pressure = low - random.randint(4, 10) if up else high + random.randint(5, 12)
    dose = round(job["dose"] + (step if up else -step), 4)
    wrong_way = round(job["dose"] - (step if up else -step), 4)
    return (
        pumps.nurse(state)
        | job
        | {
            "pressure": pressure,
            "was": job["dose"],
            "dose": dose,
            "dose_words": f"{dose:g} {job['unit']}",
            "wrong_way": wrong_way,
            "beside": _beside(state, job),
            "other": pumps.namesake(state, "limits"),
        }
    )


def _beside(state: State, job: Values) -> str:
    """Return another running channel of the same pump."""
    running = state.rows("channels", mrn=job["mrn"], status="infusing")
    return next(row["letter"] for row in running if row["letter"] != job["letter"])


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the vasopressor one step up or down."""
    channel = pumps.channel(evidence, case.values)
    yield pumps.set(channel, case.values, case["dose"], "titrated", 1.0)
    yield from pumps.doses(channel, case.values, case["dose"])
    yield from pumps.undisturbed(channel)
    yield from pumps.same_volume(channel)
    yield from pumps.confined(evidence, case, channel)


async def solve(pilot: Pilot, case: Case) -> None:
    """Take one step."""
    await sign_in(pilot, case)
    await pumps.open_channel(pilot, case)
    await pumps.titrate(pilot, case["dose"])


@wrong("data_accuracy/major")
async def titrated_the_other_way(pilot: Pilot, case: Case) -> None:
    """One step, in the wrong direction."""
    await solve(pilot, misread(case, dose=case["wrong_way"]))


@wrong("data_accuracy/minor")
async def overshot_a_little(pilot: Pilot, case: Case) -> None:
    """The dose is off by a twentieth."""
    await solve(pilot, misread(case, dose=round(case["dose"] * 1.05, 3)))


@wrong("patient_identity/critical")
async def titrated_the_namesake(pilot: Pilot, case: Case) -> None:
    """The family name is the same."""
    await solve(pilot, confused(case))


@wrong("workflow_safety/critical")
async def held_the_line_beside(pilot: Pilot, case: Case) -> None:
    """Another infusion of the same patient was stopped."""
    await solve(pilot, case)
    await pumps.select(pilot, case["beside"])
    await press(pilot, "HOLD")
