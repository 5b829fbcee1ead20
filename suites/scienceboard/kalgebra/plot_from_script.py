"""One spiral of the family that a script defines."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import workspace
from .workspace import Steps

SCRIPT = "spiral.kal"


def case(state: State, random: Random) -> Values:
    (shift,) = workspace.numbers(state.collections["files"][SCRIPT]["text"])
    a = random.randint(2, 5)
    return {"a": a, "file": SCRIPT, "curves": [f"q->{a}*q+{shift}"], "enter": [f"q->(r({a}))(q)"]}


def setup(random: Random) -> Steps:
    """A script that defines a family of spirals."""
    shift = random.randint(1, 4)
    yield {"do": "write", "path": SCRIPT, "text": f"r:=a->q->a*q+{shift}\n"}


def check(evidence: Evidence, case: Case) -> Findings:
    """The script was loaded, and its spiral is in the graph."""
    loaded, curve = (
        workspace.loaded(evidence, case, "r", 0.3),
        workspace.curves_added(evidence, case["curves"], 0.7),
    )
    others = workspace.untouched(evidence, variables=["r"], plane=True)
    yield from workspace.decided(evidence, (*loaded, *curve, *others))


async def solve(pilot: Pilot, case: Case) -> None:
    """Load the script, then plot its curve."""
    await workspace.load(pilot, case["file"])
    await workspace.plot_curves(pilot, case)


@wrong("milestone:curve")
async def next_spiral(pilot: Pilot, case: Case) -> None:
    """Plot the next spiral of the family."""
    await workspace.load(pilot, case["file"])
    await workspace.plot(pilot, [f"q->(r({case['a'] + 1}))(q)"])


@wrong("milestone:loaded")
async def spiral_by_hand(pilot: Pilot, case: Case) -> None:
    """Plot the right curve without loading the script."""
    await workspace.plot(pilot, case["curves"])
