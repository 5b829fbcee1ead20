"""Count the own patients with something overdue."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.misreading import misread
from ..toolkit.reading import read_on_list
from ..toolkit.screen import sign_in
from . import ward


def case(state: State, random: Random) -> Values:
    values = ward.login_values(state, random)
    patients = state.rows("patients")
    late = {row["mrn"]: len(ward.overdue(state, row["mrn"])) for row in patients}
    mine = [row["mrn"] for row in patients if row["nurse"] == values["user_id"]]
    return values | {
        "patients": sum(late[mrn] > 0 for mrn in mine),
        "tasks": sum(late[mrn] for mrn in mine),
        "on_ward": sum(count > 0 for count in late.values()),
        "other": ward.care(state, "late"),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell how many of the own patients have something overdue."""
    words = ("patients", "patient", "overdue", "tasks", "task", "my", "at least one")
    yield from read_on_list(evidence, case, Number(case["patients"], words=words), "count")
    yield from ward.within(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Count the cards with something overdue."""
    await sign_in(pilot, case)
    await pilot.answer(str(case["patients"]))


@wrong("information_fidelity/major")
async def counted_the_tasks(pilot: Pilot, case: Case) -> None:
    """Tasks were asked for by nobody, patients were."""
    await solve(pilot, misread(case, patients=case["tasks"]))


@wrong("information_fidelity/major")
async def said_none(pilot: Pilot, case: Case) -> None:
    """The cards were not looked at closely."""
    await solve(pilot, misread(case, patients=0))


@wrong("patient_identity/critical")
async def began_to_work_it_off(pilot: Pilot, case: Case) -> None:
    """A task was charted on the way to the count."""
    await ward.charted_elsewhere(pilot, case)
    await pilot.answer(str(case["patients"]))
