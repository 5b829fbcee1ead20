"""The driver of worlds that are web pages, shown in Chromium."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.driver import Driver, Place, PlannedSuite
from pytest_cuabench.errors import SettingError

if TYPE_CHECKING:
    from pytest_cuabench.drivers.base import Environment
    from pytest_cuabench.drivers.driver import DriverContext
    from pytest_cuabench.task.model import SuiteInfo


class ChromiumDriver(Driver):
    """Chromium in front, the control socket of a world program behind."""

    def place(self, where: str) -> Place | None:
        """Take a mode of the world with its folder, as `live:FOLDER`, or a file; `check` knows which the world has."""
        return (
            Place(self.name, where) if re.fullmatch(r"[a-z]\w*:.+", where) or Path(where).is_file() else None
        )

    def accepted(self, suite: SuiteInfo) -> tuple[str, ...]:
        """Return the modes of the world; one without a folder is a word that `place` need not know."""
        from pytest_cuabench.drivers.chromium.own_app.web_app import find_web_world
        from pytest_cuabench.drivers.worlds import WorldSpec

        spec = find_web_world(suite.world, suite.folder, suite.app)
        return spec.modes if isinstance(spec, WorldSpec) else ()

    def browsers_at(self, place: Place) -> tuple[str, ...]:
        """A window on a private screen of this computer."""
        return ("xvfb",)

    def concurrent(self, suite: SuiteInfo, place: Place) -> bool:
        """A world program serves many sessions; a user's own application has one state."""
        from pytest_cuabench.drivers.chromium.own_app.web_app import find_web_world
        from pytest_cuabench.drivers.worlds import WorldSpec

        return isinstance(find_web_world(suite.world, suite.folder, suite.app), WorldSpec)

    def check(self, planned: PlannedSuite) -> None:
        """Check that the world and a browser exist, and a display if a person plays."""
        from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
        from pytest_cuabench.drivers.chromium.own_app.web_app import find_web_world, in_mode, refuse_sharing

        suite = planned.suite
        spec = find_web_world(suite.world, suite.folder, suite.app)
        refuse_sharing(in_mode(spec, planned.place.detail), planned.workers)
        window = planned.headed or planned.place.browser is not None
        find_chromium(planned.settings.chromium, headless=not window)
        displays = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
        if planned.headed and sys.platform.startswith("linux") and not displays:
            raise SettingError(
                "a person needs a window, and there is no display; set DISPLAY, or type: xvfb-run pytest ..."
            )

    def open(self, context: DriverContext) -> Environment:
        """See `Driver.open`."""
        from pytest_cuabench.drivers.chromium.opening import open_web

        return open_web(context)
