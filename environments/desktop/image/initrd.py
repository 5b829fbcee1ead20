"""The initial ram disk: a shell, the modules of the virtual machine, and a script that mounts its disk."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from itertools import count
from pathlib import Path

_FOLDER, _FILE = 0o040755, 0o100755


def write(target: Path, init: bytes, busybox: bytes, modules: Mapping[str, bytes]) -> None:
    """Write an initial ram disk."""
    files = {
        "init": init,
        "bin/busybox": busybox,
        "modules": "".join(f"{name}\n" for name in modules).encode(),
        **{f"lib/{name}.ko": content for name, content in modules.items()},
    }
    number = count(1)
    parts = [_entry(next(number), folder, _FOLDER, b"") for folder in ("bin", "dev", "lib", "root")]
    parts += [_entry(next(number), name, _FILE, content) for name, content in files.items()]
    parts.append(_entry(0, "TRAILER!!!", 0, b""))
    target.write_bytes(gzip.compress(b"".join(parts), 6, mtime=0))


def _entry(inode: int, name: str, mode: int, content: bytes) -> bytes:
    """Return one member of an archive in the `newc` format of cpio, which is what the kernel reads."""
    links = 2 if mode == _FOLDER else 1
    fields = (inode, mode, 0, 0, links, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
    head = b"070701" + "".join(f"{field:08X}" for field in fields).encode("ascii") + name.encode() + b"\0"
    return _padded(head) + _padded(content)


def _padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % 4)
