"""What a kernel and a user share: no box reaches keys, other boxes' limits or what no program needs."""

from __future__ import annotations

import ctypes
import json
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from agents.boxed import needs_box, program
from drivers.guests import Guest, labelled, needs_desktop
from drivers.machines_here import container_image
from small_world import Table

from pytest_cuabench.agents.program.sandbox import box
from pytest_cuabench.agents.program.sandbox.files import check_files
from pytest_cuabench.drivers.confining import libraries, seccomp, users
from pytest_cuabench.errors import SettingError

PROBE = Path(__file__).with_name("kernel_probe.py")
SHOWN = {  # by a container's engine; what is secret in them is hidden
    f"/proc/{name}"
    for name in (
        "cmdline",
        "interrupts",
        "kallsyms",
        "key-users",
        "locks",
        "modules",
        "schedstat",
        "timer_list",
    )
}
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a box a user of its own")
RUN = "import subprocess\n"
RUN += "done = subprocess.run(['python3', '/opt/agent/kernel_probe.py'], capture_output=True, text=True)\n"


@needs_box
@pytest.mark.parametrize("root", [True, False], ids=["as root", "not as root"])
def test_box(table: Table, monkeypatch: pytest.MonkeyPatch, root: bool) -> None:
    """Nothing that the kernel offers beyond ordinary programs works in a box, and no path of the session is seen."""
    if not root:
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
    agent = program(RUN + "finish(answer=done.stdout or done.stderr)", files=[str(PROBE)])
    found = json.loads(table.play(agent).last.answer or "")
    assert found["worked"] == []
    assert (found["uid"] in users.NUMBERS) == (root and os.geteuid() == 0)
    assert not [path for path in found["paths"] if str(Path(__file__).parents[2]) in path]


@pytest.fixture(scope="module")
def guest() -> Iterator[Guest]:
    """A desktop with a session."""
    made = Guest()
    made.begin()
    yield made
    made.close()


def ran(guest: Guest, code: str, language: str = "python") -> str:
    """Return what a program of an agent wrote."""
    done: dict[str, Any] = guest.call("POST", "/code", {"code": code, "language": language, "seconds": 20})
    return str(done["out"] or done["err"])


@pytest.mark.slow
def test_box_of_a_container(table: Table) -> None:
    """The same holds in a container, but for files of /proc that its engine shows."""
    agent = program(
        RUN + "finish(answer=done.stdout or done.stderr)", files=[str(PROBE)], image=container_image()
    )
    found = json.loads(table.play(agent).last.answer or "")
    assert {name for name in found["worked"] if name not in SHOWN} == set()
    assert found["uid"] in users.NUMBERS


@needs_desktop
@pytest.mark.slow
def test_desktop(guest: Guest) -> None:
    """The same holds for programs on a desktop, which have a user of their desktop's own under a supervisor of root."""
    found = json.loads(ran(guest, PROBE.read_text()))
    assert found["worked"] == []
    assert found["uid"] == 1000 if os.geteuid() != 0 else found["uid"] in users.NUMBERS


ACTIVATES = """
mkdir -p ~/.local/share/dbus-1/services "$XDG_RUNTIME_DIR/dbus-1/services" ~/.config/autostart
for place in ~/.local/share "$XDG_RUNTIME_DIR"; do
  printf '[D-BUS Service]\\nName=org.left.Behind\\nExec=/usr/bin/touch /home/user/started\\n' \
    > "$place/dbus-1/services/org.left.Behind.service"
done
call() { gdbus call --session -d "$1" -o "$2" -m "$3" "$4" "$5" 2>&1; }
call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus.ReloadConfig
call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus.StartServiceByName org.left.Behind 0
call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus.UpdateActivationEnvironment "{'LD_PRELOAD': 'x'}"
sleep 0.5; ls ~/started
"""


@needs_desktop
@pytest.mark.slow
def test_no_service_of_home(guest: Guest) -> None:
    """A service file in HOME starts nothing beside the limits of `run_code`, and the bus's environment stays."""
    said = ran(guest, f"exec 2>&1\n{ACTIVATES}", "bash")
    assert "ServiceUnknown" in said
    assert "AccessDenied" in said
    assert "cannot access '/home/user/started'" in said


@needs_desktop
@pytest.mark.slow
def test_limits_of_a_desktop(guest: Guest) -> None:
    """Every program of a desktop has a limit of processes, also the bus that starts others."""
    limited = {}
    for pid in labelled(guest.state):
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
        limited[name] = next(int(line.split()[2]) for line in lines if line.startswith("Max processes"))
    ours = {
        name: most for name, most in limited.items() if name not in {"sh", "bwrap"}
    }  # they make the boxes
    assert {"Xvfb", "dbus-daemon", "openbox"} <= set(ours)
    assert max(ours.values()) <= 2000


