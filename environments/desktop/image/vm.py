"""A virtual machine from a system's tar file: a disk, a kernel with its initial ram disk, and `machine.toml`."""

from __future__ import annotations

import shutil
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from image import initrd
from image.layout import PORT
from image.modules import closure
from image.tools import as_owner, run

_SPARE = 1.25  # room on the disk beside what is there
_INIT = Path(__file__).parent.parent / "vm" / "init"
_MACHINE = """\
# Built by `cuabench image vm`; every line is explained in docs/desktops.md, "Virtual machines".
disk = "disk.raw"
format = "raw"
kernel = "vmlinuz"
initrd = "initrd.gz"
append = "console=ttyS0 quiet panic=-1 mitigations=off tsc=reliable clocksource=tsc"
memory = 1024
boot = 300
cpus = 2
port = {port}
code = true
applications = [{applications}]
recipe = "{recipe}"
guest = "{guest}"
"""


class About(NamedTuple):
    """What a machine says of itself: the groups of packages in it, and digests of its recipe and its guest."""

    groups: Sequence[str]
    recipe: str
    guest: str


def build(system: Path, kernel: Path, folder: Path, about: About, log: Path) -> Path:
    """Write a machine into a folder, in place of what was there, and return its `machine.toml`.

    Raises:
        BuildError: The disk cannot be made.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=folder.parent))
    try:
        _disk(system, draft / "disk.raw", log)
        _kernel(kernel, draft)
        applications = ", ".join(f'"{group}"' for group in about.groups)
        told = _MACHINE.format(port=PORT, applications=applications, recipe=about.recipe, guest=about.guest)
        (draft / "machine.toml").write_text(told, encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return folder / "machine.toml"


def _disk(system: Path, disk: Path, log: Path) -> None:
    """Make a file system of a tar file; the owners in it are kept, whoever we are."""
    with tempfile.TemporaryDirectory(dir=disk.parent) as tree:
        size = int(system.stat().st_size * _SPARE) // 2**20 + 256
        fill = 'tar -C "$1" -xf "$2" && exec mke2fs -q -t ext4 -O ^has_journal -m 0 -E root_owner=0:0 -d "$1" "$3" "$4"'
        # One call, so that what stands in for root's eyes remembers the owners from one program to the next.
        run((*as_owner(), "sh", "-c", fill, "sh", tree, system, disk, f"{size}M"), log)
        run((*as_owner(), "rm", "-rf", *Path(tree).iterdir()), log)


def _kernel(kernel: Path, folder: Path) -> None:
    with tarfile.open(kernel) as archive:
        names = archive.getnames()
        image = next(name for name in names if name.startswith("./boot/vmlinuz-"))
        (folder / "vmlinuz").write_bytes(_member(archive, image))
        initrd.write(
            folder / "initrd.gz",
            _INIT.read_bytes(),
            _member(archive, "./bin/busybox"),
            closure(archive),
        )


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    file = archive.extractfile(name)
    assert file is not None
    return file.read()
