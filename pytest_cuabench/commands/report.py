"""`cuabench report`: write a run's page again, or one page of several runs side by side."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pytest_cuabench.errors import SettingError
from pytest_cuabench.run_names import locate_run

HELP = "Write the report of a run again, or of several runs side by side, and print its path."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which runs, and what the page is to hold."""
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="a run's folder, or its name; the first is compared with"
    )
    parser.add_argument(
        "--inline", action="store_true", help="put the screenshots into the page, so that it can be sent"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="where to write (default: in the first run's folder)"
    )
    add_reports(parser)


def add_reports(parser: argparse.ArgumentParser) -> None:
    """Say where runs are kept."""
    parser.add_argument(
        "--reports",
        type=Path,
        default=Path("reports"),
        metavar="DIR",
        help="where runs are kept (default: reports)",
    )


def run(options: argparse.Namespace) -> int:
    """Write the page.

    Raises:
        SettingError: A run is not there or named twice, or the page cannot be written.
    """
    from pytest_cuabench.reporting.page import write_report

    found = [locate_run(name, options.reports) for name in options.runs]
    folders = [each.folder.resolve() for each in found]
    if twice := next((each for each in folders if folders.count(each) > 1), None):
        raise SettingError(f"{twice} is named twice; name different runs to compare them")
    try:
        page = write_report(*found, file=options.output, inline=options.inline)
    except OSError as error:
        raise SettingError(f"the report cannot be written: {error}; use --output=FILE") from error
    sys.stdout.write(f"{page} ({page.stat().st_size / 1e6:.1f} MB)\n")
    return 0
