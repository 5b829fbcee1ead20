"""What 10,000 concurrent episodes would be: simulated on recorded durations, with the recording side measured for real.

Simulated: a run of many instances on N places, each instance with the duration of a recorded attempt of its task (the
world's part) and a lognormal time to think before each step (5 s on average). Instances are given out in three ways:

    queue    each place takes the next instance as it becomes free (Ray, xdist)
    shards   as many shards as places, balanced by recorded durations (`--cua-durations`)
    many     several small shards for each place (Slurm array, Kubernetes Indexed Job), started as places become free

A part of the nodes can be lost at random; what was played there is played again. Told are the time of the run
compared with the ideal one, what the last percent of it costs (stragglers), and the attempts and bytes of pictures a
second that have to be stored.

Measured: a ledger of many attempts is written, read and checked, for the controller's time and memory.

    .venv/bin/python benchmarks/scale_simulation.py RUN [--places 10000] [--instances 100000] [--lost 0.01]
"""

from __future__ import annotations

import argparse
import heapq
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from pytest_cuabench.collection.shard import split
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.run_names import locate_run

THINK, SPREAD = 5.0, 0.6  # seconds on average, and the sigma of their logarithm
START = {"queue": 10.0, "shards": 40.0, "many": 40.0}  # seconds of a place or shard until its first episode
PICTURE = 100_000  # bytes of a step's screenshot
SMALL = 5  # shards for each place


@dataclass(frozen=True)
class Simulated:
    """One way of giving out instances, from its start to its end."""

    way: str
    seconds: float
    ideal: float
    tail: float
    attempts_a_second: float
    bytes_a_second: float

    def line(self) -> str:
        """Return a row of the table."""
        hours, share = self.seconds / 3600, self.tail / self.seconds
        times = f"{hours:7.2f} h {self.seconds / self.ideal:7.2f} x ideal {share * 100:7.1f} %"
        return f"{self.way:<8}{times}{self.attempts_a_second:9.1f} /s {self.bytes_a_second / 1e6:9.1f} MB/s"


def episodes(known: Sequence[Attempt], count: int, chance: random.Random) -> list[tuple[float, int]]:
    """Return so many episodes, as seconds and steps."""
    mean = THINK / 2.718281828 ** (SPREAD**2 / 2)
    found = []
    for _ in range(count):
        one = chance.choice(known)
        thinking = sum(mean * chance.lognormvariate(0, SPREAD) for _ in range(one.steps))
        found.append((one.seconds.reset + one.seconds.world + thinking, one.steps))
    return found


def units(
    way: str, played: Sequence[tuple[float, int]], expected: Sequence[float], places: int
) -> list[list[int]]:
    """Return what is given out at once: an instance, or a shard balanced by what was expected."""
    if way == "queue":
        return [[number] for number in range(len(played))]
    names = [f"{number:07}" for number in range(len(played))]
    parts = split(names, places * (SMALL if way == "many" else 1), dict(zip(names, expected, strict=True)))
    return [[int(name) for name in part] for part in parts if part]


def simulate(
    way: str,
    played: Sequence[tuple[float, int]],
    expected: Sequence[float],
    places: int,
    lost: float,
    seed: int,
) -> Simulated:
    """Give out all units to the place that is free first; shards with most to do come first."""
    chance = random.Random(seed)
    given = units(way, played, expected, places)
    if way != "queue":
        given.sort(key=lambda unit: -sum(expected[number] for number in unit))
    free = [START[way] if way == "queue" else 0.0] * places
    ends: list[float] = []
    heapq.heapify(free)
    for unit in given:
        begin = heapq.heappop(free)
        at = begin + (0.0 if way == "queue" else START[way])
        for number in unit:
            seconds = played[number][0]
            if chance.random() < lost:  # the node goes in the middle of it, and a new one starts
                at += seconds / 2 + START[way]
            at += seconds
            ends.append(at)
        heapq.heappush(free, at)
    whole = max(ends)
    ordered = sorted(ends)
    ideal = sum(seconds for seconds, _ in played) / places
    steps = sum(count for _, count in played)
    return Simulated(
        way,
        whole,
        ideal,
        whole - ordered[int(len(ordered) * 0.99)],
        len(ends) / ideal,
        steps * PICTURE / ideal,
    )


def measured(known: Sequence[Attempt], count: int) -> Iterator[str]:
    """Yield what the recording side takes in this process, for so many attempts."""
    from pytest_cuabench.gate.recorded import Recorded
    from pytest_cuabench.reporting.figures import difficulties

    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder) / "run")
        start = time.perf_counter()
        for number in range(count):
            one = known[number % len(known)]
            name = f"{one.application}/{one.task}-{one.variant}-s{number}"
            run.append(
                one.with_values(
                    instance=name, seed=number, trajectory=f"trajectories/{name}/1", screenshot=None
                )
            )
        yield f"append {count:,} attempts: {time.perf_counter() - start:.1f} s"
        size = (run.folder / "ledger.jsonl").stat().st_size
        start = time.perf_counter()
        recorded = Recorded.of(run)
        difficulties(recorded.last.values())
        yield f"read and check them: {time.perf_counter() - start:.1f} s, {size / count:,.0f} bytes each"
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        yield f"peak memory of this process: {peak:,.0f} MiB"


def main() -> int:
    """Simulate and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", help="a recorded run, for the durations")
    parser.add_argument("--places", type=int, default=10_000)
    parser.add_argument("--instances", type=int, default=100_000)
    parser.add_argument(
        "--lost", type=float, default=0.01, help="chance that a node is lost during an episode"
    )
    parser.add_argument(
        "--recorded", type=int, default=10_000, help="attempts of the ledger that is measured"
    )
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    known = [each for each in locate_run(options.run).attempts() if each.result.graded]
    played = episodes(known, options.instances, random.Random(options.seed))
    expected = [seconds for seconds, _ in episodes(known, options.instances, random.Random(options.seed))]
    chance = random.Random(options.seed + 1)
    expected = [seconds * chance.lognormvariate(0, 0.3) for seconds in expected]  # as of an earlier night
    print(
        f"{options.instances:,} episodes on {options.places:,} places, {options.lost:.1%} lost; "
        f"an episode takes {fmean(seconds for seconds, _ in played):.0f} s on average"
    )
    print(f"{'way':<8} {'time':>9} {'compared':>15} {'last 1 %':>9} {'attempts':>11} {'pictures':>14}")
    for way in START:
        print(simulate(way, played, expected, options.places, options.lost, options.seed).line())
    print()
    for line in measured(known, options.recorded):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
