"""Programs that a model wrote: what they can do, and what they cannot."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from drivers.guests import Guest, labelled, needs_desktop

pytestmark = [needs_desktop, pytest.mark.slow]
TOKEN = "a token that nobody in the box must ever see"


@pytest.fixture(scope="module")
def guest() -> Any:
    """A guest with a token and a session that all tests share."""
    guest = Guest(token=TOKEN)
    guest.begin()
    yield guest
    guest.close()


def run(guest: Guest, code: str, language: str = "python", seconds: float = 20) -> dict[str, Any]:
    """Return how a program ended and what it wrote."""
    return guest.call("POST", "/code", {"code": code, "language": language, "seconds": seconds})


def test_output_and_code(guest: Guest) -> None:
    """A program's outputs and its exit code come back."""
    assert run(guest, "import sys; print('é'); print('x', file=sys.stderr); sys.exit(3)") == {
        "code": 3, "out": "é\n", "err": "x\n",
    }  # fmt: skip
    assert run(guest, "echo $((2+2)); kill -9 $$", "bash") == {"code": 137, "out": "4\n", "err": ""}
    assert run(guest, "input()")["err"].strip().endswith("EOFError: EOF when reading a line")


def test_it_works_in_home_and_on_the_screen(guest: Guest) -> None:
    """A program has the desktop's HOME as its folder, and its mouse and keyboard."""
    assert (
        run(guest, "open('made.txt', 'w').write('x'); import os; print(os.getcwd())")["out"] == "/home/user\n"
    )
    assert run(guest, "cat made.txt", "bash")["out"] == "x"
    done = run(guest, "import pyautogui; pyautogui.moveTo(321, 123); print(*pyautogui.position())")
    assert done["out"] == "321 123\n", done
    assert guest.call("GET", "/cursor") == {"x": 321, "y": 123}
    assert "made.txt" in guest.collections()["files"]


def test_as_an_action(guest: Guest) -> None:
    """The canonical action gives a model all of it as one text."""
    (result,) = guest.act({"kind": "run_code", "code": "print(6 * 7)"})
    assert result["text"] == "42\n[exit code 0]"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"code": "1", "language": "perl"}, "language is 'perl'"),
        ({"code": 1}, "must be text"),
        ({"code": "1", "seconds": 0}, "seconds is 0"),
        ({"code": "1", "seconds": "9"}, "seconds is '9'"),
        ({"code": "#" * 100_001}, "at most 100000 bytes"),
        ({"code": "\0"}, "null byte"),
    ],
)
def test_malformed(guest: Guest, body: dict[str, Any], told: str) -> None:
    """A request that makes no sense is refused in a sentence."""
    reply = guest.client.post("/code", json=body)
    assert reply.status_code == 400
    assert told in reply.json()["error"]


@pytest.mark.slow
def test_time(guest: Guest) -> None:
    """A program that does not end is ended, and says so."""
    done = run(guest, "print('begun', flush=True)\nimport time\nwhile True: time.sleep(1)", seconds=10)
    assert (done["code"], done["out"]) == (137, "begun\n")
    assert "ran longer than 10 s" in done["err"]


def test_memory(guest: Guest) -> None:
    """Memory ends for one process by its address space, and for all of them together by what they hold."""
    assert "MemoryError" in run(guest, "x = bytearray(3 * 2**30)")["err"]
    several = (
        "for i in 1 2 3; do python3 -c 'x = b\"1\" * (450 * 2**20); import time; time.sleep(20)' & done; wait"
    )
    assert "took more than 1024 MiB of memory" in run(guest, several, "bash")["err"]


def test_processes(guest: Guest) -> None:
    """A program has so many processes and no more: the kernel refuses, whoever the supervisor is."""
    # Few more than the limit, and each for a moment only: a test of this must not be able to hurt the machine.
    several = (
        "import subprocess\nmade = []\ntry:\n    for _ in range(90): made.append(subprocess.Popen(['sleep', '3']))\n"
        "except OSError as error: print(type(error).__name__, len(made) <= 64)\nelse: print('no limit')\n"
        "for one in made: one.kill()"
    )
    assert run(guest, several)["out"] == "BlockingIOError True\n"


