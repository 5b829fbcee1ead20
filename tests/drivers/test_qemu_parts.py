"""What virtual machines are made of, each by itself: descriptions, disks, command lines, and the probe for KVM."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.drivers import output
from pytest_cuabench.drivers.desktop import images
from pytest_cuabench.drivers.desktop.images import MachineSpec, container_spec, machine_spec
from pytest_cuabench.drivers.desktop.qemu import accelerator, disks
from pytest_cuabench.drivers.desktop.qemu import machine as qemu
from pytest_cuabench.drivers.desktop.qemu.arguments import arguments, code_digest
from pytest_cuabench.drivers.desktop.qemu.machine import PROGRAM, Qemu
from pytest_cuabench.drivers.desktop.qemu.snapshots import SnapshotStage, name_of
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.errors import EnvironmentFailure, Missing, SettingError
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.library import ENVIRONMENTS

from .machines_here import instance

SCREEN = Size(1280, 800)
needs_qemu = pytest.mark.skipif(
    not all(map(shutil.which, (PROGRAM, "qemu-img", "qemu-io"))),
    reason="virtual machines need more; type: apt-get install --no-install-recommends qemu-system-x86 qemu-utils",
)


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """Something that passes for a disk."""
    (tmp_path / "disk.qcow2").write_bytes(b"disk")
    return tmp_path / "disk.qcow2"


def test_a_disk_alone(disk: Path) -> None:
    """A disk is enough of a description: it is started by its own firmware, as an OSWorld machine is."""
    spec = machine_spec(str(disk))
    assert (spec.disk, spec.format, spec.port, spec.kernel, spec.code) == (disk, "qcow2", 5000, None, False)


@pytest.mark.parametrize("named", ["machine.toml", "."])
def test_a_description(disk: Path, named: str) -> None:
    """A description is named by its file or its folder, and its paths are seen from there."""
    file = disk.with_name("machine.toml")
    file.write_text('disk = "disk.qcow2"\nmemory = 8192\nfirmware = "uefi"\nsnapshot = "sci_bench"\n')
    spec = machine_spec(str(disk.parent / named))
    assert (spec.disk, spec.memory, spec.firmware, spec.snapshot) == (disk, 8192, "uefi", "sci_bench")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('disk = "gone.qcow2"', r"the virtual machine has no disk .*gone\.qcow2"),
        ('disk = "disk.qcow2"\nkernel = "gone"', r"the virtual machine has no kernel"),
        ('disk = "disk.qcow2"\nmemroy = 1', r"memroy"),
        ('disk = "disk.qcow2"\nmemory = 1', r"memory"),
        ('disk = "disk.qcow2"\nsnapshot = "a b"', r"snapshot"),
        ("disk = ", r"not valid TOML"),
    ],
)
def test_malformed_descriptions(disk: Path, text: str, complaint: str) -> None:
    """A description with a mistake is refused with the file and what is wrong in it."""
    file = disk.with_name("machine.toml")
    file.write_text(text)
    with pytest.raises(SettingError, match=complaint):
        machine_spec(str(file))


def test_nothing_was_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any machine the command that builds one is told."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(Missing, match="type: cuabench image vm"):
        machine_spec(None)
    built = tmp_path / "cuabench" / images.NAME
    built.mkdir(parents=True)
    (built / "disk.raw").write_bytes(b"")
    (built / "machine.toml").write_text('disk = "disk.raw"\nformat = "raw"\n')
    assert machine_spec(None).disk == built / "disk.raw"


def test_containers(tmp_path: Path) -> None:
    """A container is named by its image, or by a file with its limits."""
    assert container_spec(None).image == images.NAME
    assert container_spec("other:2").image == "other:2"
    (tmp_path / "c.toml").write_text('image = "x"\ncpus = 0.5\n')
    assert container_spec(str(tmp_path / "c.toml")).cpus == 0.5
    (tmp_path / "c.toml").write_text('network = "--privileged"\n')
    with pytest.raises(SettingError, match="network"):
        container_spec(str(tmp_path / "c.toml"))


@pytest.mark.asyncio
async def test_missing_programs(disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Absent programs are told with the packages that have them."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    machine = Qemu(SCREEN, Leases(tmp_path / "leases"), str(disk))
    with pytest.raises(Missing, match="apt-get install --no-install-recommends qemu-system-x86 qemu-utils"):
        await machine.start()


def test_no_network_and_nothing_secret(disk: Path, tmp_path: Path) -> None:
    """A machine's command line shuts it off from every network, and names files instead of secrets."""
    spec = MachineSpec(disk=disk, kernel=disk, initrd=disk, code=True)
    line = arguments(spec, tmp_path, "tcg", SCREEN)
    (network,) = [word for word in line if word.startswith("user,")]
    assert "restrict=on" in network
    assert "hostfwd=tcp:127.0.0.1:0-:5000" in network
    assert f"name=opt/cuabench/token,file={tmp_path / 'token'}" in line
    assert "spawn=deny" in line[line.index("-sandbox") + 1]


