"""Lifecycle of a run: creating or resuming its folder, joining as a worker, and closing it."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_cuabench.collection.notice import Notice
from pytest_cuabench.collection.stash import CHOSEN, KEY, PAST, RUN, SETTINGS
from pytest_cuabench.errors import RecordFailure, SettingError, StoreFailure, needing
from pytest_cuabench.ledger import live, locks
from pytest_cuabench.ledger.attempt import Attempt, now
from pytest_cuabench.ledger.record import Run, made
from pytest_cuabench.ledger.resume import Past
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.ledger.signing import Key, Signer, admit
from pytest_cuabench.reporting.failures import Thresholds
from pytest_cuabench.reporting.finish import finish_run
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.outcome import Outcome

if TYPE_CHECKING:
    from pytest_cuabench.collection.reconcile import Completeness
    from pytest_cuabench.gate.config import Gate
    from pytest_cuabench.ledger.store import Store

_NAME = re.compile(r"(?!\.)[\w.+-]+")  # of a run
_LISTINGS = ("collectonly", "help", "markers", "showfixtures", "show_fixtures_per_test", "cacheshow")


def lead_run(config: pytest.Config, settings: Settings) -> Run:
    """Create or resume the run's folder and register its reporters, in the controller process.

    Raises:
        SettingError: The folder already exists or cannot be created, or the name is invalid.
    """
    gate = _gate(settings)
    key = config.stash[KEY].checked() if KEY in config.stash else None
    if gate and gate.require_signed and key is None:
        from pytest_cuabench.gate.integrity import NO_KEY

        raise SettingError(f"{settings.gate_file}: {NO_KEY}")
    if is_listing(config):
        return Run(settings.reports_folder / "listed")
    store = _store(settings)
    run = replace(
        _resumed(settings, store) if settings.resume else Run(new_folder(settings)),
        signer=Signer(key) if key else None,
    )
    try:
        lock = locks.lead(run.folder)
        config.add_cleanup(lambda: locks.leave(run.folder, lock))
        if settings.resume:
            admit(run.folder, key, settings.sources.get("resume", "--cua-resume"))
            config.stash[PAST] = Past.of(run)  # rejects an invalid record before anything is written
        (run.resume if settings.resume else run.create)(about_run(config, settings))
        live.open_session(run.folder, take_over=settings.take_over)
        config.add_cleanup(lambda: live.close_session(run.folder))
    except RecordFailure as failure:
        raise SettingError(f"cannot record this run: {failure}") from failure
    _reap(config)
    if settings.resume:
        config.pluginmanager.register(Notice(config, run, config.stash[PAST]), "cuabench-resume")
    watch = _report_on(config, run, gate)
    if store:
        _upload(config, run, store.at(run.name), watch)
    if settings.watch:
        with needing("watch", settings.sources.get("watch", "--cua-watch")):
            from pytest_cuabench.reporting.watch.beside import Beside

        config.pluginmanager.register(Beside(config, run), "cuabench-watch")
    return run


def is_listing(config: pytest.Config) -> bool:
    """Whether pytest only lists tests, fixtures or markers."""
    return any(config.getoption(name, default=False) for name in _LISTINGS)


def _reap(config: pytest.Config) -> None:
    """Stop the machines that killed sessions left behind."""
    from pytest_cuabench.drivers.leases import Leases

    for problem in Leases().reap():
        config.issue_config_time_warning(pytest.PytestWarning(problem), stacklevel=2)


def _report_on(config: pytest.Config, run: Run, gate: Gate | None) -> Completeness:
    from pytest_cuabench.collection.reconcile import Completeness
    from pytest_cuabench.collection.terminal import TerminalProgress

    watch = Completeness(config, run)
    config.pluginmanager.register(watch, "cuabench-completeness")
    if run.signer:
        config.pluginmanager.register(Closing(run, watch), "cuabench-closing")
    if gate:
        from pytest_cuabench.collection.gatekeeper import GateKeeper

        # Of hooks with `trylast` the one that is registered last is called last: the gate reads a closed ledger.
        config.pluginmanager.register(GateKeeper(config, run, gate), "cuabench-gate")
    config.pluginmanager.register(TerminalProgress(config, run, watch), "cuabench-terminal")
    return watch


def _store(settings: Settings) -> Store | None:
    """Return the object storage that runs are copied to, if any.

    Raises:
        SettingError: It cannot be used.
    """
    if settings.reports_url is None:
        return None
    from pytest_cuabench.ledger.store import Store

    with _as_setting(settings):
        return Store.open(settings.reports_url)


@contextmanager
def _as_setting(settings: Settings) -> Iterator[None]:
    """Name the setting of the object storage in an error that it causes before anything is played."""
    try:
        yield
    except (SettingError, StoreFailure) as error:
        raise SettingError(f"{settings.sources['reports']}: {error}") from error


def _upload(config: pytest.Config, run: Run, store: Store, watch: Completeness) -> None:
    from pytest_cuabench.collection.uploading import Uploads

    settings = config.stash[SETTINGS]
    uploads = Uploads(config, run, store, watch, successes=settings.screenshots != "retain-on-failure")
    try:
        with _as_setting(settings):
            uploads.begin(resumed=settings.resume is not None)
    except SettingError:
        finish_run(run)  # removes the folder of a new run
        raise
    config.add_cleanup(uploads.stop)
    config.pluginmanager.register(uploads, "cuabench-uploads")


class Closing:
    """Plugin that closes a signed ledger after all workers have finished, before a gate reads it."""

    def __init__(self, run: Run, watch: Completeness) -> None:
        self._run = run
        self._watch = watch

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Append the closing line with the number of lines of each writer."""
        try:
            self._run.close()
        except RecordFailure as failure:
            self._watch.fail(str(failure))


