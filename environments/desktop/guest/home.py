"""HOME: recreated from a pristine copy before each episode."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

# No blinking, animation or history, so that first screenshots of a program are equal.
_GTK = (
    "[Settings]\ngtk-enable-animations=0\ngtk-double-click-time=400\ngtk-recent-files-enabled=0\n"
    "gtk-cursor-blink=0\ngtk-xft-antialias=1\ngtk-xft-hinting=1\ngtk-xft-hintstyle=hintslight\ngtk-xft-rgba=none\n"
)
_QT = "[KDE]\nCursorBlinkRate=0\nSingleClick=false\n"  # read by Qt's KDE theme
_PRISTINE = {
    ".config/gtk-3.0/settings.ini": _GTK,
    ".config/gtk-4.0/settings.ini": _GTK,
    ".config/kdeglobals": _QT,
}
_AT_ONCE = 500  # names in one command
_CHMOD, _RM = "/bin/chmod", "/bin/rm"


def make_pristine(folder: Path) -> None:
    """Write the HOME that every application starts from."""
    for name, text in _PRISTINE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def restore(home: Path, pristine: Path) -> None:
    """Replace the content of HOME by the pristine copy; the folder itself stays, because it is bind-mounted."""
    empty(home)
    shutil.copytree(pristine, home, symlinks=True, dirs_exist_ok=True)


def empty(folder: Path, owner: int | None = None) -> None:
    """Remove the content of a folder, optionally only one user's; links are not followed.

    Uses rm, because Python's rmtree fails on very deep trees.

    Raises:
        OSError: Something could not be removed.
    """
    with os.scandir(folder) as entries:
        found = [
            entry.path
            for entry in entries
            if owner is None or entry.stat(follow_symlinks=False).st_uid == owner
        ]
    for start in range(0, len(found), _AT_ONCE):
        part = found[start : start + _AT_ONCE]
        if os.geteuid() != 0:  # without root, make folders accessible first
            subprocess.run([_CHMOD, "-R", "u+rwX", "--", *part], stderr=subprocess.DEVNULL)  # noqa: S603
        done = subprocess.run([_RM, "-rf", "--", *part], stderr=subprocess.PIPE)  # noqa: S603
        if done.returncode:
            raise OSError(
                f"what an episode left cannot be removed: {done.stderr.decode(errors='replace')[:300]}"
            )
