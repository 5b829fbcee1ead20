"""A browser without a screen for pages of the org: it follows links and sends forms with what stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit

import lxml.html
from lxml.html import HtmlElement
from starlette.testclient import TestClient

from salesforce_org.api import answer
from salesforce_org.pages.staging import prepare
from salesforce_org.public import Public
from salesforce_org.sessions import Login, Session, Sessions
from salesforce_org.store import Org

from .org_building import seeder


@cache
def _public() -> Public:
    environment, assets = prepare()
    return Public(Sessions(seeder().build), environment, assets, answer)


@dataclass
class Browser:
    """One signed-in browser.

    Attributes:
        session: What is behind the pages.
        url: Where the browser is.
        page: The page that is shown.
    """

    session: Session
    client: TestClient
    url: str = ""
    page: HtmlElement = field(default_factory=lambda: lxml.html.fromstring("<p></p>"))

    @property
    def org(self) -> Org:
        """The org."""
        return self.session.org

    @property
    def text(self) -> str:
        """What the page says, with single spaces."""
        return " ".join(self.page.text_content().split())

    def go(self, url: str, *, status: int = 200) -> Browser:
        """Look at a page."""
        return self._shown(self.client.get(url), status)

    def open(self, label: str, nth: int = 0) -> Browser:
        """Follow the link of a text or accessible name in the page itself, not in what stands around it."""
        links = [link for link in self.page.xpath("//main//a[@href]") if name(link) == label]
        assert len(links) > nth, (
            f"no link {label!r} on {self.url}: {sorted({name(a) for a in self.page.iter('a')})}"
        )
        return self.go(links[nth].get("href"))

    def send(self, button: str, *, status: int = 200, nth: int = 0, **values: Any) -> Browser:
        """Press a button of a form after typing; a list is what is chosen under a name, None unticks."""
        found = [
            one for one in self.page.iter("button") if name(one) == button and one.get("type") == "submit"
        ]
        assert len(found) > nth, (
            f"no button {button!r} on {self.url}: {[name(b) for b in self.page.iter('button')]}"
        )
        pressed = found[nth]
        form = self._form(pressed)
        sent = self._fields(form, values)
        if pressed.get("name"):
            sent.append((pressed.get("name"), pressed.get("value", "")))
        data: dict[str, list[str]] = {}
        for key, value in sent:
            data.setdefault(key, []).append(value)
        address = pressed.get("formaction") or form.get("action") or self.url
        return self._shown(self.client.post(address, data=data), status)

    def value(self, control: str) -> str:
        """Return what stands in a text field."""
        return str(self.page.xpath(f"//*[@name='{control}']")[0].get("value"))

    def rows(self, table: str) -> list[list[str]]:
        """Return the texts of a table's body."""
        found = [one for one in self.page.iter("table") if one.get("aria-label") == table]
        assert found, f"no table {table!r} on {self.url}"
        return [[cell_text(cell) for cell in row] for row in found[0].find("tbody")]

    def options(self, select: str) -> dict[str, str]:
        """Return the labels and values that a list offers, by its label."""
        label = next(one for one in self.page.iter("label") if " ".join(one.text_content().split()) == select)
        box = self.page.get_element_by_id(label.get("for"))
        return {" ".join(one.text_content().split()): one.get("value", "") for one in box.iter("option")}

    def _shown(self, response: Any, status: int) -> Browser:
        assert response.status_code == status, (
            f"{response.request.url}: {response.status_code} {response.text[:300]}"
        )
        parts = urlsplit(str(response.request.url))
        self.url = parts.path + (f"?{parts.query}" if parts.query else "")
        self.page = lxml.html.fromstring(response.text)
        return self

    def _form(self, button: HtmlElement) -> HtmlElement:
        if button.get("form"):
            return self.page.get_element_by_id(button.get("form"))
        return next(button.iterancestors("form"))

    def _fields(self, form: HtmlElement, values: dict[str, Any]) -> list[tuple[str, str]]:
        inside = [(key, value) for key, value in form.form_values() if key not in values]
        names = {one.get("name") for one in self.page.iter("input", "select", "textarea")}
        duals = {
            one.get(name)
            for one in self.page.iter("div", "section")
            for name in ("data-dual-list", "data-dual")
        }
        assert names | duals >= set(values), f"{set(values) - names} are not on {self.url}"
        for key, value in values.items():
            many = value if isinstance(value, list) else [] if value is None else [value]
            inside += [(key, str(one)) for one in many]
        return inside


def name(element: HtmlElement) -> str:
    """Return the accessible name of a link or button."""
    return str(element.get("aria-label") or " ".join(element.text_content().split()))


def cell_text(cell: HtmlElement) -> str:
    """Return the text of a cell; a box that only shows is True or False."""
    boxes = [one.get("aria-label") for one in cell.iter("span") if one.get("role") == "img"]
    return " ".join(cell.text_content().split()) or {"Checked": "True", "Not Checked": "False"}.get(
        boxes[0] if boxes else "", ""
    )


def browser(seed: int = 0) -> Browser:
    """Return a browser in an org of its own, signed in as the administrator."""
    public = _public()
    session = public.sessions.open("salesforce", seed)
    session.logins["test"] = Login(session.administrator["Id"])
    base = f"http://{session.host}"
    client = TestClient(public, base_url=base, cookies={"sid": "test"}, headers={"origin": base})
    return Browser(session, client)


def writes(one: Browser) -> list[tuple[str, str]]:
    """Return collection and operation of everything that was written, in order."""
    return [(write.collection, write.op) for write in one.org.journal.writes]


def inner_links(one: Browser) -> Iterator[str]:
    """Yield the addresses of Setup that the page links to."""
    for link in one.page.iter("a"):
        href = link.get("href") or ""
        if href.startswith("/lightning/setup/"):
            yield href


def inner(url: str) -> str:
    """Return the inner address of a page of Setup."""
    return parse_qs(urlsplit(url).query).get("address", [""])[0]
