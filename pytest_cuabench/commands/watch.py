"""`cuabench watch`: a page that shows a run while it is played."""

from __future__ import annotations

import argparse
import asyncio
import sys
import webbrowser

from pytest_cuabench.commands.report import add_reports
from pytest_cuabench.errors import SettingError, needing
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.run_names import locate_run, newest_run
from pytest_cuabench.task.text import say

HELP = "Watch a run (default: the newest) in the browser while it is played; pause and abort its episodes."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "run", nargs="?", metavar="RUN", help="a run's folder, or its name (default: the newest)"
    )
    parser.add_argument("--wait", action="store_true", help="wait for a run that does not exist yet")
    parser.add_argument("--read-only", action="store_true", help="refuse to pause, to abort and to take over")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: a free one)")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="name of a proxy in front of the page, by which it may be opened, too (repeatable)",
    )
    parser.add_argument("--no-open", action="store_true", help="print the address without opening a browser")
    add_reports(parser)


def run(options: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    with needing("watch", "`cuabench watch`"):
        from pytest_cuabench.reporting.watch.following import Following
        from pytest_cuabench.reporting.watch.server import address, listen, new_token, serving

    def find() -> Run | None:
        try:
            return (
                locate_run(options.run, options.reports, imported=True)
                if options.run
                else newest_run(options.reports)
            )
        except SettingError as error:
            if options.wait:
                return None
            raise SettingError(f"{error}; --wait waits for one") from error

    following = Following(find)
    find()  # an unknown run is refused before anything is served
    listening, token = listen(options.port), new_token()

    async def serve() -> None:
        async with serving(
            following, listening, token, read_only=options.read_only, allowed=options.allow_host
        ) as task:
            place = address(listening, token)
            say(f"{place}\nCtrl-C ends it.\n")
            sys.stdout.flush()
            if not options.no_open:
                await asyncio.to_thread(webbrowser.open, place)
            await asyncio.wait({task})

    asyncio.run(serve())
    return 0
