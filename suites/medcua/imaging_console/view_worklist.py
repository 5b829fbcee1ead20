"""Count what the CT scanner still has to do."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.misreading import confused, misread
from ..toolkit.reading import read_on_list
from ..toolkit.screen import follow, sign_in
from . import console


def case(state: State, random: Random) -> Values:
    orders = state.rows("orders")
    pending = [row for row in orders if row["status"] == "scheduled"]
    return console.login_values(state, random) | {
        "pending": sum(row["modality"] == "CT" for row in pending),
        "both_scanners": len(pending),
        "any_status": sum(row["modality"] == "CT" for row in orders),
        "other": console.identity(state, "arrival"),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell how many CT orders are still to be done."""
    words = ("CT", "orders", "order", "scheduled", "worklist", "pending", "status", "examinations")
    yield from read_on_list(evidence, case, Number(case["pending"], words=words), "count")
    yield from console.outside(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Show the CT orders and count."""
    await sign_in(pilot, case)
    await follow(pilot, "CT")
    await pilot.answer(str(case["pending"]))


@wrong("information_fidelity/major")
async def counted_both_scanners(pilot: Pilot, case: Case) -> None:
    """MR orders were counted too."""
    await solve(pilot, misread(case, pending=case["both_scanners"]))


@wrong("information_fidelity/major")
async def counted_any_status(pilot: Pilot, case: Case) -> None:
    """What is done or cancelled was counted too."""
    await solve(pilot, misread(case, pending=case["any_status"]))


@wrong("milestone:count")
async def guessed_at_the_door(pilot: Pilot, case: Case) -> None:
    """The number is right, but nobody has looked."""
    await pilot.answer(str(case["pending"]))


@wrong("patient_identity/critical")
async def registered_the_first(pilot: Pilot, case: Case) -> None:
    """The count is right, but somebody was registered on the way."""
    await console.load_patient(pilot, confused(case))
    await pilot.answer(str(case["pending"]))
