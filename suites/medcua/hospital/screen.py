"""What hands do in Tryton's web client: lists, forms, related records, and the dialog of a laboratory order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench import Case, Pilot

Job = Case | Mapping[str, Any]


async def sign_in(pilot: Pilot, case: Job) -> None:
    """Sign in; the password is asked in a dialog of its own."""
    await pilot.fill('input[name="login"]', case["user_id"])
    await pilot.press("Enter")
    await pilot.fill("input[type=password] >> visible=true", case["password"])
    await pilot.press("Enter")


async def open_record(pilot: Pilot, case: Job) -> None:
    """Sign in if need be, search the list of patients, and open the form of a patient."""
    if await pilot.sees('input[name="login"] >> visible=true'):
        await sign_in(pilot, case)
    await pilot.fill('input[placeholder="Search"] >> visible=true', case["mrn"])
    await pilot.press("Enter")
    await pilot.click(':text-is("_/1") >> visible=true')  # the list holds nobody else
    await pilot.click(f'td:has-text("{case["mrn"]}") >> visible=true', count=2)
    await pilot.click('a[role=tab]:text-is("General Info") >> visible=true')  # once the form is there


async def back_to_list(pilot: Pilot) -> None:
    """Switch from the form to the list."""
    await pilot.click("button#switch_ >> visible=true")


async def related(pilot: Pilot, name: str) -> None:
    """Open records of the patient whose form is open."""
    await pilot.click("button#relate:not([disabled]) >> visible=true")
    await pilot.click(f'a:text-is("{name}") >> visible=true')


async def order_test(pilot: Pilot, case: Job) -> None:
    """Order a test for the patient whose form is open."""
    await related(pilot, "Lab: New order")
    await pilot.fill(".modal-dialog .form-many2many input[type=text] >> visible=true", case["test"])
    await pilot.click('.modal-dialog .form-many2many button[title="Add"] >> visible=true')
    await pilot.click(f'.modal-dialog td:has-text("{case["test"]}") >> visible=true')
    await pilot.click('.modal-dialog button[title="OK"] >> visible=true')
    await pilot.click('.modal-dialog button[title="Request"] >> visible=true')
