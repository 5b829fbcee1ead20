"""Edit the map that is shown."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import mapping
from .mapping import Asked
from .mapping import one_of_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    return mapping.layer(state)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the digitizer open on the map."""
    display = mapping.display(evidence)
    edited = display.get("editing")
    right = mapping.CHOICE.same(edited, case["layer"], ("displays", display.get("_key"), "editing"))
    yield Milestone("editing", right, 1.0, case["layer"], str(edited))
    yield from mapping.unasked(
        evidence, Asked(display=frozenset({"editing"}), toolbars=frozenset({"vdigit"}))
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose so from the menu of the layer."""
    await mapping.layer_menu(pilot, case["layer"], "Start editing")
    await mapping.await_sight(pilot, 'toggle-button[name^="Digitize new point"]')


@wrong("milestone:editing")
async def opened_the_table(pilot: Pilot, case: Case) -> None:
    """The table is not the digitizer."""
    await mapping.open_table(pilot, case["layer"])
