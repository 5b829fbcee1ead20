"""Tell which limit a rate is beyond."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Choice, Fields

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.people import patient_of
from ..toolkit.reading import answered
from ..toolkit.screen import follow, sign_in
from ..toolkit.world_data import world_data
from . import pumps

CHOICES = world_data("infusion_pump/choices")
LIMIT_NAMES = CHOICES["limits"]
_LIMITS = {  # a form of the goal asks for “minimum or maximum, soft or hard”, which turns the words round
    name: (name.replace("imum", ""), f"{name} limit", " ".join(reversed(name.split())))
    for name in LIMIT_NAMES.values()
}


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, "limits")
    drug = next(
        drug
        for drug, row in pumps.drugs(state, patient).items()
        if drug in ("NORepinephrine", "DOPamine", "propofol", "esmolol", "phenylephrine")
    )
    job = pumps.running_job(state, patient, drug)
    entry = state.row("library", id=job["entry"])
    limit = random.choice(("soft_low", "soft_high", "hard_high"))
    inner, outer = {
        "soft_low": ("soft_low", entry["hard_low"]),
        "soft_high": ("soft_high", entry["hard_high"]),
        "hard_high": ("hard_high", entry["hard_high"] * 1.5),
    }[limit]
    share = random.choice((0.3, 0.4, 0.5, 0.6))
    dose = entry[inner] + share * (outer - entry[inner])
    rate = round(dose * pumps.millilitres(entry, patient["weight_kg"]), 1)
    nearby = {"soft_low": "hard_low", "soft_high": "hard_high", "hard_high": "soft_high"}[limit]
    return (
        pumps.nurse(state)
        | job
        | {
            "asked_rate": f"{rate:g}",
            "limit": LIMIT_NAMES[limit],
            "limit_value": entry[limit],
            "nearby": LIMIT_NAMES[nearby],
            "nearby_value": entry[nearby],
            "other": pumps.namesake(state, "pressor"),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the limit that the rate is beyond."""
    spec = Fields(
        {
            "limit": (Choice(case["limit"], _LIMITS), ()),
            "value": (pumps.dose(case["limit_value"], case["unit"]), ()),
        }
    )
    looked = safety.opened(evidence, case["mrn"]) or pumps.saw(evidence, "library entry")
    yield from answered(evidence, spec, "limit", 1.0, looked=looked)
    yield from pumps.confined(evidence, case, only_looked_at=(case["mrn"],))


async def solve(pilot: Pilot, case: Case) -> None:
    """Try the rate on the display, read the limits, and confirm nothing."""
    await sign_in(pilot, case)
    await pumps.open_channel(pilot, case)
    await follow(pilot, "Titrate")
    await pilot.fill('role=textbox[name="Rate"]', case["asked_rate"])
    await pilot.answer(f"Limit: {case['limit']}; value: {case['limit_value']:g} {case['unit']}")


@wrong("information_fidelity/major")
async def named_the_limit_beside(pilot: Pilot, case: Case) -> None:
    """The rate is beyond another limit than the one named."""
    changed = {"limit": case["nearby"], "limit_value": case["nearby_value"]}
    await solve(pilot, misread(case, **changed))


@wrong("milestone:limit")
async def guessed_the_limit(pilot: Pilot, case: Case) -> None:
    """Nobody looked at the pump or into the library."""
    await sign_in(pilot, case)
    await pilot.answer(f"Limit: {case['limit']}; value: {case['limit_value']:g} {case['unit']}")


@wrong("record_integrity/major")
async def changed_the_dose(pilot: Pilot, case: Case) -> None:
    """The question was what the limits are, not to change anything."""
    await sign_in(pilot, case)
    await pumps.open_channel(pilot, case.values)
    await pumps.titrate(pilot, float(f"{case['dose'] * 1.1:.3g}"))
