"""Command line of the world program."""

import argparse
import asyncio
import sys
from pathlib import Path

from clinic.catalogue import UnknownApplication, discover
from clinic.fixtures import Fixtures
from clinic.server import Options, serve

DEFAULT_FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "clinic"


def listen_address(text: str) -> tuple[str, int]:
    """Split HOST:PORT; port 0 asks the system for a free one."""
    host, separator, port = text.rpartition(":")
    if not separator or not host or not port.isdigit():
        raise argparse.ArgumentTypeError(f"expected HOST:PORT, got {text!r}")
    return host, int(port)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m clinic", description=__doc__)
    parser.add_argument("--listen", type=listen_address, default=("127.0.0.1", 0), metavar="HOST:PORT")
    parser.add_argument("--control", type=Path, required=True, metavar="SOCKET")
    parser.add_argument("--fixtures", type=Path, default=DEFAULT_FIXTURES, metavar="DIR")
    parser.add_argument("--applications", nargs="+", metavar="NAME", help="serve only these (default: all)")
    parser.add_argument("--until-eof", action="store_true", help="also end when standard input is closed")
    return parser.parse_args()


def main() -> int:
    """Serve until told to stop; a start that cannot work is one line on stderr."""
    given = arguments()
    try:
        applications = discover(given.applications)
        options = Options(
            given.listen, given.control, Fixtures(given.fixtures), applications, given.until_eof
        )
        asyncio.run(serve(options))
    except (OSError, UnknownApplication) as problem:
        sys.stderr.write(f"clinic: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
