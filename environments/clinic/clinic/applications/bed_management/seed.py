"""Fills the hospital from a seed."""

import random
import sqlite3
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.bed_management import cast, floor
from clinic.applications.bed_management.cast import Part
from clinic.applications.bed_management.floor import Floor
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

POSTS = (
    ("bed_manager", "RN"),
    ("charge_nurse", "RN"),
    ("charge_nurse", "RN"),
    ("housekeeping", "HK"),
    *(("consultant", "MD"),) * 6,
)

FIRST_DAY = date(2026, 1, 12)
PRODUCTS = ("Bedmaster Flow", "Tidewater Capacity", "Wayfare Patient Flow", "Northlight Bedboard")
OFFICES = ("Patient Flow Centre", "Bed Management Office", "Capacity Command Centre")
HISTORY_DAYS = 7


@dataclass
class Desk:
    """What the rows of a person need: the database, chances, the time, and who works here."""

    db: sqlite3.Connection
    registry: Registry
    stream: random.Random
    consultants: list[str]
    cases: dict[str, Any]
    towns: list[str]
    floor: Floor
    now: datetime

    def before(self, low: int, high: int) -> str:
        """Return a time some minutes ago."""
        return clock.text(self.now - timedelta(minutes=self.stream.randint(low, high)))


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("hospital")
    now = datetime.combine(FIRST_DAY + timedelta(days=stream.randrange(320)), datetime.min.time())
    now += timedelta(hours=10, minutes=stream.randrange(420))
    settle(db, seeding, stream, OFFICES, PRODUCTS, "FLOW-{:02d}", 6, station_last=True)
    users = staff.employ(db, seeding, POSTS)
    laid = floor.draw(seeding.stream("floor"))
    cases = seeding.fixtures.load("bed_management/cases")
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    towns = seeding.fixtures.load("streets")["towns"]
    desk = Desk(db, registry, seeding.stream("charts"), users["consultant"], cases, towns, laid, now)
    plot = seeding.stream("cast")
    lying = cast.inpatients(plot, registry, cases, laid)
    other = cast.others(plot, registry, cases)
    numbers = {id(part): registry.number(8) for part in (*lying, *other)}
    for part in lying:
        _inpatient(desk, part, numbers[id(part)])
    for part in other:
        _outpatient(desk, part, numbers[id(part)])
    by_bed = {part.slot.label: numbers[id(part)] for part in lying if part.slot}
    promised = next(numbers[id(part)] for part in other if part.case == "conflict_plain")
    _beds(desk, by_bed, promised)
    plot.shuffle(other)
    for part in other:
        _request(desk, part, numbers[id(part)])
    _census(desk)
    return now


def _facts(desk: Desk, part: Part) -> dict[str, Any]:
    """Return what a case says of the patient; somebody without a case gets a diagnosis of the ward."""
    if part.case in desk.cases:
        case = desk.cases[part.case]
        facts: dict[str, Any] = case | desk.stream.choice(case["variants"])
        return facts
    specialty = part.slot.specialty if part.slot else "queue"
    care = part.slot.care if part.slot else "ward"
    precautions = "none"
    if part.slot and part.slot.kind != "bay" and care != "icu":
        precautions = (
            "airborne" if part.slot.kind == "negative" else desk.stream.choice(("contact", "droplet"))
        )
    diagnosis = desk.stream.choice(desk.cases["fillers"][specialty]["diagnoses"])
    high = {"ward": 3, "monitored": 5, "icu": 11}[care]
    return {
        "diagnosis": diagnosis,
        "note": "",
        "level": care,
        "precautions": precautions,
        "news2": [max(0, high - 3), high],
    }


def _person(desk: Desk, part: Part, mrn: str, **more: Any) -> None:
    person = part.person
    rows.insert(
        desk.db,
        "patients",
        mrn=mrn,
        family_name=person.family,
        given_name=person.given,
        sex=person.sex,
        birth_date=person.born.isoformat(),
        town=desk.stream.choice(desk.towns),
        case_name=part.case,
        **more,
    )