def test_files(guest: Guest) -> None:
    """A file grows to its limit and no further."""
    done = run(guest, "open('big', 'wb').write(bytes(65 * 2**20))")
    assert "File too large" in done["err"]
    run(guest, "rm -f big", "bash")


def test_processor(guest: Guest) -> None:
    """The limits are those of every process of the program."""
    told = run(
        guest,
        "ulimit -t; ulimit -c; python3 -c 'import resource as r; print(r.getrlimit(r.RLIMIT_CPU))'",
        "bash",
    )
    assert told["out"] == "60\n0\n(60, 60)\n"
    raised = "import resource as r\nr.setrlimit(r.RLIMIT_CPU, (99, 99))"
    assert "not allowed" in run(guest, raised)["err"]


def test_output_is_cut(guest: Guest) -> None:
    """Of a long output the beginning is kept, and it is said that the rest is not."""
    done = run(guest, "print('x' * 10_000_000)")
    assert done["code"] == 0
    assert len(done["out"]) < 51_000
    assert "cut: more than 50000 bytes" in done["out"]


def test_nothing_is_left(guest: Guest) -> None:
    """What a program started goes with it, also what left its session; its control group is removed."""
    before = set(labelled(guest.state))
    for seconds in (20, 0.5):
        run(
            guest,
            "(setsid nohup sleep 333 >/dev/null 2>&1 &); (sleep 334 &); sleep 0.2; [ $1 ] || true",
            "bash",
            seconds,
        )
    run(guest, "setsid sleep 335 & wait", "bash", 0.5)
    end = time.monotonic() + 60
    while (left := _asleep(set(labelled(guest.state)) - before)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not left
    groups = [path.name for path in Path("/sys/fs/cgroup").glob("**/cuabench-*")]
    assert sum(name.startswith(f"cuabench-{guest.process.pid}-") for name in groups) <= 1  # the desktop's own


def _asleep(pids: set[int]) -> list[int]:
    return [pid for pid in pids if b"sleep" in _command(pid)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_out_of_reach(guest: Guest) -> None:
    """No process, file, socket or network of the host can be reached; nor the token, by whatever way."""
    socket, token = guest.folder / "socket", guest.folder / "token"
    tries = f"""
import glob, os, socket, urllib.request
def tried(name, call):
    try: print(name, 'REACHED', call())
    except Exception as error: print(name, 'out of reach')
tried('token', lambda: open({str(token)!r}).read())
tried('state', lambda: os.listdir({str(guest.state)!r}))
tried('supervisor', lambda: os.kill({guest.process.pid}, 0))
tried('tester', lambda: os.listdir('/proc/{os.getpid()}'))
tried('socket', lambda: socket.socket(socket.AF_UNIX).connect({str(socket)!r}))
tried('shadow', lambda: open('/etc/shadow').read())
tried('root', lambda: os.listdir('/root'))
tried('mine', lambda: open('/opt/guest/__init__.py', 'a'))
tried('tools', lambda: open('/opt/tools/bin/new', 'w'))
tried('system', lambda: open('/usr/new', 'w'))
tried('network', lambda: socket.create_connection(('1.1.1.1', 53), 1))
tried('loopback', lambda: socket.create_connection(('127.0.0.1', 22), 1))
tried('mount', lambda: os.unshare(0x00020000) if hasattr(os, 'unshare') else 1 / 0)
tried('become', lambda: os.setuid(0))
print('processes', len(glob.glob('/proc/[0-9]*')) < 8)
def environment(file):
    try: return open(file, 'rb').read()
    except OSError: return b''
print('token', any({TOKEN!r}.encode() in environment(file) for file in glob.glob('/proc/[0-9]*/environ')))
"""
    lines = run(guest, tries)["out"].splitlines()
    assert [line for line in lines if "REACHED" in line] == []
    assert lines[-2:] == ["processes True", "token False"]
    assert len(lines) == 16
