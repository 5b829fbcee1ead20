"""Sessions: each has a database of its own, which is a copy of the template with the values of a seed."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

from hospital import NAME, journal
from hospital.varying import vary
from worldkit.requestlog import RequestLog

DOCTOR = ("Helen Marsh", "hmarsh")
CLINICAL = (
    "gnuhealth_appointment",
    "gnuhealth_dose_unit",
    "gnuhealth_lab_test_type",
    "gnuhealth_medicament",
    "gnuhealth_medication_dosage",
    "gnuhealth_pathology",
    "gnuhealth_patient",
    "gnuhealth_patient_disease",
    "gnuhealth_patient_evaluation",
    "gnuhealth_patient_lab_test",
    "gnuhealth_patient_medication",
    "gnuhealth_person_name",
    "gnuhealth_pol",
    "gnuhealth_prescription_line",
    "gnuhealth_prescription_order",
    "party_address",
    "party_party",
    "party_party_lang",
)
"""Tables that the state holds whole; the journal has every other one, too."""


@dataclass
class Session:
    """One episode's hospital.

    Attributes:
        logins: Whether each attempt to sign in was accepted.
        visits: Whose record was opened in its form, in order.
        readings: Table and key of each row that was shown, in a form or in a list, with what tells the answer.
    """

    id: str
    host: str
    seed: int
    database: str
    file: Path
    password: str
    begun: date
    fingerprint: str
    requests: RequestLog = field(default_factory=RequestLog)
    logins: list[bool] = field(default_factory=list)
    visits: list[int] = field(default_factory=list)
    readings: set[tuple[str, int]] = field(default_factory=set)
    failures: int = 0

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self.file}?mode=ro", uri=True, timeout=10)

    @property
    def revision(self) -> int:
        """Number of writes, sign-ins, openings and readings since the start."""
        with closing(self._connect()) as database:
            return len(journal.read(database)) + self._noted

    @property
    def _noted(self) -> int:
        return len(self.logins) + len(self.visits) + len(self.readings)

    def state(self) -> dict[str, Any]:
        """Return what is true."""
        with closing(self._connect()) as database:
            writes = journal.read(database)
            collections = {name: journal.collection(database, name) for name in CLINICAL}
        collections["staff"] = {
            "1": {"user_id": DOCTOR[1], "password": self.password, "name": DOCTOR[0]},
        }
        collections["logins"] = {str(n): {"ok": ok} for n, ok in enumerate(self.logins, 1)}
        collections["visits"] = {str(n): {"pid": pid} for n, pid in enumerate(self.visits, 1)}
        collections["readings"] = {
            f"{table}/{key}": {"table": table, "row": key} for table, key in sorted(self.readings)
        }
        collections["patients"] = {
            key: _person(row, collections["party_party"][str(row["party"])])
            for key, row in collections["gnuhealth_patient"].items()
        }
        return {
            "clock": f"{self.begun}T00:00:00",
            "revision": len(writes) + self._noted,
            "failures": self.failures,
            "fingerprint": self.fingerprint,
            "collections": collections,
            "journal": writes,
        }


def _person(patient: dict[str, Any], party: dict[str, Any]) -> dict[str, Any]:
    return {
        "pid": patient["id"],
        "party": party["id"],
        "mrn": party["ref"],
        "given_name": party["name"],
        "family_name": party["lastname"],
        "birth_date": party["dob"],
    }


@dataclass
class Sessions:
    """All sessions of this process; databases are used again, as preparing a new one takes GNU Health a second."""

    template: Path
    folder: Path
    password: str
    remember: Callable[[str], None]
    today: Callable[[], date] = date.today
    by_id: dict[str, Session] = field(default_factory=dict)
    by_host: dict[str, Session] = field(default_factory=dict)
    names: Sequence[str] = (NAME,)
    _free: list[str] = field(default_factory=list)
    _made: int = 0

    def prepare(self) -> None:
        """Make one more database."""
        self._made += 1
        name = f"hospital{self._made}"
        self._restore(name, 0)
        self._free.append(name)

    def _restore(self, name: str, seed: int) -> Path:
        file = self.folder / f"{name}.sqlite"
        with (
            closing(sqlite3.connect(f"file:{self.template}?mode=ro", uri=True)) as template,
            closing(sqlite3.connect(file, timeout=10)) as database,
        ):
            template.backup(database)
            database.execute("PRAGMA synchronous = OFF")
            vary(database, seed, self.today())
            journal.forget(database)
            database.commit()
        self.remember(name)
        return file

    def open(self, application: str, seed: int) -> Session:
        """Start a session."""
        if not self._free:
            self.prepare()
        name = self._free.pop()
        file = self._restore(name, seed)
        today = self.today()
        told = sha256(f"{NAME} {seed} {today}".encode()).hexdigest()[:16]
        host = f"{secrets.token_hex(8)}.localhost"
        session = Session(secrets.token_hex(8), host, seed, name, file, self.password, today, told)
        self.by_id[session.id] = self.by_host[host] = session
        return session

    def reset(self, session: Session, seed: int) -> Session:
        """Replace a session by a fresh one at another origin."""
        self.close(session)
        return self.open(NAME, seed)

    def close(self, session: Session) -> None:
        """End a session; its database is free for the next, unless GNU Health still works in it."""
        del self.by_id[session.id], self.by_host[session.host]
        if not session.requests.in_flight:
            self._free.append(session.database)
