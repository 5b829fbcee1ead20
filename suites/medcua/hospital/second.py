"""Second solutions of the hospital, mostly from the list of patients.

Those that only read were written without a look at the checks; those that write were finished after some of what the
checks share had been seen, when the check of `view_vitals` was mended.
"""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Key, Point, Scroll, Type, Wait
from pytest_cuabench.task.keys import parse_chord

from ..toolkit.viewer import appears

_SEARCH = 'input[placeholder="Search"]'
_TOOLBAR, _END = 195, 690  # between which a form is in sight, in pixels down


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
    """Read the list of conditions that belongs to the patient's row, and answer in other cases of letters."""
    await login(pilot, case)
    await _related(pilot, case, "Conditions")
    await appears(pilot, 'td[data-title^="Remarks"] >> nth=0')
    for drug in (case["first"], case["second"], case["third"]):
        remark = f'td[data-title^="Remarks"]:has-text("{drug}")'
        if await pilot.sees(remark):
            await pilot.answer((await pilot.read(remark)).partition(":")[2].strip().upper())


async def view_vitals(pilot: Pilot, case: Case) -> None:
    """Read the columns of the list of evaluations, and open none."""
    await login(pilot, case)
    await _related(pilot, case, "Evaluations")
    day = 'td[data-title^="Date"]'
    await appears(pilot, f"{day} >> nth=0")
    await pilot.act(Scroll(790, 400, dx=10), thought="Scroll to the pressures")
    found: list[tuple[str, str]] = []
    while await pilot.sees(f"{day} >> nth={len(found)}"):
        row = f"tr:has({day}) >> nth={len(found)}"
        month, number, year = (await pilot.read(f"{row} >> {day}")).strip().split("/")
        pressure = [
            (await pilot.read(f'{row} >> td[data-title^="{name} Pressure"]')).strip()
            for name in ("Systolic", "Diastolic")
        ]
        found.append((year + month + number, "/".join(pressure)))
    await pilot.answer(f"{max(found)[1]} mmHg")


async def create_encounter(pilot: Pilot, case: Case) -> None:
    """Begin and save by keys, from the list of patients."""
    await login(pilot, case)
    await _related(pilot, case, "Evaluations")
    await _new(pilot)
    await _write(pilot, "chief_complaint", case["reason"])
    await pilot.act(*_keys("ctrl+s"), Wait(3), thought="Save")


async def full_patient_workflow(pilot: Pilot, case: Case) -> None:
    """Measure from the last field to the first, and confirm by keys."""
    await login(pilot, case)
    await _related(pilot, case, "Evaluations")
    await _new(pilot)
    await _write(pilot, "chief_complaint", case["reason"])
    clinical = await _reach(pilot, 'a:text-is("Clinical") >> visible=true')
    await pilot.act(Click(*clinical), Wait(1), thought="Turn to another page")
    for field in ("bpm", "diastolic", "systolic"):
        await _write(pilot, field, str(case[field]))
    discharge = await _reach(pilot, 'button:has-text("Discharge") >> visible=true')
    await pilot.act(Click(*discharge), Wait(3), *_keys("tab", "enter"), Wait(4), thought="Discharge")


async def order_lab(pilot: Pilot, case: Case) -> None:
    """Order from the list of patients."""
    await login(pilot, case)
    await _related(pilot, case, "Lab: New order")
    await _order(pilot, case)


async def register_patient(pilot: Pilot, case: Case) -> None:
    """Find the parties by the field “Action”, begin and save by keys, and fill in from the last field to the first."""
    await login(pilot, case)
    await pilot.fill('input[placeholder="Action"]', "Parties")
    await pilot.act(Wait(2), *_keys("down", "enter"), Wait(4), thought="Take the first that is offered")
    await _new(pilot)
    await pilot.click('input[name="is_person"] >> visible=true')
    await pilot.act(Wait(2), thought="Wait")
    year, month, day = case["new_born"].split("-")
    await _write(pilot, "dob", f"{month}/{day}/{year}")
    await pilot.click('select[name="gender"] >> visible=true')
    await pilot.act(Type(case["sex"]), *_keys("enter"), thought="Choose")
    for field, value in (("ref", "puid"), ("lastname", "new_family"), ("name", "given")):
        await _write(pilot, field, case[value])
    await pilot.act(*_keys("ctrl+s"), Wait(4), thought="Save")


async def prescribe_medication(pilot: Pilot, case: Case) -> None:
    """Write units and medicament into the row, and the rest into the form of the line, from its end."""
    await login(pilot, case)
    await _related(pilot, case, "Prescriptions")
    await _prescribe(pilot, case)


async def multi_order_workflow(pilot: Pilot, case: Case) -> None:
    """Prescribe before the test is ordered, both from the list of patients."""
    await login(pilot, case)
    await _related(pilot, case, "Prescriptions")
    await _prescribe(pilot, case)
    await pilot.click('a:has-text("Patients") >> visible=true')
    await pilot.act(Wait(2), thought="Wait")
    await pilot.click('button[title^="Open related"] >> visible=true')
    await pilot.click('a:text-is("Lab: New order") >> visible=true')
    await _order(pilot, case)


