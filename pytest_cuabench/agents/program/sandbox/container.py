"""The box of a program as a container, for a system of its own: no network, read-only, no capabilities, bounded.

The container is made by the program `docker`, with the same code inside as in bubblewrap's box. A label names the
process that owns it; the next session removes containers whose owner has ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from pytest_cuabench.agents.program.sandbox import box
from pytest_cuabench.agents.program.sandbox.box import DOORS, HOME, Box, Plan
from pytest_cuabench.drivers.leases import Owner
from pytest_cuabench.errors import Missing

LABEL = "cuabench.program"  # of our containers; its value is the owner
MEMORY = 4096  # megabytes of a container, unless the profile says otherwise
_SECONDS = 60.0  # for one command of the engine
_PROBE = "import os; os.pidfd_open"  # since Python 3.9


def check(image: str) -> None:
    """Check that the engine answers and that the image can serve as a box; remove what dead sessions left.

    Raises:
        Missing: The engine, the image or its Python does not exist.
    """
    try:
        found = _docker("image", "inspect", "--format", "{{.Id}}", image)
    except FileNotFoundError:
        raise Missing("options.image needs the program docker; type: apt install docker.io") from None
    if found.returncode != 0:
        raise Missing(_no_image(image, found.stderr))
    if _docker("run", "--rm", "--pull=never", "--network=none", *_entry(image), "-c", _PROBE).returncode != 0:
        raise Missing(
            f"the image {image!r} has no python3 from 3.9, which passes on the program's calls; "
            "install it in the image"
        )
    reap()


def reap() -> None:
    """Remove the containers of programs whose session has ended."""
    lines = _docker(
        "ps", "--all", "--filter", f"label={LABEL}", "--format", f'{{{{.ID}}}} {{{{.Label "{LABEL}"}}}}'
    )
    for line in lines.stdout.splitlines():
        name, _, owner = line.partition(" ")
        with suppress(ValueError, TypeError):
            if Owner(**json.loads(owner)).lives() is False:
                _docker("rm", "--force", name)


async def started(plan: Plan, image: str, door: Path, user: int, hidden: Sequence[str]) -> Box:
    """Start the program in a container of its own; the arguments are those of `Box.started`.

    Raises:
        ProviderFailure: The container cannot be made.
    """
    name = f"cuabench-program-{secrets.token_hex(6)}"

    async def remove() -> None:
        await asyncio.to_thread(_docker, "rm", "--force", name)

    return await Box.launched(arguments(plan, image, name, door, user), box.orders(plan), hidden, remove)


def arguments(plan: Plan, image: str, name: str, door: Path, user: int) -> list[str]:
    """Return the command that runs a program in a container."""
    memory = f"{plan.memory or MEMORY}m"
    return [
        *("docker", "run", "--rm", "--interactive", "--pull=never", "--name", name, "--hostname=box"),
        *("--label", f"{LABEL}={json.dumps(asdict(Owner.me()))}"),
        *("--network=none", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges"),
        *("--user", f"{user}:{user}", "--pids-limit", str(plan.processes), "--ulimit=core=0"),
        # `--memory-swap` counts memory and swap together, so there is no swap.
        *("--memory", memory, "--memory-swap", memory, "--workdir", HOME),
        *("--cpu-shares=512", "--log-driver=none"),  # after the judge; its output is read here, and kept by nobody
        *("--tmpfs", f"/tmp:rw,exec,nosuid,nodev,mode=1777,size={plan.disk}m"),  # noqa: S108 - the container's own
        *("--tmpfs", f"{HOME}:rw,exec,nosuid,nodev,mode=0777,size={plan.disk}m"),
        *(word for each in plan.doors for word in _mount(door / each, f"{DOORS}/{each}", "readonly")),
        *(word for path, inside in box.shown(plan, door) for word in _mount(path, inside, "readonly")),
        *_entry(image), "-I", box.INSIDE,
    ]  # fmt: skip


def _entry(image: str) -> tuple[str, ...]:
    return "--entrypoint", "python3", image


def _mount(path: Path, inside: str, *more: str) -> tuple[str, str]:
    # Docker reads the value as CSV, and a path may hold a comma.
    return "--mount", ",".join(("type=bind", f'"source={path.resolve()}"', f"target={inside}", *more))


def _docker(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        ["docker", *words],  # noqa: S607 - the one that the user would type
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        env={**os.environ, "DOCKER_CLI_HINTS": "false"},
    )


def _no_image(image: str, said: str) -> str:
    if "No such image" in said:
        return f"the container engine has no image {image!r}; type: docker pull {image}"
    return (
        f"options.image: no container engine answers; type: sudo systemctl start docker ({said.strip():.200})"
    )
