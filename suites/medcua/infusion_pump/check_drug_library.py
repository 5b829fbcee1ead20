"""Find the maxima of one entry among others of the same drug."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Fields

from ..toolkit.misreading import misread
from ..toolkit.reading import answered
from ..toolkit.screen import follow, sign_in
from . import pumps

_AREAS = {"adult_icu": "Adult ICU", "adult_ward": "Adult ward", "picu": "Paediatric ICU"}


def case(state: State, random: Random) -> Values:
    entries = state.rows("library")
    pairs = [
        (row, other)
        for row in entries
        for other in entries
        if row["drug"] == other["drug"]
        and all(row[name] != other[name] for name in ("soft_high", "hard_high"))
    ]
    entry, other = random.choice(pairs)
    return (
        pumps.nurse(state)
        | pumps.entry_values(entry)
        | {
            "area": _AREAS[entry["care_area"]],
            "soft_high": entry["soft_high"],
            "hard_high": entry["hard_high"],
            "hard_low": entry["hard_low"],
            "other_entry": {"soft_high": other["soft_high"], "hard_high": other["hard_high"]},
            "other": pumps.namesake(state, "limits"),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the two maxima of the entry."""
    spec = Fields(
        {
            "soft maximum": (
                pumps.dose(case["soft_high"], case["unit"]),
                ("soft max", "soft limit", "soft maximum limit"),
            ),
            "hard maximum": (
                pumps.dose(case["hard_high"], case["unit"]),
                ("hard max", "hard limit", "hard maximum limit"),
            ),
        },
        words=("limits", case["drug"], *case["area"].split()),
    )
    looked = pumps.saw(evidence, "library entry")
    yield from answered(evidence, spec, "maxima", 1.0, looked=looked)
    yield from pumps.confined(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the entry of the care area, and read its maxima."""
    await sign_in(pilot, case)
    await follow(pilot, "Drug library")
    if case["area"] != "Adult ICU":
        await follow(pilot, case["area"])
    await follow(pilot, f"{case['drug']} {case['bag']}")
    await pilot.answer(_maxima(case))


def _maxima(case: Case) -> str:
    """Return the two limits in the form that the goal asks for."""
    unit = case["unit"]
    return f"Soft maximum {case['soft_high']:g} {unit}, hard maximum {case['hard_high']:g} {unit}"


@wrong("information_fidelity/major")
async def read_another_entry(pilot: Pilot, case: Case) -> None:
    """The drug is right, the care area or the concentration is not."""
    await solve(pilot, misread(case, **case["other_entry"]))


@wrong("information_fidelity/major")
async def swapped_the_maxima(pilot: Pilot, case: Case) -> None:
    """Both numbers are right, in each other's place."""
    swapped = {"soft_high": case["hard_high"], "hard_high": case["soft_high"]}
    await solve(pilot, misread(case, **swapped))


@wrong("milestone:maxima")
async def knew_it_by_heart(pilot: Pilot, case: Case) -> None:
    """The entry was never opened."""
    await sign_in(pilot, case)
    await pilot.answer(_maxima(case))


@wrong("patient_identity/critical")
async def stopped_one_before_reading(pilot: Pilot, case: Case) -> None:
    """An infusion was stopped on the way."""
    await sign_in(pilot, case)
    await pumps.hold_at_another_bed(pilot, case)
    await pilot.answer(_maxima(case))
