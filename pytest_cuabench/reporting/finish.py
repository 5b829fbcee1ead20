"""Write the reports of a run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from pytest_cuabench.ledger import live, locks
from pytest_cuabench.ledger.lines import ABOUT, LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.markdown import write_summary
from pytest_cuabench.reporting.page import write_report


def finish_run(run: Run) -> Path | None:
    """Write the reports and return the HTML report's path; None where nothing was played."""
    if not (run.folder / LEDGER).is_file():
        live.close_session(run.folder)
        with suppress(OSError):  # only what `create` wrote; the folder may hold the user's own files
            (run.folder / ABOUT).unlink()
            (run.folder / locks.FILE).unlink()
            run.folder.rmdir()
        return None
    write_summary(run)
    return write_report(run)
