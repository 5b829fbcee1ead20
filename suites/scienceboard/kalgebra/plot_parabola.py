"""A parabola by its vertex and one more point."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import attempt_left
from .workspace import flat as setup
from .workspace import plot_curves as solve
from .workspace import plotted as check

__all__ = ["attempt_left", "check", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    a, h, k = random.randint(2, 3), random.choice((-3, -2, 2, 3)), random.choice((-3, -1, 1, 2, 4))
    return {
        "h": h,
        "k": k,
        "x": h + 1,
        "y": k + a,
        "curves": [f"y={a}*(x{-h:+d})^2{k:+d}"],
        "enter": [f"x->{a}*x^2{-2 * a * h:+d}*x{a * h * h + k:+d}"],
        "slip": [f"x->{a}*(x{h:+d})^2{k:+d}"],
    }


@wrong("milestone:curve")
async def vertex_mirrored(pilot: Pilot, case: Case) -> None:
    """Get the sign of the vertex wrong."""
    await workspace.plot(pilot, case["slip"])
