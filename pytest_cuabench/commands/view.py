"""`cuabench view`: open a run's page in the browser."""

from __future__ import annotations

import argparse
import sys
import webbrowser

from pytest_cuabench.commands.report import add_reports
from pytest_cuabench.run_names import locate_run, newest_run

HELP = "Open the report of a run, the newest if none is named, and print its path."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which run."""
    parser.add_argument(
        "run", nargs="?", metavar="RUN", help="a run's folder, or its name (default: the newest)"
    )
    add_reports(parser)


def run(options: argparse.Namespace) -> int:
    """Write the page where there is none, as after a run that was killed, and open it."""
    from pytest_cuabench.reporting.page import FILE, write_report

    found = locate_run(options.run, options.reports) if options.run else newest_run(options.reports)
    page = found.folder / FILE
    if not page.is_file():
        page = write_report(found)
    sys.stdout.write(f"{page}\n")
    sys.stdout.flush()
    if not webbrowser.open(page.resolve().as_uri()):
        sys.stderr.write("no browser could be opened; open this file in one\n")
    return 0
