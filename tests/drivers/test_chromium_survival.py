"""Whatever breaks is told in a plain sentence, never hangs, and the next reset mends it."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.action import Click, Key, KeyDown, Navigate, Screenshot, Size, Wait
from pytest_cuabench.testing.probe_page import Server

from .conftest import FakeWorld, Harness, instance
from .pages import application

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _works(harness: Harness) -> None:
    await harness.start("later")
    await harness.click("#go")
    assert await harness.out() == "done"
    assert (await harness.environment.observe("screenshot")).screenshot


async def _fails(harness: Harness, word: str) -> None:
    for _ in range(2):
        with pytest.raises(EnvironmentFailure, match=word):
            await harness.environment.observe("screenshot")
        with pytest.raises(EnvironmentFailure, match=word):
            await harness.environment.perform(Click(5, 5))
        with pytest.raises(EnvironmentFailure, match=word):
            await harness.environment.locate("h1")


def _group(number: int) -> list[int]:
    """Return the living processes of a process group."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue  # it ended while we looked
        if int(group) == number and state != "Z":
            found.append(int(folder.name))
    return found


async def _gone(group: int) -> None:
    async with asyncio.timeout(10):
        while _group(group):
            await asyncio.sleep(0.02)


async def _crash(harness: Harness) -> None:
    """Crash the page in front, as a fault of the browser would."""
    session = harness.environment._session
    assert session is not None
    tab = session.active
    crash = asyncio.ensure_future(tab.cdp.send("Page.crash"))
    async with asyncio.timeout(20):
        while tab in session.front.tabs and session.interrupts.broken is None:
            await asyncio.sleep(0.02)
    crash.cancel()


async def test_a_crashed_page_is_loaded_again(harness: Harness) -> None:
    """A page that crashes comes back with a notice, and the episode goes on."""
    await harness.go("two")
    await _crash(harness)
    assert "crashed and was reloaded" in await harness.notices()
    assert await harness.environment.read("h1") == "Two"
    assert await harness.tabs() == [("two", True)]


async def test_a_page_that_crashes_during_an_action(harness: Harness) -> None:
    """The action in flight ends without an error of the environment."""
    await harness.go("two")
    acting = asyncio.ensure_future(harness.environment.perform(Wait(1.0)))
    await asyncio.sleep(0.2)
    await _crash(harness)
    await acting
    await harness.environment.perform(Click(5, 5))
    assert await harness.environment.read("h1") == "Two"


@pytest.mark.slow
async def test_a_page_that_crashes_again_and_again(harness: Harness) -> None:
    """After some crashes the attempt ends with a sentence; the next episode works."""
    await harness.start("")
    for _ in range(4):
        await _crash(harness)
        with suppress(EnvironmentFailure):
            await harness.environment.settle()
    await _fails(harness, "crash")
    await _works(harness)


async def test_the_truth_outlives_the_browser(browser: Chromium, harness: Harness) -> None:
    """State, revision and record are still told after the browser was killed, and after it was closed."""
    for end in (lambda: os.kill(browser.pid or 0, signal.SIGKILL), browser.close):
        await harness.start("two")
        ending = end()
        if ending is not None:
            await ending
        with pytest.raises(EnvironmentFailure):
            await harness.environment.observe("screenshot")
        assert (await harness.environment.state()).revision == 7
        assert await harness.environment.revision() == 7
        assert any(url.endswith("/two") for url in (await harness.environment.activity()).navigations)
    await _works(harness)


async def test_a_killed_browser(browser: Chromium, harness: Harness) -> None:
    """A browser that is killed takes no process with it into the afterlife, and is started again."""
    pid = browser.pid
    assert pid is not None
    group = os.getpgid(pid)
    os.kill(pid, signal.SIGKILL)
    await _gone(group)
    await _fails(harness, "closed or crashed")
    await _works(harness)
    assert browser.pid not in (None, pid)


@pytest.mark.slow
async def test_a_browser_killed_between_episodes(browser: Chromium, harness: Harness) -> None:
    """A reset right after the kill starts another browser."""
    assert browser.pid is not None
    os.kill(browser.pid, signal.SIGKILL)
    await _works(harness)


@pytest.mark.slow
async def test_a_browser_killed_during_an_action(browser: Chromium, harness: Harness) -> None:
    """An action in flight ends with the sentence too."""
    await harness.go("fetch")
    box = await harness.environment.locate("#go")
    assert box is not None
    assert browser.pid is not None
    acting = asyncio.ensure_future(harness.environment.perform(Click(*box.middle)))
    await asyncio.sleep(0.1)
    os.kill(browser.pid, signal.SIGKILL)
    with pytest.raises(EnvironmentFailure):
        await acting
    await _works(harness)


async def test_a_server_that_is_gone(browser: Chromium, tmp_path: Path) -> None:
    """An application that answers no more ends the attempt at the next action or look."""
    server = Server(application())
    world = FakeWorld(server.port)
    environment = ChromiumEnvironment(browser, world, Size(800, 600), downloads=tmp_path)
    await environment.reset(instance())
    server.stop()
    with pytest.raises(EnvironmentFailure, match="application"):
        await environment.perform(Navigate("/two"))
    with pytest.raises(EnvironmentFailure, match="application"):
        await environment.observe("tree")
    world.port = (second := Server(application())).port
    await environment.reset(instance())
    assert await environment.read("h1") == "Start"
    await environment.close()
    second.stop()


