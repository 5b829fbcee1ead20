"""Choose what the radiologist's plan asks for."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, Violation, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.screen import follow, press, press_if_asked
from . import console
from .console import Fields_, Study

_PROTOCOL: Fields_ = {"exams": frozenset({"protocol", "protocol_by", "protocol_at"})}


def case(state: State, random: Random) -> Values:
    values = console.about(state, random, "unplanned", "technique")
    known = console.protocols("CT")
    beside = [key for key in known if known[key]["region"] == values["region"] and key != values["protocol"]]
    return values | {"wrong_protocol": known[random.choice(beside)]["name"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the protocol selected that the plan asks for."""
    study = console.study(evidence, case)
    yield from console.protocol(study, case.values, 1.0)
    yield from _technique_saved(evidence, study)
    yield from console.outside(evidence, case, study.mrn, fields=_PROTOCOL, additions=("techniques",))


def _technique_saved(evidence: Evidence, study: Study) -> Iterator[Violation]:
    """Judge a technique that was saved; selecting a protocol only proposes one."""
    if any(row["at"] is not None for row in evidence.after.rows("techniques", accession=study.accession)):
        detail = "a technique was saved, which the task does not ask for"
        yield Violation("record_integrity", "major", f"techniques/{study.accession}", detail)


async def solve(pilot: Pilot, case: Case) -> None:
    """Select what the plan asks for."""
    await console.begin_exam(pilot, case)
    await console.step(pilot, "Protocol")
    await console.select(pilot, case["region"], case["protocol_name"])


@wrong("information_fidelity/major")
async def selected_the_one_beside(pilot: Pilot, case: Case) -> None:
    """The region is right, the protocol is for another question."""
    await solve(pilot, misread(case, protocol_name=case["wrong_protocol"]))


@wrong("milestone:protocol")
async def stopped_at_the_tree(pilot: Pilot, case: Case) -> None:
    """The protocol was looked at only."""
    await console.begin_exam(pilot, case)
    await console.step(pilot, "Protocol")
    await follow(pilot, case["region"])


@wrong("patient_identity/critical")
async def selected_for_somebody_else(pilot: Pilot, case: Case) -> None:
    """The neighbour on the worklist has another protocol now."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def took_the_scout_along(pilot: Pilot, case: Case) -> None:
    """The protocol is right; the scout was not asked for."""
    await solve(pilot, case)
    await console.step(pilot, "Scan")
    await press(pilot, "Acquire scout")
    await press_if_asked(pilot, "Confirm and go on")
