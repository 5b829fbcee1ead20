"""Sessions: one private database and one private origin each."""

import secrets
import sqlite3
from dataclasses import dataclass, field
from typing import Any

from clinic import clock, journal, snapshot
from clinic.application import Application
from clinic.staging import Stage
from clinic.starting_points import StartingPoint, StartingPoints
from clinic.toolkit import COMMON_EPHEMERAL
from worldkit.requestlog import RequestLog


@dataclass
class Session:
    """One isolated run of an application."""

    id: str
    host: str
    stage: Stage
    seed: int
    db: sqlite3.Connection
    fingerprint: str
    requests: RequestLog = field(default_factory=RequestLog)

    def state(self) -> dict[str, Any]:
        """Return everything a checker may look at."""
        collections = snapshot.collections(self.db)
        ephemeral = self.stage.application.ephemeral | COMMON_EPHEMERAL
        return {
            "revision": self.revision,
            "failures": self.failures,
            "fingerprint": snapshot.fingerprint(collections, ephemeral),
            "collections": collections,
            "journal": journal.entries(self.db),
            "clock": clock.text(clock.now(self.db)),
        }

    @property
    def failures(self) -> int:
        """Number of pages that failed inside; what was played on them is not the player's fault."""
        return sum(entry["status"] == 500 for entry in self.requests.entries)

    @property
    def revision(self) -> int:
        """Number of changes since the start."""
        return journal.length(self.db)


@dataclass
class Sessions:
    """All sessions of this process, found by id (control) or by host (browser)."""

    starting_points: StartingPoints
    stages: dict[str, Stage]
    by_id: dict[str, Session] = field(default_factory=dict)
    by_host: dict[str, Session] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The applications that are served."""
        return list(self.stages)

    def open(self, application: str, seed: int) -> Session:
        """Start a session with a new origin."""
        return self._place(secrets.token_hex(8), self.stages[application], seed)

    def reset(self, session: Session, seed: int) -> Session:
        """Replace a session by a fresh one at another origin, so that nothing cached survives."""
        point = self._starting_point(session.stage.application, seed)
        self.close(session)
        return self._place(session.id, session.stage, seed, point)

    def copy(self, session: Session) -> Session:
        """Open a second session with the data of the first, logins and journal included, at another origin."""
        point = StartingPoint(session.db, session.fingerprint)
        return self._place(secrets.token_hex(8), session.stage, session.seed, point)

    def close(self, session: Session) -> None:
        """Forget a session and its data."""
        del self.by_id[session.id], self.by_host[session.host]
        session.db.close()

    def _starting_point(self, application: Application, seed: int) -> StartingPoint:
        return self.starting_points.get(application, seed)

    def _place(self, id: str, stage: Stage, seed: int, point: StartingPoint | None = None) -> Session:
        point = point or self._starting_point(stage.application, seed)
        session = Session(
            id, f"{secrets.token_hex(8)}.localhost", stage, seed, point.copy(), point.fingerprint
        )
        self.by_id[session.id] = self.by_host[session.host] = session
        return session
