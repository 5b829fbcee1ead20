"""Where the Chromium to drive is found on this computer."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from pytest_cuabench.errors import SettingError

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium(setting: str | None) -> Path:
    """Return the browser program: the given one, else one on PATH, else the one Playwright installed.

    Raises:
        SettingError: The given path is no program, or no browser is installed.
    """
    if setting:
        return _given(setting)
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found:
        return Path(found)
    installed = sorted(_playwright_folder().glob("chromium-*/chrome-*/chrome"))
    if installed:
        return installed[-1]
    raise SettingError(
        "No Chromium was found on this computer; install one with `playwright install chromium`, "
        "or name one with CUABENCH_CHROMIUM=/path/to/chromium."
    )


def _given(setting: str) -> Path:
    found = shutil.which(str(Path(setting).expanduser()))
    if found is None:
        raise SettingError(
            f"The Chromium {setting!r} is no program that can be run; "
            "set CUABENCH_CHROMIUM to the path of one, for example /usr/bin/chromium."
        )
    return Path(found)


def _playwright_folder() -> Path:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    return Path(named) if named and named != "0" else Path.home() / ".cache" / "ms-playwright"
