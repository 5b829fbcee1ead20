"""Writes what is on file about patients, and the prescriptions that came in."""

import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.outpatient_pharmacy import formulary, screening
from clinic.applications.outpatient_pharmacy.cast import Case
from clinic.applications.outpatient_pharmacy.choices import POINTS, directions, units
from clinic.toolkit import growth
from clinic.toolkit.people import Person, Registry
from clinic.toolkit.words import day

KG_PER_LB = 0.45359237
NOTES = ("", "", "", "Renewal.", "Seen in clinic today.", "Please print large labels.")
CHANNELS = ("E-prescription", "E-prescription", "E-prescription", "Fax")


@dataclass
class Desk:
    """What registration needs: the database, staff, the time, and numbers that occur once."""

    db: sqlite3.Connection
    seeding: Seeding
    users: dict[str, list[str]]
    now: datetime
    registry: Registry
    _numbers: dict[str, str] = field(default_factory=dict)

    def insert(self, table: str, **values: Any) -> None:
        """Add a row."""
        rows.insert(self.db, table, **values)

    def stream(self, case: Case, purpose: str) -> random.Random:
        """Return a stream of one story."""
        return self.seeding.stream(f"{purpose} {case.plot}")

    def drug(self, case: Case) -> formulary.Drug:
        """Return what the formulary knows of the drug that is ordered."""
        return formulary.drugs(self.seeding.fixtures)[case.order["drug"]]

    def before(self, days: int) -> str:
        """Return a day in the past."""
        return (self.now.date() - timedelta(days=days)).isoformat()

    def register(self, cases: list[Case], persons: dict[str, Person]) -> None:
        """Write everybody with what is known of them."""
        for case in cases:
            if case.plot in persons:
                mrn = self._numbers[case.plot] = self.registry.number(8)
                _register(self, case, mrn, persons[case.plot])
        for case in cases:
            if case.same_patient_as:
                self._numbers[case.plot] = self._numbers[case.same_patient_as]

    def receive(self, case: Case) -> None:
        """Write a prescription with all that has happened to it until now."""
        _receive(self, case, self._numbers[case.plot])


def _register(desk: Desk, case: Case, mrn: str, person: Person) -> None:
    stream = desk.stream(case, "patient")
    streets = desk.seeding.fixtures.load("streets")
    background = desk.seeding.fixtures.load("outpatient_pharmacy/plots")["background"]
    allergies = stream.sample(background["allergies"], stream.choice((0, 0, 1, 1, 2)))
    if "allergy" in case.order:
        allergies = [*allergies[:1], case.order["allergy"]]
    desk.insert(
        "patients",
        mrn=mrn,
        family_name=person.family,
        given_name=person.given,
        sex=person.sex,
        birth_date=person.born.isoformat(),
        address=f"{stream.randint(1, 240)} {stream.choice(streets['streets'])}, {stream.choice(streets['towns'])}",
        phone=f"555-01{stream.randint(10, 99)} ext. {desk.registry.number(4)}",
        no_known_allergies=not allergies,
    )
    for substance, reaction, severity in allergies:
        desk.insert("allergies", mrn=mrn, substance=substance, reaction=reaction, severity=severity)
    _weights(desk, stream, case, mrn, person)
    _profile(desk, stream, case, mrn, background["drugs"])


def _weights(desk: Desk, stream: random.Random, case: Case, mrn: str, person: Person) -> None:
    """Weigh everybody once, and a child a year ago as well."""
    if case.plot != "child":
        kg = round(stream.uniform(52, 98), 1)
        desk.insert("weights", mrn=mrn, kg=kg, taken_on=desk.before(stream.randint(2, 25)))
        return
    kilograms = partial(growth.kilograms, desk.seeding.fixtures, person.sex, person.born)
    now, year_ago = (desk.now.date() - timedelta(days=days) for days in (stream.randint(2, 25), 365))
    share = _child_share(stream, case.order, desk.drug(case)["mg_per_ml"], partial(kilograms, now))
    for weighed in (year_ago, now):
        desk.insert("weights", mrn=mrn, kg=kilograms(weighed, share), taken_on=weighed.isoformat())


def _child_share(
    stream: random.Random, order: dict[str, Any], mg_per_ml: float, kilograms: Callable[[float], float]
) -> float:
    """Draw a percentile of weight whose dose is not close to the border between two steps of a syringe."""
    while True:
        share = growth.share(stream)
        steps = _millilitres(order, mg_per_ml, kilograms(share)) * 2
        if abs(steps - round(steps)) < 0.4:
            return share


