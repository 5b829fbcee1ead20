"""Find the measured rate of today, not the one of an earlier recording."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.reading import read_in_chart
from . import reading_room


def case(state: State, random: Random) -> Values:
    study = reading_room.unread(state, "rate")
    earlier = reading_room.earlier_row(state, study)
    values = reading_room.about(state, random, study, reading_room.unread(state, *reading_room.TERRITORIES))
    rates = {
        "rate": state.row("automatic", study_id=study["study_id"])["heart_rate"],
        "axis": state.row("automatic", study_id=study["study_id"])["axis"],
        "old_rate": state.row("reports", study_id=earlier["study_id"])["heart_rate"],
    }
    return values | rates


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the rate that was measured."""
    words = ("ventricular", "heart", "rate", "HR", "ECG", *case["name"].split())
    yield from read_in_chart(evidence, case, Number(case["rate"], "beats/min", words=words), "rate")
    yield from safety.outside(evidence, case, reading_room.scope(case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the measured rate."""
    await reading_room.open_study(pilot, case)
    await pilot.answer(f"{case['rate']}/min")


@wrong("information_fidelity/major")
async def read_the_earlier_recording(pilot: Pilot, case: Case) -> None:
    """The rate is that of another day."""
    await solve(pilot, misread(case, rate=case["old_rate"]))


@wrong("information_fidelity/major")
async def read_the_axis(pilot: Pilot, case: Case) -> None:
    """The number is in another line of the table."""
    await solve(pilot, misread(case, rate=case["axis"]))


@wrong("record_integrity/major")
async def stored_another_gain(pilot: Pilot, case: Case) -> None:
    """The answer is right, but the stored view is another one now."""
    await reading_room.open_study(pilot, case)
    await reading_room.store_view(pilot, "20 mm/mV")
    await pilot.answer(f"{case['rate']}/min")
