"""A value of the function that a script defines."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import workspace
from .workspace import Steps

MODEL = "model.kal"


def case(state: State, random: Random) -> Values:
    a, b, c = workspace.numbers(
        state.collections["files"][MODEL]["text"].replace("t^3", "t").replace("t^2", "t")
    )
    at = random.randint(5, 15)
    value = a * at**3 - b * at**2 + c * at
    return workspace.store_values(random, value, f"loss({at})", at=at, file=MODEL)


def setup(random: Random) -> Steps:
    """A script that defines a model."""
    a, b, c = random.randint(2, 9), random.randint(11, 39), random.randint(2, 9)
    yield {"do": "write", "path": MODEL, "text": f"loss:=t->{a}*t^3-{b}*t^2+{c}*t\n"}


def check(evidence: Evidence, case: Case) -> Findings:
    """The script was loaded, and the variable holds the value of its function."""
    yield from workspace.loaded(evidence, case, "loss", 0.3)
    yield from workspace.number_stored(evidence, case["variable"], case["value"], 0.7)
    yield from workspace.untouched(evidence, variables=[case["variable"], "loss"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Load the script, then call its function."""
    await workspace.load(pilot, case["file"])
    await workspace.store(pilot, case)


@wrong("milestone:stored")
async def next_argument(pilot: Pilot, case: Case) -> None:
    """Call the function with the number after it."""
    await workspace.load(pilot, case["file"])
    await workspace.stored(pilot, case, f"loss({case['at'] + 1})")


@wrong("milestone:loaded")
async def script_not_loaded(pilot: Pilot, case: Case) -> None:
    """Store the number without loading the script."""
    await workspace.stored(pilot, case, f"{case['value']:g}")
