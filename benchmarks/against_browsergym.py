"""The same page and the same clicks, through us and through browsergym-core, in one run.

usage: python benchmarks/against_browsergym.py [--episodes 5] [--steps 10]

Prints the median reset (a new episode until its first observation), step (one click until the next
observation, screenshot included) and recording (one step to disk) of both, the CPU seconds of a reset and of a
step, and the ratios. The peer runs twice: with its default wait of 0.5 s before each observation, and with none.
The CPU is that of Python, of Playwright's driver and of the browser; the world program serves both and counts for
neither.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from statistics import mean, median

from cpu import Processor

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.task.action import Click, Size
from pytest_cuabench.task.library import SUITES
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.suite import load_suite

HERE = Path(__file__).parent
PEER = HERE.parent / ".venv-browsergym"
KINDS = ("reset", "step", "recording", "reset CPU", "step CPU")
Times = dict[str, list[float]]


async def ours(world: World, episodes: int, steps: int, folder: Path) -> Times:
    """Measure our driver on the clinic's sign-in page."""
    browser = Chromium(find_chromium(None))
    environment = ChromiumEnvironment(browser, world, Size(1280, 720), downloads=folder / "downloads")
    task = load_suite(SUITES / "medcua").tasks[0]
    times: Times = {kind: [] for kind in KINDS}
    processor = Processor(without=world.pid)
    for episode in range(episodes):
        recorder = Recorder(Run(folder / "run"), f"benchmark-{episode}", 1)
        before, start = processor.spent(), time.perf_counter()
        await environment.reset(Instance(task, "intent"))
        await environment.observe("screenshot")
        times["reset"].append(time.perf_counter() - start)
        times["reset CPU"].append(processor.spent() - before)
        for step in range(steps):
            before, start = processor.spent(), time.perf_counter()
            await environment.perform(Click(400 + step, 300))
            seen = await environment.observe("screenshot")
            times["step"].append(time.perf_counter() - start)
            times["step CPU"].append(processor.spent() - before)
            start = time.perf_counter()
            recorder.picture(f"step-{step:03d}", seen.screenshot)
            recorder.step({"step": step, "actions": [Click(400 + step, 300).to_json()]})
            times["recording"].append(time.perf_counter() - start)
    await environment.close()
    await browser.close()
    return times


def theirs(url: str, episodes: int, steps: int, folder: Path, delay: float) -> Times:
    """Measure the peer on the same page."""
    _install_peer()
    python = PEER / "bin" / "python"
    browsers = _browser_where_peer_looks(folder, python)
    done = subprocess.run(
        [python, HERE / "browsergym_side.py", url, str(episodes), str(steps), str(folder), str(delay)],
        env={**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(browsers)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"the peer failed:\n{done.stderr[-2000:]}")
    times: Times = json.loads(done.stdout.splitlines()[-1])
    return times


def _install_peer() -> None:
    if (PEER / "installed").exists():
        return
    print(f"installing browsergym-core into {PEER} ...", file=sys.stderr)
    venv.create(PEER, with_pip=True, clear=True)
    subprocess.run([PEER / "bin" / "pip", "install", "-q", "browsergym-core==0.14.*", "psutil"], check=True)
    (PEER / "installed").touch()


def _browser_where_peer_looks(folder: Path, python: Path) -> Path:
    """The peer starts Playwright's own download; a wrapper at that place starts the Chromium that is here."""
    ask = "import playwright, pathlib; print(pathlib.Path(playwright.__file__).parent)"
    package = Path(
        subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
    )
    known = json.loads((package / "driver" / "package" / "browsers.json").read_text())["browsers"]
    revision = next(entry["revision"] for entry in known if entry["name"] == "chromium")
    program = folder / "browsers" / f"chromium-{revision}" / "chrome-linux" / "chrome"
    program.parent.mkdir(parents=True, exist_ok=True)
    flags = "--no-sandbox --disable-quic --disable-background-networking --no-first-run --disable-component-update"
    program.write_text(f'#!/bin/sh\nexec {find_chromium(None)} {flags} --disable-sync "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return folder / "browsers"


async def measure(episodes: int, steps: int) -> dict[str, Times]:
    """Measure everybody on one running world."""
    folder = Path(tempfile.mkdtemp(prefix="cuabench-benchmark-"))
    world = World(find_world("clinic"))
    try:
        session = await world.open("emergency_triage", 0)
        found = {"us": await ours(world, episodes, steps, folder)}
        for name, delay in (("browsergym", 0.5), ("browsergym, no wait", 0.0)):
            found[name] = await asyncio.to_thread(theirs, session.start_url, episodes, steps, folder, delay)
        return found
    finally:
        await world.close()
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=5)
    parser.add_argument("--steps", type=int, default=10)
    chosen = parser.parse_args()
    found = asyncio.run(measure(chosen.episodes, chosen.steps))
    print(f"{chosen.episodes} episodes of {chosen.steps} clicks on one sign-in page, 1280x720; in ms")
    print(f"{'':<22}{''.join(f'{kind:>11}' for kind in KINDS)}")
    for name, times in found.items():
        print(f"{name:<22}{''.join(f'{1000 * middle(times, kind):>11.1f}' for kind in KINDS)}")
    for name in list(found)[1:]:
        ratios = [middle(found[name], kind) / middle(found["us"], kind) for kind in KINDS]
        print(f"{name + ' / us':<22}{''.join(f'{ratio:>10.1f}x' for ratio in ratios)}")


def middle(times: Times, kind: str) -> float:
    """Return the median; of the CPU of steps the mean, because the kernel counts in hundredths of a second."""
    return (mean if kind == "step CPU" else median)(times[kind])


if __name__ == "__main__":
    main()
