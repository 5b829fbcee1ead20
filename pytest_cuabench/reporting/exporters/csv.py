"""`csv`: `attempts.csv` with one row for each attempt, for spreadsheets and data frames."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from pytest_cuabench.ledger.record import Run

_FIELDS = (
    "instance", "number", "suite", "application", "task", "domain", "difficulty", "variant", "seed", "epoch",
    "agent", "outcome", "ending", "steps", "error",
)  # fmt: skip


def export(run: Run, folder: Path) -> Path:
    """Write the attempts of a run."""
    file = folder / "attempts.csv"
    with file.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow([*_FIELDS, "reward", "seconds", "dollars"])
        for attempt in run.attempts():
            reward = attempt.verdict.reward if attempt.verdict else None
            values = [getattr(attempt, name) for name in _FIELDS]
            rows.writerow([*map(_safe, values), reward, attempt.seconds.total, attempt.usage.cost])
    return file


def _safe(value: Any) -> Any:
    """Return a value that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value
