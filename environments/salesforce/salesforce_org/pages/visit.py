"""One browser request as a page sees it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from starlette.datastructures import ImmutableMultiDict, QueryParams
from starlette.responses import HTMLResponse, RedirectResponse, Response

from salesforce_org.pages.shell import Shell
from salesforce_org.sessions import Login, Session
from salesforce_org.store import Org, Record

COOKIE = "sid"


class NotHere(Exception):
    """The address names something that does not exist."""


@dataclass
class Visit:
    """The request, the org inside a transaction, and ways to answer.

    Attributes:
        fragment: The name of the element that the page wants replaced (htmx); None for a whole page.
        cookies: What the browser keeps for this host.
        came_from: The address of the page that asks for a fragment.
    """

    session: Session
    environment: Environment
    path: str
    query: QueryParams
    form: ImmutableMultiDict[str, str]
    params: dict[str, str]
    login: Login | None
    fragment: str | None = None
    cookies: Mapping[str, str] = field(default_factory=dict)
    came_from: str = ""

    @property
    def org(self) -> Org:
        """The session's org."""
        return self.session.org

    @property
    def user(self) -> Record:
        """Who is signed in; only pages that need a login may ask."""
        row = self.org.get("User", self.login.user_id) if self.login else None
        if row is None:
            raise PermissionError("this page is open to anyone, so there may be no user")
        return row

    def field(self, name: str) -> str:
        """Return a submitted value without surrounding space; empty when it is absent."""
        return str(self.form.get(name, "")).strip()

    def render(self, template: str, status: int = 200, **context: Any) -> Response:
        """Answer with a page or a part of one."""
        toasts: list[dict[str, str]] = []
        if self.login is not None and self.fragment is None:
            toasts, self.login.toasts = self.login.toasts, []
        everywhere = {
            "visit": self,
            "org": self.org,
            "login": self.login,
            "toasts": toasts,
            "shell": Shell(self),
        }
        body = self.environment.get_template(template).render(everywhere | context)
        return HTMLResponse(body, status_code=status)

    def event(self, name: str, /, **detail: str) -> Response:
        """Tell the page that asked for a fragment that something happened; nothing is replaced."""
        return Response(status_code=204, headers={"HX-Trigger": json.dumps({name: detail})})

    def toast(self, text: str, kind: str = "success", href: str = "") -> None:
        """Show a message on the next page; `kind` is success, error, warning or info."""
        if self.login is not None:
            self.login.toasts.append({"text": text, "kind": kind, "href": href})

    def go(self, path: str, toast: str | None = None) -> Response:
        """Send the browser to a page; a request for a fragment makes the whole page go there."""
        if toast:
            self.toast(toast)
        address = quote(path, safe="/?=&%#")
        if self.fragment is not None:
            return Response(status_code=204, headers={"HX-Redirect": address})
        return RedirectResponse(address, status_code=303)

    def sign_in(self, user_id: str, path: str) -> Response:
        """Sign this browser in and go on to a page."""
        token = secrets.token_hex(24)
        self.session.logins[token] = Login(user_id)
        response = RedirectResponse(quote(path, safe="/?=&%#"), status_code=303)
        response.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
        return response

    def sign_out(self) -> None:
        """Forget that this browser is signed in."""
        self.session.logins.pop(self.cookies.get(COOKIE, ""), None)
        self.login = None
