"""`csv`: `attempts.csv` with one row for each attempt, for spreadsheets and data frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.sheet import write_rows

_FIELDS = (
    "instance", "number", "suite", "application", "task", "domain", "difficulty", "variant", "seed", "epoch",
    "agent", "outcome", "ending", "steps", "error",
)  # fmt: skip
_TOKENS = ("tokens_in", "tokens_out", "tokens_cached")


def export(run: Run, folder: Path) -> Path:
    """Write the attempts of a run."""
    file = folder / "attempts.csv"
    rows: list[list[Any]] = [[*_FIELDS, "reward", "seconds", *_TOKENS, "dollars"]]
    for attempt in run.attempts():
        reward = attempt.verdict.reward if attempt.verdict else None
        tokens = [getattr(attempt.cost.usage, name) for name in _TOKENS]
        values = attempt.values()
        rows.append(
            [
                *(values[name] for name in _FIELDS),
                reward,
                attempt.cost.seconds.total,
                *tokens,
                attempt.cost.usage.cost,
            ]
        )
    with file.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        write_rows(stream, rows)
    return file
