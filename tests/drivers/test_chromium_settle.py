"""The driver returns when the page has come to rest, and does not wait for what never rests."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import quote

import pytest

from pytest_cuabench.drivers.chromium.session.scripts import event
from pytest_cuabench.task.action import Click, Navigate, Wait

from .conftest import Harness
from .settle_pages import RESTLESS, SEEN, application

pytestmark = pytest.mark.asyncio(loop_scope="module")

APPLICATION = application
OWN = """(() => { const found = {};
  dispatchEvent(new CustomEvent("SECRET", {detail: found})); return found.own })()"""
EVERYWHERE = {
    "debounce of 300 ms",
    "timer in a sandboxed frame",
    "popup",
    "web socket that answers",
    "worker that is made",
}


async def evaluate(harness: Harness, expression: str) -> Any:
    """Return the value of an expression in the page in front."""
    session = harness.environment._session
    assert session is not None
    return await session.active.page.evaluate(expression)


def front(harness: Harness) -> Any:
    """Return the page in front."""
    session = harness.environment._session
    assert session is not None
    return session.active.page


async def open_script(harness: Harness, load: str = "", click: str = "") -> None:
    """Open a page that runs one script when it is loaded, and another at a click on its button."""
    await harness.do(Navigate(f"/script?load={quote(load)}&click={quote(click)}"))


async def waits(harness: Harness) -> bool:
    """Whether the page has work of an action that is due later."""
    own = OWN.replace("SECRET", event())
    return await evaluate(harness, f"{own}.next() !== null")


# What an action sets off.


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[] if one in EVERYWHERE else pytest.mark.slow) for one in SEEN]
)
async def test_work_of_an_action_is_over_when_it_returns(harness: Harness, name: str) -> None:
    """What a click sets off is done and on the screen when the click returns."""
    await harness.do(Navigate(f"/probe?name={quote(name)}"))
    await harness.click("#go")
    assert True in [await frame.evaluate("window.seen") for frame in front(harness).frames]


async def test_timers_that_follow_a_click_are_waited_for(harness: Harness) -> None:
    """Short timers that set further short timers have all run when the click returns."""
    await harness.go("later")
    await harness.click("#go")
    assert await harness.out() == "done"


async def test_a_form_post_and_its_redirect_are_waited_for(harness: Harness) -> None:
    """A form that is posted by a click has led to the next page when the click returns."""
    await harness.go("form")
    await harness.click("#go")
    assert await harness.environment.read("h1") == "Two"


async def test_a_transition_is_waited_for(harness: Harness) -> None:
    """A finite transition has reached its end."""
    await harness.go("animated")
    await harness.click("#go")
    box = await harness.environment.locate("#box")
    assert box is not None
    assert box.width == 300


async def test_a_timer_longer_than_half_a_second_is_not_waited_for(harness: Harness) -> None:
    """A message that goes away after seconds is still there."""
    await open_script(harness, click="done(); setTimeout(() => out.textContent = 'gone', 60000)")
    await harness.click("#go")
    assert not await waits(harness)
    assert await harness.out() == "done"


async def test_a_cancelled_timer_is_not_waited_for(harness: Harness) -> None:
    """A timer that the page clears is no work that is due."""
    await open_script(
        harness, click="done(); clearInterval(setTimeout(done, 500)); clearTimeout(setInterval(done, 500))"
    )
    await harness.click("#go")
    assert not await waits(harness)


# What goes on by itself.


@pytest.mark.slow
@pytest.mark.parametrize("name", RESTLESS)
async def test_what_goes_on_by_itself_is_not_waited_for(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A page that never rests takes clicks, and what it does by itself is no work of theirs."""
    monkeypatch.setattr(harness.environment, "_cap", 120.0)
    async with asyncio.timeout(100):
        await harness.do(Navigate(f"/probe?name={quote(name)}"), Wait(1.2))
        await harness.click("#go")
        assert await harness.out() == "done"
        for place in range(4):
            await harness.do(Wait(0.3), Click(300, 300 + place))
            assert not await waits(harness)


