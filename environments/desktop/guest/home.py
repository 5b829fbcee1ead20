"""HOME: made anew from a pristine copy before each episode."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

# Nothing blinks, moves or depends on what was opened before: two first pictures of a program are the same.
_GTK = (
    "[Settings]\ngtk-enable-animations=0\ngtk-double-click-time=400\ngtk-recent-files-enabled=0\n"
    "gtk-cursor-blink=0\ngtk-xft-antialias=1\ngtk-xft-hinting=1\ngtk-xft-hintstyle=hintslight\ngtk-xft-rgba=none\n"
)
_QT = "[KDE]\nCursorBlinkRate=0\nSingleClick=false\n"  # read by Qt's own theme of this name
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
    """Empty HOME and fill it from the pristine copy; the folder itself stays, since programs are bound to it."""
    empty(home)
    shutil.copytree(pristine, home, symlinks=True, dirs_exist_ok=True)


def empty(folder: Path, owner: int | None = None) -> None:
    """Remove what is in a folder, or only what is some user's; links are removed, never followed.

    By rm, since Python's own way fails on trees of some thousand levels.

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
        if os.geteuid() != 0:  # others than root have to open closed folders first
            subprocess.run([_CHMOD, "-R", "u+rwX", "--", *part], stderr=subprocess.DEVNULL)  # noqa: S603
        done = subprocess.run([_RM, "-rf", "--", *part], stderr=subprocess.PIPE)  # noqa: S603
        if done.returncode:
            raise OSError(
                f"what an episode left cannot be removed: {done.stderr.decode(errors='replace')[:300]}"
            )
