"""Starts one desktop and serves it: the guest of the desktop drivers."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import sys
from pathlib import Path

from guest import mounts, seccomp
from guest.errors import BadRequest, GuestError
from guest.server import Address, Given, Serving, serve
from guest.session import Options
from guest.xserver import use_display

_PROGRAMS = {
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "dbus-daemon": "dbus-daemon",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
}
_LONGEST_STATE = 70  # characters: socket paths below it are limited


def listen_address(text: str) -> Address:
    """Return the socket of unix:PATH or given:PATH, or host and port of HOST:PORT; port 0 asks for a free one."""
    if text.startswith("given:"):
        return Given(Path(text.removeprefix("given:")))
    if text.startswith("unix:"):
        return Path(text.removeprefix("unix:"))
    host, separator, port = text.rpartition(":")
    if not separator or not host or not port.isdigit():
        raise argparse.ArgumentTypeError(f"expected unix:PATH, given:PATH or HOST:PORT, got {text!r}")
    return host.strip("[]"), int(port)


def screen_size(text: str) -> tuple[int, int]:
    """Return width and height of WxH."""
    match = re.fullmatch(r"(\d{3,4})x(\d{3,4})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"expected WIDTHxHEIGHT such as 1920x1080, got {text!r}")
    return int(match[1]), int(match[2])


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m guest", description=__doc__)
    parser.add_argument(
        "--listen", type=listen_address, required=True, metavar="unix:PATH|given:PATH|HOST:PORT"
    )
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="what callers must know")
    parser.add_argument("--without-token", action="store_true", help="serve everybody who reaches the port")
    parser.add_argument(
        "--state", type=Path, required=True, metavar="DIR", help="a folder for this desktop alone"
    )
    parser.add_argument("--screen", type=screen_size, default=(1920, 1080), metavar="WxH")
    parser.add_argument("--confine", default="bwrap", metavar="bwrap|user:NAME|none")
    parser.add_argument("--display", metavar=":N", help="use an X server that is there already")
    parser.add_argument("--until-eof", action="store_true", help="also end when standard input is closed")
    return parser.parse_args()


def main() -> int:
    """Serve until stopped; an error at the start is one line on stderr."""
    given = arguments()
    os.umask(0o022)  # the programs' user reads what is made for it
    try:
        serving = _serving(given)
        asyncio.run(serve(serving))
    except (OSError, GuestError) as problem:
        sys.stderr.write(f"guest: {problem}\n")
        return 1
    return 0


def _serving(given: argparse.Namespace) -> Serving:
    token = given.token_file.read_text(encoding="utf-8").strip() if given.token_file else None
    if token == "":
        raise BadRequest(f"the token file {given.token_file} is empty")
    if token is None and not isinstance(given.listen, Path | Given) and not given.without_token:
        raise BadRequest("a port needs --token-file FILE; --without-token serves everybody who reaches it")
    if (given.confine == "none") != (given.display is not None):
        raise BadRequest("--confine none and --display :N go together: an X server that is there already")
    state = given.state.resolve()
    if len(str(state)) > _LONGEST_STATE:
        raise BadRequest(
            f"--state {state} is too long for sockets; choose one of {_LONGEST_STATE} characters"
        )
    _check_programs(display=given.display is not None)
    state.mkdir(parents=True, exist_ok=True)
    if given.confine == "bwrap":
        mounts.mount_folders(state)
    if given.confine.startswith("user:"):
        seccomp.restrict(allowed=("clock_settime",))  # for `clock.py`
    screen = _size_of(given.display) if given.display is not None else given.screen
    options = Options(state, screen, given.display)
    return Serving(given.listen, token, given.until_eof, options, given.confine)


def _size_of(display: str) -> tuple[int, int]:
    """Return the size of an existing screen."""
    server = use_display(display)
    size = server.display.size
    server.display.close()
    return size


def _check_programs(*, display: bool) -> None:
    needless = ("Xvfb", "openbox") if display else ()
    lacking = (name for name in _PROGRAMS if name not in needless and shutil.which(name) is None)
    absent = [_PROGRAMS[name] for name in lacking]
    if absent:
        raise BadRequest(f"this machine lacks what a desktop needs; type: apt-get install {' '.join(absent)}")


if __name__ == "__main__":
    sys.exit(main())