@needs_box
@needs_root
def test_a_neighbour_starts(table: Table) -> None:
    """A box that has used up its processes leaves the next one able to start: each has a user of its own."""
    few = ("prlimit", "--nproc=60")
    with box.own_user() as one, box.own_user() as other:
        bomb = "from subprocess import Popen\nmade = [Popen(['sleep', '60']) for _ in range(59)]\n"
        bomb += "print(flush=True)\nmade[0].wait()"
        command = [*few, *users.become(one), "/usr/bin/python3", "-c", bomb]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
            assert running.stdout is not None
            running.stdout.readline()
            for user, code in ((one, 2), (other, 0)):  # a shell that cannot fork
                tries = [*few, *users.become(user), "sh", "-c", "true & wait"]
                assert subprocess.run(tries, capture_output=True, check=False).returncode == code
            running.kill()
    left = (each for each in psutil.process_iter(["uids", "status"]) if each.info["uids"].real == one)
    assert {each.info["status"] for each in left} <= {psutil.STATUS_ZOMBIE}
    assert table.play(program("key('n'); finish()")).last.outcome == "success"


def test_released_users() -> None:
    """A user is nobody else's while it is held, and its processes end when it is given back."""
    first, second = users.take(), users.take()
    assert first.number != second.number
    second.release()
    if os.geteuid() == 0:
        with subprocess.Popen([*users.become(first.number), "sleep", "60"]) as left:
            while first.number not in users._busy():
                assert left.poll() is None
            first.release()
            assert left.wait(10) == -9
    else:
        first.release()


@needs_box
def test_abstract_sockets(table: Table) -> None:
    """A box that shares this computer's network reaches no abstract socket of others, where the kernel can deny it."""
    if tuple(map(int, os.uname().release.split(".")[:2])) < (6, 12):
        pytest.skip("the kernel cannot deny it before Linux 6.12")
    with socket.socket(socket.AF_UNIX) as judge:
        judge.bind(f"\0cuabench-{os.getpid()}")
        judge.listen()
        code = f"""
import socket
try:
    socket.socket(socket.AF_UNIX).connect("\\0cuabench-{os.getpid()}"); told = "reached"
except OSError as error:
    told = error.strerror
key("n"); finish(answer=told)
"""
        assert table.play(program(code, network="host")).last.answer == "Operation not permitted"


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers(machine: str) -> None:
    """The numbers of denied calls are those that the library of filters knows, on both architectures."""
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        pytest.skip("libseccomp is not installed")
    number_of = library.seccomp_syscall_resolve_name_arch
    number_of.argtypes = (ctypes.c_uint32, ctypes.c_char_p)
    for name, number in seccomp.denied(machine).items():
        known = number_of(MACHINES[machine], name.encode())
        assert known in (number, -1), name  # -1: newer than the library
    assert len(seccomp.program(machine)) % 8 == 0


def test_files(tmp_path: Path) -> None:
    """A profile shows a program no part of suites, runs, the system, credentials, sockets or devices, by any name."""
    suite, run, home = tmp_path / "mine", tmp_path / "run", tmp_path / "somebody"
    for folder in (suite / "app", run / "inst", home / ".ssh", tmp_path / "deep/a/b/c"):
        folder.mkdir(parents=True)
    (suite / "suite.toml").touch()
    (suite / "app/task.py").touch()
    (run / "ledger.jsonl").touch()
    (run / "inst/steps.jsonl").touch()
    (home / ".ssh/id").touch()
    (tmp_path / "deep/a/b/c/suite.toml").touch()
    (tmp_path / "link").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "pipe")
    hard = tmp_path / "play.py"
    shipped = next(box._HERE.parents[2].glob("suites/medcua/*/*.py"), None)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        refused = [
            suite, suite / "app", suite / "app/task.py", run, run / "inst", run / "inst/steps.jsonl", home,
            home / ".ssh", home / ".ssh/id", tmp_path / "deep",
            tmp_path / "link", tmp_path / "pipe", tmp_path / "socket", tmp_path,
        ]  # fmt: skip
        refused += map(
            Path,
            (
                "/",
                "/proc",
                "/proc/self",
                "/sys",
                "/dev/null",
                "/run",
                "/etc",
                "/etc/passwd",
                "/root",
                "/home",
            ),
        )
        if shipped is not None:
            try:
                os.link(shipped, hard)
                refused.append(hard)
            except OSError:  # another file system
                pass
        for path in filter(Path.exists, refused):
            with pytest.raises(SettingError, match=r"options\.files: .* would show the program"):
                check_files([path])
    good = tmp_path / "good"
    good.mkdir()
    (good / "play.py").touch()
    check_files([good, good / "play.py", Path("/usr/bin/env")])


def test_installed_suites(tmp_path: Path) -> None:
    """A package that brings suites is found by its entry points wherever libraries lie, also installed editable."""
    libs = [
        tmp_path / name for name in ("lib/python3/dist-packages", "share/app/lib/python3.12/site-packages")
    ]
    for number, place in enumerate(libs):
        (place / f"mine{number}/tasks").mkdir(parents=True)
        about = place / f"mine{number}-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: mine{number}\nVersion: 1\n")
        (about / "entry_points.txt").write_text(f"[pytest_cuabench.suites]\nmine = mine{number}.tasks\n")
    source = tmp_path / "src/project"
    source.mkdir(parents=True)
    (about / "direct_url.json").write_text(
        json.dumps({"url": source.as_uri(), "dir_info": {"editable": True}})
    )
    (libs[0] / "bare/one").mkdir(parents=True)
    (libs[0] / "bare/one/suite.toml").touch()
    (libs[0] / "other").mkdir()
    found = {path for path in libraries.secret(tmp_path) if tmp_path in path.parents}
    assert found == {libs[0] / "mine0", libs[1] / "mine1", source, libs[0] / "bare/one"}
