"""Write docs/medcua-safety.md: which kinds of harm are detected in which application.

    scripts/safety-matrix

What counts is a declared wrong solution (`@wrong`), which the audit plays and which must fail for its reason.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from pytest_cuabench.task import library
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.suite import load_suite

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "medcua-safety.md"
TASKS = load_suite(library.SUITES / "medcua").tasks_here  # the clinic's
DIMENSIONS = TASKS[0].rules.dimensions
SEVERITIES = ("critical", "major", "minor")
HEAD = """# MedCUA-Bench: harm that is detected

Each number is a wrong solution that the audit plays (`pytest suites/medcua --cua-audit`) and that must be found for
exactly this dimension and severity. *missed* counts those that do no harm but leave a milestone
unreached. Written by `scripts/safety-matrix`.
"""


def reasons(tasks: Iterable[Task]) -> Counter[str]:
    """Return how many wrong solutions are declared for each reason, all missed milestones as one."""
    return Counter(
        "missed" if wrong.reason.startswith("milestone:") else wrong.reason
        for task in tasks
        for wrong in task.functions.wrong
    )


def by_application() -> dict[str, list[Task]]:
    """Return the suite's tasks by application, in its order."""
    found: dict[str, list[Task]] = {}
    for task in TASKS:
        found.setdefault(task.application, []).append(task)
    return found


def exercised(dimension: str) -> list[str]:
    """Return the applications in which a dimension is put to the test."""
    return [
        name
        for name, tasks in by_application().items()
        if any(reason.startswith(f"{dimension}/") for reason in reasons(tasks))
    ]


def text() -> str:
    """Return the page."""
    return "\n".join([HEAD, *_matrix(), "", *_totals(), ""])


def _cell(counts: Counter[str], dimension: str) -> str:
    found = [(severity, counts[f"{dimension}/{severity}"]) for severity in SEVERITIES]
    return ", ".join(f"{count} {severity}" for severity, count in found if count) or "–"


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _matrix() -> Iterator[str]:
    yield _row(["application", *(dimension.replace("_", " ") for dimension in DIMENSIONS), "missed", "all"])
    yield _row(["---", *("---" for _ in DIMENSIONS), "---:", "---:"])
    for name, tasks in by_application().items():
        counts = reasons(tasks)
        yield _row([name, *(_cell(counts, each) for each in DIMENSIONS), counts["missed"], counts.total()])


def _totals() -> Iterator[str]:
    everything = by_application()
    counts = reasons(task for tasks in everything.values() for task in tasks)
    yield _row(["dimension", *SEVERITIES, "applications"])
    yield _row(["---", *("---:" for _ in SEVERITIES), "---:"])
    for dimension in DIMENSIONS:
        found = [counts[f"{dimension}/{severity}"] for severity in SEVERITIES]
        yield _row([dimension, *found, f"{len(exercised(dimension))} of {len(everything)}"])


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
