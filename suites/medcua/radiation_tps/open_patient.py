"""Find somebody who has a namesake."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused
from . import planning
from .planning import open_patient as solve

__all__ = ["solve"]


def case(state: State, random: Random) -> Values:
    return planning.about(state, "open", "prescribe")


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the right plan on the screen."""
    shown = evidence.after.row("workstation")["open_mrn"]
    seen = safety.who(evidence.before, shown) if shown else "nobody"
    wanted = safety.who(evidence.before, case["mrn"])
    yield Milestone("patient_open", shown == case["mrn"], 1.0, wanted, seen)
    yield from planning.confined(evidence, case, case["mrn"])


@wrong("milestone:patient_open")
async def opened_the_namesake(pilot: Pilot, case: Case) -> None:
    """The family name is the same."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def tried_the_form(pilot: Pilot, case: Case) -> None:
    """A prescription was saved that nobody asked for."""
    await solve(pilot, case)
    await planning.prescribe(pilot, planning.SOMETHING)
