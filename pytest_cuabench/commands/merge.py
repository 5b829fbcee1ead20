"""`cuabench merge`: merge the runs of several machines into one."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from pytest_cuabench.ledger.merge import merge, missing_shards
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.ledger.store import Store, is_url
from pytest_cuabench.reporting.finish import finish_run
from pytest_cuabench.task.text import many, say

HELP = "Merge the runs of several machines (shards) into one run with reports; the inputs stay unchanged."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="a run's folder, its name in reports/, or a URL in object storage (of a run, or of a folder of runs)",
    )
    parser.add_argument(
        "--into",
        required=True,
        type=Path,
        metavar="DIR",
        help="a new folder, or an earlier merged run",
    )

    parser.add_argument(
        "--pictures",
        choices=("link", "copy"),
        default="link",
        help="link pictures that are in object storage (default), or copy them",
    )


def run(options: argparse.Namespace) -> int:
    """Merge the runs, write the reports, and print a summary."""
    with tempfile.TemporaryDirectory(prefix="cuabench-merge-") as folder:
        runs = list(_runs(options.runs, Path(folder), options.pictures == "copy"))
        merged = merge(runs, options.into, options.key)
    page = finish_run(merged)
    attempts, instances = sum(1 for _ in merged.attempts()), len(merged.last_attempts())
    if missing := missing_shards(merged.about()):
        say(f"missing: {many(len(missing), 'shard')}, {', '.join(missing)}\n")
    say(f"{len(runs)} runs: {instances} instances, {attempts} attempts\nreport: {page}\n")
    return 0


def _runs(names: Iterable[str], folder: Path, pictures: bool) -> Iterator[Run]:
    """Yield the runs; those in object storage are fetched into a folder."""
    for number, name in enumerate(names):
        if not is_url(name):
            yield locate_run(name)
            continue
        for there in Store.open(name).runs():
            here = folder / str(number) / there.url.rpartition("/")[2]
            there.fetch(here, pictures=pictures)
            yield Run(here)
