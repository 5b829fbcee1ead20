"""What differs from seed to seed: dates of birth, numbers, strengths, and vital signs of the same people."""

from __future__ import annotations

import sqlite3
import tomllib
from datetime import date, datetime, timedelta
from random import Random

from hospital.parts import WARD


def vary(database: sqlite3.Connection, seed: int, today: date) -> None:
    """Write the values of a seed."""
    random = Random(f"hospital:{seed}")  # noqa: S311 - repeatable on purpose
    told = tomllib.loads(WARD.read_text(encoding="utf-8"))
    doses = {
        one["drug"]: one["doses"]
        for person in [*told["patients"], {"medications": told["ward"]["medications"]}]
        for one in person["medications"]
    }
    parties = database.execute("SELECT id, dob FROM party_party WHERE is_patient ORDER BY id").fetchall()
    numbers = random.sample(range(100200, 999800), len(parties))
    for (party, born), number in zip(parties, numbers, strict=True):
        year = date.fromisoformat(born).year
        day = date(year, 1, 1) + timedelta(days=random.randrange(365))
        database.execute(
            "UPDATE party_party SET dob = ?, ref = ?, code = ? WHERE id = ?",
            (day.isoformat(), f"HILL{number}", str(party), party),
        )
    medicines = database.execute(
        "SELECT m.id, d.active_component FROM gnuhealth_patient_medication m "
        "JOIN gnuhealth_medicament d ON d.id = m.medicament ORDER BY m.id"
    ).fetchall()
    for key, drug in medicines:
        dose = float(random.choice(doses[drug]))
        database.execute("UPDATE gnuhealth_patient_medication SET dose = ? WHERE id = ?", (dose, key))
    _visits(database, random, told["ward"]["reasons"], today)
    _diagnoses(database, random, today)


def _visits(database: sqlite3.Connection, random: Random, reasons: list[str], today: date) -> None:
    rows = database.execute("SELECT id, patient FROM gnuhealth_patient_evaluation ORDER BY id").fetchall()
    earlier = set()
    for key, patient in rows:
        days = random.randint(20, 60) if patient in earlier else random.randint(70, 300)
        earlier.add(patient)
        begun = datetime.combine(today, datetime.min.time()) - timedelta(days=days)
        begun += timedelta(hours=9, minutes=5 * random.randrange(72))
        systolic = random.randint(102, 168)
        database.execute(
            "UPDATE gnuhealth_patient_evaluation SET evaluation_start = ?, evaluation_endtime = ?, systolic = ?, "
            "diastolic = ?, bpm = ?, chief_complaint = ? WHERE id = ?",
            (
                str(begun),
                str(begun + timedelta(minutes=20)),
                systolic,
                round(systolic * random.uniform(0.56, 0.68)),
                random.randint(54, 108),
                random.choice(reasons),
                key,
            ),
        )


def _diagnoses(database: sqlite3.Connection, random: Random, today: date) -> None:
    """Date each condition to the adult life of its patient, half a year ago at the latest."""
    rows = database.execute(
        "SELECT d.id, p.dob FROM gnuhealth_patient_disease d JOIN gnuhealth_patient g ON g.id = d.patient "
        "JOIN party_party p ON p.id = g.party ORDER BY d.id"
    ).fetchall()
    for key, born in rows:
        known = date.fromisoformat(born) + timedelta(days=round(365.25 * 20))
        latest = max((today - known).days, 400)
        found = today - timedelta(days=random.randint(180, min(latest, 25 * 365)))
        database.execute(
            "UPDATE gnuhealth_patient_disease SET diagnosed_date = ? WHERE id = ?", (found.isoformat(), key)
        )