async def test_a_start_page_that_is_missing(harness: Harness) -> None:
    """A start page with an error's status is not a starting point."""
    with pytest.raises(EnvironmentFailure, match="answered 404"):
        await harness.start("nothing-here")


@pytest.mark.slow
async def test_a_start_page_that_never_paints(browser: Chromium, site: Server, tmp_path: Path) -> None:
    """The reset gives up at its deadline and says what it waited for."""
    world = FakeWorld(site.port)
    environment = ChromiumEnvironment(browser, world, Size(800, 600), downloads=tmp_path, deadline=2.0)
    with pytest.raises(EnvironmentFailure, match=r"after 2 s: still waiting for .* on the screen"):
        await environment.reset(instance("blank"))
    await environment.close()


@pytest.mark.parametrize(("page", "contentful"), [("two", True), ("colours", False)])
async def test_a_start_page_that_paints(harness: Harness, page: str, contentful: bool) -> None:
    """A start page with a text says itself that it was shown; one of colours only is looked at."""
    await harness.start(page)
    session = harness.environment._session
    assert session is not None
    assert await session.contentful() is contentful


@pytest.mark.slow
async def test_a_page_that_blocks_its_thread(browser: Chromium, site: Server, tmp_path: Path) -> None:
    """A script that never ends cannot hold an observation up for ever."""
    environment = ChromiumEnvironment(
        browser, FakeWorld(site.port), Size(800, 600), downloads=tmp_path, cap=0.2
    )
    await environment.reset(instance("vector?script=for(;;);"))
    box = await environment.locate("#go")
    assert box is not None
    environment._patience = 1.0  # only now: nothing but the page that blocks may be late
    with pytest.raises(EnvironmentFailure, match="could not carry out"):
        await environment.perform(Click(*box.middle))
    environment._patience = 20.0
    await environment.reset(instance())
    assert await environment.read("h1") == "Start"
    await environment.close()


@pytest.mark.slow
async def test_an_episode_inherits_nothing(harness: Harness) -> None:
    """Pressed keys, cookies and the clipboard of one episode are not there in the next."""
    await harness.start("looks")
    await harness.click("#name")
    await harness.do(Key(("ctrl", "a")), Key(("ctrl", "c")), KeyDown("shift"))
    await harness.start("looks")
    await harness.click("#name")
    await harness.do(Key(("ctrl", "a")), Key(("delete",)), Key(("ctrl", "v")), Key(("b",)))
    assert await harness.environment.read("#name") == "b"


async def test_sessions_are_given_back(harness: Harness) -> None:
    """A reset closes the session before; the truth comes from the session that runs."""
    await harness.start("")
    assert all(session.closed for session in harness.world.sessions[:-1])
    assert not harness.world.sessions[-1].closed
    assert await harness.environment.revision() == 7
    assert (await harness.environment.state()).revision == 7


async def test_downloads_are_removed(browser: Chromium, site: Server, tmp_path: Path) -> None:
    """The downloads of an episode are gone when the next one begins, and when the environment is closed."""
    environment = ChromiumEnvironment(browser, FakeWorld(site.port), Size(800, 600), downloads=tmp_path)
    episode = Harness(environment, environment._source)
    folders = []
    for _ in range(2):
        await episode.start("")
        folders += [folder for folder in tmp_path.iterdir() if folder not in folders]
        (folders[-1] / "list.csv").touch()
        assert list(tmp_path.iterdir()) == folders[-1:]
    await environment.close()
    assert list(tmp_path.iterdir()) == []
    assert len(folders) == 2


async def test_nothing_works_before_reset_and_after_close(
    browser: Chromium, site: Server, tmp_path: Path
) -> None:
    """Without an episode every call says so; closing twice is fine."""
    environment = ChromiumEnvironment(browser, FakeWorld(site.port), Size(800, 600), downloads=tmp_path)
    for call in (environment.observe("dom"), environment.perform(Screenshot()), environment.state()):
        with pytest.raises(EnvironmentFailure, match="call reset first"):
            await call
    await environment.close()
    await environment.close()


@pytest.mark.slow
async def test_a_closed_browser_leaves_no_process() -> None:
    """Closing ends every process and removes every file of the browser; it can be closed twice, and used again."""
    chromium = Chromium()
    await chromium.context()
    pid, folder = chromium.pid, chromium._folder
    assert pid is not None
    assert folder is not None
    group = os.getpgid(pid)
    assert len(_group(group)) > 1
    await chromium.close()
    await chromium.close()
    await _gone(group)
    assert not folder.path.exists()


async def test_finding_a_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A given path counts first, then PATH, then Playwright's own; else a sentence says what to type."""
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_chromium(str(program)) == program
    with pytest.raises(SettingError, match="CUABENCH_CHROMIUM"):
        find_chromium(str(tmp_path / "nothing"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_chromium(None) == program
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    with pytest.raises(SettingError, match="playwright install chromium"):
        find_chromium(None)
    own = tmp_path / "chromium-1" / "chrome-linux" / "chrome"
    own.parent.mkdir(parents=True)
    own.touch()
    assert find_chromium(None) == own
