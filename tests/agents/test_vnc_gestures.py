"""Pointer and key events of VNC clients are gathered into actions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_cuabench.agents.program.endpoints.vnc.gestures import Gestures
from pytest_cuabench.agents.program.endpoints.vnc.keysyms import key_of
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Size

SHIFT, CTRL, ALT, ENTER = 0xFFE1, 0xFFE3, 0xFFE9, 0xFF0D
Events = Callable[[Gestures], None]


def pointer(*events: tuple[int, int, int]) -> Events:
    """Send pointer events."""

    def send(gestures: Gestures) -> None:
        for event in events:
            gestures.pointer(*event)

    return send


def tap(*keysyms: int, held: tuple[int, ...] = ()) -> Events:
    """Press and release keys one after the other, while others are held."""

    def send(gestures: Gestures) -> None:
        for keysym in held:
            gestures.key(True, keysym)
        for keysym in keysyms:
            gestures.key(True, keysym)
            gestures.key(False, keysym)
        for keysym in held:
            gestures.key(False, keysym)

    return send


def click(x: int, y: int, button: int = 1) -> Events:
    """Press and release a button."""
    return pointer((0, x, y), (button, x, y), (0, x, y))


def gathered(*events: Events) -> list[Action]:
    """Return the actions of events within one moment."""
    gestures = Gestures(Size(100, 80), clock=lambda: 0.0)
    for send in events:
        send(gestures)
    return list(gestures.take())


@pytest.mark.parametrize(
    ("events", "actions"),
    [
        ([click(10, 20)], [act.Click(10, 20)]),
        ([click(10, 20, 4)], [act.Click(10, 20, "right")]),
        ([click(10, 20, 128)], [act.Click(10, 20, "back")]),
        ([click(10, 20), click(11, 20)], [act.Click(10, 20, count=2)]),
        ([click(10, 20)] * 4, [act.Click(10, 20, count=3), act.Click(10, 20)]),
        ([click(10, 20), click(30, 20)], [act.Click(10, 20), act.Click(30, 20)]),
        ([pointer((0, 5, 5), (0, 6, 6), (0, 7, 7))], [act.Move(7, 7)]),
        ([pointer((0, 5, 5), (1, 5, 5), (1, 40, 5), (1, 40, 9), (0, 40, 9))], [act.Drag(((5, 5), (40, 5), (40, 9)))]),
        ([pointer((1, 5, 5), (1, 6, 5), (0, 6, 5))], [act.Click(5, 5)]),
        ([pointer((0, 5, 5), (16, 5, 5), (0, 5, 5), (16, 5, 5), (0, 5, 5))], [act.Scroll(5, 5, dy=2)]),
        ([pointer((0, 5, 5), (64, 5, 5), (0, 5, 5))], [act.Scroll(5, 5, dx=1)]),
        ([pointer((0, 5, 5), (8, 5, 5), (0, 5, 5))], [act.Scroll(5, 5, dy=-1)]),
        ([click(60000, 60000)], [act.Click(99, 79)]),
        ([tap(*b"Hi you")], [act.Type("Hi you")]),
        ([tap(ord("H"), held=(SHIFT,)), tap(ord("i"))], [act.Type("Hi")]),
        ([tap(0xE9, 0x20AC, 0x01000000 + 0x65E5, 0x1B1)], [act.Type("é€日ą")]),
        ([tap(*b"ok", ENTER, 0xFF08, 0xFF08)], [act.Type("ok"), act.Key(("enter",)), act.Key(("backspace",), 2)]),
        ([tap(ord("c"), held=(CTRL,))], [act.Key(("ctrl", "c"))]),
        ([tap(ord("T"), held=(CTRL, SHIFT))], [act.Key(("ctrl", "shift", "t"))]),
        ([tap(0xFF09, held=(SHIFT,))], [act.Key(("shift", "tab"))]),
        ([tap(0xFE20, held=(SHIFT,))], [act.Key(("shift", "tab"))]),
        ([tap(0xFFEB)], [act.Key(("meta",))]),
        ([tap(ord("@"), held=(0xFE03,))], [act.Type("@")]),
        ([lambda g: g.key(True, 0xFF53)] * 3, [act.Key(("right",), 3)]),
        ([lambda g: g.key(True, CTRL), click(5, 5), lambda g: g.key(False, CTRL)],
         [act.Click(5, 5, modifiers=("ctrl",))]),
    ],
)  # fmt: skip
def test_gestures(events: list[Events], actions: list[Action]) -> None:
    """Events within a moment are the actions that a person would call them."""
    assert gathered(*events) == actions


def test_slow_clicks() -> None:
    """Two clicks with half a second in between are two clicks."""
    now = iter((0.0, 0.0, 1.0, 1.0))
    gestures = Gestures(Size(100, 80), clock=lambda: next(now))
    click(5, 5)(gestures)
    click(5, 5)(gestures)
    assert gestures.take() == (act.Click(5, 5), act.Click(5, 5))


def test_held_over_steps() -> None:
    """A button and a modifier that stay pressed at a step's end are released in a later step."""
    gestures = Gestures(Size(100, 80))
    gestures.key(True, CTRL)
    pointer((1, 5, 5))(gestures)
    assert gestures.take() == (act.KeyDown("ctrl"), act.MouseDown(5, 5))
    assert not gestures
    pointer((1, 50, 5), (0, 50, 5))(gestures)
    tap(ord("A"))(gestures)
    assert gestures.take() == (act.MouseUp(50, 5), act.Key(("a",)))
    gestures.key(False, CTRL)
    assert gestures.take() == (act.KeyUp("ctrl"),)


