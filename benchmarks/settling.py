"""What the browser's settling sees and costs, beside that of another commit, in the same run.

    pages       how many kinds of work that a click sets off are over when it returns (tests/drivers/settle_pages.py),
                and what pages cost that never rest: milliseconds to open them, and of a click later
    episodes    milliseconds a step of reference solutions of medcua and scuba, which mostly rest

Both sides take turns, a round each; a machine that is busy with other things changes the figures of a round.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from where_time_goes import Meter, play

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.task.action import Click, Navigate, Size, Wait
from pytest_cuabench.task.library import SUITES
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.suite import load_suite
from pytest_cuabench.testing.probe_page import Server
from pytest_cuabench.testing.served_world import FakeWorld, instance

ROOT = Path(__file__).parents[1]
SUITE_NAMES = ("medcua", "scuba")


class Timed:
    """Adds up the time of actions."""

    seconds, steps = 0.0, 0

    def __init__(self) -> None:
        self._perform = ChromiumEnvironment.perform
        ChromiumEnvironment.perform = self._timed(ChromiumEnvironment.perform)  # type: ignore[method-assign]

    def _timed(self, perform: Any) -> Any:
        async def timed(environment: Any, action: Any) -> Any:
            began = time.perf_counter()
            try:
                return await perform(environment, action)
            finally:
                self.seconds += time.perf_counter() - began
                self.steps += 1

        return timed


async def play_suite(name: str, every: int) -> dict[str, float]:
    """Return seconds and number of the steps of each Nth reference solution."""
    suite = load_suite(SUITES / name)
    instances = [Instance(task, next(iter(task.goals))) for task in suite.tasks_here[::every]]
    timed = Timed()
    with tempfile.TemporaryDirectory() as folder:
        await play(instances, suite.screen, Meter(), Path(folder), look=False)
    return {"seconds": timed.seconds, "steps": timed.steps}


async def open_pages(port: int) -> dict[str, dict[str, float]]:
    """Return what was seen, and milliseconds, by page."""
    sys.path.insert(0, str(ROOT / "tests"))
    from drivers.settle_pages import RESTLESS, SEEN

    browser = Chromium(find_chromium(None))
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = ChromiumEnvironment(browser, FakeWorld(port), Size(1000, 700), downloads=Path(folder))
        await environment.reset(instance())
        timed = Timed()

        async def took(*actions: Any) -> float:
            began = timed.seconds
            for action in actions:
                await environment.perform(action)
            return 1000 * (timed.seconds - began)

        for name in (*SEEN, *RESTLESS):
            opened = await took(Navigate(f"/probe?name={quote(name)}"))
            box = await environment.locate("#go")
            assert box is not None
            if name in RESTLESS:
                await environment.perform(Wait(1.2))
            clicked = await took(Click(*box.middle))
            session = environment._session
            assert session is not None
            frames = session.active.page.frames
            seen = any([await frame.evaluate("window.seen === true") for frame in frames])
            found[name] = {"open": opened, "click": clicked, "seen": seen, "restless": name in RESTLESS}
        await environment.close()
    await browser.close()
    return found


def side(root: Path, what: str, every: int, port: int) -> Any:
    """Measure one side in a process of its own, with the package of a checkout."""
    command = [sys.executable, __file__, "--side", what, "--every", str(every), "--port", str(port)]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(root)},
        cwd=root,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    *notes, last = done.stdout.splitlines()
    for note in notes:
        print(f"  {note}", flush=True)
    return json.loads(last)


def show_pages(rounds: list[tuple[Any, Any]]) -> None:
    """Print what each side saw, and what pages cost that never rest."""
    names = list(rounds[0][0])
    print("\n| work of a click | before | now | ms before | ms now |\n|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for name in names:
        sides = [[pair[place][name] for pair in rounds] for place in (0, 1)]
        if sides[0][0]["restless"]:
            continue
        seen = [all(one["seen"] for one in each) for each in sides]
        total.update(before=seen[0], now=seen[1], all=1)
        words = " | ".join("seen" if one else "missed" for one in seen)
        cells = " | ".join(f"{middle(each, 'click'):.0f}" for each in sides)
        print(f"| {name} | {words} | {cells} |")
    print(f"\nseen in every round: {total['before']} before, {total['now']} now, of {total['all']}\n")
    print("| page that never rests | opened before | now | click before | now |\n|---|---|---|---|---|")
    for name in names:
        sides = [[pair[place][name] for pair in rounds] for place in (0, 1)]
        if sides[0][0]["restless"]:
            cells = [middle(each, key) for key in ("open", "click") for each in sides]
            print(f"| {name} | {' | '.join(f'{cell:.0f}' for cell in cells)} |")


def middle(found: list[dict[str, float]], key: str) -> float:
    """Return the median."""
    return statistics.median(one[key] for one in found)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", default="main", metavar="COMMIT", help="the other side")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--every", type=int, default=13, metavar="N", help="play each Nth task of a suite")
    parser.add_argument("--only", choices=("pages", *SUITE_NAMES))
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--side", choices=("pages", *SUITE_NAMES), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.side:
        work = open_pages(given.port) if given.side == "pages" else play_suite(given.side, given.every)
        print(json.dumps(asyncio.run(work)))
        return
    sys.path.insert(0, str(ROOT / "tests"))
    from drivers.settle_pages import application

    server = Server(application(), sockets=True)
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "-C", ROOT, "archive", given.before], check=True, stdout=subprocess.PIPE
        )
        subprocess.run(["tar", "x", "-C", folder], input=archive.stdout, check=True)
        for what in [given.only] if given.only else ["pages", *SUITE_NAMES]:
            print(f"\n{what}, load {os.getloadavg()[0]:.1f}", flush=True)
            rounds = [
                tuple(side(root, what, given.every, server.port) for root in (Path(folder), ROOT))
                for _ in range(given.rounds)
            ]
            if what == "pages":
                show_pages(rounds)
                continue
            for before, now in rounds:
                print("  {:.0f} ms a step before, {:.0f} now".format(*map(per_step, (before, now))))
            sums = [sum(map(per_step, each)) / given.rounds for each in zip(*rounds, strict=True)]
            print(f"{sums[0]:.0f} ms a step before, {sums[1]:.0f} now, ratio {sums[1] / sums[0]:.2f}")
    server.stop()


def per_step(found: dict[str, float]) -> float:
    """Return milliseconds."""
    return 1000 * found["seconds"] / found["steps"]


if __name__ == "__main__":
    main()
