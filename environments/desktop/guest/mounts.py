"""Private in-memory file systems that limit the disk space of a desktop's programs.

They disappear with the process and its children.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from guest.errors import BadRequest

SIZE = 512 * 2**20  # bytes of HOME, /tmp, /run/user, /dev/shm and logs together
FILES = 150_000
_GIVEN = 64 * 2**20  # bytes of the programs' read-only files

_NEWNS, _NEWUSER = 0x00020000, 0x10000000
_NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND, _REC, _SLAVE = 2, 4, 8, 0x20, 0x1000, 0x4000, 0x80000
_libc = ctypes.CDLL(None, use_errno=True)


def mount_folders(state: Path) -> None:
    """Mount the folders of a desktop's programs in a private namespace; the process must have one thread.

    Raises:
        BadRequest: The system does not allow it.
    """
    try:
        _leave()
        _call(_libc.mount(b"none", b"/", None, _REC | _SLAVE, None))
        _mount(state / "space", f"size={SIZE},nr_inodes={FILES},mode=0755")
        _show(state / "space", without_programs(state))
        _mount(state / "given", f"size={_GIVEN},mode=0755")
    except OSError as error:
        raise BadRequest(
            f"the disk space of this desktop's programs cannot be bounded ({error.strerror}); allow user namespaces: "
            "sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0"
        ) from None


def without_programs(state: Path) -> Path:
    """Return where the writable folders are seen a second time, and nothing in them can be run or linked."""
    return state / "space-noexec"


def _show(folder: Path, again: Path) -> None:
    again.mkdir(parents=True, exist_ok=True)
    _call(_libc.mount(os.fsencode(folder), os.fsencode(again), None, _BIND, None))
    flags = _REMOUNT | _BIND | _NOSUID | _NODEV | _NOEXEC
    _call(_libc.mount(b"none", os.fsencode(again), None, flags, None))


def _leave() -> None:
    """Enter a private mount namespace; without root, inside a user namespace that allows mounting."""
    user, group = os.geteuid(), os.getegid()
    if user == 0 and _libc.unshare(_NEWNS) == 0:
        return
    _call(_libc.unshare(_NEWUSER | _NEWNS))
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _mount(folder: Path, options: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _call(_libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", _NOSUID | _NODEV, options.encode()))


def _call(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
