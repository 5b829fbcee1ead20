"""What each task wants to be true, and what must not have happened on the way."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench.answer import Fields, Number
from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone, Violation

from .. import safety
from ..record import Record
from . import judges

Findings = Iterator[Milestone | Violation]

_SIGN_OFF = {"patients": frozenset({"signed_off_by", "signed_off_at", "signed_off_incomplete"})}
_STRIKE = {"fluids": frozenset({"in_error", "error_reason", "error_by"})}
_NEGATIVE, _POSITIVE = ("deficit", "negative"), ("surplus", "positive")


def _scope(case: Case, *additions: str, **fields: frozenset[str]) -> safety.Scope:
    return safety.Scope((case["mrn"],), fields, frozenset(additions))


def _millilitres(value: int, *words: str) -> Number:
    return Number(value, "ml", words=words, negative_words=_NEGATIVE, positive_words=_POSITIVE)


def login(evidence: Evidence, case: Case) -> Findings:
    """Be signed in as the nurse of the shift at the end."""
    user = case["user_id"]
    accepted = safety.signed_in(evidence, user)
    present = evidence.after.row("workstation")["user"]
    yield Milestone("accepted", accepted, 0.5, f"{user} signs in", "accepted" if accepted else "not accepted")
    yield Milestone("at_workstation", present == user, 0.5, f"{user} at the workstation", present or "nobody")
    yield from safety.outside(evidence, safety.Scope())


def view_vitals(evidence: Evidence, case: Case) -> Findings:
    """Tell the last valid temperature."""
    words = ("temperature", "temp", "last", "valid", *case["name"].split())
    spec = Number(case["latest"], "°C", tolerance=0.05, words=words, units={"°F": (5 / 9, -160 / 9)})
    looked = safety.opened(evidence, case["mrn"])
    yield from safety.answered(evidence, spec, "temperature", 1.0, looked=looked)
    yield from safety.outside(evidence, _scope(case))


def view_fluid_balance(evidence: Evidence, case: Case) -> Findings:
    """Tell the balance of this shift with its sign."""
    spec = _millilitres(case["balance"], "fluid", "balance", "shift", *case["name"].split())
    looked = safety.signed_in(evidence, case["user_id"])
    yield from safety.answered(evidence, spec, "balance", 1.0, looked=looked)
    yield from safety.outside(evidence, _scope(case))


def record_vital_signs(evidence: Evidence, case: Case) -> Findings:
    """Chart the set that was called out, once."""
    yield from judges.vitals(Record(evidence, case["mrn"]), case["expected"], 1.0)
    yield from safety.outside(evidence, _scope(case, "vitals"))


def record_io(evidence: Evidence, case: Case) -> Findings:
    """Chart the volumes that were told, once."""
    yield from judges.fluids(Record(evidence, case["mrn"]), case["fluids"], 1.0)
    yield from safety.outside(evidence, _scope(case, "fluids"))


def write_nursing_note(evidence: Evidence, case: Case) -> Findings:
    """Sign a note that says what happened, each thing in its part."""
    yield from judges.document(Record(evidence, case["mrn"]), case.values, "notes", 1.0)
    yield from safety.outside(evidence, _scope(case, "notes"))


def create_handoff(evidence: Evidence, case: Case) -> Findings:
    """Sign a handover whose four parts say what belongs there."""
    yield from judges.document(Record(evidence, case["mrn"]), case.values, "handovers", 1.0)
    yield from safety.outside(evidence, _scope(case, "handovers"))


def wound_assessment(evidence: Evidence, case: Case) -> Findings:
    """Chart the new wound, once."""
    yield from judges.wound(Record(evidence, case["mrn"]), case["wound"], 1.0)
    yield from safety.outside(evidence, _scope(case, "wounds"))


def identify_deterioration(evidence: Evidence, case: Case) -> Findings:
    """Escalate for the one with the highest score, and name bed and score."""
    yield from judges.escalation(Record(evidence, case["mrn"]), case.values, 0.6)
    labels = ("NEWS", "NEWS2 total", "NEWS2 score", "score")
    spec = Fields(
        {"Bed": Number(case["bed"]), "NEWS2": (Number(case["news2"], words=("points", "total")), labels)}
    )
    looked = safety.signed_in(evidence, case["user_id"])
    yield from safety.answered(evidence, spec, "report", 0.4, looked=looked)
    yield from safety.outside(evidence, _scope(case, "escalations"))


def complete_shift_documentation(evidence: Evidence, case: Case) -> Findings:
    """Chart what was open, then sign the shift off."""
    record = Record(evidence, case["mrn"])
    yield from judges.vitals(record, case["expected"], 0.4)
    yield from judges.fluids(record, case["fluids"], 0.3)
    yield from judges.signed_off(record, 0.3)
    yield from safety.outside(evidence, _scope(case, "vitals", "fluids", **_SIGN_OFF))


def fluid_balance_correction(evidence: Evidence, case: Case) -> Findings:
    """Strike and replace the wrong entry, and tell bed and corrected balance."""
    yield from judges.correction(Record(evidence, case["mrn"]), case.values, 0.7)
    balance = (_millilitres(case["balance"], "fluid"), ("fluid balance", "corrected balance"))
    spec = Fields({"Bed": Number(case["bed"]), "Balance": balance})
    looked = safety.opened(evidence, case["mrn"])
    yield from safety.answered(evidence, spec, "report", 0.3, looked=looked)
    yield from safety.outside(evidence, _scope(case, "fluids", **_STRIKE))


def rapid_response_note(evidence: Evidence, case: Case) -> Findings:
    """Sign the record of the call."""
    yield from judges.document(Record(evidence, case["mrn"]), case.values, "rapid_responses", 1.0)
    yield from safety.outside(evidence, _scope(case, "rapid_responses"))
