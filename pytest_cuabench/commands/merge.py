"""`cuabench merge`: merge the runs of several machines into one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pytest_cuabench.ledger.merge import merge, missing_shards
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.reporting.finish import finish_run
from pytest_cuabench.task.text import many

HELP = "Merge the runs of several machines (shards) into one run with reports; the inputs stay unchanged."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run's folder, or its name in reports/")
    parser.add_argument(
        "--into",
        required=True,
        type=Path,
        metavar="DIR",
        help="a new folder, or an earlier merged run",
    )


def run(options: argparse.Namespace) -> int:
    """Merge the runs, write the reports, and print a summary."""
    merged = merge([locate_run(name) for name in options.runs], options.into, options.key)
    page = finish_run(merged)
    attempts, instances = sum(1 for _ in merged.attempts()), len(merged.last_attempts())
    if missing := missing_shards(merged.about()):
        sys.stdout.write(f"missing: {many(len(missing), 'shard')}, {', '.join(missing)}\n")
    sys.stdout.write(
        f"{len(options.runs)} runs: {instances} instances, {attempts} attempts\nreport: {page}\n"
    )
    return 0
