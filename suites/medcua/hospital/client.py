"""How things are done in Tryton's web client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pytest_cuabench import Case, Lost, Pilot
from pytest_cuabench.task.action import Scroll

Job = Case | Mapping[str, Any]
_AT_ROW = '.tab-pane.active :text-matches("^[0-9]+/[0-9]+$") >> visible=true'  # and not "_/2", at none
_NO_DIALOG = "body:not(:has(.modal-dialog:visible))"
_BUTTON = "button#{}:not([disabled]) >> visible=true"


async def sign_in(pilot: Pilot, case: Job) -> None:
    """Sign in; the password is asked in a dialog of its own."""
    await pilot.fill('input[name="login"]', case["user_id"])
    await pilot.press("Enter")
    await pilot.fill("input[type=password] >> visible=true", case["password"])
    await pilot.press("Enter")


async def _signed_in(pilot: Pilot, case: Job) -> None:
    if await pilot.sees('input[name="login"] >> visible=true'):
        await sign_in(pilot, case)


async def open_record(pilot: Pilot, case: Job) -> None:
    """Sign in if need be, search the list of patients, and open the form of a patient."""
    await _signed_in(pilot, case)
    await pilot.fill('input[placeholder="Search"] >> visible=true', case["mrn"])
    await pilot.press("Enter")
    await pilot.click(':text-is("_/1") >> visible=true')  # the list holds nobody else
    await open_row(pilot, case["mrn"])
    await pilot.click('a[role=tab]:text-is("General Info") >> visible=true')  # once the form is there


async def until(pilot: Pilot, target: str, step: Callable[[], Awaitable[None]]) -> None:
    """Do a step, and once more if no such element appears: the form was not ready for it."""
    await step()
    try:
        await pilot.read(target)
    except Lost:
        await step()
        await pilot.read(target)


async def open_row(pilot: Pilot, text: str) -> None:
    """Open the form of the first row that holds a text."""
    await pilot.click(f'td:has-text("{text}") >> visible=true >> nth=0')
    await pilot.read(_AT_ROW)
    await switch(pilot)


async def switch(pilot: Pilot) -> None:
    """Switch from the form to the list, or from the list to the form of the chosen row."""
    await pilot.click(_BUTTON.format("switch_"))


async def related(pilot: Pilot, name: str) -> None:
    """Open records of the patient whose form is open."""
    await pilot.click(_BUTTON.format("relate"))
    await pilot.click(f'a:text-is("{name}") >> visible=true')


async def go_to(pilot: Pilot, tab: str) -> None:
    """Bring what was opened before to the front."""
    await pilot.click(f'#tablist a:has-text("{tab}") >> visible=true >> nth=0')


async def begin(pilot: Pilot, title: str) -> None:
    """Begin a new record in the list that was opened, and wait until its form is ready."""
    await pilot.read(f'.navbar-brand .title:has-text("{title}") >> visible=true')
    await pilot.click(_BUTTON.format("new_"))
    await pilot.read(_AT_ROW)
    await pilot.read(".tab-pane.active input:focus >> visible=true")  # which scrolls to it


async def enter(pilot: Pilot, name: str, value: object) -> None:
    """Fill in a field of the form."""
    await pilot.fill(f'input[name="{name}"] >> visible=true', str(value))


async def pick(pilot: Pilot, name: str, text: str) -> None:
    """Fill in a field that offers what fits, and take it from there."""
    await enter(pilot, name, text)
    await pilot.click(f'li.completion :text-is("{text}") >> visible=true')


async def save(pilot: Pilot) -> None:
    """Save the form."""
    await pilot.click(_BUTTON.format("save"))
    await pilot.read("button#save[disabled] >> visible=true")


async def confirm(pilot: Pilot, button: str) -> None:
    """Press a button of the form that asks whether it is meant, and is gone when that is done."""
    here = f'button[name="{button}"] >> visible=true'
    await pilot.click(here)
    await pilot.click('.modal-dialog button[title="OK"] >> visible=true')
    await pilot.read(f'.tab-form:not(:has(button[name="{button}"]:visible)) >> visible=true')


async def _scroll_up(pilot: Pilot) -> None:
    """Bring the beginning of a form to light: what lies under its bar of buttons cannot be clicked."""
    await pilot.act(Scroll(640, 450, dy=-20), thought="Scroll up")


async def register(pilot: Pilot, case: Job) -> None:
    """Fill in the form of a person who is a patient."""
    await _signed_in(pilot, case)
    if not await pilot.sees('#menu :text-is("Parties") >> visible=true'):
        await pilot.click('#menu tr:has-text("Party") .expander >> nth=0')
    await pilot.click('#menu :text-is("Parties") >> visible=true')
    await begin(pilot, "Parties")
    await pilot.click('input[name="is_person"] >> visible=true')
    await enter(pilot, "name", case["given"])
    await enter(pilot, "lastname", case["new_family"])
    await enter(pilot, "ref", case["puid"])
    await pilot.press("Tab")  # the form takes it over, which would close a list
    await pilot.click('select[name="gender"] >> visible=true')
    await pilot.click(f'role=option[name="{case["sex"]}"]')
    await enter(pilot, "dob", "{1}/{2}/{0}".format(*case["new_born"].split("-")))
    await save(pilot)


async def evaluate(pilot: Pilot, case: Job) -> None:
    """Begin an evaluation of the patient whose form is open."""
    await related(pilot, "Evaluations")
    await begin(pilot, "Evaluations (")
    await enter(pilot, "chief_complaint", case["reason"])


async def turn_to_clinical(pilot: Pilot) -> None:
    """Turn to the page of an evaluation where vital signs are, once more if its form was not ready."""

    async def turn() -> None:
        await _scroll_up(pilot)
        await pilot.click('a[role=tab]:text-is("Clinical") >> visible=true')

    await until(pilot, 'input[name="systolic"] >> visible=true', turn)


async def measure(pilot: Pilot, case: Job) -> None:
    """Write down vital signs in the evaluation."""
    await turn_to_clinical(pilot)
    for name in ("systolic", "diastolic", "bpm"):
        await enter(pilot, name, case[name])


async def prescribe(pilot: Pilot, case: Job) -> None:
    """Fill in a prescription for the patient whose form is open, and answer its warnings."""
    await related(pilot, "Prescriptions")
    await begin(pilot, "Prescriptions (")
    await pilot.click('.form-one2many button[title="New"]:not([disabled]) >> visible=true')
    await pick(pilot, "medicament", case["drug"])
    for warning in ("pregnancy_warning", "allergy_warning"):
        if await pilot.sees(f'input[name="{warning}"]:checked >> visible=true'):
            await pilot.click(f'input[name="{warning}"] >> visible=true')
    await pilot.click('input[name="prescription_warning_ack"] >> visible=true')
    await pilot.click('.form-one2many button[title="Switch"]:not([disabled]) >> visible=true')
    await pilot.read('input[name="refills"] >> visible=true')
    await _scroll_up(pilot)
    await enter(pilot, "dose", case["dose"])
    await pick(pilot, "dose_unit", "mg")
    await pick(pilot, "common_dosage", case["frequency"])
    await enter(pilot, "refills", case["refills"])
    await enter(pilot, "quantity", case["quantity"])


async def order_test(pilot: Pilot, case: Job) -> None:
    """Order a test for the patient whose form is open."""
    await related(pilot, "Lab: New order")
    await pilot.fill(".modal-dialog .form-many2many input[type=text] >> visible=true", case["test"])
    await pilot.click('.modal-dialog .form-many2many button[title="Add"] >> visible=true')
    await pilot.click(f'.modal-dialog td:has-text("{case["test"]}") >> visible=true')
    await pilot.click('.modal-dialog button[title="OK"] >> visible=true')
    await pilot.click('.modal-dialog button[title="Request"] >> visible=true')
    await pilot.read(_NO_DIALOG)
