"""Command line of the world program."""

import argparse
import asyncio
import sys

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clinic import NAME, VERSION
from clinic.application import Application
from clinic.catalogue import UnknownApplication, discover
from clinic.fixtures import SHIPPED, Fixtures, open_fixtures
from clinic.public import Public
from clinic.sessions import Session, Sessions
from clinic.staging import prepare
from clinic.starting_points import StartingPoints
from worldkit.arguments import parser
from worldkit.control import Control
from worldkit.serving import Options, Program, serve


class ClinicControl(Control[Session]):
    """The control routes of all worlds, and one that branches a session."""

    def more_routes(self, one: str) -> list[Route]:
        """Add the route that copies a session."""
        return [Route(f"{one}/copy", self.copy, methods=["POST"])]

    async def copy(self, request: Request) -> Response:
        """Open a second session with the data of this one."""
        sessions = self.public.sessions
        assert isinstance(sessions, Sessions)
        return JSONResponse(self._description(sessions.copy(self.session_of(request))), 201)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    known = parser("clinic", __doc__, SHIPPED)
    known.add_argument("--applications", nargs="+", metavar="NAME", help="serve only these (default: all)")
    return known.parse_args()


def program(fixtures: Fixtures, applications: dict[str, Application]) -> Program:
    """Make the applications ready to serve."""
    stages = {name: prepare(application, fixtures) for name, application in applications.items()}
    public = Public(Sessions(StartingPoints(fixtures), stages))

    def control(port: int) -> Starlette:
        return ClinicControl(public, port, VERSION).application()

    return Program(NAME, VERSION, tuple(stages), public, control)


def main() -> int:
    """Serve until told to stop; a start that cannot work is one line on stderr."""
    given = arguments()
    try:
        fixtures = open_fixtures(given.fixtures)
        served = program(fixtures, discover(given.applications))
        asyncio.run(serve(served, Options(given.listen, given.control, given.until_eof)))
    except (OSError, UnknownApplication) as problem:
        sys.stderr.write(f"clinic: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
