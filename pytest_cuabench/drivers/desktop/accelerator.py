"""Detection of KVM by booting a tiny virtual machine.

`/dev/kvm` is not enough: in a nested virtual machine it may exist, open, and hang. So a machine is booted whose program
only writes to a debug-exit device. The program is our kernel with its initial RAM disk if there is one, else five bytes
in place of the firmware.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from pytest_cuabench.drivers.desktop.images import MachineSpec

_PORT, _ALIVE_CODE = "0xf4", 0x10
ALIVE_EXIT = (_ALIVE_CODE << 1) | 1  # QEMU's exit code after that write
_SECONDS = 15.0
_ROM = 64 * 1024
_START = 0xFFF0  # the reset vector, in the last 64 KiB below 4 GiB
_PROGRAM = bytes((0xB0, _ALIVE_CODE, 0xE6, 0xF4, 0xF4))  # mov al, SAID; out 0xf4, al; hlt
_known: dict[Path | None, bool] = {}


async def kvm_works(qemu: str, spec: MachineSpec) -> bool:
    """Return whether KVM runs a machine's kernel, or any program if it has none; cached for the session."""
    if spec.kernel not in _known:
        _known[spec.kernel] = os.access("/dev/kvm", os.R_OK | os.W_OK) and await boots(qemu, spec, "kvm")
    return _known[spec.kernel]


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


def _payload(spec: MachineSpec, folder: Path) -> tuple[str, ...]:
    if spec.kernel is not None and spec.initrd is not None and spec.code:
        # Our initial RAM disk writes to the device when it sees this argument.
        return ("-kernel", str(spec.kernel), "-initrd", str(spec.initrd), "-append", "quiet cuabench=probe")
    rom = bytearray(_ROM)
    rom[_START : _START + len(_PROGRAM)] = _PROGRAM
    (folder / "rom").write_bytes(rom)
    return ("-bios", str(folder / "rom"))
