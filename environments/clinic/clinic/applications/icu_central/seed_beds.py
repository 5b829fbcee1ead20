"""Writes the patients of the unit: what the monitor shows, alarms, orders, and those who are expected."""

import random
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.icu_central import alarming, seed_trends
from clinic.applications.icu_central.choices import CRISES, PARAMETERS
from clinic.toolkit.people import Person, Registry

QUIET = ("stable", "past_episode", "ordered_limits", "steady_low")
PAST = ("HR high", "ABP mean high", "RR high", "Temp high")
STEADY_LOW_LIMIT = 86


@dataclass(frozen=True)
class Ward:
    """What writing needs: the database, people, staff ids by role, and the time."""

    db: sqlite3.Connection
    seeding: Seeding
    registry: Registry
    staff: dict[str, list[str]]
    now: datetime

    def stream(self, purpose: str) -> random.Random:
        """Return the stream of one part of the ward."""
        return self.seeding.stream(purpose)

    def load(self, name: str) -> dict[str, Any]:
        """Return a fixture of this application."""
        return self.seeding.fixtures.load(f"icu_central/{name}")

    def ago(self, minutes: int) -> str:
        """Return a time in the past."""
        return clock.text(self.now - timedelta(minutes=minutes))

    def insert(self, table: str, **values: Any) -> None:
        """Add a row."""
        rows.insert(self.db, table, **values)

    def doctor(self, stream: random.Random) -> str:
        """Return the name of a physician."""
        user_id = stream.choice(self.staff["physician"])
        return str(self.db.execute("SELECT name FROM users WHERE user_id = ?", (user_id,)).fetchone()[0])

    def find(self, story: str) -> sqlite3.Row:
        """Return a patient with the bed."""
        query = "SELECT * FROM patients LEFT JOIN beds USING (mrn) WHERE story = ?"
        row: sqlite3.Row = self.db.execute(query, (story,)).fetchone()
        return row


def occupy(ward: Ward, story: str, number: int, family: str | None, *, handled: bool) -> None:
    """Put a patient into a bed, with everything that has happened there."""
    stream = ward.stream(f"bed {story}")
    facts = ward.load("stories")[story]
    person = _person(ward, stream, facts, family)
    profile = stream.choice(
        ("general", "cardiac", "neuro") if story == "stable" else ("general", "respiratory")
    )
    admitted = ward.now - timedelta(hours=stream.randint(76, 160), minutes=stream.randrange(60))
    mrn = _register(
        ward,
        stream,
        story,
        facts,
        person,
        pacemaker=stream.random() < 0.15 and story not in CRISES,
        status="monitored",
        age_class="adult",
        profile=profile,
        paced=False,
        identity_checked=True,
        admitted_by=stream.choice(ward.staff["staff_nurse"]),
        admitted_at=clock.text(admitted),
    )
    ward.db.execute("UPDATE patients SET paced = pacemaker WHERE mrn = ?", (mrn,))
    rows.update(ward.db, "beds", {"number": number}, state="occupied", mrn=mrn)
    alarming.set_limits(ward.db, mrn, alarming.usual_limits(ward.seeding.fixtures, "adult", profile))
    if story == "steady_low":
        here = {"mrn": mrn, "parameter": "spo2"}
        rows.update(ward.db, "limits", here, low=STEADY_LOW_LIMIT, changed_by=ward.staff["charge_nurse"][0])
    if story == "ordered_limits":
        _orders(ward, stream, mrn)
    seed_trends.write(ward.db, stream, story, facts, mrn, ward.now)
    _events(ward, stream, mrn)
    alarming.evaluate(ward.db, ward.seeding.fixtures, mrn, clock.text(ward.now))
    _age_alarms(ward, stream, mrn, handled=handled)


def _person(ward: Ward, stream: random.Random, facts: dict[str, Any], family: str | None) -> Person:
    low, high = facts["ages"]
    return ward.registry.person(stream.choice("FM"), (low, high), family)


