"""Hide what lies above the map."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import mapping
from .mapping import Asked
from .mapping import one_of_piemonte as setup

__all__ = ["setup"]

_MAP = "place:canvas"


def case(state: State, random: Random) -> Values:
    return mapping.layer(state) | {"display": next(iter(state.collections["displays"]))}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the map display without its toolbar."""
    display = mapping.display(evidence)
    bars = display.get("toolbars")
    hidden = mapping.CHOICE.same(bars, [], ("displays", display.get("_key"), "toolbars"))
    yield Milestone("hidden", hidden, 1.0, "no toolbar", "no display" if bars is None else ", ".join(bars))
    yield from mapping.unasked(
        evidence, Asked(toolbars=frozenset(evidence.before.row("displays")["toolbars"]))
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose so from the menu of the map."""
    await mapping.context(pilot, _MAP, "Hide toolbars")


@wrong("milestone:hidden")
async def hid_the_status_bar(pilot: Pilot, case: Case) -> None:
    """It is the other bar that is gone."""
    await mapping.context(pilot, "place:canvas", "Hide statusbar")
