"""`cuabench view`: open a run's HTML report in the browser."""

from __future__ import annotations

import argparse
import sys
import webbrowser

from pytest_cuabench.commands.report import add_reports
from pytest_cuabench.ledger.run_names import locate_run, newest_run
from pytest_cuabench.task.text import say

HELP = "Open the HTML report of a run (default: the newest), and print its path."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "run", nargs="?", metavar="RUN", help="a run's folder, or its name (default: the newest)"
    )
    add_reports(parser)


def run(options: argparse.Namespace) -> int:
    """Open the report, after writing it if it is missing, as after a killed run."""
    from pytest_cuabench.reporting.page import FILE, write_report

    found = (
        locate_run(options.run, options.reports, imported=True)
        if options.run
        else newest_run(options.reports)
    )
    page = found.folder / FILE
    if not page.is_file():
        page = write_report(found)
    say(f"{page}\n")
    sys.stdout.flush()
    if not webbrowser.open(page.resolve().as_uri()):
        say("cannot open a browser; open the file above yourself\n", sys.stderr)
    return 0
