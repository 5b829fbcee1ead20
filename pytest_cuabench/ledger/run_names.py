"""Which run a person means: a folder, a name within the reports folder, or simply the newest one."""

from __future__ import annotations

from pathlib import Path

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.lines import ABOUT, LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.names import did_you_mean

REPORTS = Path("reports")


def locate_run(place: str, reports: Path = REPORTS, source: str = "", *, imported: bool = False) -> Run:
    """Return the run that a person names by its folder, or by its name among the reports.

    Args:
        source: The option that names it, for the sentence.
        imported: Whether it may be one that another program recorded; such a run is shown, and no more.

    Raises:
        SettingError: It is neither; the sentence names the newest of those that there are.
    """
    for folder in (Path(place), reports / place):
        if (folder / LEDGER).is_file() or (folder / ABOUT).is_file():
            run = Run(folder)
            if run.imported and not imported:
                words = "was imported: it was not played or judged here, and can only be shown"
                raise SettingError(
                    f"{f'{source}: ' if source else ''}{place} {words}; type: cuabench view {place}"
                )
            return run
    names = [run.name for run in runs(reports)]
    known = f"the newest in {reports}: {', '.join(names[:5])}" if names else f"{reports} holds no runs"
    near = did_you_mean(place, names)
    raise SettingError(f"{f'{source}: ' if source else ''}no run named {place!r}; {known}{near}")


def newest_run(reports: Path) -> Run:
    """Return the run that was written to last.

    Raises:
        SettingError: The folder holds no run.
    """
    if found := runs(reports):
        return found[0]
    raise SettingError(f"no runs in {reports}; name a run's folder, or use --reports=DIR")


def runs(reports: Path) -> list[Run]:
    """Return the runs of a reports folder, the newest first."""
    found = {
        file.parent: file.stat().st_mtime for name in (ABOUT, LEDGER) for file in reports.glob(f"*/{name}")
    }
    return [Run(folder) for folder in sorted(found, key=lambda folder: found[folder], reverse=True)]
