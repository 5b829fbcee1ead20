"""Writes the rows of one patient: registration, and what has been charted until now."""

import random
import sqlite3
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.emergency_triage.cast import Case
from clinic.toolkit import growth
from clinic.toolkit.people import Person

PRINTERS = ("Triage 1", "Triage 2", "Registration")
MEASURES = ("heart_rate", "systolic", "diastolic", "spo2", "temp_c", "respiratory_rate", "gcs", "pain")
REASONS = {1: "lifesaving", 2: "high_risk", 3: "two_or_more", 4: "one", 5: "none"}


@dataclass
class Desk:
    """What charting needs: the database, staff, the time, and which bays are free."""

    db: sqlite3.Connection
    seeding: Seeding
    users: dict[str, list[str]]
    now: datetime
    _bays: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        stream = self.seeding.stream("bays")
        treatment = [f"Bay {number}" for number in range(1, 15)]
        rooms = [f"Triage {number}" for number in range(1, 7)]
        self._bays = {
            "in_treatment": stream.sample(treatment, len(treatment)),
            "in_triage": rooms[::-1],
        }

    def bay(self, stream: random.Random, status: str) -> str:
        """Give out a free place; people who wait share the waiting room."""
        if status in self._bays:
            return self._bays[status].pop()
        if status == "triaged" and stream.random() < 0.5:
            return self._bays["in_treatment"].pop()
        return "" if status == "left" else "WR"

    def insert(self, table: str, **values: Any) -> None:
        """Add a row."""
        rows.insert(self.db, table, **values)

    def update(self, mrn: str, **values: Any) -> None:
        """Change fields of a patient."""
        rows.update(self.db, "patients", {"mrn": mrn}, **values)


@dataclass(frozen=True)
class Arrival:
    """A person at the registration desk."""

    mrn: str
    person: Person
    address: str
    visit_no: str
    bay: str
    at: datetime
    mode: str
    narrative: str
    clock_text: str


def write(desk: Desk, stream: random.Random, case: Case, facts: dict[str, Any], arrival: Arrival) -> None:
    """Write everything about one patient, in the order in which it happens."""
    _register(desk, stream, case, facts, arrival)
    if stream.random() < 0.4 and not case.presentation.startswith("child"):
        _earlier_visit(desk, stream, facts, arrival)
    if not case.presentation.startswith(("child_vomiting", "child_head")):
        _allergies(desk, stream, case, arrival)
    if case.band:
        at = clock.text(arrival.at + timedelta(minutes=2))
        registrar = desk.users["registrar"][0]
        printer = stream.choice(PRINTERS)
        desk.insert("wristband_prints", mrn=arrival.mrn, printer=printer, reason=None, by=registrar, at=at)
    if case.status not in ("waiting", "left"):
        _care(desk, stream, case, facts, arrival)


def _register(desk: Desk, stream: random.Random, case: Case, facts: dict[str, Any], arrival: Arrival) -> None:
    person = arrival.person
    desk.insert(
        "patients",
        mrn=arrival.mrn,
        family_name=person.family,
        given_name=person.given,
        sex=person.sex,
        birth_date=person.born.isoformat(),
        address=arrival.address,
        visit_no=arrival.visit_no,
        bay=arrival.bay,
        arrived_at=arrival.clock_text,
        arrival_mode=arrival.mode,
        complaint=facts["complaint"],
        presentation=case.presentation,
        narrative=arrival.narrative,
        history=stream.choice(facts["history"]),
        medications=stream.choice(facts["medications"]),
        isolation=case.presentation in ("fever_infection", "dyspnea") and stream.random() < 0.5,
        fall_risk=facts.get("fall_risk", False) or (facts["ages"][0] >= 58 and stream.random() < 0.6),
        status=case.status,
    )


def _earlier_visit(desk: Desk, stream: random.Random, facts: dict[str, Any], arrival: Arrival) -> None:
    at = arrival.at - timedelta(days=stream.randint(40, 600), minutes=stream.randint(0, 600))
    visit_no = f"E{at:%y}-{stream.randint(100000, 999999)}"
    measured = _measure(stream, facts) | {"temp_c": round(stream.uniform(36.3, 37.0), 1)}
    _vitals(desk, arrival.mrn, visit_no, at, stream.choice(desk.users["staff_nurse"]), measured)


def _allergies(desk: Desk, stream: random.Random, case: Case, arrival: Arrival) -> None:
    recorded = desk.seeding.fixtures.load("emergency_triage/substances")["recorded"]
    registrar = desk.users["registrar"][0]
    listed = stream.sample(recorded, stream.choice((0, 0, 0, 1, 2)))
    for substance, reaction, severity in listed:
        desk.insert(
            "allergies",
            mrn=arrival.mrn,
            substance=substance,
            reaction=reaction,
            severity=severity,
            added_by=registrar,
            added_at=clock.text(arrival.at + timedelta(minutes=1)),
        )
    reviewed = case.status in ("triaged", "in_treatment")
    if reviewed or (not case.required and stream.random() < 0.3):
        at = clock.text(arrival.at + timedelta(minutes=3))
        nurse = stream.choice(desk.users["staff_nurse"])
        none = not listed
        desk.update(
            arrival.mrn, no_known_allergies=none, allergies_reviewed_by=nurse, allergies_reviewed_at=at
        )


