"""One browser request as an application sees it."""

import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import quote

from jinja2 import Environment
from starlette.responses import HTMLResponse, RedirectResponse, Response

from clinic import rows
from clinic.fixtures import Fixtures

COOKIE = "signin"


Found = TypeVar("Found")


class NotHere(Exception):
    """The address names something that does not exist."""


def required(found: Found | None) -> Found:
    """Return what was looked up for the address.

    Raises:
        NotHere: There is no such thing.
    """
    if found is None:
        raise NotHere
    return found


@dataclass
class Visit:
    """The request, the session's database inside its transaction, and ways to answer."""

    db: sqlite3.Connection
    fixtures: Fixtures
    environment: Environment
    path: str
    query: Mapping[str, str]
    form: Mapping[str, str]
    params: Mapping[str, str]
    token: str | None
    user: sqlite3.Row | None
    now: datetime

    @property
    def user_id(self) -> str:
        """The signed-in user; only pages that need a login may ask."""
        if self.user is None:
            raise PermissionError("this page is open to anyone, so there may be no user")
        return str(self.user["user_id"])

    def field(self, name: str) -> str:
        """Return a submitted value without surrounding space; empty when it is absent."""
        return self.form.get(name, "").strip()

    def render(self, template: str, status: int = 200, **context: Any) -> Response:
        """Answer with a page."""
        department = self.db.execute("SELECT * FROM department").fetchone()
        everywhere = {
            "user": self.user,
            "now": self.now,
            "department": department,
            "notice": self._take_notice(),
        }
        body = self.environment.get_template(template).render(everywhere | context)
        return HTMLResponse(body, status_code=status)

    def one(self, query: str, given: Sequence[Any] | Mapping[str, Any]) -> sqlite3.Row:
        """Return the row that the address means.

        Raises:
            NotHere: There is no such row.
        """
        row: sqlite3.Row | None = self.db.execute(query, given).fetchone()
        return required(row)

    def staff(self) -> dict[str, str]:
        """Return the names of all users by user ID."""
        return {row["user_id"]: row["name"] for row in self.db.execute("SELECT user_id, name FROM users")}

    def change(self, table: str, where: dict[str, Any], **values: Any) -> None:
        """Change the rows that have the given values.

        Raises:
            NotHere: There are none.
        """
        if not rows.update(self.db, table, where, **values):
            raise NotHere

    def go(self, path: str, notice: str | None = None) -> Response:
        """Answer a completed POST: send the browser to a page that shows the notice once."""
        if notice is not None:
            self.db.execute("UPDATE _signin SET notice = ? WHERE token = ?", (notice, self.token))
        return RedirectResponse(quote(path, safe="/?=&%"), status_code=303)

    def _take_notice(self) -> str | None:
        row = self.db.execute("SELECT notice FROM _signin WHERE token = ?", (self.token,)).fetchone()
        if row is None or row["notice"] is None:
            return None
        self.db.execute("UPDATE _signin SET notice = NULL WHERE token = ?", (self.token,))
        return str(row["notice"])

    def sign_in(self, user_id: str, path: str) -> Response:
        """Open a login for this browser and go on to a page."""
        token = secrets.token_hex(16)
        self.db.execute("INSERT INTO _signin (token, user_id) VALUES (?, ?)", (token, user_id))
        response = self.go(path)
        response.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
        return response

    def sign_out(self, path: str) -> Response:
        """End this browser's login."""
        self.db.execute("DELETE FROM _signin WHERE token = ?", (self.token,))
        response = self.go(path)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response
