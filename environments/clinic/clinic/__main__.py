"""Command line of the world program."""

import argparse
import asyncio
import sys
from pathlib import Path

from starlette.applications import Starlette

from clinic import NAME, VERSION
from clinic.application import Application
from clinic.catalogue import UnknownApplication, discover
from clinic.fixtures import Fixtures
from clinic.public import Public
from clinic.sessions import Session, Sessions
from clinic.staging import prepare
from clinic.starting_points import StartingPoints
from worldkit.arguments import parser
from worldkit.control import Control
from worldkit.serving import Options, Program, serve

DEFAULT_FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "clinic"


def arguments() -> argparse.Namespace:
    """Read the command line."""
    known = parser("clinic", __doc__, DEFAULT_FIXTURES)
    known.add_argument("--applications", nargs="+", metavar="NAME", help="serve only these (default: all)")
    return known.parse_args()


def program(fixtures: Fixtures, applications: dict[str, Application]) -> Program:
    """Make the applications ready to serve."""
    stages = {name: prepare(application, fixtures) for name, application in applications.items()}
    public = Public(Sessions(StartingPoints(fixtures), stages))

    def control(port: int) -> Starlette:
        return Control[Session](public, port, VERSION).application()

    return Program(NAME, VERSION, tuple(stages), public, control)


def main() -> int:
    """Serve until told to stop; a start that cannot work is one line on stderr."""
    given = arguments()
    try:
        served = program(Fixtures(given.fixtures), discover(given.applications))
        asyncio.run(serve(served, Options(given.listen, given.control, given.until_eof)))
    except (OSError, UnknownApplication) as problem:
        sys.stderr.write(f"clinic: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
