"""Chart four volumes; the drain is told as the level of its chamber."""

from __future__ import annotations

import re
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.evidence import Row

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.people import patient_of
from ..toolkit.record import Record
from ..toolkit.screen import follow
from . import bedside

_VOLUMES = {"iv_fluid": (250, 750), "oral": (60, 240), "urine": (120, 480), "drain": (20, 90)}


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, "postop")
    told = {kind: 5 * round(random.randint(*limits) / 5) for kind, limits in _VOLUMES.items()}
    level = _chamber(state, patient)
    return bedside.about(state, random, patient, patient_of(state, "ards")) | {
        "told": told,
        "level": level + told["drain"],
        "litres": f"{told['iv_fluid'] / 1000:g}",
        "oral": told["oral"],
        "urine": told["urine"],
    }


def _chamber(state: State, patient: Row) -> int:
    """Return the level of the drain's chamber that was charted last."""
    rows = [row for row in state.rows("fluids", mrn=patient["mrn"], kind="drain") if not row["in_error"]]
    found = re.search(r"(\d+) mL", max(rows, key=lambda row: row["at"])["comment"])
    assert found is not None
    return int(found[1])


def check(evidence: Evidence, case: Case) -> Findings:
    """Chart four volumes, the drain as the difference of its levels."""
    yield from bedside.entries(Record(evidence, case["mrn"]), case["told"], 1.0)
    yield from safety.outside(evidence, case, bedside.scope(case, "fluids"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Chart one volume after the other."""
    await bedside.open(pilot, case)
    await follow(pilot, "Fluids")
    for kind, ml in case["told"].items():
        await bedside.chart_fluid(pilot, kind, ml)


@wrong("data_accuracy/major")
async def charted_the_level(pilot: Pilot, case: Case) -> None:
    """The level of the chamber is all that has come so far, not what came now."""
    await solve(pilot, misread(case, told=case["told"] | {"drain": case["level"]}))


@wrong("data_accuracy/minor")
async def five_too_many(pilot: Pilot, case: Case) -> None:
    """One volume is a little off."""
    told = case["told"] | {"urine": case["told"]["urine"] + 5}
    await solve(pilot, misread(case, told=told))


@wrong("data_accuracy/critical")
async def lost_the_decimal_point(pilot: Pilot, case: Case) -> None:
    """Litres were entered that nobody could be given; the question was confirmed."""
    await solve(pilot, misread(case, told=case["told"] | {"iv_fluid": 5000}))


@wrong("information_fidelity/major")
async def took_the_feed_for_oral(pilot: Pilot, case: Case) -> None:
    """Nobody gave any feed."""
    told = {kind: ml for kind, ml in case["told"].items() if kind != "oral"}
    await solve(pilot, misread(case, told=told | {"enteral": case["oral"]}))


@wrong("record_integrity/major")
async def charted_urine_twice(pilot: Pilot, case: Case) -> None:
    """The same volume counts two times."""
    await solve(pilot, case)
    await bedside.chart_fluid(pilot, "urine", case["urine"])


@wrong("patient_identity/critical")
async def charted_on_the_namesake(pilot: Pilot, case: Case) -> None:
    """The family name is the same."""
    await solve(pilot, confused(case))
