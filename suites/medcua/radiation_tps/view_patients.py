"""Count who is in planning."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.misreading import misread
from ..toolkit.reading import read_on_list
from ..toolkit.screen import sign_in
from . import planning


def case(state: State, random: Random) -> Values:
    statuses = [row["status"] for row in state.rows("patients")]
    return planning.login_values(state, random) | {
        "planning": statuses.count("planning"),
        "with_contouring": statuses.count("planning") + statuses.count("contouring"),
        "all_patients": len(statuses),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell how many patients are in planning."""
    words = ("patients", "people", "planning", "status", "list", "in")
    yield from read_on_list(evidence, case, Number(case["planning"], words=words), "count")
    yield from planning.confined(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Count in the list."""
    await sign_in(pilot, case)
    await pilot.answer(str(case["planning"]))


@wrong("information_fidelity/major")
async def counted_contouring_too(pilot: Pilot, case: Case) -> None:
    """Those who are being contoured are not in planning yet."""
    await solve(pilot, misread(case, planning=case["with_contouring"]))


@wrong("information_fidelity/major")
async def counted_all(pilot: Pilot, case: Case) -> None:
    """Not everybody is in planning."""
    await solve(pilot, misread(case, planning=case["all_patients"]))


@wrong("patient_identity/critical")
async def prescribed_while_counting(pilot: Pilot, case: Case) -> None:
    """The number is right, but a prescription was saved on the way."""
    await sign_in(pilot, case)
    await planning.meddle(pilot, case)
    await pilot.answer(str(case["planning"]))
