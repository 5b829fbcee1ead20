"""`cuabench import`: show what other programs recorded."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from pytest_cuabench.commands.report import add_reports
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.text import many, say

HELP = "Make a report of trajectories in ATIF that other programs recorded; they are shown, and never gated or counted."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "places",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="a trajectory's JSON file, or a folder in which all files trajectory*.json are taken",
    )
    parser.add_argument("--run", metavar="NAME", help="name of the new run (default: imported-PATH)")
    add_reports(parser)


def run(options: argparse.Namespace) -> int:
    """Write the run with its report, and print what was left out.

    Raises:
        SettingError: A file is missing or invalid, or the run exists already.
    """
    from pytest_cuabench.ledger.atif import read_trajectories
    from pytest_cuabench.ledger.foreign import import_run
    from pytest_cuabench.reporting.page import write_report

    name = options.run or "imported-" + re.sub(r"[^\w.+-]+", "-", options.places[0].resolve().stem)
    if not re.fullmatch(r"[\w+-][\w.+-]*", name):
        raise SettingError(f"invalid value for --run: {name!r}; expected letters, digits and . + - _")
    found = read_trajectories(options.places)
    made, left_out = import_run(found, options.reports / name)
    page = write_report(made)
    told = f"; {many(left_out, 'picture')} not found in the folder of their trajectory" if left_out else ""
    say(f"{many(len(found), 'attempt')} imported{told}\nreport: {page}\n")
    return 0
