"""The OSWorld in-guest protocol, at the root of the server, with the calls that ScienceBoard adds.

Commands and file calls run in the box as the session's user, never as the supervisor, so a client has the rights of a
user of the desktop. The first call starts the desktop if it is not running.
"""

from __future__ import annotations

from collections.abc import Iterator

from starlette.routing import BaseRoute, Route

from guest.desktop import Desktop
from guest.osworld import commands, files, observing, opening, recording, science, scripts, windows
from guest.osworld.replies import Handler, with_errors


def routes(desktop: Desktop) -> list[BaseRoute]:
    """Return the protocol's routes."""
    return [Route(path, with_errors(handler), methods=[method]) for method, path, handler in _table(desktop)]


def _table(desktop: Desktop) -> Iterator[tuple[str, str, Handler]]:
    for part in (commands, files, observing, opening, recording, science, scripts, windows):
        yield from part.calls(desktop)