async def _prescribe(pilot: Pilot, case: Case) -> None:
    """Write a prescription of one line, and create it."""
    await _new(pilot)
    await pilot.click('.form-one2many button[aria-label="New"] >> visible=true')
    await pilot.act(Wait(2), thought="Wait")
    await pilot.fill('td[data-title^="Units"] input >> visible=true', str(case["quantity"]))
    await pilot.press("tab")
    await pilot.fill('td[data-title^="Medicament"] input >> visible=true', case["drug"])
    await pilot.act(Wait(3), *_keys("down", "enter"), Wait(2), thought="Take the first that is offered")
    await pilot.click('.form-one2many button[aria-label="Switch"] >> visible=true')
    await pilot.act(Wait(3), thought="Wait")
    await _write(pilot, "refills", str(case["refills"]))
    await _offered(pilot, "common_dosage", case["frequency"])
    await _offered(pilot, "dose_unit", "mg")
    await _write(pilot, "dose", str(case["dose"]))
    for warning in ("regnancy", "llerg"):
        ticked = f'input[name*="{warning}"]:checked >> visible=true'
        if await pilot.sees(ticked):
            await pilot.act(Click(*await _reach(pilot, ticked)), thought="Untick")
    verified = await _reach(pilot, 'input[name="prescription_warning_ack"] >> visible=true')
    await pilot.act(Click(*verified), Wait(2), thought="Tick")
    await pilot.click('button:has-text("Create") >> visible=true')
    await pilot.act(Wait(3), *_keys("tab", "enter"), Wait(4), thought="Confirm")


async def _offered(pilot: Pilot, field: str, text: str) -> None:
    """Type into a field that offers what fits, and take the first."""
    point = await _reach(pilot, f'input[name="{field}"] >> visible=true')
    await pilot.act(
        Click(*point), Type(text), Wait(3), *_keys("down", "enter"), Wait(1), thought="Take the first"
    )


def _keys(*chords: str) -> list[Key]:
    """Return presses of keys, one after the other."""
    return [Key(parse_chord(chord)) for chord in chords]


async def _write(pilot: Pilot, field: str, text: str) -> None:
    """Replace the content of a field of a form, and leave it by the tabulator."""
    point = await _reach(pilot, f'input[name="{field}"] >> visible=true')
    await pilot.act(Click(*point), *_keys("ctrl+a"), Type(text), *_keys("tab"), thought=f"Write {field}")


async def _reach(pilot: Pilot, target: str) -> Point:
    """Scroll until an element is below the toolbar, and return its middle."""
    for _ in range(5):
        point = (await pilot.box(target)).middle
        if _TOOLBAR < point.y < _END:
            break
        await pilot.act(Scroll(790, 450, dy=round((point.y - 450) / 100)), Wait(1), thought="Scroll")
    return point


async def _new(pilot: Pilot) -> None:
    """Begin a new record by keys; its form is ready once the counter above has its number."""
    await pilot.act(Wait(3), *_keys("alt+n"), Wait(3), thought="Begin a new record")
    await appears(pilot, r"text=/^[0-9]+\/[0-9]+$/ >> visible=true")
    await pilot.act(Wait(2), thought="Wait")


async def _order(pilot: Pilot, case: Case) -> None:
    """Type the test, take it from what is offered below the field, and request it."""
    field = ".modal .form-many2many-toolbar input >> visible=true"
    await appears(pilot, field)
    await pilot.act(Wait(2), thought="Wait")
    await pilot.fill(field, case["test"])
    await pilot.act(Wait(3), thought="Wait")
    await pilot.act(*_keys("down", "enter"), Wait(3), thought="Take the first that is offered")
    await pilot.click('.modal button:has-text("Request") >> visible=true')
    await pilot.act(Wait(4), thought="Wait")


async def _row(pilot: Pilot, case: Case) -> None:
    """Look for a patient by the family name, and mark the row of the right number."""
    name = case["name"]
    await pilot.fill(_SEARCH, name.split(",")[0] if "," in name else name.split()[-1])
    await pilot.press("enter")
    await pilot.act(Wait(2), thought="Wait")
    await pilot.click(f'tr:has-text("{case["mrn"]}") >> td[data-title^="Gender"]')


async def _related(pilot: Pilot, case: Case, entry: str) -> None:
    """Open related records from the list, in place of the form."""
    await _row(pilot, case)
    await pilot.click('button[title^="Open related"]')
    await pilot.click(f'a:text-is("{entry}")')


async def _open(pilot: Pilot, case: Case) -> None:
    """Open the form of the right patient from the list."""
    await _row(pilot, case)
    await pilot.click("#switch_")
    await appears(pilot, 'a:text-is("General Info")')