def test_firmware(disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of its own disk starts by BIOS, or by UEFI where that is asked for and installed."""
    spec = MachineSpec(disk=disk, firmware="uefi")
    monkeypatch.setattr(disks, "_FIRMWARE", ())
    with pytest.raises(Missing, match="apt-get install ovmf"):
        arguments(spec, tmp_path, "tcg", SCREEN)
    monkeypatch.setattr(disks, "_FIRMWARE", (disks.Firmware(disk, disk),))
    line = arguments(spec, tmp_path, "kvm", SCREEN)
    assert "pflash0=firmware,pflash1=variables" in line
    assert line[line.index("-cpu") + 1] == "host"
    assert "-kernel" not in line
    plain = arguments(MachineSpec(disk=disk), tmp_path, "tcg", SCREEN)
    assert not any("pflash" in word or "fw_cfg" in word for word in plain)


def test_the_guest_that_was_built_in(disk: Path, tmp_path: Path) -> None:
    """Builder and driver know the guest by the same sum; one that was built in is not brought once more."""
    said = f"import sys; sys.path.insert(0, {str(ENVIRONMENTS / 'desktop')!r})\n"
    said += "from image.libraries import code_digest; print(code_digest())"
    assert _run(sys.executable, "-c", said).strip() == code_digest()
    spec = MachineSpec(disk=disk, kernel=disk, code=True, guest=code_digest())
    assert not any("drive=code" in word for word in arguments(spec, tmp_path, "tcg", SCREEN))
    (tmp_path / "code").touch()
    assert any("drive=code" in word for word in arguments(spec, tmp_path, "tcg", SCREEN))


@needs_qemu
def test_overlay(tmp_path: Path) -> None:
    """An overlay shows what is below it, and what is written to it is not below."""
    below, over = tmp_path / "below.raw", tmp_path / "over"
    below.write_bytes(bytes([7]) * 65536)
    disks.overlay(below, "raw", over)
    told = json.loads(_run("qemu-img", "info", "--output=json", str(over)))
    assert told["full-backing-filename"] == str(below)
    _run("qemu-io", "-f", "qcow2", "-c", "read -P 7 0 4096", "-c", "write -P 9 0 4096", str(over))
    assert below.read_bytes() == bytes([7]) * 65536
    with pytest.raises(EnvironmentFailure, match="a virtual machine's disk cannot be made: "):
        disks.overlay(tmp_path / "gone", "raw", over)


@needs_qemu
def test_snapshot_of_a_foreign_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine starts from the snapshot that its description names; the disk itself stays as it is."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    foreign = tmp_path / "foreign.qcow2"
    _run("qemu-img", "create", "-f", "qcow2", str(foreign), "1M")
    _run("qemu-io", "-f", "qcow2", "-c", "write -P 1 0 4096", str(foreign))
    _run("qemu-img", "snapshot", "-c", "sci_bench", str(foreign))
    _run("qemu-io", "-f", "qcow2", "-c", "write -P 2 0 4096", str(foreign))
    spec = MachineSpec(disk=foreign, snapshot="sci_bench")
    for _ in range(2):  # the copy is made once
        (tmp_path / "over").unlink(missing_ok=True)
        disks.overlay_of(spec, tmp_path / "over")
        _run("qemu-io", "-f", "qcow2", "-c", "read -P 1 0 4096", str(tmp_path / "over"))
    assert len(list((tmp_path / "cache/cuabench/snapshots").glob("*.qcow2"))) == 1
    _run("qemu-io", "-r", "-f", "qcow2", "-c", "read -P 2 0 4096", str(foreign))
    with pytest.raises(EnvironmentFailure, match="a virtual machine's disk cannot be made: "):
        disks.overlay_of(MachineSpec(disk=foreign, snapshot="none"), tmp_path / "over")


@needs_qemu
@pytest.mark.asyncio
async def test_the_probe_starts_a_machine(disk: Path) -> None:
    """The probe sees a processor that works come to life."""
    assert await accelerator.boots(PROGRAM, MachineSpec(disk=disk), "tcg")


@needs_qemu
@pytest.mark.asyncio
@pytest.mark.parametrize(
    "program", [b"\xf4", b"\xeb\xfe", b"\xb0\x11\xe6\xf4\xf4"], ids=["halts", "hangs", "raves"]
)
async def test_the_probe_is_not_fooled(disk: Path, monkeypatch: pytest.MonkeyPatch, program: bytes) -> None:
    """A machine that starts but does not do what it was told to does not count, and is not waited for for long."""
    monkeypatch.setattr(accelerator, "_PROGRAM", program)
    assert not await accelerator.boots(PROGRAM, MachineSpec(disk=disk), "tcg", seconds=0.5)


SHOUTS = b"\xba\xf8\x03\xee\xeb\xfd"  # mov dx, 0x3f8; out dx, al; again
WRITES = bytes.fromhex(
    "31c0 8ed8"  # data at 0
    "b443 30c0 b280 be1a7c cd13"  # the firmware writes to the first disk what stands below
    "66 8106 227c 40000000 ebea"  # 64 sectors on; again
    "1000 4000 0000 0010 0100000000000000"  # 64 sectors from 1000:0000 to the second one
)


@needs_qemu
@pytest.mark.asyncio
@pytest.mark.parametrize("guest", [SHOUTS, WRITES], ids=["shouts", "writes"])
async def test_a_guest_fills_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guest: bytes) -> None:
    """A guest that prints without end takes no disk space, and one that writes to its disk is ended at its bound."""
    disk = tmp_path / "disk.raw"
    disk.write_bytes(guest.ljust(510, b"\0") + b"\x55\xaa")
    os.truncate(disk, 2**30)
    spec = MachineSpec(disk=disk, format="raw", memory=128, accelerator="tcg").model_copy(
        update={"space": 32}
    )
    monkeypatch.setattr(qemu, "machine_spec", lambda detail: spec)
    machine = Qemu(SCREEN, Leases(tmp_path / "leases"))
    try:
        await machine.start()
        assert machine.vnc
        folder = machine.vnc.parent
        async with asyncio.timeout(60):
            if guest is WRITES:
                while await machine.alive():
                    await asyncio.sleep(0.05)
                assert "wrote more to its disk than it may: 32 MiB" in await machine.last_output()
            else:
                while len(await machine._console.tail()) < output._KEPT:
                    await asyncio.sleep(0.05)
                assert await machine.alive()
                assert len(await machine.last_output()) <= output._LONGEST
        assert sum(file.stat().st_size for file in folder.iterdir()) <= 33 * 2**20
    finally:
        await machine.close()
    assert not folder.exists()


@needs_qemu
@pytest.mark.asyncio
async def test_kvm_is_asked_once(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether KVM works is found out once, and is the same as what a machine says that is started with it."""
    monkeypatch.setattr(accelerator, "_known", {})
    spec = MachineSpec(disk=disk)
    first = await accelerator.kvm_works(PROGRAM, spec)
    assert await accelerator.kvm_works("/no/such/program", spec) is first


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("wait", "works"), [("sleep 0.2", True), ("exec sleep 30", False)], ids=["fast", "slow"]
)
async def test_kvm_is_no_slower_than_emulation(
    disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wait: str, works: bool
) -> None:
    """A KVM that runs the firmware, but far more slowly than emulation does, would hang later and is not used."""
    qemu = tmp_path / "qemu"
    qemu.write_text(
        f'#!/bin/sh\nif [ "$2" = kvm ]; then {wait}; else sleep 0.2; fi\nexit {accelerator.ALIVE_EXIT}\n'
    )
    qemu.chmod(0o755)
    monkeypatch.setattr(accelerator, "_known", {})
    monkeypatch.setattr(os, "access", lambda *_: True)
    assert await accelerator.kvm_works(str(qemu), MachineSpec(disk=disk)) is works


