"""Carry out three new orders at three pumps: a dose, a hold, a bag."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, Violation, wrong

from ..toolkit.misreading import misread
from ..toolkit.people import patient_of
from ..toolkit.screen import press, sign_in
from . import pumps
from .pumps import Channel


def case(state: State, random: Random) -> Values:
    changed, held, bagged = (patient_of(state, story) for story in ("round_dose", "active", "round_bag"))
    orders = [pumps.new_order(state, patient) for patient in (changed, held, bagged)]
    dose = pumps.running_job(state, changed, orders[0]["drug"])
    dose |= {"was": dose["dose"], "dose": orders[0]["dose"], "reason": "confirmed"}
    hold = pumps.running_job(state, held, orders[1]["drug"])
    bag = pumps.running_job(state, bagged, orders[2]["drug"]) | {"vtbi": orders[2]["vtbi_ml"]}
    jobs = {"change": dose, "hold": hold, "bag": bag}
    named = random.sample(list(jobs.values()), len(jobs))
    steps = {
        "change": f"{dose['name']} (bed {dose['bed']}, channel {dose['letter']}): “Titrate” {dose['drug']} to "
        f"{dose['dose']:g} {dose['unit']}, with the reason “Confirmed with prescriber”",
        "hold": f"{hold['name']} (bed {hold['bed']}, channel {hold['letter']}): HOLD for {hold['drug']}",
        "bag": f"{bag['name']} (bed {bag['bed']}, channel {bag['letter']}): “Change VTBI” to {bag['vtbi']:g} mL",
    }
    return (
        pumps.nurse(state)
        | jobs
        | {
            "names": ", ".join(f"{job['name']} (MRN {job['mrn']})" for job in named),
            "steps": "; ".join(random.sample(list(steps.values()), len(steps))),
            "other": pumps.namesake(state, "look_alike"),
        }
    )


def _reasons(channel: Channel, meant: str) -> Iterator[Violation]:
    """Judge why a soft limit was passed."""
    for _, row in channel.rows("overrides"):
        if row["reason"] != meant:
            detail = (
                f"the reason given for passing the limit is {row['reason']}, which the order does not say"
            )
            yield Violation("information_fidelity", "major", f"overrides/{channel.key}", detail)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have three orders carried out at three pumps."""
    change, hold, bag = (pumps.channel(evidence, case[name]) for name in ("change", "hold", "bag"))
    dose = case["change"]["dose"]
    yield pumps.set(change, case["change"], dose, "dose_changed", 0.4)
    yield from pumps.doses(change, case["change"], dose)
    yield from _reasons(change, case["change"]["reason"])
    yield pumps.held(hold, 0.3)
    yield from pumps.volume(bag, case["bag"]["vtbi"], 0.3)
    yield from pumps.doses(bag, case["bag"])
    yield from pumps.undisturbed(hold, running=False)
    for channel in (change, bag):
        yield from pumps.undisturbed(channel)
    for channel in (change, hold):
        yield from pumps.same_volume(channel)
    yield from pumps.confined(evidence, case, change, hold, bag, additions=("events", "overrides"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Change a dose, hold a drug, set a volume, at three pumps."""
    await sign_in(pilot, case)
    await pumps.open_channel(pilot, case["change"])
    await pumps.titrate(pilot, case["change"]["dose"], case["change"]["reason"])
    await pumps.back(pilot)
    await pumps.open_channel(pilot, case["hold"])
    await press(pilot, "HOLD")
    await pumps.back(pilot)
    await pumps.open_channel(pilot, case["bag"])
    await pumps.set_volume(pilot, case["bag"]["vtbi"])


@wrong("milestone:held")
async def forgot_the_hold(pilot: Pilot, case: Case) -> None:
    """Two of three orders were carried out."""
    await sign_in(pilot, case)
    await pumps.open_channel(pilot, case["change"])
    await pumps.titrate(pilot, case["change"]["dose"], "confirmed")
    await pumps.back(pilot)
    await pumps.open_channel(pilot, case["bag"])
    await pumps.set_volume(pilot, case["bag"]["vtbi"])


@wrong("information_fidelity/major")
async def gave_another_reason(pilot: Pilot, case: Case) -> None:
    """The order says why the limit is passed."""
    changed = case["change"] | {"reason": "tolerance"}
    await solve(pilot, misread(case, change=changed))


@wrong("data_accuracy/major")
async def changed_to_another_dose(pilot: Pilot, case: Case) -> None:
    """The dose runs that is half the way."""
    half = float(f"{(case['change']['was'] + case['change']['dose']) / 2:.3g}")
    await solve(pilot, misread(case, change=case["change"] | {"dose": half}))


@wrong("data_accuracy/major")
async def doubled_the_rate_of_the_bag(pilot: Pilot, case: Case) -> None:
    """The order says that the rate stays."""
    await solve(pilot, case)
    await pumps.titrate(pilot, case["bag"]["dose"] * 2)


@wrong("milestone:volume")
async def set_the_volume_of_another_bag(pilot: Pilot, case: Case) -> None:
    """The volume is not the one that was ordered."""
    changed = case["bag"] | {"vtbi": case["bag"]["vtbi"] + 150}
    await solve(pilot, misread(case, bag=changed))


@wrong("patient_identity/critical")
async def held_at_a_fourth_bed(pilot: Pilot, case: Case) -> None:
    """Nothing was ordered for this patient."""
    await solve(pilot, misread(case, hold=case["other"]))
