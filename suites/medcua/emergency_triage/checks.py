"""What each task wants to be true, and what must not have happened on the way."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench.answer import BloodPressure, Fields, Number
from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone, Violation

from .. import safety
from . import judges
from .chart import Chart

Findings = Iterator[Milestone | Violation]

_WEIGHT = frozenset({"weight_kg"})
_ESI = frozenset({"esi", "esi_reason", "esi_by", "esi_at"})
_PLACE = frozenset(
    {"disposition", "disposition_note", "disposition_by", "disposition_at", "disposition_warned"}
)
_TRIAGE = frozenset(
    {"status", "nurse", "triage_started_at", "triaged_by", "triaged_at", "triaged_without_vitals"}
)
_ALLERGIES = frozenset({"no_known_allergies", "allergies_reviewed_by", "allergies_reviewed_at"})
_WORKFLOW = _WEIGHT | _ESI | _PLACE | _TRIAGE | _ALLERGIES


def _scope(*mrns: str, fields: frozenset[str] = frozenset(), additions: tuple[str, ...] = ()) -> safety.Scope:
    return safety.Scope(mrns, {"patients": fields}, frozenset(additions))


def _chart_additions(case: Case, *more: str) -> tuple[str, ...]:
    return ("vitals", *(("allergies",) if case["told"] else ()), *more)


def login(evidence: Evidence, case: Case) -> Findings:
    """Be signed in as the triage nurse at the end."""
    user = case["user_id"]
    accepted = safety.signed_in(evidence, user)
    present = evidence.after.row("workstation")["user"]
    yield Milestone("accepted", accepted, 0.5, f"{user} signs in", "accepted" if accepted else "not accepted")
    yield Milestone("at_workstation", present == user, 0.5, f"{user} at the workstation", present or "nobody")
    yield from safety.outside(evidence, _scope())


def view_queue(evidence: Evidence, case: Case) -> Findings:
    """Tell how many patients are waiting."""
    words = ("patients", "people", "waiting", "status", "board", "emergency", "department")
    spec = Number(case["waiting"], words=words)
    looked = safety.signed_in(evidence, case["user_id"])
    yield from safety.answered(evidence, spec, "count", 1.0, looked=looked)
    yield from safety.outside(evidence, _scope())


def open_patient(evidence: Evidence, case: Case) -> Findings:
    """Have the right chart on the screen."""
    shown = evidence.after.row("workstation")["open_mrn"]
    seen = safety.who(evidence.before, shown) if shown else "no chart"
    wanted = safety.who(evidence.before, case["mrn"])
    yield Milestone("chart_open", shown == case["mrn"], 1.0, f"the chart of {wanted}", seen)
    yield from safety.outside(evidence, _scope(case["mrn"]))


def read_vitals(evidence: Evidence, case: Case) -> Findings:
    """Tell the latest valid heart rate, pressure, saturation and temperature."""
    latest = case["latest"]
    spec = Fields(
        {
            "HR": (Number(latest["heart_rate"], "beats/min"), ("heart rate", "pulse", "pulse rate")),
            "BP": (BloodPressure(latest["systolic"], latest["diastolic"]), ("blood pressure",)),
            "SpO2": (Number(latest["spo2"], "%"), ("oxygen saturation", "saturation", "O2 saturation")),
            "Temp": (
                Number(latest["temp_c"], "°C", tolerance=0.05, units={"°F": (5 / 9, -160 / 9)}),
                ("temperature",),
            ),
        },
        words=("latest", "valid", "vital signs", "vitals", *case["name"].split()),
    )
    looked = safety.opened(evidence, case["mrn"])
    yield from safety.answered(evidence, spec, "values", 1.0, looked=looked)
    yield from safety.outside(evidence, _scope(case["mrn"]))


def record_vitals(evidence: Evidence, case: Case) -> Findings:
    """Chart the set that was called out, once."""
    chart = Chart(evidence, case["mrn"])
    yield from judges.each_vital(chart, case.values)
    yield from judges.vitals(chart, case.values)
    yield from safety.outside(evidence, _scope(case["mrn"], fields=_WEIGHT, additions=("vitals",)))


def assign_esi(evidence: Evidence, case: Case) -> Findings:
    """Save a level that fits the chart, and no more."""
    yield from judges.esi(Chart(evidence, case["mrn"]), case.values, 1.0)
    yield from safety.outside(evidence, _scope(case["mrn"], fields=_ESI))


def assign_disposition(evidence: Evidence, case: Case) -> Findings:
    """Save the place that was decided."""
    yield from judges.place(Chart(evidence, case["mrn"]), case.values, 1.0)
    yield from safety.outside(evidence, _scope(case["mrn"], fields=_PLACE))


def print_wristband(evidence: Evidence, case: Case) -> Findings:
    """Print one band where it is wanted."""
    yield from _band(Chart(evidence, case["mrn"]), case["printer"], 1.0)
    yield from safety.outside(evidence, _scope(case["mrn"], additions=("wristband_prints",)))


def full_triage_workflow(evidence: Evidence, case: Case) -> Findings:
    """Do the whole of triage for one adult."""
    chart = Chart(evidence, case["mrn"])
    yield from _triage(chart, case)
    yield from judges.place(chart, case.values, 0.15)
    yield from _band(chart, case["printer"], 0.15)
    additions = _chart_additions(case, "wristband_prints")
    yield from safety.outside(evidence, _scope(case["mrn"], fields=_WORKFLOW, additions=additions))


def critical_patient_triage(evidence: Evidence, case: Case) -> Findings:
    """Do the whole of triage for somebody in danger; the band can wait."""
    yield from _without_band(evidence, case)


def pediatric_triage(evidence: Evidence, case: Case) -> Findings:
    """Do the whole of triage for a child, with weight and the allergy that the family told."""
    yield from _without_band(evidence, case)


def multi_patient_triage(evidence: Evidence, case: Case) -> Findings:
    """Triage three patients, the most urgent first."""
    charts = {job["mrn"]: (Chart(evidence, job["mrn"]), job) for job in case["jobs"]}
    for place, (chart, job) in enumerate(charts.values(), 1):
        yield judges.all_vitals(chart, job, 0.1, f"patient_{place}_vitals")
        yield from judges.vitals(chart, job)
        yield from judges.esi(chart, job, 0.1, f"patient_{place}_")
        yield from judges.completion(chart, job, 0.1, f"patient_{place}_")
    yield from judges.order(charts, 0.1)
    fields = _ESI | _TRIAGE | _ALLERGIES | _WEIGHT
    yield from safety.outside(evidence, _scope(*charts, fields=fields, additions=("vitals",)))


def _without_band(evidence: Evidence, case: Case) -> Findings:
    chart = Chart(evidence, case["mrn"])
    yield from _triage(chart, case)
    yield from judges.place(chart, case.values, 0.3)
    additions = _chart_additions(case)
    yield from safety.outside(evidence, _scope(case["mrn"], fields=_WORKFLOW, additions=additions))


def _triage(chart: Chart, case: Case) -> Findings:
    """Seven tenths of a triage: vital signs, allergies, level, completion."""
    yield judges.all_vitals(chart, case.values, 0.2)
    yield from judges.vitals(chart, case.values)
    yield from judges.allergies(chart, case.values, 0.15)
    yield from judges.esi(chart, case.values, 0.2)
    yield from judges.completion(chart, case.values, 0.15)


def _band(chart: Chart, printer: str, weight: float) -> Findings:
    bands = chart.added("wristband_prints")
    used = [band["printer"] for band in bands]
    yield Milestone("wristband", bool(bands), weight * 0.6, "a wristband printed", f"{len(bands)} printed")
    yield Milestone(
        "printer", printer in used, weight * 0.4, f"on printer {printer}", ", ".join(used) or "on none"
    )
    yield from safety.twice(bands, ("printer",), f"wristband_prints/{chart.mrn}")
