"""Detection of KVM by booting a tiny virtual machine.

`/dev/kvm` is not enough: in a nested virtual machine it may exist, open, and hang. So a machine is booted whose program
only writes to a debug-exit device. The program is our kernel with its initial RAM disk if there is one, else five bytes
that the firmware loads from a disk. These may run where a kernel hangs, so KVM must also be about as fast as emulation.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from pytest_cuabench.drivers.desktop.images import MachineSpec

_PORT, _ALIVE_CODE = "0xf4", 0x10
ALIVE_EXIT = (_ALIVE_CODE << 1) | 1  # QEMU's exit code after that write
_SECONDS = 15.0
_SLOWER = 10  # times emulation's seconds for the firmware; one that hangs later took thirty times as long
_DISK = 1024 * 1024  # bytes; the firmware boots from no disk of one sector
_SECTOR, _BOOTABLE = 510, b"\x55\xaa"
_PROGRAM = bytes((0xB0, _ALIVE_CODE, 0xE6, 0xF4, 0xF4))  # mov al, _ALIVE_CODE; out 0xf4, al; hlt
_known: dict[Path | None, bool] = {}


async def kvm_works(qemu: str, spec: MachineSpec) -> bool:
    """Return whether KVM runs a machine's kernel, or any program if it is not ours; cached for the session."""
    kernel = spec.kernel if _is_ours(spec) else None
    if kernel not in _known:
        _known[kernel] = os.access("/dev/kvm", os.R_OK | os.W_OK) and await _accelerates(qemu, spec)
    return _known[kernel]


async def _accelerates(qemu: str, spec: MachineSpec) -> bool:
    if _is_ours(spec):
        return await boots(qemu, spec, "kvm")
    start = time.monotonic()
    await boots(qemu, spec, "tcg")
    return await boots(qemu, spec, "kvm", min(_SECONDS, _SLOWER * (time.monotonic() - start)))


async def boots(qemu: str, spec: MachineSpec, accelerator: str, seconds: float = _SECONDS) -> bool:
    """Return whether a tiny machine boots in time."""
    processor = "host" if accelerator == "kvm" else "max"
    with tempfile.TemporaryDirectory(prefix="cua-probe-") as folder:
        process = await asyncio.create_subprocess_exec(
            *(qemu, "-accel", accelerator, "-cpu", processor, "-machine", "q35", "-m", "256", "-nodefaults"),
            *("-display", "none", "-no-reboot", *_payload(spec, Path(folder))),
            *("-device", f"isa-debug-exit,iobase={_PORT},iosize=0x01"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            return await asyncio.wait_for(process.wait(), seconds) == ALIVE_EXIT
        except TimeoutError:
            return False
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _is_ours(spec: MachineSpec) -> bool:
    return spec.kernel is not None and spec.initrd is not None and spec.code


def _payload(spec: MachineSpec, folder: Path) -> tuple[str, ...]:
    if _is_ours(spec):
        # Our initial RAM disk writes to the device when it sees this argument.
        return ("-kernel", str(spec.kernel), "-initrd", str(spec.initrd), "-append", "quiet cuabench=probe")
    disk = folder / "disk"
    disk.write_bytes((_PROGRAM.ljust(_SECTOR, b"\0") + _BOOTABLE).ljust(_DISK, b"\0"))
    return ("-hda", str(disk))
