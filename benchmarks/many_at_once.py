"""How many episodes two cores hold: the reference solutions of a suite, replayed by an agent that looks and thinks.

The decisions of all reference solutions are recorded once. Then N episodes are played at once by an agent that looks at
a screenshot and thinks before each decision (lognormal, 5 s on average, as models' latencies are). While all N are
playing, this measures

    share     of the ideal throughput: the part of the episodes' time that is thinking
    CPU       per step, by process
    memory    per further episode, compared with the smallest N (shared pages count proportionally)
    all in    seconds from the session's start until all are playing

The largest N with at least 80 % is found by bisection, unless --episodes says what to measure. `--peer N` also measures
N workers of xdist with one episode each, as it was done before there was --cua-at-once.

    .venv/bin/python benchmarks/many_at_once.py --episodes 16,100 --peer 16
    .venv/bin/python benchmarks/many_at_once.py --suite scuba
    .venv/bin/python benchmarks/many_at_once.py --suite scienceboard --episodes 8 -k kalgebra
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from asyncio import sleep
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from where_time_goes import kind_of

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.ledger.record import find_run, read_steps
from pytest_cuabench.task.action import Terminate, parse_action
from pytest_cuabench.task.library import SUITES

THINK, SPREAD = 5.0, 0.5  # mean seconds, and the logarithm's standard deviation
GOAL = 0.8
PATIENCE = 300.0  # seconds until all are playing


class Thinker:
    """Replays the recorded decisions of an instance, thinking before each; notes when it thinks."""

    async def confide(self, instance: Any, case: Any, environment: Any) -> None:
        """Find the recording."""
        folder = recording(Path(os.environ["MANY_RECORDED"]))[instance.task.name, instance.variant]
        self._steps = iter(read_steps(folder))
        self._chance = random.Random(instance.id)

    async def start(self, briefing: Briefing) -> None:
        """Nothing to prepare."""
        note("start", 0.0)

    async def decide(self, observation: Any) -> Decision:
        """Think, then return the recorded decision."""
        assert observation.screenshot, "it looks at every step"
        seconds = self._chance.lognormvariate(math.log(THINK) - SPREAD**2 / 2, SPREAD)
        await sleep(seconds)
        note("step", seconds)
        step = next(self._steps, None)
        if step is None:
            return Decision((Terminate("success"),))
        return Decision(tuple(map(parse_action, step["actions"])))

    async def close(self) -> None:
        """Nothing to release."""
        note("end", 0.0)


@cache
def recording(folder: Path) -> dict[tuple[str, str], Path]:
    """Return the trajectories of a recorded run by task and variant."""
    attempts = find_run(folder).last_attempts().values()
    return {
        (f"{a.application}/{a.task}", a.variant): folder / a.trajectory
        for a in attempts
        if a.trajectory and a.outcome == "success"
    }


def note(what: str, seconds: float) -> None:
    """Write down when something happened."""
    with Path(os.environ["MANY_NOTES"]).open("a") as notes:
        notes.write(json.dumps([time.time(), what, seconds]) + "\n")


@dataclass
class Measured:
    """What one number of episodes cost."""

    episodes: int
    share: float
    steps: int
    cpu: dict[str, float]
    memory: float
    all_in: float

    def line(self, smallest: Measured | None) -> str:
        """Return one row of the table."""
        by_process = "  ".join(f"{kind} {1000 * value:.0f}" for kind, value in sorted(self.cpu.items()))
        further = (
            f"{(self.memory - smallest.memory) / (self.episodes - smallest.episodes):.0f} MiB each further"
            if smallest and smallest.episodes < self.episodes
            else ""
        )
        return (
            f"{self.episodes:>4}  {100 * self.share:>5.0f} %  {1000 * sum(self.cpu.values()):>5.0f} ms  "
            f"{self.all_in:>6.0f} s  {self.memory:>6.0f} MiB {further}   ({by_process})"
        )


class Bench:
    """Plays one suite in sessions of pytest."""

    def __init__(self, suite: str, select: str, seconds: float, folder: Path) -> None:
        self._suite, self._select, self._seconds, self._folder = suite, select, seconds, folder

    def record(self) -> None:
        """Record every reference solution, once."""
        subprocess.run(self._command("--agent=oracle", "--cua-run=recorded", "--cua-at-once=8"), check=False)

    def measure(self, episodes: int, *options: str) -> Measured:
        """Play until everything was measured, then stop."""
        with self.playing(episodes, *options) as (pid, notes, all_in):
            start, before = time.time(), processor_seconds(pid)
            time.sleep(self._seconds)
            end, after = time.time(), processor_seconds(pid)
            thought = thoughts(notes, start, end)
            share, steps = sum(thought) / (episodes * (end - start)), len(thought)
            cpu = {kind: (after[kind] - before[kind]) / max(1, steps) for kind in after}
            return Measured(episodes, share, steps, cpu, memory(pid), all_in)

    @contextmanager
    def playing(self, episodes: int, *options: str) -> Iterator[tuple[int, Path, float]]:
        """Play during the block: yield the process, the notes, and the seconds until all are playing."""
        notes = self._folder / f"notes-{len(list(self._folder.glob('notes-*')))}"
        notes.touch()
        environment = {
            **os.environ,
            "MANY_NOTES": str(notes),
            "MANY_RECORDED": str(self._folder / "reports" / "recorded"),
            "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), os.environ.get("PYTHONPATH", ""))),
        }
        command = self._command(
            *("--agent=many_at_once:Thinker", "--cua-max-seconds=100000", "--cua-max-steps=1000"),
            *("--cua-seeds=0-9", *options),
        )
        began = time.time()
        session = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True, cwd=self._folder
        )
        try:
            while playing(notes) < episodes:
                if session.poll() is not None or time.time() > began + PATIENCE:
                    raise SystemExit(f"{episodes} episodes were not playing after {PATIENCE:g} s")
                time.sleep(0.2)
            yield session.pid, notes, time.time() - began
        finally:
            with suppress(ProcessLookupError):
                os.killpg(session.pid, signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    session.wait(60)
                os.killpg(session.pid, signal.SIGKILL)

    def _command(self, *options: str) -> list[str]:
        return [
            *(sys.executable, "-m", "pytest", str(SUITES / self._suite), "-q", "-p", "no:cacheprovider"),
            *(f"--rootdir={self._folder}", f"--cua-reports={self._folder / 'reports'}"),
            *(("-k", self._select) if self._select else ()),
            *options,
        ]


def read(notes: Path) -> Iterator[tuple[float, str, float]]:
    """Yield what was noted."""
    for line in notes.read_text().splitlines():
        with suppress(ValueError):
            yield tuple(json.loads(line))


def thoughts(notes: Path, start: float, end: float) -> list[float]:
    """Return the seconds of each thought that ended within a time.

    A thought that began before the start counts whole, and one that is not over at the end not at all.
    """
    return [seconds for at, what, seconds in read(notes) if what == "step" and start <= at <= end]


def playing(notes: Path) -> int:
    """Return how many episodes have started and not ended."""
    counts = Counter(what for _, what, _ in read(notes))
    return counts["start"] - counts["end"]


def tree(pid: int) -> list[psutil.Process]:
    """Return a process with all below it."""
    root = psutil.Process(pid)
    return [root, *root.children(recursive=True)]


def processor_seconds(pid: int) -> Counter[str]:
    """Return the CPU seconds of a process tree by kind of process, ended processes included."""
    total: Counter[str] = Counter()
    for process in tree(pid):
        with suppress(psutil.Error):
            times = process.cpu_times()
            kind = "python" if process.pid == pid else kind_of(" ".join(process.cmdline()))
            kind = "renderer" if kind == "zygote" else kind  # of renderers that ended
            total[kind] += times.user + times.system + times.children_user + times.children_system
    return total


def memory(pid: int) -> float:
    """Return the memory of a process tree in MiB; shared pages count proportionally."""
    total = 0
    for process in tree(pid):
        with suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 2**20


def largest(bench: Bench, first: int = 64) -> Iterator[Measured]:
    """Yield measurements until the largest number with the goal is known to a tenth."""
    good, bad = 0, 0
    episodes = first
    while not good or not bad or bad - good > max(1, good // 10):
        found = bench.measure(episodes, f"--cua-at-once={episodes}")
        yield found
        good, bad = (episodes, bad) if found.share >= GOAL else (good, episodes)
        episodes = (good + bad) // 2 if bad else 2 * good


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="medcua")
    parser.add_argument(
        "--episodes", help="numbers to measure, such as 16,100, instead of finding the largest"
    )
    parser.add_argument("--peer", type=int, help="also measure this many xdist workers with one episode each")
    parser.add_argument("--seconds", type=float, default=90.0, help="how long each number is measured")
    parser.add_argument("-k", dest="select", default="", help="as pytest's")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="many-") as name:
        bench = Bench(given.suite, given.select, given.seconds, Path(name))
        bench.record()
        print("   N  of the ideal  CPU/step  all in    memory")
        found: dict[int, Measured] = {}
        numbers = [int(number) for number in given.episodes.split(",")] if given.episodes else []
        measured = (bench.measure(n, f"--cua-at-once={n}") for n in numbers) if numbers else largest(bench)
        for each in measured:
            found[each.episodes] = each
            print(each.line(found[min(found)]), flush=True)
        good = [each for each in found.values() if each.share >= GOAL]
        if good:
            print(
                f"the largest measured with {100 * GOAL:.0f} % of the ideal: {max(e.episodes for e in good)}"
            )
        if given.peer:
            peer = bench.measure(given.peer, f"-n{given.peer}")
            print(peer.line(None) + f"  with -n{given.peer}")
            ours = found.get(given.peer) or bench.measure(given.peer, f"--cua-at-once={given.peer}")
            cpu = sum(peer.cpu.values()) / sum(ours.cpu.values())
            print(
                f"ratio at {given.peer}: throughput {ours.share / peer.share:.2f}x, CPU per step {cpu:.1f}x less, "
                f"memory {peer.memory / ours.memory:.1f}x less, all playing {peer.all_in / ours.all_in:.1f}x sooner"
            )


if __name__ == "__main__":
    main()
