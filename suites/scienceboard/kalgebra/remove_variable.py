"""One variable that is to go, and one that must not."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Choice

from . import workspace
from .workspace import Steps

_NAMES = ("speed", "mass", "width", "height", "offset", "gain", "delay", "angle")


def case(state: State, random: Random) -> Values:
    own = sorted(set(state.collections["variables"]) - {"ans", "pi", "e", "i", "true", "false", "euler"})
    name, other = random.sample([*own, "euler"], 2)
    values = {row["_key"]: row["value"] for row in state.rows("variables")}
    return {"name": name, "cell": values[name], "other": other, "other_cell": values[other]}


def _define(text: str) -> Mapping[str, Any]:
    return {"do": "define", "text": text}


def setup(random: Random) -> Steps:
    """Some variables, each with a value of its own."""
    values = random.sample(range(12, 99), 3)
    for name, value in zip(random.sample(_NAMES, 3), values, strict=True):
        yield _define(f"{name}:={value}")
    yield _define(f"{random.randint(101, 199)}*{random.randint(11, 19)}")  # so that no variable equals ans


def check(evidence: Evidence, case: Case) -> Findings:
    """The variable is gone, and every other one is there."""
    held = workspace.variable(evidence, case["name"])
    gone = Choice().same(held, None, ("variables", case["name"], "value"))
    yield Milestone("removed", gone, 1.0, f"no variable {case['name']}", held or "gone")
    yield from workspace.untouched(evidence, variables=[case["name"]])


async def _remove_variable(pilot: Pilot, cell: str) -> None:
    """Remove the variable of a value."""
    await pilot.click(f'frame[name="Variables"] >> table-cell[name="{cell}"]')
    await pilot.click('push-button[name="Remove Variable"]')


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the variable's value, and remove it there."""
    await _remove_variable(pilot, case["cell"])


@wrong("milestone:removed")
async def set_to_zero(pilot: Pilot, case: Case) -> None:
    """Set the variable to 0 and keep it."""
    await workspace.calculate(pilot, f"{case['name']}:=0")


@wrong("record_integrity/major")
async def other_removed(pilot: Pilot, case: Case) -> None:
    """Remove another variable."""
    await _remove_variable(pilot, case["other_cell"])
