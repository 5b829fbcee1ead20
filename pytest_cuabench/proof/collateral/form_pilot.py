"""Plays a solution over HTTP: pages are fetched and forms are sent, and no browser is started.

It understands what served pages do by themselves: links, forms, boxes to tick, pop-up lists, function keys. What
a page's own script does beyond that is told by the suite (`Scripted`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from lxml.html import HtmlElement

from pytest_cuabench.proof.collateral import markup
from pytest_cuabench.proof.collateral.markup import Fields, Page
from pytest_cuabench.task.action import Button, Status

if TYPE_CHECKING:
    import httpx2

    from pytest_cuabench.drivers.worlds import WorldSession

Scripted = Callable[[Page, HtmlElement], bool]
_MOST_REDIRECTS = 10


class Refused(Exception):
    """The server answered with an error; the message says what was asked."""


class Ended(Exception):
    """The solution gave its answer, or gave up."""


class Visitor:
    """A browser without a screen: cookies, the origin of one session, and redirects."""

    def __init__(self, client: httpx2.AsyncClient, session: WorldSession, cookies: dict[str, str]) -> None:
        self.client = client
        self.session = session
        self.cookies = cookies
        parts = urlsplit(session.origin)
        # Only browsers resolve `*.localhost` by themselves, so the name is in the header.
        self._base = f"http://127.0.0.1:{parts.port}"
        self._headers = {"host": parts.netloc, "origin": session.origin}

    def moved(self, session: WorldSession) -> Visitor:
        """Return a visitor with the same login in another session."""
        return Visitor(self.client, session, dict(self.cookies))

    async def get(self, address: str) -> Page:
        """Fetch a page.

        Raises:
            Refused: The server answered with an error.
        """
        return (await self._ask("GET", address))[0]

    async def send(self, page: Page, button: HtmlElement) -> tuple[Page, bool]:
        """Send a form by one of its buttons; return the next page, and whether the server went on to another one.

        Raises:
            Refused: The server answered with an error.
        """
        method, address, fields = page.submission(button)
        if method == "get":
            return await self._ask("GET", f"{address.partition('?')[0]}?{urlencode(fields)}")
        return await self._ask("POST", address, fields)

    async def _ask(self, method: str, address: str, fields: Fields | None = None) -> tuple[Page, bool]:
        for hop in range(_MOST_REDIRECTS):
            reply = await self.client.request(
                method,
                self._base + address,
                headers={**self._headers, "cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
                | ({"content-type": "application/x-www-form-urlencoded"} if fields is not None else {}),
                content=urlencode(fields).encode() if fields is not None else None,
            )
            self._keep(reply)
            if reply.is_redirect:
                method, address, fields = "GET", reply.headers["location"], None
            elif reply.status_code in (400, 403, 404, 413, 500):
                raise Refused(f"{method} {address}: {reply.status_code}")
            else:
                return Page(address, reply.text), hop > 0
        raise Refused(f"{method} {address}: too many redirects")

    def _keep(self, reply: httpx2.Response) -> None:
        for name, value in reply.cookies.items():
            self.cookies[name] = value


class FormHand:
    """What solutions act with, in the place of a `Pilot`.

    Attributes:
        said: The final answer, if there was one.
        ending: How the solution ended the episode.
    """

    def __init__(self, visitor: Visitor, page: Page, scripted: Scripted) -> None:
        self.visitor = visitor
        self.page = page
        self._scripted = scripted
        self.said: str | None = None
        self.ending = "success"

    async def click(self, target: str, count: int = 1, button: Button = "left") -> None:
        """Click the one element that a selector means."""
        await self._click(self._one(target))

    async def fill(self, target: str, text: str) -> None:
        """Replace what a field holds."""
        element = self._one(target)
        markup.fill(element, text)
        self._scripted(self.page, element)

    async def press(self, chord: str, repeat: int = 1) -> None:
        """Press the key that stands for a control of the page; any other does nothing."""
        if found := self.page.find(f'[aria-keyshortcuts="{chord}"]'):
            await self._click(found[0])

    async def answer(self, text: str) -> None:
        """Give the final answer."""
        self.said, self.ending = text, "answer"
        raise Ended

    async def give_up(self, status: Status = "infeasible", reason: str = "") -> None:
        """End the episode without having done the task."""
        self.ending = status
        raise Ended

    async def sees(self, target: str) -> bool:
        """Return whether the element is on the page."""
        return bool(self.page.find(target))

    async def read(self, target: str) -> str:
        """Return an element's text."""
        return self.page.text(self._one(target))

    def _one(self, target: str) -> HtmlElement:
        found = self.page.find(target)
        if len(found) != 1:
            raise LookupError(f"{target} matches {len(found)} elements of {self.page.address}, expected 1")
        return found[0]

    async def _click(self, element: HtmlElement) -> None:
        if self._scripted(self.page, element):
            return
        control = element if element.tag in ("a", "button", "input") else _control(self.page, element)
        if control is None or element.get("role") == "option":
            if element.get("role") == "option":
                markup.pick(element)
                self._scripted(self.page, element)
        elif control.tag == "a":
            self.page = await self.visitor.get(self.page.absolute(control.get("href", "")))
        elif markup.submits(control):
            self.page, _ = await self.visitor.send(self.page, control)
        elif control.get("type") in ("radio", "checkbox"):
            markup.choose(self.page, control)


def _control(page: Page, element: HtmlElement) -> HtmlElement | None:
    """Return what a click on some text works on: the link, the button or the labelled box around it."""
    for one in element.iterancestors():
        if one.tag in ("a", "button"):
            return one
        if one.tag == "label":
            return next(one.iter("input"), None)
    return None