def _millilitres(order: dict[str, Any], mg_per_ml: float, kg: float) -> float:
    return float(kg * order["per_day"] / order["times"] / mg_per_ml)


def _usual(desk: Desk, name: str) -> str:
    """Return how often a medicine is usually taken."""
    ingredient = formulary.drugs(desk.seeding.fixtures)[name]["ingredient"]
    times = desk.seeding.fixtures.load("medicines")["drugs"][ingredient]["times"][0]
    return {1: "daily", 2: "bid", 3: "tid", 4: "qid"}[times]


def _profile(desk: Desk, stream: random.Random, case: Case, mrn: str, background: list[str]) -> None:
    """Write what was dispensed before: what the story needs, and perhaps something harmless."""
    order = case.order
    active = [] if case.plot == "child" else stream.sample(background, stream.randint(0, 2))
    active += [order["active"]] if "active" in order else []
    active += [order["drug"]] if case.plot == "tolerated" else []
    lines: list[tuple[str, str | None]] = [(drug, None) for drug in active]
    if "stopped" in order:
        lines.append((order["stopped"], desk.before(stream.randint(4, 25))))
    for drug, stopped in lines:
        fills = stream.randint(6, 10) if case.plot == "tolerated" else stream.randint(3, 12)
        last = stream.randint(30, 40) if stopped else stream.randint(8, 26)
        desk.insert(
            "profile",
            mrn=mrn,
            drug=drug,
            dose=1,
            frequency=case.order["frequency"] if drug == case.order["drug"] else _usual(desk, drug),
            first_filled=desk.before(last + 30 * (fills - 1)),
            last_filled=desk.before(last),
            fills=fills,
            days_supply=30,
            stopped_on=stopped,
        )


def _receive(desk: Desk, case: Case, mrn: str) -> None:
    stream = desk.stream(case, "prescription")
    order = _calculated(desk, case, mrn)
    rx_no = desk.registry.number(7)
    waiting = desk.now + timedelta(minutes=stream.randint(15, 230))
    done = desk.now - timedelta(minutes=stream.randint(5, 90))
    promised = waiting if case.status in ("pending", "verified", "held") else done
    received = min(promised, desk.now) - timedelta(minutes=stream.randint(12, 150))
    urgent = timedelta(0) < promised - desk.now < timedelta(minutes=40)
    prescriber, clinic, phone = stream.choice(_plots(desk)["background"]["prescribers"])
    what = _columns(order)
    desk.insert(
        "prescriptions",
        rx_no=rx_no,
        mrn=mrn,
        plot=case.plot,
        status="pending",
        priority="waiting" if urgent else stream.choice(("today", "today", "later")),
        received_at=clock.text(received),
        promised_at=clock.text(promised),
        entered_by=stream.choice(desk.users["technician"]),
        **(what | _columns(case.entry)),
    )
    soon = day(desk.now.date() + timedelta(days=stream.randint(4, 8)))
    desk.insert(
        "originals",
        rx_no=rx_no,
        mrn=mrn,
        channel=stream.choice(CHANNELS),
        prescriber=prescriber,
        clinic=clinic,
        phone=phone,
        written_on=received.date().isoformat(),
        note=order["note"].format(soon=soon) if "note" in order else stream.choice(NOTES),
        **what,
    )
    screening.refresh(desk.db, desk.seeding.fixtures, rx_no, desk.now.date())
    _answers(desk, case, order, rx_no, mrn, prescriber)
    _history(desk, stream, case, rx_no, mrn, received)


def _plots(desk: Desk) -> dict[str, Any]:
    return desk.seeding.fixtures.load("outpatient_pharmacy/plots")


def _columns(order: dict[str, Any]) -> dict[str, Any]:
    names = {"drug": "drug", "dose": "dose", "frequency": "frequency", "quantity": "quantity"}
    names |= {"days": "days_supply", "refills": "refills"}
    return {column: order[name] for name, column in names.items() if name in order}


def _calculated(desk: Desk, case: Case, mrn: str) -> dict[str, Any]:
    """Return the order; a child's dose was worked out with pounds taken for kilograms."""
    if case.plot != "child":
        return case.order
    weight = screening.current_weight(desk.db, mrn)
    assert weight is not None
    pounds = weight["kg"] / KG_PER_LB
    dose = round(_millilitres(case.order, desk.drug(case)["mg_per_ml"], pounds) * 2) / 2
    quantity = dose * case.order["times"] * case.order["days"]
    note = f"Weight {pounds:.1f}. Dose by weight: {case.order['rule']}."
    return case.order | {"dose": dose, "quantity": quantity, "refills": 0, "note": note}


