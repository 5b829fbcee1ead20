"""Desktops in containers, the real thing: bounded, without a network, labelled, and gone when their owner is."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from pytest_cuabench.drivers.confining import users
from pytest_cuabench.drivers.desktop import docker as driver
from pytest_cuabench.drivers.desktop.docker import LEASE, OWNER, Docker
from pytest_cuabench.drivers.desktop.engine import engine
from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.drivers.desktop.identity import container_image as identity_of
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.action import Click, Size, Type

from .machines_here import container_image, instance

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
SCREEN = Size(1280, 800)
LIMITS = 'image = "{image}"\nmemory = 700\ncpus = 1.5\npids = 150\n'
PROGRAM = """
import asyncio, sys
from pathlib import Path
from pytest_cuabench.task.action import Size
from pytest_cuabench.drivers.desktop.connecting import connect
from pytest_cuabench.drivers.desktop.docker import Docker
from pytest_cuabench.drivers.leases import Leases

async def main():
    machine = Docker(Size(1280, 800), Leases(Path(sys.argv[1])), sys.argv[2])
    await connect(machine, 20)
    print(machine.name, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def image() -> str:
    """The small image."""
    return container_image()


@pytest.fixture(scope="module")
def client(image: str) -> Iterator[Any]:
    """A client of the engine."""
    client = engine()
    yield client
    client.close()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def desktop(
    image: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[DesktopEnvironment, Docker]]:
    """A desktop with tight limits, which all tests of this module share."""
    folder = tmp_path_factory.mktemp("docker")
    (folder / "container.toml").write_text(LIMITS.format(image=image))
    machine = Docker(SCREEN, Leases(folder / "leases"), str(folder / "container.toml"))
    environment = DesktopEnvironment(machine, SCREEN)
    await environment.reset(instance())
    yield environment, machine
    await environment.close()


def inside(client: Any, machine: Docker, *argv: str, user: str = "user") -> tuple[int, str]:
    """Return code and output of a program in a machine's container."""
    code, output = client.containers.get(machine.name).exec_run(list(argv), user=user)
    return code, output.decode()


async def test_plays(desktop: Any) -> None:
    """A desktop in a container is reset, acted on and read like any other."""
    environment, _ = desktop
    await environment.reset(instance({"do": "write", "path": "a.txt", "text": "a"}))
    for action in (Click(500, 60), Type("été ∑")):
        assert (await environment.perform(action)).error is None
    state = await environment.state()
    assert state.collections["fields"]["text"]["value"] == "été ∑"
    assert list(state.collections["files"]) == ["a.txt"]
    assert (await environment.observe("screenshot")).screenshot is not None
    assert environment.last_reset.layer == "desktop"


async def test_no_network(desktop: Any, client: Any) -> None:
    """A container has the loopback alone, and reaches nobody."""
    _, machine = desktop
    code, table = inside(client, machine, "cat", "/proc/net/dev")
    assert code == 0
    assert [line.split(":")[0].strip() for line in table.splitlines()[2:]] == ["lo"]
    connect = "import socket; socket.create_connection(('192.0.2.1', 80), 3)"
    code, said = inside(client, machine, "python3", "-c", connect)
    assert code != 0
    assert "Network is unreachable" in said


async def test_programs_have_no_rights(desktop: Any, client: Any) -> None:
    """Programs of the session run as a user without capabilities, who can get no others and write no system file."""
    _, machine = desktop
    script = (
        "import pathlib\n"
        "for entry in pathlib.Path('/proc').iterdir():\n"
        "    if entry.name.isdigit() and (entry / 'comm').read_text().strip() == 'openbox':\n"
        "        print((entry / 'status').read_text())\n"
    )
    _, told = inside(client, machine, "python3", "-c", script, user="root")
    status = dict(line.split(":\t", 1) for line in told.splitlines() if ":\t" in line)
    (number,) = set(status["Uid"].split())
    assert int(number) in users.NUMBERS
    assert status["Gid"].split() == ["20777"] * 4
    assert status["NoNewPrivs"] == "1"
    assert int(status["CapEff"], 16) == int(status["CapPrm"], 16) == int(status["CapAmb"], 16) == 0
    for path in ("/etc/passwd", "/usr/bin/python3", "/opt/cuabench/desktop/guest/box.py"):
        assert inside(client, machine, "sh", "-c", f"echo >> {path}", user="root")[0] != 0
    assert inside(client, machine, "ls", "/run/cuabench")[0] != 0


async def test_the_guest_has_few_rights(desktop: Any, client: Any) -> None:
    """The guest itself has the capabilities that a change of user takes, and not one more."""
    _, machine = desktop
    _, told = inside(client, machine, "grep", "CapEff", "/proc/1/status", user="root")
    chown, override, fowner, kill, setgid, setuid = 0, 1, 3, 5, 6, 7
    assert int(told.split()[1], 16) == sum(
        1 << bit for bit in (chown, override, fowner, kill, setgid, setuid)
    )


async def test_memory_is_bounded(desktop: Any, client: Any) -> None:
    """A program that wants more memory than the container may have is ended, and the desktop goes on."""
    environment, machine = desktop
    code, _ = inside(client, machine, "python3", "-c", "print(len(bytearray(b'x') * (900 << 20)))")
    assert code == 137
    await environment.reset(instance())
    assert (await environment.perform(Click(500, 60))).error is None


async def test_processes_are_bounded(desktop: Any, client: Any) -> None:
    """A program cannot start more processes than the container may have."""
    _, machine = desktop
    script = (
        "import subprocess\nstarted = []\n"
        "try:\n"
        "    for _ in range(400): started.append(subprocess.Popen(['sleep', '60']))\n"
        "except OSError as error: print(error)\n"
        "print(len(started))\n"
        "for one in started: one.kill()\n"
    )
    code, said = inside(client, machine, "python3", "-c", script)
    assert code == 0
    assert "Resource temporarily unavailable" in said
    assert int(said.split()[-1]) < 150


async def test_labels_and_limits(desktop: Any, client: Any) -> None:
    """A container says whose it is, and the engine has the limits of its description."""
    _, machine = desktop
    container = client.containers.get(machine.name)
    settings = container.attrs["HostConfig"]
    assert container.labels[OWNER].split("@")[0].isdigit()
    assert container.labels[LEASE]
    assert settings["Memory"] == settings["MemorySwap"] == 700 << 20
    assert settings["NanoCpus"] == 1_500_000_000
    assert settings["PidsLimit"] == 150
    assert settings["NetworkMode"] == "none"
    assert settings["PortBindings"] in (None, {})
    assert not settings["Privileged"]
    assert settings["LogConfig"]["Type"] == "none"
    assert [mount["Destination"] for mount in container.attrs["Mounts"] if mount["RW"]] == []
    assert inside(client, machine, *container.attrs["Config"]["Healthcheck"]["Test"][1:], user="root") == (
        0,
        "",
    )


async def test_killed_container(desktop: Any, client: Any) -> None:
    """A container that is killed under the agent is an infrastructure failure, and the next reset has another one."""
    environment, machine = desktop
    first = machine.name
    client.containers.get(first).kill()
    with pytest.raises(EnvironmentFailure, match="docker"):
        await environment.perform(Click(500, 60))
    await environment.reset(instance())
    assert environment.last_reset.layer == "recreate"
    assert machine.name != first
    assert (await environment.perform(Click(500, 60))).error is None


async def test_killed_owner(image: str, client: Any, tmp_path: Path) -> None:
    """When the owner is killed the container ends by itself and is removed; the next session removes the folder."""
    leases = Leases(tmp_path / "leases")
    owner = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(leases.folder), image], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout
    name = owner.stdout.readline().strip()
    container = client.containers.get(name)
    (lease,) = leases.folder.glob("*.json")
    folder = Path(json.loads(lease.read_text())["resource"]["folder"])
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "token").stat().st_mode & 0o777 == 0o600
    owner.kill()
    owner.wait()
    owner.stdout.close()
    container.wait(condition="removed", timeout=20)
    assert [one.name for one in client.containers.list(all=True) if one.name == name] == []
    assert leases.reap() == []
    assert not folder.exists()


