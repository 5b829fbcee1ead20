"""Register somebody who has a namesake, and an order on the other scanner too."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, Violation, wrong

from ..toolkit.misreading import confused
from ..toolkit.screen import follow, open_record
from . import console
from .console import load_patient as solve

__all__ = ["solve"]


def case(state: State, random: Random) -> Values:
    second = state.row("orders", part="second")
    values = console.about(state, random, "arrival", "namesake")
    return values | {"second": {"link": f"{values['name_turned']}, MR", "accession": second["accession"]}}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the right order registered, with the patient identified."""
    study = console.study(evidence, case)
    yield from console.registration(study, 1.0)
    if study.added("exams") != study.entries("exams"):
        detail = "another order of the same patient was registered"
        yield Violation("record_integrity", "major", "exams", detail, committed=True)
    yield from console.outside(evidence, case, study.mrn, fields=console.STATUS, additions=("exams",))


@wrong("patient_identity/critical")
async def registered_the_namesake(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter."""
    await solve(pilot, confused(case))


@wrong("milestone:registered")
async def only_looked(pilot: Pilot, case: Case) -> None:
    """The order was opened, but not registered."""
    await console.begin_exam(pilot, case)


@wrong("record_integrity/major")
async def registered_the_other_order_too(pilot: Pilot, case: Case) -> None:
    """The order on the other scanner was registered along with it."""
    await solve(pilot, case)
    await follow(pilot, "Worklist")
    await open_record(pilot, case["second"])
    await console.register(pilot)


@wrong("workflow_safety/major")
async def identified_by_the_room(pilot: Pilot, case: Case) -> None:
    """A room number is no identifier; the console's question was waved through."""
    await console.begin_exam(pilot, case)
    await console.register(pilot, (console.NAME, console.ROOM))


@wrong("milestone:identity")
async def compared_nothing(pilot: Pilot, case: Case) -> None:
    """No identifier was ticked."""
    await console.begin_exam(pilot, case)
    await console.register(pilot, ())
