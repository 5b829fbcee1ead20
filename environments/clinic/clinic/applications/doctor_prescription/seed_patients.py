"""Writes what is on file about each patient."""

import random
import sqlite3
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.doctor_prescription.cast import Case
from clinic.applications.doctor_prescription.choices import TIMES_A_DAY
from clinic.toolkit.people import Person, Registry

COUNTED = "list"  # the story in which medications are counted
INDICATIONS = {
    "Cetirizine 10 mg tablet": "Allergic rhinitis",
    "Levothyroxine 75 mcg tablet": "Hypothyroidism",
    "Metformin 500 mg tablet": "Diabetes type 2",
    "Allopurinol 100 mg tablet": "Gout",
    "Tizanidine 4 mg tablet": "Low back pain",
    "Prednisone 10 mg tablet": "Asthma",
    "Omeprazole 20 mg capsule": "Reflux",
    "Ibuprofen 400 mg tablet": "Pain",
    "Hydroxyzine 25 mg tablet": "Itching",
    "Bupropion XL 150 mg tablet": "Depression",
}


@dataclass
class Desk:
    """What registration needs: the database, staff, the time, pharmacies, and numbers that occur once."""

    db: sqlite3.Connection
    seeding: Seeding
    users: dict[str, list[str]]
    now: datetime
    registry: Registry
    pharmacies: list[str] = field(default_factory=list)

    @property
    def plots(self) -> dict[str, Any]:
        """The written stories."""
        return self.seeding.fixtures.load("doctor_prescription/plots")

    def insert(self, table: str, **values: Any) -> None:
        """Add a row."""
        rows.insert(self.db, table, **values)

    def before(self, days: int) -> str:
        """Return a day in the past."""
        return (self.now.date() - timedelta(days=days)).isoformat()

    def open_pharmacies(self) -> None:
        """Write the pharmacies: two branches of each name."""
        stream = self.seeding.stream("pharmacies")
        streets = self.seeding.fixtures.load("streets")
        for name in self.plots["background"]["pharmacies"]:
            number = stream.randint(2, 8)
            for branch in (number, number + 10):
                street, town = stream.choice(streets["streets"]), stream.choice(streets["towns"])
                address = f"{stream.randint(1, 240)} {street}, {town}"
                phone = f"555-01{stream.randint(10, 99)} ext. {self.registry.number(4)}"
                self.insert("pharmacies", name=f"{name} No. {branch}", address=address, phone=phone)
                self.pharmacies.append(f"{name} No. {branch}")

    def admit(self, case: Case, person: Person, at: datetime) -> None:
        """Write a patient with everything that is known."""
        stream = self.seeding.stream(f"patient {case.plot}")
        mrn = self.registry.number(8)
        record = Record(self, stream, case, mrn, stream.sample(self.pharmacies, 2))
        allergies = stream.sample(self.plots["allergy"]["recorded"], stream.choice((0, 0, 1, 1, 2)))
        self.insert(
            "patients",
            mrn=mrn,
            family_name=person.family,
            given_name=person.given,
            sex=person.sex,
            birth_date=person.born.isoformat(),
            phone=f"555-01{stream.randint(10, 99)} ext. {self.registry.number(4)}",
            plot=case.plot,
            seen_at=clock.text(at),
            reason=case.reason,
            no_known_allergies=not allergies,
        )
        record.background(allergies)
        record.medicines()


