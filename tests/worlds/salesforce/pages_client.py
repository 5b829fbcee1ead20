"""A signed-in browser without a screen, on a seeded org in this process."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlencode

import httpx
from jinja2 import Environment
from starlette.testclient import TestClient

from salesforce_org.api import answer
from salesforce_org.pages.staging import Asset, prepare
from salesforce_org.public import Public
from salesforce_org.sessions import Login, Session, Sessions
from salesforce_org.store import Org

from .org_building import FIXTURES, seeder

__all__ = ["FIXTURES", "PageBrowser", "signed_in"]


@cache
def _staged() -> tuple[Environment, dict[str, Asset]]:
    return prepare()


@cache
def _sessions() -> Sessions:
    return Sessions(seeder().build)


@dataclass
class PageBrowser:
    """A browser; `part` asks as htmx does, `send` posts a form as htmx does."""

    session: Session
    client: TestClient
    login: Login
    problems: list[str] = field(default_factory=list)

    @property
    def org(self) -> Org:
        """The org that it looks at."""
        return self.session.org

    def page(self, path: str, **query: str) -> str:
        """Return a whole page."""
        answered = self.client.get(path + (f"?{urlencode(query)}" if query else ""))
        assert answered.status_code == 200, f"{path}: {answered.status_code}"
        return answered.text

    def part(self, path: str, **query: str) -> str:
        """Return a part of a page, as a dialog."""
        address = path + (f"?{urlencode(query)}" if query else "")
        answered = self.client.get(address, headers={"hx-request": "true", "hx-target": "modals"})
        assert answered.status_code == 200, f"{path}: {answered.status_code}"
        return answered.text

    def send(self, path: str, _from: str = "/lightning/page/home", **values: Any) -> httpx.Response:
        """Post a form."""
        origin = f"http://{self.session.host}"
        headers = {
            "hx-request": "true",
            "hx-target": "modal",
            "hx-current-url": origin + _from,
            "origin": origin,
        }
        return self.client.post(path, data=values, headers=headers)

    def goes(self, path: str, **values: Any) -> str:
        """Post a form that leads on, and return where to."""
        answered = self.send(path, **values)
        assert answered.status_code == 204, words(answered.text)
        return str(answered.headers["hx-redirect"])

    def id(self, object: str, name: str, by: str = "Name") -> str:
        """Return the id of the one record of a name."""
        return str(self.org.one(object, **{by: name})["Id"])

    def toasts(self) -> list[str]:
        """Return the messages that wait for the next page."""
        return [one["text"] for one in self.login.toasts]


def signed_in(seed: int = 0) -> PageBrowser:
    """Return a browser of the administrator on an org of its own."""
    environment, assets = _staged()
    public = Public(_sessions(), environment, assets, answer)
    session = public.sessions.open("salesforce", seed)
    org = session.org
    administrators = org.one("Profile", Name="System Administrator")["Id"]
    admin = next(row for row in org.rows("User", ProfileId=administrators, IsActive=True))
    login = Login(admin["Id"])
    org.user_id = admin["Id"]
    session.logins["cookie"] = login
    client = TestClient(
        public, base_url=f"http://{session.host}", cookies={"sid": "cookie"}, follow_redirects=False
    )
    return PageBrowser(session, client, login)


def words(markup: str) -> str:
    """Return the text of a page, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())
