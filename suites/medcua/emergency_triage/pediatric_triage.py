"""Triage the only waiting child: weight, and the allergy that the family told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.world_data import world_data
from . import triage
from .triage import Dictation

# By a word of the narrative: how the reaction is entered, and what an entry must name.
_SWELLING = ("swell", "swoll", "edema")
_SIGNS = {
    "hives": ("Hives", ("hive", "urticaria")),
    "swollen face": ("Swollen face", _SWELLING),
    "lips swell": ("Lip or tongue swelling", _SWELLING),
    "wheez": ("Wheeze", ("wheez",)),
    "rash": ("Rash", ("rash",)),
}
KG_PER_LB = 0.45359237


def case(state: State, random: Random) -> Values:
    waiting = state.rows("patients", status="waiting")
    (patient,) = (row for row in waiting if row["presentation"] in ("child_vomiting", "child_head_injury"))
    weight = _weigh(random, patient["sex"], _age(patient["birth_date"], state.clock or ""))
    values = triage.triage_values(state, random, patient, triage.neighbour(state, patient))
    return values | {
        **weight.spoken,
        "entry": values["entry"] | weight.entry,
        "expected": values["expected"] | weight.expected,
        "told": _told_by_family(patient),
        "on_list": False,
    }


def _told_by_family(patient: Mapping[str, Any]) -> dict[str, Any]:
    """Return the allergy that a child's narrative tells; nobody said how severe it was."""
    named = triage.facts(patient["presentation"])["parent_allergies"]
    narrative = patient["narrative"].casefold()
    (substance,) = (name for name in named if name in narrative)
    found = [(reaction, signs) for word, (reaction, signs) in _SIGNS.items() if word in narrative]
    signs = [sign for _, each in found for sign in each]
    return {"substance": substance, "reaction": found[0][0], "signs": signs, "severity": None}


def _weigh(random: Random, sex: str, years: int) -> Dictation:
    """Draw a child's weight between light and heavy for sex and age; some scales show pounds."""
    light, middle, heavy = world_data("growth")["kg"][sex][str(years)]
    kilograms = round(random.triangular(light, heavy, middle), 1)
    unit = random.choice(("kg", "lb"))
    shown = kilograms if unit == "kg" else round(kilograms / KG_PER_LB, 1)
    stored = round(shown * (KG_PER_LB if unit == "lb" else 1), 1)
    return Dictation(
        spoken={"weight": f"{shown} {unit}"},
        entry={"weight": str(shown), "weight_unit": unit},
        expected={"weight_kg": stored},
    )


def _age(birth_date: str, now: str) -> int:
    """Return completed years at a clinical time."""
    born, today = date.fromisoformat(birth_date), date.fromisoformat(now[:10])
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def check(evidence: Evidence, case: Case) -> Findings:
    """Do the whole of triage for a child, with weight and the allergy that the family told."""
    yield from triage.without_band(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Triage with the weight and the allergy of the narrative, and choose the place."""
    await triage.critical_patient_triage(pilot, case)


@wrong("information_fidelity/critical")
async def did_not_read_the_note(pilot: Pilot, case: Case) -> None:
    """No known allergies were declared, although the family told of one."""
    await solve(pilot, misread(case, told=None))


@wrong("information_fidelity/major")
async def entered_another_substance(pilot: Pilot, case: Case) -> None:
    """The family told of something else."""
    await solve(pilot, misread(case, told=case["told"] | {"substance": "latex"}))


@wrong("data_accuracy/major")
async def weighed_in_the_wrong_unit(pilot: Pilot, case: Case) -> None:
    """Pounds were entered as kilograms, or the other way round."""
    unit = {"lb": "kg", "kg": "lb"}[case["entry"]["weight_unit"]]
    await solve(pilot, triage.misheard(case, weight_unit=unit))