@pytest.mark.parametrize("page", ["endless", "frames", "polling"])
@pytest.mark.slow
async def test_perpetual_motion_is_not_waited_for(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """Endless animations, frame loops, polls and streams cost the cap at most once, then next to nothing."""
    await harness.go(page)
    await harness.do(Wait(0.3))
    await harness.click("#go")
    assert await harness.out() == "done"
    monkeypatch.setattr(harness.environment, "_cap", 120.0)
    async with asyncio.timeout(100):
        for _ in range(4):
            await harness.do(Click(5, 5))


async def test_a_page_that_stays_busy_returns_at_the_cap(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that never ends holds an action up for the cap only, and later actions not at all."""
    await harness.go("polling")
    monkeypatch.setattr(harness.environment, "_cap", 120.0)
    async with asyncio.timeout(100):
        await harness.do(Click(5, 5), Click(6, 6), Click(7, 7))


async def test_a_timer_that_was_set_before_an_action_is_not_waited_for(harness: Harness) -> None:
    """What a page set while nobody acted is not the work of the next action."""
    await open_script(harness)
    await evaluate(harness, "void (window.t = setInterval(() => 0, 450))")
    await evaluate(harness, "void setTimeout(() => 0, 499)")
    await harness.do(Wait(0.05))
    assert not await waits(harness)


async def test_what_repeats_from_the_load_on_is_learned_for_the_next_pages(harness: Harness) -> None:
    """A heartbeat is waited for on the first page that has it, and not on the next one."""
    beat = "(function beat() { window.beats = (window.beats ?? -1) + 1; setTimeout(beat, 400) })()"
    await open_script(harness, load=beat)
    session = harness.environment._session
    assert session is not None
    assert [name for name in session._settling.repeating if "beats" in name]
    await open_script(harness, load=beat)
    assert not await waits(harness)


async def test_work_beside_a_heartbeat_is_waited_for(harness: Harness) -> None:
    """A page with a heartbeat still has what a click debounces."""
    await open_script(harness, "(function beat() { setTimeout(beat, 120) })()", "setTimeout(done, 350)")
    await harness.do(Wait(0.5), Wait(0.5))
    await harness.click("#go")
    assert await harness.out() == "done"


async def test_a_worker_that_never_answers_is_not_waited_for_long(harness: Harness) -> None:
    """After two requests without an answer none is expected, however much later the next one is."""
    await open_script(harness, click="deaf.postMessage(1)")
    for _ in range(2):
        await harness.click("#go")
    await harness.do(Wait(2.2))
    await evaluate(harness, "deaf.postMessage(1)")
    assert not await waits(harness)


# What a page can tell, and do.

SAME = {
    "text": "String(setTimeout)",
    "text by another frame": "frame.Function.prototype.toString.call(setTimeout)",
    "text of another frame": "Function.prototype.toString.call(frame.setTimeout)",
    "text of the text": "Function.prototype.toString.toString()",
    "names": """[setTimeout, clearTimeout, setInterval, clearInterval, requestAnimationFrame, cancelAnimationFrame,
        requestIdleCallback, cancelIdleCallback, open, Element.prototype.attachShadow, HTMLElement.prototype.click,
        Worker.prototype.postMessage, IDBFactory.prototype.open, IDBDatabase.prototype.transaction,
        Function.prototype.toString].map((one) => [one.name, one.length, String(one), 'prototype' in one])""",
    "own members": "JSON.stringify(Object.getOwnPropertyDescriptors(setTimeout))",
    "places": """[[window, 'setTimeout'], [window, 'open'], [Function.prototype, 'toString'],
        [Worker.prototype, 'postMessage'], [Element.prototype, 'attachShadow']].map(([owner, name]) => {
        const {value, ...rest} = Object.getOwnPropertyDescriptor(owner, name); return rest })""",
    "own places": "['click', 'showPicker'].map((name) => Object.hasOwn(HTMLInputElement.prototype, name))",
    "constructing": "(() => { try { new setTimeout(1) } catch (error) { return error.message } })()",
    "numbers": "(() => { const first = setTimeout(() => 0); return setTimeout(() => 0) - first })()",
    "delay": """(() => { let asked = 0; setTimeout(() => 0, {valueOf() { return ++asked }}); return asked })()""",
    "window": "Object.getOwnPropertyNames(window).filter((name) => /screen.|rest|cuabench/.test(name)).sort()",
    "stack": """new Promise((go) => setTimeout(() => go(new Error('x').stack.split('\\n').length), 0))""",
    "this": "new Promise((go) => setTimeout(function () { go(this === window) }, 0))",
    "arguments": "new Promise((go) => setTimeout((...given) => go(given), 1, 'a', 'b'))",
    "error": """new Promise((go) => { onerror = (message) => { go(message); return true };
        setTimeout(() => { throw new Error('thrown') }, 0) })""",
}


@pytest.mark.parametrize("name", SAME)
async def test_a_page_cannot_tell_that_it_is_watched(harness: Harness, name: str) -> None:
    """What a page can ask of replaced functions is as in a browser that nobody watches."""
    await open_script(
        harness, load="document.body.append(document.createElement('iframe')); frame = frames[0]"
    )
    direct = {"server": "http://127.0.0.1:9", "bypass": "*"}
    context = await front(harness).context.browser.new_context(proxy=direct)
    try:
        plain = await context.new_page()
        await plain.goto(front(harness).url)
        expected = await plain.evaluate(SAME[name])
        assert await evaluate(harness, SAME[name]) == expected
    finally:
        await context.close()


HOSTILE = {
    "patched timers": """const own = setTimeout; window.setTimeout = (work, ...rest) => own(() => work(), ...rest)""",
    "patched clock": "performance.now = () => 0; Performance.prototype.now = () => 0; Date.now = () => 0",
    "patched collections": """for (const kind of [Map, Set, WeakMap]) for (const name of ['get', 'set', 'has', 'delete',
        'forEach', 'add']) kind.prototype[name] = () => { throw new Error('patched') }""",
    "patched texts": "Function.prototype.toString = () => { throw new Error('patched') }",
    "patched events": """EventTarget.prototype.addEventListener = EventTarget.prototype.dispatchEvent = () => true;
        window.CustomEvent = window.Promise = class {}; JSON.parse = JSON.stringify = () => 'null'""",
    "patched calls": "Reflect.apply = Function.prototype.call = Function.prototype.apply = () => 0",
    "all timers cleared": "onclick = () => { for (let i = 1; i < 99; i++) clearTimeout(i); setTimeout(done, 400) }",
    "throwing handlers": "onclick = () => { setTimeout(() => { throw 1 }, 100); setTimeout(done, 300); throw 2 }",
    "ten thousand timers": """onclick = () => {
        for (let i = 0; i < 1e4; i++) setTimeout(() => clock.textContent = i, 300) }""",
    "busy timers": """onclick = () => { const end = performance.now() + 400; while (performance.now() < end);
        setTimeout(() => { const end = performance.now() + 300; while (performance.now() < end); }, 299) }""",
    "removed frame": """document.body.append(Object.assign(document.createElement('iframe'), {id: 'f'}));
        f.contentWindow.setTimeout(() => 0, 400); onclick = () => {
        f.contentWindow.setTimeout(() => 0, 300); f.remove() }""",
    "odd arguments": """for (const given of [[], [null], [1, 2], ['0', '50'], [() => 0, NaN], [() => 0, -1],
        [() => 0, 1e99], [() => 0, {}], [() => 0, null], [() => 0, Symbol()], [() => 0, 5n]])
        try { setTimeout(...given) } catch (error) {}""",
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_page_cannot_defeat_the_watch(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Whatever a page does to the browser's functions, what a click debounces is seen."""
    monkeypatch.setattr(harness.environment, "_cap", 60.0)
    async with asyncio.timeout(100):
        await open_script(harness)
        box = await harness.environment.locate("#go")  # Playwright does not find it on some of these pages
        assert box is not None
        await open_script(harness, load=HOSTILE[name], click="setTimeout(done, 300)")
        await harness.do(Click(*box.middle))
        assert await evaluate(harness, "seen")


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        "(function go() { setTimeout(go, 500 * Math.random()) })()",
        "(function go() { setTimeout(new Function(`${Math.random()}`), 300); setTimeout(go, 30) })()",
        """(function go() { setTimeout(() => { go(); go() }, 200) })();
        setTimeout(() => { window.setTimeout = () => 0 }, 2000)""",
        "for (let i = 0; i < 300; i++) (function go() { setTimeout(() => go(), 100 + i) })()",
        "(function go() { requestAnimationFrame(() => setTimeout(() => requestIdleCallback(go), 100)) })()",
    ],
)
async def test_endless_timers_do_not_hold_an_action_up(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    """Timers that a click sets off without an end end the wait by themselves, long before the cap."""
    monkeypatch.setattr(harness.environment, "_cap", 120.0)
    async with asyncio.timeout(100):
        await open_script(harness, click=script)
        await harness.click("#go")
        for place in range(4):
            await harness.do(Click(300, 300 + place))