class Past:
    """A machine that only remembers what it was told."""

    def __init__(self) -> None:
        self.kept: list[str] = []
        self.told: list[tuple[str, str]] = []

    async def keep(self, name: str) -> None:
        self.kept.append(name)
        self.told.append(("keep", name))

    async def restore(self, name: str) -> bool:
        if name in self.kept:
            self.told.append(("restore", name))
        return name in self.kept


class Prepared:
    """A guest that only remembers what it was asked."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self.layer = "home"

    async def set_clock(self) -> None:
        self._past.told.append(("clock", ""))

    async def begin(self, application: str, setup: Any, seconds: float) -> Any:
        from pytest_cuabench.drivers.desktop.guest import Begun

        self._past.told.append(("begin", application))
        return Begun(self.layer, "state")


@pytest.mark.asyncio
async def test_layers_of_snapshots() -> None:
    """Boot, an application started and a task prepared are kept when first reached, and the nearest is gone back to."""
    past = Past()
    guest = Prepared(past)
    stage = SnapshotStage(guest, past)  # type: ignore[arg-type]
    one, two = name_of("probe", ()), name_of("probe", ({"do": "x"},))
    other = name_of("kalgebra", ())

    async def told(*steps: Any, application: str = "probe") -> list[tuple[str, str]]:
        past.told.clear()
        layer = (await stage.begin(instance(*steps, application=application), 60)).layer
        return [*past.told, ("layer", layer)]

    clock = ("clock", "")
    assert await told() == [("keep", "boot"), ("begin", "probe"), ("keep", one), ("layer", "home")]
    assert await told({"do": "x"}) == [
        ("restore", one), clock, ("begin", "probe"), ("keep", two), ("layer", "home"),
    ]  # fmt: skip
    assert await told(application="kalgebra") == [
        ("restore", "boot"), clock, ("begin", "kalgebra"), ("keep", other), ("layer", "home"),
    ]  # fmt: skip
    guest.layer = "clean"
    assert await told() == [("restore", one), clock, ("begin", "probe"), ("layer", "snapshot")]


def _run(*argv: str) -> str:
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout
