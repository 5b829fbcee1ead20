"""Desktops of this computer's own, the real thing: side by side, killed in parts, and gone when their owner is."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
import pytest_asyncio

from pytest_cuabench.drivers.desktop import guest
from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.drivers.desktop.xvfb import Xvfb
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.errors import EnvironmentFailure, Missing
from pytest_cuabench.task.action import Action, Click, Key, RunCode, Size, Type

from .desktop_here import require_desktop

pytestmark = pytest.mark.asyncio
SCREEN = Size(1280, 800)
OWNER = """
import asyncio, sys
from pathlib import Path
from types import SimpleNamespace
from pytest_cuabench.task.action import Size
from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.drivers.desktop.xvfb import Xvfb
from pytest_cuabench.drivers.leases import Leases

async def main():
    machine = Xvfb(Size(1280, 800), Leases(Path(sys.argv[1])))
    task = SimpleNamespace(application="probe", setup=lambda seed: ())
    await DesktopEnvironment(machine, Size(1280, 800)).reset(SimpleNamespace(task=task, seed=0))
    print(machine.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


def probe(*steps: Any) -> Any:
    """Return as much of an instance as a driver reads: the probe, with a setup."""
    return SimpleNamespace(task=SimpleNamespace(application="probe", setup=lambda seed: steps), seed=0)


def below(pid: int) -> list[psutil.Process]:
    """Return all processes below one."""
    return psutil.Process(pid).children(recursive=True)


@pytest_asyncio.fixture
async def leases(tmp_path: Path) -> AsyncIterator[Leases]:
    """Leases of the test's own."""
    require_desktop()
    held = Leases(tmp_path / "leases")
    yield held
    await held.close()


@pytest_asyncio.fixture
async def make(leases: Leases) -> AsyncIterator[Callable[[], tuple[DesktopEnvironment, Xvfb]]]:
    """Make desktops, and close them."""
    made: list[DesktopEnvironment] = []

    def one() -> tuple[DesktopEnvironment, Xvfb]:
        machine = Xvfb(SCREEN, leases)
        made.append(DesktopEnvironment(machine, SCREEN))
        return made[-1], machine

    yield one
    for environment in made:
        await environment.close()


async def played(environment: DesktopEnvironment, text: str) -> Any:
    """Reset a desktop, type a text into both of its fields, and return what is true then."""
    await environment.reset(probe({"do": "write", "path": "a.txt", "text": "a"}))
    actions: list[Action] = [Click(500, 60), Type(text), Click(500, 155), Key(("x",), repeat=3)]
    for action in actions:
        assert (await environment.perform(action)).error is None
    state = await environment.state()
    return (
        state.collections["fields"],
        sorted(state.collections["files"]),
        await environment.read("text:nth(0)"),
    )


async def test_layers(make: Any) -> None:
    """The first episode starts the desktop; an untouched one is clean; after an action all of it is new."""
    environment, machine = make()
    layers = []
    for action in (None, None, Click(500, 60), None):
        await environment.reset(probe())
        layers.append(environment.last_reset.layer)
        if action:
            await environment.perform(action)
    assert layers == ["start", "clean", "clean", "desktop"]
    assert machine.pid


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4])
async def test_side_by_side(make: Any, count: int) -> None:
    """Desktops played at the same time come to what each comes to alone, and see nothing of one another."""
    everyone = [make()[0] for _ in range(count)]
    alone = await played(everyone[0], "été ∑")
    assert alone == ({"text": {"value": "été ∑"}, "line": {"value": "xxx"}}, ["a.txt"], "été ∑")
    texts = [f"desktop {number} ü" for number in range(count)]
    together = await asyncio.gather(*map(played, everyone, texts))
    assert [
        (fields["text"]["value"], fields["line"]["value"], files, seen) for fields, files, seen in together
    ] == [(text, "xxx", ["a.txt"], text) for text in texts]
    again = await asyncio.gather(*(played(each, "été ∑") for each in everyone))
    assert again == [alone] * count


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Xvfb", "dbus-daemon", "python3"])
async def test_killed_part(make: Any, name: str) -> None:
    """A killed X server, bus or application is repaired or an infrastructure failure; the next reset works."""
    environment, machine = make()
    await environment.reset(probe())
    victims = [process for process in below(machine.pid) if process.name() == name]
    assert victims
    for victim in victims:
        with suppress(psutil.NoSuchProcess):
            victim.kill()
    with suppress(EnvironmentFailure):
        await environment.perform(Click(500, 60))
    fields, _, seen = await played(environment, "well again")
    assert (fields["text"]["value"], seen) == ("well again", "well again")


async def test_killed_x_server_is_told(make: Any) -> None:
    """An action on a desktop whose X server was killed is refused in one sentence, and never done silently."""
    environment, machine = make()
    await environment.reset(probe())
    for process in below(machine.pid):
        if process.name() == "Xvfb":
            process.kill()
    with pytest.raises(EnvironmentFailure) as failure:
        await environment.perform(Click(500, 60))
    assert "\n" not in str(failure.value)


