"""What a program of an agent finds besides the system's own: `python`, and pyautogui for it."""

from __future__ import annotations

import shutil
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guest.desk import Desk

INSIDE = "/opt/tools"
_IN_IMAGES = "/opt/cuabench/site/tools"
# Pure Python all of them, so that the system's interpreter can import what was installed for another. MouseInfo is
# left out on purpose: it ends every program that imports pyautogui where Tk is absent.
_PACKAGES = ("PyAutoGUI", "python3-Xlib", "python-xlib", "PyMsgBox", "pytweening", "PyScreeze", "six")


def environment(desk: Desk) -> dict[str, str]:
    """Return the variables of a program of an agent; on somebody's own display there are no tools of ours."""
    folder = {"bwrap": INSIDE, "user": _IN_IMAGES}.get(desk.box.name)
    if folder is None:
        return desk.environment
    return {
        **desk.environment,
        "PATH": f"{folder}/bin:{desk.environment['PATH']}",
        "PYTHONPATH": f"{folder}/python",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def make_tools(state: Path) -> Path:
    """Return a folder with the tools, copied from the supervisor's own installation as far as it has them."""
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
