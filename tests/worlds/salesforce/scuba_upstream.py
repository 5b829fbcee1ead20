"""What the authors' published rules give for each task of SCUBA: after the reference, and after nothing was done."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.model import Task

from .scuba_trials import SUITE, Trial

PAGE = Path(__file__).resolve().parents[3] / "docs" / "scuba-errata.md"
HEADING = "## Scores by the published rules\n"
_TEXT = """
The score of `--cua-upstream-scoring` for each task: after our reference solution, and after nothing was done. Made by
`scripts/scuba-pages`.

| tasks | done right | nothing done | why |
|---|---|---|---|
"""
# Why a score is not 1 and 0, by the beginning of the tasks' ids; the longest one counts.
WHY = {
    "admin_008_003": "a relative date would have to be equal to a date",
    "admin_031": "the default is as asked already, and counts",
    "admin_033_004": "no org calls 90 days ThreeMonths",
    "service_002": "without filter logic asked for, none counts",
    "service_002_004": "no user's name begins as the published one",
    "admin_023": "a default of a new org is as asked, and counts",
    "admin_035": "the top role CEO is there and counts",
    "admin_035_002": "a stock role would have to be new, and at the top",
    "sales_001": "another company of the name comes first",
    "service_001": "an e-mail address that was not asked for counts",
}


def scores(task: Task) -> tuple[float, float]:
    """Return the published rules' scores of a task that was done right, and of one that was not begun."""
    trial, rules = Trial(task), task.scored_upstream()
    after = rules.judge(trial.evidence(), trial.case)
    idle = rules.judge(Evidence(trial.before, trial.before), trial.case)
    return round(after.score, 3), round(idle.score, 3)


def reason(task: Task) -> str:
    """Return why the scores of a task are not 1 and 0; empty where nobody said."""
    found = [start for start in WHY if task.id.startswith(start)]
    return WHY[max(found, key=len)] if found else ""


def section() -> str:
    """Return the page's last section."""
    return HEADING + _TEXT + "".join(f"{row}\n" for row in _rows())


def _rows() -> Iterator[str]:
    tasks = sorted(SUITE.tasks, key=lambda task: task.id)
    told = ((task, *scores(task)) for task in tasks)
    for (template, right, idle), group in groupby(told, key=lambda one: (one[0].template, *one[1:])):
        ids = [task.id.removeprefix(f"{template}_") for task, *_ in group]
        why = (
            ""
            if (right, idle) == (1, 0)
            else reason(next(task for task in tasks if task.id == f"{template}_{ids[0]}"))
        )
        yield f"| {template} {', '.join(ids)} | {right:g} | {idle:g} | {why} |"
