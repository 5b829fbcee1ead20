"""The common command line of world programs."""

import argparse
from pathlib import Path


def listen_address(text: str) -> tuple[str, int]:
    """Split HOST:PORT; port 0 asks the system for a free one."""
    host, separator, port = text.rpartition(":")
    if not separator or not host or not port.isdigit():
        raise argparse.ArgumentTypeError(f"expected HOST:PORT, got {text!r}")
    return host, int(port)


def parser(name: str, description: str | None, fixtures: Path) -> argparse.ArgumentParser:
    """Return the parser; a program may add its own options."""
    made = argparse.ArgumentParser(prog=f"python -m {name}", description=description)
    made.add_argument("--listen", type=listen_address, default=("127.0.0.1", 0), metavar="HOST:PORT")
    made.add_argument("--control", type=Path, required=True, metavar="SOCKET")
    made.add_argument("--fixtures", type=Path, default=fixtures, metavar="DIR")
    made.add_argument("--until-eof", action="store_true", help="also end when standard input is closed")
    return made
