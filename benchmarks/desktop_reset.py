"""What a desktop's reset and step cost here, beside the raw start of the program and beside fixed pauses.

    reset   ours: the whole desktop anew, ready to be worked with          | raw: window server, window manager and the
            program started by hand, until a window is there, which is less than ready
    step    ours: a click that is settled, then a picture                  | habit: the same click as a program sent to
            OSWorld's protocol on the same desktop, its usual pause of 2 s, then a picture; also told without the pause

Both sides run in turn on the same machine. `--application` names what the guest knows and what is installed. With
`--resets` only the resets are timed, of each application at the starting point that `reset_pixels.py` has for it. The
CPU seconds beside them are those of all programs of the desktop and of the guest; they depend less on what else runs.
The table is the one in docs/desktops.md.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import psutil
import xcffib
import xcffib.xproto
from reset_pixels import STARTS

from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.drivers.desktop.xvfb import Xvfb
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Click, Size

SCREEN = Size(1920, 1080)
PAUSE = 2.0  # seconds that DesktopEnv.step waits by default
PROBE = library.ENVIRONMENTS / "desktop" / "guest" / "probe_window.py"
COMMANDS = {
    "probe": ["/usr/bin/python3", str(PROBE), "probe.jsonl"],
    "kalgebra": ["kalgebra"],
    "texstudio": ["texstudio", "--no-session"],
}


def milliseconds(values: list[float]) -> str:
    """Return median and worst."""
    return f"{1000 * statistics.median(values):7.0f} ms (worst {1000 * max(values):.0f})"


async def timed(work: Awaitable[Any]) -> float:
    """Return how long something took."""
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


async def ours(application: str, repeats: int) -> tuple[list[float], list[float], list[float]]:
    """Return the seconds of our resets and steps, and of steps by OSWorld's protocol without the pause."""
    leases = Leases()
    machine = Xvfb(SCREEN, leases)
    desktop = DesktopEnvironment(machine, SCREEN)
    instance: Any = SimpleNamespace(
        task=SimpleNamespace(application=application, setup=lambda seed: ()), seed=0
    )
    try:
        if lacking := await desktop.lacking(instance):
            raise SystemExit(lacking)
        await desktop.reset(instance)
        resets, steps = [], []
        for number in range(repeats):
            steps.append(await timed(step(desktop, number)))
            resets.append(await timed(desktop.reset(instance)))
            assert desktop.last_reset is not None
            assert desktop.last_reset.layer == "desktop"
        return resets, steps, await habits(await machine.start(), repeats)
    finally:
        await desktop.close()
        await leases.close()


async def resets(application: str, repeats: int) -> tuple[list[float], list[float]]:
    """Return the seconds and the CPU seconds of resets that each follow a click."""
    leases = Leases()
    machine = Xvfb(SCREEN, leases)
    desktop = DesktopEnvironment(machine, SCREEN)
    task = SimpleNamespace(application=application, setup=lambda seed: STARTS[application])
    instance: Any = SimpleNamespace(task=task, seed=0)
    try:
        if lacking := await desktop.lacking(instance):
            raise SystemExit(lacking)
        await desktop.reset(instance)
        seconds, worked = [], []
        for number in range(repeats):
            await desktop.perform(Click(900 + number, 700))
            guest = psutil.Process(machine.pid)
            before = guest.cpu_times()
            seconds.append(await timed(desktop.reset(instance)))
            own = guest.cpu_times()
            new = sum(map(cpu, guest.children(recursive=True)))
            worked.append(own.user - before.user + own.system - before.system + new)
        return seconds, worked
    finally:
        await desktop.close()
        await leases.close()


def cpu(process: psutil.Process) -> float:
    """Return the CPU seconds of a process so far, with those of its children that have ended by themselves."""
    spent = process.cpu_times()
    return float(spent.user + spent.system + spent.children_user + spent.children_system)


async def table(applications: list[str], repeats: int) -> None:
    """Print a line for each application."""
    print("| application | reset p50 | p95 | least | CPU of one |\n|---|---|---|---|---|")
    for application in applications:
        seconds, worked = await resets(application, repeats)
        p95 = statistics.quantiles(seconds, n=20, method="inclusive")[-1]
        times = f"{statistics.median(seconds):.1f} s | {p95:.1f} s | {min(seconds):.1f} s"
        print(f"| {application} | {times} | {statistics.median(worked):.1f} s |", flush=True)


async def step(desktop: DesktopEnvironment, number: int) -> None:
    """Click somewhere harmless, and look."""
    await desktop.perform(Click(900 + number, 700))
    await desktop.observe("screenshot")


