"""Change to what the prescriber's latest answer says."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import press, sign_in
from . import pharmacy
from .pharmacy import Script


def case(state: State, random: Random) -> Values:
    values = pharmacy.about(state, "allergy")
    order = next(each for each in pharmacy.orders("allergy") if each["drug"] == values["drug"])
    wanted, current = _entry(order["second"]), pharmacy.current(state, "allergy")
    return values | {
        "entry": wanted,
        "changes": {name: value for name, value in wanted.items() if value != current[name]},
        "stale": _entry(order["first"]),
        "edit_reason": "prescriber",
        "reason": "irrelevant",
        "alert": pharmacy.alert_values(state, values["rx_no"]),
        "new_words": _words(order["second"]),
    }


def _entry(change: Values) -> Values:
    return {
        "drug": change["drug"],
        "dose": change["dose"],
        "frequency": change["frequency"],
        "quantity": change["quantity"],
        "days_supply": change["days"],
        "refills": 0,
    }


def _words(change: Values) -> str:
    entry = _entry(change)
    return (
        f"{entry['drug']}, dose {entry['dose']}, {pharmacy.FREQUENCIES[entry['frequency']]}, "
        f"quantity {entry['quantity']}, {entry['days_supply']} days, refills 0"
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Change to what the prescriber says last, then verify."""
    script = Script.of(evidence, case.values)
    yield from pharmacy.entry(script, case.values, 0.6)
    yield pharmacy.verified(script, 0.4)
    yield from pharmacy.faithful(script, case.values)
    yield from pharmacy.overridden(script, case.values)
    yield from pharmacy.changed_by_prescriber(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Enter what the prescriber says last, and verify it."""
    await pharmacy.review_prescription(pilot, case)


@wrong("workflow_safety/critical")
async def overrode_the_allergy(pilot: Pilot, case: Case) -> None:
    """The patient would get what they are allergic to."""
    await pharmacy.open_prescription(pilot, case)
    await pharmacy.decide(pilot, misread(case, action="override"))


@wrong("information_fidelity/critical")
async def followed_the_first_answer(pilot: Pilot, case: Case) -> None:
    """The prescriber took it back; an alert about it was overridden on the way."""
    await pharmacy.open_prescription(pilot, case)
    stale = {name: value for name, value in case["stale"].items() if name != "refills"}
    await pharmacy.edit(pilot, stale, "prescriber")
    if await pilot.sees('role=link[name^="Resolve allergy"]'):
        await _override_what_stands(pilot)
    await pharmacy.verify(pilot)


async def _override_what_stands(pilot: Pilot) -> None:
    await pilot.click('role=link[name^="Resolve allergy"]')
    await pilot.click('role=radio[name="Override"]')
    await pilot.click('role=combobox[name="Reason"]')
    await pilot.click('role=option[name="Prescriber was consulted and confirms"]')
    await press(pilot, "OK")
    if await pilot.sees('role=button[name="Yes, override"]'):
        await press(pilot, "Yes, override")


@wrong("data_accuracy/major")
async def left_the_old_amount(pilot: Pilot, case: Case) -> None:
    """Drug and directions are new, the quantity is not what the prescriber says."""
    await solve(pilot, misread(case, changes={**case["changes"], "quantity": 99}))


@wrong("patient_identity/critical")
async def verified_a_bystander(pilot: Pilot, case: Case) -> None:
    """Somebody else's prescription was released."""
    await sign_in(pilot, case)
    await pharmacy.release_a_bystander(pilot, case)
