"""Sign-in and sign-out. A wrong password and an unknown user read the same."""

import secrets
from urllib.parse import urlencode

from starlette.responses import Response

from clinic import clock, rows
from clinic.toolkit import workstation
from clinic.visit import Visit


def local_path(wanted: str) -> str:
    """Return where to go after the login, never to another site."""
    local = wanted.startswith("/") and not wanted.startswith(("//", "/\\"))
    return wanted if local else "/"


def show(visit: Visit) -> Response:
    """Show the login form."""
    if visit.user is not None:
        return visit.go("/")
    workstation.show(visit, "login")
    refused = "refused" in visit.query
    return visit.render("login.html", refused=refused, next=local_path(visit.query.get("next", "")))


def submit(visit: Visit) -> Response:
    """Check the password and record the attempt."""
    user_id, wanted = visit.field("user_id"), local_path(visit.field("next"))
    row = visit.db.execute(
        "SELECT user_id, password FROM users WHERE user_id = ? COLLATE NOCASE", (user_id,)
    ).fetchone()
    given = visit.form.get("password", "").encode()
    accepted = row is not None and secrets.compare_digest(row["password"].encode(), given)
    rows.insert(visit.db, "logins", user=user_id[:64], ok=accepted, at=clock.text(visit.now))
    if accepted:
        return visit.sign_in(row["user_id"], wanted)
    return visit.go(f"/login?{urlencode({'refused': 1, 'next': wanted})}")


def leave(visit: Visit) -> Response:
    """Sign out; the workstation shows the login page again."""
    workstation.show(visit, "login")
    return visit.sign_out("/login")