def _register(
    ward: Ward, stream: random.Random, story: str, facts: dict[str, Any], person: Person, **more: Any
) -> str:
    """Write identity and numerics; return the number."""
    mrn = ward.registry.number(7)
    ward.insert(
        "patients",
        mrn=mrn,
        family_name=person.family,
        given_name=person.given,
        sex=person.sex,
        birth_date=person.born.isoformat(),
        diagnosis=stream.choice(facts["diagnoses"]),
        physician=ward.doctor(stream),
        story=story,
        **more,
    )
    measured: dict[str, Any] = {}
    for name in PARAMETERS:
        low, high = facts[name]
        measured[name] = (
            round(stream.uniform(low, high), 1) if name == "temp_c" else stream.randint(low, high)
        )
    pulse = stream.randint(36, 54)
    diastolic = measured["abp_mean"] - pulse // 3
    ward.insert(
        "numerics",
        mrn=mrn,
        **measured,
        abp_systolic=diastolic + pulse,
        abp_diastolic=diastolic,
        rhythm="paced" if more["pacemaker"] else facts.get("rhythm", "sinus"),
    )
    return mrn


def _orders(ward: Ward, stream: random.Random, mrn: str) -> None:
    """Write the limits a physician ordered today, and those of yesterday that they replace.

    No end is one off what is set already: leaving it would be neither right nor wrong.
    """
    found = ward.db.execute("SELECT parameter, low, high FROM limits WHERE mrn = ?", (mrn,)).fetchall()
    now = {row["parameter"]: (row["low"], row["high"]) for row in found}
    active, discontinued = {}, {}
    for rule in ward.load("unit")["orders"]:
        low, high = now[rule["parameter"]]
        active[rule["parameter"]] = (
            _apart(stream, rule["low"], low),
            _apart(stream, rule["high"], high),
        )
        discontinued[rule["parameter"]] = (active[rule["parameter"]][0] - 3, stream.randint(*rule["high"]))
    _order(ward, stream, mrn, "discontinued", ward.ago(stream.randint(1500, 1900)), discontinued)
    _order(ward, stream, mrn, "active", ward.ago(stream.randint(35, 200)), active)


def _apart(stream: random.Random, bounds: tuple[int, int], set_now: float) -> int:
    low, high = bounds
    return stream.choice([end for end in range(low, high + 1) if abs(end - set_now) != 1])


def _order(
    ward: Ward, stream: random.Random, mrn: str, status: str, at: str, limits: dict[str, tuple[int, int]]
) -> None:
    ward.insert("orders", mrn=mrn, ordered_by=ward.doctor(stream), ordered_at=at, status=status)
    number = ward.db.execute("SELECT max(id) FROM orders").fetchone()[0]
    for parameter, (low, high) in limits.items():
        ward.insert("ordered_limits", mrn=mrn, order_id=number, parameter=parameter, low=low, high=high)


def _events(ward: Ward, stream: random.Random, mrn: str) -> None:
    labels = ward.load("unit")["events"]
    for minutes in sorted(stream.sample(range(45, 1400), stream.randint(2, 4)), reverse=True):
        label = stream.choice(labels)
        rhythm = {"Irregular rhythm": "irregular", "PVC run": "run", "Pause 2.1 s": "pause"}.get(
            label, "sinus"
        )
        rate = {"Bradycardia": 44, "Tachycardia": 126}.get(label, 84) + stream.randint(-4, 4)
        ward.insert("events", mrn=mrn, label=label, at=ward.ago(minutes), heart_rate=rate, rhythm=rhythm)


def _age_alarms(ward: Ward, stream: random.Random, mrn: str, *, handled: bool) -> None:
    """Let the alarms of a patient have begun a while ago, with other values than now."""
    for alarm in ward.db.execute("SELECT * FROM alarms WHERE mrn = ? ORDER BY id", (mrn,)).fetchall():
        minutes = stream.randint(14, 28) if handled else stream.randint(2, 12)
        values: dict[str, Any] = {
            "raised_at": ward.ago(minutes),
            "value": alarm["value"] + stream.choice((-2, -1, 1)),
        }
        if handled:
            values["acknowledged_by"] = stream.choice(ward.staff["staff_nurse"])
            values["acknowledged_at"] = ward.ago(minutes - stream.randint(1, 3))
            values["note"] = stream.choice(ward.load("unit")["handled"])
        rows.update(ward.db, "alarms", {"id": alarm["id"]}, **values)


