"""What a browser shows beside the page is on the screenshot and works, or a notice names it."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from PIL import Image, ImageChops
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.task.action import Navigate, Size
from pytest_cuabench.testing.probe_page import Server

from .conftest import FakeWorld, Harness
from .native_layer import PARTS, SCREEN, Part

pytestmark = pytest.mark.asyncio(loop_scope="module")
OFTEN = ("select by mouse", "date", "suggestions", "context menu", "print by keys")  # the others are slow


async def _page(request: Request) -> Response:
    body = PARTS[int(request.path_params["number"])].body
    return HTMLResponse(
        f"<!doctype html><meta charset=utf-8><title>part</title><style>body {{ margin: 10px }}</style>{body}"
        "<output id=out style='position: absolute; left: 10px; top: 600px'></output>"
    )


async def _playing(browser: Chromium, folder: object) -> AsyncIterator[Harness]:
    server = Server(Starlette(routes=[Route("/{number}", _page)]))
    world = FakeWorld(server.port)
    environment = ChromiumEnvironment(browser, world, SCREEN, downloads=folder)  # type: ignore[arg-type]
    harness = Harness(environment, world)
    await harness.start("13")
    yield harness
    await environment.close()
    server.stop()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def headless(browser: Chromium, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Harness]:
    """An episode without a window."""
    async for one in _playing(browser, tmp_path_factory.mktemp("files")):
        yield one


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def window(
    windows: Callable[[Size], Chromium], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Harness]:
    """An episode in a window."""
    async for one in _playing(windows(SCREEN), tmp_path_factory.mktemp("files")):
        yield one


def _marked(part: Part) -> object:
    return pytest.param(part, id=part.name, marks=() if part.name in OFTEN else pytest.mark.slow)


@pytest.mark.parametrize("part", [_marked(part) for part in PARTS])
async def test_without_a_window(part: Part, headless: Harness) -> None:
    """A part that the driver paints is on the screenshot and works; the others are named by a notice."""
    await _play(part, headless, "headless")


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
async def test_in_a_window(part: Part, window: Harness) -> None:
    """A part that the browser has is on the screenshot and works; the others are named by a notice."""
    await _play(part, window, "window")


async def _play(part: Part, harness: Harness, mode: str) -> None:
    result = await harness.environment.perform(Navigate(f"/{PARTS.index(part)}"))
    assert result.error is None
    before, _ = await _seen(harness)
    await harness.do(*part.opening)
    after, told = await _seen(harness)
    if mode in part.notices:
        assert part.notices[mode] in told
    elif part.shown is not None:
        changed = ImageChops.difference(before.crop(part.shown), after.crop(part.shown)).getbbox()
        assert changed is not None, "nothing is shown"
    for action in part.uses(mode):
        await harness.do(action)
    assert (await harness.out() or "").strip() == part.gets(mode)


async def _seen(harness: Harness) -> tuple[Image.Image, str]:
    """Return the screenshot, and what the agent is told beside it."""
    seen = await harness.environment.observe("screenshot")
    assert seen.screenshot is not None
    return Image.open(io.BytesIO(seen.screenshot)).convert("RGB"), " ".join(seen.notices)
