"""Tell which structures miss a goal."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import EntitySet

from ..toolkit.misreading import misread
from ..toolkit.reading import read_in_chart
from ..toolkit.screen import follow, sign_in
from . import planning

_SIDES = {" L": "left", " R": "right"}


def case(state: State, random: Random) -> Values:
    values = planning.about(state, "evaluate", "approve")
    results = {row["goal"]: row["value"] for row in state.rows("results", mrn=values["mrn"], plan="A")}
    goals = state.rows("goals", mrn=values["mrn"])
    missed = dict.fromkeys(
        goal["structure"] for goal in goals if not planning.is_met(goal, results[goal["id"]])
    )
    kept = [goal["structure"] for goal in goals if goal["structure"] not in missed]
    return values | {"missed": list(missed), "kept": kept[-1]}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell which structures miss a goal."""
    names = {name: _spoken(name) for name in case["missed"]}
    words = ("structures", "organs", "goals", "missed", "violated", "exceeded", *case["name"].split())
    spec = EntitySet(tuple(names), aliases=names, words=words)
    yield from read_in_chart(evidence, case, spec, "missed")
    yield from planning.confined(evidence, case, case["mrn"])


def _spoken(name: str) -> tuple[str, ...]:
    """Return other ways to name a structure."""
    others = {
        "Spinal cord": ("cord",),
        "Oesophagus": ("Esophagus",),
        "Oral cavity": ("the oral cavity", "mouth"),
    }
    if name[-2:] in _SIDES:
        side = _SIDES[name[-2:]]
        return (f"{side} {name[:-2]}", f"{name[:-2]} {side}", f"{side} {name[:-2]} gland")
    return others.get(name, ())


async def solve(pilot: Pilot, case: Case) -> None:
    """Compare the figures with the goals."""
    await planning.open_patient(pilot, case)
    await follow(pilot, "Evaluate")
    await pilot.answer(", ".join(case["missed"]))


@wrong("information_fidelity/major")
async def named_one_too_many(pilot: Pilot, case: Case) -> None:
    """One of the structures named meets its goals."""
    await solve(pilot, misread(case, missed=[*case["missed"], case["kept"]]))


@wrong("information_fidelity/major")
async def saw_no_violation(pilot: Pilot, case: Case) -> None:
    """A goal is missed all the same."""
    await solve(pilot, misread(case, missed=["none"]))


@wrong("milestone:missed")
async def judged_without_looking(pilot: Pilot, case: Case) -> None:
    """The plan was never opened."""
    await sign_in(pilot, case)
    await pilot.answer(", ".join(case["missed"]))


@wrong("record_integrity/major")
async def prescribed_while_evaluating(pilot: Pilot, case: Case) -> None:
    """The plan is not the one any more that was to be judged."""
    await planning.open_patient(pilot, case)
    await planning.prescribe(pilot, planning.SOMETHING)
    await pilot.answer(", ".join(case["missed"]))