async def test_reaper(image: str, client: Any, tmp_path: Path) -> None:
    """The reaper ends a labelled container that a lease names, and never one without our label."""
    labels = {"ours": {LEASE: "x"}, "other": {}}
    made = {
        who: client.containers.run(
            image, ["-c", "sleep 600"], entrypoint="/bin/sh", detach=True, labels=label
        )
        for who, label in labels.items()
    }
    folder = tmp_path / "cua-docker-x"
    try:
        for container in made.values():
            folder.mkdir(exist_ok=True)
            driver.reap({"container": container.name, "folder": str(folder)})
            assert not folder.exists()
        names = [one.name for one in client.containers.list(all=True)]
        assert made["other"].name in names
        assert made["ours"].name not in names
        driver.reap({"container": made["ours"].name, "folder": str(folder)})  # what is gone is gone
    finally:
        made["other"].remove(force=True)


async def test_networks(image: str, client: Any, tmp_path: Path) -> None:
    """Only a network that leads nowhere is taken, and in it a desktop reaches what was put there, and nothing else."""
    made = client.networks.create("cuabench-test", internal=True)
    other = client.containers.run(
        image, ["-m", "http.server", "8000"], entrypoint="/usr/bin/python3", detach=True,
        network="cuabench-test", name="cuabench-test-allowed", auto_remove=True,
    )  # fmt: skip
    (tmp_path / "c.toml").write_text(f'image = "{image}"\nnetwork = "cuabench-test"\n')
    machine = Docker(SCREEN, Leases(tmp_path / "leases"), str(tmp_path / "c.toml"))
    try:
        await machine.start()
        fetch = "import urllib.request as u; print(u.urlopen('http://cuabench-test-allowed:8000', timeout=10).status)"
        assert inside(client, machine, "python3", "-c", fetch) == (0, "200\n")
        connect = "import socket; socket.create_connection(('192.0.2.1', 80), 3)"
        assert inside(client, machine, "python3", "-c", connect)[0] != 0
    finally:
        await machine.close()
        other.remove(force=True)
        made.remove()


@pytest.mark.parametrize(("network", "complaint"), [("bridge", "leads out"), ("nowhere", "does not exist")])
async def test_refused_networks(image: str, tmp_path: Path, network: str, complaint: str) -> None:
    """A network that leads out, or is not there, is refused with what to type."""
    (tmp_path / "c.toml").write_text(f'image = "{image}"\nnetwork = "{network}"\n')
    machine = Docker(SCREEN, Leases(tmp_path / "leases"), str(tmp_path / "c.toml"))
    with pytest.raises(SettingError, match=complaint):
        await machine.start()
    assert list((tmp_path / "leases").glob("*.json")) == []


async def test_missing_image(image: str, tmp_path: Path) -> None:
    """An image that the engine does not have is told with the command that builds it."""
    machine = Docker(SCREEN, Leases(tmp_path / "leases"), "nobody-has-this")
    with pytest.raises(SettingError, match=r"no image named 'nobody-has-this'; type: cuabench image docker"):
        await machine.start()


async def test_identity(image: str, client: Any) -> None:
    """An image's part in fingerprints is its digest."""
    assert client.images.get(image).id.removeprefix("sha256:").startswith(str(identity_of(image)))
