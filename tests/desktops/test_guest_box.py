"""A program of the desktop sees the desktop and nothing else of the machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from sysconfig import get_path

import pytest
import pytest_asyncio
from drivers.guests import ENVIRONMENT, needs_desktop

from guest import applications
from guest.desk import Desk
from guest.session import Options

pytestmark = [needs_desktop, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def desk() -> AsyncIterator[Desk]:
    """A desktop of this process, shared by the tests."""
    folder = Path(tempfile.mkdtemp(prefix="cua-"))
    (folder / "token").write_text("secret")
    desk = Desk(Options(folder, (1280, 800)), "bwrap")
    await desk.begin(applications.find("probe"), [])
    yield desk
    await desk.end()
    shutil.rmtree(folder)


async def told(desk: Desk, *argv: str) -> str:
    """Return what a program writes."""
    done = await desk.run(argv)
    return (done.out + done.err).decode()


async def test_who_it_is(desk: Desk) -> None:
    """It runs as an ordinary user without rights, in HOME, and cannot gain any."""
    assert await told(desk, "id", "-un") == "user\n"
    assert await told(desk, "pwd") == "/home/user\n"
    status = await told(desk, "cat", "/proc/self/status")
    assert "CapEff:\t0000000000000000" in status
    assert "CapBnd:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status


async def test_what_it_sees(desk: Desk) -> None:
    """Neither the machine's people, nor the supervisor's files, nor other processes are there."""
    root = (await told(desk, "ls", "/")).split()
    assert not {"root", "mnt", "media", "srv", "boot", "work"} & set(root)
    assert await told(desk, "ls", "/home") == "user\n"
    assert "No such file" in await told(desk, "cat", "/etc/shadow")
    assert "No such file" in await told(desk, "ls", str(desk.options.state))
    assert (await told(desk, "ls", "/proc")).split()[:2] == ["1", "2"]
    assert "Xvfb" not in await told(desk, "sh", "-c", "cat /proc/[0-9]*/comm")
    assert "secret" not in await told(desk, "env")


async def test_what_it_may_write(desk: Desk) -> None:
    """HOME and /tmp are its own; the system and the guest's programs are read-only."""
    await told(desk, "touch", "here", "/tmp/there")
    assert (desk.home / "here").exists()
    assert not Path("/tmp/there").exists()
    for place in ("/usr/bin/x", "/etc/passwd", "/opt/guest/x"):
        assert "Read-only" in await told(desk, "touch", place)


async def test_no_network(desk: Desk) -> None:
    """There is no way out: no interface but a loopback of its own."""
    assert (await told(desk, "cat", "/proc/net/dev")).count(":") == 1
    script = "import socket; socket.create_connection(('192.0.2.1', 80), 2)"
    assert "Network is unreachable" in await told(desk, "/usr/bin/python3", "-c", script)


async def test_input_and_exit(desk: Desk) -> None:
    """Standard input arrives, and the exit code and both outputs come back."""
    done = await desk.run(["sh", "-c", "cat; echo no >&2; exit 3"], stdin=b"yes")
    assert (done.code, done.out, done.err) == (3, b"yes", b"no\n")


async def test_what_takes_too_long(desk: Desk) -> None:
    """A program that does not end is ended with all that it started."""
    before = set(os.listdir("/proc"))
    with pytest.raises(TimeoutError):
        await desk.run(["sh", "-c", "sleep 4321 & setsid sleep 4321"], seconds=0.3)
    new = [name for name in set(os.listdir("/proc")) - before if name.isdigit()]
    commands = [Path(f"/proc/{name}/cmdline").read_bytes() for name in new if Path(f"/proc/{name}").exists()]
    assert not [command for command in commands if b"4321" in command]


async def test_what_an_episode_leaves(desk: Desk) -> None:
    """Files in HOME and /tmp and programs in the background are gone in the next episode."""
    await told(desk, "touch", "left", "/tmp/left")
    await desk.launch(["sleep", "4322"])
    desk.touched()
    await desk.begin(applications.find("probe"), [])
    assert await told(desk, "ls") == ""
    assert await told(desk, "ls", "/tmp") == ""
    assert not [one for one in Path("/proc").glob("[0-9]*/cmdline") if b"4322" in read(one)]


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.asyncio
async def test_without_root() -> None:
    """A desktop also starts for a user without any rights of root."""
    python = next((one for one in (sys.executable, "/usr/bin/python3") if serves(one)), None)
    if python is None:
        pytest.skip("no interpreter of this version lies where others than root may read")
    folder = Path(tempfile.mkdtemp(prefix="cua-"))
    script = (
        "import asyncio, sys; from pathlib import Path; from guest import applications;"
        "from guest.desk import Desk; from guest.session import Options\n"
        "async def main():\n"
        "    desk = Desk(Options(Path(sys.argv[1]), (1280, 800)), 'bwrap')\n"
        "    print((await desk.begin(applications.find('probe'), []))['layer'])\n"
        "    print((await desk.run(['id', '-u'])).out.decode())\n"
        "    await desk.end()\n"
        "asyncio.run(main())"
    )
    guest = folder / "code"
    shutil.copytree(ENVIRONMENT, guest, ignore=shutil.ignore_patterns("__pycache__"))
    os.chown(folder, 65534, 65534)
    ended = subprocess.run(
        [python, "-c", script, str(folder / "state")],
        env={"PATH": "/usr/bin", "PYTHONPATH": f"{guest}:{get_path('purelib')}"},
        capture_output=True, text=True, user=65534, group=65534, extra_groups=[], cwd=folder, timeout=60,
    )  # fmt: skip
    shutil.rmtree(folder)
    assert ended.stdout.split() == ["desktop", "1000"], ended.stderr


def serves(python: str) -> bool:
    """Whether a user without rights can start an interpreter, and it is of this version."""
    says = "import sys; print(*sys.version_info[:2])"
    try:
        tried = subprocess.run(
            [python, "-c", says],
            user=65534,
            group=65534,
            extra_groups=[],
            capture_output=True,
            text=True,
            cwd="/",
        )
    except OSError:
        return False
    return tried.stdout.split() == [str(part) for part in sys.version_info[:2]]


def read(file: Path) -> bytes:
    """Return a file's bytes; none when its process has just ended."""
    try:
        return file.read_bytes()
    except OSError:
        return b""
