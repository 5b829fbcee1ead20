"""Copy a run to object storage while it is played (`--cua-reports=URL`).

The record on disk comes first and is complete. A thread of the process that leads the run follows the ledger on disk:
for each attempt that any worker has recorded, it copies the trajectory, then that part of the ledger. So the ledger is
the queue, which needs no memory and cannot overflow; a copy that fails is tried again, and what comes later waits.
When the session ends, everything that has changed since is copied as well: reports, videos, exports.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.ledger.jsonl import record_of
from pytest_cuabench.ledger.lines import ABOUT, ATTEMPT, LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.store import PICTURES, Store
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import many, tell

if TYPE_CHECKING:
    from pytest_cuabench.collection.reconcile import Completeness

_PAUSE = 0.5  # seconds between two looks at the ledger
_MOST = 1 << 20  # bytes of the ledger that are copied at once, with their trajectories
_WAITS = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)  # seconds before a copy is tried again
_LAST_TRIES = 4  # when the session has ended


class Uploads:
    """Plugin of the process that leads the run.

    Attributes:
        offset: The number of bytes of the ledger that are in the storage.
    """

    def __init__(
        self, config: pytest.Config, run: Run, store: Store, watch: Completeness, *, successes: bool = True
    ) -> None:
        self._config = config
        self._run = run
        self._store = store
        self._watch = watch
        self._successes = successes  # whether their screenshots are kept
        self._sent: dict[str, tuple[int, int]] = {}
        self._ending = Event()
        self._thread: Thread | None = None
        self._trouble: CuabenchError | None = None
        self._told = False
        self.offset = 0

    def begin(self, *, resumed: bool) -> None:
        """Copy `run.json`, and go on with the copies from here on.

        Raises:
            SettingError: The storage already holds a run of this name.
            StoreFailure: The storage cannot be used.
        """
        there = self._store.files()
        if there and not resumed:
            raise SettingError(
                f"{self._store.url} already exists; resume it with --cua-resume={self._run.name}, "
                "or choose another name"
            )
        self.offset = len(self._store.ledger(there))
        for name, size in there.items():
            with suppress(OSError):
                about = (self._run.folder / name).stat()
                if name.startswith("trajectories/") and about.st_size == size:
                    self._sent[name] = (size, about.st_mtime_ns)
        self._put([ABOUT])
        self._thread = Thread(target=self._follow, name="cuabench-uploads", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread; what it is copying is finished first."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self) -> None:
        """Tell that copies fail, once, while the session goes on."""
        if self._trouble and not self._told:
            self._told = True
            reporter = self._config.pluginmanager.get_plugin("terminalreporter")
            if reporter is not None:
                tell(reporter, f"cuabench: {self._trouble}; the copies are tried again", yellow=True)

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Copy the rest, and tell whether everything was copied."""
        self.stop()
        for wait in (*_WAITS[: _LAST_TRIES - 1], None):
            try:
                self._copy_all()
            except CuabenchError as trouble:
                self._trouble = trouble
            else:
                if self.offset:
                    tell(terminalreporter, f"records: {self._store.url}")
                return
            if wait is not None:
                Event().wait(wait)
        problem = (
            f"{self._trouble}; the record in {self._run.folder} is complete, but {self._behind()} not in "
            f"{self._store.url}; to copy it, resume the run with --cua-resume={self._run.name}"
        )
        self._watch.fail(problem)
        tell(terminalreporter, f"cuabench: {problem}", red=True)

    def _follow(self) -> None:
        failed = 0
        while not self._ending.wait(_WAITS[min(failed, len(_WAITS)) - 1] if failed else _PAUSE):
            try:
                while not self._ending.is_set() and self._copy_next():
                    failed = 0
            except CuabenchError as trouble:
                failed, self._trouble = failed + 1, trouble
            except OSError:
                failed += 1  # a file that another process is moving; all is looked through at the end

    def _copy_next(self) -> bool:
        """Copy the next attempts, and return whether there were any."""
        lines = self._next_lines()
        if not lines:
            return False
        records = [record for line in lines.splitlines() if (record := record_of(line)) is not None]
        attempts = [record for record in records if record.get("type") == ATTEMPT]
        self._put(list(chain.from_iterable(map(self._names_of, attempts))))
        self._store.put_part(self.offset, lines)  # after the files that the lines name
        self.offset += len(lines)
        return True

    def _next_lines(self) -> bytes:
        """Return whole lines of the ledger that are not in the storage."""
        file = self._run.folder / LEDGER
        if not file.is_file():
            return b""
        with file.open("rb") as ledger:
            ledger.seek(self.offset)
            found = ledger.read(_MOST)
            if b"\n" not in found:
                found += ledger.readline()
        return found[: found.rfind(b"\n") + 1]

    def _names_of(self, attempt: dict[str, object]) -> Iterator[str]:
        """Yield the files of an attempt; pictures of successes may be about to be removed."""
        place = attempt.get("trajectory")
        dropped = not self._successes and attempt.get("outcome") == Outcome.SUCCESS.label
        if isinstance(place, str):
            for name in self._names(self._run.folder / place):
                if not (dropped and name.endswith(".png") and "/document-" not in name):
                    yield name

    def _names(self, folder: Path) -> Iterator[str]:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not file.name.startswith(".") and file.suffix != ".part":
                yield file.relative_to(self._run.folder).as_posix()

    def _put(self, names: list[str]) -> None:
        """Copy files that are not in the storage as they are here."""
        states = {}
        for name in names:
            about = (self._run.folder / name).stat()
            states[name] = (about.st_size, about.st_mtime_ns)
        changed = {name: state for name, state in states.items() if self._sent.get(name) != state}
        self._store.put(self._run.folder, changed)
        self._sent |= changed

    def _copy_all(self) -> None:
        """Copy what is left of the ledger, and every other file that is new or was changed."""
        while self._copy_next():
            pass
        if not self._run.folder.is_dir():  # nothing was played
            self._store.remove(ABOUT)
        else:
            self._put([name for name in self._names(self._run.folder) if self._is_copied(name)])

    def _is_copied(self, name: str) -> bool:
        """Whether a file is copied as it is: the ledger goes by parts, and `PICTURES` says what is there already."""
        return name != LEDGER and not name.endswith(f"/{PICTURES}")

    def _behind(self) -> str:
        file = self._run.folder / LEDGER
        size = file.stat().st_size if file.is_file() else 0
        if size == self.offset:
            return "some of its files are"
        with file.open("rb") as ledger:
            ledger.seek(self.offset)
            lines = sum(1 for _ in ledger)
        return f"{many(lines, 'line')} of its ledger {'is' if lines == 1 else 'are'}"
