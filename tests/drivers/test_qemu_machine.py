"""Desktops in virtual machines, the real thing: conforming, bounded, sent back in time, and gone with their owner."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from email.utils import parsedate_to_datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio
from PIL import Image, ImageChops

from pytest_cuabench.drivers.desktop.connecting import connect
from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.drivers.desktop.guest import Guest
from pytest_cuabench.drivers.desktop.qemu import machine as driver
from pytest_cuabench.drivers.desktop.qemu.machine import Qemu
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.action import Click, Size, Type

from .conformance import CASES, Case, parameters
from .desktop_probe import DesktopProbe
from .machines_here import client_of, instance, virtual_machine

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
SCREEN = Size(1280, 800)
ENDING = 600.0  # seconds
FIRST, SECOND = ({"do": "write", "path": "a.txt", "text": text} for text in "ab")
OWNER = """
import asyncio, sys
from pathlib import Path
from pytest_cuabench.task.action import Size
from pytest_cuabench.drivers.desktop.qemu.machine import Qemu
from pytest_cuabench.drivers.leases import Leases

async def main():
    machine = Qemu(Size(1280, 800), Leases(Path(sys.argv[1])), sys.argv[2])
    await machine.start()
    print(machine.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small machine, whose screen is shown to who watches."""
    built = virtual_machine()
    file = tmp_path_factory.mktemp("qemu") / "machine.toml"
    text = built.read_text().replace("code = true", "code = true\nwatch = true")
    for name in ("disk.raw", "vmlinuz", "initrd.gz"):
        text = text.replace(f'"{name}"', f'"{built.parent / name}"')
    file.write_text(text)
    return file


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def desktop(description: Path) -> AsyncIterator[tuple[DesktopEnvironment, Qemu]]:
    """A desktop that all tests of this module share: it takes some seconds to start."""
    machine = Qemu(SCREEN, Leases(description.parent / "leases"), str(description))
    environment = DesktopEnvironment(machine, SCREEN)
    await environment.reset(instance(FIRST))
    yield environment, machine
    await environment.close()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def probe(desktop: Any) -> AsyncIterator[DesktopProbe]:
    """The probe window in the machine."""
    _, machine = desktop
    with client_of(await machine.start()) as client:

        async def request(method: str, path: str, body: Any) -> dict[str, Any]:
            return dict(client.request(method, path, json=body).raise_for_status().json())

        probe = DesktopProbe(request)
        await probe.begin()
        yield probe


def _further() -> Iterator[str]:
    """Yield all but one case of each kind of action; those of a machine's own processor are all played."""
    seen: set[str] = set()
    for case in CASES:
        kinds = {type(action).__name__ for action in case.actions}
        if case.heavy or kinds <= seen:
            yield case.name
        else:
            seen |= kinds


@pytest.mark.parametrize("case", parameters("qemu", nightly=set(_further())))
async def test_conforms(probe: DesktopProbe, case: Case) -> None:
    """The actions of a case leave the events and the field contents that the catalogue demands."""
    await probe.play(case)


async def test_goes_back_in_time(desktop: Any) -> None:
    """What an episode did is gone when its starting point is restored, whichever task was played in between."""
    environment, _ = desktop
    await environment.reset(instance(FIRST))
    before = await environment.state()
    for action in (Click(500, 60), Type("été ∑")):
        assert (await environment.perform(action)).error is None
    assert (await environment.state()).collections["fields"]["text"]["value"] == "été ∑"
    await environment.reset(instance(SECOND))
    assert (await environment.state()).collections["files"]["a.txt"]["text"] == "b"
    await environment.reset(instance(FIRST))
    assert environment.last_reset.layer == "snapshot"
    after = await environment.state()
    assert (after.collections, after.fingerprint) == (before.collections, before.fingerprint)
    assert (await environment.perform(Click(500, 60))).error is None


async def test_knows_what_time_it_is(desktop: Any) -> None:
    """A machine that was sent back in time has the time of day that we have."""
    environment, machine = desktop
    await environment.reset(instance(FIRST))
    until, error = time.monotonic() + 20, 99.0
    with client_of(await machine.start()) as client:
        while error > 5 and time.monotonic() < until:  # the server looks at its clock once in a while
            told = parsedate_to_datetime(client.get("/health").headers["date"])
            error = abs(told.timestamp() - time.time())
    assert error <= 5


async def test_wants_its_token(desktop: Any) -> None:
    """Nobody is served without the token, which stands on no command line."""
    _, machine = desktop
    address = await machine.start()
    assert address.token
    assert not any(address.token in word for word in psutil.Process(machine.pid).cmdline())
    stranger = Guest(replace(address, token="guessed"), "qemu")
    try:
        with pytest.raises(SettingError, match="rejects the token"):
            await stranger.open()
    finally:
        await stranger.close()


async def test_shown_to_who_watches(desktop: Any) -> None:
    """Who looks at the machine by VNC sees the desktop that the agent sees."""
    environment, machine = desktop
    await environment.reset(instance(FIRST))
    await environment.perform(Type("watch me"))
    picture = machine.vnc.parent / "seen.ppm"
    until = time.monotonic() + 30
    while True:
        await machine._monitor.execute("screendump", filename=str(picture))
        seen = Image.open(picture).convert("RGB")
        observed = (await environment.observe("screenshot")).screenshot
        assert observed is not None
        expected = Image.open(BytesIO(observed)).convert("RGB")
        if seen.size == expected.size and _differing(seen, expected) < 0.001:
            return
        assert time.monotonic() < until, (seen.size, _differing(seen, expected))
        await asyncio.sleep(0.2)


def _differing(one: Image.Image, other: Image.Image) -> float:
    """Return which part of the pixels differs clearly; a blinking caret is next to nothing."""
    difference = ImageChops.difference(one, other).convert("L")
    return sum(difference.histogram()[32:]) / (one.width * one.height)


async def test_image_is_not_written_to(desktop: Any, description: Path) -> None:
    """All that a machine writes lies in its overlay, which only we can read."""
    environment, machine = desktop
    disk = virtual_machine().parent / "disk.raw"
    before = (disk.stat().st_mtime_ns, disk.stat().st_size)
    await environment.reset(instance(FIRST, {"do": "write", "path": "big", "text": "x" * 200_000}))
    folder = machine.vnc.parent
    assert (disk.stat().st_mtime_ns, disk.stat().st_size) == before
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "disk").stat().st_blocks * 512 > 200_000


