"""What it costs a run to be watched: CPU of its processes with a page open, beside the same run without one.

The thinking episodes of `many_at_once.py` are played at once. Windows of time with a page of tiles in a real Chromium
and windows without one alternate within the run. Printed are, for each pair, the CPU seconds of the run's processes for
a step and their ratio; and the CPU of the server and of the page's browser, which are no part of the run.

What the run itself does for those who might watch (two lines for each step) is in both windows, and measured by itself.

    .venv/bin/python benchmarks/watching.py --episodes 32 -k emergency_triage
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from many_at_once import Bench, playing, processor_seconds, thoughts
from playwright.sync_api import Page, sync_playwright

from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.ledger import live

GOAL = 0.05  # of the CPU of a step


class Window:
    """CPU seconds for a step of the run, and CPU shares of the watching processes, in a window of time."""

    def __init__(self, run: int, server: int, browser: int, notes: Path, seconds: float, least: int) -> None:
        watching = (server, browser)
        start, before = time.time(), [processor_seconds(pid).total() for pid in (run, *watching)]
        time.sleep(seconds)
        end, after = time.time(), [processor_seconds(pid).total() for pid in (run, *watching)]
        if not psutil.pid_exists(run) or playing(notes) < least / 2:
            raise SystemExit("the run ended too early; select more instances with -k, or measure fewer pairs")
        used = [late - early for late, early in zip(after, before, strict=True)]
        self.steps = len(thoughts(notes, start, end))
        self.step = used[0] / max(1, self.steps)
        self.server, self.browser = (each / (end - start) for each in used[1:])


def telling() -> float:
    """Return the CPU seconds that a run spends on the lines of one step."""
    with tempfile.TemporaryDirectory() as name:
        live.open_session(Path(name))
        commands = live.Commands(Path(name), "trajectories/x/1")
        step = {
            "step": 7,
            "thought": "x" * 400,
            "actions": [{"kind": "click", "x": 1, "y": 2}],
            "seconds": 0.3,
        }
        began, times = time.process_time(), 5_000
        for _ in range(times):
            commands.look()
            live.tell(Path(name), commands.attempt, {"state": "deciding", "picture": "step-007.png"})
            live.tell(Path(name), commands.attempt, {"step": step, "cost": 0.1, "seconds": 1.0})
        return (time.process_time() - began) / times


def show(page: Page, address: str, episodes: int) -> None:
    """Open the page, and wait for its tiles."""
    page.goto(address)
    page.locator(".tile img").nth(episodes - 1).wait_for(
        timeout=120_000
    )  # no function: its policy forbids eval


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=32)
    parser.add_argument("--pairs", type=int, default=4, help="pairs of windows")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each window")
    parser.add_argument("-k", dest="select", default="", help="as pytest's")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="watching-") as name, sync_playwright() as playwright:
        bench = Bench("medcua", given.select, given.seconds, Path(name))
        bench.record()
        port = "--remote-debugging-port=0"
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(None), args=["--no-sandbox", port]
        )
        processes = chromium.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        browser = next(int(each["id"]) for each in processes if each["type"] == "browser")
        page = chromium.new_page(viewport={"width": 1920, "height": 1080})
        at_once = (f"--cua-at-once={given.episodes}", "--cua-run=watched")
        with bench.playing(given.episodes, *at_once) as (run, notes, _):
            command = [str(Path(sys.executable).with_name("cuabench")), "watch", "--no-open"]
            folder = str(Path(name, "reports", "watched"))
            server = subprocess.Popen([*command, folder], stdout=subprocess.PIPE, text=True)
            try:
                address = server.stdout.readline().strip()
                pairs = []
                for _ in range(given.pairs):
                    page.goto("about:blank")
                    without = Window(run, server.pid, browser, notes, given.seconds, given.episodes)
                    show(page, address, given.episodes)
                    pairs.append(
                        (without, Window(run, server.pid, browser, notes, given.seconds, given.episodes))
                    )
                    print(
                        "CPU of a step without {:.0f} ms ({} steps), watched {:.0f} ms ({} steps); server {:.1%}, "
                        "page {:.0%} of a core".format(
                            *(1000 * pairs[-1][0].step, pairs[-1][0].steps, 1000 * pairs[-1][1].step),
                            *(pairs[-1][1].steps, pairs[-1][1].server, pairs[-1][1].browser),
                        ),
                        flush=True,
                    )
            finally:
                server.terminate()
                server.wait()
        step = sum(each.step for each, _ in pairs) / len(pairs)
        told = telling()
        ratios = [watched.step / without.step for without, watched in pairs]
        print(f"lines of a step: {1000 * told:.2f} ms, {told / step:.2%} of the CPU of a step")
        print(
            f"watched beside not watched: median ratio {statistics.median(ratios):.3f} (goal below {1 + GOAL})"
        )


if __name__ == "__main__":
    main()
