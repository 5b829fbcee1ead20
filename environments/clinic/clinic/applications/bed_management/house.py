"""Reads of the house: beds with their state, wards with their bays, people with their place."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from clinic import clock, rows
from clinic.visit import Visit

BEDS = """
    SELECT beds.*, bays.ward, bays.name AS bay_name, bays.kind, bays.sex,
           CASE WHEN beds.mrn IS NOT NULL THEN 'occupied'
                WHEN condition != 'ready' THEN condition
                WHEN reserved_for IS NOT NULL THEN 'reserved'
                ELSE 'available' END AS state,
           guest.given_name || ' ' || guest.family_name AS reserved_name
    FROM beds JOIN bays ON bays.id = beds.bay LEFT JOIN patients AS guest ON guest.mrn = reserved_for
    ORDER BY label
"""
PATIENT = """
    SELECT patients.mrn, family_name, given_name, patients.sex, birth_date, town, patients.status, diagnosis,
           consultant, source, level, precautions, news2, note, stay_days, admitted_at, plan_destination, plan_date,
           orders_at, medication_at, transport_at, settlement_at,
           beds.label AS bed, bays.ward, users.name AS consultant_name,
           requests.id AS request, origin, specialty, promised_bed, requested_at
    FROM patients
    LEFT JOIN beds ON beds.mrn = patients.mrn LEFT JOIN bays ON bays.id = beds.bay
    LEFT JOIN users ON users.user_id = consultant
    LEFT JOIN requests ON requests.mrn = patients.mrn AND requests.status = 'open'
"""


@dataclass(frozen=True)
class Bay:
    """A bay or room with its beds."""

    row: sqlite3.Row
    beds: list[sqlite3.Row]


@dataclass(frozen=True)
class Ward:
    """A ward with its bays, and how many of its beds are in each state."""

    row: sqlite3.Row
    bays: list[Bay]
    rooms: list[Bay]

    @property
    def beds(self) -> list[sqlite3.Row]:
        """All beds of the ward."""
        return [bed for bay in (*self.bays, *self.rooms) for bed in bay.beds]

    def count(self, *states: str) -> int:
        """Count the beds in one of some states."""
        return sum(bed["state"] in states for bed in self.beds)

    @property
    def open_beds(self) -> int:
        """Beds that are not blocked, as censuses count them."""
        return len(self.beds) - self.count("blocked")


def beds(db: sqlite3.Connection) -> list[sqlite3.Row]:
    """Return all beds."""
    return db.execute(BEDS).fetchall()


def bed(db: sqlite3.Connection, label: str) -> sqlite3.Row | None:
    """Return one bed."""
    return next((row for row in beds(db) if row["label"] == label), None)


def wards(db: sqlite3.Connection) -> list[Ward]:
    """Return all wards in their order on the board."""
    every = beds(db)
    bays = [
        Bay(row, [bed for bed in every if bed["bay"] == row["id"]])
        for row in db.execute("SELECT * FROM bays ORDER BY id")
    ]
    return [
        Ward(
            row,
            [bay for bay in bays if bay.row["ward"] == row["code"] and bay.row["kind"] == "bay"],
            [bay for bay in bays if bay.row["ward"] == row["code"] and bay.row["kind"] != "bay"],
        )
        for row in db.execute("SELECT * FROM wards ORDER BY place")
    ]


def patients(db: sqlite3.Connection) -> list[sqlite3.Row]:
    """Return everybody with place and open request, without what no page may show."""
    return db.execute(f"{PATIENT} ORDER BY family_name, given_name, birth_date").fetchall()


def by_number(db: sqlite3.Connection) -> dict[str, sqlite3.Row]:
    """Return everybody by number."""
    return {row["mrn"]: row for row in patients(db)}


def patient(visit: Visit) -> sqlite3.Row:
    """Return the patient of the address."""
    return visit.one(f"{PATIENT} WHERE patients.mrn = ?", (visit.params["mrn"],))


def waiting(people: Iterable[sqlite3.Row]) -> list[sqlite3.Row]:
    """Return who waits for a bed, the highest early warning score first."""
    asked = [row for row in people if row["request"] is not None]
    return sorted(asked, key=lambda row: (-row["news2"], row["requested_at"]))


def role_problem(visit: Visit) -> str | None:
    """Return why this user may not place anybody, if so."""
    if visit.user is not None and visit.user["role"] == "bed_manager":
        return None
    return "Your role may look at the board; beds are given by the bed manager."


def occupy(visit: Visit, mrn: str, label: str) -> None:
    """Put somebody into a bed; a reservation of it, and those this patient holds elsewhere, end."""
    rows.update(visit.db, "beds", {"reserved_for": mrn}, reserved_for=None)
    now = clock.text(visit.now)
    rows.update(visit.db, "beds", {"label": label}, mrn=mrn, reserved_for=None, since=now)


def vacate(visit: Visit, label: str) -> None:
    """Empty a bed; it has to be cleaned before the next patient."""
    now = clock.text(visit.now)
    rows.update(
        visit.db, "beds", {"label": label}, mrn=None, condition="cleaning", reason="After use", since=now
    )


def update(visit: Visit, mrn: str, **values: Any) -> None:
    """Change fields of a patient."""
    rows.update(visit.db, "patients", {"mrn": mrn}, **values)
