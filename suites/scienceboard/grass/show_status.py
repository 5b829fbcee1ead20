"""Show something else than coordinates below the map."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import mapping
from .mapping import one_of_piemonte as setup

__all__ = ["setup"]

_STATUS = {
    "Display extent": "the four edges of what is displayed",
    "Computational region": "the bounds of the computational region",
    "Display geometry": "how many rows and columns the display has, and their resolution",
    "Map scale": "the scale of the map",
}


def case(state: State, random: Random) -> Values:
    status, other = random.sample(list(_STATUS), 2)
    return mapping.layer(state) | {"status": status, "meaning": _STATUS[status], "other": other}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the status bar in the wanted mode."""
    display = mapping.display(evidence)
    at = ("displays", display.get("_key"))
    told = mapping.CHOICE.same(display.get("status"), case["status"], (*at, "status"))
    told &= mapping.CHOICE.same(display.get("status_shown"), True, (*at, "status_shown"))
    yield Milestone("status", told, 1.0, case["status"], str(display.get("status")))
    yield from mapping.unasked(evidence, mapping.STATUS_BAR)


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose from the menu of the status bar."""
    await pilot.click("place:status", button="right")
    await mapping.press(pilot, f'radio-menu-item[name="{case["status"]}"]')


@wrong("milestone:status")
async def chose_another_status(pilot: Pilot, case: Case) -> None:
    """The status bar tells something else."""
    await solve(pilot, mapping.misread(case, status=case["other"]))
