"""The page of `cuabench watch` in a real Chromium."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import live_run
import pytest
import sample_run
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pytest_cuabench.agents.program.endpoints.wire import read_action
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.ledger import live
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.watch.following import Following
from pytest_cuabench.reporting.watch.server import address, listen, new_token, serving
from pytest_cuabench.task.action import Click, Drag, Key, Scroll, Type

pytestmark = pytest.mark.slow
expect.set_options(timeout=30_000)  # milliseconds; a busy computer draws late


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for all pages of this module."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(None), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that fails the test for any script error and any refused script."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    yield page
    context.close()
    assert problems == []


@pytest.fixture
def served() -> Iterator[Callable[[Run], str]]:
    """Serve a run from another thread, and return its address."""
    ending: list[Callable[[], None]] = []

    def serve(run: Run) -> str:
        listening, token = listen(), new_token()
        loop, over = asyncio.new_event_loop(), asyncio.Event()

        async def main() -> None:
            async with serving(Following(lambda: run), listening, token):
                await over.wait()

        thread = threading.Thread(target=lambda: loop.run_until_complete(main()))
        thread.start()
        ending.append(lambda: (loop.call_soon_threadsafe(over.set), thread.join())[1])
        return address(listening, token)

    yield serve
    for end in ending:
        end()


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run that is played now."""
    return live_run.begin(Run(tmp_path / "now"), 4)


def test_tiles_appear_and_change(page: Page, run: Run, served: Callable[[Run], str]) -> None:
    """A tile appears for each episode, follows its steps, and shows how it ended; the token leaves the address."""
    first = live_run.episode(run, 0, steps=1)
    page.goto(served(run))
    assert "token" not in page.url
    tiles = page.locator(".tile")
    expect(tiles).to_have_count(1)
    expect(tiles.locator("img")).to_have_js_property("naturalWidth", 1280)
    expect(tiles).to_contain_text("click (230, 148)")
    live_run.episode(run, 1)
    expect(tiles).to_have_count(2)
    live_run.step(first, 1)
    expect(tiles.first).to_contain_text("2 steps of 30")
    live_run.end(first)
    expect(page.locator(".tile .outcome")).to_have_text("success")
    expect(page.locator(".live")).to_contain_text("1 of 4")


def test_pictures_are_fetched_once(page: Page, run: Run, served: Callable[[Run], str]) -> None:
    """A picture is requested when it is another one, and only then."""
    asked: list[str] = []
    page.on("request", lambda request: "/picture/" in request.url and asked.append(request.url))
    recorder = live_run.episode(run, 0, steps=1)
    page.goto(served(run))
    expect(page.locator(".tile img")).to_be_visible()
    recorder.publish(state="paused")
    expect(page.locator(".tile")).to_contain_text("paused")
    live_run.decides(recorder, 2)
    expect(page.locator(".tile")).to_contain_text("decides")
    expect(page.locator('.tile img[src$="step-002.png"]')).to_be_visible()
    assert len(asked) == len(set(asked)) == 2


def test_hostile_texts_are_texts(page: Page, run: Run, served: Callable[[Run], str]) -> None:
    """What a model or a page wrote never becomes markup, in a tile or in large."""
    live_run.episode(run, 0, steps=1, goal=sample_run.HOSTILE, thought=sample_run.HOSTILE)
    page.goto(served(run))
    expect(page.locator(".tile .thought")).to_contain_text("</script><script>")
    page.locator(".tile a").click()
    expect(page.locator(".goal")).to_contain_text("onerror")
    expect(page.locator(".step")).to_contain_text("decides")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".step .thought")).to_contain_text("\\u{202e}")
    assert page.locator("img[src=x], #app script").count() == 0
    assert page.title() != "owned"


def test_one_episode_in_large(page: Page, run: Run, served: Callable[[Run], str]) -> None:
    """In large an episode shows its newest screen, its history by keys, and what comes next by itself."""
    recorder = live_run.episode(run, 0, steps=2)
    page.goto(served(run))
    page.locator(".tile a").click()
    expect(page.locator(".step")).to_contain_text("decides")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".step h3")).to_have_text("type “Maria Gonzalez”")
    live_run.step(recorder, 2)
    expect(page.locator(".facts")).to_contain_text("3 of 30")
    expect(page.locator(".step h3")).to_have_text("type “Maria Gonzalez”")
    page.keyboard.press("End")
    live_run.step(recorder, 3)
    expect(page.locator(".steps [aria-current]")).to_contain_text("scroll")
    page.keyboard.press("Escape")
    expect(page.locator(".tile a")).to_be_focused()


def test_filter(page: Page, run: Run, served: Callable[[Run], str]) -> None:
    """Tiles are filtered by state and by text."""
    live_run.end(live_run.episode(run, 0), "failure")
    live_run.episode(run, 1, goal="Order a chest X-ray.")
    live_run.episode(run, 2)
    page.goto(served(run))
    expect(page.locator(".tile")).to_have_count(3)
    page.locator("#state").select_option("failure")
    expect(page.locator(".tile .name")).to_have_text("task0-intent")
    page.locator("#state").select_option("running")
    expect(page.locator(".tile")).to_have_count(2)
    page.keyboard.press("/")
    page.keyboard.type("chest")
    expect(page.locator(".tile .name")).to_have_text("task1-intent")


