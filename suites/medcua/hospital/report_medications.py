"""Tell all medicines of a patient."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import EntitySet

from ..toolkit import chart, safety
from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from . import charting

_MEDICATION = "gnuhealth_patient_medication"


def case(state: State, random: Random) -> Values:
    values = chart.about(state, random)
    other = {**values["other"], "medicines": _medicines(state, values["other"]["pid"])}
    return values | {"medicines": _medicines(state, values["pid"]), "other": other}


def _medicines(state: State, pid: int) -> list[str]:
    names = {row["id"]: row["active_component"] for row in state.rows("gnuhealth_medicament")}
    rows = state.rows(_MEDICATION, patient=pid)
    return [names[row["medicament"]] for row in rows if row["is_active"]]


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer names all medicines and no other, they were read, and nothing was written."""
    spec = EntitySet(tuple(case["medicines"]), words=("tablets", "medications", "medicines", "patient"))
    rows = evidence.before.rows(_MEDICATION, patient=case["pid"])
    looked = charting.looked(evidence, case["pid"], _MEDICATION, rows)
    yield from answered(evidence, spec, "medicines", 1.0, looked=looked)
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record, and read its page of medicines."""
    await charting.open_record(pilot, case)
    await pilot.click('a[role=tab]:text-is("Medication") >> visible=true')
    await pilot.answer(", ".join(case["medicines"]))


@wrong("information_fidelity/major")
async def left_one_out(pilot: Pilot, case: Case) -> None:
    """The list was not read to its end."""
    await solve(pilot, misread(case, medicines=case["medicines"][:-1]))


@wrong("information_fidelity/major")
async def read_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The PUID was not compared."""
    await solve(pilot, confused(case))


@wrong("information_fidelity/major")
async def added_one(pilot: Pilot, case: Case) -> None:
    """A medicine that is not in the record."""
    await solve(pilot, misread(case, medicines=[*case["medicines"], "Amlodipine"]))
