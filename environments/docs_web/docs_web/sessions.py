"""Sessions: all read the same pages, and nothing that is done in one can be seen in another."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from worldkit.requestlog import RequestLog

APPLICATION = "browser"


@dataclass
class Session:
    """One episode's use of the web, which changes nothing in it."""

    id: str
    host: str
    seed: int
    fingerprint: str
    requests: RequestLog = field(default_factory=RequestLog)
    revision: int = 0
    failures: int = 0

    def state(self) -> dict[str, Any]:
        """Return what is true: there is nothing to change."""
        return {
            "revision": self.revision,
            "failures": self.failures,
            "fingerprint": self.fingerprint,
            "collections": {},
        }


class Sessions:
    """All sessions of the process."""

    def __init__(self, start: str, fingerprint: str) -> None:
        self.by_id: Mapping[str, Session] = {}
        self.names: Sequence[str] = (APPLICATION,)
        self._start, self._fingerprint = start, fingerprint

    def open(self, application: str, seed: int) -> Session:
        """Start a session."""
        session = Session(secrets.token_hex(8), self._start, seed, self._fingerprint)
        self.by_id = {**self.by_id, session.id: session}
        return session

    def reset(self, session: Session, seed: int) -> Session:
        """Replace a session by a fresh one."""
        self.close(session)
        return self.open(APPLICATION, seed)

    def close(self, session: Session) -> None:
        """Forget a session."""
        self.by_id = {id: one for id, one in self.by_id.items() if one is not session}

    def failed(self) -> None:
        """Note that a page failed inside; whose it was cannot be told, as all sessions have the same hosts."""
        for session in self.by_id.values():
            session.failures += 1
