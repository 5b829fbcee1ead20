"""Pages of Setup: an area is a node of the tree with all its pages, a page is a function of a `SetupVisit`.

Every area has its first page at `/lightning/setup/<node>/home` and all others at
`/lightning/setup/<node>/page?address=<inner address>`, as in Salesforce:

    users = Area("ManageUsers", "user")

    @users.get("/{id}/e")
    def edit(page: SetupVisit) -> Response: ...
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from starlette.datastructures import QueryParams
from starlette.responses import Response
from starlette.routing import compile_path

from salesforce_org.pages.routing import page as address_of_page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.setup.tree import TREE, Node, Tree
from salesforce_org.store import Org, Record
from salesforce_org.store.errors import NotThere

HOME = "/home"
ROOT = "/lightning/setup/"


@dataclass
class SetupVisit:
    """One request to a page of Setup.

    Attributes:
        node: The part of the address that names the node.
        path: The inner address, without its query; `/home` for the node's first page.
        query: The query of the inner address.
        params: The variable parts of the inner address.
    """

    visit: Visit
    node: str
    path: str
    query: QueryParams
    params: dict[str, str]

    @property
    def org(self) -> Org:
        """The session's org."""
        return self.visit.org

    @property
    def here(self) -> Node | None:
        """The node in the tree; None for pages that hang nowhere."""
        return TREE.by_name.get(self.node)

    @property
    def symbol(self) -> str:
        """The icon beside the heading."""
        return AREAS[self.node].symbol if self.node in AREAS else "settings"

    @property
    def tree(self) -> Tree:
        """All nodes."""
        return TREE

    @property
    def drafts(self) -> dict[str, Any]:
        """What unfinished wizards of this browser hold; nothing of it is in the org."""
        assert self.visit.login is not None
        return self.visit.login.drafts

    def field(self, name: str) -> str:
        """Return a submitted value without surrounding space."""
        return self.visit.field(name)

    def fields(self, name: str) -> list[str]:
        """Return all values submitted under a name, in order."""
        return [str(value) for value in self.visit.form.getlist(name)]

    def link(self, inner: str = HOME, **query: str) -> str:
        """Return the address of another page of this node."""
        return link(self.node, inner, **query)

    def again(self, **query: str) -> str:
        """Return this page's address with parts of its query replaced; an empty part is left out."""
        kept = {**dict(self.query), **query}
        return self.link(self.path, **{name: value for name, value in kept.items() if value})

    def record(self, object: str, part: str = "id") -> Record:
        """Return the record that the inner address names.

        Raises:
            NotHere: No record of that object has this id.
        """
        return self.find(object, self.params[part])

    def find(self, object: str, id: str) -> Record:
        """Return the record of an id.

        Raises:
            NotHere: No record of that object has this id.
        """
        try:
            kind, row = self.org.record(id)
        except NotThere:
            raise NotHere from None
        if kind.name != object:
            raise NotHere
        return row

    def render(self, template: str, **context: Any) -> Response:
        """Answer with a page inside Setup."""
        tab = "objects" if self.node == "ObjectManager" else "home"
        aside = ASIDES[self.node](self) if self.node in ASIDES else None
        return self.visit.render(template, **{"page": self, "setup_tab": tab, "aside": aside, **context})

    def go(self, inner: str = HOME, toast: str | None = None, **query: str) -> Response:
        """Send the browser to another page of this node."""
        return self.visit.go(self.link(inner, **query), toast)


@dataclass(frozen=True, slots=True)
class Aside:
    """The parts of the thing that a page is about: label, address, and whether it is the one that is shown."""

    label: str
    parts: tuple[tuple[str, str, bool], ...]


Handler = Callable[[SetupVisit], Response]


@dataclass(frozen=True, slots=True)
class Route:
    """One inner address; `generality` is how many of its parts may vary."""

    method: str
    pattern: re.Pattern[str]
    handler: Handler
    generality: int


@dataclass(frozen=True)
class Area:
    """A node and its pages; of those that fit an address the least general answers.

    Attributes:
        symbol: The standard icon beside the heading of its pages.
    """

    node: str
    symbol: str = "settings"
    routes: list[Route] = field(default_factory=list)

    def __post_init__(self) -> None:
        AREAS[self.node] = self

    def get(self, path: str) -> Callable[[Handler], Handler]:
        """Register a page that is looked at."""
        return self._at("GET", path)

    def post(self, path: str) -> Callable[[Handler], Handler]:
        """Register what happens when a form of a page is sent."""
        return self._at("POST", path)

    def _at(self, method: str, path: str) -> Callable[[Handler], Handler]:
        def register(handler: Handler) -> Handler:
            self.routes.append(Route(method, compile_path(path)[0], handler, path.count("{")))
            self.routes.sort(key=lambda route: route.generality)
            return handler

        return register

    def answer(self, method: str, visit: Visit, inner: str) -> Response:
        """Let the page at an inner address answer.

        Raises:
            NotHere: There is no such page.
        """
        parts = urlsplit(inner)
        for route in self.routes:
            found = route.pattern.match(parts.path)
            if found and route.method == method:
                query = QueryParams(parts.query)
                return route.handler(SetupVisit(visit, self.node, parts.path, query, found.groupdict()))
        raise NotHere


AREAS: dict[str, Area] = {}
# What stands at the left of all pages of a node that are about one thing; None where they are not.
ASIDES: dict[str, Callable[[SetupVisit], Aside | None]] = {}


def link(node: str, inner: str = HOME, **query: str) -> str:
    """Return the address of a page of Setup."""
    whole = f"{inner}?{urlencode(query, quote_via=quote)}" if query else inner
    if inner == HOME:
        return f"/lightning/setup/{node}{whole}"
    if inner.startswith(ROOT):  # Object Manager's pages have addresses of their own
        return whole
    return f"/lightning/setup/{node}/page?address={quote(whole, safe='')}"


@address_of_page("GET", "/lightning/setup/{node}/home")
def first(visit: Visit) -> Response:
    """Show a node's first page, or that nobody may open it."""
    return _answer("GET", visit, f"{HOME}?{visit.query}")


@address_of_page("POST", "/lightning/setup/{node}/home")
def sent_to_first(visit: Visit) -> Response:
    """Take a form of a node's first page."""
    return _answer("POST", visit, f"{HOME}?{visit.query}")


@address_of_page("GET", "/lightning/setup/{node}/page")
def inner_page(visit: Visit) -> Response:
    """Show the page that the inner address names."""
    return _answer("GET", visit, visit.query.get("address", ""))


@address_of_page("POST", "/lightning/setup/{node}/page")
def sent_to_inner(visit: Visit) -> Response:
    """Take a form of an inner page."""
    return _answer("POST", visit, visit.query.get("address", ""))


def _answer(method: str, visit: Visit, inner: str) -> Response:
    node = visit.params["node"]
    if node in AREAS:
        return AREAS[node].answer(method, visit, inner)
    if node not in TREE.by_name:
        raise NotHere
    page = SetupVisit(visit, node, HOME, QueryParams(), {})
    return page.render("setup/not_built.html")
