"""Which kernel modules a virtual machine needs, in the order in which they load, out of an unpacked kernel package."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Mapping
from pathlib import PurePosixPath

WANTED = (
    "virtio_pci",  # the bus of all that follows
    "virtio_blk",  # the disk
    "crc32c_generic",  # the checksums of its file system, which asks for them without naming them
    "ext4",
    "virtio_net",  # the guest's port
    "qemu_fw_cfg",  # the token
    "bochs",  # the picture for whoever watches
)


def closure(kernel: tarfile.TarFile) -> Mapping[str, bytes]:
    """Return the modules by name, each after those that it depends on.

    Raises:
        KeyError: The kernel has no module of a wanted name.
    """
    files = {
        _name(PurePosixPath(member.name).name.removesuffix(".ko")): member
        for member in kernel.getmembers()
        if member.name.endswith(".ko")
    }
    loaded: dict[str, bytes] = {}

    def load(name: str) -> None:
        if name in loaded:
            return
        content = _content(kernel, files[name])
        for needed in _depends(content):
            load(needed)
        loaded[name] = content

    for name in WANTED:
        load(name)
    return loaded


def _content(kernel: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = kernel.extractfile(member)
    assert file is not None
    return file.read()


def _depends(module: bytes) -> list[str]:
    """Return what a module says in its own header that it needs."""
    found = re.search(rb"\0depends=([\w,-]*)\0", module)
    return [_name(name) for name in found[1].decode("ascii").split(",") if name] if found else []


def _name(name: str) -> str:
    return name.replace("-", "_")  # file names and the kernel differ in this
