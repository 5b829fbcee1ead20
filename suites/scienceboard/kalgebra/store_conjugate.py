"""A complex number, and where its conjugate goes."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Fits

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
    stores = Fits("any expression may be stored", pattern=rf"\s*{name}\s*:=.*", forms=(f"{name} := 1*i",))
    lines = [row for row in evidence.after.rows("console") if stores.matches(row.get("input"), name)]
    last = lines[-1] if lines else {}
    real = workspace.STORED.same(workspace.variable(evidence, name), value.real, ("variables", name, "value"))
    right = bool(
        lines
        and stores.same(last["input"], name, ("console", last["_key"], "input"))
        and workspace.STORED.same(last.get("output"), value, ("console", last["_key"], "output"))
    )
    told = last.get("output") or "never stored"
    yield Milestone("stored", real and right, weight, f"{name} = {value.real:g}{value.imag:+g}*i", told)


def check(evidence: Evidence, case: Case) -> Findings:
    """The variable holds the conjugate."""
    yield from _stored_complex(evidence, case["variable"], complex(case["real"], case["imaginary"]))
    yield from workspace.untouched(evidence, variables=[case["variable"]])


@wrong("milestone:stored")
async def number_itself(pilot: Pilot, case: Case) -> None:
    """Store the number and not its conjugate; its real part is the same."""
    await workspace.stored(pilot, case, f"{case['real']}{-case['imaginary']:+d}*i")
