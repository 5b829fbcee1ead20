"""A text arrives whole however long it is, and whoever listens for keys or input gets every one of them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_cuabench.drivers.chromium.input import Hands
from pytest_cuabench.drivers.chromium.insertion import KEYED
from pytest_cuabench.task.action import MAX_TEXT, Drag, Key, KeyDown, KeyUp, Type
from pytest_cuabench.task.durations import seconds_for

from .conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXTS = {
    "ascii": "The quick brown fox jumps over the lazy dog; (0123456789) ",
    "mixed": "Größe für Åse, ça va? “q” – naïve e\u0301 患者の名前 a😀b x👩\u200d⚕️y. ",
    "lines": "one line\nanother\n\nafter an empty one\n",
    "arabic": "مرحبا بالعالم ",
}
LONG = 3 * KEYED
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
    original = Hands._key_by_key

    async def spied(self: Hands, tab: Any, text: str) -> None:
        seen.append(text)
        await original(self, tab, text)

    monkeypatch.setattr(Hands, "_key_by_key", spied)
    return seen


async def _typed(desk: Desk, target: str, text: str) -> str | None:
    await desk.click(target)
    await desk.do(Type(text))
    return await desk.environment.read(target)


def _of(pattern: str, length: int) -> str:
    return (pattern * length)[: length - 1] + "."


@pytest.mark.parametrize("name", TEXTS)
async def test_a_long_text_arrives_whole(desk: Desk, keyed: list[str], name: str) -> None:
    """Where nobody listens a long text is inserted; nothing of it is lost or changed."""
    text = _of(TEXTS[name], 3000)
    await desk.go("fields")
    assert await _typed(desk, "#area", text) == text
    assert len("".join(keyed)) <= 1


@pytest.mark.parametrize("name", TEXTS)
async def test_the_longest_text_arrives_whole(desk: Desk, name: str) -> None:
    """As many characters as an action may have arrive in one action."""
    text = _of(TEXTS[name], MAX_TEXT)
    await desk.go("fields")
    assert await _typed(desk, "#area", text) == text


@pytest.mark.slow
@pytest.mark.parametrize("length", [2000, pytest.param(MAX_TEXT, marks=pytest.mark.nightly)])
async def test_a_long_text_arrives_key_by_key(desk: Desk, length: int) -> None:
    """A page that listens gets every key, at night as many as an action may have characters."""
    text = _of(TEXTS["ascii"], length)
    await desk.go("heard")
    await _run(desk, "document.addEventListener('keydown', hear)")
    assert await _typed(desk, "#area", text) == text
    assert await desk.out() == str(length)


@pytest.mark.parametrize("target", ["#line", "#password", "#rich", "#open textarea", "#inner"])
async def test_every_kind_of_text_field(desk: Desk, keyed: list[str], target: str) -> None:
    """Lines, passwords, rich text, fields in shadow roots and in frames take a long text at once."""
    text = _of(TEXTS["ascii"], LONG).replace("  ", " ")
    await desk.go("fields")
    await desk.click(target)
    await desk.do(Type(text))
    assert (await desk.environment.read(target) or "").replace("\xa0", " ") == text
    assert len("".join(keyed)) <= 1


async def test_a_field_in_a_closed_shadow_root(desk: Desk, keyed: list[str]) -> None:
    """Who listens in there cannot be asked, so every key is sent."""
    text = _of(TEXTS["ascii"], LONG)
    await desk.go("fields")
    await desk.click("#closed")
    await desk.do(Type(text))
    assert await _run(desk, "closedValue()") == text
    assert "".join(keyed) == text


async def test_rich_text_has_lines(desk: Desk) -> None:
    """The Enter key makes the lines of rich text."""
    text = _of("a line of some words\n", LONG)
    await desk.go("fields")
    assert await _typed(desk, "#rich", text) == text


async def test_a_field_keeps_its_limits(desk: Desk) -> None:
    """Neither a limit of characters nor what a number may hold is passed by."""
    await desk.go("fields")
    assert await _typed(desk, "#short", "x" * LONG) == "x" * 100
    assert await _typed(desk, "#number", "12ab" + "3" * LONG) == "12" + "3" * LONG


async def test_a_line_end_submits_a_form(desk: Desk) -> None:
    """In a line it is the Enter key, and what follows goes to the page that has the focus then."""
    await desk.go("fields")
    await desk.click("#line")
    await desk.do(Type("x" * LONG + "\n" + "y" * LONG))
    assert await desk.environment.read("h1") == "Two"


async def test_a_tab_goes_to_the_next_field(desk: Desk) -> None:
    """The Tab key moves the focus in the middle of a long text."""
    await desk.go("fields")
    await desk.click("#line")
    await desk.do(Type("x" * LONG + "\t" + "y" * LONG))
    assert await desk.environment.read("#line") == "x" * LONG
    assert await desk.environment.read("#password") == "y" * LONG


async def test_fields_that_pass_the_focus_on(desk: Desk) -> None:
    """A page that moves the focus at every input gets one character for each field."""
    code = "".join(str(number % 10) for number in range(80))
    await desk.go("code")
    await desk.click("#d0")
    await desk.do(Type(code))
    assert "".join([await desk.environment.read(f"#d{number}") or "" for number in range(80)]) == code


@pytest.mark.parametrize("kind", ["keydown", "keypress", "keyup", "input"])
@pytest.mark.parametrize("place", LISTENERS)
async def test_every_listener_gets_every_key(desk: Desk, place: str, kind: str) -> None:
    """Wherever somebody listens on the way of an event, each character is an event of its own."""
    text = _of(TEXTS["ascii"], KEYED + 20)
    await desk.go("heard")
    await _run(desk, LISTENERS[place].format(kind=kind))
    assert await _typed(desk, "#area", text) == text
    assert await desk.out() == str(len(text))


async def test_a_page_that_refuses_keys(desk: Desk) -> None:
    """What a page prevents is not written."""
    await desk.go("heard")
    await _run(
        desk, "area.addEventListener('keydown', (event) => event.key === 'x' && event.preventDefault())"
    )
    assert await _typed(desk, "#area", "ax" * KEYED) == "a" * KEYED


async def test_a_held_key_is_no_insertion(desk: Desk) -> None:
    """With Ctrl held a long text is a row of chords, and writes nothing."""
    await desk.go("fields")
    await desk.click("#area")
    await desk.do(KeyDown("ctrl"), Type("q" * LONG), KeyUp("ctrl"), Key(("b",)))
    assert await desk.environment.read("#area") == "b"


async def test_a_drag_of_very_many_points(desk: Desk) -> None:
    """The page sees the whole path of a drag, to its last point."""
    path = tuple((20 + number % 500, 300 + number % 7) for number in range(1000))
    await desk.go("heard")
    await _run(
        desk, "addEventListener('mousemove', (e) => { out.textContent = e.clientX + ',' + e.clientY; })"
    )
    await desk.do(Drag(path))
    assert await desk.out() == "{},{}".format(*path[-1])


async def test_a_deadline_grows_with_the_action() -> None:
    """Twice the text, path or repeats, twice the time; a short action has no more than the usual patience."""
    assert seconds_for(Type("x" * 200)) == 2 * seconds_for(Type("x" * 100)) > 0
    assert seconds_for(Drag(((1, 1), (2, 2)) * 50)) > seconds_for(Drag(((1, 1), (2, 2))))
    assert seconds_for(Key(("a",), 100)) > seconds_for(Key(("a",)))


async def _run(desk: Desk, script: str) -> Any:
    session = desk.environment._session
    assert session is not None
    return await session.active.evaluate(script)
