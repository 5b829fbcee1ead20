"""Fills the ward from a seed."""

import random
import sqlite3
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.nurse_station import cast
from clinic.applications.nurse_station.cast import Part
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

POSTS = (
    ("ward_nurse", "RN"),
    *(("colleague", "RN"),) * 3,
    ("charge_nurse", "RN"),
    ("physician", "MD"),
    ("physician", "MD"),
)

FIRST_DAY = date(2026, 2, 2)
PRODUCTS = ("Cardigan Ward", "Daybreak Nursing", "Lantern Care", "Meadowlark Bedside")
WARDS = ("Ward Hawthorn", "Ward Juniper", "Ward Rowan", "Ward Larch")
CODES = ("full", "full", "full", "no_cpr", "comfort")
ISOLATION = ("none", "none", "none", "none", "none", "contact", "droplet", "airborne")
CARE = ("Mouth care", "Skin check", "Check the drip site", "Weigh the patient", "Change the bed linen")


@dataclass
class Desk:
    """What the rows of a patient need: the database, chances, the time, staff and written data."""

    db: sqlite3.Connection
    stream: random.Random
    now: datetime
    users: dict[str, list[str]]
    written: dict[str, Any]

    def at(self, low: int, high: int) -> str:
        """Return a time that is some minutes away, before or after now."""
        return clock.text(self.now + timedelta(minutes=self.stream.randint(low, high)))

    def insert(self, table: str, **values: Any) -> None:
        """Add a row."""
        rows.insert(self.db, table, **values)

    def last(self) -> int:
        """Return the number of the row added last."""
        (number,) = self.db.execute("SELECT last_insert_rowid()").fetchone()
        return int(number)


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("ward")
    day = FIRST_DAY + timedelta(days=stream.randrange(300))
    now = datetime(day.year, day.month, day.day, 10, 30) + timedelta(minutes=stream.randrange(180))
    settle(db, seeding, stream, WARDS, PRODUCTS, "NST-{:02d}", 8, station_last=True)
    users = staff.employ(db, seeding, POSTS)
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    parts = cast.ward(seeding.stream("cast"), registry)
    desk = Desk(db, seeding.stream("charts"), now, users, seeding.fixtures.load("nurse_station/ward"))
    for part in parts:
        _patient(desk, part, registry.number(8))
    calling = desk.stream.choice([part for part in parts if part.case in ("other", "unrelated")])
    rows.update(db, "patients", {"room": calling.room}, calling_since=desk.at(-9, -2))
    return now


def _patient(desk: Desk, part: Part, mrn: str) -> None:
    stream, person = desk.stream, part.person
    nurse = desk.users["ward_nurse"][0] if part.mine else stream.choice(desk.users["colleague"])
    desk.insert(
        "patients",
        mrn=mrn,
        family_name=person.family,
        given_name=person.given,
        sex=person.sex,
        birth_date=person.born.isoformat(),
        room=part.room,
        case_name=part.case,
        diagnosis=stream.choice(desk.written["diagnoses"]),
        code_status=stream.choice(CODES),
        isolation=stream.choice(ISOLATION),
        fall_risk=stream.random() < 0.4,
        admitted_at=desk.at(-9000, -2000),
        nurse=nurse,
    )
    if part.case not in cast.WITHOUT_RELATIONSHIP:
        at = clock.text(desk.now.replace(hour=7, minute=stream.randint(2, 20)))
        desk.insert("relationships", mrn=mrn, user=nurse, role="primary", at=at)
    _handover(desk, mrn)
    _history(desk, mrn, nurse)
    _more(desk, part, mrn)
    {
        "giving": _giving,
        "absent": _absent,
        "sampling": _sampling,
        "known": _known,
        "reviewing": _reviewing,
        "urgent": _urgent,
        "late": _late,
        "admission": _admission,
    }.get(part.case, _usual)(desk, mrn)