def test_client_goes() -> None:
    """What a client held when it went is released, and what it only began is nothing."""
    gestures = Gestures(Size(100, 80))
    gestures.key(True, ALT)
    pointer((4, 5, 5))(gestures)
    gestures.take()
    gestures.key(True, CTRL)
    gestures.release()
    assert gestures.take() == (act.MouseUp(5, 5, "right"), act.KeyUp("alt"))


def test_unknown_keys_are_told() -> None:
    """Keys without a name change nothing, and are kept for the record."""
    gestures = Gestures(Size(100, 80))
    tap(0x1008FF11, 0xFFFFFFFF, 0x0100D800)(gestures)
    assert not gestures
    assert gestures.ignored == [0x1008FF11, 0xFFFFFFFF, 0x0100D800]


EVENT = st.one_of(
    st.tuples(st.integers(0, 0xFFFF), st.integers(0, 0xFFFF), st.integers(0, 0xFFFF)),
    st.tuples(
        st.booleans(), st.one_of(st.sampled_from([SHIFT, CTRL, ALT, ENTER]), st.integers(0, 0xFFFFFFFF))
    ),
)


@given(st.lists(st.one_of(EVENT, st.none()), max_size=60))
def test_any_events(events: list[tuple[int, ...] | None]) -> None:
    """Any events in any order are valid actions, and nothing stays pressed when the client has gone."""
    gestures = Gestures(Size(100, 80))
    found: list[Action] = []
    for event in events:
        if event is None:
            found += gestures.take()
        elif len(event) == 3:
            gestures.pointer(*event)
        else:
            gestures.key(bool(event[0]), event[1])
    gestures.release()
    found += gestures.take()
    pressed = [action for action in found if isinstance(action, act.KeyDown | act.MouseDown)]
    released = [action for action in found if isinstance(action, act.KeyUp | act.MouseUp)]
    assert len(pressed) == len(released)


@given(st.integers(0, 0xFFFFFFFF))
def test_any_keysym(keysym: int) -> None:
    """Each number is the name of a key that exists, or none."""
    name = key_of(keysym)
    assert name is None or act.Key((name,))


def test_signs_of_keys_with_modifiers() -> None:
    """A character that is also the sign of a key is typed, and in a chord it is that key; what is no key is nothing."""
    for sign, keys in (("→", ("right",)), ("⏎", ("enter",)), ("\ufe0f", ())):
        gestures = Gestures(Size(300, 200))
        tap(0x100_0000 + ord(sign))(gestures)
        tap(0x100_0000 + ord(sign), held=(CTRL,))(gestures)
        assert gestures.take() == (act.Type(sign), *(act.Key(("ctrl", key)) for key in keys)), sign
