"""What a window costs a web world: resets, steps, screenshots, CPU and memory, without a window and in one, by turns.

Both modes play the same actions on an application of the clinic, in the same run. CPU and memory are of all processes
that a mode has started: browser, Playwright's driver, and in a window the desktop's guest with its X server; the world
program is shared, and not counted. Memory is proportional set size.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.display import Display
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.task.action import Action, Click, Drag, Key, Point, Scroll, Size, Type
from pytest_cuabench.testing.served_world import instance

SCREEN = Size(1280, 720)
STEPS: dict[str, Action] = {
    "click": Click(640, 400),
    "key": Key(("tab",)),
    "type": Type("paracetamol 500 mg"),
    "scroll by three": Scroll(640, 400, dy=3),
    "drag": Drag((Point(500, 600), Point(700, 620))),
}


class Mode:
    """One mode with its environment and figures."""

    def __init__(self, name: str, environment: ChromiumEnvironment, world: World) -> None:
        self.name, self.environment, self._world = name, environment, world
        self.figures: dict[str, list[float]] = {}
        self.mine: set[psutil.Process] = set()

    async def measure(self, what: str, work: Callable[[], Awaitable[object]]) -> None:
        """Add the milliseconds and the CPU milliseconds of a call."""
        began, spent = time.perf_counter(), self._cpu()
        await work()
        self.figures.setdefault(what, []).append(1000 * (time.perf_counter() - began))
        kind = "reset" if what == "reset" else "step"
        self.figures.setdefault(f"CPU of a {kind}", []).append(1000 * (self._cpu() - spent))

    async def start(self) -> None:
        """Start the processes of the mode."""
        before = set(psutil.Process().children(recursive=True))
        await self.measure("first reset", lambda: self.environment.reset(instance("bed_management")))
        del self.figures["CPU of a step"]  # of the start
        self.mine = set(psutil.Process().children(recursive=True)) - before

    def memory(self) -> float:
        """Return the memory in MiB."""
        return sum(one.memory_full_info().pss for one in self._family()) / 2**20

    def _cpu(self) -> float:
        times = [one.cpu_times() for one in self._family()]
        return sum(one.user + one.system + one.children_user + one.children_system for one in times)

    def _family(self) -> set[psutil.Process]:
        family = set(self.mine)
        for one in self.mine:
            if one.is_running():
                family |= set(one.children(recursive=True))
        return {one for one in family if one.is_running() and one.status() != psutil.STATUS_ZOMBIE}


async def measured(resets: int, rounds: int) -> list[Mode]:
    """Play both modes by turns."""
    leases, world = Leases(), World(find_world("clinic"))
    await (await world.open("bed_management", 1)).close()  # it has started when the modes do
    with tempfile.TemporaryDirectory() as folder:
        browsers = {
            "without a window": Chromium(find_chromium(None)),
            "in a window": Chromium(find_chromium(None, headless=False), display=Display(SCREEN, leases)),
        }
        modes = [
            Mode(name, ChromiumEnvironment(browser, world, SCREEN, downloads=Path(folder)), world)
            for name, browser in browsers.items()
        ]
        try:
            for mode in modes:
                await mode.start()
            for _ in range(resets):
                for mode in modes:
                    await mode.measure(
                        "reset", lambda mode=mode: mode.environment.reset(instance("bed_management"))
                    )
                    for _ in range(rounds):
                        for name, step in STEPS.items():
                            await mode.measure(
                                name, lambda mode=mode, step=step: mode.environment.perform(step)
                            )
                            await mode.measure(
                                "screenshot", lambda mode=mode: mode.environment.observe("screenshot")
                            )
            for mode in modes:
                mode.figures["memory (MiB)"] = [mode.memory()]
        finally:
            for mode in modes:
                await mode.environment.close()
            for browser in browsers.values():
                await browser.close()
            await world.close()
            await leases.close()
    return modes


def main() -> None:
    """Measure, and print medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resets", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=2, help="of all steps in each episode")
    given = parser.parse_args()
    plain, window = asyncio.run(measured(given.resets, given.rounds))
    print(f"{'median, ms':18}{plain.name:>18}{window.name:>18}{'ratio':>8}   (load {os.getloadavg()[0]:.1f})")
    for what in plain.figures:
        one, other = (statistics.median(mode.figures[what]) for mode in (plain, window))
        print(f"{what:18}{one:18.0f}{other:18.0f}{other / one if one else float('nan'):8.1f}")


if __name__ == "__main__":
    main()
