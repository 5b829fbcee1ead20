"""Command line of the world program."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from miniwob_web import NAME, VERSION
from miniwob_web.pages import MissingPages, Pages, find_pages
from miniwob_web.public import Public
from miniwob_web.sessions import Session, Sessions
from worldkit.arguments import parser
from worldkit.control import ProbedControl
from worldkit.serving import Options, Program, serve

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / NAME


class MiniwobControl(ProbedControl[Session]):
    """The control routes of all worlds; a state begins with what the page asks for."""

    async def state(self, request: Request) -> Response:
        """Report the state, as soon as the page has begun."""
        session = self.session_of(request)
        if not await session.wait_for_start():
            raise HTTPException(503, f"the page {session.page} did not say what it asks for")
        return await super().state(request)


def program(pages: Pages) -> Program:
    """Make the pages ready to serve."""
    public = Public(Sessions(pages))

    def control(port: int) -> Starlette:
        return MiniwobControl(public, port, VERSION).application()

    return Program(NAME, VERSION, tuple(public.sessions.names), public, control)


def main() -> int:
    """Serve until told to stop; what is missing is told on the first line, any other trouble on stderr."""
    given = parser(NAME, __doc__, FIXTURES).parse_args()
    try:
        served = program(Pages(find_pages()))
        asyncio.run(serve(served, Options(given.listen, given.control, given.until_eof)))
    except MissingPages as missing:
        sys.stdout.write(json.dumps({"ready": False, "missing": str(missing)}) + "\n")
        return 3
    except OSError as problem:
        sys.stderr.write(f"{NAME}: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