@pytest.mark.slow
async def test_killed_by_a_program(make: Any) -> None:
    """After a program has ended all windows and connections, the files that it wrote are told, and a reset mends it."""
    environment, _ = make()
    await environment.reset(probe())
    code = (
        "from Xlib import display\nopen('harm.txt', 'w').write('done')\nd = display.Display()\n"
        "for w in d.screen().root.query_tree().children: w.kill_client(); d.flush()"
    )
    with suppress(EnvironmentFailure):
        await environment.perform(RunCode(code))
    try:
        state = await environment.state()
    except EnvironmentFailure as failure:
        state = failure.state
    assert state is not None
    assert state.collections["files"]["harm.txt"]["text"] == "done"
    fields, files, seen = await played(environment, "well again")
    assert (fields["text"]["value"], files, seen) == ("well again", ["a.txt"], "well again")


@pytest.mark.slow
async def test_killed_guest(make: Any) -> None:
    """A killed guest takes all of its programs with it, and another one is started at the next reset."""
    environment, machine = make()
    await environment.reset(probe())
    family = below(machine.pid)
    assert len(family) > 3
    os.kill(machine.pid, signal.SIGKILL)
    with pytest.raises(EnvironmentFailure, match="guest of xvfb"):
        await environment.perform(Click(500, 60))
    psutil.wait_procs(family, timeout=60)
    assert [process for process in family if process.is_running()] == []
    await environment.reset(probe())
    assert (environment.last_reset.layer, environment.last_reset.reason) == (
        "recreate",
        "it had ended by itself",
    )


@pytest.mark.slow
async def test_stopped_guest(make: Any, leases: Leases, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest that hangs is given up after some patience, and thrown away when it hangs twice."""
    monkeypatch.setattr(guest, "_CAP", 1.0)
    machine = Xvfb(SCREEN, leases)
    environment = DesktopEnvironment(machine, SCREEN, patience=3.0, deadline=0.5)
    await environment.reset(probe())
    machine.boot = 1.5  # what a session may take beside the deadline; the first had as long as it needed
    hung = machine.pid
    assert hung
    os.kill(hung, signal.SIGSTOP)
    machine.boot = 0.5
    try:
        with pytest.raises(EnvironmentFailure, match=r"did not answer POST /actions within"):
            await environment.perform(Click(500, 60))
        with pytest.raises(EnvironmentFailure, match=r"did not answer POST /session within"):
            await environment.reset(probe())
        machine.boot = 60
        await environment.reset(probe())
        assert environment.last_reset
        assert environment.last_reset.layer == "recreate"
        assert machine.pid != hung
    finally:
        with suppress(ProcessLookupError):
            os.kill(hung, signal.SIGKILL)
        await environment.close()


@pytest.mark.slow
async def test_killed_owner(leases: Leases) -> None:
    """When the owner is killed all its programs end by themselves, and the next session removes the folder."""
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(leases.folder)], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout
    guest = psutil.Process(int(owner.stdout.readline()))
    family = [guest, *guest.children(recursive=True)]
    (lease,) = leases.folder.glob("*.json")
    folder = Path(json.loads(lease.read_text())["resource"]["folder"])
    assert (folder / "token").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    owner.kill()
    owner.wait()
    owner.stdout.close()
    psutil.wait_procs(family, timeout=60)
    assert [process for process in family if process.is_running()] == []
    assert folder.exists()
    assert leases.reap() == []
    assert not folder.exists()
    assert list(leases.folder.iterdir()) == []


async def test_nothing_is_left(make: Any, leases: Leases) -> None:
    """A closed desktop leaves no process, no folder and no lease."""
    environment, machine = make()
    await environment.reset(probe())
    family = [psutil.Process(machine.pid), *below(machine.pid)]
    (lease,) = leases.folder.glob("*.json")
    folder = Path(json.loads(lease.read_text())["resource"]["folder"])
    await environment.close()
    psutil.wait_procs(family, timeout=60)
    assert [process for process in family if process.is_running()] == []
    assert not folder.exists()
    assert list(leases.folder.glob("*.json")) == []


async def test_no_namespaces(make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where bubblewrap may make no namespaces, its own words are told in one sentence."""
    script = tmp_path / "bwrap"
    script.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    environment, _ = make()
    with pytest.raises(EnvironmentFailure, match="No permissions to create new namespace") as failure:
        await environment.reset(probe())
    assert "\n" not in str(failure.value)


async def test_missing_programs(leases: Leases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Absent programs are told with the packages that have them."""
    monkeypatch.setenv("PATH", str(tmp_path))
    environment = DesktopEnvironment(Xvfb(SCREEN, leases), SCREEN)
    lacking = await environment.lacking(probe())
    assert str(lacking).startswith(
        "a desktop needs xvfb, openbox, dbus-daemon, bubblewrap; type: sudo apt-get install"
    )
    with pytest.raises((EnvironmentFailure, Missing)):
        await environment.reset(probe())
