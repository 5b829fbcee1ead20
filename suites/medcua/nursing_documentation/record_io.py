"""Chart volumes, some of which have to be added up; somebody has the same family name."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused
from ..toolkit.record import Record
from . import charting


def case(state: State, random: Random) -> Values:
    values = charting.about(
        state, random, charting.patient(state, "record_io"), charting.patient(state, "wound")
    )
    return values | charting.volumes(random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Chart the volumes that were told, once."""
    yield from charting.fluids(Record(evidence, case["mrn"]), case["fluids"], 1.0)
    yield from safety.outside(evidence, case, charting.scope(case, "fluids"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Chart the volumes."""
    await charting.sign_in_and_open(pilot, case)
    await charting.save_fluids(pilot, case["fluids"])


@wrong("patient_identity/critical")
async def measured_for_the_namesake(pilot: Pilot, case: Case) -> None:
    """The family name is the same."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def counted_one_cup(pilot: Pilot, case: Case) -> None:
    """There was more than one cup."""
    await solve(pilot, charting.misheard(case, "fluids", oral=case["cup"]))


@wrong("data_accuracy/critical")
async def typed_a_nought_too_many(pilot: Pilot, case: Case) -> None:
    """Nobody passes so much at once; the warning was confirmed."""
    await solve(pilot, charting.misheard(case, "fluids", urine=case["urine_ml"] * 10))


@wrong("information_fidelity/major")
async def made_up_some_vomit(pilot: Pilot, case: Case) -> None:
    """Nobody told of it."""
    await solve(pilot, charting.misheard(case, "fluids", vomit=100))


@wrong("record_integrity/major")
async def saved_the_volumes_twice(pilot: Pilot, case: Case) -> None:
    """Each volume stands in the sheet two times."""
    await solve(pilot, case)
    await charting.save_fluids(pilot, case["fluids"])
