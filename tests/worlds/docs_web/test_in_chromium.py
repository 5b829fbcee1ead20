"""The whole web in a real browser: real host names over TLS, documents, and nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.chromium.own_app.web_app import in_mode
from pytest_cuabench.drivers.worlds import World, WorldSpec, find_world
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.action import Click, Key, Navigate, Size, Type
from pytest_cuabench.testing.served_world import instance

BLOG = "https://tinkerdesk.example/geany/snippets-in-geany"


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    """One loop for all tests, which share a browser."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def web(loop: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromiumEnvironment]:
    """The shipped web."""
    try:
        browser = Chromium(find_chromium(None))
    except SettingError as error:
        pytest.skip(str(error))
    world, folder = World(find_world("docs_web")), tmp_path_factory.mktemp("downloads")
    environment = ChromiumEnvironment(browser, world, Size(1280, 720), downloads=folder)
    yield environment
    for each in (environment, world, browser):
        loop.run(each.close())


def test_search_and_follow(web: ChromiumEnvironment, loop: asyncio.Runner) -> None:
    """A query leads to a page on another host, whose address is recorded."""

    async def play() -> None:
        await web.reset(instance("browser"))
        box = await web.locate("input[name=q]")
        assert box is not None
        await web.perform(Click(*box.middle))
        await web.perform(Type("geany snippets log abbreviation cursor weblog"))
        await web.perform(Key(("enter",)))
        link = await web.locate(f'main a[href="{BLOG}"]')
        assert link is not None
        await web.perform(Click(*link.middle))

    loop.run(play())
    activity = loop.run(web.activity())
    assert activity.navigations[-1] == BLOG
    assert not [request for request in activity.requests if request.refused]


def test_nothing_else_is_reachable(web: ChromiumEnvironment, loop: asyncio.Runner) -> None:
    """Another host is refused, and so is a known one at another port; plain HTTP leads to TLS."""

    async def play() -> list[str | None]:
        await web.reset(instance("browser"))
        urls = ("https://example.org/", "https://tinkerdesk.example:444/", "http://tinkerdesk.example/")
        return [(await web.perform(Navigate(url))).error for url in urls]

    foreign, port, plain = loop.run(play())
    assert "cannot be opened" in str(foreign)
    assert "cannot be opened" in str(port)
    assert plain is None
    assert loop.run(web.activity()).navigations[-1] == "https://tinkerdesk.example/"


def test_scripts_reach_nothing_else(web: ChromiumEnvironment, loop: asyncio.Runner) -> None:
    """What a page asks for elsewhere is refused and recorded, by whatever means it is asked for."""

    async def play() -> None:
        await web.reset(instance("browser"))
        session = web._running()
        await session.active.page.evaluate("fetch('https://example.org/x').catch(() => 0)")
        await session.active.page.evaluate("fetch('http://127.0.0.1:9/x').catch(() => 0)")

    loop.run(play())
    refused = [request.url for request in loop.run(web.activity()).requests if request.refused]
    assert refused == ["https://example.org/x", "http://127.0.0.1:9/x"]


def test_document(web: ChromiumEnvironment, loop: asyncio.Runner) -> None:
    """A page is handed on as its text, HTML and a picture of the whole; an unknown one is none."""
    loop.run(web.reset(instance("browser")))
    found = loop.run(web.document(BLOG))
    assert found is not None
    assert found.title.startswith("Snippets in Geany")
    assert found.text.startswith("Snippets in Geany")
    assert "<h1>" in found.html
    assert found.page.startswith(b"\x89PNG")
    for missing in (
        "https://tinkerdesk.example/none",
        "https://example.org/",
        "no address",
        "file:///etc/passwd",
    ):
        assert loop.run(web.document(missing)) is None


def test_spellings_of_an_address(web: ChromiumEnvironment, loop: asyncio.Runner) -> None:
    """A page is found by any spelling of its address, also while it is the page in front."""
    loop.run(web.reset(instance("browser")))
    host, path = BLOG.removeprefix("https://").split("/", 1)
    spellings = (
        BLOG,
        f"{BLOG}#a-part",
        f"{BLOG}/",
        f"http://{host.upper()}/{path}",
        f"HTTPS://{host}/{path.replace('s', '%73')}#x",
    )
    for address in spellings:
        found = loop.run(web.document(address))
        assert found is not None, address
        assert found.title.startswith("Snippets in Geany")


def test_a_world_that_died(web: ChromiumEnvironment, loop: asyncio.Runner) -> None:
    """Its pages are no page of an agent's making: the episode breaks, and the next one finds a fresh world."""
    loop.run(web.reset(instance("browser")))
    world = web._source
    assert isinstance(world, World)
    assert world.pid is not None
    os.kill(world.pid, signal.SIGKILL)
    with pytest.raises(EnvironmentFailure, match="cannot be reached any more"):
        loop.run(web.perform(Navigate(BLOG)))
    loop.run(web.reset(instance("browser")))
    assert loop.run(web.document(BLOG)) is not None


@pytest.mark.skipif(
    not Path("/usr/share/doc/geany/html/index.html").exists(), reason="type: scripts/install-docos geany"
)
def test_pictures_of_a_document(web: ChromiumEnvironment, loop: asyncio.Runner) -> None:
    """Pictures of an installed manual come along."""
    loop.run(web.reset(instance("browser")))
    found = loop.run(web.document("https://www.geany.org/manual/usage/the-geany-workspace.html"))
    assert found is not None
    assert all(picture.startswith(b"\x89PNG") for picture in found.pictures)
    assert len(found.pictures) >= 1


def test_replay_of_the_real_web(loop: asyncio.Runner, tmp_path: Path) -> None:
    """A recording is shown under the real names, and what it lacks is told on the page."""
    from docs_web.live import START
    from docs_web.recording import Answer, Recorder

    page = (
        "<!DOCTYPE html><title>Kept</title><h1>As it was</h1><a href='https://docs.realsite.example/x'>on</a>"
    )
    Recorder(tmp_path).add(
        "GET", f"https://{START}/", Answer(200, (("content-type", "text/html"),), page.encode())
    )
    spec = in_mode(find_world("docs_web"), f"replay:{tmp_path}")
    assert isinstance(spec, WorldSpec)

    async def play() -> list[str]:
        browser, world = Chromium(find_chromium(None)), World(spec)
        replay = ChromiumEnvironment(browser, world, Size(1280, 720), downloads=tmp_path)
        try:
            await replay.reset(instance("browser"))
            shown = [await replay.read("h1") or ""]
            for url in ("https://docs.realsite.example/x", "https://127.0.0.1/"):
                await replay.perform(Navigate(url))
                shown.append(await replay.read("main") or "")
            return shown
        finally:
            for each in (replay, world, browser):
                await each.close()

    start, missing, own = loop.run(play())
    assert start == "As it was"
    assert "https://docs.realsite.example/x was not recorded" in missing
    assert "https://127.0.0.1/ was not recorded" in own
