"""The OSWorld in-guest protocol, at the root of the server, with the calls that ScienceBoard adds.

Commands and file calls run in the box as the session's user, never as the supervisor: what a client may do is what
a person at the desktop may do. A desktop on which nothing was started yet is started by the first call.
"""

from __future__ import annotations

from collections.abc import Iterator

from starlette.routing import BaseRoute, Route

from guest.desk import Desk
from guest.osworld import commands, files, looking, opening, recording, science, windows
from guest.osworld.replies import Handler, told


def routes(desk: Desk) -> list[BaseRoute]:
    """Return the protocol's routes."""
    return [Route(path, told(handler), methods=[method]) for method, path, handler in _table(desk)]


def _table(desk: Desk) -> Iterator[tuple[str, str, Handler]]:
    for part in (commands, files, looking, opening, recording, science, windows):
        yield from part.calls(desk)
