"""Where the CPU of browser episodes goes: by process and by phase, over reference solutions of medcua or scuba.

    reset          world session, context, tab, navigation, settle, first paint
    each step      screenshot, the step itself (which navigates or not, until the page has settled), state, record
    the end        dispose of the context, delete of the world's session
    thinking       what the page costs while nobody acts, with --think
    oracle's look  where the oracle finds and reads elements, which no model does

Figures are CPU milliseconds per step, of whole processes; a process that ended counts as its parent tells it, and the
measuring itself is not counted. A machine that is busy with other things changes them by a tenth and more.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from pytest_cuabench.agents.builtin.oracle import OracleAgent
from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.chromium.observing.observe import Observer
from pytest_cuabench.drivers.chromium.session.session import Session
from pytest_cuabench.drivers.salesforce.emulated import EmulatedOrgs
from pytest_cuabench.drivers.salesforce.environment import OrgEnvironment
from pytest_cuabench.drivers.worlds import World, WorldSession, find_world
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.play import Play
from pytest_cuabench.episode.retry import play_instance
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.library import SUITES
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.suite import load_suite

WORLDS = {"medcua": "clinic", "scuba": "salesforce"}
KINDS = ("browser", "gpu", "utility", "renderer", "node", "python", "world")
OTHER = "the rest"
STEP, NAVIGATION = "step that does not navigate", "step that navigates"
PHASES: tuple[tuple[str, Any, str], ...] = (
    ("world session", ChromiumEnvironment, "_open"),
    ("world session", OrgEnvironment, "_open"),
    ("context", Chromium, "context"),
    ("tab", Session, "_prepare"),
    ("navigation", Session, "goto_start"),
    ("settle", Session, "settle"),
    ("first paint", Observer, "picture"),
    ("screenshot", ChromiumEnvironment, "observe"),
    (STEP, ChromiumEnvironment, "perform"),
    ("state", ChromiumEnvironment, "revision"),
    ("state", ChromiumEnvironment, "state"),
    ("record", Recorder, "step"),
    ("record", Recorder, "picture"),
    ("dispose", Session, "close"),
    ("delete", WorldSession, "close"),
    ("oracle's look", ChromiumEnvironment, "locate"),
    ("oracle's look", ChromiumEnvironment, "read"),
    ("thinking", OracleAgent, "think"),
)


class Meter:
    """Adds up CPU by phase and process; what runs inside of a phase belongs to it."""

    def __init__(self) -> None:
        self.spent: dict[str, Counter[str]] = {}
        self.times: Counter[str] = Counter()
        self._last: Counter[str] = Counter()
        self._inside = False
        self._own = 0.0
        self._kinds: dict[int, str] = {}

    def clear(self) -> None:
        """Begin anew."""
        self.spent.clear()
        self.times.clear()
        self._last = self._read()

    @contextmanager
    def phase(self, name: Callable[[], str]) -> Iterator[None]:
        """Measure a block; `name` is called at its end."""
        if self._inside:
            yield
            return
        self.mark(OTHER)
        self._inside = True
        try:
            yield
        finally:
            self._inside = False
            self.mark(name())
            self.times[name()] += 1

    def mark(self, name: str) -> None:
        """Count what was spent since the last mark."""
        now = self._read()
        self.spent.setdefault(name, Counter()).update({kind: now[kind] - self._last[kind] for kind in KINDS})
        self._last = now

    def _read(self) -> Counter[str]:
        """Return the CPU seconds of all processes so far."""
        began = time.process_time()
        total: Counter[str] = Counter()
        this = psutil.Process()
        for process in (this, *this.children(recursive=True)):
            with suppress(psutil.Error):
                kind = "python" if process == this else self._kind(process)
                times = process.cpu_times()
                dead = times.children_user + times.children_system if kind == "zygote" else 0
                total["renderer" if kind == "zygote" else kind] += times.user + times.system + dead
        self._own += time.process_time() - began
        total["python"] -= self._own
        return total

    def _kind(self, process: psutil.Process) -> str:
        kind = self._kinds.get(process.pid, "zygote")
        if kind == "zygote":  # a process is a copy of the zygote first
            kind = self._kinds[process.pid] = kind_of(" ".join(process.cmdline()))
        return kind


def kind_of(command: str) -> str:
    """Return what a process of a command line is."""
    names = {"gpu-process": "gpu", "utility": "utility", "renderer": "renderer", "zygote": "zygote"}
    if "--type=" in command:
        return names.get(command.split("--type=")[1].split()[0], "utility")
    if "--until-eof" in command:
        return "world"
    if "run-driver" in command:
        return "node"
    return "browser" if "chrom" in command.partition(" ")[0] else "python"


class ThinkingOracle(OracleAgent):
    """The oracle, thinking before each decision."""

    seconds = 0.0

    async def decide(self, observation: Observation) -> Any:
        """See `OracleAgent.decide`."""
        if self.seconds:
            await self.think()
        return await super().decide(observation)

    async def think(self) -> None:
        """Wait as a model does."""
        await asyncio.sleep(self.seconds)


def watch(meter: Meter) -> None:
    """Measure the phases wherever they are called."""
    for name, owner, method in PHASES:
        owner = ThinkingOracle if method == "think" else owner
        setattr(owner, method, watched(meter, name, getattr(owner, method)))


def watched(meter: Meter, name: str, function: Any) -> Any:
    """Return the function, measured."""

    def named(self: Any, before: int) -> str:
        return NAVIGATION if name == STEP and navigations(self) > before else name

    async def later(self: Any, *given: Any, **how: Any) -> Any:
        before = navigations(self) if name == STEP else 0
        with meter.phase(lambda: named(self, before)):
            return await function(self, *given, **how)

    def now(*given: Any, **how: Any) -> Any:
        with meter.phase(lambda: name):
            return function(*given, **how)

    return later if asyncio.iscoroutinefunction(function) else now


def navigations(environment: Any) -> int:
    """Return how many pages the episode has opened so far."""
    return len(environment._session.log.navigations) if environment._session else 0


async def play(instances: list[Instance], screen: Size, meter: Meter, folder: Path, look: bool) -> int:
    """Play instances one after the other in one browser and return the number of steps."""
    suite = instances[0].task.suite
    browser, world, steps = Chromium(find_chromium(None)), World(find_world(WORLDS[suite])), 0
    downloads = folder / "downloads"
    environment = (
        OrgEnvironment(browser, EmulatedOrgs(world), screen, downloads=downloads)
        if suite == "scuba"
        else ChromiumEnvironment(browser, world, screen, downloads=downloads)
    )
    try:
        for instance in {each.task.application: each for each in instances}.values():
            await environment.reset(instance)  # a world builds a starting point once
        await environment.close()
        meter.clear()
        for instance in instances:
            run = Run(folder / "run")

            def recorder(number: int, instance: Instance = instance, run: Run = run) -> Recorder:
                return Recorder(run, instance.id, number, pictures=look)

            play = Play(instance, environment, ThinkingOracle(), Limits(60, 600.0), look=look)
            attempt = await play_instance(play, recorder)
            if attempt.outcome != "success":
                print(f"{instance.id}: {attempt.outcome} {attempt.error or ''}", flush=True)
            steps += attempt.steps
        await environment.close()
        meter.mark(OTHER)
    finally:
        await world.close()
        await browser.close()
    return steps


def show(meter: Meter, episodes: int, steps: int) -> None:
    """Print the table."""
    print(f"| CPU ms per step | {' | '.join(KINDS)} | total | times | each |\n|---{'|---' * 10}|")
    order = dict.fromkeys((*(name for name, _, _ in PHASES), NAVIGATION, OTHER))
    total: Counter[str] = Counter()
    for name in filter(meter.spent.__contains__, order):
        spent = meter.spent[name]
        total.update(spent)
        times = meter.times[name]
        each = f"{1000 * spent.total() / times:.0f}" if times else ""
        print(f"| {name} | {line(spent, steps)} | {times or ''} | {each} |")
    print(f"| **all** | {line(total, steps)} | {episodes} episodes, {steps} steps | |", flush=True)


def line(spent: Counter[str], steps: int) -> str:
    """Return the cells of a row."""
    return " | ".join(f"{1000 * value / steps:.1f}" for value in (*(spent[k] for k in KINDS), spent.total()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--suite", choices=WORLDS, default="medcua")
    parser.add_argument("--every", type=int, default=13, metavar="N", help="play each Nth task of the suite")
    parser.add_argument(
        "-k", dest="only", default="", metavar="TEXT", help="play tasks with this in their id"
    )
    parser.add_argument("--think", type=float, default=0.0, metavar="SECONDS", help="before each decision")
    parser.add_argument("--look", choices=("both", "on", "off"), default="both", help="screenshots")
    given = parser.parse_args()
    ThinkingOracle.seconds = given.think
    suite = load_suite(SUITES / given.suite)
    tasks = [task for task in suite.tasks_here if given.only in task.name]
    instances = [Instance(task, next(iter(task.goals))) for task in tasks[:: given.every]]
    meter = Meter()
    watch(meter)
    for look in {"both": (True, False), "on": (True,), "off": (False,)}[given.look]:
        print(f"\n{'with' if look else 'without'} screenshots, load {os.getloadavg()[0]:.1f}\n", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            steps = asyncio.run(play(instances, suite.screen, meter, Path(folder), look))
        show(meter, len(instances), steps)


if __name__ == "__main__":
    main()
