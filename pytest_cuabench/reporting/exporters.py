"""Report exporters: what installed packages make of a finished run, found by entry point.

    [project.entry-points."pytest_cuabench.exporters"]
    wiki = "my_package:export"

An exporter is a function that is given the run and returns the file that it wrote, or a class whose object has such
a method `export`:

    def export(run: Run) -> Path | None:
        file = run.folder / "wiki.txt"
        file.write_text("\\n".join(f"* {attempt.instance}: {attempt.outcome}" for attempt in run.attempts()))
        return file
"""

from __future__ import annotations

import csv
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.settings import EXPORTERS
from pytest_cuabench.task.names import unknown_name


class ExportFailure(CuabenchError):
    """An exporter broke; what was recorded and judged stays as it is."""


def export(run: Run, name: str) -> Path | None:
    """Let an exporter write what it makes of a run; return the file, where the exporter tells it.

    Raises:
        SettingError: No exporter has this name.
        ExportFailure: It broke.
    """
    known = {entry.name: entry for entry in entry_points(group=EXPORTERS)}
    if name not in known:
        raise SettingError(unknown_name("exporter", name, known))
    try:
        found: Any = known[name].load()
        written = (found().export if isinstance(found, type) else found)(run)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ExportFailure(f"the exporter {name} broke, and the run is as it was: {reason}") from error
    return Path(written) if written is not None else None


def write_csv(run: Run) -> Path:
    """Write `attempts.csv`: one row for each attempt, for spreadsheets and data frames."""
    file = run.folder / "attempts.csv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow([*_FIELDS, "reward", "seconds", "dollars"])
        for attempt in run.attempts():
            reward = attempt.verdict.reward if attempt.verdict else None
            values = [getattr(attempt, name) for name in _FIELDS]
            rows.writerow([*map(_safe, values), reward, attempt.seconds.total, attempt.usage.cost])
    return file


_FIELDS = (
    "instance", "number", "suite", "application", "task", "domain", "difficulty", "variant", "seed", "epoch",
    "agent", "outcome", "ending", "steps", "error",
)  # fmt: skip


def _safe(value: Any) -> Any:
    """Return a value that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value
