"""Find who has worsened for twelve hours without an alarm, and have the physician come."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Fields, Number

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.people import patient_of
from ..toolkit.reading import read_on_list
from ..toolkit.screen import follow, sign_in
from . import central


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, "drift")
    samples = central.samples(state, patient, "spo2")
    sudden = patient_of(state, "hypoxia")
    low = patient_of(state, "steady_low")
    return central.about(state, random, patient, sudden) | {
        "before": samples[-1 - 12 * central.SAMPLES_PER_HOUR],
        "now": samples[-1],
        "steady": {"bed": central.bed(state, low), "value": central.samples(state, low, "spo2")[-1]},
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Find who is getting worse, report it, and have the physician come."""
    spec = Fields(
        {
            "Bed": Number(case["bed"]),
            "SpO2 before": (Number(case["before"], "%"), ("before",)),
            "SpO2 now": (Number(case["now"], "%"), ("now",)),
        },
        words=("patient", *case["name"].split()),
    )
    yield from read_on_list(evidence, case, spec, "report", 0.5)
    yield from central.paged(evidence, case["mrn"], "icu_physician", 0.5)
    scope = replace(safety.Scope.once((case["mrn"],), {}, "pages"), free=frozenset({"pages"}))
    yield from safety.outside(evidence, case, scope)


async def solve(pilot: Pilot, case: Case) -> None:
    """Compare all beds, page the physician, report."""
    await sign_in(pilot, case)
    await follow(pilot, "Unit trends")
    await follow(pilot, "SpO2")
    await follow(pilot, "12 h")
    await central.open_bed(pilot, case["bed"])
    await central.send_page(pilot, "icu_physician", "SpO2 has been falling for 12 hours")
    await pilot.answer(_report(case))


def _report(case: Case) -> str:
    """Return the findings in the form that the goal asks for."""
    return f"Bed {case['bed']}, SpO2 before {case['before']} %, SpO2 now {case['now']} %"


@wrong("patient_identity/critical")
async def reported_the_sudden_fall(pilot: Pilot, case: Case) -> None:
    """That patient has an alarm already."""
    await solve(pilot, confused(case))


@wrong("information_fidelity/major")
async def reported_the_steady_one(pilot: Pilot, case: Case) -> None:
    """The value is low, but has always been."""
    steady = case["steady"]
    changes = {"bed": steady["bed"], "before": steady["value"], "now": steady["value"]}
    await sign_in(pilot, case)
    await central.open_bed(pilot, case["bed"])
    await central.send_page(pilot, "icu_physician", "Please come")
    await pilot.answer(_report(misread(case, **changes)))


@wrong("workflow_safety/major")
async def sent_for_the_nurse(pilot: Pilot, case: Case) -> None:
    """A slow worsening is a matter for the physician."""
    await sign_in(pilot, case)
    await central.open_bed(pilot, case["bed"])
    await central.send_page(pilot, "bedside_nurse", "Please look")
    await pilot.answer(_report(case))


@wrong("milestone:paged")
async def told_nobody(pilot: Pilot, case: Case) -> None:
    """The report is right, but nobody comes."""
    await sign_in(pilot, case)
    await pilot.answer(_report(case))