@dataclass
class Record:
    """One patient's record while it is written; the first pharmacy is the default."""

    desk: Desk
    stream: random.Random
    case: Case
    mrn: str
    pharmacies: list[str]

    def _insert(self, table: str, **values: Any) -> None:
        self.desk.insert(table, mrn=self.mrn, **values)

    def _by(self) -> dict[str, Any]:
        days, minutes = self.stream.randint(30, 700), self.stream.randint(0, 400)
        at = clock.text(self.desk.now - timedelta(days=days, minutes=minutes))
        return {"by": self.stream.choice(self.desk.users["nurse"]), "at": at}

    def background(self, allergies: list[list[str]]) -> None:
        """Write allergies, problems, results, pharmacies, consents and outside medications."""
        plots, stream = self.desk.plots["background"], self.stream
        for substance, reaction, severity in allergies:
            told = {"substance": substance, "reaction": reaction, "severity": severity}
            self._insert("allergies", **told, source="historical", **self._by())
        for name in stream.sample(plots["problems"], stream.randint(1, 4)):
            self._insert("problems", name=name, since=self.desk.before(stream.randint(60, 3000)))
        for lab in stream.sample(plots["labs"], stream.randint(1, 3)):
            taken = self.desk.before(stream.randint(5, 200))
            self._insert("labs", name=lab["name"], result=_result(stream, lab), taken_on=taken)
        for place, pharmacy in enumerate(self.pharmacies[: stream.randint(1, 2)]):
            self._insert("preferred_pharmacies", pharmacy=pharmacy, is_default=place == 0)
        if self.case.plot != "consent":
            self._consent("eprescribing")
        elif stream.random() < 0.5:
            self._consent("history")
        outside = stream.randint(1, 2) if self.case.plot == COUNTED else stream.randint(0, 1)
        for drug in stream.sample(plots["outside"], outside):
            told = {"drug": drug, "dose": "1 tablet", "schedule": "daily", "prescriber": "over the counter"}
            self._insert("outside_medications", **told, reported_by="patient", explained=True, **self._by())

    def _consent(self, kind: str) -> None:
        witness = self.desk.users["clerk"][0]
        name = self.desk.db.execute("SELECT given_name, family_name FROM patients WHERE mrn = ?", (self.mrn,))
        given, family = name.fetchone()
        who = {"signer": "patient", "signer_name": f"{given} {family}"}
        self._insert("consents", kind=kind, **who, witness=witness, **self._by())

    def medicines(self) -> None:
        """Write what the story needs, and something harmless around it."""
        facts, plot = self.case.facts, self.case.plot
        if plot == "renewal":
            self._renewal(facts["good"], facts["bad"])
        elif plot == "change":
            self._medicine(
                facts["drug"],
                dose=facts["dose"] / 2,
                schedule=facts["schedule"],
                indication=facts["indication"],
            )
        elif plot == "stop":
            self._medicine(facts["drug"], indication=facts["indication"], refills=2)
            self._medicine(facts["beside"])
        elif plot == "switch":
            self._medicine(facts["old"], indication=facts["indication"], refills=self.stream.randint(1, 4))
        if plot != "consent" or not self.case.child:
            self._others()

    def _others(self) -> None:
        stream, drugs = self.stream, self.desk.plots["background"]["drugs"]
        taken = {name.split()[0] for name in self._named()}
        free = [name for name in drugs if name.split()[0] not in taken]
        if self.case.plot != COUNTED:
            for drug in stream.sample(free, stream.randint(0, 2)):
                self._medicine(drug)
            return
        active = stream.randint(3, 5)
        gone = [*stream.sample(("hold", "expired", "discontinued"), 2), "discontinued"]
        for drug in stream.sample(free, active):
            self._medicine(drug)
        for drug, status in zip(
            ("Omeprazole 20 mg capsule", "Amlodipine 5 mg tablet", "Ibuprofen 400 mg tablet"),
            gone,
            strict=True,
        ):
            self._medicine(drug, status=status)

    def _named(self) -> list[str]:
        facts = self.case.facts
        named = [facts.get(key, "") for key in ("drug", "beside", "old")]
        named += [facts[key]["drug"] for key in ("good", "bad") if key in facts]
        return [name for name in named if name]

    def _usual(self, drug: str) -> str:
        """Return how often a medicine is usually taken."""
        fixtures = self.desk.seeding.fixtures
        known = {each["name"]: each for each in fixtures.load("doctor_prescription/formulary")["drugs"]}
        times = fixtures.load("medicines")["drugs"][known[drug]["ingredient"]]["times"][0]
        return next(name for name, number in TIMES_A_DAY.items() if abs(number - times) < 0.01)

    def _medicine(
        self,
        drug: str,
        dose: float = 1,
        schedule: str | None = None,
        indication: str | None = None,
        status: str = "active",
        refills: int | None = None,
        days: int = 30,
        filled: int | None = None,
    ) -> int:
        stream = self.stream
        started = stream.randint(200, 900)
        stopped = stream.randint(8, 40) if status == "discontinued" else None
        filled = filled or stream.randint(5, 25)
        filled = max(stopped + stream.randint(3, 25), days) if stopped else filled  # used up, not early
        schedule = schedule or self._usual(drug)
        times = TIMES_A_DAY[schedule]
        self._insert(
            "medications",
            drug=drug,
            dose=dose,
            schedule=schedule,
            quantity=round(dose * times * days),
            days_supply=days,
            refills=stream.randint(0, 4) if refills is None else refills,
            indication=indication or INDICATIONS.get(drug, "Hypertension"),
            pharmacy=self.pharmacies[0],
            prescriber=stream.choice(("Dr. E. Vane", "Dr. O. Lindqvist", "Dr. A. Brandt")),
            started_on=self.desk.before(started),
            last_filled=self.desk.before(filled),
            status=status,
            stop_reason="completed" if stopped else None,
            stopped_on=self.desk.before(stopped) if stopped else None,
        )
        return int(self.desk.db.execute("SELECT max(id) FROM medications").fetchone()[0])

    def _renewal(self, good: dict[str, Any], bad: dict[str, Any]) -> None:
        """Let two requests come in: one that may be accepted, and one that may not."""
        stream = self.stream
        used_up = stream.randint(27, 33)
        right = self._medicine(good["drug"], indication=good["indication"], refills=0, filled=used_up)
        fields: dict[str, Any] = {"schedule": bad["schedule"], "indication": bad["indication"], "refills": 0}
        if bad["reason"] == "early":
            fields["filled"] = stream.randint(6, 12)
        else:
            fields["filled"] = stream.randint(27, 33)
        if bad["reason"] == "stopped":
            fields["status"] = "discontinued"
        wrong = self._medicine(bad["drug"], **fields)
        if "lab" in bad:
            name, result, ago = bad["lab"]
            self._insert(
                "labs", name=name, result=result, taken_on=self.desk.before(ago + stream.randint(0, 30))
            )
        self._insert(
            "labs",
            name="Uric acid and creatinine",
            result="5.6 mg/dL; 0.9 mg/dL",
            taken_on=self.desk.before(stream.randint(20, 120)),
        )
        for medication in stream.sample((right, wrong), 2):
            at = clock.text(self.desk.now - timedelta(minutes=stream.randint(60, 900)))
            self._insert(
                "renewals", medication=medication, pharmacy=self.pharmacies[0], requested_at=at, status="open"
            )


def _result(stream: random.Random, lab: dict[str, Any]) -> str:
    """Draw a result of a laboratory test, with its unit."""
    steps = round((lab["high"] - lab["low"]) / lab["step"])
    value = lab["low"] + stream.randint(0, steps) * lab["step"]
    return f"{value:.{0 if lab['step'] == 1 else 1}f} {lab['unit']}"
