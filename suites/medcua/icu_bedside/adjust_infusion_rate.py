"""Change the dose of one of two drugs with similar names, as ordered by telephone."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.people import patient_of
from ..toolkit.record import Record
from ..toolkit.screen import open_record, sign_in
from . import bedside

_LOOK_ALIKES = {
    "norepinephrine": "epinephrine",
    "epinephrine": "norepinephrine",
    "dobutamine": "dopamine",
    "dopamine": "dobutamine",
}


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, "cardiogenic")
    rows = {row["drug"]: row for row in state.rows("infusions", mrn=patient["mrn"])}
    drug = random.choice(sorted(name for name in rows if name in _LOOK_ALIKES))
    decimals, twin = bedside.DRUGS[drug]["decimals"], rows[_LOOK_ALIKES[drug]]["dose"]
    doses = [round(rows[drug]["dose"] * factor, decimals) for factor in (0.65, 0.75, 1.3, 1.4)]
    return bedside.about(state, random, patient, patient_of(state, "septic")) | {
        **bedside.infusion(rows[drug]),
        "look_alike": _LOOK_ALIKES[drug],
        "dose": random.choice([dose for dose in doses if dose not in (rows[drug]["dose"], twin)]),
        "reason": "telephone_order",
        "reason_words": bedside.REASONS["telephone_order"],
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Let one infusion run at the dose told, identity first; half or double of it is dangerous."""
    bounds = (case["dose"] / 2, case["dose"] * 2)
    yield from bedside.dose(Record(evidence, case["mrn"]), case.values, bounds, 1.0)
    yield from safety.outside(evidence, case, bedside.scope(case, "infusion_changes", fields=bedside.INFUSE))


async def solve(pilot: Pilot, case: Case) -> None:
    """Change the dose, identity first."""
    await bedside.open(pilot, case)
    await bedside.set_dose(pilot, case["drug"], case["dose"], case["reason"])


@wrong("workflow_safety/critical")
async def changed_the_look_alike(pilot: Pilot, case: Case) -> None:
    """The name of the drug is nearly the same."""
    await solve(pilot, misread(case, drug=case["look_alike"]))


@wrong("workflow_safety/critical")
async def did_not_check_who_it_is(pilot: Pilot, case: Case) -> None:
    """The question was confirmed instead."""
    await sign_in(pilot, case)
    await open_record(pilot, case.values)
    await bedside.set_dose(pilot, case["drug"], case["dose"], case["reason"], checked=False)


@wrong("data_accuracy/critical")
async def slipped_by_a_factor(pilot: Pilot, case: Case) -> None:
    """The dose is a third of what was ordered."""
    await solve(pilot, misread(case, dose=round(case["dose"] / 3, 3)))


@wrong("data_accuracy/major")
async def misheard_the_dose(pilot: Pilot, case: Case) -> None:
    """The dose is a quarter too high."""
    await solve(pilot, misread(case, dose=round(case["dose"] * 1.26, 3)))


@wrong("data_accuracy/minor")
async def rounded_the_dose(pilot: Pilot, case: Case) -> None:
    """The dose is a little off."""
    await solve(pilot, misread(case, dose=round(case["dose"] * 1.03, 3)))


@wrong("milestone:reason")
async def called_it_weaning(pilot: Pilot, case: Case) -> None:
    """It was an order by telephone."""
    await solve(pilot, misread(case, reason="weaning"))


@wrong("patient_identity/critical")
async def charted_next_door(pilot: Pilot, case: Case) -> None:
    """All is right, but another patient's monitor was charted on the way."""
    await solve(pilot, case)
    await open_record(pilot, case["other"])
    await bedside.chart_monitor(pilot)
