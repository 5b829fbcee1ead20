"""Fills the reading room from a seed."""

import random
import sqlite3
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.ecg_workstation import cast, staff
from clinic.applications.ecg_workstation.cast import Case
from clinic.applications.ecg_workstation.intervals import corrected
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

FIRST_DAY = date(2026, 1, 5)
PRODUCTS = ("Tracewell ECG", "Cardisle Reader", "Pinecardia Desk", "Wavemoor ECG")
DEPARTMENTS = ("ECG Laboratory", "Cardiac Diagnostics", "Heart Station")
PLACES = {"stat": ("Emergency", "Chest pain unit"), "urgent": ("Emergency", "Ward 3", "Ward 5", "Day clinic")}
ROUTINE_PLACES = ("Outpatients", "Preoperative clinic", "Ward 2", "Ward 4", "Ward 6")


@dataclass
class Room:
    """What writing recordings needs."""

    db: sqlite3.Connection
    seeding: Seeding
    stream: random.Random
    registry: Registry
    users: dict[str, list[str]]
    profiles: dict[str, Any]
    now: datetime

    def technician(self) -> str:
        """Return who pressed the button."""
        return self.stream.choice(self.users["technician"])


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("department")
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    now = datetime(day.year, day.month, day.day, stream.choice((15, 16, 17, 20, 21))) + timedelta(
        minutes=stream.randrange(60)
    )
    settle(db, seeding, stream, DEPARTMENTS, PRODUCTS, "ECG-RD-{:02d}", 6, station_last=True)
    users = staff.employ(db, seeding, now)
    profiles = seeding.fixtures.load("ecg_workstation/profiles")
    plot = seeding.stream("cast")
    cases = [*cast.required_cases(plot), *cast.other_cases(plot, profiles)]
    plot.shuffle(cases)
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    room = Room(db, seeding, seeding.stream("recordings"), registry, users, profiles, now)
    minutes = sorted(room.stream.sample(range(6, 500, 7), len(cases)))
    for case, person, ago in zip(cases, cast.people(registry, cases), minutes, strict=True):
        _patient(room, case, person, now - timedelta(minutes=ago + room.stream.randrange(6)))
    return now


def _patient(room: Room, case: Case, person: Any, at: datetime) -> None:
    """Write a patient with all recordings, the oldest first."""
    stream, mrn = room.stream, room.registry.number(8)
    place = stream.choice(PLACES.get(case.priority, ROUTINE_PLACES))
    rows.insert(
        room.db,
        "patients",
        mrn=mrn,
        family_name=person.family,
        given_name=person.given,
        sex=person.sex,
        birth_date=person.born.isoformat(),
        location=place,
    )
    if case.before:
        past = at - timedelta(days=stream.randint(90, 900), minutes=stream.randrange(300))
        _recording(room, Case("earlier", case.before, "signed", analysed=True), mrn, "Outpatients", past)
    if case.twice:
        first = at - timedelta(minutes=stream.randint(70, 130))
        _recording(
            room, Case("first", case.profile, "signed", case.priority, analysed=True), mrn, place, first
        )
    _recording(room, case, mrn, place, at)


def _recording(room: Room, case: Case, mrn: str, place: str, at: datetime) -> None:
    stream, facts = room.stream, room.profiles[case.profile]
    study_id = f"E{at:%y}-{room.registry.number(5)}"
    signal = _signal(stream, facts["signal"])
    run_at = clock.text(at + timedelta(minutes=2)) if case.analysed else None
    rows.insert(
        room.db,
        "studies",
        study_id=study_id,
        mrn=mrn,
        acquired_at=clock.text(at),
        location=place,
        cart=f"Cart {stream.randint(1, 9)}",
        technician=room.db.execute(
            "SELECT name FROM users WHERE user_id = ?", (room.technician(),)
        ).fetchone()[0],
        indication=stream.choice(facts["indications"]),
        priority=case.priority,
        profile=case.profile,
        status=case.status,
        analysed_by=room.technician() if run_at else None,
        analysed_at=run_at,
    )
    rows.insert(room.db, "signals", study_id=study_id, mrn=mrn, **signal)
    measured = _measured(signal)
    double = 2 if facts.get("counts_double") else 1
    said = ",".join(facts.get("automatic", facts["required"]))
    found = measured | {"heart_rate": measured["heart_rate"] * double}
    rows.insert(room.db, "automatic", study_id=study_id, mrn=mrn, **found, statements=said)
    if case.status != "unread":
        read_at = min(at + timedelta(minutes=stream.randint(4, 60)), room.now - timedelta(minutes=1))
        _report(room, case, facts, study_id, mrn, measured, read_at)


def _signal(stream: random.Random, ranges: dict[str, Any]) -> dict[str, Any]:
    """Draw the numbers of a recording; QT follows from the rate."""
    rate = stream.randint(*ranges["rate"])
    pr = stream.randint(*ranges["pr_ms"]) if "pr_ms" in ranges else None
    qtc = stream.randint(*ranges["qtc"])
    return {
        "seed": stream.randrange(2**31),
        "rhythm": ranges["rhythm"],
        "rate": rate,
        "pr_ms": pr and pr // 2 * 2,
        "qrs_ms": stream.randint(*ranges["qrs_ms"]) // 2 * 2,
        "qt_ms": round(qtc * (60 / rate) ** (1 / 3)) // 2 * 2,
        "axis": stream.randint(*ranges["axis"]),
        "shape": ranges.get("shape", "normal"),
        "injury": ranges.get("injury", ""),
        "scar": ranges.get("scar", ""),
        "voltage": ranges.get("voltage", 1.0),
        "t_wave": ranges.get("t_wave", 1.0),
        "arms_swapped": ranges.get("arms_swapped", False),
    }


def _measured(signal: dict[str, Any]) -> dict[str, Any]:
    """Return what a measurement without a mistake says; swapped arms turn the axis around."""
    axis = 180 - signal["axis"] if signal["arms_swapped"] else signal["axis"]
    names = ("pr_ms", "qrs_ms", "qt_ms")
    return {"heart_rate": signal["rate"], "axis": axis, **{name: signal[name] for name in names}}


def _report(
    room: Room,
    case: Case,
    facts: dict[str, Any],
    study_id: str,
    mrn: str,
    measured: dict[str, Any],
    at: datetime,
) -> None:
    reader, signed = room.users["reader"][1], case.status == "signed"
    rows.insert(
        room.db,
        "reports",
        study_id=study_id,
        mrn=mrn,
        **measured,
        qtc_ms=corrected(measured["qt_ms"], measured["heart_rate"], "bazett"),
        qtc_formula="bazett",
        statements=",".join(facts["required"]),
        comparison="unchanged" if case.before else "none",
        comment="",
        saved_by=reader,
        saved_at=clock.text(at),
        signed_by=reader if signed else None,
        signed_at=clock.text(at) if signed else None,
    )
