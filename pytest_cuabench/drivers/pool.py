"""The environments of one worker: made when first needed, shared by its items, closed at its end."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from pytest_cuabench.drivers.backend import place_of
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.driver import Closable, DriverContext
from pytest_cuabench.drivers.finding import find_driver
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.model import SuiteInfo


@dataclass(slots=True)
class Pool:
    """All environments of this worker."""

    settings: Settings
    headed: bool = False
    resources: dict[str, Closable] = field(default_factory=dict)
    scratch: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="cuabench-")))
    _environments: dict[str, Environment] = field(default_factory=dict)

    def environment(self, suite: SuiteInfo) -> Environment:
        """Return the environment of a suite.

        Raises:
            SettingError: No driver has the name that the suite asks for, or `--cua-world` names no place for it.
        """
        if suite.name not in self._environments:
            place = place_of(suite, self.settings)
            context = DriverContext(suite, self.settings, self.scratch, self.headed, place, self.resources)
            self._environments[suite.name] = find_driver(place.driver, suite).open(context)
        return self._environments[suite.name]

    async def close(self) -> None:
        """Close everything, newest first; one that fails does not keep the others open.

        Raises:
            ExceptionGroup: What could not be closed.
        """
        failures = []
        for thing in (*reversed(self._environments.values()), *reversed(self.resources.values())):
            try:
                await thing.close()
            except Exception as error:
                failures.append(error)
        shutil.rmtree(self.scratch, ignore_errors=True)
        if failures:
            raise ExceptionGroup("some environments could not be closed", failures)
