"""Containers and virtual machines: nothing leads out of them, none disturbs another, and no attempt in one is void."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from drivers.machines_here import container_image, virtual_machine

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.confining import users
from pytest_cuabench.drivers.desktop import actions
from pytest_cuabench.proof.arena import Arena, Stage
from pytest_cuabench.proof.ways import DESKTOP, RELAUNCH, Way
from pytest_cuabench.settings import Assigned
from pytest_cuabench.task.action import RunCode
from pytest_cuabench.task.model import Instance

from .conftest import Graded, ids
from .test_adversary_kernel import SHOWN

pytestmark = pytest.mark.slow
SUITE = Path(__file__).parents[1] / "desktop_suite"
KERNEL, MACHINE = (Path(__file__).with_name(f"{name}_probe.py").read_text() for name in ("kernel", "machine"))
FIRST = (
    "print to the machine's console without end", "connections to every server without end", "end the machine",
    "fill the disk in many places", "processes without end", "forge a report to whatever listens", "speak by UDP",
)  # fmt: skip


@pytest.fixture(scope="module", params=["docker", pytest.param("qemu", marks=pytest.mark.nightly)])
def machine(request: pytest.FixtureRequest, arena: Arena) -> Iterator[tuple[str, Stage]]:
    """The task of the probe in a container, or in a virtual machine, which takes long without KVM."""
    where = f"docker:{container_image()}" if request.param == "docker" else f"qemu:{virtual_machine()}"
    settings = replace(arena.settings, world=Assigned((("desktop", where),)))
    other = Arena(arena.folder, settings, arena.runner, arena.limits)
    yield request.param, Stage.of(other, SUITE, "probe/write")
    other.close()


def ran(stage: Stage, environment: Environment, code: str) -> Any:
    """Return what a program of an agent prints as JSON."""
    done = stage.arena.runner.run(environment.perform(RunCode(code)))
    assert done.ran is not None, done.error
    assert done.ran.out, done.ran.err
    return json.loads(done.ran.out)


def begin(stage: Stage, environment: Environment) -> None:
    """Begin an episode."""
    instance = Instance(stage.task, next(iter(stage.task.goals)))
    stage.arena.runner.run(environment.reset(instance))


def test_nothing_leads_out(machine: tuple[str, Stage], monkeypatch: pytest.MonkeyPatch) -> None:
    """A program finds no file, device, address or system call that leads to the guest, the host or its kernel."""
    kind, stage = machine
    monkeypatch.setattr(actions, "CODE_SECONDS", 240.0)  # an emulated machine on a busy one takes long
    begin(stage, stage.environment)
    with socket.create_server(("", 0)) as listener:
        found = ran(stage, stage.environment, MACHINE.replace("LISTENED", str(listener.getsockname()[1])))
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert found["worked"] == []
    assert (found["uid"] in users.NUMBERS) == (kind == "docker")
    assert {name for name in ran(stage, stage.environment, KERNEL)["worked"] if name not in SHOWN} == set()


@pytest.mark.parametrize("way", [way for way in DESKTOP if way.name in FIRST], ids=ids)
def test_no_way_out_of_a_machine(machine: tuple[str, Stage], way: Way, graded: Graded) -> None:
    """Whatever an agent does in a machine, its attempt is graded and fails, and the next episode is unharmed."""
    graded(machine[0], machine[1], way)


@pytest.mark.nightly
@pytest.mark.parametrize("way", [*(way for way in DESKTOP if way.name not in FIRST), *RELAUNCH], ids=ids)
def test_no_further_way_out(machine: tuple[str, Stage], way: Way, graded: Graded) -> None:
    """The same holds for all that an agent may try on a desktop."""
    graded(machine[0], machine[1], way)


USES_UP = """
import ctypes, subprocess, time
made, kept = ctypes.CDLL(None), []
while (watch := made.inotify_init()) >= 0: kept.append(watch)
try:
    while True: kept.append(subprocess.Popen(["sleep", "20"]))
except OSError: pass
print(len(kept), flush=True)
time.sleep(15)
"""
STARTS = """
import ctypes, json, subprocess
started = [subprocess.Popen(["true"]) for _ in range(40)]
print(json.dumps([ctypes.CDLL(None).inotify_init() >= 0, len([one.wait() for one in started])]))
"""


def test_neighbours(arena: Arena) -> None:
    """What a program uses up in a container, another that runs at the same time has: each has a user of its own."""
    where = f"docker:{container_image()}"
    settings = replace(arena.settings, world=Assigned((("desktop", where),)))
    with ExitStack() as closed:
        stages = []
        for _ in range(2):
            other = Arena(arena.folder, settings, arena.runner, arena.limits)
            closed.callback(other.close)
            stages.append(stage := Stage.of(other, SUITE, "probe/write"))
            begin(stage, stage.environment)
        first, second = (stage.environment for stage in stages)

        async def together() -> Any:
            uses_up = asyncio.ensure_future(first.perform(RunCode(USES_UP)))
            await asyncio.sleep(4)
            assert not uses_up.done()
            done = await second.perform(RunCode(STARTS))
            await uses_up
            assert done.ran is not None, done.error
            assert done.ran.out, done.ran.err
            return json.loads(done.ran.out)

        assert arena.runner.run(together()) == [True, 40]
