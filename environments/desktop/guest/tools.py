"""Tools for agents' programs: `python` with pyautogui."""

from __future__ import annotations

import shutil
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

INSIDE = "/opt/tools"
_IN_IMAGES = "/opt/cuabench/site/tools"
# All are pure Python, so that the system's interpreter can import them. MouseInfo is left out on purpose: without Tk,
# it ends every program that imports pyautogui.
_PACKAGES = ("PyAutoGUI", "python3-Xlib", "python-xlib", "PyMsgBox", "pytweening", "PyScreeze", "six")


def environment(box: str, session: dict[str, str]) -> dict[str, str]:
    """Return the environment variables of agents' programs in a box; without tools on an existing display.

    Args:
        box: The box's name.
        session: The environment variables of the session's programs.
    """
    folder = {"bwrap": INSIDE, "user": _IN_IMAGES}.get(box)
    if folder is None:
        return session
    return {
        **session,
        "PATH": f"{folder}/bin:{session['PATH']}",
        "PYTHONPATH": f"{folder}/python",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def make_tools(state: Path) -> Path:
    """Create a folder with the tools, copied from the supervisor's installation if available."""
    folder = state / "tools"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to("/usr/bin/python3")
    for name in _PACKAGES:
        _copy(name, folder / "python")
    return folder


def _copy(name: str, target: Path) -> None:
    try:
        installed = distribution(name)
    except PackageNotFoundError:
        return
    for file in installed.files or ():
        if file.suffix == ".py" and ".." not in file.parts:
            made = target / file
            made.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.locate()), made)