def past_alarms(ward: Ward) -> None:
    """Write alarms whose cause is over, some of them never acknowledged."""
    stream = ward.stream("past alarms")
    nurse = stream.choice(ward.staff["staff_nurse"])
    for place, story in enumerate(stream.sample(QUIET, len(QUIET))):
        patient = ward.find(story)
        for label in stream.sample(PAST, stream.randint(1, 2)):
            minutes = stream.randint(40, 300)
            open_still = place == 0 or stream.random() < 0.4
            _past(ward, patient, label, minutes, None if open_still else nurse)


def _past(ward: Ward, patient: sqlite3.Row, label: str, minutes: int, nurse: str | None) -> None:
    parameter = next(key for key, each in PARAMETERS.items() if label.startswith(each.label))
    ward.insert(
        "alarms",
        mrn=patient["mrn"],
        bed=patient["number"],
        kind=f"{parameter}_high",
        label=label,
        parameter=parameter,
        value={"heart_rate": 124, "abp_mean": 117, "respiratory_rate": 32, "temp_c": 39.1}[parameter],
        priority="medium",
        raised_at=ward.ago(minutes),
        active=False,
        acknowledged_by=nurse,
        acknowledged_at=None if nurse is None else ward.ago(minutes - 2),
    )


def tell_counts_apart(ward: Ward) -> None:
    """Let what nobody has acknowledged and what is active never be equally many."""
    unseen, active = ward.db.execute(
        "SELECT sum(acknowledged_at IS NULL), sum(active) FROM alarms"
    ).fetchone()
    if unseen == active:
        patient = ward.find("stable")
        found = ward.db.execute("SELECT label FROM alarms WHERE mrn = ?", (patient["mrn"],)).fetchall()
        label = next(label for label in PAST if label not in {row["label"] for row in found})
        _past(ward, patient, label, ward.stream("one more").randint(301, 420), None)


def technical_alarms(ward: Ward) -> None:
    """Write alarms of low priority: sensors, leads and batteries; the one of `agitation` nobody has seen."""
    stream = ward.stream("technical alarms")
    labels = stream.sample(ward.load("unit")["technical"], 3)
    stories = ["agitation", *stream.sample(QUIET, stream.randint(1, 2))]
    for story, label in zip(stories, labels, strict=False):
        patient = ward.find(story)
        seen = story != "agitation" and stream.random() < 0.5
        ward.insert(
            "alarms",
            mrn=patient["mrn"],
            bed=patient["number"],
            kind="technical",
            label=label,
            priority="low",
            raised_at=ward.ago(stream.randint(6, 50)),
            active=True,
            acknowledged_by=stream.choice(ward.staff["staff_nurse"]) if seen else None,
            acknowledged_at=ward.ago(4) if seen else None,
        )


def expect_arrivals(ward: Ward) -> None:
    """Write who is on the way: an adult or a child, somebody with the same family name, and a third."""
    stream = ward.stream("arrivals")
    kind = stream.choice(("arrival_adult", "arrival_adult", "arrival_child"))
    family = ward.registry.family()
    paced = kind == "arrival_adult" and stream.random() < 0.6
    plan = [("arrival", kind, family, paced), ("arrival_namesake", "arrival_adult", family, not paced)]
    plan.append(("arrival_other", "arrival_adult", ward.registry.family(), False))
    stream.shuffle(plan)
    for story, facts_name, name, pacemaker in plan:
        facts = ward.load("stories")[facts_name]
        person = _person(ward, stream, facts, name)
        mrn = _register(ward, stream, story, facts, person, pacemaker=pacemaker, status="expected")
        _order(
            ward, stream, mrn, "active", ward.ago(stream.randint(15, 90)), _arrival_limits(stream, facts_name)
        )


def _arrival_limits(stream: random.Random, kind: str) -> dict[str, tuple[int, int]]:
    if kind == "arrival_child":
        rate = (stream.randint(76, 84), stream.randint(160, 168))
        return {"heart_rate": rate, "spo2": (stream.randint(93, 94), 100)}
    return {
        "heart_rate": (stream.randint(54, 60), stream.randint(102, 108)),
        "spo2": (stream.randint(91, 93), 100),
    }
