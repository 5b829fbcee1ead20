"""Sessions: each plays in a site of OpenEMR with a database of its own, which is restored and used again."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from openemr import NAME
from openemr.mariadb import Copy, Server
from openemr.ward import NAME_OF_DOCTOR, ward
from worldkit.requestlog import RequestLog


class Stack(Protocol):
    """The running OpenEMR."""

    server: Server
    address: str
    username: str
    password: str

    def add_site(self, site: str, database: str) -> None:
        """Let OpenEMR serve a site from a database."""

    def remove_site(self, site: str) -> None:
        """Undo that."""


@dataclass
class Session:
    """One episode's use of a site."""

    id: str
    host: str
    seed: int
    site: str
    copy: Copy
    username: str
    password: str = field(repr=False)
    begun: date
    fingerprint: str
    requests: RequestLog = field(default_factory=RequestLog)

    @property
    def revision(self) -> int:
        """Number of writes, logins and charts opened since the start."""
        return self.copy.revision() + len(self._visits())

    @property
    def failures(self) -> int:
        """Number of pages that failed inside."""
        return sum((entry["status"] or 0) >= 500 for entry in self.requests.entries)

    def state(self) -> dict[str, Any]:
        """Return the clinical tables whole, who signs in, who did, and whose chart was opened."""
        collections = self.copy.collections()
        name = " ".join(NAME_OF_DOCTOR.values())
        collections["staff"] = {
            self.username: {"user_id": self.username, "password": self.password, "name": name}
        }
        collections["visits"] = self._visits()
        collections["patients"] = {
            row["pubpid"]: {
                "mrn": row["pubpid"],
                "pid": row["pid"],
                "given_name": row["fname"],
                "family_name": row["lname"],
                "birth_date": row["DOB"],
            }
            for row in collections["patient_data"].values()
        }
        return {
            "clock": f"{self.begun}T00:00:00",
            "revision": self.revision,
            "failures": self.failures,
            "fingerprint": self.fingerprint,
            "collections": collections,
            "journal": self.copy.journal(),
        }

    def _visits(self) -> dict[str, dict[str, Any]]:
        """Return whose charts were opened, by the number of the request."""
        return {
            str(entry["n"]): {"pid": int(pid)}
            for entry in self.requests.entries
            if (pid := str(entry["query"].get("set_pid", ""))).isdigit() and (entry["status"] or 500) < 400
        }


@dataclass(frozen=True)
class _Place:
    site: str
    copy: Copy


@dataclass
class Sessions:
    """All sessions of this process, found by id (control) or by host (browser)."""

    stack: Stack
    fixtures: Path
    today: Callable[[], date] = date.today
    by_id: dict[str, Session] = field(default_factory=dict)
    by_host: dict[str, Session] = field(default_factory=dict)
    names: Sequence[str] = (NAME,)
    free: list[_Place] = field(default_factory=list)
    _all: list[_Place] = field(default_factory=list)

    def prepare(self) -> None:
        """Make one more place for a session, which takes a while."""
        site = f"cua-{secrets.token_hex(4)}"  # OpenEMR takes letters, digits, dots and dashes
        copy = Copy(self.stack.server, site.replace("-", "_"))
        place = _Place(site, copy)
        self._all.append(place)  # before it is made, so that half of one is removed, too
        copy.make()
        self.stack.add_site(site, copy.database)
        self.free.append(place)

    def open(self, application: str, seed: int) -> Session:
        """Start a session in a restored place."""
        if not self.free:
            self.prepare()
        place = self.free.pop()
        try:
            today = self.today()
            name, number = self.stack.username, self.stack.server.number_of(self.stack.username)
            place.copy.restore(ward(self.fixtures, seed, today, name, number))
        except BaseException:
            self.free.append(place)
            raise
        host = f"{secrets.token_hex(8)}.localhost"
        told = sha256(f"{NAME} {seed} {today}".encode()).hexdigest()[:16]
        password = self.stack.password
        session = Session(
            secrets.token_hex(8), host, seed, place.site, place.copy, name, password, today, told
        )
        self.by_id[session.id] = self.by_host[host] = session
        return session

    def reset(self, session: Session, seed: int) -> Session:
        """Replace a session by a fresh one at another origin."""
        self.close(session)
        return self.open(NAME, seed)

    def close(self, session: Session) -> None:
        """End a session; its place is free for the next."""
        del self.by_id[session.id], self.by_host[session.host]
        self.free.append(next(place for place in self._all if place.site == session.site))

    def end(self) -> None:
        """Remove all places: the folders first, as a server finishes dropping a database without its client."""
        for place in self._all:
            self.stack.remove_site(place.site)
        for place in self._all:
            place.copy.drop()
        self._all.clear()
        self.free.clear()