def _handover(desk: Desk, mrn: str) -> None:
    texts = {name: desk.stream.choice(options) for name, options in desk.written["handover"].items()}
    at = clock.text(desk.now.replace(hour=6, minute=desk.stream.randint(30, 55)))
    desk.insert("handovers", mrn=mrn, **texts, by=desk.stream.choice(desk.users["colleague"]), at=at)


def _history(desk: Desk, mrn: str, nurse: str) -> None:
    """Write what was done this morning: a medicine, and some care."""
    at = desk.now.replace(hour=8, minute=desk.stream.randint(0, 25))
    task = _medicine(desk, mrn, desk.stream.choice(("pantoprazole", "ramipril")), clock.text(at))
    done = {"status": "done", "by": nurse, "at": clock.text(at + timedelta(minutes=6))}
    rows.update(desk.db, "tasks", {"id": task}, **done)
    given = desk.db.execute("SELECT drug, dose, unit, route FROM tasks WHERE id = ?", (task,)).fetchone()
    stamp = {"by": nurse, "at": done["at"]}
    values = {"mrn": mrn, "task": task, "identity_checked": True, "warnings": "", **dict(given), **stamp}
    desk.insert("administrations", **values)
    care = at + timedelta(minutes=desk.stream.randint(25, 50))
    stamp = {"by": nurse, "at": clock.text(care + timedelta(minutes=4))}
    desk.insert(
        "tasks",
        mrn=mrn,
        kind="care",
        title="Morning wash",
        due_at=clock.text(care),
        status="done",
        **stamp,
    )


def _more(desk: Desk, part: Part, mrn: str) -> None:
    """Write care that is still to come, and for some patients care that is late."""
    titles = desk.stream.sample(CARE, 2)
    desk.insert("tasks", mrn=mrn, kind="care", title=titles[0], due_at=desk.at(140, 290), status="due")
    if part.case not in ("absent", "late", "admission") and desk.stream.random() < 0.45:
        desk.insert("tasks", mrn=mrn, kind="care", title=titles[1], due_at=desk.at(-110, -20), status="due")
    if part.case != "known" and desk.stream.random() < 0.5:
        _allergy(desk, mrn, *desk.stream.choice(desk.written["allergies"]["substances"]))


def _allergy(desk: Desk, mrn: str, substance: str, reaction: str, in_error: bool = False) -> None:
    desk.insert("allergies", mrn=mrn, substance=substance, reaction=reaction, in_error=in_error)


def _medicine(desk: Desk, mrn: str, name: str, due_at: str, order_id: int | None = None) -> int:
    drug = desk.written["drugs"][name]
    dose = desk.stream.choice(drug["doses"])
    desk.insert(
        "tasks",
        mrn=mrn,
        kind="medication",
        title=_label(drug, dose),
        drug=drug["name"],
        dose=dose,
        unit=drug["unit"],
        route=drug["route"],
        high_alert=drug["high_alert"],
        due_at=due_at,
        order_id=order_id,
        status="due",
    )
    return desk.last()


def _label(drug: dict[str, Any], dose: float) -> str:
    return f"{drug['name']} {dose:g} {drug['unit']} {drug['route']}"


def _task(desk: Desk, mrn: str, kind: str, title: str, due_at: str, **more: Any) -> None:
    desk.insert("tasks", mrn=mrn, kind=kind, title=title, due_at=due_at, status="due", **more)


def _order(desk: Desk, mrn: str, text: str, priority: str = "routine") -> int:
    by = desk.stream.choice(desk.users["physician"])
    at = desk.at(-14, -4) if priority == "stat" else desk.at(-150, -30)
    values = {"text": text, "priority": priority, "ordered_by": by, "ordered_at": at, "status": "new"}
    desk.insert("orders", mrn=mrn, **values)
    return desk.last()


