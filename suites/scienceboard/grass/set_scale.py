"""Have a round scale; what is shown at the start has another one."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Number

from . import mapping
from .mapping import one_of_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    return mapping.layer(state) | {"scale": random.choice((150_000, 250_000, 400_000, 600_000, 750_000))}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the map at the scale."""
    display = mapping.display(evidence)
    scale, at = display.get("scale"), ("displays", display.get("_key"), "scale")
    near = Number(tolerance=0.001 * case["scale"]).same(scale, case["scale"], at)
    drawn_still = mapping.layer_of(evidence, case["layer"]) is not None
    yield Milestone("scale", near and drawn_still, 1.0, f"1:{case['scale']}", f"1:{scale or 0:.0f}")
    yield from mapping.unasked(evidence, mapping.STATUS_BAR)


async def solve(pilot: Pilot, case: Case) -> None:
    """Have the status bar show the scale, and type another one."""
    await pilot.click("place:status", button="right")
    await mapping.press(pilot, 'radio-menu-item[name="Map scale"]')
    field = 'text[value^="1:"]'
    await mapping.await_sight(pilot, field)
    await pilot.fill(field, f"1:{case['scale']}")
    await pilot.press("enter")


@wrong("milestone:scale")
async def left_out_a_digit(pilot: Pilot, case: Case) -> None:
    """The scale is ten times too large."""
    await solve(pilot, mapping.misread(case, scale=case["scale"] // 10))


@wrong("record_integrity/major")
async def removed_the_map(pilot: Pilot, case: Case) -> None:
    """The scale is right, but nothing is displayed."""
    await solve(pilot, case)
    await mapping.remove_layer(pilot, case["layer"])
