"""`cuabench export`: write a recorded run in a format of other programs."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_cuabench.commands.report import add_reports
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.task.text import say

HELP = "Write a recorded run in a format of other programs, and print where."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name")
    parser.add_argument(
        "--to",
        required=True,
        metavar="FORMAT",
        help="atif: agent trajectories; openinference: OpenTelemetry spans; hf: a Hugging Face data set; mlflow: runs "
        "of MLflow; csv: a row for each attempt; or an exporter of an installed package",
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="DIR",
        help="a new or empty folder (default: exports/FORMAT in the run's folder, written anew each time)",
    )
    add_reports(parser)


def run(options: argparse.Namespace) -> int:
    """Write the export, and print the file to open first.

    Raises:
        SettingError: The run or the format is unknown, a record is damaged, or the folder holds something already.
        ExportFailure: The exporter broke.
    """
    from pytest_cuabench.reporting.exporters import export

    written = export(locate_run(options.run, options.reports), options.to, options.output)
    say(f"{written}\n")
    return 0