def join_run(config: pytest.Config, settings: Settings, workerinput: MutableMapping[str, Any]) -> Run:
    """Return the run of an xdist worker, as passed by the controller."""
    if "cuabench_ships" in workerinput:
        from pytest_cuabench.collection.shipping import join_by_shipping

        run = join_by_shipping(config, workerinput)
        config.stash[PAST] = Past.of(run)
        return run
    # Removed, so that an agent cannot find it.
    secret, session = workerinput.pop("cuabench_signer", (None, ""))
    signer = Signer(Key(secret), workerinput["workerid"], session) if secret else None
    run = Run(Path(workerinput["cuabench_run"]), signer)
    config.add_cleanup(locks.join(run.folder, workerinput["workerid"]).release)
    config.stash[PAST] = Past.of(run)  # one that replaces a dead worker may be given what that one had begun
    return run


def resuming(config: pytest.Config) -> str:
    """Return the option that resumes this run."""
    return f"--cua-resume={config.stash[RUN].name}"


def drop_pictures_of_successes(run: Run, attempts: Iterable[Attempt]) -> None:
    """Remove the screenshots of attempts that succeeded."""
    for attempt in attempts:
        if attempt.result is Outcome.SUCCESS and attempt.files.trajectory:
            for file in (run.folder / attempt.files.trajectory).rglob("*.png"):
                if not file.name.startswith("document-"):  # a phase's, and no screenshot
                    file.unlink()


def _gate(settings: Settings) -> Gate | None:
    """Return the gate of a run, before anything is played.

    Raises:
        SettingError: The gate cannot be read, or is combined with an audit.
    """
    if settings.audit and settings.gate_asked:
        raise SettingError("--cua-gate judges agents, but --cua-audit judges tasks; drop one of them")
    if settings.gate_file is None or settings.audit:
        return None
    from pytest_cuabench.collection.gatekeeper import gate_of

    return gate_of(settings.gate_file)


def _resumed(settings: Settings, store: Store | None) -> Run:
    source = settings.sources.get("resume", "--cua-resume")
    if settings.run is not None:
        raise SettingError(f"{source} already names the run; drop --cua-run")
    assert settings.resume is not None
    if store and _NAME.fullmatch(settings.resume):
        with _as_setting(settings):
            store.at(settings.resume).fetch_newer(settings.reports_folder / settings.resume)
    return Run(locate_run(settings.resume, settings.reports_folder, source).folder.resolve())


def new_folder(settings: Settings) -> Path:
    """Create a new folder atomically, so that only one of two sessions gets a name."""
    reports = settings.reports_folder
    try:
        if settings.run is None:
            return _fresh(reports, _default_name(settings))
        if not _NAME.fullmatch(settings.run):
            raise SettingError(
                f"invalid value for --cua-run: {settings.run!r}; expected a name of letters, digits, - and _"
            )
        folder = reports / settings.run
        if not made(folder):
            raise SettingError(
                f"--cua-run: {folder} already exists; resume it with --cua-resume={settings.run}, "
                "choose another name, or remove it"
            )
    except OSError as error:
        source = settings.sources.get("reports", "default")
        raise SettingError(
            f"{'--cua-reports' if source == 'default' else source}: cannot write to {reports} "
            f"({error.strerror or error}); choose another folder with --cua-reports=DIR"
        ) from error
    return folder


def _default_name(settings: Settings) -> str:
    who = "audit" if settings.audit else re.sub(r"[^\w.-]+", "-", Path(settings.agent or "").stem or "agent")
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{who}"


def _fresh(reports: Path, name: str) -> Path:
    names = (name, *(f"{name}-{number}" for number in range(2, 1000)))
    return next(folder for folder in (reports / each for each in names) if made(folder))


def about_run(config: pytest.Config, settings: Settings) -> dict[str, Any]:
    """Return the content of `run.json`."""
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
