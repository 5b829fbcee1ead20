"""One of the curves, named by its shape."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Choice

from . import workspace
from .workspace import Steps


def case(state: State, random: Random) -> Values:
    curves = workspace.expressions(state)
    kinds = {_shape_of(expression): key for key, expression in curves.items()}
    kind = random.choice(sorted(kinds))
    other = random.choice(sorted(set(kinds.values()) - {kinds[kind]}))
    return {"kind": kind, "key": kinds[kind], "other": other}


def _shape_of(expression: str) -> str:
    if expression.startswith("q"):
        return "rose"
    return "parabola" if "^2" in expression else "cosine wave"


def setup(random: Random) -> Steps:
    """A rose, a parabola and a wave, in any order."""
    curves = [
        f"q->{random.randint(4, 7)}*sin({random.choice((3, 5))}*q)",
        f"x->{random.randint(2, 5)}*x^2-{random.randint(2, 6)}",
        f"x->{random.randint(2, 4)}*cos(x)",
    ]
    random.shuffle(curves)
    yield from map(workspace.plot_of, curves)


def check(evidence: Evidence, case: Case) -> Findings:
    """The curve is gone, and the others are there."""
    left = evidence.after.collections["functions2d"].get(case["key"], {}).get("expression")
    gone = Choice().same(left, None, ("functions2d", case["key"], "expression"))
    yield Milestone("removed", gone, 1.0, f"no {case['kind']}", left or "gone")
    yield from workspace.untouched(evidence, plots=[case["key"]])


async def _remove_plot(pilot: Pilot, plot_name: str) -> None:
    """Remove a curve."""
    await workspace.edit(pilot, plot_name)
    await pilot.click('push-button[name="Remove"]')


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the curve's editor, and remove it there."""
    await _remove_plot(pilot, case["key"])


@wrong("milestone:removed")
async def only_hidden(pilot: Pilot, case: Case) -> None:
    """Hide the curve by its check box."""
    await pilot.click(f'frame[name="Functions"] >> table-cell[name="{case["key"]}"]@0.16,0.5')


@wrong("record_integrity/major")
async def other_curve_removed(pilot: Pilot, case: Case) -> None:
    """Remove another curve."""
    await _remove_plot(pilot, case["other"])
