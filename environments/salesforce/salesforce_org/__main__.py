"""Command line of the world program."""

import asyncio
import sys
from pathlib import Path

from starlette.applications import Starlette

from salesforce_org import NAME, VERSION
from salesforce_org.api import answer
from salesforce_org.control import OrgControl
from salesforce_org.pages.staging import prepare
from salesforce_org.public import Public
from salesforce_org.seeding import Seeder
from salesforce_org.sessions import Sessions
from worldkit.arguments import parser
from worldkit.serving import Options, Program, serve

DEFAULT_FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "salesforce"


def program(fixtures: Path) -> Program:
    """Make the org ready to serve.

    Raises:
        ValueError: The schema or the fixtures are malformed.
    """
    environment, assets = prepare()
    public = Public(Sessions(Seeder(fixtures).build), environment, assets, answer)

    def control(port: int) -> Starlette:
        return OrgControl(public, port, VERSION).application()

    return Program(NAME, VERSION, (NAME,), public, control)


def main() -> int:
    """Serve until told to stop; a start that cannot work is one line on stderr."""
    given = parser("salesforce_org", __doc__, DEFAULT_FIXTURES).parse_args()
    try:
        asyncio.run(serve(program(given.fixtures), Options(given.listen, given.control, given.until_eof)))
    except (OSError, ValueError) as problem:
        sys.stderr.write(f"salesforce: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
