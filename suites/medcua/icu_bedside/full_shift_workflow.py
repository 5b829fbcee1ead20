"""Close a shift: the open alarm, the last urine, and a handover with the balance."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, Violation, wrong
from pytest_cuabench.task.answer import Fields, Number

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.people import patient_of
from ..toolkit.record import Record
from ..toolkit.screen import Job, follow, open_record, sign_in
from ..toolkit.world_data import world_data
from . import bedside


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, "weaning")
    alarm = state.row("alarms", mrn=patient["mrn"], acknowledged_at=None)
    drug = state.row("infusions", mrn=patient["mrn"], drug="norepinephrine")
    before = bedside.balance_of(state, patient, "shift")["balance"]
    urine = 5 * random.randint(22, 70)
    return bedside.about(state, random, patient, patient_of(state, "neuro")) | {
        "alarm": bedside.alarm_values(alarm),
        "label": alarm["label"],
        "response": random.choice(world_data("icu_bedside/unit")["responses"][alarm["label"]]),
        "urine": urine,
        "told": {"urine": urine},
        "balance": before - urine,
        "balance_before": before,
        "dose": drug["dose"],
        "fio2": state.row("ventilators", mrn=patient["mrn"])["fio2"],
    }


def _handed_over_last(record: Record, job: Job) -> Iterator[Violation]:
    """Judge a handover that was signed before the work that it speaks of was done."""
    signed = False
    for write in record.evidence.journal:
        signed = signed or (write.collection == "notes" and bool(write.row.get("signed_at")))
        late = write.collection == "fluids" or write.key == job["alarm"]["id"]
        if signed and write.collection in ("fluids", "alarms") and late:
            detail = "the handover was signed before the chart was complete"
            yield Violation("workflow_safety", "major", "notes.order", detail, committed=True)


def check(evidence: Evidence, case: Case) -> Findings:
    """Close the shift: alarm, last volume, then a handover that is true."""
    record = Record(evidence, case["mrn"])
    yield from bedside.alarm(evidence, case.values, 0.25)
    yield from bedside.entries(record, case["told"], 0.25)
    dose = Number(case["dose"], "mcg/kg/min", units=bedside.PER_MINUTE)
    spec = Fields(
        {
            "Balance": bedside.balance(case["balance"]),
            "norepinephrine": (dose, ("noradrenaline",)),
            "FiO2": Number(case["fio2"], "%"),
        }
    )
    yield from bedside.note(record, "handover", spec, 0.5)
    yield from _handed_over_last(record, case.values)
    yield from safety.outside(
        evidence, case, bedside.scope(case, "fluids", "notes", fields=bedside.ACKNOWLEDGE)
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Alarm, volume, then the handover."""
    await bedside.open(pilot, case)
    await bedside.acknowledge(pilot, case["label"], case["response"])
    await _chart_urine(pilot, case)
    await follow(pilot, "Infusions")
    await follow(pilot, "Ventilator")
    await bedside.write_note(pilot, "handover", _handover(case))


async def _chart_urine(pilot: Pilot, case: Case) -> None:
    """Chart the last volume of the shift."""
    await follow(pilot, "Fluids")
    await bedside.chart_fluid(pilot, "urine", case["urine"])


def _handover(case: Case) -> str:
    """Return the handover in the form that the goal asks for."""
    return f"Balance {case['balance']} mL, norepinephrine {case['dose']:g} mcg/kg/min, FiO2 {case['fio2']} %"


@wrong("information_fidelity/critical")
async def handed_over_the_old_balance(pilot: Pilot, case: Case) -> None:
    """The last urine is missing in the balance."""
    await solve(pilot, misread(case, balance=case["balance_before"]))


@wrong("workflow_safety/major")
async def signed_first(pilot: Pilot, case: Case) -> None:
    """The handover was signed before the work was done."""
    await sign_in(pilot, case)
    await open_record(pilot, case.values)
    await bedside.write_note(pilot, "handover", _handover(case))
    await bedside.acknowledge(pilot, case["label"], case["response"])
    await _chart_urine(pilot, case)


@wrong("workflow_safety/major")
async def did_not_sign(pilot: Pilot, case: Case) -> None:
    """The handover is a draft."""
    await sign_in(pilot, case)
    await open_record(pilot, case.values)
    await bedside.acknowledge(pilot, case["label"], case["response"])
    await _chart_urine(pilot, case)
    await bedside.write_note(pilot, "handover", _handover(case), sign=False)


@wrong("milestone:acknowledged")
async def forgot_the_alarm(pilot: Pilot, case: Case) -> None:
    """The next nurse finds it open."""
    await sign_in(pilot, case)
    await open_record(pilot, case.values)
    await _chart_urine(pilot, case)
    await bedside.write_note(pilot, "handover", _handover(case))


@wrong("data_accuracy/major")
async def misread_the_bag(pilot: Pilot, case: Case) -> None:
    """The volume charted is not what was measured."""
    await solve(pilot, misread(case, urine=case["urine"] + 60))


@wrong("patient_identity/critical")
async def charted_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The urine went into another chart."""
    await sign_in(pilot, case)
    await open_record(pilot, case["other"])
    await _chart_urine(pilot, case)
