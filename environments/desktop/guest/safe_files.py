"""File access below a folder that untrusted programs write to, safe against symbolic links and races."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import closing, suppress
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from types import TracebackType

from guest.errors import BadRequest

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
LONGEST = 64 * 1024 * 1024  # bytes to read of one file


class _Open:
    """A context manager for an open folder."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def __enter__(self) -> int:
        return self.fd

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        os.close(self.fd)


def parts(relative: str) -> tuple[str, ...]:
    """Return the names of a path below HOME.

    Raises:
        BadRequest: It is empty, absolute, or contains `..`.
    """
    path = PurePosixPath(relative)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in relative:
        raise BadRequest(f"path {relative!r} must lie below HOME, for example Documents/notes.txt")
    return path.parts


def read(root: Path, relative: str, longest: int = LONGEST) -> bytes:
    """Return at most `longest` bytes of a regular file below `root`.

    Raises:
        BadRequest: The path leads out of `root`.
        OSError: There is no such regular file, or a part of the path is a link.
    """
    *folders, name = parts(relative)
    with _descend(root, folders, make=False) as parent:
        # Without O_NONBLOCK, opening a pipe would wait for a writer.
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=parent)
    with closing(os.fdopen(fd, "rb")) as file:
        if not stat.S_ISREG(
            os.fstat(fd).st_mode
        ):  # a pipe or socket tells what its writer wants at that moment
            raise OSError(errno.EINVAL, "Not a regular file", relative)
        return file.read(longest)


def matching(root: Path, pattern: str, most: int) -> list[str]:
    """Return at most `most` paths below `root`, sorted, that fit a pattern such as `work/*/*.xml`.

    Links are not followed.

    Raises:
        BadRequest: The pattern leads out of `root`.
    """
    *folders, last = parts(pattern)
    found: list[tuple[str, ...]] = [()]
    for name in folders:
        found = [(*path, one) for path in found for one in _fitting(root, path, name, most)][:most]
    return ["/".join((*path, one)) for path in found for one in _fitting(root, path, last, most)][:most]


def _fitting(root: Path, folders: tuple[str, ...], name: str, most: int) -> list[str]:
    """Return the entries of a folder that fit one part of a pattern; none of a folder that cannot be read."""
    try:
        with _descend(root, folders, make=False) as folder:
            if "*" not in name:
                os.stat(name, dir_fd=folder, follow_symlinks=False)
                return [name]
            with os.scandir(folder) as entries:
                return sorted(one.name for one in entries if fnmatchcase(one.name, name))[:most]
    except OSError:
        return []


def write(root: Path, relative: str, content: bytes) -> None:
    """Write a file below `root`, and create its parent folders.

    Raises:
        BadRequest: The path leads out of `root`.
        OSError: A part of the path is a link or a file.
    """
    *folders, name = parts(relative)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with _descend(root, folders, make=True) as parent:
        fd = os.open(name, flags, 0o644, dir_fd=parent)
    with closing(os.fdopen(fd, "wb")) as file:
        file.write(content)


def make_folder(root: Path, relative: str) -> None:
    """Create a folder below `root` with its parents; it may exist already.

    Raises:
        BadRequest: The path leads out of `root`.
        OSError: A part of the path is a link or a file.
    """
    with _descend(root, parts(relative), make=True):
        pass


def own(path: Path, user: int, group: int | None = None) -> None:
    """Change the owner of a file, or of a folder with all that it holds, while programs may swap parts of it."""
    group = user if group is None else group
    os.chown(path, user, group, follow_symlinks=False)
    for _, folders, files, fd in os.fwalk(path):  # enters no link; nothing where it is a file
        for name in (*folders, *files):
            with suppress(FileNotFoundError):
                os.chown(name, user, group, dir_fd=fd, follow_symlinks=False)


def _descend(root: Path, folders: tuple[str, ...] | list[str], make: bool) -> _Open:
    fd = os.open(root, _FOLDER)
    for name in folders:
        with _Open(fd) as parent:
            if make:
                _make(name, parent)
            fd = os.open(name, _FOLDER, dir_fd=parent)
    return _Open(fd)


def _make(name: str, parent: int) -> None:
    try:
        os.mkdir(name, 0o755, dir_fd=parent)
    except FileExistsError:
        return
