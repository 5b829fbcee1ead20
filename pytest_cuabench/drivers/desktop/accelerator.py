"""Whether this computer can run virtual machines at full speed: found out by running one.

`/dev/kvm` proves nothing: inside of another virtual machine it may be there, open, and hang. So a machine is started
whose program has one thing to do, which is to tell a device that it has come to life. Where there is a kernel of ours
that program is the kernel with its initial ram disk, else five bytes in the place of a firmware.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from pytest_cuabench.drivers.desktop.images import MachineSpec

_PORT, _SAID = "0xf4", 0x10
ALIVE = (_SAID << 1) | 1  # what QEMU ends with when the program has said so
_SECONDS = 15.0
_ROM = 64 * 1024
_START = 0xFFF0  # where a processor begins, in the last 64 KiB below 4 GiB
_PROGRAM = bytes((0xB0, _SAID, 0xE6, 0xF4, 0xF4))  # mov al, SAID; out 0xf4, al; hlt
_known: dict[Path | None, bool] = {}


async def kvm_works(qemu: str, spec: MachineSpec) -> bool:
    """Return whether KVM runs a machine's kernel, or any program where it has none; asked once a session."""
    if spec.kernel not in _known:
        _known[spec.kernel] = os.access("/dev/kvm", os.R_OK | os.W_OK) and await runs(qemu, spec, "kvm")
    return _known[spec.kernel]


async def runs(qemu: str, spec: MachineSpec, accelerator: str, seconds: float = _SECONDS) -> bool:
    """Return whether a tiny machine comes to life in time."""
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
            return await asyncio.wait_for(process.wait(), seconds) == ALIVE
        except TimeoutError:
            return False
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _payload(spec: MachineSpec, folder: Path) -> tuple[str, ...]:
    if spec.kernel is not None and spec.initrd is not None and spec.code:
        # Our own initial ram disk knows this word, and says that it has come to life.
        return ("-kernel", str(spec.kernel), "-initrd", str(spec.initrd), "-append", "quiet cuabench=probe")
    rom = bytearray(_ROM)
    rom[_START : _START + len(_PROGRAM)] = _PROGRAM
    (folder / "rom").write_bytes(rom)
    return ("-bios", str(folder / "rom"))
