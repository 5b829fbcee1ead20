"""The visible files of HOME, read within limits, since programs may have put anything there.

Keys are paths below HOME; a row's `unreadable` says why it could not be read. Special keys cannot be paths: `//` and
percent signs for a name that is not UTF-8, `FOLDER/` for an unreadable folder, and `//cut` if entries were left out.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

from guest.plain import plain

_MOST_FILES = 2_000  # in the result
_MOST_ENTRIES = 20_000  # visited, including hidden ones and folders
_DEEPEST = 40  # folders
_LONGEST_TEXT = 64 * 1024  # bytes
_LARGEST = 256 * 1024 * 1024  # bytes of a file whose content is read
_CONTENT = 512 * 1024 * 1024  # bytes to read of all files
_TEXTS = 16 * 1024 * 1024  # bytes of texts in the result
_CHUNK = 1024 * 1024
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CUT = "//cut"

Row = dict[str, Any]


@dataclass(slots=True)
class _Budget:
    content: int = _CONTENT
    texts: int = _TEXTS


class Documents:
    """Reads the visible files of a folder."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def rows(self) -> dict[str, Row]:
        """Return size, SHA-256 and (if short and UTF-8) text of each file, by its path below HOME.

        Each is read every time: a file that a program has mapped into memory changes without a newer time.
        """
        rows: dict[str, Row] = {}
        budget = _Budget()
        for path, found in _Walk(self._home):
            if isinstance(found, dict):
                rows[path] = found
                continue
            name, folder = found
            try:
                row = _row(name, folder, os.stat(name, dir_fd=folder, follow_symlinks=False), budget)
            except FileNotFoundError:  # removed meanwhile
                continue
            except OSError as error:
                rows[path] = _unreadable(error)
                continue
            rows[path] = row if _within(row, budget) else {one: row[one] for one in row if one != "text"}
        return rows


class _Walk:
    """Iterates over the visible files below a folder: path with (name, open folder), or with a row for errors."""

    def __init__(self, home: Path) -> None:
        self._home, self._entries, self._files = home, 0, 0

    def __iter__(self) -> Iterator[tuple[str, tuple[str, int] | Row]]:
        rest: list[tuple[str, ...]] = [()]
        while rest:
            at = rest.pop()
            if len(at) > _DEEPEST:
                yield _row_name((*at, "")), {"unreadable": f"it lies deeper than {_DEEPEST} folders"}
                continue
            try:
                with _opened(self._home, at) as folder:
                    names, folders, cut = self._listed(folder)
                    for name in names:
                        yield _row_name((*at, name)), (name, folder)
            except FileNotFoundError:
                continue
            except OSError as error:
                yield _row_name((*at, "")), _unreadable(error)
                continue
            if cut:
                most = f"more than {_MOST_FILES} files or {_MOST_ENTRIES} entries"
                yield CUT, {"unreadable": f"there are {most} below HOME"}
                return
            rest.extend((*at, name) for name in reversed(folders))

    def _listed(self, folder: int) -> tuple[list[str], list[str], bool]:
        """Return the names of visible files and folders, sorted, and whether there were too many."""
        files: list[str] = []
        folders: list[str] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                self._entries += 1
                if self._entries > _MOST_ENTRIES:
                    break
                if not entry.name.startswith("."):
                    (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
        room = max(0, _MOST_FILES - self._files)
        self._files += len(files)
        cut = self._entries > _MOST_ENTRIES or len(files) > room
        return sorted(files)[:room], sorted(folders), cut


@contextmanager
def _opened(home: Path, names: tuple[str, ...]) -> Iterator[int]:
    """Open a folder part by part, without following links."""
    fd = os.open(home, _FOLDER)
    try:
        for name in names:
            inner = os.open(name, _FOLDER, dir_fd=fd)
            os.close(fd)
            fd = inner
        yield fd
    finally:
        os.close(fd)


def _row(name: str, folder: int, about: os.stat_result, budget: _Budget) -> Row:
    if stat.S_ISLNK(about.st_mode):
        return {"link": plain(os.readlink(name, dir_fd=folder))}
    if not stat.S_ISREG(about.st_mode):
        return {"special": True}
    if about.st_size > min(_LARGEST, budget.content):
        return {"size": about.st_size}
    budget.content -= about.st_size
    content, digest = _content(name, folder, about.st_size)
    row: Row = {"size": about.st_size, "sha256": digest}
    if content is not None:
        row["text"] = content
    return row


def _content(name: str, folder: int, size: int) -> tuple[str | None, str]:
    """Return text and digest of the first `size` bytes; bytes appended meanwhile are ignored."""
    digest, kept = hashlib.sha256(), b""
    with os.fdopen(os.open(name, _FILE, dir_fd=folder), "rb", buffering=0) as file:
        while size > 0 and (chunk := file.read(min(size, _CHUNK))):
            digest.update(chunk)
            size -= len(chunk)
            kept = kept + chunk if len(kept) <= _LONGEST_TEXT else kept
    try:
        return (kept.decode() if len(kept) <= _LONGEST_TEXT else None), digest.hexdigest()
    except UnicodeDecodeError:
        return None, digest.hexdigest()


def _within(row: Row, budget: _Budget) -> bool:
    budget.texts -= len(row.get("text", ""))
    return budget.texts >= 0


def _unreadable(error: OSError) -> Row:
    return {"unreadable": error.strerror or type(error).__name__}


def _row_name(names: tuple[str, ...]) -> str:
    """Return a path as unique text."""
    path = "/".join(names)
    try:
        path.encode()
    except UnicodeEncodeError:
        return f"//{quote_from_bytes(os.fsencode(path))}"
    return path
