"""QEMU's files and arguments; secrets are in files, not on the command line."""

from __future__ import annotations

import json
import tarfile
from hashlib import sha256
from pathlib import Path
from typing import Any

from pytest_cuabench.drivers.desktop.images import MachineSpec
from pytest_cuabench.drivers.desktop.qemu.disks import firmware, overlay, overlay_of
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.worlds import world_folder

DISK, VARIABLES = "disk", "variables"  # names of files and block nodes that change while a machine runs
MONITOR, VNC = "monitor", "vnc"
_TOKEN, _SCREEN, _CODE = "token", "screen", "code"
_PARTS = ("guest", "vm")  # of the world
_PATIENCE = 8  # factor on the guest's timeouts without KVM
_SANDBOX = "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"


def write_files(folder: Path, spec: MachineSpec, token: str | None, screen: Size) -> None:
    """Write the files of a machine's start; with a token, also the guest's code.

    Raises:
        EnvironmentFailure: A disk cannot be created.
        Missing: The firmware is not installed.
    """
    overlay_of(spec, folder / DISK)
    if spec.kernel is None and spec.firmware == "uefi":
        overlay(firmware().variables, "raw", folder / VARIABLES)
    if token is not None:
        (folder / _TOKEN).touch(mode=0o600)
        (folder / _TOKEN).write_text(token, encoding="ascii")
        (folder / _SCREEN).write_text(str(screen), encoding="ascii")
        if spec.guest != code_digest():
            with tarfile.open(folder / _CODE, "w") as archive:
                for name in _PARTS:
                    archive.add(world_folder("desktop", None) / name, name, filter=_as_roots)


def code_digest() -> str:
    """Return the digest of the plugin's guest, computed as by `image` for built images."""
    digest, desktop = sha256(), world_folder("desktop", None)
    for name in _PARTS:
        for file in sorted((desktop / name).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(desktop).as_posix()}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def changing_nodes(folder: Path) -> tuple[str, ...]:
    """Return the block nodes that a snapshot must include."""
    return (DISK, VARIABLES) if (folder / VARIABLES).exists() else (DISK,)


def arguments(spec: MachineSpec, folder: Path, accelerator: str, screen: Size) -> list[str]:
    """Return QEMU's arguments for a folder prepared by `write_files`."""
    # Port 0: QEMU chooses a free one, which `Monitor.forwarded` asks for.
    forward = f"hostfwd=tcp:127.0.0.1:0-:{spec.port}"
    return [
        *("-name", f"cuabench-{folder.name}", "-nodefaults", "-no-user-config", "-display", "none"),
        *("-no-reboot", "-sandbox", _SANDBOX),  # a machine that reboots is broken
        *("-machine", "q35", "-accel", accelerator, "-cpu", "host" if accelerator == "kvm" else "max"),
        *("-smp", str(spec.cpus), "-m", str(spec.memory)),
        *("-qmp", f"unix:{folder / MONITOR},server=on,wait=off", "-serial", "stdio"),
        *("-vnc", f"unix:{folder / VNC}", "-device", f"VGA,xres={screen.width},yres={screen.height}"),
        *("-netdev", f"user,id=net,restrict=on,{forward}", "-device", "virtio-net-pci,netdev=net"),
        *_disk(folder / DISK),
        *(_kernel(spec, folder, accelerator) if spec.kernel else _firmware(spec, folder)),
    ]


def _disk(file: Path) -> tuple[str, ...]:
    # An overlay is temporary, so flushes are ignored.
    settled = {"discard": "unmap", "cache": {"no-flush": True}}
    node = {"driver": "qcow2", "node-name": DISK, "file": {**_file(file), **settled}, **settled}
    # `werror`: a machine whose disk takes no more stands still, which `Monitor.cannot_write` sees.
    return ("-blockdev", json.dumps(node), "-device", f"virtio-blk-pci,drive={DISK},bootindex=1,werror=stop")


def _kernel(spec: MachineSpec, folder: Path, accelerator: str) -> tuple[str, ...]:
    initrd = ("-initrd", str(spec.initrd)) if spec.initrd else ()
    started = ("-kernel", str(spec.kernel), *initrd, "-append", spec.append)
    if not spec.code:
        return started
    watched = ("-fw_cfg", "name=opt/cuabench/watch,string=on") if spec.watch else ()
    return (
        *started,
        *watched,
        *(_code(folder / _CODE) if (folder / _CODE).exists() else ()),
        *("-fw_cfg", f"name=opt/cuabench/token,file={folder / _TOKEN}"),
        *("-fw_cfg", f"name=opt/cuabench/screen,file={folder / _SCREEN}"),
        *("-fw_cfg", f"name=opt/cuabench/patience,string={_PATIENCE if accelerator == 'tcg' else 1}"),
    )


def _code(file: Path) -> tuple[str, ...]:
    node = {"driver": "raw", "node-name": _CODE, "read-only": True, "file": _file(file, fixed=True)}
    return ("-blockdev", json.dumps(node), "-device", f"virtio-blk-pci,drive={_CODE}")


def _firmware(spec: MachineSpec, folder: Path) -> tuple[str, ...]:
    if spec.firmware == "bios":
        return ()
    program = _file(firmware().code, fixed=True)
    code = {"driver": "raw", "node-name": "firmware", "read-only": True, "file": program}
    variables = {"driver": "qcow2", "node-name": VARIABLES, "file": _file(folder / VARIABLES)}
    return (
        *("-blockdev", json.dumps(code), "-blockdev", json.dumps(variables)),
        *("-machine", f"pflash0=firmware,pflash1={VARIABLES}"),
    )


def _file(path: Path, *, fixed: bool = False) -> dict[str, Any]:
    return {"driver": "file", "filename": str(path), "read-only": fixed}


def _as_roots(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    if "__pycache__" in member.name:
        return None
    member.uid = member.gid = 0
    member.mode |= 0o555 if member.isdir() else 0o444  # programs of the desktop's user read some files
    return member
