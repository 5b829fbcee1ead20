"""Addresses and who answers them; modules register their pages when they are imported."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import compile_path

if TYPE_CHECKING:
    from salesforce_org.pages.visit import Visit

Handler = Callable[["Visit"], Response]


@dataclass(frozen=True, slots=True)
class Page:
    """One address; `anyone` marks those that need no login, `generality` counts its variable parts."""

    method: str
    pattern: re.Pattern[str]
    handler: Handler
    anyone: bool
    generality: int


PAGES: list[Page] = []


def page(method: str, path: str, *, anyone: bool = False) -> Callable[[Handler], Handler]:
    """Register a function for an address such as `/lightning/r/{object}/{id}/view`; the most particular answers."""

    def register(handler: Handler) -> Handler:
        made = Page(method, compile_path(path)[0], handler, anyone, path.count("{"))
        insort(PAGES, made, key=lambda one: one.generality)
        return handler

    return register


def load() -> None:
    """Import every module of pages and of Setup, so that all have registered their addresses."""
    for name in ("salesforce_org.pages", "salesforce_org.setup"):
        package = import_module(name)
        for module in walk_packages(package.__path__, f"{name}."):
            import_module(module.name)


def find(method: str, path: str) -> tuple[Page, dict[str, str]] | None:
    """Return the page at an address and the variable parts of the address."""
    for one in PAGES:
        match = one.pattern.match(path)
        if match and one.method == method:
            return one, match.groupdict()
    return None
