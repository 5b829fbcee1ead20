"""Which run a person means: a folder, a name within the reports folder, or simply the newest one."""

from __future__ import annotations

from pathlib import Path

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger import LEDGER, Run, find_run


def named_run(name: str, reports: Path) -> Run:
    """Return the run that is called so.

    Raises:
        SettingError: There is none; the sentence names those that there are.
    """
    for folder in (Path(name), reports / name):
        if (folder / LEDGER).is_file():
            return find_run(folder)
    there = ", ".join(run.name for run in runs(reports)[:5])
    raise SettingError(
        f"{name!r} is no run: neither {Path(name)} nor {reports / name} holds a {LEDGER}; "
        + (
            f"the newest in {reports}: {there}"
            if there
            else f"there is no run in {reports}, use --reports=DIR"
        )
    )


def newest_run(reports: Path) -> Run:
    """Return the run that was written to last.

    Raises:
        SettingError: There is none.
    """
    if found := runs(reports):
        return found[0]
    raise SettingError(f"there is no run in {reports}; name one, or use --reports=DIR")


def runs(reports: Path) -> list[Run]:
    """Return the runs of a reports folder, the newest first."""
    ledgers = sorted(reports.glob(f"*/{LEDGER}"), key=lambda file: file.stat().st_mtime, reverse=True)
    return [Run(file.parent) for file in ledgers]
