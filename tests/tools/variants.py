"""Try honest and loose variants of recorded references, without playing; print what does not hold, and a table."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.ledger.inspection import read_ledger
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.recorded import read_evidence
from pytest_cuabench.proof.variants import Tried, try_variants
from pytest_cuabench.task.suite import load_suite


def tried(runs: list[Path], folder: Path, only: str, most: int | None) -> Iterator[tuple[str, Tried]]:
    """Yield what was tried on each recorded reference of the tasks that declare kinds."""
    tasks = {task.name: task for task in load_suite(folder).tasks if task.proof.kinds and only in task.name}
    for run in map(Run, runs):
        for entry in read_ledger(run.folder).entries:
            attempt = entry.attempt
            task = tasks.get(f"{attempt.application}/{attempt.task}")
            if task is not None and "-reference-" in attempt.instance and attempt.verdict is not None:
                evidence, case = read_evidence(run, attempt)
                case = (
                    case
                    if attempt.seed is None
                    else task.case(evidence.before, next(iter(task.goals)), attempt.seed)
                )
                try:
                    yield attempt.instance, try_variants(task, evidence, case, attempt.seed or 0, most=most)
                except CheckerFailure as error:
                    yield attempt.instance, Tried(faults=[str(error)])


def table(found: list[Tried]) -> str:
    """Return how often each form of each kind was tried."""
    honest = Counter((one.kind, one.form) for each in found for one in each.variants if one.honest)
    near = Counter(one.kind for each in found for one in each.variants if not one.honest)
    refused = Counter(
        (one.kind, one.form) for each in found for one in each.variants if one.honest and not one.holds
    )
    lines = ["| kind | forms | honest variants | refused | nearly the same |", "|---|---|---:|---:|---:|"]
    for kind in sorted({kind for kind, _ in honest} | set(near) - {""}):
        forms = ", ".join(sorted({form for name, form in honest if name == kind}))
        count, bad = (
            sum(number for (name, _), number in one.items() if name == kind) for one in (honest, refused)
        )
        lines.append(f"| {kind} | {forms} | {count} | {bad} | {near[kind]} |")
    return "\n".join([*lines, f"\nloose: {near['']}"])


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def main() -> int:
    """Print what does not hold, then the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("-k", default="", help="part of the names of tasks")
    parser.add_argument("--most", type=int, default=None, help="loose changes for each state")
    options = parser.parse_args()
    start, found = time.perf_counter(), []
    for instance, each in tried(options.runs, options.suite, options.k, options.most):
        found.append(each)
        if each.broken:
            _say(f"{instance}\n  " + each.broken.replace("\n", "\n  "))
    seconds = time.perf_counter() - start
    _say(table(found))
    _say(f"{sum(bool(one.broken) for one in found)} of {len(found)} references do not hold; {seconds:.1f} s")
    return int(any(one.broken for one in found))


if __name__ == "__main__":
    sys.exit(main())
