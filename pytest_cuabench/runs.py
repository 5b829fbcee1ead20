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

from pytest_cuabench import locks
from pytest_cuabench.errors import RecordFailure, SettingError
from pytest_cuabench.failures import Thresholds
from pytest_cuabench.keys import CHOSEN, PAST, RUN
from pytest_cuabench.ledger import ABOUT, LEDGER, Attempt, Run, made, now
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.resume import Notice, Past
from pytest_cuabench.run_names import locate_run
from pytest_cuabench.settings import Settings

if TYPE_CHECKING:
    from pytest_cuabench.gate.config import Gate

_LISTINGS = ("collectonly", "help", "markers", "showfixtures", "show_fixtures_per_test", "cacheshow")


def lead_run(config: pytest.Config, settings: Settings) -> Run:
    """Make the run's folder and start reporting on it; in the one process that is no worker.

    Raises:
        SettingError: The folder exists already, cannot be made, or its name is no plain name.
    """
    gate = _gate(settings)
    if any(config.getoption(name, default=False) for name in _LISTINGS):
        return Run(settings.root / settings.reports / "listed")
    run = _resumed(settings) if settings.resume else Run(_new_folder(settings))
    try:
        lock = locks.lead(run.folder)
        config.add_cleanup(lambda: locks.leave(run.folder, lock))
        (run.go_on if settings.resume else run.create)(_about(config, settings))
    except RecordFailure as failure:
        raise SettingError(f"this run cannot be recorded: {failure}") from failure
    _reap(config)
    if settings.resume:
        config.stash[PAST] = past = Past.of(run)
        config.pluginmanager.register(Notice(config, run, past), "cuabench-resume")
    _report_on(config, run, gate)
    return run


def _reap(config: pytest.Config) -> None:
    """End the machines that killed sessions left behind."""
    from pytest_cuabench.leases import Leases

    for problem in Leases().reap():
        config.issue_config_time_warning(pytest.PytestWarning(problem), stacklevel=2)


def _report_on(config: pytest.Config, run: Run, gate: Gate | None) -> None:
    from pytest_cuabench.complete import Completeness
    from pytest_cuabench.reporting.terminal import TerminalProgress

    watch = Completeness(config, run)
    config.pluginmanager.register(watch, "cuabench-completeness")
    if gate:
        from pytest_cuabench.gate.session import GateKeeper

        config.pluginmanager.register(GateKeeper(run, gate), "cuabench-gate")
    config.pluginmanager.register(TerminalProgress(config, run, watch), "cuabench-terminal")


def join_run(config: pytest.Config, settings: Settings, workerinput: Mapping[str, Any]) -> Run:
    """Return the run that a worker was told to belong to."""
    run = Run(Path(workerinput["cuabench_run"]))
    config.add_cleanup(locks.join(run.folder, workerinput["workerid"]).release)
    if settings.resume:
        config.stash[PAST] = Past.of(run)
    return run


def resuming(config: pytest.Config) -> str:
    """Return the option that goes on with this run."""
    return f"--cua-resume={config.stash[RUN].name}"


def finish_run(run: Run) -> Path | None:
    """Write the reports; return the page to open, or None where nothing was played."""
    from pytest_cuabench.reporting.markdown import write_summary
    from pytest_cuabench.reporting.page import write_report

    if not (run.folder / LEDGER).is_file():
        with suppress(OSError):  # only what `create` made; the folder may hold a user's own files
            (run.folder / ABOUT).unlink()
            (run.folder / locks.FILE).unlink()
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


def _gate(settings: Settings) -> Gate | None:
    """Return the gate of a run, read before anything is played.

    Raises:
        SettingError: It cannot be read, or an audit is to be judged by it.
    """
    if settings.audit and settings.gate_asked:
        raise SettingError("--cua-gate judges agents, and --cua-audit proves tasks; leave one of them out")
    if settings.gate_file is None or settings.audit:
        return None
    from pytest_cuabench.gate.session import gate_of

    return gate_of(settings.gate_file)


def _resumed(settings: Settings) -> Run:
    source = settings.sources.get("resume", "--cua-resume")
    if settings.run is not None:
        raise SettingError(f"{source}: a run that is gone on with has its name already; leave --cua-run out")
    assert settings.resume is not None
    return Run(locate_run(settings.resume, settings.root / settings.reports, source).folder.resolve())


def _new_folder(settings: Settings) -> Path:
    """Make a folder that nobody has; of two sessions that want one name at once, one gets it."""
    reports = settings.root / settings.reports
    try:
        if settings.run is None:
            return _fresh(reports, _default_name(settings))
        if not re.fullmatch(r"[\w.+-]+", settings.run) or settings.run.startswith("."):
            raise SettingError(
                f"--cua-run: {settings.run!r} must be a plain name of letters, digits, - and _"
            )
        folder = reports / settings.run
        if not made(folder):
            raise SettingError(
                f"--cua-run: {folder} exists already; go on with it by --cua-resume={settings.run}, "
                "choose another name, or remove it"
            )
    except OSError as error:
        raise SettingError(
            f"{settings.sources.get('reports', 'default')}: {reports} cannot be written to "
            f"({error.strerror or error}); choose another folder with --cua-reports=DIR"
        ) from error
    return folder


def _default_name(settings: Settings) -> str:
    who = "audit" if settings.audit else re.sub(r"[^\w.-]+", "-", Path(settings.agent or "").stem or "agent")
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{who}"


def _fresh(reports: Path, name: str) -> Path:
    names = (name, *(f"{name}-{number}" for number in range(2, 1000)))
    return next(folder for folder in (reports / each for each in names) if made(folder))


def _about(config: pytest.Config, settings: Settings) -> dict[str, Any]:
    chosen = config.stash.get(CHOSEN, None)
    return {
        "started": now(),
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
