"""Program and start what is ordered, on a free channel."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.people import patient_of
from ..toolkit.screen import sign_in
from . import pumps


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, "new_drug")
    order = state.row("orders", mrn=patient["mrn"], status="new")
    job = pumps.new_job(state, random, patient, order)
    free = [row["letter"] for row in state.rows("channels", mrn=patient["mrn"], status="off")]
    other = patient_of(state, "protocol")
    return (
        pumps.nurse(state)
        | job
        | {
            "spare": next(letter for letter in free if letter != job["letter"]),
            "other": pumps.identity(other) | {"letter": pumps.free(state, random, other)},
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Have what is ordered running on the channel named."""
    channel = pumps.channel(evidence, case.values)
    yield from pumps.programmed(channel, case, 0.2, 0.4)
    yield from pumps.volume(channel, case["vtbi"], 0.2)
    yield from pumps.started(channel, 0.2)
    yield from pumps.doses(channel, case.values, case["dose"])
    yield from pumps.undisturbed(channel)
    yield from pumps.confined(evidence, case, channel)


async def solve(pilot: Pilot, case: Case) -> None:
    """Program what is ordered, and start."""
    await sign_in(pilot, case)
    await pumps.open_channel(pilot, case)
    await pumps.program(pilot, case.values)
    await pumps.start(pilot)


@wrong("patient_identity/critical")
async def programmed_at_another_bed(pilot: Pilot, case: Case) -> None:
    """The infusion runs into somebody else."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/critical")
async def took_the_profile_of_the_ward(pilot: Pilot, case: Case) -> None:
    """The limits that applied were those of another care area."""
    await solve(pilot, misread(case, **case["ward_entry"]))


@wrong("data_accuracy/major")
async def programmed_too_much(pilot: Pilot, case: Case) -> None:
    """The dose is a third too high, and within the limits."""
    await solve(pilot, misread(case, dose=round(case["dose"] * 1.3, 2)))


@wrong("data_accuracy/minor")
async def programmed_almost_the_dose(pilot: Pilot, case: Case) -> None:
    """The dose is off by a twentieth."""
    await solve(pilot, misread(case, dose=round(case["dose"] * 1.05, 2)))


@wrong("milestone:volume")
async def doubled_the_volume(pilot: Pilot, case: Case) -> None:
    """The bag does not hold that much."""
    await solve(pilot, misread(case, vtbi=case["vtbi"] * 2))


@wrong("workflow_safety/critical")
async def went_without_the_library(pilot: Pilot, case: Case) -> None:
    """The rate is right, but no limits guard it."""
    await sign_in(pilot, case)
    await pumps.open_channel(pilot, case.values)
    await pumps.program_basic(pilot, case["rate"], case["vtbi"])
    await pumps.start(pilot)


@wrong("record_integrity/major")
async def programmed_a_second_channel(pilot: Pilot, case: Case) -> None:
    """A copy of the programme waits on another channel."""
    await solve(pilot, case)
    await pumps.select(pilot, case["spare"])
    await pumps.program(pilot, case.values)


@wrong("milestone:started")
async def never_pressed_start(pilot: Pilot, case: Case) -> None:
    """The programme was confirmed, and nothing infuses."""
    await sign_in(pilot, case)
    await pumps.open_channel(pilot, case.values)
    await pumps.program(pilot, case.values)
