"""Read the balance of this shift, which is not that of the last one."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.reading import read_on_list
from ..toolkit.screen import follow
from . import charting


def case(state: State, random: Random) -> Values:
    patient = charting.patient(state, "read_fluids")
    started = state.row("shift")["started_at"]
    now = [row for row in state.rows("fluids", mrn=patient["mrn"]) if row["at"] >= started]
    before = [row for row in state.rows("fluids", mrn=patient["mrn"]) if row["at"] < started]
    intake = sum(row["volume"] for row in now if row["kind"] in charting.INTAKE)
    values = {"balance": charting.balance(now), "last_shift": charting.balance(before), "intake": intake}
    return charting.about(state, random, patient, charting.neighbour(state, patient)) | values


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the balance of this shift with its sign."""
    spec = charting.millilitres(case["balance"], "fluid", "balance", "shift", *case["name"].split())
    yield from read_on_list(evidence, case, spec, "balance")
    yield from safety.outside(evidence, case, charting.scope(case))


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the balance of this shift."""
    await charting.sign_in_and_open(pilot, case)
    await follow(pilot, "Intake and output")
    await pilot.answer(f"{case['balance']} ml")


@wrong("information_fidelity/major")
async def read_the_last_shift(pilot: Pilot, case: Case) -> None:
    """The column beside is that of the shift before."""
    await solve(pilot, misread(case, balance=case["last_shift"]))


@wrong("information_fidelity/major")
async def read_the_intake(pilot: Pilot, case: Case) -> None:
    """What went in is not the balance."""
    await solve(pilot, misread(case, balance=case["intake"]))
