"""The image of a desktop: a container's by name, a virtual machine's by its `machine.toml`.

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
_MIB = 128  # minimum memory


class ContainerSpec(BaseModel):
    """A container: its image and limits.

    Attributes:
        memory: MiB; without swap.
        cpus: Processors; fractions are allowed.
        pids: Processes and threads.
        network: `none`, or the name of an internal network of the engine.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    image: str = Field(default=NAME, min_length=1)
    memory: int = Field(default=2048, ge=_MIB)
    cpus: float = Field(default=2.0, gt=0)
    pids: int = Field(default=512, ge=64)
    network: str = Field(default="none", pattern=r"^[a-zA-Z0-9][a-zA-Z0-9_.-]*$")


class MachineSpec(BaseModel):
    """A virtual machine: `machine.toml`; paths are relative to its folder.

    Attributes:
        disk: qcow2 or raw; never written to.
        format: The disk's format.
        kernel: Booted directly, without firmware; with `initrd` and `append`.
        memory: MiB.
        space: MiB of this computer's disk that what the machine writes may take, its snapshots included; one that
            takes more is ended.
        port: The port of the guest's server inside.
        firmware: For a disk without `kernel`.
        snapshot: An internal snapshot of a qcow2 disk to start from, such as `sci_bench`.
        watch: Whether to show the desktop on the machine's own screen as well, for VNC; always so on machines that
            we did not build.
        accelerator: `auto` uses KVM if it works.
        boot: Timeout of the boot in seconds.
        code: Whether the machine takes the plugin's guest from a second disk and its token from the firmware, as
            machines that we build do.
        applications: The applications in the image.
        recipe: The digest of its sources.
        guest: The digest of the guest in the image; only a different guest is attached as a second disk.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    disk: Path
    format: Literal["qcow2", "raw"] = "qcow2"
    kernel: Path | None = None
    initrd: Path | None = None
    append: str = ""
    memory: int = Field(default=4096, ge=_MIB)
    cpus: int = Field(default=2, ge=1)
    space: int = Field(default=32_768, ge=512)
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
    """Return the user's cache folder of images."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cuabench"


def container_spec(detail: str | None) -> ContainerSpec:
    """Return the container for `--cua-world desktop=docker[:DETAIL]`.

    Raises:
        SettingError: The TOML file is malformed.
    """
    if detail is not None and detail.endswith(".toml"):
        return read_strict(Path(detail), ContainerSpec)
    return ContainerSpec(image=detail or NAME)


def machine_spec(detail: str | None) -> MachineSpec:
    """Return the virtual machine for `--cua-world desktop=qemu[:DETAIL]`, with absolute paths.

    Raises:
        Missing: No machine is named, and none was built.
        SettingError: The named machine is malformed, or its disk is missing.
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
            raise SettingError(f"the virtual machine has no {name} {path}; correct its machine.toml")
    return spec.model_copy(update=whole)