def _care(desk: Desk, stream: random.Random, case: Case, facts: dict[str, Any], arrival: Arrival) -> None:
    nurse = stream.choice([*desk.users["triage_nurse"], *desk.users["staff_nurse"]])
    at = arrival.at + timedelta(minutes=stream.randint(4, 9))
    desk.update(arrival.mrn, nurse=nurse, triage_started_at=clock.text(at))
    last = _sets(desk, stream, case, facts, arrival, nurse, at + timedelta(minutes=2))
    if case.status == "in_triage":
        return
    level = stream.choice(facts["esi"])
    at = at + timedelta(minutes=6)
    triage_nurse = desk.users["triage_nurse"][0]
    desk.update(
        arrival.mrn,
        esi=level,
        esi_reason=REASONS[level],
        esi_by=triage_nurse,
        esi_at=clock.text(at),
        triaged_by=triage_nurse,
        triaged_at=clock.text(at + timedelta(minutes=1)),
    )
    if case.disposition:
        chosen = stream.choice(facts["dispositions"])
        decided = clock.text(max(at + timedelta(minutes=4), last))
        desk.update(arrival.mrn, disposition=chosen, disposition_by=triage_nurse, disposition_at=decided)


def _sets(
    desk: Desk,
    stream: random.Random,
    case: Case,
    facts: dict[str, Any],
    arrival: Arrival,
    nurse: str,
    at: datetime,
) -> datetime:
    """Chart the sets of this visit and return the time of the last one."""
    wrong = stream.randint(1, case.sets - 1) if case.one_in_error else None
    weight = _weight(desk, stream, facts, arrival.person)
    for number in range(case.sets):
        measured = _measure(stream, facts)
        if number == wrong:
            measured = _mistyped(measured)
        _vitals(
            desk,
            arrival.mrn,
            arrival.visit_no,
            at,
            nurse,
            measured,
            oxygen=facts.get("oxygen", "room_air"),
            weight_kg=weight if number == 0 else None,
            in_error=number == wrong,
        )
        if number < case.sets - 1:
            at = at + timedelta(minutes=stream.randint(9, 14))
    if weight is not None and case.sets:
        desk.update(arrival.mrn, weight_kg=weight)
    return at


def _weight(desk: Desk, stream: random.Random, facts: dict[str, Any], person: Person) -> float | None:
    """Weigh every child whose complaint calls for it, and every other adult."""
    weight = round(stream.uniform(52, 98), 1)
    if not growth.grown(person.born, desk.now.date()):
        share = growth.share(stream)
        weight = growth.kilograms(desk.seeding.fixtures, person.sex, person.born, desk.now.date(), share)
    return weight if facts.get("weighed") or stream.random() < 0.5 else None


def _measure(stream: random.Random, facts: dict[str, Any]) -> dict[str, float]:
    measured: dict[str, float] = {}
    for name in MEASURES:
        low, high = facts["vitals"][name]
        measured[name] = (
            round(stream.uniform(low, high), 1) if name == "temp_c" else stream.randint(low, high)
        )
    return measured


def _mistyped(measured: dict[str, float]) -> dict[str, float]:
    """Return the values of somebody else's monitor."""
    wrong = {"heart_rate": 58, "systolic": 24, "diastolic": 14, "spo2": -7, "respiratory_rate": 8}
    shift = {name: measured[name] + change for name, change in wrong.items()}
    return (
        measured | shift | {"heart_rate": wrong["heart_rate"], "temp_c": round(measured["temp_c"] + 1.4, 1)}
    )


def _vitals(
    desk: Desk,
    mrn: str,
    visit_no: str,
    at: datetime,
    by: str,
    measured: dict[str, float],
    oxygen: str = "room_air",
    weight_kg: float | None = None,
    in_error: bool = False,
) -> None:
    desk.insert(
        "vitals",
        mrn=mrn,
        visit_no=visit_no,
        taken_at=clock.text(at),
        by=by,
        **measured,
        oxygen=oxygen,
        temperature=measured["temp_c"],
        temperature_unit="C",
        weight=weight_kg,
        weight_unit="kg" if weight_kg is not None else None,
        weight_kg=weight_kg,
        in_error=in_error,
        in_error_by=by if in_error else None,
        in_error_at=clock.text(at + timedelta(minutes=3)) if in_error else None,
    )
