"""A wave, in a tab that is to stay in front."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import workspace
from .workspace import in_the_dictionary as setup
from .workspace import plot_curves as solve

__all__ = ["setup", "solve"]


def case(state: State, random: Random) -> Values:
    a, c = random.randint(2, 6), random.randint(1, 4)
    return {"factor": a, "shift": c, "curves": [f"x->{a}*cos(x)+{c}"], "enter": [f"x->{a}*cos(x)+{c}"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """The curve is there, and its tab in front."""
    curve = workspace.curves_added(evidence, case["curves"], 0.8)
    tab = workspace.setting(evidence, "tab", "2D Graph", 0.2)
    yield from workspace.decided(evidence, (*curve, *tab, *workspace.untouched(evidence, plane=True)))


@wrong("milestone:tab")
async def gone_back(pilot: Pilot, case: Case) -> None:
    """Go back to the calculator afterwards."""
    await solve(pilot, case)
    await workspace.show(pilot, "Calculator")


@wrong("milestone:curve")
async def other_wave(pilot: Pilot, case: Case) -> None:
    """Put the factor into the cosine."""
    await workspace.plot(pilot, [f"x->cos({case['factor']}*x)+{case['shift']}"])
