"""A text arrives whole however long it is, and whoever listens for keys or input gets every one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from breadth import some

from pytest_cuabench.drivers.chromium.acting.input import Input
from pytest_cuabench.drivers.chromium.acting.insertion import KEYED
from pytest_cuabench.task.action import MAX_TEXT, Drag, Key, KeyDown, KeyUp, Type

from .conftest import Harness

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXTS = {
    "ascii": "The quick brown fox jumps over the lazy dog; (0123456789) ",
    "mixed": "Größe für Åse, ça va? “q” – naïve e\u0301 患者の名前 a😀b x👩\u200d⚕️y. ",
    "lines": "one line\nanother\n\nafter an empty one\n",
    "arabic": "مرحبا بالعالم ",
}
LONG = 3 * KEYED
KINDS = ("keydown", "keypress", "keyup", "input")
LISTENERS = {
    "window, capturing": "addEventListener('{kind}', hear, true)",
    "document, delegated": "document.addEventListener('{kind}', hear)",
    "an element around it": "around.addEventListener('{kind}', hear)",
    "a property": "area.on{kind} = hear",
    "an attribute": "area.setAttribute('on{kind}', 'hear(event)')",
}


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were typed with keys."""
    seen: list[str] = []
    original = Input._key_by_key

    async def spied(self: Input, tab: Any, text: str) -> None:
        seen.append(text)
        await original(self, tab, text)

    monkeypatch.setattr(Input, "_key_by_key", spied)
    return seen


async def _typed(harness: Harness, target: str, text: str) -> str | None:
    await harness.click(target)
    await harness.do(Type(text))
    return await harness.environment.read(target)


def _of(pattern: str, length: int) -> str:
    return (pattern * length)[: length - 1] + "."


@pytest.mark.parametrize("name", some(TEXTS))
async def test_a_long_text_arrives_whole(harness: Harness, keyed: list[str], name: str) -> None:
    """Where nobody listens a long text is inserted; nothing of it is lost or changed."""
    text = _of(TEXTS[name], 3000)
    await harness.go("fields")
    assert await _typed(harness, "#area", text) == text
    assert len("".join(keyed)) <= 1


@pytest.mark.slow
async def test_the_longest_text_arrives_whole(harness: Harness) -> None:
    """As many characters as an action may have arrive in one action."""
    text = _of("".join(TEXTS.values()), MAX_TEXT)
    await harness.go("fields")
    assert await _typed(harness, "#area", text) == text


@pytest.mark.slow
@pytest.mark.parametrize("length", [2000, pytest.param(MAX_TEXT, marks=pytest.mark.nightly)])
async def test_a_long_text_arrives_key_by_key(harness: Harness, length: int) -> None:
    """A page that listens gets every key, at night as many as an action may have characters."""
    text = _of(TEXTS["ascii"], length)
    await harness.go("heard")
    await _run(harness, "document.addEventListener('keydown', hear)")
    assert await _typed(harness, "#area", text) == text
    assert await harness.out() == str(length)


@pytest.mark.parametrize("target", ["#line", "#password", "#rich", "#open textarea", "#inner"])
async def test_every_kind_of_text_field(harness: Harness, keyed: list[str], target: str) -> None:
    """Lines, passwords, rich text, fields in shadow roots and in frames take a long text at once."""
    text = _of(TEXTS["ascii"], LONG).replace("  ", " ")
    await harness.go("fields")
    await harness.click(target)
    await harness.do(Type(text))
    assert (await harness.environment.read(target) or "").replace("\xa0", " ") == text
    assert len("".join(keyed)) <= 1


async def test_a_field_in_a_closed_shadow_root(harness: Harness, keyed: list[str]) -> None:
    """Who listens in there cannot be asked, so every key is sent."""
    text = _of(TEXTS["ascii"], LONG)
    await harness.go("fields")
    await harness.click("#closed")
    await harness.do(Type(text))
    assert await _run(harness, "closedValue()") == text
    assert "".join(keyed) == text


async def test_rich_text_has_lines(harness: Harness) -> None:
    """The Enter key makes the lines of rich text."""
    text = _of("a line of some words\n", LONG)
    await harness.go("fields")
    assert await _typed(harness, "#rich", text) == text


