"""A browser on a desktop: it shows a world of this machine, and reaches nothing else."""

from __future__ import annotations

import http.server
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.drivers.desktop.xvfb import Xvfb
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.errors import CuabenchError
from pytest_cuabench.task.action import Click, Key, Size, Type

from .desktop_here import once, require_desktop

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
SCREEN = Size(1280, 800)
PAGE = """<!doctype html><meta charset="utf-8"><title>{name}</title><h1>{name}</h1>
<form action="/said"><label>Word <input name="word" autofocus></label><button>Send</button></form>"""


class Site:
    """A page of this machine, and what was asked of it."""

    def __init__(self, name: str) -> None:
        asked: list[str] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                body = PAGE.format(name=name).encode()
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *told: Any) -> None:
                pass

        self.asked = asked
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stop serving."""
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        """A page under a name of its own, as worlds have it."""
        return f"http://a1b2.localhost:{self.server.server_port}/start"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """The world."""
    made = Site("World")
    yield made
    made.close()


@pytest.fixture(scope="module")
def other() -> Iterator[Site]:
    """Another server of this machine, which is nobody's business."""
    made = Site("Other")
    yield made
    made.close()


def browsing(url: str) -> Any:
    """Return as much of an instance as a driver reads: the browser on an address."""
    task = SimpleNamespace(application="browser", setup=lambda seed: ({"do": "browse", "url": url},))
    return SimpleNamespace(task=task, seed=0)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def desktop(site: Site, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DesktopEnvironment]:
    """A desktop with the browser on the world."""
    require_desktop()
    if not Path("/usr/bin/chromium").exists():
        pytest.skip("needs a browser; type: apt-get install chromium")
    machine = Xvfb(SCREEN, Leases(tmp_path_factory.mktemp("leases")))
    environment = DesktopEnvironment(machine, SCREEN)
    await environment.reset(browsing(site.url))
    yield environment
    await environment.close()


async def test_the_world_is_used_by_hand(desktop: DesktopEnvironment, site: Site) -> None:
    """The page is on the screen and in the tree, and takes what is typed and clicked."""
    assert "/start" in site.asked
    await once(lambda: desktop.locate('heading[name="World"]'))
    field = await once(lambda: desktop.locate('entry[name="Word"]'))
    button = await once(lambda: desktop.locate('push-button[name="Send"]'))
    await desktop.perform(Click(*field.middle))
    await desktop.perform(Type("größe"))
    await desktop.perform(Click(*button.middle))
    await desktop.settle()
    assert "/said?word=gr%C3%B6%C3%9Fe" in site.asked


async def test_nothing_else_is_reached(desktop: DesktopEnvironment, site: Site, other: Site) -> None:
    """Another server of this machine is as far away as the rest of the world."""
    await desktop.reset(browsing(site.url))
    for address in (other.url, "http://192.0.2.1/"):
        await desktop.perform(Key(("ctrl", "l")))
        await desktop.perform(Type(f"{address}\n"))
        await desktop.settle()
        assert not await desktop.locate('heading[name="Other"]')
    assert other.asked == []


async def test_a_reset_forgets(desktop: DesktopEnvironment, site: Site) -> None:
    """The next episode has one tab on its own start, wherever the last one went."""
    await desktop.perform(Key(("ctrl", "t")))
    site.asked.clear()
    await desktop.reset(browsing(site.url.replace("/start", "/again")))
    assert [path for path in site.asked if path != "/favicon.ico"] == ["/again"]
    assert await desktop.locate('heading[name="World"]')


async def test_only_pages_of_this_machine(desktop: DesktopEnvironment) -> None:
    """A start that is not on this machine is refused with the reason."""
    with pytest.raises(CuabenchError, match="no http address of this machine"):
        await desktop.reset(browsing("https://example.org/"))