def _giving(desk: Desk, mrn: str) -> None:
    """A high-alert medicine is due now and once more in the evening, in another dose."""
    name = desk.stream.choice(("insulin", "enoxaparin", "morphine"))
    drug = desk.written["drugs"][name]
    doses = desk.stream.sample(drug["doses"], 2)
    for dose, due_at in zip(doses, (desk.at(12, 45), desk.at(230, 290)), strict=True):
        facts = {key: drug[key] for key in ("unit", "route", "high_alert")}
        title = _label(drug, dose)
        _task(desk, mrn, "medication", title, due_at, drug=drug["name"], dose=dose, **facts)
    _medicine(desk, mrn, "paracetamol", desk.at(15, 50))


def _absent(desk: Desk, mrn: str) -> None:
    """Four things are due; one of them will not be done."""
    for name in ("paracetamol", "metformin", "vancomycin"):
        _medicine(desk, mrn, name, desk.at(14, 50))
    _task(desk, mrn, "care", "Walk with the frame", desk.at(14, 50))


def _sampling(desk: Desk, mrn: str) -> None:
    """Two specimens are due, for different containers."""
    for test in desk.stream.sample(list(desk.written["tests"]), 2):
        _task(desk, mrn, "specimen", test, desk.at(14, 50))


def _known(desk: Desk, mrn: str) -> None:
    """Several allergies are on the list, one struck out; a new order contradicts one of them."""
    conflict = desk.stream.choice(desk.written["conflicts"])
    listed = desk.stream.sample(desk.written["allergies"]["substances"], desk.stream.randint(2, 3))
    entries = [(conflict["substance"], conflict["reaction"], False)]
    entries += [(substance, reaction, place == 0) for place, (substance, reaction) in enumerate(listed)]
    desk.stream.shuffle(entries)
    for substance, reaction, in_error in entries:
        _allergy(desk, mrn, substance, reaction, in_error)
    _order(desk, mrn, conflict["ordered"])


def _reviewing(desk: Desk, mrn: str) -> None:
    """Two or three new orders, none of which anything speaks against."""
    for text in desk.stream.sample(desk.written["orders"]["routine"], desk.stream.randint(2, 3)):
        _order(desk, mrn, text)


def _urgent(desk: Desk, mrn: str) -> None:
    """A routine order, and an urgent one for a high-alert medicine that waits for it."""
    _order(desk, mrn, desk.stream.choice(desk.written["orders"]["routine"]))
    stat = desk.stream.choice(desk.written["stat"])
    drug = desk.written["drugs"][stat["drug"]]
    dose = desk.stream.choice(drug["doses"])
    order = _order(desk, mrn, f"{_label(drug, dose)} now. {stat['text']}", "stat")
    facts = {key: drug[key] for key in ("unit", "route", "high_alert")}
    values = {"drug": drug["name"], "dose": dose, "order_id": order, **facts}
    _task(desk, mrn, "medication", _label(drug, dose), desk.at(12, 20), **values)


def _late(desk: Desk, mrn: str) -> None:
    """Three things are overdue and one is not."""
    _task(desk, mrn, "observation", "Pain reassessment", desk.at(-80, -50), measure="pain")
    _task(desk, mrn, "observation", "Reposition", desk.at(-49, -30), measure="position")
    _medicine(desk, mrn, "metoprolol", desk.at(-120, -82))
    _medicine(desk, mrn, "paracetamol", desk.at(70, 110))


def _admission(desk: Desk, mrn: str) -> None:
    """Somebody new: an urgent blood test, and the first things to do."""
    order = _order(desk, mrn, "Lactate now, tube on ice to the laboratory", "stat")
    _task(desk, mrn, "specimen", "Lactate", desk.at(40, 55), order_id=order)
    _task(desk, mrn, "observation", "Pain reassessment", desk.at(40, 60), measure="pain")
    _task(desk, mrn, "observation", "Reposition", desk.at(40, 60), measure="position")
    _task(desk, mrn, "care", "Show the call bell", desk.at(40, 60))


def _usual(desk: Desk, mrn: str) -> None:
    """What colleagues' patients have."""
    _medicine(desk, mrn, desk.stream.choice(("insulin", "paracetamol", "metoprolol")), desk.at(20, 120))
