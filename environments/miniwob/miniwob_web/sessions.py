"""Sessions: one episode of one page each, at an origin of its own."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from miniwob_web.pages import Pages
from worldkit.requestlog import RequestLog

PROBE = Path(__file__).with_name("episode.js").read_text("utf-8")
EPISODE, KEY = "episode", "now"
_STARTING = 15.0  # seconds that the page may take to say what it asks for
Row = dict[str, Any]


@dataclass
class Session:
    """One episode.

    Attributes:
        loaded: Whether the page was loaded: its episode is played once.
    """

    id: str
    host: str
    seed: int
    application: str
    page: str
    requests: RequestLog = field(default_factory=RequestLog)
    journal: list[Row] = field(default_factory=list)
    failures: int = 0
    loaded: bool = False
    fingerprint: str = field(init=False)
    row: Row = field(default_factory=dict)
    started: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.fingerprint = f"{self.page}:{self.seed}"

    @property
    def revision(self) -> int:
        """Number of changes since the page began."""
        return len(self.journal)

    @property
    def ended(self) -> bool:
        """Whether the episode is over."""
        return bool(self.row.get("ended"))

    def load(self) -> str:
        """Return the settings of a page that is about to be shown; the episode of an earlier one ends."""
        if self.loaded:
            self.end(0.0, "the page was loaded again")
            return json.dumps({"seed": self.seed, "over": True})
        self.loaded = True
        return json.dumps({"seed": self.seed, "over": False})

    def probe(self) -> str:
        """See `worldkit.control.Probed`."""
        return PROBE

    def reported(self, said: Any) -> None:
        """See `worldkit.control.Probed`."""
        match said:
            case {"utterance": str(utterance), **more}:
                fields = more.get("fields")
                self.start(utterance, fields if isinstance(fields, dict) else {})
            case {"reward": int() | float() as reward, "reason": str() | None as reason}:
                self.end(float(reward), reason)
            case _:
                raise ValueError(said)

    def start(self, utterance: str, fields: Row) -> None:
        """Keep what the page asks for."""
        if not self.row:
            self.row = {
                "page": self.page,
                "utterance": utterance,
                "fields": fields,
                "ended": False,
                "reward": None,
                "reason": None,
            }
            self.started.set()

    def end(self, reward: float, reason: str | None) -> None:
        """Keep the page's first reward; later ones are of no episode."""
        if self.row and not self.ended:
            before, self.row = self.row, {**self.row, "ended": True, "reward": reward, "reason": reason}
            self.journal.append(
                {"collection": EPISODE, "key": KEY, "op": "update", "before": before, "after": self.row}
            )

    async def wait_for_start(self) -> bool:
        """Wait until the page has said what it asks for; return whether it did."""
        try:
            await asyncio.wait_for(self.started.wait(), _STARTING)
        except TimeoutError:
            return False
        return True

    def state(self) -> Row:
        """Return what is true."""
        return {
            "revision": self.revision,
            "failures": self.failures,
            "fingerprint": self.fingerprint,
            "ended": self.ended,
            "collections": {EPISODE: {KEY: self.row} if self.row else {}},
            "journal": self.journal,
        }


class Sessions:
    """All sessions of the process."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.by_id: Mapping[str, Session] = {}
        self.by_host: Mapping[str, Session] = {}
        self.names: Sequence[str] = tuple(pages.by_application)

    def open(self, application: str, seed: int) -> Session:
        """Start a session at a new origin."""
        name = secrets.token_hex(8)
        page = self.pages.by_application[application].stem
        made = Session(name, f"{name}.localhost", seed, application, page)
        self.by_id = {**self.by_id, made.id: made}
        self.by_host = {**self.by_host, made.host: made}
        return made

    def reset(self, session: Session, seed: int) -> Session:
        """Replace a session by a fresh one."""
        self.close(session)
        return self.open(session.application, seed)

    def close(self, session: Session) -> None:
        """Forget a session."""
        self.by_id = {key: one for key, one in self.by_id.items() if one is not session}
        self.by_host = {key: one for key, one in self.by_host.items() if one is not session}
