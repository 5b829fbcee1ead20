"""Put one of two drugs on hold whose names are alike."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.people import patient_of
from ..toolkit.screen import press, sign_in
from ..toolkit.world_data import world_data
from . import pumps


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, "look_alike")
    running = pumps.drugs(state, patient)
    pair = next(
        pair
        for pair in world_data("infusion_pump/stories")["look_alike"]["pairs"]
        if set(pair) <= set(running)
    )
    drug, twin = random.sample(pair, 2)
    return (
        pumps.nurse(state)
        | pumps.running_job(state, patient, drug)
        | {
            "errand": random.choice(world_data("infusion_pump/stories")["look_alike"]["errands"]),
            "twin": twin,
            "twin_letter": running[twin]["letter"],
            "other": pumps.namesake(state, "active"),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the drug on hold, and all others running."""
    channel = pumps.channel(evidence, case.values)
    yield pumps.held(channel, 1.0)
    yield from pumps.undisturbed(channel, running=False)
    yield from pumps.same_volume(channel)
    yield from pumps.confined(evidence, case, channel, fields={"channels": pumps.KEYS_ONLY})


async def solve(pilot: Pilot, case: Case) -> None:
    """Put the channel on hold."""
    await sign_in(pilot, case)
    await pumps.open_channel(pilot, case)
    await press(pilot, "HOLD")


@wrong("workflow_safety/critical")
async def held_the_look_alike(pilot: Pilot, case: Case) -> None:
    """The names differ in a few letters."""
    await solve(pilot, misread(case, letter=case["twin_letter"]))


@wrong("patient_identity/critical")
async def held_at_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The patients' names differ in one letter."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def switched_the_channel_off(pilot: Pilot, case: Case) -> None:
    """The programme is lost, the infusion cannot go on."""
    await solve(pilot, case)
    await press(pilot, "CHANNEL OFF")


@wrong("milestone:held")
async def started_it_again(pilot: Pilot, case: Case) -> None:
    """The infusion runs during the errand."""
    await solve(pilot, case)
    await pumps.start(pilot)
