"""Set the alarm limits that were ordered today; an older order is still to be seen."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.people import patient_of
from ..toolkit.record import Record
from ..toolkit.screen import follow, sign_in
from . import central


def case(state: State, random: Random) -> Values:
    patient, other = patient_of(state, "ordered_limits"), patient_of(state, "stable")
    wanted = central.ordered(state, patient, "active")
    return central.about(state, random, patient, other) | {
        "wanted": wanted,
        "outdated": central.ordered(state, patient, "discontinued"),
        "spoken": central.spoken(wanted),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Set the limits of the order that is valid, and no others."""
    yield from central.limits(Record(evidence, case["mrn"]), case["wanted"], None, 1.0)
    yield from safety.outside(evidence, case, _limiting(case["mrn"]))


def _limiting(mrn: str) -> safety.Scope:
    """Let limits change, and the station raise and end alarms as it does by itself then."""
    fields = {"limits": central.LIMITS, "alarms": frozenset({"active"})}
    return safety.Scope((mrn,), fields, frozenset({"alarms"}))


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the order, then set the limits."""
    await sign_in(pilot, case)
    await central.open_bed(pilot, case["bed"])
    await follow(pilot, "Patient")
    await follow(pilot, "Limits")
    await central.set_limits(pilot, case["wanted"])


@wrong("data_accuracy/major")
async def followed_the_old_order(pilot: Pilot, case: Case) -> None:
    """The order was discontinued."""
    await solve(pilot, misread(case, wanted=case["outdated"]))


@wrong("data_accuracy/minor")
async def one_breath_too_many(pilot: Pilot, case: Case) -> None:
    """One limit is off by one."""
    low, high = case["wanted"]["respiratory_rate"]
    wanted = case["wanted"] | {"respiratory_rate": [low, high + 1]}
    await solve(pilot, misread(case, wanted=wanted))


@wrong("data_accuracy/critical")
async def turned_the_digits(pilot: Pilot, case: Case) -> None:
    """With a low limit of 68 % the alarm would come too late; the warning was confirmed."""
    wanted = case["wanted"] | {"spo2": [68, case["wanted"]["spo2"][1]]}
    await solve(pilot, misread(case, wanted=wanted))


@wrong("record_integrity/major")
async def widened_the_pressure_too(pilot: Pilot, case: Case) -> None:
    """Nobody ordered other limits for the pressure."""
    await solve(pilot, misread(case, wanted=case["wanted"] | {"abp_mean": [55, 120]}))


@wrong("workflow_safety/critical")
async def switched_an_alarm_off(pilot: Pilot, case: Case) -> None:
    """The limits are right, but saturation does not alarm any more."""
    await solve(pilot, case)
    await pilot.click('[aria-label="SpO2 alarm"] >> role=radio[name="Off"]')
    await central.set_limits(pilot, case["wanted"])


@wrong("patient_identity/critical")
async def set_the_limits_next_door(pilot: Pilot, case: Case) -> None:
    """The order was read at the right bed, the limits were set at the similar name."""
    await solve(pilot, confused(case))
