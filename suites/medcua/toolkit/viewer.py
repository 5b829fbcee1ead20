"""What the tasks in the OHIF Viewer have in common: how its list names studies, and how a study is opened from it.

The viewer builds its pages when they are asked for, so opening one waits until what is needed is there.
"""

from __future__ import annotations

import datetime

from pytest_cuabench import Pilot, Values
from pytest_cuabench.agents.builtin.oracle import Lost
from pytest_cuabench.task.action import Wait
from pytest_cuabench.task.evidence import Row

from .screen import Job

_LATE = 60  # looks at a page that is being built


def listed(study: Row) -> Values:
    """Return which study it is, and how the list names it."""
    return {
        "study_uid": study["study_uid"],
        "name": name(study),
        "date": date(study),
        "description": study["description"],
    }


def name(study: Row) -> str:
    """Return a patient's name as the list has it."""
    return f"{study['family']}, {study['given']}"


def date(study: Row) -> str:
    """Return the day of a study as the list has it."""
    return datetime.date.fromisoformat(study["date"]).strftime("%d-%b-%Y")


def row(study: Job) -> str:
    """Return the row of a person and a day in the list, for a click."""
    return f'tr:has-text("{study["name"]}"):has-text("{study["date"]}")'


async def appears(pilot: Pilot, target: str) -> None:
    """Wait for an element of a page that the viewer still builds."""
    for _ in range(_LATE):
        if await pilot.sees(target):
            return
        await pilot.act(Wait(0.5), thought="Wait")
    raise Lost(f"no element {target} on the screen")


async def launch(pilot: Pilot, workflow: str, sign: str) -> None:
    """Launch a workflow for the study that is selected, and wait for the sign that it is there."""
    await pilot.click(f'button:has-text("{workflow}")')
    await appears(pilot, sign)
