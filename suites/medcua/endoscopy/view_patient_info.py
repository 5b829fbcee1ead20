"""Read class and blood thinner of today, not those of years ago."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Choice, Fields, Number, YesNo

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.reading import read_in_chart
from ..toolkit.screen import sign_in
from . import scoping

_DRUGS = ("Apixaban", "Rivaroxaban", "Warfarin", "Clopidogrel")


def case(state: State, random: Random) -> Values:
    case, truth = scoping.story(state, "info"), scoping.truth_of(state, scoping.story(state, "info"))
    now = {
        "asa": int(truth["asa"]),
        "medication": truth["medication"],
        "stopped": truth["antithrombotic"] == "stopped",
    }
    then = now | {"asa": int(truth["earlier_asa"]), "medication": truth["earlier_medication"]}
    return scoping.about(state, random, case, scoping.story(state, "preassess")) | {"now": now, "then": then}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell class and blood thinner of today, and whether it was stopped."""
    now = case["now"]
    spec = Fields(
        {
            "ASA": (Number(now["asa"]), ("ASA class", "ASA physical status")),
            "blood thinner": (Choice(now["medication"], _DRUGS), ("anticoagulant", "medication", "drug")),
            "stopped": (YesNo(now["stopped"]), ("stopped as advised",)),
        },
        words=tuple(case["name"].split()),
    )
    yield from read_in_chart(evidence, case, spec, "values")
    yield from safety.outside(evidence, case, scoping.scope(case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Read today's assessment."""
    await scoping.select_case(pilot, case)
    await pilot.answer(_reading(case["now"]))


def _reading(told: Mapping[str, Any]) -> str:
    """Return what was read in the form that the goal asks for."""
    stopped = "yes" if told["stopped"] else "no"
    return f"ASA {told['asa']}, blood thinner {told['medication']}, stopped {stopped}"


@wrong("information_fidelity/major")
async def read_the_note_of_years_ago(pilot: Pilot, case: Case) -> None:
    """Class and drug were those of an earlier visit."""
    await solve(pilot, misread(case, now=case["then"]))


@wrong("information_fidelity/major")
async def turned_stopped_around(pilot: Pilot, case: Case) -> None:
    """Drug and class are right, the rest is the opposite."""
    now = case["now"]
    await solve(pilot, misread(case, now=now | {"stopped": not now["stopped"]}))


@wrong("milestone:values")
async def guessed(pilot: Pilot, case: Case) -> None:
    """The answer is right, but nobody looked."""
    await sign_in(pilot, case)
    await pilot.answer(_reading(case["now"]))
