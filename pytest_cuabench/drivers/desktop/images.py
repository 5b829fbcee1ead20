"""Which image a desktop is made from: a container's by its name, a virtual machine's by its `machine.toml`.

`--cua-world desktop=docker:IMAGE` names an image of the engine, or a TOML file with limits beside the name;
`--cua-world desktop=qemu:PATH` a TOML file, its folder, or just a disk. Without either, the images that
`cuabench image` builds are used.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.errors import Missing, SettingError
from pytest_cuabench.task.toml import read_strict

NAME = "cuabench-desktop"
_MIB = 128  # the least memory that means anything


class ContainerSpec(BaseModel):
    """A container: its image, and the most that it may take.

    Attributes:
        memory: MiB; swap is none.
        cpus: Processors, in parts of one too.
        pids: Processes and threads.
        network: `none`, or the name of a network of the engine's that leads nowhere else (`internal`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    image: str = Field(default=NAME, min_length=1)
    memory: int = Field(default=2048, ge=_MIB)
    cpus: float = Field(default=2.0, gt=0)
    pids: int = Field(default=512, ge=64)
    network: str = Field(default="none", pattern=r"^[a-zA-Z0-9][a-zA-Z0-9_.-]*$")


class MachineSpec(BaseModel):
    """A virtual machine: `machine.toml`; paths are seen from its folder.

    Attributes:
        disk: qcow2 or raw; never written to.
        format: Of the disk.
        kernel: Started directly, without any firmware; with `initrd` and `append`.
        memory: MiB.
        port: Where the guest's server listens inside.
        firmware: Of a disk without a kernel of its own.
        snapshot: An internal snapshot of a qcow2 disk to start from, such as `sci_bench`.
        watch: Whether the desktop is shown on the machine's own screen, too, for who looks at it by VNC; of a machine
            that was not built by us it is anyhow.
        accelerator: `auto` takes KVM where it works.
        boot: Seconds until the server must answer.
        code: Whether the machine takes the plugin's guest from a second disk and its token from the firmware; only
            those that we build do.
        applications: What was built in.
        recipe: What it was built from.
        guest: The digest of the guest that was built in; only another one is brought on a second disk.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    disk: Path
    format: Literal["qcow2", "raw"] = "qcow2"
    kernel: Path | None = None
    initrd: Path | None = None
    append: str = ""
    memory: int = Field(default=4096, ge=_MIB)
    cpus: int = Field(default=2, ge=1)
    port: int = Field(default=5000, ge=1, le=65_535)
    firmware: Literal["bios", "uefi"] = "bios"
    snapshot: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_.-]+$")
    watch: bool = False
    accelerator: Literal["auto", "kvm", "tcg"] = "auto"
    boot: float = Field(default=300.0, gt=0)
    code: bool = False
    applications: tuple[str, ...] = ()
    recipe: str = ""
    guest: str = ""


def cache() -> Path:
    """Return the folder of what is built once per machine and user."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cuabench"


def container_spec(detail: str | None) -> ContainerSpec:
    """Return the container that a place names.

    Raises:
        SettingError: It names a TOML file that is none.
    """
    if detail is not None and detail.endswith(".toml"):
        return read_strict(Path(detail), ContainerSpec)
    return ContainerSpec(image=detail or NAME)


def machine_spec(detail: str | None) -> MachineSpec:
    """Return the virtual machine that a place names, with paths that hold anywhere.

    Raises:
        Missing: None was built, and none was named.
        SettingError: What was named is no machine, or its disk is not there.
    """
    file = Path(detail).expanduser() if detail else cache() / NAME / "machine.toml"
    if detail is None and not file.is_file():
        raise Missing(
            "there is no virtual machine for desktops yet; type: cuabench image vm "
            "(or name your own: --cua-world desktop=qemu:PATH)"
        )
    if file.is_dir():
        file = file / "machine.toml"
    if file.suffix == ".toml":
        return _found(read_strict(file, MachineSpec), file.absolute().parent)
    kind: Literal["qcow2", "raw"] = "raw" if file.suffix in (".raw", ".img") else "qcow2"
    return _found(MachineSpec(disk=file, format=kind), Path.cwd())


def _found(spec: MachineSpec, folder: Path) -> MachineSpec:
    paths = {name: getattr(spec, name) for name in ("disk", "kernel", "initrd")}
    whole = {name: folder / path.expanduser() for name, path in paths.items() if path is not None}
    for name, path in whole.items():
        if not path.is_file():
            raise SettingError(f"the virtual machine's {name} is not there: {path}")
    return spec.model_copy(update=whole)