async def test_a_field_keeps_its_limits(harness: Harness) -> None:
    """Neither a limit of characters nor what a number may hold is passed by."""
    await harness.go("fields")
    assert await _typed(harness, "#short", "x" * LONG) == "x" * 100
    assert await _typed(harness, "#number", "12ab" + "3" * LONG) == "12" + "3" * LONG


async def test_a_line_end_submits_a_form(harness: Harness) -> None:
    """In a line it is the Enter key, and what follows goes to the page that has the focus then."""
    await harness.go("fields")
    await harness.click("#line")
    await harness.do(Type("x" * LONG + "\n" + "y" * LONG))
    assert await harness.environment.read("h1") == "Two"


async def test_a_tab_goes_to_the_next_field(harness: Harness) -> None:
    """The Tab key moves the focus in the middle of a long text."""
    await harness.go("fields")
    await harness.click("#line")
    await harness.do(Type("x" * LONG + "\t" + "y" * LONG))
    assert await harness.environment.read("#line") == "x" * LONG
    assert await harness.environment.read("#password") == "y" * LONG


@pytest.mark.slow
async def test_fields_that_pass_the_focus_on(harness: Harness) -> None:
    """A page that moves the focus at every input gets one character for each field."""
    code = "".join(str(number % 10) for number in range(80))
    await harness.go("code")
    await harness.click("#d0")
    await harness.do(Type(code))
    assert "".join([await harness.environment.read(f"#d{number}") or "" for number in range(80)]) == code


def _listeners() -> Iterator[Any]:
    for row, place in enumerate(LISTENERS):
        for column, kind in enumerate(KINDS):
            yield pytest.param(place, kind, marks=pytest.mark.slow if (row - column) % len(KINDS) else ())


@pytest.mark.parametrize(("place", "kind"), list(_listeners()))
async def test_every_listener_gets_every_key(harness: Harness, place: str, kind: str) -> None:
    """Wherever somebody listens on the way of an event, each character is an event of its own."""
    text = _of(TEXTS["ascii"], KEYED + 20)
    await harness.go("heard")
    await _run(harness, LISTENERS[place].format(kind=kind))
    assert await _typed(harness, "#area", text) == text
    assert await harness.out() == str(len(text))


async def test_a_page_that_refuses_keys(harness: Harness) -> None:
    """What a page prevents is not written."""
    await harness.go("heard")
    await _run(
        harness, "area.addEventListener('keydown', (event) => event.key === 'x' && event.preventDefault())"
    )
    assert await _typed(harness, "#area", "ax" * KEYED) == "a" * KEYED


async def test_a_held_key_is_no_insertion(harness: Harness) -> None:
    """With Ctrl held a long text is a row of chords, and writes nothing."""
    await harness.go("fields")
    await harness.click("#area")
    await harness.do(KeyDown("ctrl"), Type("q" * LONG), KeyUp("ctrl"), Key(("b",)))
    assert await harness.environment.read("#area") == "b"


@pytest.mark.slow
async def test_a_drag_of_many_points(harness: Harness) -> None:
    """The page sees the whole path of a drag, to its last point."""
    path = tuple((20 + number % 500, 300 + number % 7) for number in range(200))
    await harness.go("heard")
    await _run(
        harness, "addEventListener('mousemove', (e) => { out.textContent = e.clientX + ',' + e.clientY; })"
    )
    await harness.do(Drag(path))
    assert await harness.out() == "{},{}".format(*path[-1])


async def test_a_deadline_grows_with_the_action() -> None:
    """Twice the text, path or repeats, twice the time; a short action has no more than the usual patience."""
    assert Type("x" * 200).extra_seconds() == 2 * Type("x" * 100).extra_seconds() > 0
    assert Drag(((1, 1), (2, 2)) * 50).extra_seconds() > Drag(((1, 1), (2, 2))).extra_seconds()
    assert Key(("a",), 100).extra_seconds() > Key(("a",)).extra_seconds()


async def _run(harness: Harness, script: str) -> Any:
    """Return the value of a script in the page itself, without a person's gesture."""
    session = harness.environment._session
    assert session is not None
    options = {"expression": script, "awaitPromise": True, "returnByValue": True}
    return (await session.active.cdp.send("Runtime.evaluate", options)).get("result", {}).get("value")
