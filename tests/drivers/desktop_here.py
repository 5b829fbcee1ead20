"""Whether this computer can have desktops of its own, for tests that need one."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from pytest_cuabench.drivers.desktop.xvfb import PROGRAMS

PROBE = "/usr/lib/python3/dist-packages/gi/__init__.py"


def require_desktop() -> None:
    """Skip where a program is absent, with what installs it."""
    absent = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    if not Path(PROBE).exists():
        absent.append("python3-gi gir1.2-gtk-3.0")
    if absent:
        pytest.skip(f"desktops need more; type: apt-get install --no-install-recommends {' '.join(absent)}")


Value = TypeVar("Value")


async def once(told: Callable[[], Awaitable[Value | None]], seconds: float = 60) -> Value:
    """Return the first value that is not None, such as the box of an element that is still being drawn."""
    async with asyncio.timeout(seconds):
        while (value := await told()) is None:
            await asyncio.sleep(0.05)
    return value


def descendants(pid: int) -> list[int]:
    """Return the ids of all processes below one."""
    import psutil

    return [process.pid for process in psutil.Process(pid).children(recursive=True)]