async def habits(address: Address, repeats: int) -> list[float]:
    """Click by OSWorld's protocol as its clients do, and look; return the seconds without their pause."""
    transport = httpx2.AsyncHTTPTransport(uds=str(address.socket))
    headers = {"Authorization": f"Bearer {address.token}"}
    async with httpx2.AsyncClient(
        transport=transport, base_url=address.url, headers=headers, timeout=120
    ) as http:

        async def one(number: int) -> None:
            code = f"import pyautogui; import time; pyautogui.FAILSAFE = False; pyautogui.click({900 + number}, 700)"
            reply = await http.post("/execute", json={"command": ["python", "-c", code], "shell": False})
            reply.raise_for_status()
            if reply.json()["returncode"] != 0:
                raise SystemExit(f"OSWorld's way does not work here: {reply.json()['error'][-300:]}")
            (await http.get("/screenshot")).raise_for_status()

        return [await timed(one(number)) for number in range(repeats)]


def raw(application: str, repeats: int) -> list[float]:
    """Return the seconds of starting window server, window manager and program by hand, until there is a window."""
    return [_raw(COMMANDS[application]) for _ in range(repeats)]


def _raw(command: list[str]) -> float:
    folder = Path(tempfile.mkdtemp(prefix="cua-raw-"))
    started: list[subprocess.Popen[bytes]] = []
    environment = {
        **os.environ,
        "HOME": str(folder),
        "XDG_RUNTIME_DIR": str(folder),
        "QTWEBENGINE_DISABLE_SANDBOX": "1",
    }

    def run(*words: str, **more: Any) -> subprocess.Popen[bytes]:
        started.append(
            subprocess.Popen(
                words, cwd=folder, env=environment, stderr=subprocess.DEVNULL, start_new_session=True, **more
            )
        )
        return started[-1]

    begin = time.perf_counter()
    try:
        reading, writing = os.pipe()
        run(
            "Xvfb", "-screen", "0", f"{SCREEN}x24", "-nolisten", "tcp", "-noreset", "-displayfd", str(writing),
            pass_fds=[writing],
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as told:
            environment["DISPLAY"] = f":{told.readline().strip()}"
        run("openbox", stdout=subprocess.DEVNULL)
        run(*command, stdout=subprocess.DEVNULL)
        _wait(lambda: _has_window(environment["DISPLAY"]))
        return time.perf_counter() - begin
    finally:
        for process in reversed(started):
            server = process is started[0]  # it removes its socket and its lock
            os.killpg(process.pid, signal.SIGTERM if server else signal.SIGKILL)
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _has_window(display: str) -> bool:
    """Whether a window of some size is shown that is no window manager's."""
    connection = xcffib.connect(display=display)
    try:
        core, root = connection.core, connection.get_setup().roots[0].root
        for window in core.QueryTree(root).reply().children:
            try:
                shown = core.GetWindowAttributes(window).reply().map_state == xcffib.xproto.MapState.Viewable
                size = core.GetGeometry(window).reply()
            except xcffib.xproto.WindowError:
                continue  # gone by now
            if shown and size.width > 300 and size.height > 200:
                return True
        return False
    finally:
        connection.disconnect()


def _wait(what: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        if time.monotonic() > deadline:
            raise SystemExit("the program shows no window")
        time.sleep(0.01)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--application", choices=sorted(COMMANDS), default="probe")
    parser.add_argument("--repeats", type=int, default=10, metavar="N")
    parser.add_argument(
        "--resets", action="store_true", help="time the resets of every application, and no more"
    )
    given = parser.parse_args()
    if given.resets:
        print(f"{SCREEN}, {given.repeats} times each, load {os.getloadavg()[0]:.1f}", flush=True)
        asyncio.run(table(list(STARTS), given.repeats))
        return 0
    times, steps, habit = asyncio.run(ours(given.application, given.repeats))
    by_hand = raw(given.application, given.repeats)
    paused = [seconds + PAUSE for seconds in habit]
    rows = [
        ("reset, ours: ready to be worked with", times, by_hand),
        ("reset, raw: a window is there", by_hand, by_hand),
        ("step, ours: click, settle, picture", steps, paused),
        (f"step, habit: click, {PAUSE:g} s, picture", paused, paused),
        ("step, habit without the pause", habit, paused),
    ]
    print(f"{given.application}, {given.repeats} times each, {SCREEN}, load {os.getloadavg()[0]:.1f}")
    for name, values, peer in rows:
        ratio = statistics.median(values) / statistics.median(peer)
        print(f"{name:<40} {milliseconds(values):<32} x {ratio:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
