"""What hands do in OpenEMR 7.0.2: its tabs and dialogs are frames, and selectors are looked for in all of them.

Fields and buttons are named as in OpenEMR's own pages, read in its source. None of this was played against the image.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench import Case, Pilot

Job = Case | Mapping[str, Any]


async def sign_in(pilot: Pilot, case: Job) -> None:
    """Sign in, and decline to register the product where OpenEMR asks."""
    await pilot.fill("#authUser", case["user_id"])
    await pilot.fill("#clearPass", case["password"])
    await pilot.click("#login-button")
    if await pilot.sees("div.product-registration-modal"):
        await pilot.click('div.product-registration-modal >> role=button[name="No Thanks"]')


async def open_chart(pilot: Pilot, case: Job) -> None:
    """Search by the family name, and take the patient from the list; sign in first where nobody is."""
    await _signed_in(pilot, case)
    await pilot.fill("#anySearchBox", case["family"])
    await pilot.press("Enter")
    await pilot.click(f'a:text-is("{case["link"]}")')


async def register(pilot: Pilot, person: Job) -> None:
    """Fill in the form of a new patient, and confirm it; sign in first where nobody is."""
    await _signed_in(pilot, person)
    await pilot.click('div.menuLabel:text-is("Patient")')
    await pilot.click('div.menuLabel:text-is("New/Search")')
    await pilot.fill("#form_fname", person["given"])
    await pilot.fill("#form_lname", person["new_family"])
    await pilot.fill("#form_DOB", person["new_born"])
    await pilot.press("Tab")
    await _choose(pilot, "#form_sex", person["sex"])
    await pilot.click('role=button[name="Contact"]')
    await pilot.fill("#form_phone_home", person["phone"])
    await pilot.click("#create")
    await pilot.click('button[type="button"][value="true"]')


async def new_visit(pilot: Pilot, case: Job) -> None:
    """Begin a visit in the chart that is open."""
    await pilot.click('a[title="New Encounter"]')
    await pilot.fill("#reason", case["reason"])
    await pilot.click("#saveEncounter")


async def open_visit(pilot: Pilot, case: Job) -> None:
    """Open the visit of a date in the chart that is open."""
    await pilot.click("#pastEncounters")
    await pilot.click(f'#attendantData ul.dropdown-menu a:has-text("{case["visit_date"]}")')


async def record_vitals(pilot: Pilot, case: Job) -> None:
    """Fill in vital signs in the visit that is open."""
    await _form(pilot, "Clinical", "Vitals")
    await pilot.fill("#bps_input", str(case["systolic"]))
    await pilot.fill("#bpd_input", str(case["diastolic"]))
    await pilot.fill("#pulse_input", str(case["pulse"]))
    await pilot.click('form[name="vitals"] >> role=button[name="Save Form"]')


async def prescribe(pilot: Pilot, order: Mapping[str, Any]) -> None:
    """Add a prescription in the chart that is open."""
    await pilot.click(".rx_modal")
    await pilot.click("#addButton")
    await pilot.fill("#drug", order["drug"])
    await pilot.press("Tab")
    await pilot.fill("#quantity", str(order["quantity"]))
    await pilot.fill("#size", str(order["dose"]))
    await _choose(pilot, "#unit", "mg")
    await pilot.fill("#dosage", "1")
    await _choose(pilot, "#form", "tablet")
    await _choose(pilot, "#route", "Per Oris")
    await _choose(pilot, "#interval", order["interval_label"])
    await _choose(pilot, 'select[name="refills"]', f"{order['refills']:02d}")
    await pilot.click("a.btn-save, button.btn-save")


async def order_test(pilot: Pilot, case: Job) -> None:
    """Order a test in the visit that is open."""
    await _form(pilot, "Orders", "Procedure Order")
    await _choose(pilot, 'select[name="form_lab_id"]', case["laboratory"])
    await _choose(pilot, 'select[name="form_order_priority"]', case["priority"])
    await pilot.click('role=button[name="Add Procedure"]')
    await pilot.fill("#search_term", case["test"])
    await pilot.press("Enter")
    await pilot.click(f'a:text-is("{case["test"]}")')
    await pilot.click('button[name="bn_save"], input[name="bn_save"]')


async def _signed_in(pilot: Pilot, case: Job) -> None:
    if await pilot.sees("#authUser"):
        await sign_in(pilot, case)


async def _form(pilot: Pilot, group: str, form: str) -> None:
    """Open a form of the visit from its bar of menus."""
    await pilot.click(f'a.dropdown-toggle:text-is("{group}")')
    await pilot.click(f'a.dropdown-item:text-is("{form}")')


async def _choose(pilot: Pilot, field: str, option: str) -> None:
    """Choose from a list."""
    await pilot.click(field)
    await pilot.click(f'role=option[name="{option}"]')
