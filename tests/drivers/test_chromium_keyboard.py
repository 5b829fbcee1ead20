"""Keys beyond letters in Chromium: the keypad, dead keys, Compose, and characters that no key of the layout writes."""

from __future__ import annotations

import pytest

from pytest_cuabench.task.action import Action, Key, KeyDown, KeyUp, Type
from pytest_cuabench.task.keys import parse_chords

from .conftest import Harness

pytestmark = pytest.mark.asyncio(loop_scope="module")


def pressed(text: str) -> tuple[Action, ...]:
    """Return the key actions of a sequence of chords."""
    return tuple(Key(chord) for chord in parse_chords(text))


@pytest.mark.parametrize(
    ("keys", "written"),
    [
        ("KP_1 KP_0 KP_Decimal KP_5", "10.5"),
        ("KP_Add KP_Subtract KP_Multiply KP_Divide", "+-*/"),
        ("dead_acute e", "é"),
        ("dead_diaeresis U", "Ü"),
        ("dead_circumflex space", "^"),
        ("dead_acute q x", "x"),
        ("Multi_key ' e", "é"),
        ("Multi_key s s", "ß"),
        ("Multi_key c s", "š"),
        ("Compose = e", "€"),
        ("eacute EuroSign U4E00", "é€一"),
        ("ctrl+eacute a", "a"),
        ("alt+eacute a", "a"),
    ],
)
async def test_keys_write(harness: Harness, keys: str, written: str) -> None:
    """What keys write stands in the field, as on a real keyboard."""
    await harness.go("keyboard")
    await harness.click("#field")
    await harness.do(*pressed(keys))
    assert await harness.environment.read("#field") == written


@pytest.mark.parametrize(
    ("keys", "events"),
    [
        ("KP_7", "keydown:7:Numpad7:3 input:insertText:7 keyup:7:Numpad7:3"),
        ("KP_Enter", "keydown:Enter:NumpadEnter:3 keyup:Enter:NumpadEnter:3"),
        ("eacute", "keydown:é::0 input:insertText:é keyup:é::0"),
        ("dead_acute", "keydown:Dead::0 keyup:Dead::0"),
        ("Help", "keydown:Help:Help:0 keyup:Help:Help:0"),
    ],
)
async def test_events_of_keys(harness: Harness, keys: str, events: str) -> None:
    """A page sees which key it was and where it lies."""
    await harness.go("keyboard")
    await harness.click("#field")
    await harness.do(*pressed(keys))
    assert await harness.out() == events


async def test_an_input_method_commits_what_no_key_writes(harness: Harness) -> None:
    """Signs and emoji come as a composition that ends, with the key that the input method took."""
    await harness.go("keyboard")
    await harness.click("#field")
    await harness.do(Type("患😀"))
    assert await harness.environment.read("#field") == "患😀"
    seen = (await harness.out()).split()
    assert seen[0] == "keydown:Process::0"
    assert "compositionend:患😀" in seen


async def test_shift_held_with_the_keypad(harness: Harness) -> None:
    """A modifier that is held is seen with a key of the keypad."""
    await harness.go("keyboard")
    await harness.click("#field")
    await harness.do(KeyDown("ctrl"), Key(("kp_add",)), KeyUp("ctrl"))
    assert await harness.environment.read("#field") == ""
