"""What the ordinary end of an episode costs: leaving the pages, beside closing them at once.

    python benchmarks/leaving.py                                 # the clinic, the org, the documentation, an own page
    python benchmarks/leaving.py --worlds clinic --repeats 30

Both ends are played in turn, each on a fresh session that has just loaded its start page. The medians are told in
milliseconds: of the wall clock, and of the CPU time of this process.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.suite import load_suite
from pytest_cuabench.testing.served_world import FakeWorld, instance

PAGES = {
    "salesforce": "salesforce",
    "docs_web": "browser",
}  # what is opened of a world; of the clinic a task's
SCREEN = Size(1280, 720)
PAGE = b"<!doctype html><title>own</title><button>Save</button><script>setInterval(() => 0, 1000)</script>"


async def application(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each request with the page of an own application."""
    await reader.readuntil(b"\r\n\r\n")
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {len(PAGE)}\r\nconnection: close\r\n\r\n"
    writer.write(head.encode() + PAGE)
    await writer.drain()
    writer.close()


async def timed(work: Callable[[], Awaitable[object]]) -> tuple[float, float]:
    """Return the milliseconds that some work takes: of the wall clock, and of this process's CPU time."""
    before, start = time.process_time(), time.perf_counter()
    await work()
    return (time.perf_counter() - start) * 1000, (time.process_time() - before) * 1000


async def measure(environment: ChromiumEnvironment, which: Instance, repeats: int) -> str:
    """Return a row of the table."""
    found: dict[str, list[tuple[float, float]]] = {"closed": [], "left": []}
    for number in range(2 * repeats + 2):
        await environment.reset(which)
        session = environment._session
        assert session is not None
        end, work = ("left", environment.finish) if number % 2 else ("closed", session.close)
        figures = await timed(work)
        if number > 1:  # the first pair warms up
            found[end].append(figures)
    closed, left = (
        [median(column) for column in zip(*found[end], strict=True)] for end in ("closed", "left")
    )
    more = median(one[0] - other[0] for one, other in zip(found["left"], found["closed"], strict=True))
    return f"| {closed[0]:.0f} / {closed[1]:.0f} | {left[0]:.0f} / {left[1]:.0f} | {more:.0f} |"


async def run(names: list[str], repeats: int) -> None:
    """Print the table."""
    browser = Chromium(find_chromium(None))
    sys.stdout.write("| page | closed, wall / CPU ms | left, wall / CPU ms | more, ms |\n|---|---|---|---|\n")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            if name == "own":
                server = await asyncio.start_server(application, "127.0.0.1", 0)
                world, which = FakeWorld(server.sockets[0].getsockname()[1]), instance("")
            else:
                world = World(find_world(name))
                which = instance(PAGES[name]) if name in PAGES else first("medcua")
            environment = ChromiumEnvironment(browser, world, SCREEN, downloads=Path(folder))
            row = await measure(environment, which, repeats)
            sys.stdout.write(f"| {name} {row}\n")
            sys.stdout.flush()
            await environment.close()
            await world.close() if isinstance(world, World) else server.close()
    await browser.close()


def first(suite: str) -> Instance:
    """Return an instance of a suite's first task."""
    task = load_suite(library.SUITES / suite).tasks[0]
    return Instance(task, task.goals and next(iter(task.goals)))


def main() -> int:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = ["clinic", *PAGES, "own"]
    parser.add_argument("--worlds", nargs="+", default=names, choices=names)
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    asyncio.run(run(options.worlds, options.repeats))
    return 0


if __name__ == "__main__":
    sys.exit(main())
