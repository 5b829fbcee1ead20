"""Exporters: what installed packages make of a recorded run, found by entry point.

    [project.entry-points."pytest_cuabench.exporters"]
    wiki = "my_package:export"

An exporter is a function that is given the run and a new, empty folder, writes into it, and returns the file to open
first, or None for the folder as a whole; or a class whose object has such a method `export`:

    def export(run: Run, folder: Path) -> Path | None:
        file = folder / "wiki.txt"
        file.write_text("\\n".join(f"* {attempt.instance}: {attempt.outcome}" for attempt in run.attempts()))
        return file

Each of this package's own formats is one module here; `records.py` is what they have in common.
"""

from __future__ import annotations

import shutil
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import CuabenchError, Missing, SettingError
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.settings import EXPORTERS
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.tracebacks import told

FOLDER = "exports"  # within a run's folder


class ExportFailure(CuabenchError):
    """An exporter broke; what was recorded and judged stays as it is."""


def export(run: Run, name: str, into: Path | None = None) -> Path:
    """Let an exporter write what it makes of a run; return the file that it names, or its folder.

    Args:
        into: A new or empty folder; default: `exports/<name>` in the run's folder, which is written anew each time.

    Raises:
        SettingError: No exporter has this name, the run is invalid, or `into` holds something already.
        Missing: A package that the exporter needs is not installed.
        ExportFailure: It broke.
    """
    found = {entry.name: entry for entry in entry_points(group=EXPORTERS)}
    if name not in found:
        raise SettingError(unknown_name("exporter", name, found))
    exporter = _load(found[name])
    for _ in run.attempts():  # a damaged ledger is refused before anything is written
        break
    folder = _empty(into) if into else _anew(run.folder / FOLDER / name)
    try:
        written = (exporter().export if isinstance(exporter, type) else exporter)(run, folder)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)  # half an export looks like a whole one
        if isinstance(error, ModuleNotFoundError):
            raise _missing(found[name], error) from error
        if isinstance(error, CuabenchError) or not isinstance(error, Exception):
            raise
        raise ExportFailure(f"the exporter {name} broke, and the run is as it was: {told(error)}") from error
    return Path(written) if written is not None else folder


def _load(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except ModuleNotFoundError as error:
        raise _missing(entry, error) from error
    except Exception as error:
        raise ExportFailure(f"the exporter {entry.name} cannot be imported: {told(error)}") from error


def _missing(entry: EntryPoint, error: ModuleNotFoundError) -> Missing:
    theirs = entry.dist.metadata if entry.dist else None
    extra = theirs and entry.name in (theirs.get_all("Provides-Extra") or ())
    advice = f"type: pip install '{theirs['Name']}[{entry.name}]'" if theirs and extra else "install it"
    return Missing(f"the exporter {entry.name} needs the package {error.name!r}; {advice}")


def _empty(folder: Path) -> Path:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SettingError(
            f"{folder} already exists and is not an empty folder; name a new one with --output=DIR"
        )
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _anew(folder: Path) -> Path:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    return folder
