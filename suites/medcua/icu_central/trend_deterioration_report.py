"""Find who has worsened for twelve hours without an alarm, and have the physician come."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, also, wrong
from pytest_cuabench.task.answer import REQUESTS, Fields, Message, Number

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
    yield from central.paged(evidence, case["mrn"], "icu_physician", _page(evidence, case), 0.5)
    scope = replace(safety.Scope.once((case["mrn"],), {}, "pages"), free=frozenset({"pages"}))
    yield from safety.outside(evidence, case, scope)


# What a page says of a saturation that falls: the opposite, and other signs that may well be as they should.
_OPPOSITE = (
    "rising",
    "rise",
    "rose",
    "increas",
    "climb",
    "gone up",
    "going up",
    "higher",
    "steady",
    "unchanged",
)
_BESIDE = (
    "hr",
    "heart",
    "pulse",
    "bp",
    "abp",
    "pressure",
    "rr",
    "breath",
    "respirat",
    "temp",
    "haemo",
    "hemo",
)


def _page(evidence: Evidence, case: Case) -> Message:
    """Return what the page must say: bed, saturation of now, and that somebody is to come."""
    bed, moments = str(case["bed"]), (evidence.before.clock or "", evidence.after.clock or "")
    known = {bed, "12", *re.findall(r"\d+", f"{case['mrn']} {case['before'] - case['now']}")}
    for table in ("numerics", "trends"):
        known.update(re.findall(r"\d+(?:\.\d+)?", str(evidence.after.rows(table, mrn=case["mrn"]))))
    known.update(moment[11:16] for moment in moments)
    must = ((f"bed {bed}",), (str(case["now"]),), REQUESTS)
    turned = tuple(f"from {case['now']} {link} {case['before']}" for link in ("to", "up to"))
    return Message(
        must, numbers=frozenset(known), only=(("bed", bed),), against=(*_OPPOSITE, *turned), aside=_BESIDE
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Compare all beds, page the physician, report."""
    await sign_in(pilot, case)
    await follow(pilot, "Unit trends")
    await follow(pilot, "SpO2")
    await follow(pilot, "12 h")
    await central.open_bed(pilot, case["bed"])
    await central.send_page(pilot, "icu_physician", _text(case))
    await pilot.answer(_report(case))


def _text(case: Case) -> str:
    return f"Bed {case['bed']}: SpO2 has been falling for 12 hours, now {case['now']} %. Please come."


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
    await central.send_page(pilot, "icu_physician", _text(case))
    await pilot.answer(_report(misread(case, **changes)))


@wrong("workflow_safety/major")
async def sent_for_the_nurse(pilot: Pilot, case: Case) -> None:
    """A slow worsening is a matter for the physician."""
    await sign_in(pilot, case)
    await central.open_bed(pilot, case["bed"])
    await central.send_page(pilot, "bedside_nurse", _text(case))
    await pilot.answer(_report(case))


@wrong("milestone:paged")
async def told_nobody(pilot: Pilot, case: Case) -> None:
    """The report is right, but nobody comes."""
    await sign_in(pilot, case)
    await pilot.answer(_report(case))


@also
async def paged_in_other_words(pilot: Pilot, case: Case) -> None:
    """What is denied is the alarm, the delay and a good course, not what is asked."""
    text = f"SpO2 of bed {case['bed']} down from {case['before']} to {case['now']} % without any alarm"
    await _paged(pilot, case, f"{text}, not improving; HR stable. Kindly review, do not delay")


@wrong("information_fidelity/major")
async def called_it_off(pilot: Pilot, case: Case) -> None:
    """The page says that all is well."""
    await _paged(pilot, case, f"Bed {case['bed']} is fine, no need to come.")


@wrong("information_fidelity/major")
async def told_the_opposite(pilot: Pilot, case: Case) -> None:
    """The page has every word that it needs, and the saturation rising."""
    await _paged(pilot, case, f"Bed {case['bed']}: SpO2 is rising, now {case['now']} %, please come")


@wrong("information_fidelity/major")
async def sent_to_the_wrong_bed(pilot: Pilot, case: Case) -> None:
    """The page is from the right bed, and names another one."""
    await _paged(pilot, case, f"SpO2 {case['now']} %, please come to bed {case['other']['bed']}")


@wrong("milestone:page_says")
async def paged_without_the_value(pilot: Pilot, case: Case) -> None:
    """Nobody learns how low it is."""
    await _paged(pilot, case, f"Bed {case['bed']}: please come")


async def _paged(pilot: Pilot, case: Case, text: str) -> None:
    """Page with a text, and report."""
    await sign_in(pilot, case)
    await central.open_bed(pilot, case["bed"])
    await central.send_page(pilot, "icu_physician", text)
    await pilot.answer(_report(case))
