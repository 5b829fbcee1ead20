"""Second solutions of OpenEMR, by the Patient Finder, the menu “Patient”, the page “Issues” and the keyboard.

They were written with OpenEMR 7.0.2 on the screen, by somebody who knew what the checks share.
"""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Key, Type, Wait
from pytest_cuabench.task.keys import parse_chord

from ..toolkit.screen import until
from ..toolkit.viewer import appears


async def login(pilot: Pilot, case: Case) -> None:
    """Sign in by keys."""
    await pilot.fill("#authUser", case["user_id"])
    await pilot.press("tab")
    await pilot.type(case["password"])
    await pilot.press("enter")
    await appears(pilot, "#anySearchBox")


async def find_patient(pilot: Pilot, case: Case) -> None:
    """Look for the date of birth in the list of all patients."""
    await login(pilot, case)
    await _find(pilot, case)


async def view_demographics(pilot: Pilot, case: Case) -> None:
    """Look for the number in the list of all patients, and read the bar above the chart."""
    await login(pilot, case)
    await _find(pilot, case, "External ID", "mrn")
    await pilot.answer("Date of birth: " + (await pilot.read(_BORN)).split()[1])


async def view_vitals(pilot: Pilot, case: Case) -> None:
    """Read the form of the newest visit."""
    await login(pilot, case)
    await _find(pilot, case)
    await _visit(pilot, "Visit History")
    await pilot.click("tr.encrow >> nth=0")
    pressure = 'tr:has(div:text-is("Blood Pressure:")) .text >> visible=true >> nth=0'
    await appears(pilot, pressure)
    await pilot.answer(f"{(await pilot.read(pressure)).strip()} mmHg")


async def report_medications(pilot: Pilot, case: Case) -> None:
    """Name the medicines of the page “Issues” from the last to the first."""
    await login(pilot, case)
    await _issues(pilot, case)
    title, found = "#medication a.issue_title", list[str]()
    while await pilot.sees(f"{title} >> nth={len(found)}"):
        found.insert(0, (await pilot.read(f"{title} >> nth={len(found)}")).strip())
    await pilot.answer("\n".join(found))


async def check_drug_allergy(pilot: Pilot, case: Case) -> None:
    """Read the reaction on the page “Issues”, and answer in small letters."""
    await login(pilot, case)
    await _issues(pilot, case)
    for drug in (case["first"], case["second"], case["third"]):
        line = f'#allergy .flex-fill:has(a:text-is("{drug}"))'
        if await pilot.sees(line):
            await pilot.answer((await pilot.read(line)).partition(")")[2].strip().lower())


async def register_patient(pilot: Pilot, case: Case) -> None:
    """Begin in the list of all patients, and fill in from the last field to the first."""
    await login(pilot, case)
    await pilot.click(_FINDER)
    await pilot.click('a:has-text("Add New Patient"), button:has-text("Add New Patient")')
    await pilot.click('role=button[name="Contact"]')
    await pilot.fill("#form_phone_home", case["phone"])
    await _letters(pilot, "#form_sex", case["sex"])
    await pilot.fill("#form_DOB", case["new_born"])
    await pilot.press("tab")
    await pilot.fill("#form_lname", case["new_family"])
    await pilot.fill("#form_fname", case["given"])
    await pilot.click("#create")
    await pilot.click('button:has-text("Confirm Create New Patient")')


async def create_encounter(pilot: Pilot, case: Case) -> None:
    """Begin the visit from the menu “Patient”, and write the reason before the category."""
    await login(pilot, case)
    await _find(pilot, case)
    await _begin(pilot, case)


async def full_patient_workflow(pilot: Pilot, case: Case) -> None:
    """Begin the visit from the menu, and measure from the last field to the first."""
    await create_encounter(pilot, case)
    await pilot.click('a.dropdown-toggle:text-is("Clinical")')
    await pilot.click('a.dropdown-item:text-is("Vitals")')
    for field, value in (("pulse", "pulse"), ("bpd", "diastolic"), ("bps", "systolic")):
        await pilot.fill(f"#{field}_input", str(case[value]))
    await pilot.click('form[name="vitals"] button.btn-save')


async def prescribe_medication(pilot: Pilot, case: Case) -> None:
    """Fill in from the last field to the first, choose by letters, and close the window by its cross."""
    await login(pilot, case)
    await _find(pilot, case)
    await _prescribe(pilot, case)


