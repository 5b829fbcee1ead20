"""Sessions: one private org and one private origin each."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from salesforce_org import NAME
from salesforce_org.access import Access, administrator, find_user, password_of_seed
from salesforce_org.store import Org, Record
from salesforce_org.store.schema import AUDIT
from worldkit.requestlog import RequestLog

Part = TypeVar("Part")
VOLATILE = AUDIT | {"LastRunDate", "LastViewedDate", "LastReferencedDate", "LastStageChangeDate"}


@dataclass
class Login:
    """A browser that is signed in; `toasts` are shown once, on the next page.

    Attributes:
        app: Developer name of the Lightning app that is open.
        recent: Ids of the records looked at, newest first.
        drafts: What unfinished wizards hold; nothing of it is in the org.
        pins: Ids of the pinned list views, and `lists` of those looked at last, by object.
        favorites: What the user calls the pages that are favorites, by address.
        temporary: Names of tabs of what is not in an app, by app.
        workspace: Ids of the records that are open as tabs of console apps, by app.
    """

    user_id: str
    app: str = ""
    toasts: list[dict[str, str]] = field(default_factory=list)
    recent: list[str] = field(default_factory=list)
    drafts: dict[str, Any] = field(default_factory=dict)
    pins: dict[str, str] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)
    favorites: dict[str, str] = field(default_factory=dict)
    temporary: dict[str, list[str]] = field(default_factory=dict)
    workspace: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Session:
    """One isolated org.

    Attributes:
        start: The org as it was at first, which is never written to; `fingerprint` is its.
        access: The keys of the org.
        requests: What browsers asked for; `calls` is what tools asked for.
        logins: Signed-in browsers by the value of their cookie.
    """

    id: str
    host: str
    seed: int
    start: Org
    org: Org
    fingerprint: str
    access: Access
    requests: RequestLog = field(default_factory=RequestLog)
    calls: RequestLog = field(default_factory=RequestLog)
    logins: dict[str, Login] = field(default_factory=dict)
    _parts: dict[type, Any] = field(default_factory=dict)

    def part(self, kind: type[Part]) -> Part:
        """Return this session's own instance of a class, made when it is first asked for.

        What only one interface needs to remember, such as jobs and cursors, is kept that way.
        """
        if kind not in self._parts:
            self._parts[kind] = kind()
        found: Part = self._parts[kind]
        return found

    @property
    def org_id(self) -> str:
        """The id of the organization's own record."""
        return str(next(self.org.rows("Organization"))["Id"])

    @property
    def administrator(self) -> Record:
        """The user as whom tools and agents work."""
        return administrator(self.org)

    def keys(self) -> dict[str, str]:
        """Return what one needs to enter the org as its administrator, with a new access token."""
        user = self.administrator
        return {
            "org_id": self.org_id,
            "user_id": user["Id"],
            "username": user["Username"],
            "password": self.access.password_of(user["Id"]),
            "security_token": self.access.security_token,
            "client_key": self.access.client[0],
            "client_secret": self.access.client[1],
            "access_token": self.access.issue(self.org_id, user["Id"]),
        }

    @property
    def failures(self) -> int:
        """Number of pages that failed inside; what was played on them is not the player's fault."""
        return sum(entry["status"] == 500 for entry in self.requests.entries)

    @property
    def revision(self) -> int:
        """Number of changes since the start."""
        return len(self.org.journal.writes)

    def mark(self) -> str:
        """Return the fingerprint of the org, another one where a user was given a password of their own."""
        return fingerprint(self.org) + ("+passwords" if self.access.own_passwords else "")

    def rewind(self) -> bool:
        """Bring the org back to its first moment, and return whether it is equal to what it was then.

        What the comparison leaves out goes with it: clock, stamps, recycle bin, journal, numbers of ids and requests.
        """
        equal = self.mark() == self.fingerprint
        if equal:
            self.org, self.requests = self.start.copy(), RequestLog()
        return equal

    def state(self) -> dict[str, Any]:
        """Return everything a checker may look at."""
        collections = self.org.collections()
        return {
            "revision": self.revision,
            "failures": self.failures,
            "fingerprint": self.mark(),
            "collections": collections,
            "journal": self.org.journal.to_json(),
            "clock": self.org.now.astimezone(self.org.zone).isoformat(timespec="seconds"),
        }

    def changes(self, since: int, *, journal: bool = False) -> dict[str, Any]:
        """Return which records and components were written since a revision, and each write where it is asked for."""
        touched: dict[str, dict[str, None]] = {}
        for write in self.org.journal.writes[since:]:
            touched.setdefault(write.collection, {})[write.key] = None
        return {
            "revision": self.revision,
            "failures": self.failures,
            "clock": self.org.now.astimezone(self.org.zone).isoformat(timespec="seconds"),
            "touched": {name: list(keys) for name, keys in touched.items()},
            "journal": [write._asdict() for write in self.org.journal.writes[since:]] if journal else [],
        }


def fingerprint(org: Org) -> str:
    """Return a hash of everything but who changed what when, the same in every process."""
    lasting = {
        name: {key: {f: _number(v) for f, v in row.items() if f not in VOLATILE} for key, row in rows.items()}
        for name, rows in org.collections().items()
    }
    canonical = json.dumps(lasting, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _number(value: Any) -> Any:
    """Return a whole number as one, however it was written: 10 and 10.0 are the same."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass
class Sessions:
    """All sessions of this process, found by id (control), host (browser) or access token (tools)."""

    build: Callable[[int], Org]
    by_id: dict[str, Session] = field(default_factory=dict)
    by_host: dict[str, Session] = field(default_factory=dict)
    _built: dict[int, tuple[Org, str]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The one application there is."""
        return [NAME]

    def open(self, application: str, seed: int) -> Session:
        """Start a session with a new origin."""
        return self._place(secrets.token_hex(8), seed)

    def reset(self, session: Session, seed: int) -> Session:
        """Replace a session by a fresh one at another origin, so that nothing cached survives."""
        self.close(session)
        return self._place(session.id, seed)

    def close(self, session: Session) -> None:
        """Forget a session and its data."""
        del self.by_id[session.id], self.by_host[session.host]

    def of_token(self, token: str) -> Session | None:
        """Return the session that an access token was made for."""
        return next((one for one in self.by_id.values() if token in one.access.tokens), None)

    def of_user(self, username: str) -> list[Session]:
        """Return the sessions whose orgs have a user of this name; orgs of different seeds may share names."""
        return [one for one in self.by_id.values() if find_user(one.org, username)]

    def of_client(self, key: str) -> Session | None:
        """Return the session whose connected app has this key."""
        return next((one for one in self.by_id.values() if one.access.client[0] == key), None)

    def _place(self, id: str, seed: int) -> Session:
        if seed not in self._built:
            org = self.build(seed)
            self._built[seed] = org, fingerprint(org)
        org, mark = self._built[seed]
        access = Access(password_of_seed(seed))
        session = Session(id, f"{secrets.token_hex(8)}.localhost", seed, org, org.copy(), mark, access)
        self.by_id[session.id] = self.by_host[session.host] = session
        return session
