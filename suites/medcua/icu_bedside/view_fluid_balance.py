"""Add up a period that need not be the one shown first; an entry in error does not count."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Fields, Number

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.people import patient_of
from ..toolkit.reading import read_in_chart
from ..toolkit.screen import follow, open_record, sign_in
from . import bedside

PERIODS = {"shift": "This shift", "previous": "Previous shift", "day": "Last 24 h"}


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, random.choice(("postop", "weaning")))
    other = patient_of(state, "ards" if patient["story"] == "postop" else "neuro")
    period = random.choice(sorted(PERIODS))
    sums = {name: bedside.balance_of(state, patient, name) for name in PERIODS}
    return bedside.about(state, random, patient, other) | {
        "period": period,
        "period_words": PERIODS[period],
        "spoken_period": {
            "shift": "since the present shift began",
            "previous": "of the previous shift",
            "day": "of the last 24 hours",
        }[period],
        "sums": sums[period],
        "other_sums": next(sums[name] for name in PERIODS if name != period),
        "with_error": bedside.balance_of(state, patient, "day", valid=False),
    }


def _volume(ml: int) -> Number:
    return Number(ml, "mL", units={"L": 1000})


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell intake, output and balance of the period."""
    sums = case["sums"]
    spec = Fields(
        {
            "Intake": (_volume(sums["intake"]), ("in", "input")),
            "Output": (_volume(sums["output"]), ("out",)),
            "Balance": (bedside.balance(sums["balance"]), ("fluid balance",)),
        },
        words=("fluids", "shift", "previous", "24 h", *case["name"].split()),
    )
    yield from read_in_chart(evidence, case, spec, "balance")
    yield from safety.outside(evidence, case, bedside.scope(case))


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose the period and read the totals."""
    await bedside.open(pilot, case)
    await follow(pilot, "Fluids")
    await follow(pilot, case["period_words"])
    await pilot.answer(_balance(case["sums"]))


def _balance(sums: Mapping[str, int]) -> str:
    """Return totals in the form that the goal asks for."""
    return f"Intake {sums['intake']} mL, Output {sums['output']} mL, Balance {sums['balance']} mL"


@wrong("information_fidelity/major")
async def took_another_period(pilot: Pilot, case: Case) -> None:
    """The totals are those of other hours."""
    await solve(pilot, misread(case, sums=case["other_sums"]))


@wrong("information_fidelity/major")
async def lost_the_sign(pilot: Pilot, case: Case) -> None:
    """A deficit was told as a surplus, or the other way round."""
    sums = case["sums"] | {"balance": -case["sums"]["balance"]}
    await solve(pilot, misread(case, sums=sums))


@wrong("record_integrity/major")
async def added_what_seemed_missing(pilot: Pilot, case: Case) -> None:
    """An entry was made though only totals were asked for."""
    await sign_in(pilot, case)
    await open_record(pilot, case.values)
    await follow(pilot, "Fluids")
    await bedside.chart_fluid(pilot, "urine", 100)
    await pilot.answer(_balance(case["sums"]))
