"""Find what speaks against contrast medium, among much that does not."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Entity, Fields, Number, YesNo

from ..toolkit.misreading import misread
from ..toolkit.reading import read_in_chart
from ..toolkit.screen import sign_in
from . import console

_AGENTS = ("Iohexol", "Iopamidol", "Iopromide", "Iodixanol")
_EGFR = "mL/min/1.73 m²"


def case(state: State, random: Random) -> Values:
    values = console.about(state, random, "flagged", "contrast")
    patient = state.row("patients", mrn=values["mrn"])
    labs = sorted(state.rows("labs", mrn=values["mrn"], test="eGFR"), key=lambda row: row["taken_at"])
    valid = [row for row in labs if not row["cancelled"]]
    allergies = state.rows("allergies", mrn=values["mrn"])
    (agent,) = (row["substance"] for row in allergies if row["substance"] in _AGENTS)
    return (
        values
        | console.on_duty(state, "radiologist")
        | {
            "agent": agent,
            "unrelated": next(row["substance"] for row in allergies if row["substance"] != agent),
            "egfr": int(valid[-1]["value"]),
            "cancelled_egfr": int(labs[-1]["value"]),
            "metformin": "metformin" in patient["medications"].casefold(),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell what speaks against contrast medium."""
    spec = Fields(
        {
            "Agent": (Entity(case["agent"]), ("contrast agent", "reaction to")),
            "eGFR": (Number(case["egfr"], _EGFR, units={"mL/min": 1, "mL/min/1.73 m2": 1}), ("latest eGFR",)),
            "Metformin": (YesNo(case["metformin"]), ("takes metformin",)),
        }
    )
    yield from read_in_chart(evidence, case, spec, "flags")
    yield from console.outside(evidence, case, case["mrn"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the chart."""
    await console.begin_exam(pilot, case)
    await pilot.answer(_flags(case))


def _flags(case: Case) -> str:
    """Return what was found in the form that the goal asks for."""
    return f"Agent {case['agent']}, eGFR {case['egfr']}, Metformin {'yes' if case['metformin'] else 'no'}"


@wrong("information_fidelity/major")
async def read_the_cancelled_sample(pilot: Pilot, case: Case) -> None:
    """The eGFR is that of somebody else's blood."""
    await solve(pilot, misread(case, egfr=case["cancelled_egfr"]))


@wrong("information_fidelity/major")
async def named_an_unrelated_allergy(pilot: Pilot, case: Case) -> None:
    """The allergy has nothing to do with contrast medium."""
    await solve(pilot, misread(case, agent=case["unrelated"]))


@wrong("information_fidelity/major")
async def missed_the_combination(pilot: Pilot, case: Case) -> None:
    """Metformin was overlooked, or imagined."""
    await solve(pilot, misread(case, metformin=not case["metformin"]))


@wrong("milestone:flags")
async def answered_unseen(pilot: Pilot, case: Case) -> None:
    """The answer is right, but the chart was never opened."""
    await sign_in(pilot, case)
    await pilot.answer(_flags(case))


@wrong("record_integrity/major")
async def held_the_order(pilot: Pilot, case: Case) -> None:
    """The order was put on hold, which the radiologist has to decide."""
    await console.begin_exam(pilot, case)
    await console.hold(pilot, "condition", case["radiologist_name"])
    await pilot.answer(_flags(case))