def _answers(desk: Desk, case: Case, order: dict[str, Any], rx_no: str, mrn: str, prescriber: str) -> None:
    """Write what the prescriber answered to a question that was sent before."""
    stream = desk.stream(case, "messages")
    unit = {name: drug["unit"] for name, drug in formulary.drugs(desk.seeding.fixtures).items()}

    def wording(change: dict[str, Any]) -> str:
        label = directions(change["dose"], unit[change["drug"]], change["frequency"])
        amount = units(change["quantity"], unit[change["drug"]])
        return f"{change['drug']}. {label}, {amount} for {change['days']} days, no refills."

    if case.plot == "allergy":
        texts = [
            ("in", f"Please change to {wording(order['first'])}"),
            ("in", f"I take my last answer back. {order['why']} Please dispense {wording(order['second'])}"),
        ]
    elif case.plot == "held":
        texts = [
            ("out", "Duplicate therapy with a medicine on the profile. Is the earlier one to be stopped?")
        ]
    elif case.plot == "child":
        texts = [
            ("out", "The dose is above the usual range for the weight on file. Please advise."),
            (
                "in",
                "You are right, I took the pounds for kilograms. The weight on your file is current. Please give "
                f"{order['rule']}, each dose rounded to the nearest 0.5 mL, quantity for the whole course.",
            ),
        ]
    else:
        return
    minutes = sorted(stream.sample(range(2, 11), len(texts)), reverse=True)
    for (direction, body), before in zip(texts, minutes, strict=True):
        at = clock.text(desk.now - timedelta(minutes=before))
        desk.insert(
            "messages", rx_no=rx_no, mrn=mrn, direction=direction, person=prescriber, at=at, body=body
        )


def _history(desk: Desk, stream: random.Random, case: Case, rx_no: str, mrn: str, received: datetime) -> None:
    """Let a prescription go as far as its story begins."""
    (pharmacist,) = desk.users["pharmacist"]
    at = received + timedelta(minutes=2)
    if case.status == "held":
        decision = {"action": "reject", "reason": "duplicate", "by": pharmacist, "at": clock.text(at)}
        rows.update(desk.db, "alerts", {"rx_no": rx_no}, **decision)
    elif case.status != "pending":
        verified = {"verified_by": pharmacist, "verified_at": clock.text(at)}
        rows.update(desk.db, "prescriptions", {"rx_no": rx_no}, **verified)
    rows.update(desk.db, "prescriptions", {"rx_no": rx_no}, status=case.status)
    if case.status in ("ready", "sold"):
        _filled(desk, stream, case, rx_no, mrn, at + timedelta(minutes=4))
    if case.status == "sold":
        _handed_out(desk, stream, rx_no, mrn, at + timedelta(minutes=8))


def _filled(desk: Desk, stream: random.Random, case: Case, rx_no: str, mrn: str, at: datetime) -> None:
    today = date.fromisoformat(desk.before(0))
    stock = desk.db.execute(
        "SELECT * FROM stock WHERE drug = ? ORDER BY id", (case.order["drug"],)
    ).fetchall()
    lot = next(row for row in stock if date.fromisoformat(row["expires_on"]) > today + timedelta(days=90))
    desk.insert(
        "fills",
        rx_no=rx_no,
        mrn=mrn,
        **{name: lot[name] for name in ("drug", "ndc", "lot", "expires_on")},
        quantity=case.order["quantity"],
        days_supply=case.order["days"],
        warned=False,
        by=stream.choice(desk.users["technician"]),
        at=clock.text(at),
    )


def _handed_out(desk: Desk, stream: random.Random, rx_no: str, mrn: str, at: datetime) -> None:
    talked = {f"talked_{name}": stream.random() < 0.7 for name in POINTS} | {"talked_purpose": True}
    desk.insert(
        "pickups",
        rx_no=rx_no,
        mrn=mrn,
        checked_name=True,
        checked_birth=True,
        checked_address=stream.random() < 0.3,
        checked_phone=False,
        counselling="given",
        **talked,
        teach_back="able",
        warned=False,
        by=desk.users["pharmacist"][0],
        at=clock.text(at),
    )
