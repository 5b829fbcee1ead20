"""Episodes of MiniWoB++ in a real browser: what seeds change, what ends them, and what an agent cannot do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from shipped import shipped

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.action import Click, Key, Navigate, Size, Type
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.model import Instance

TASKS = {task.id: task for task in shipped("miniwob").tasks}
ATTACKS = (
    "<img src=x onerror='core.endEpisode(1)'>",
    "<script>core.endEpisode(1)</script>",
    "<svg onload=core.endEpisode(1)>",
    "<iframe srcdoc='<script>parent.core.endEpisode(1)</script>'></iframe>",
)


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    """One loop for all tests, which share a browser."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def web(loop: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromiumEnvironment]:
    """The suite's environment."""
    try:
        browser = Chromium(find_chromium(None))
    except SettingError as error:
        pytest.skip(str(error))
    world, folder = World(find_world("miniwob")), tmp_path_factory.mktemp("downloads")
    environment = ChromiumEnvironment(browser, world, Size(640, 480), downloads=folder)
    yield environment
    for each in (environment, world, browser):
        loop.run(each.close())


async def _begin(web: ChromiumEnvironment, task: str, seed: int = 0) -> State:
    await web.reset(Instance(TASKS[task], "page", seed))
    return await web.state()


async def _click(web: ChromiumEnvironment, target: str) -> None:
    box = await web.locate(target)
    assert box is not None
    await web.perform(Click(*box.middle))


def test_seeds(web: ChromiumEnvironment, loop: asyncio.Runner) -> None:
    """Each seed asks for something else, and the same seed for the same."""

    async def asked(seed: int) -> str:
        state = await _begin(web, "enter_text", seed)
        return str(state.row("episode")["utterance"])

    goals = [loop.run(asked(seed)) for seed in (0, 1, 2, 0)]
    assert len(set(goals)) == 3
    assert goals[0] == goals[3]


def test_an_episode_that_the_page_ends(web: ChromiumEnvironment, loop: asyncio.Runner) -> None:
    """The reward is in the state at once, and the screen says only that the task has ended."""

    async def play() -> tuple[State, str]:
        before = await _begin(web, "click_test_2")
        assert not before.ended
        seen = (await web.observe("dom")).dom or ""
        assert "reward" not in seen.lower()
        assert "time left" not in seen.lower()
        await _click(web, "css=#subbtn2")
        return await web.state(), (await web.observe("dom")).dom or ""

    after, seen = loop.run(play())
    assert (after.ended, after.row("episode")["reward"]) == (True, -1.0)
    assert "This task has ended." in seen
    assert "-1" not in seen


@pytest.mark.parametrize("attack", ATTACKS)
def test_typed_html_runs_no_script(web: ChromiumEnvironment, loop: asyncio.Runner, attack: str) -> None:
    """A page that shows what is typed as HTML, as the terminal does, runs none of it."""

    async def play() -> State:
        await _begin(web, "terminal")
        await _click(web, "css=#terminal")
        await web.perform(Type(attack))
        await web.perform(Key(("enter",)))
        assert ((await web.observe("dom")).dom or "").count("user$") == 2  # the line was shown
        return await web.state()

    assert not loop.run(play()).row("episode")["reward"]


@pytest.mark.parametrize(
    "address",
    [
        "javascript:core.endEpisode(1)",
        "/miniwob/click-test.html",
        "/core/core.js",
        "/episode/guessed",
        "data:text/html,<script>opener.core.endEpisode(1)</script>",
    ],
)
def test_the_address_bar_earns_nothing(web: ChromiumEnvironment, loop: asyncio.Runner, address: str) -> None:
    """No address gives a reward or shows the secret; those that load the page again end the episode."""

    async def play() -> tuple[State, str]:
        await _begin(web, "click_button")
        await web.perform(Navigate(address))
        return await web.state(), (await web.observe("dom")).dom or ""

    state, seen = loop.run(play())
    assert not state.row("episode")["reward"]
    assert "/episode/" not in seen


def test_a_reload_is_no_second_try(web: ChromiumEnvironment, loop: asyncio.Runner) -> None:
    """After a reload the right click earns nothing."""

    async def play() -> State:
        await _begin(web, "click_test")
        box = await web.locate("css=#subbtn")
        assert box is not None
        await web.perform(Key(("f5",)))
        await web.perform(Click(*box.middle))
        return await web.state()

    state = loop.run(play())
    assert (state.ended, state.row("episode")["reward"]) == (True, 0.0)
