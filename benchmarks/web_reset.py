"""Seconds of a reset in the browser, from the end of one episode to the first screenshot of the next.

    web_reset.py --world imaging --application pacs_radiology --shows 'tbody tr >> nth=1'

Each turn has another seed and follows an episode that did nothing. `--shows` names what the start page holds once it is
built: a turn also ends with the first moment at which it is found, which a reset that returns too early does not
shorten. The CPU time is that of this process and of all below it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cpu import Processor

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.own_app.web_app import in_mode
from pytest_cuabench.drivers.worlds import World, WorldSpec, find_world
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.parts import Scope


async def measured(
    spec: WorldSpec, application: str, shows: str | None, turns: int, pictures: Path | None
) -> None:
    """Measure and print."""
    world, browser = World(spec), Chromium()
    took: dict[str, list[float]] = {"reset": [], "screenshot": [], "shown": [], "CPU": []}
    with tempfile.TemporaryDirectory() as folder:
        environment = ChromiumEnvironment(browser, world, Size(1280, 720), downloads=Path(folder))
        try:
            for turn in range(turns + 1):
                processor = Processor()
                instance: Any = SimpleNamespace(
                    task=SimpleNamespace(application=application, scope=Scope()), seed=turn
                )
                start = time.perf_counter()
                await environment.reset(instance)
                reset = time.perf_counter() - start
                seen = await environment.observe("screenshot")
                screenshot = time.perf_counter() - start
                while shows and await environment.locate(shows) is None:
                    await asyncio.sleep(0.01)
                shown = time.perf_counter() - start
                if pictures and seen.screenshot:
                    (pictures / f"{turn}.png").write_bytes(seen.screenshot)
                if turn:  # the first one starts the world and the browser
                    figures = (reset, screenshot, shown, processor.spent())
                    for name, figure in zip(took, figures, strict=True):
                        took[name].append(figure)
        finally:
            await environment.close()
            await browser.close()
            await world.close()
    for name, figures in took.items():
        p95 = statistics.quantiles(figures, n=20, method="inclusive")[-1]
        print(
            f"{name:10} n={len(figures)}  p50 {statistics.median(figures):.2f} s  p95 {p95:.2f} s  "
            f"least {min(figures):.2f} s  load {os.getloadavg()[0]:.1f}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--world", default="imaging")
    parser.add_argument("--mode", help="one of the world's modes, as --cua-world takes it")
    parser.add_argument("--application", default="pacs_radiology")
    parser.add_argument("--shows", metavar="TARGET", help="what the start page holds once it is built")
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--pictures", type=Path, help="a folder for the first screenshots")
    given = parser.parse_args()
    found = in_mode(find_world(given.world), given.mode)
    assert isinstance(found, WorldSpec)
    asyncio.run(measured(found, given.application, given.shows, given.turns, given.pictures))
