"""HOME: made anew from a pristine copy before each episode, and what a person would find in it afterwards."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

_MOST_FILES = 2_000
_LONGEST_TEXT = 64 * 1024  # bytes
_LARGEST = 256 * 1024 * 1024  # bytes of a file whose content is looked at

_GTK = "[Settings]\ngtk-enable-animations=0\ngtk-double-click-time=400\ngtk-recent-files-enabled=0\n"
_PRISTINE = {".config/gtk-3.0/settings.ini": _GTK, ".config/gtk-4.0/settings.ini": _GTK}


def make_pristine(folder: Path) -> None:
    """Write the HOME that every application starts from."""
    for name, text in _PRISTINE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def restore(home: Path, pristine: Path) -> None:
    """Empty HOME and fill it from the pristine copy; the folder itself stays, since programs are bound to it."""
    empty(home)
    shutil.copytree(pristine, home, symlinks=True, dirs_exist_ok=True)


def empty(folder: Path, keep: frozenset[str] = frozenset(), owner: int | None = None) -> None:
    """Remove what is in a folder, or only what is some user's; links are removed, never followed."""
    for entry in os.scandir(folder):
        if entry.name in keep or (owner is not None and entry.stat(follow_symlinks=False).st_uid != owner):
            continue
        if entry.is_dir(follow_symlinks=False):
            _open_up(entry.path)
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)


class Documents:
    """What visible files HOME holds; a file that did not change is not read again."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._read: dict[tuple[int, ...], dict[str, Any]] = {}

    def rows(self) -> dict[str, dict[str, Any]]:
        """Return size, SHA-256 and (if short and UTF-8) text of each file, by its path below HOME."""
        rows: dict[str, dict[str, Any]] = {}
        seen: dict[tuple[int, ...], dict[str, Any]] = {}
        for path, name, folder in self._visible():
            try:
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
                key = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
                row = self._read.get(key) or _row(name, folder, found)
            except OSError:  # it was removed meanwhile
                continue
            rows[path] = seen[key] = row
        self._read = seen
        return rows

    def _visible(self) -> Iterator[tuple[str, str, int]]:
        count = 0
        for folder, folders, files, fd in os.fwalk(self._home, follow_symlinks=False):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            links = [name for name in folders if _is_link(name, fd)]
            for name in sorted([*files, *links]):
                if not name.startswith(".") and count < _MOST_FILES:
                    count += 1
                    yield os.path.relpath(os.path.join(folder, name), self._home), name, fd


def _row(name: str, folder: int, found: os.stat_result) -> dict[str, Any]:
    if stat.S_ISLNK(found.st_mode):
        return {"link": os.readlink(name, dir_fd=folder)}
    if not stat.S_ISREG(found.st_mode):
        return {"special": True}
    if found.st_size > _LARGEST:
        return {"size": found.st_size}
    fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(fd, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        row: dict[str, Any] = {"size": found.st_size, "sha256": digest}
        if found.st_size <= _LONGEST_TEXT:
            file.seek(0)
            with suppress(UnicodeDecodeError):
                row["text"] = file.read(_LONGEST_TEXT).decode("utf-8")
    return row


def _is_link(name: str, folder: int) -> bool:
    with suppress(OSError):
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    return False


def _open_up(folder: str) -> None:
    """Make folders that a program closed removable; as root nothing is needed, but harms nothing."""
    for _, folders, _, fd in os.fwalk(folder, follow_symlinks=False):
        for name in folders:
            if not _is_link(name, fd):
                os.chmod(name, 0o700, dir_fd=fd)
