"""Workers of pytest-xdist on other computers (`--tx ssh=...`, `--cua-cluster`), which do not share the run's folder.

Before such a worker starts, the controller asks its computer for the run's `run.json`. Where that is not there, the
worker records into a temporary folder, and what is new in it travels with the next report of a finished test, over
xdist's own channel. The controller writes it into the run, as if the worker had done so; it signs the lines as well,
so the key stays on its computer.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.drivers.scratch import Scratch
from pytest_cuabench.errors import RecordFailure, SettingError
from pytest_cuabench.ledger.jsonl import record_of, recording
from pytest_cuabench.ledger.lines import ABOUT, LEDGER
from pytest_cuabench.ledger.record import Run, new_folder
from pytest_cuabench.ledger.store import is_url
from pytest_cuabench.settings import SETTINGS as KNOWN
from pytest_cuabench.settings import Settings

SHIPPED = "cuabench_shipped"
_PATIENCE = 60.0  # seconds until a computer answers
_ASK = """
from importlib.metadata import PackageNotFoundError, version
path = channel.receive()
try:
    with open(path, "rb") as file:
        found = file.read()
except OSError:
    found = b""
try:
    here = version("pytest-cuabench")
except PackageNotFoundError:
    here = ""
channel.send((found, here))
"""


def prepare(node: Any, run: Run, settings: Settings) -> None:
    """Tell a worker to ship its record, unless its computer shares the run's folder.

    Raises:
        SettingError: The worker cannot play this run.
    """
    channel = node.gateway.remote_exec(_ASK)
    channel.send(str(run.folder / ABOUT))
    found, there = channel.receive(timeout=_PATIENCE)
    channel.waitclose(timeout=_PATIENCE)
    where = str(node.gateway.spec).partition("//")[2]  # behind what xdist has put before it
    here = version("pytest-cuabench")
    if there != here:
        words = f"has pytest-cuabench {there}" if there else "has no pytest-cuabench"
        raise SettingError(
            f"--tx {where}: its Python {words}; type there: pip install pytest-cuabench=={here}"
        )
    if found == (run.folder / ABOUT).read_bytes():
        return
    if why := _unshareable(settings):
        raise SettingError(
            f"--tx {where}: that computer does not share {run.folder}, {why} "
            "or play shards there with --cua-shard and merge them"
        )
    ledger = run.folder / LEDGER
    node.workerinput["cuabench_ships"] = {
        "ledger": ledger.read_bytes() if settings.resume and ledger.is_file() else b"",
        "variables": {
            setting.variable: os.environ[setting.variable]
            for setting in KNOWN
            if settings.sources[setting.name] == setting.variable
        },
    }


def _unshareable(settings: Settings) -> str:
    """Return why a run needs its folder on every computer; empty where it does not."""
    if settings.max_cost is not None:
        return f"which the spending limit of {settings.sources['max_cost']} needs; leave it out,"
    if settings.durations is not None and not is_url(settings.durations):
        return f"nor the run of {settings.sources['durations']}; give that run's URL in object storage,"
    return ""


def take_variables(worker: Mapping[str, Any]) -> None:
    """Take over the settings that the controller has from its environment."""
    os.environ.update(worker.get("cuabench_ships", {}).get("variables", {}))


def join_by_shipping(config: pytest.Config, worker: Mapping[str, Any]) -> Run:
    """Return a run in a temporary folder, for a worker that ships its record."""
    scratch = Scratch("cuabench-worker-")
    config.add_cleanup(scratch.remove)
    folder = scratch.path
    known = worker["cuabench_ships"]["ledger"]
    if known:
        (folder / LEDGER).write_bytes(known)
    run = Run(folder, home=Path(worker["cuabench_run"]))
    config.pluginmanager.register(Shipping(config, run, len(known)), "cuabench-shipping")
    return run


class Shipping:
    """Plugin of a worker that sends what is new in its folder."""

    def __init__(self, config: pytest.Config, run: Run, offset: int) -> None:
        self._output: dict[str, Any] = vars(config)["workeroutput"]
        self._run = run
        self._offset = offset
        self._sent: set[str] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add what is new to the report that ends a test."""
        if report.when == "teardown":
            setattr(report, SHIPPED, self._new())

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Add the rest to what the worker says at its end: lines without a test, videos that were made later."""
        rest = self._new()
        rest["files"] |= self._files("trajectories")
        self._output[SHIPPED] = rest

    def _new(self) -> dict[str, Any]:
        """Return the new lines of the ledger, and the files of their attempts."""
        ledger = self._run.folder / LEDGER
        lines = ledger.read_bytes()[self._offset :] if ledger.is_file() else b""
        self._offset += len(lines)
        files: dict[str, bytes] = {}
        for line in lines.splitlines():
            if place := (record_of(line) or {}).get("trajectory"):
                files |= self._files(str(place))
        return {"lines": lines, "files": files}

    def _files(self, place: str) -> dict[str, bytes]:
        found = {}
        for file in sorted((self._run.folder / place).rglob("*")):
            name = file.relative_to(self._run.folder).as_posix()
            if file.is_file() and name not in self._sent:
                found[name] = file.read_bytes()
                self._sent.add(name)
        return found


class Receiving:
    """Plugin of the controller that writes what workers ship into the run."""

    def __init__(self, config: pytest.Config, run: Run) -> None:
        self._config = config
        self._run = run
        self._moved: dict[str, str] = {}  # a worker's trajectory, and its folder here

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a report brings, before other plugins see it."""
        if shipped := report.__dict__.pop(SHIPPED, None):
            self._try_to_write(vars(report)["node"].gateway.id, shipped)

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take what a worker brings at its end; a dead one brings nothing."""
        if shipped := getattr(node, "workeroutput", {}).pop(SHIPPED, None):
            self._try_to_write(node.gateway.id, shipped)

    def _try_to_write(self, worker: str, shipped: Mapping[str, Any]) -> None:
        """Write, or stop the session: what cannot be recorded is not played."""
        try:
            self._write(worker, shipped)
        except RecordFailure as failure:
            manager = self._config.pluginmanager
            session: Any = manager.get_plugin("dsession")
            session.shouldstop = str(failure)  # of xdist's controller, whose loop looks at it
            completeness: Any = manager.get_plugin("cuabench-completeness")
            completeness.fail(str(failure))

    def _write(self, worker: str, shipped: Mapping[str, Any]) -> None:
        records = [
            record for line in shipped["lines"].splitlines() if (record := record_of(line)) is not None
        ]
        for record in records:
            self._place(worker, record)
        for name, content in shipped["files"].items():
            file = self._run.folder / self._here(worker, name)
            with recording(file):
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        for record in records:
            # After the files, so that a line names only what is there.
            self._run.add({**record, **dict(self._moves(worker, record))})

    def _place(self, worker: str, record: Mapping[str, Any]) -> None:
        """Make the folder of a trajectory: another one, where a worker that died has left one."""
        place = record.get("trajectory")
        if isinstance(place, str):
            parent, _, number = place.rpartition("/")
            folder = new_folder(self._run.folder / parent, number.partition("-")[0])
            self._moved[f"{worker} {place}"] = folder.relative_to(self._run.folder).as_posix()

    def _here(self, worker: str, name: str) -> str:
        """Return where a worker's file belongs.

        Raises:
            RecordFailure: It would be outside of the run's trajectories.
        """
        path = Path(name)
        if path.is_absolute() or ".." in path.parts or path.parts[0] != "trajectories":
            raise RecordFailure(f"worker {worker} sent a file that is no part of a run: {name}")
        for parent in path.parents:
            if moved := self._moved.get(f"{worker} {parent.as_posix()}"):
                return f"{moved}/{path.relative_to(parent).as_posix()}"
        return name

    def _moves(self, worker: str, record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        for field in ("trajectory", "screenshot"):
            if isinstance(value := record.get(field), str):
                known = self._moved.get(f"{worker} {value}")
                yield field, known or self._here(worker, value)