def test_commands(page: Page, run: Run, served: Callable[[Run], str]) -> None:
    """The buttons pause and resume at once, and abort after a question."""
    recorder = live_run.episode(run, 0)
    page.goto(served(run))
    with page.expect_response("**/command"):
        page.get_by_role("button", name="Pause all").click()
    recorder.commands.look()
    assert recorder.commands.paused
    recorder.publish(state="paused")
    with page.expect_response("**/command"):
        page.get_by_role("button", name="Resume all").click()
    page.locator(".tile a").click()
    page.get_by_role("button", name="Abort this episode").click()
    page.get_by_role("button", name="keep playing").click()
    recorder.commands.look()
    assert (recorder.commands.paused, recorder.commands.aborted) == (False, "")
    page.get_by_role("button", name="Abort this episode").click()
    with page.expect_response("**/command"):
        page.get_by_role("dialog").get_by_role("button", name="Abort this episode").click()
    recorder.commands.look()
    assert recorder.commands.aborted == "attempt"


def test_end_of_the_run(page: Page, run: Run, served: Callable[[Run], str]) -> None:
    """When the run ends the page says so, and offers no commands any more."""
    live_run.end(live_run.episode(run, 0))
    page.goto(served(run))
    expect(page.get_by_role("button", name="Pause all")).to_be_visible()
    live.close_session(run.folder)
    expect(page.locator(".run .state")).to_have_text("ended")
    expect(page.get_by_role("button", name="Pause all")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("number", [1, 16])
def test_accessible(
    browser: Browser, run: Run, served: Callable[[Run], str], scheme: str, number: int
) -> None:
    """axe-core finds nothing, in the grid and in large; nothing is wider than a phone."""
    for each in range(number):
        live_run.episode(run, each)
    context = browser.new_context(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(served(run))
    expect(page.locator(".tile")).to_have_count(number)
    for place in ("tiles", "large"):
        if place == "large":
            page.locator(".tile a").first.click()
            expect(page.locator(".steps")).to_be_visible()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.set_viewport_size({"width": 1280, "height": 900})
    context.close()


def asked(run: Run) -> list[dict[str, Any]]:
    """Return the commands of the page, without their times."""
    file = run.folder / live.FOLDER / "commands.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    return [
        {name: value for name, value in line.items() if name not in ("time", "attempt")} for line in lines
    ]


def test_take_over(page: Page, tmp_path: Path, served: Callable[[Run], str]) -> None:
    """In the large view a person takes over; input on the picture becomes actions in pixels of the screen."""
    run = live_run.begin(Run(tmp_path / "now"), 1, take_over=True)
    recorder = live_run.episode(run, 0, steps=1)
    page.goto(served(run))
    page.locator(".tile a").click()
    page.get_by_role("button", name="Take over").click()
    page.get_by_role("dialog").get_by_role("button", name="Take over").click()
    recorder.publish(state="taken", picture=recorder.picture("human-000", sample_run.picture(1)), problem="")
    screen = page.locator(".desk img")
    expect(screen).to_have_js_property("naturalWidth", 1280)
    assert Axe().run(page).violations_count == 0
    box = screen.bounding_box()
    assert box
    width, height = screen.evaluate("node => [node.naturalWidth, node.naturalHeight]")

    def at(x: float, y: float) -> tuple[float, float]:
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    page.mouse.dblclick(*at(0.5, 0.25))
    page.wait_for_timeout(400)
    page.mouse.move(*at(0.1, 0.1))
    page.mouse.down()
    page.mouse.move(*at(0.3, 0.1))
    page.mouse.up()
    page.mouse.wheel(0, 200)
    page.wait_for_timeout(300)
    page.keyboard.press("A")
    page.keyboard.press("Control+ArrowLeft")
    page.get_by_label("Text").fill("blood pressure")
    page.get_by_role("button", name="Type").click()
    page.get_by_role("button", name="Give back").click()
    for _ in range(100):
        found = asked(run)
        if found and found[-1]["command"] == "give":
            break
        page.wait_for_timeout(50)
    assert [each["command"] for each in found] == ["take", *["act"] * 6, "give"]
    click, drag, scroll, letter, chord, text = (read_action(each["action"]) for each in found[1:-1])
    assert isinstance(click, Click)
    assert click.count == 2
    assert click.points()[0] == pytest.approx((width / 2, height / 4), abs=2)
    assert isinstance(drag, Drag)
    assert drag.points()[-1] == pytest.approx((0.3 * width, 0.1 * height), abs=2)
    assert isinstance(scroll, Scroll)
    assert scroll.dy == 2
    assert letter == Type("A")
    assert chord == Key(("ctrl", "left"))
    assert text == Type("blood pressure")
    recorder.publish(state="deciding", problem="")
    expect(page.locator(".desk")).to_have_count(0)


def test_no_take_over_without_the_option(page: Page, run: Run, served: Callable[[Run], str]) -> None:
    """Without `--cua-take-over` the page does not offer it, and its server refuses the command."""
    recorder = live_run.episode(run, 0)
    page.goto(served(run))
    page.locator(".tile a").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="Take over")).to_have_count(0)
    body = json.dumps({"command": "take", "attempt": recorder.commands.attempt})
    origin = page.url.partition("/#")[0]
    answer = page.request.post(f"{origin}/command", data=body, headers={"origin": origin})
    assert (answer.status, "--cua-take-over" in answer.text()) == (403, True)
