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

import psutil
import pytest
import pytest_asyncio
from drivers.guests import ENVIRONMENT, needs_desktop

from guest import applications
from guest.desktop import Desktop
from guest.session import Options

ENDLESS = "86399.125"  # a time that no other process has in its command line

pytestmark = [needs_desktop, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def desktop() -> AsyncIterator[Desktop]:
    """A desktop of this process, shared by the tests."""
    folder = Path(tempfile.mkdtemp(prefix="cua-"))
    (folder / "token").write_text("secret")
    desktop = Desktop(Options(folder, (1280, 800)), "bwrap")
    await desktop.begin(applications.find("probe"), [])
    yield desktop
    await desktop.end()
    shutil.rmtree(folder)


async def told(desktop: Desktop, *argv: str) -> str:
    """Return what a program writes."""
    done = await desktop.run(argv)
    return (done.out + done.err).decode()


async def test_who_it_is(desktop: Desktop) -> None:
    """It runs as an ordinary user without rights, in HOME, and cannot gain any."""
    assert await told(desktop, "id", "-un") == "user\n"
    assert await told(desktop, "pwd") == "/home/user\n"
    status = await told(desktop, "cat", "/proc/self/status")
    assert "CapEff:\t0000000000000000" in status
    assert "CapBnd:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status


async def test_what_it_sees(desktop: Desktop) -> None:
    """Neither the machine's people, nor the supervisor's files, nor other processes are there."""
    root = (await told(desktop, "ls", "/")).split()
    assert not {"root", "mnt", "media", "srv", "boot", "work"} & set(root)
    assert await told(desktop, "ls", "/home") == "user\n"
    assert "No such file" in await told(desktop, "cat", "/etc/shadow")
    assert "No such file" in await told(desktop, "ls", str(desktop.options.state))
    assert (await told(desktop, "ls", "/proc")).split()[:2] == ["1", "2"]
    assert "Xvfb" not in await told(desktop, "sh", "-c", "cat /proc/[0-9]*/comm")
    assert "secret" not in await told(desktop, "env")


async def test_what_it_may_write(desktop: Desktop) -> None:
    """HOME and /tmp are its own; the system and the guest's programs are read-only."""
    await told(desktop, "touch", "here", "/tmp/there")
    assert (desktop.home / "here").exists()
    assert not Path("/tmp/there").exists()
    for place in ("/usr/bin/x", "/etc/passwd", "/opt/guest/x"):
        assert ("Read-only" in (said := await told(desktop, "touch", place))) or "Permission denied" in said


async def test_no_network(desktop: Desktop) -> None:
    """There is no way out: no interface but a loopback of its own."""
    assert (await told(desktop, "cat", "/proc/net/dev")).count(":") == 1
    script = "import socket; socket.create_connection(('192.0.2.1', 80), 2)"
    assert "Network is unreachable" in await told(desktop, "/usr/bin/python3", "-c", script)


async def test_input_and_exit(desktop: Desktop) -> None:
    """Standard input arrives, and the exit code and both outputs come back."""
    done = await desktop.run(["sh", "-c", "cat; echo no >&2; exit 3"], stdin=b"yes")
    assert (done.code, done.out, done.err) == (3, b"yes", b"no\n")


async def test_what_takes_too_long(desktop: Desktop) -> None:
    """A program that does not end is ended with all that it started."""
    with pytest.raises(TimeoutError):
        await desktop.run(["sh", "-c", f"sleep {ENDLESS} & setsid sleep {ENDLESS}"], seconds=0.3)
    assert not sleeping()


async def test_what_an_episode_leaves(desktop: Desktop) -> None:
    """Files in HOME and /tmp and programs in the background are gone in the next episode."""
    await told(desktop, "touch", "left", "/tmp/left")
    await desktop.launch(["sleep", ENDLESS])
    desktop.touched()
    await desktop.begin(applications.find("probe"), [])
    assert await told(desktop, "ls") == ""
    assert await told(desktop, "ls", "/tmp") == ""
    assert not sleeping()


async def test_what_is_written_late_is_waited_for(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    """An application that says so may write for a while after the last action, before its state is judged."""
    monkeypatch.setattr(applications.find("probe"), "late", 2.0, raising=False)
    await desktop.launch(["sh", "-c", "sleep 0.5; touch settings"])
    desktop.touched()
    await desktop.written()
    assert "settings" in (await told(desktop, "ls")).split()


async def test_what_is_being_saved_is_waited_for(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state is read when the file is gone that an application leaves while it saves."""
    monkeypatch.setattr(applications.find("probe"), "unfinished", ["part*.tmp"], raising=False)
    await told(desktop, "touch", "part1.tmp")
    await desktop.launch(["sh", "-c", "sleep 0.5; touch document; rm part1.tmp"])
    await desktop.written()
    left = (await told(desktop, "ls")).split()
    assert "document" in left
    assert "part1.tmp" not in left


async def test_no_namespaces(desktop: Desktop) -> None:
    """A program can make no namespaces, in which it would have rights."""
    for kind in (
        "--user",
        "--map-root-user --mount",
        "--map-root-user --net",
        "--map-root-user --pid --fork",
    ):
        done = await desktop.run(["unshare", *kind.split(), "id"])
        assert (done.code, done.out) == (1, b""), kind
    script = "import ctypes; c = ctypes.CDLL(None); print(c.unshare(1 << 28), c.mount(b'a', b'/tmp', b'tmpfs', 0, 0))"
    assert await told(desktop, "/usr/bin/python3", "-c", script) == "-1 -1\n"


async def test_nowhere_else_to_write(desktop: Desktop) -> None:
    """Only HOME, /tmp, the runtime folder and shared memory can be written to."""
    found = await told(
        desktop, "find", "/", "-xdev", "-writable", "-not", "-type", "l", "-not", "-path", "/proc/*"
    )
    places = {
        "/home/user",
        "/tmp",
        "/run/user/1000",
        "/dev/shm",
    }  # `find` names what is mounted, and stops there
    assert set(found.split()) <= places
    script = (
        "for d in / /dev /dev/pts /etc /var /run /opt /usr/local /home /sys; do touch $d/x && echo $d; done"
    )
    assert not [
        line for line in (await told(desktop, "bash", "-c", script)).splitlines() if line.startswith("/")
    ]
    mounts = (await told(desktop, "bash", "-c", "grep -v ' ro[, ]' /proc/mounts | cut -d' ' -f2")).split()
    devices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/pts"}
    assert set(mounts) - devices - {"/proc"} == places


async def test_nothing_tells_about_the_machine(desktop: Desktop) -> None:
    """Neither command lines nor environments that it can read name the supervisor's folder or this checkout."""
    script = (
        "for f in /proc/[0-9]*/cmdline /proc/[0-9]*/environ /proc/self/cgroup; do tr '\\0' '\\n' <$f; done"
    )
    seen = await told(desktop, "bash", "-c", script)
    assert "bwrap" in seen
    for secret in (str(desktop.options.state), str(ENVIRONMENT), os.path.expanduser("~"), sys.prefix):
        assert secret not in seen, secret


async def test_only_the_systems_own_programs(desktop: Desktop) -> None:
    """What was installed for all users beside the system is not there, nor the guest's own code."""
    for folder in ("/usr/local", "/usr/src"):
        assert await told(desktop, "ls", "-A", folder) == ""
    assert sorted((await told(desktop, "ls", "/opt/guest")).split()) == [
        "browser_window.py", "grass", "openbox.xml", "own-bus.conf", "probe_window.py", "pymol", "sealed", "services",
        "session-bus.conf", "stellarium",
    ]  # fmt: skip
    names = "'pytest_cuabench', 'guest', 'gi'"
    script = f"from importlib.util import find_spec; print(*(find_spec(name) is None for name in ({names})))"
    assert await told(desktop, "/usr/bin/python3", "-c", script) == "True True False\n"


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
        "from guest.desktop import Desktop; from guest.session import Options\n"
        "async def main():\n"
        "    desktop = Desktop(Options(Path(sys.argv[1]), (1280, 800)), 'bwrap')\n"
        "    print((await desktop.begin(applications.find('probe'), []))['layer'])\n"
        "    print((await desktop.run(['id', '-u'])).out.decode())\n"
        "    await desktop.end()\n"
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


def sleeping() -> list[psutil.Process]:
    """Return the programs that sleep as long as only this test asks for."""
    return [one for one in psutil.process_iter(["cmdline"]) if one.info["cmdline"] == ["sleep", ENDLESS]]
