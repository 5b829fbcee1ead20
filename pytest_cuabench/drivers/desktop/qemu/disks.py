"""The disks of a virtual machine: writes go to an overlay, the backing image stays unchanged."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock

from pytest_cuabench.drivers.desktop.images import MachineSpec, cache
from pytest_cuabench.errors import EnvironmentFailure, Missing

_SECONDS = 60.0
_COPY_SECONDS = 3600.0  # for a disk of tens of GB


class Firmware(NamedTuple):
    """UEFI firmware with its initial variable store."""

    code: Path
    variables: Path


_FIRMWARE = (
    Firmware(Path("/usr/share/OVMF/OVMF_CODE_4M.fd"), Path("/usr/share/OVMF/OVMF_VARS_4M.fd")),
    Firmware(Path("/usr/share/OVMF/OVMF_CODE.fd"), Path("/usr/share/OVMF/OVMF_VARS.fd")),
    Firmware(Path("/usr/share/edk2/x64/OVMF_CODE.4m.fd"), Path("/usr/share/edk2/x64/OVMF_VARS.4m.fd")),
)


def firmware() -> Firmware:
    """Return this computer's UEFI for virtual machines.

    Raises:
        Missing: It is not installed.
    """
    found = next((one for one in _FIRMWARE if one.code.is_file() and one.variables.is_file()), None)
    if found is None:
        raise Missing('a virtual machine with firmware = "uefi" needs ovmf; type: sudo apt-get install ovmf')
    return found


def overlay(below: Path, kind: str, target: Path) -> None:
    """Create an empty overlay of a disk.

    Raises:
        EnvironmentFailure: There is no space, or the backing file is not a disk image.
    """
    _run(
        ("qemu-img", "create", "-q", "-f", "qcow2", "-F", kind, "-b", str(below.absolute()), str(target)),
        _SECONDS,
    )


def overlay_of(spec: MachineSpec, target: Path) -> None:
    """Create an empty overlay of a machine's disk, at its snapshot if it names one.

    Raises:
        EnvironmentFailure: There is no space, no such snapshot, or the file is not a disk image.
    """
    if spec.snapshot is None:
        overlay(spec.disk, spec.format, target)
    else:
        overlay(_as_of(spec.disk, spec.snapshot), "qcow2", target)


def _as_of(disk: Path, snapshot: str) -> Path:
    """Return a cached copy of a disk at an internal snapshot, which an overlay cannot refer to."""
    status = disk.stat()
    version = f"{disk.absolute()} {status.st_size} {status.st_mtime_ns}"
    target = cache() / "snapshots" / f"{snapshot}-{sha256(version.encode()).hexdigest()[:12]}.qcow2"
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(target.with_suffix(".lock")):
        if not target.exists():
            draft = target.with_suffix(".draft")
            _run(("cp", "--reflink=auto", "--sparse=always", str(disk), str(draft)), _COPY_SECONDS)
            _run(("qemu-img", "snapshot", "-a", snapshot, str(draft)), _SECONDS)
            # Renamed at last: a copy that was interrupted is never taken for a whole one.
            draft.replace(target)
    return target


def _run(argv: Sequence[str], seconds: float) -> None:
    if shutil.which(argv[0]) is None:
        raise Missing(f"{argv[0]} is not installed; type: sudo apt-get install qemu-utils")
    try:
        done = subprocess.run(  # noqa: S603 - fixed programs, and no shell
            argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentFailure(f"{argv[0]} did not end within {seconds:g} s") from None
    if done.returncode != 0:
        said = " ".join(done.stderr.split())[:500] or f"code {done.returncode}"
        raise EnvironmentFailure(f"a virtual machine's disk cannot be made: {said}")
