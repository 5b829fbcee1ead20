"""`cuabench report`: rewrite the HTML report of a run, or write one of several runs side by side."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.task.text import say, visible

HELP = "Rewrite the HTML report of a run, or write one of several runs side by side, and print its path."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="a run's folder, or its name; others are compared with the first",
    )
    parser.add_argument(
        "--inline",
        action="store_true",
        help="embed the screenshots in the page, so that it can be sent as one file",
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="output file (default: in the first run's folder)"
    )
    add_reports(parser)


def add_reports(parser: argparse.ArgumentParser) -> None:
    """Add the option for the reports folder."""
    parser.add_argument(
        "--reports",
        type=Path,
        default=Path("reports"),
        metavar="DIR",
        help="folder of the runs (default: reports)",
    )


def run(options: argparse.Namespace) -> int:
    """Write the report.

    Raises:
        SettingError: A run does not exist or is given twice, or the report cannot be written.
    """
    from pytest_cuabench.ledger.history import warnings
    from pytest_cuabench.reporting.page import write_report

    alone = len(options.runs) == 1  # what was imported is compared with nothing
    found = [locate_run(name, options.reports, imported=alone) for name in options.runs]
    folders = [each.folder.resolve() for each in found]
    if twice := next((each for each in folders if folders.count(each) > 1), None):
        raise SettingError(f"{twice} is named twice; name different runs to compare them")
    try:
        page = write_report(*found, file=options.output, inline=options.inline)
    except OSError as error:
        raise SettingError(f"cannot write the report: {error}; use --output=FILE") from error
    for warning in (each for run in found for each in warnings(run)):
        say(f"cuabench report: {visible(warning)}\n", sys.stderr)
    say(f"{page} ({page.stat().st_size / 1e6:.1f} MB)\n")
    return 0
