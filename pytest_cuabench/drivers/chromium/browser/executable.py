"""Find the Chromium executable on this computer."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from pytest_cuabench.errors import SettingError

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Without the browser's own windows a new context is there in half the time.
_HEADLESS = ("chromium-headless-shell",)


def find_chromium(setting: str | None, *, headless: bool = True) -> Path:
    """Return the browser program: the given one, else one on PATH, else the one Playwright installed.

    A headless run prefers the program that is made for it.

    Raises:
        SettingError: The given path is not an executable, or no browser is installed.
    """
    if setting:
        return _given(setting)
    names = (*_HEADLESS, *_NAMES) if headless else _NAMES
    found = next(filter(None, map(shutil.which, names)), None)
    if found:
        return Path(found)
    patterns = ("chromium_headless_shell-*/chrome-*/*headless*shell", "chromium-*/chrome-*/chrome")
    for pattern in patterns if headless else patterns[1:]:
        if installed := sorted(_playwright_folder().glob(pattern)):
            return installed[-1]
    raise SettingError(
        "No Chromium was found on this computer; type: apt-get install chromium, or: playwright install chromium, "
        "or set CUABENCH_CHROMIUM=/path/to/chromium."
    )


def _given(setting: str) -> Path:
    found = shutil.which(str(Path(setting).expanduser()))
    if found is None:
        raise SettingError(
            f"The Chromium {setting!r} is not an executable file; "
            "set CUABENCH_CHROMIUM to the path of one, for example /usr/bin/chromium."
        )
    return Path(found)


def _playwright_folder() -> Path:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    return Path(named) if named and named != "0" else Path.home() / ".cache" / "ms-playwright"


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{find_chromium(None)}\n")
    except SettingError as error:
        sys.exit(str(error))
