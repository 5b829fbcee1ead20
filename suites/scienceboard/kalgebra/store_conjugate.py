"""A complex number, and where its conjugate goes."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import workspace
from .workspace import calculator as setup
from .workspace import not_stored, other_variable
from .workspace import store as solve

__all__ = ["not_stored", "other_variable", "setup", "solve"]


def _signed(number: int) -> str:
    """Return ` + 3` or ` - 3`."""
    return f" {'-' if number < 0 else '+'} {abs(number)}"


def case(state: State, random: Random) -> Values:
    a, b = random.randint(2, 9), random.choice((-7, -5, -4, -3, 2, 3, 5, 6, 8))
    name = random.choice(workspace.LETTERS)
    return {
        "number": f"{a}{_signed(b)}i",
        "variable": name,
        "real": a,
        "imaginary": -b,
        "enter": f"{name}:=conjugate({a}{b:+d}*i)",
    }


def _stored_complex(evidence: Evidence, name: str, value: complex, weight: float = 1.0) -> Findings:
    """Judge whether a variable holds a complex number.

    The list of variables has its real part only; the rest stands in the console, where it was stored last.
    """
    held = evidence.after.collections["variables"].get(name)
    lines = [
        row for row in evidence.after.rows("console") if row["input"].replace(" ", "").startswith(f"{name}:=")
    ]
    told = lines[-1]["output"] if lines else "never stored"
    right = (
        held is not None
        and workspace.close(workspace.value_of(told, {}), value)
        and workspace.close(workspace.value_of(held["value"], {}), value.real)
    )
    yield Milestone("stored", right, weight, f"{name} = {value.real:g}{value.imag:+g}*i", told)


def check(evidence: Evidence, case: Case) -> Findings:
    """The variable holds the conjugate."""
    yield from _stored_complex(evidence, case["variable"], complex(case["real"], case["imaginary"]))
    yield from workspace.untouched(evidence, variables=[case["variable"]])


@wrong("milestone:stored")
async def number_itself(pilot: Pilot, case: Case) -> None:
    """Store the number and not its conjugate; its real part is the same."""
    await workspace.stored(pilot, case, f"{case['real']}{-case['imaginary']:+d}*i")
