"""The run as a whole: its folder, what is written at its start and its end, and who leads it."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_cuabench.errors import SettingError
from pytest_cuabench.failures import Thresholds
from pytest_cuabench.keys import CHOSEN
from pytest_cuabench.ledger import LEDGER, Attempt, Run
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.settings import Settings

if TYPE_CHECKING:
    from pytest_cuabench.gate.session import GateKeeper


def lead_run(config: pytest.Config, settings: Settings) -> Run:
    """Make the run's folder and start reporting on it; in the one process that is no worker.

    Raises:
        SettingError: The folder exists already, or its name is no plain name.
    """
    from pytest_cuabench.reporting.terminal import TerminalProgress

    run = Run(_folder(settings))
    keeper = _keeper(run, settings)
    if not (config.option.collectonly or config.option.help or config.option.markers):
        run.create(_about(config, settings))
        if keeper:
            config.pluginmanager.register(keeper, "cuabench-gate")
        config.pluginmanager.register(TerminalProgress(config, run), "cuabench-terminal")
    return run


def join_run(workerinput: Mapping[str, Any]) -> Run:
    """Return the run that a worker was told to belong to."""
    return Run(Path(workerinput["cuabench_run"]))


def finish_run(run: Run) -> Path | None:
    """Write the reports; return the page to open, or None where nothing was played."""
    from pytest_cuabench.reporting.markdown import write_summary
    from pytest_cuabench.reporting.page import write_report

    if not (run.folder / LEDGER).is_file():
        with suppress(OSError):  # only what `create` made; the folder may hold a user's own files
            (run.folder / "run.json").unlink()
            run.folder.rmdir()
        return None
    write_summary(run)
    return write_report(run)


def drop_pictures_of_successes(run: Run, attempts: Iterable[Attempt]) -> None:
    """Remove the screenshots of attempts that succeeded."""
    for attempt in attempts:
        if attempt.result is Outcome.SUCCESS and attempt.trajectory:
            for file in (run.folder / attempt.trajectory).glob("*.png"):
                file.unlink()


def _keeper(run: Run, settings: Settings) -> GateKeeper | None:
    """Return the gate of the run, read before anything is played.

    Raises:
        SettingError: It cannot be read, or an audit is to be judged by it.
    """
    if settings.audit and settings.gate_asked:
        raise SettingError("--cua-gate judges agents, and --cua-audit proves tasks; leave one of them out")
    if settings.gate_file is None or settings.audit:
        return None
    from pytest_cuabench.gate.session import keeper

    return keeper(run, settings.gate_file)


def _folder(settings: Settings) -> Path:
    reports = settings.root / settings.reports
    if settings.run is None:
        return _fresh(reports, _default_name(settings))
    if not re.fullmatch(r"[\w.+-]+", settings.run) or settings.run.startswith("."):
        raise SettingError(f"--cua-run: {settings.run!r} must be a plain name of letters, digits, - and _")
    folder = reports / settings.run
    if folder.exists():
        raise SettingError(f"--cua-run: {folder} exists already; choose another name, or remove it")
    return folder


def _default_name(settings: Settings) -> str:
    who = "audit" if settings.audit else re.sub(r"[^\w.-]+", "-", Path(settings.agent or "").stem or "agent")
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{who}"


def _fresh(reports: Path, name: str) -> Path:
    taken = (reports / name, *(reports / f"{name}-{number}" for number in range(2, 1000)))
    return next(folder for folder in taken if not folder.exists())


def _about(config: pytest.Config, settings: Settings) -> dict[str, Any]:
    chosen = config.stash.get(CHOSEN, None)
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "agent": chosen.name if chosen else None,
        "profile": chosen.profile.model_dump(mode="json") if chosen else None,
        "settings": settings.described(),
        "failure_thresholds": Thresholds(settings.early_abort, settings.heavy_loop).to_json(),
        "versions": {
            "pytest-cuabench": version("pytest-cuabench"),
            "pytest": pytest.__version__,
            "python": platform.python_version(),
        },
        "machine": {"system": platform.platform(), "cores": os.cpu_count()},
    }
