"""What a typed text costs in the browser, beside Playwright's `keyboard.type` on the same page.

    type    ours: one Type action, settled, as an agent gives it   | Playwright: keyboard.type, one key after the other

Told is the CPU of this process, of Playwright's driver and of all the browser's processes. One page has a text area and
nobody who listens, which takes a long text at once; the other listens for keys, and gets every one of them.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

from cpu import Processor

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.task.action import Click, Key, Size, Type
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.parts import Scope

HEAD = "<!doctype html><meta charset=utf-8><title>text</title><textarea id=area rows=30 cols=100></textarea>"
PAGES = {
    "no listener": HEAD,
    "key listener": HEAD + "<script>let keys = 0; addEventListener('keydown', () => keys++)</script>",
}
TEXTS = {
    "ASCII": "The quick brown fox jumps over the lazy dog. ",
    "mixed": "Größe für Åse, ça va? “q” – naïve e\u0301 患者 a😀b ",
    "CJK": "患者の名前は王小明です。",
}


class Handler(BaseHTTPRequestHandler):
    """Serves the pages by their places in `PAGES`."""

    def do_GET(self) -> None:
        """Answer with a page."""
        number = self.path.strip("/")
        page = list(PAGES.values())[int(number) if number.isdecimal() else 0].encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class World:
    """Opens the pages as an application's sessions."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://text.localhost:{port}"

    async def open(self, application: str, seed: int) -> Any:
        """Return a session whose application is a page's number."""

        async def state() -> State:
            return State({}, revision=0)

        async def close() -> None:
            return None

        start = f"{self.origin}/{application}"
        return SimpleNamespace(origin=self.origin, start_url=start, state=state, close=close)


@contextmanager
def serving() -> Iterator[int]:
    """Serve the pages on a free port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()


async def cost(work: Callable[[], Awaitable[Any]]) -> tuple[float, float]:
    """Return CPU and wall seconds of some work."""
    processor, wall = Processor(), time.perf_counter()
    await work()
    return processor.spent(), time.perf_counter() - wall


async def compare(
    environment: ChromiumEnvironment, page: int, text: str, rounds: int
) -> Iterator[list[float]]:
    """Type a text by turns in our way and in Playwright's; return medians of CPU and wall, ours and theirs."""
    await environment.reset(
        SimpleNamespace(task=SimpleNamespace(application=str(page), scope=Scope()), seed=1)
    )  # type: ignore[arg-type]
    box = await environment.locate("#area")
    assert box is not None
    assert environment._session is not None
    keyboard = environment._session.active.page.keyboard

    async def ours() -> None:
        assert (await environment.perform(Type(text))).error is None

    async def theirs() -> None:
        await keyboard.type(text)

    found: dict[Any, list[tuple[float, float]]] = {ours: [], theirs: []}
    await environment.perform(Click(*box.middle))
    for _ in range(rounds + 1):  # the first warms the browser up
        for way, figures in found.items():
            figures.append(await cost(way))
            typed = await environment.read("#area")
            assert typed == text, f"{len(typed or '')} of {len(text)} characters arrived"
            await environment.perform(Key(("ctrl", "a")))
            await environment.perform(Key(("delete",)))
    return (
        [statistics.median(column) for column in zip(*figures[1:], strict=True)] for figures in found.values()
    )


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--characters", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    browser = Chromium()
    print(f"{given.characters} characters, medians of {given.rounds} rounds; CPU s (wall s)")
    print(f"{'page':14}{'text':8}{'ours':>16}{'key by key':>18}{'CPU ratio':>11}")
    with serving() as port, tempfile.TemporaryDirectory() as folder:
        environment = ChromiumEnvironment(browser, World(port), Size(1280, 720), downloads=Path(folder))
        for page, name in enumerate(PAGES):
            for kind, pattern in TEXTS.items():
                text = (pattern * given.characters)[: given.characters]
                ours, theirs = await compare(environment, page, text, given.rounds)
                cells = [f"{cpu:.2f} ({wall:.2f})" for cpu, wall in (ours, theirs)]
                print(
                    f"{name:14}{kind:8}{cells[0]:>16}{cells[1]:>18}{theirs[0] / max(ours[0], 0.01):>10.1f}x"
                )
        await environment.close()
    await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
