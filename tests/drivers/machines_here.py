"""A container engine, an image and a virtual machine for tests: there, made once per machine, or a reason to skip.

What is built stays in the cache of `cuabench image`, and is built again when the recipe has changed. As a program
(`python -m drivers.machines_here`) it builds both ahead of the tests that need them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from filelock import FileLock

from pytest_cuabench.drivers.desktop.engine import engine
from pytest_cuabench.drivers.desktop.images import cache
from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.errors import CuabenchError
from pytest_cuabench.task.library import ENVIRONMENTS, ROOT

NAME, GROUPS = "cuabench-desktop-small", "kalgebra"
_ENGINE_SECONDS = 30.0
_BUILDER = {"PYTHONPATH": str(ENVIRONMENTS / "desktop"), "PYTHONDONTWRITEBYTECODE": "1"}


def instance(*steps: Any, application: str = "probe") -> Any:
    """Return as much of an instance as a driver reads: an application with a setup."""
    task = SimpleNamespace(application=application, setup=lambda seed: steps)
    return SimpleNamespace(task=task, seed=0)


def require_engine() -> None:
    """See that a container engine answers, and start one where that may be done; else skip."""
    with _alone():
        reason = _no_engine()
        if reason is None:
            return
        if os.getuid() != 0 or shutil.which("dockerd") is None:
            pytest.skip(reason)
        # It goes on afterwards, as the service that it is: workers beside this one use it, too.
        subprocess.Popen(
            ["dockerd"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until = time.monotonic() + _ENGINE_SECONDS
        while reason := _no_engine():
            if time.monotonic() > until:
                pytest.skip(f"dockerd was started, but {reason}")
            time.sleep(0.1)


def container_image() -> str:
    """Return the name of the small image, built where the engine does not have it; else skip."""
    require_engine()
    with _alone():
        client = engine()
        found = [image.labels.get("cuabench.recipe") for image in client.images.list(name=NAME)]
        client.close()
        if found != [recipe()]:
            _build("docker")
    return NAME


def plugin_image(extras: str) -> str:
    """Return the name of the image of this checkout's plugin, built anew; skip where it cannot be."""
    require_engine()
    name = "cuabench-plugin-here"
    with _alone():
        done = subprocess.run(
            [
                *(sys.executable, "-m", "image", "plugin", f"--plugin={ROOT}", "--extras", extras),
                *("--name", name, "--folder", str(cache() / name)),
            ],
            env={**os.environ, **_BUILDER},
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        pytest.skip(f"the plugin's image cannot be built here: {done.stderr.strip().splitlines()[-1]}")
    return name


def virtual_machine() -> Path:
    """Return the small machine's description, built where it is not there; else skip."""
    absent = [program for program in ("qemu-system-x86_64", "qemu-img") if shutil.which(program) is None]
    if absent:
        pytest.skip(
            "virtual machines need more; type: apt-get install --no-install-recommends qemu-system-x86 qemu-utils"
        )
    pytest.importorskip("qemu.qmp", reason="virtual machines need more; type: pip install qemu.qmp")
    with _alone():
        file = cache() / NAME / "machine.toml"
        if not file.is_file() or f'recipe = "{recipe()}"' not in file.read_text():
            _build("vm")
    return file


def recipe() -> str:
    """Return the digest of what the small image would be built from today."""
    said = "from image.__main__ import recipe; print(recipe(('kalgebra',)))"
    done = subprocess.run(
        [sys.executable, "-c", said],
        env={**os.environ, **_BUILDER},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def client_of(address: Address) -> httpx.Client:
    """Return a client of a machine's guest, for what the driver's own does not ask."""
    return httpx.Client(
        transport=httpx.HTTPTransport(uds=str(address.socket)) if address.socket else None,
        base_url=f"{address.url}/cuabench/1",
        headers={"Authorization": f"Bearer {address.token}"},
        limits=httpx.Limits(max_keepalive_connections=0),
        timeout=2400,  # longer than any action may take
        trust_env=False,
    )


def _build(kind: str) -> None:
    other = "vm" if kind == "docker" else "docker"
    kinds = [kind, *([other] if _wanted_too(other) else [])]  # one bootstrap serves both
    done = subprocess.run(
        [sys.executable, "-m", "image", *kinds, f"--with={GROUPS}", "--name", NAME, "--folder", str(cache())],
        env={**os.environ, **_BUILDER},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        pytest.skip(f"the small image cannot be built here: {done.stderr.strip().splitlines()[-1]}")


def _wanted_too(kind: str) -> bool:
    return shutil.which("qemu-system-x86_64") is not None if kind == "vm" else _no_engine() is None


def _no_engine() -> str | None:
    try:
        engine().close()
    except CuabenchError as error:
        return str(error)
    return None


def _alone() -> FileLock:
    cache().mkdir(parents=True, exist_ok=True)
    return FileLock(cache() / "tests.lock")


if __name__ == "__main__":
    for built in (container_image, virtual_machine):
        with suppress(pytest.skip.Exception):  # the tests that are skipped tell why
            built()
