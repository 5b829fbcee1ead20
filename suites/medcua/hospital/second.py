"""Second solutions of the hospital, written without a look at the checks: signing in, and what is only read."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Wait

from ..toolkit.viewer import appears

_SEARCH = 'input[placeholder="Search"]'


async def login(pilot: Pilot, case: Case) -> None:
    """Sign in with the Enter key in both places."""
    await pilot.fill("#login", case["user_id"])
    await pilot.press("enter")
    await appears(pilot, "#ask-dialog-entry")
    await pilot.click("#ask-dialog-entry")
    await pilot.type(case["password"])
    await pilot.press("enter")
    await appears(pilot, _SEARCH)


async def find_patient(pilot: Pilot, case: Case) -> None:
    """Mark the row and switch to the form, in place of a double click."""
    await login(pilot, case)
    await _open(pilot, case)


async def view_demographics(pilot: Pilot, case: Case) -> None:
    """Look at another page of the form first."""
    await login(pilot, case)
    await _open(pilot, case)
    await pilot.click('role=tab[name="Medication"] >> nth=0')
    await pilot.click('role=tab[name="General Info"] >> nth=0')
    month, day, year = (await pilot.read('input[name="dob"]')).split("/")
    await pilot.answer(f"{year}-{month}-{day}")


async def report_medications(pilot: Pilot, case: Case) -> None:
    """Name the medicines from the last to the first."""
    await login(pilot, case)
    await _open(pilot, case)
    await pilot.click('role=tab[name="Medication"] >> nth=0')
    taken = 'tr:has(td[data-title^="Active"] input:checked) >> td[data-title^="Medicament"]'
    await appears(pilot, f"{taken} >> nth=0")
    found: list[str] = []
    while await pilot.sees(f"{taken} >> nth={len(found)}"):
        found.insert(0, (await pilot.read(f"{taken} >> nth={len(found)}")).strip())
    await pilot.answer(", ".join(found))


async def check_drug_allergy(pilot: Pilot, case: Case) -> None:
    """Answer in other cases of letters."""
    await login(pilot, case)
    await _open(pilot, case)
    await appears(pilot, 'td[data-title^="Remarks"] >> nth=0')
    for drug in (case["first"], case["second"], case["third"]):
        row = f'tr:has(td[data-title^="Condition"]:has-text("{drug}"))'
        if await pilot.sees(row):
            await pilot.answer((await pilot.read(f'{row} >> td[data-title^="Remarks"]')).strip().upper())


async def _open(pilot: Pilot, case: Case) -> None:
    """Look for a patient by the family name, and open the form of the right number."""
    name = case["name"]
    await pilot.fill(_SEARCH, name.split(",")[0] if "," in name else name.split()[-1])
    await pilot.press("enter")
    await pilot.act(Wait(2), thought="Wait")
    await pilot.click(f'tr:has-text("{case["mrn"]}") >> td[data-title^="Gender"]')
    await pilot.click("#switch_")
    await appears(pilot, 'a:text-is("General Info")')