async def test_killed_machine(desktop: Any) -> None:
    """A machine that is killed under the agent is an infrastructure failure, and another is started in its place."""
    environment, machine = desktop
    await environment.reset(instance(FIRST))
    first = machine.pid
    victim = psutil.Process(first)
    victim.kill()
    victim.wait(10)
    with pytest.raises(EnvironmentFailure, match="qemu"):
        await environment.perform(Click(500, 60))
    assert not await machine.alive()
    await machine.start()
    assert machine.pid != first
    assert not await machine.restore("boot")  # nothing is known of the one before


async def test_killed_owner(description: Path, tmp_path: Path) -> None:
    """When the owner is killed the machine ends at once, and the next session removes its folder."""
    leases = Leases(tmp_path / "leases")
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(leases.folder), str(description)], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout
    machine = psutil.Process(int(owner.stdout.readline()))
    (lease,) = leases.folder.glob("*.json")
    folder = Path(json.loads(lease.read_text())["resource"]["folder"])
    assert (folder / "token").stat().st_mode & 0o777 == 0o600
    owner.kill()
    owner.wait()
    owner.stdout.close()
    machine.wait(10)
    assert leases.reap() == []
    assert not folder.exists()


async def test_reaper(description: Path, tmp_path: Path) -> None:
    """The reaper ends the machine that a lease names, and no other process that has its number by now."""
    machine = Qemu(SCREEN, Leases(tmp_path / "leases"), str(description))
    try:
        await machine.start()
        (lease,) = (tmp_path / "leases").glob("*.json")
        resource = json.loads(lease.read_text())["resource"]
        driver.reap({**resource, "born": "1.0", "folder": str(tmp_path / "none")})
        assert await machine.alive()
        await asyncio.to_thread(driver.reap, resource)
        assert not Path(resource["folder"]).exists()
        with pytest.raises(EnvironmentFailure):
            await machine.keep("x")
    finally:
        await machine.close()


async def test_a_machine_that_cannot_start(description: Path, tmp_path: Path) -> None:
    """What QEMU complains of is told in one sentence, and nothing is left."""
    file = tmp_path / "machine.toml"
    file.write_text(description.read_text().replace("memory = 1024", "memory = 99000000"))
    machine = Qemu(SCREEN, Leases(tmp_path / "leases"), str(file))
    with pytest.raises(EnvironmentFailure, match="the virtual machine did not start: ") as failure:
        await machine.start()
    assert "\n" not in str(failure.value)
    assert list((tmp_path / "leases").glob("*.json")) == []


async def test_nothing_is_left(description: Path, tmp_path: Path) -> None:
    """A closed machine leaves no process, no folder and no lease, even before its guest answered."""
    machine = Qemu(SCREEN, Leases(tmp_path / "leases"), str(description))
    await machine.start()
    assert machine.pid
    assert machine.vnc
    process, folder = psutil.Process(machine.pid), machine.vnc.parent
    await machine.close()
    await machine.close()
    assert not process.is_running()
    assert not folder.exists()
    assert list((tmp_path / "leases").glob("*.json")) == []


async def test_a_guest_that_ends(description: Path, tmp_path: Path) -> None:
    """A machine whose guest cannot start ends by itself, and what was said last is told."""
    file = tmp_path / "machine.toml"
    file.write_text(description.read_text().replace("quiet panic=-1", "quiet panic=-1 init=none"))
    file.write_text(file.read_text().replace("code = true", "code = false"))
    machine = Qemu(SCREEN, Leases(tmp_path / "leases"), str(file))
    try:
        with pytest.raises(EnvironmentFailure, match="no desktop answers at"):
            await connect(machine, 5)
        async with asyncio.timeout(
            ENDING
        ):  # a slow machine is still starting when nobody waits for it any more
            while await machine.alive():
                await asyncio.sleep(0.1)
        assert "--screen" in await machine.last_output()
    finally:
        await machine.close()