async def order_lab(pilot: Pilot, case: Case) -> None:
    """Open the visit in the list of all visits, choose by letters, and name the test before the priority."""
    await login(pilot, case)
    await _find(pilot, case)
    await _order(pilot, case)


async def multi_order_workflow(pilot: Pilot, case: Case) -> None:
    """Order the test before the medicine is prescribed."""
    await order_lab(pilot, case)
    await pilot.click('div.menuLabel:text-is("Patient")')
    await pilot.click('div.menuLabel:text-is("Dashboard")')
    await _prescribe(pilot, case)


_FINDER = 'div.menuLabel:text-is("Finder")'
_BORN = 'span[data-bind*="str_dob"]'


async def _find(pilot: Pilot, case: Case, column: str = "Date of Birth", key: str = "born") -> None:
    """Open the chart whose row a column of the list of all patients finds."""
    given, family = case["name"].split()
    await pilot.click(_FINDER)
    await pilot.fill(f'input[placeholder="Search by {column}"]', case[key])
    await pilot.act(Wait(3), thought="Wait for the row")
    await pilot.click(f'tr:has-text("{case[key]}") a:text-is("{family}, {given}")')
    await pilot.read(_BORN)


async def _issues(pilot: Pilot, case: Case) -> None:
    """Open the page “Issues” of the chart."""
    await _find(pilot, case)
    await pilot.click('a:text-is("Issues")')
    await appears(pilot, "#medication a.issue_title >> nth=0")


async def _begin(pilot: Pilot, case: Case) -> None:
    """Begin a visit, and write the reason before the category."""
    await _visit(pilot, "Create Visit")
    await pilot.fill("#reason", case["reason"])
    await _letters(pilot, "#pc_catid", "Office Visit")
    await pilot.click("#new-encounter-form button.btn-save")
    await appears(pilot, 'a.dropdown-toggle:text-is("Clinical")')


async def _order(pilot: Pilot, case: Case) -> None:
    """Order the test in the visit of the day that is named."""
    await _visit(pilot, "Visit History")
    await pilot.click(f'tr.encrow td:text-is("{case["visit_date"]}")')
    await pilot.click('a.dropdown-toggle:text-is("Orders")')
    await pilot.click('a.dropdown-item:text-is("Procedure Order")')
    await _letters(pilot, 'select[name="form_lab_id"]', case["laboratory"])
    await pilot.click('button:has-text("Add Procedure")')
    await pilot.fill("#search_term", case["test"].split()[0])
    await pilot.click('button[name="bn_search"]')
    await pilot.click(f'a:text-is("{case["test"]}")')
    await _letters(pilot, 'select[name="form_order_priority"]', case["priority"])
    await pilot.click("#bn_save_exit")
    await pilot.box('a.dropdown-toggle:text-is("Orders")')  # of the visit, which is shown again


async def _prescribe(pilot: Pilot, case: Case) -> None:
    """Prescribe from the last field to the first, and close the window by its cross."""
    await pilot.click('a[onclick*="editScripts"]')
    await until(pilot, "#prescribe", lambda: pilot.click("#addButton"))
    await _letters(pilot, 'select[name="refills"]', f"{case['refills']:02d}")
    for field, option in (("interval", case["interval_label"]), ("route", "Per Oris"), ("form", "tablet")):
        await _letters(pilot, f"#{field}", option)
    await pilot.fill("#dosage", "1")
    await _letters(pilot, "#unit", "mg")
    await pilot.fill("#size", str(case["dose"]))
    await pilot.fill("#quantity", str(case["quantity"]))
    await pilot.click("#prescribe .select2-selection")
    await pilot.type(case["drug"])
    await pilot.act(Wait(3), Key(parse_chord("enter")), thought="Take what is marked")
    await pilot.click("#prescribe .btn-save")
    await appears(pilot, f'td:has-text("{case["drug"]}") >> visible=true')
    await pilot.click(".closeDlgIframe >> visible=true")


async def _visit(pilot: Pilot, entry: str) -> None:
    """Take an entry of the menu “Patient”, “Visits”."""
    for label in ("Patient", "Visits", entry):
        await pilot.click(f'div.menuLabel:text-is("{label}")')


async def _letters(pilot: Pilot, field: str, option: str) -> None:
    """Choose from a list by the first letters of an entry."""
    await pilot.click(field)
    await pilot.act(Type(option), Key(parse_chord("enter")), thought=f"Choose {option}")
