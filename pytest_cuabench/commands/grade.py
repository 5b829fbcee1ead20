"""`cuabench grade`: judge a recorded run again with the checks of today."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_cuabench import locks
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger import Run
from pytest_cuabench.regrade import Judged, grade, write
from pytest_cuabench.reporting.words import visible
from pytest_cuabench.run_names import locate_run
from pytest_cuabench.runs import finish_run

HELP = (
    "Judge a recorded run again with the checks of today, without playing, and list the verdicts that changed. "
    "Exit code 0: none did; 3: some did; 1: some attempts cannot be judged any more."
)
CHANGED = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which run, where its suites lie, and whether to keep the new verdicts."""
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name in reports/")
    parser.add_argument(
        "--suite",
        action="append",
        default=[],
        type=Path,
        metavar="DIR",
        help="the folder of a suite that is neither shipped nor installed nor in ./suites",
    )
    parser.add_argument(
        "--write", action="store_true", help="add the new verdicts to the run; the old ones stay"
    )
    parser.add_argument(
        "--upstream-scoring",
        action="store_true",
        help="score all tasks as the authors of their benchmark do, where ours is another way",
    )


def run(options: argparse.Namespace) -> int:
    """Judge, say what changed, and keep it where that is wanted."""
    found = locate_run(options.run)
    judged = grade(found, _suites(options.suite), upstream=options.upstream_scoring)
    changed = [each for each in judged if each.changed]
    failed = [each for each in judged if each.new is None]
    if options.write and changed:
        _keep(found, changed)
    sys.stdout.write("\n".join(_told(judged, changed, failed, written=options.write)) + "\n")
    return 1 if failed else CHANGED if changed else 0


def _suites(given: Sequence[Path]) -> dict[str, Path]:
    for folder in given:
        if not (folder / "suite.toml").is_file():
            raise SettingError(f"--suite: {folder} is no suite: there is no suite.toml in it")
    own = [file.parent for file in sorted(Path("suites").glob("*/suite.toml"))]
    return {folder.resolve().name: folder.resolve() for folder in (*own, *given)}


def _keep(found: Run, changed: Sequence[Judged]) -> None:
    lock = locks.lead(found.folder)
    try:
        write(found, changed)
        finish_run(found)
    finally:
        lock.release()


def _told(
    judged: Sequence[Judged], changed: Sequence[Judged], failed: Sequence[Judged], *, written: bool
) -> Iterator[str]:
    for each in changed:
        assert each.new is not None
        yield f"{_name(each)}: {each.old.outcome} -> {each.new.outcome}"
        yield from (f"    {visible(reason)}" for reason in each.reasons())
    for each in failed:
        yield f"{_name(each)}: cannot be judged, stays {each.old.outcome}: {visible(each.problem)}"
    words = f"{len(judged)} attempts judged again: {len(changed)} changed"
    yield words + (f", {len(failed)} could not be judged" if failed else "")
    if changed:
        yield (
            "the new verdicts are in the ledger"
            if written
            else "nothing was written; --write keeps the new verdicts"
        )


def _name(each: Judged) -> str:
    return f"{visible(each.old.instance)} attempt {each.old.number}"
