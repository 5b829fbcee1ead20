"""`cuabench merge`: join the runs of several machines into one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pytest_cuabench.merge import merge, missing_shards
from pytest_cuabench.reporting.words import many
from pytest_cuabench.run_names import locate_run
from pytest_cuabench.runs import finish_run

HELP = "Join the runs of several machines (shards) into one, with its reports; the inputs stay as they are."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which runs, and where to."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run's folder, or its name in reports/")
    parser.add_argument(
        "--into",
        required=True,
        type=Path,
        metavar="DIR",
        help="a new folder, or a run that was merged before",
    )


def run(options: argparse.Namespace) -> int:
    """Join them, write the reports, and say what there is."""
    merged = merge([locate_run(name) for name in options.runs], options.into)
    page = finish_run(merged)
    attempts, instances = sum(1 for _ in merged.attempts()), len(merged.last_attempts())
    if missing := missing_shards(merged.about()):
        sys.stdout.write(f"not there yet: {many(len(missing), 'shard')}, {', '.join(missing)}\n")
    sys.stdout.write(
        f"{len(options.runs)} runs: {instances} instances, {attempts} attempts\nreport: {page}\n"
    )
    return 0