def _inpatient(desk: Desk, part: Part, mrn: str) -> None:
    facts, stream = _facts(desk, part), desk.stream
    _person(
        desk,
        part,
        mrn,
        status="inpatient",
        diagnosis=facts["diagnosis"],
        consultant=stream.choice(desk.consultants),
        source=stream.choice(("clinic", "gp", "hospital", "home")),
        level=facts["level"],
        precautions=facts["precautions"],
        news2=stream.randint(*facts["news2"]),
        note=facts["note"],
        stay_days=stream.randint(3, 11),
        admitted_at=desk.before(1500, 9000),
        **_plan(desk, part),
    )


def _plan(desk: Desk, part: Part) -> dict[str, Any]:
    """Return how far the discharge is; only for some everything is done."""
    stream, today = desk.stream, desk.now.date()
    if part.case in ("going_home", "multi_leaving"):
        return {
            "plan_destination": stream.choice(("home", "community", "nursing_home", "rehabilitation")),
            "plan_date": today.isoformat(),
            "orders_at": desk.before(120, 200),
            "medication_at": desk.before(60, 110),
            "transport_at": desk.before(40, 100),
            "settlement_at": desk.before(20, 90),
        }
    later = stream.randint(1, 5) if part.case != "staying" else 1
    begun = part.case == "staying" or stream.random() < 0.3
    return {
        "plan_destination": stream.choice(("home", "home", "community")),
        "plan_date": (today + timedelta(days=later)).isoformat(),
        "orders_at": desk.before(60, 120) if part.case == "staying" else None,
        "transport_at": desk.before(30, 90) if begun else None,
    }


def _outpatient(desk: Desk, part: Part, mrn: str) -> None:
    """Write somebody who waits for a bed, or whom the index only knows."""
    if part.case not in (*cast.REQUESTED, "filler"):
        _person(desk, part, mrn, status="registered")
        return
    facts = _facts(desk, part)
    _person(
        desk,
        part,
        mrn,
        status="waiting",
        diagnosis=facts["diagnosis"],
        consultant=desk.stream.choice(desk.consultants),
        level=facts["level"] if facts.get("stated", True) else None,
        precautions=facts["precautions"],
        news2=desk.stream.randint(*facts["news2"]),
        note=facts["note"],
    )


def _request(desk: Desk, part: Part, mrn: str) -> None:
    if part.case not in (*cast.REQUESTED, "filler"):
        return
    facts = desk.cases.get(part.case, {})
    promised = part.case.startswith("conflict")
    rows.insert(
        desk.db,
        "requests",
        mrn=mrn,
        origin=facts.get("origin", "Emergency department"),
        specialty=facts.get("specialty") or desk.stream.choice(("medicine", "surgery")),
        promised_bed=desk.floor.first("medicine", "negative").label if promised else None,
        requested_at=desk.before(15, 240),
        status="open",
    )


def _beds(desk: Desk, by_bed: dict[str, str], promised: str) -> None:
    for place, (code, name, specialty) in enumerate(desk.floor.wards):
        rows.insert(desk.db, "wards", code=code, name=name, specialty=specialty, place=place)
    for bay, ward, name, kind, sex in desk.floor.bays:
        rows.insert(desk.db, "bays", id=bay, ward=ward, name=name, kind=kind, sex=sex)
    reserved = desk.floor.first("medicine", "negative").label
    for slot in desk.floor.slots:
        rows.insert(
            desk.db,
            "beds",
            label=slot.label,
            bay=slot.bay,
            care=slot.care,
            condition=slot.condition,
            reason=slot.reason,
            mrn=by_bed.get(slot.label),
            reserved_for=promised if slot.label == reserved else None,
            since=desk.before(10, 600),
        )


def _census(desk: Desk) -> None:
    """Write how full the wards were at the last midnights, never as full as they are now."""
    for code, _, _ in desk.floor.wards:
        slots = [slot for slot in desk.floor.slots if slot.ward == code]
        taken = sum(slot.taken for slot in slots)
        for back in range(HISTORY_DAYS, 0, -1):
            others = [count for count in range(max(1, taken - 3), len(slots)) if count != taken]
            day = (desk.now.date() - timedelta(days=back - 1)).isoformat()
            rows.insert(
                desk.db,
                "census",
                ward=code,
                day=day,
                occupied=desk.stream.choice(others),
                open_beds=len(slots),
            )
