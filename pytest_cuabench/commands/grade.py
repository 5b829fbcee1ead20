"""`cuabench grade`: judge a recorded run again with the current checks."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger import locks
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.regrade import Judged, grade, write
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.ledger.signing import Key, Signer, admit
from pytest_cuabench.reporting.finish import finish_run
from pytest_cuabench.task.text import say, visible

HELP = (
    "Judge a recorded run again with the current checks, without playing, and list the changed verdicts. "
    "Exit code 0: no changes; 3: changes; 1: some attempts can no longer be judged."
)
CHANGED = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name in reports/")
    add_suites(parser)
    parser.add_argument(
        "--write", action="store_true", help="add the new verdicts to the run; the old ones are kept"
    )
    parser.add_argument(
        "--upstream-scoring",
        action="store_true",
        help="score tasks by the benchmark authors' own rules, where they differ from the suite's",
    )


def add_suites(parser: argparse.ArgumentParser) -> None:
    """Add the option for suites' folders."""
    parser.add_argument(
        "--suite",
        action="append",
        default=[],
        type=Path,
        metavar="DIR",
        help="folder of a suite that is neither shipped nor installed nor in ./suites; may be repeated",
    )


def run(options: argparse.Namespace) -> int:
    """Judge the run again, print the changes, and write them with `--write`."""
    found = locate_run(options.run)
    judged = grade(found, suite_folders(options.suite), upstream=options.upstream_scoring)
    changed = [each for each in judged if each.changed]
    failed = [each for each in judged if each.new is None]
    if options.write and changed:
        _keep(found, changed, options.key)
    say("\n".join(_told(judged, changed, failed, written=options.write)) + "\n")
    return 1 if failed else CHANGED if changed else 0


def suite_folders(given: Sequence[Path]) -> dict[str, Path]:
    """Return the folders of the suites in ./suites and the given ones, by name.

    Raises:
        SettingError: A folder is not a suite.
    """
    for folder in given:
        if not (folder / "suite.toml").is_file():
            raise SettingError(f"--suite: {folder} is not a suite: it holds no suite.toml")
    own = [file.parent for file in sorted(Path("suites").glob("*/suite.toml"))]
    return {folder.resolve().name: folder.resolve() for folder in (*own, *given)}


def _keep(found: Run, changed: Sequence[Judged], key: Key | None) -> None:
    lock = locks.lead(found.folder)
    try:
        closed = admit(found.folder, key, "--write")
        signing = Run(found.folder, Signer(key) if key else None)
        write(signing, changed)
        if closed:
            signing.close()
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
        yield f"{_name(each)}: cannot be judged, {each.old.outcome} is kept: {visible(each.problem)}"
    words = f"{len(judged)} attempts judged again: {len(changed)} changed"
    yield words + (f", {len(failed)} could not be judged" if failed else "")
    if changed:
        yield (
            "the new verdicts were added to the ledger"
            if written
            else "nothing was written; add --write to keep the new verdicts"
        )


def _name(each: Judged) -> str:
    return f"{visible(each.old.item.instance)} attempt {each.old.number}"
