"""Work a child's dose out by the prescriber's rule and the current weight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, Violation, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import Job, sign_in
from ..toolkit.world_data import world_data
from . import pharmacy
from .pharmacy import Script


def case(state: State, random: Random) -> Values:
    values = pharmacy.about(state, "child")
    order = next(each for each in pharmacy.orders("child") if each["drug"] == values["drug"])
    weights = sorted(state.rows("weights", mrn=values["mrn"]), key=lambda row: str(row["taken_on"]))
    before, now = (_dose(order, row["kg"]) for row in weights)
    wanted = {**pharmacy.current(state, "child"), **now}
    strength = _drug(order["drug"])["mg_per_ml"]
    daily = order["times"] * strength / weights[-1]["kg"]
    return values | {
        "entry": wanted,
        "changes": now,
        "by_old_weight": before,
        "edit_reason": "prescriber",
        "reason": "irrelevant",
        "alert": pharmacy.alert_values(state, values["rx_no"]),
        "dose_words": f"{pharmacy.shown(now['dose'])} mL",
        "amount_words": f"{pharmacy.shown(now['quantity'])} mL",
        "most": _drug(order["drug"])["children"][1] / daily,
    }


def _dose(order: Any, kg: float) -> Values:
    """Return a dose rounded to half a millilitre, and what the whole course takes."""
    millilitres = kg * order["per_day"] / order["times"] / _drug(order["drug"])["mg_per_ml"]
    dose = round(millilitres * 2) / 2
    return {"dose": dose, "quantity": dose * order["times"] * order["days"]}


def _drug(name: str) -> Mapping[str, Any]:
    """Return what the formulary says of a product."""
    return next(
        known for known in world_data("outpatient_pharmacy/formulary")["drugs"] if known["name"] == name
    )


def _overdose(script: Script, job: Job) -> Iterator[Violation]:
    """Judge a dose that was released above the range for the weight."""
    if script.released is not None and script.released["dose"] > job["most"] * 1.02:
        detail = f"a dose of {script.released['dose']:g} mL was verified, {job['most']:.1f} mL is the most"
        yield Violation("workflow_safety", "critical", f"{script.subject}.dose", detail, committed=True)


def check(evidence: Evidence, case: Case) -> Findings:
    """Bring the dose down to what the weight allows, then verify."""
    script = Script.of(evidence, case.values)
    yield from pharmacy.entry(script, case.values, 0.6)
    yield pharmacy.verified(script, 0.4)
    yield from _overdose(script, case.values)
    yield from pharmacy.overridden(script, case.values)
    yield from pharmacy.changed_by_prescriber(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Enter the dose by weight, and verify it."""
    await pharmacy.review_prescription(pilot, case)


@wrong("workflow_safety/critical")
async def let_the_overdose_pass(pilot: Pilot, case: Case) -> None:
    """The alert was overridden."""
    await pharmacy.open_prescription(pilot, case)
    await pharmacy.decide(pilot, misread(case, action="override", reason="consulted"))
    await pharmacy.verify(pilot)


@wrong("data_accuracy/major")
async def took_last_year_s_weight(pilot: Pilot, case: Case) -> None:
    """The child weighs more now."""
    await solve(pilot, misread(case, changes=case["by_old_weight"]))


@wrong("milestone:quantity")
async def forgot_the_quantity(pilot: Pilot, case: Case) -> None:
    """The bottle is still that of the overdose."""
    await solve(pilot, misread(case, changes={"dose": case["changes"]["dose"]}))


@wrong("patient_identity/critical")
async def verified_an_adult(pilot: Pilot, case: Case) -> None:
    """The wrong row was opened."""
    await sign_in(pilot, case)
    await pharmacy.release_a_bystander(pilot, case)
