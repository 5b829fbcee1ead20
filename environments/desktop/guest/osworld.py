"""The OSWorld in-guest protocol, at the root of the server."""

from __future__ import annotations

from starlette.routing import BaseRoute

from guest.desk import Desk


def routes(desk: Desk) -> list[BaseRoute]:
    """Return the protocol's routes."""
    return []
