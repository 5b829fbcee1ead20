"""Raw input events of the Chrome DevTools Protocol become the actions that a person would name."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_cuabench.agents.program.endpoints.cdp.input import Gathering
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action

Event = tuple[str, dict[str, Any]]


def mouse(kind: str, x: int = 10, y: int = 20, **more: Any) -> Event:
    """Return an event of the mouse."""
    return "Input.dispatchMouseEvent", {"type": f"mouse{kind}", "x": x, "y": y, "button": "left", **more}


def key(name: str, text: str = "", kind: str = "keyDown", **more: Any) -> Event:
    """Return an event of the keyboard."""
    return "Input.dispatchKeyEvent", {"type": kind, "key": name, **({"text": text} if text else {}), **more}


def stroke(name: str, text: str = "", **more: Any) -> list[Event]:
    """Return the events of a key that is pressed and released."""
    return [key(name, text, **more), key(name, kind="keyUp", **more)]


def gathered(*events: Event) -> list[Action]:
    """Return the actions of events that came without a pause."""
    found = Gathering()
    for method, parameters in events:
        found.take(method, parameters)
    return found.taken()


CLICK = [mouse("Moved"), mouse("Pressed", clickCount=1), mouse("Released", clickCount=1)]
AGAIN = [mouse("Pressed", clickCount=2), mouse("Released", clickCount=2)]
CASES: dict[str, tuple[list[Event], list[Action]]] = {
    "a click": (CLICK, [act.Click(10, 20)]),
    "a double click": ([*CLICK, *AGAIN], [act.Click(10, 20, count=2)]),
    "a click with a modifier": (
        [
            key("Shift"),
            *CLICK[:1],
            mouse("Pressed", modifiers=8),
            mouse("Released"),
            key("Shift", kind="keyUp"),
        ],
        [act.Click(10, 20, modifiers=("shift",))],
    ),
    "hovering": ([mouse("Moved", 1, 1), mouse("Moved", 2, 2)], [act.Move(2, 2)]),
    "a drag": (
        [mouse("Pressed"), mouse("Moved", 30, 40), mouse("Released", 50, 60)],
        [act.Drag(((10, 20), (30, 40), (50, 60)))],
    ),
    "a wheel": ([mouse("Wheel", deltaX=0, deltaY=250)], [act.Scroll(10, 20, dy=2)]),
    "a small turn of a wheel": ([mouse("Wheel", deltaX=-1, deltaY=0)], [act.Scroll(10, 20, dx=-1)]),
    "a scroll gesture": (
        [("Input.synthesizeScrollGesture", {"x": 1, "y": 2, "yDistance": -240, "xDistance": 0})],
        [act.Scroll(1, 2, dy=2)],
    ),
    "a word": ([*stroke("h", "h"), *stroke("i", "i")], [act.Type("hi")]),
    "a word by characters": (
        [key("h"), key("h", "h", "char"), key("h", kind="keyUp"), key("Enter"), key("Enter", "\r", "char")],
        [act.Type("h"), act.Key(("enter",))],
    ),
    "a word and enter": ([*stroke("h", "h"), *stroke("Enter", "\r")], [act.Type("h"), act.Key(("enter",))]),
    "inserted text": ([("Input.insertText", {"text": "a\nb"})], [act.Type("a\nb")]),
    "a chord": (
        [key("Control"), *stroke("a", modifiers=2), key("Control", kind="keyUp")],
        [act.Key(("ctrl", "a"))],
    ),
    "a chord by bits alone": (stroke("a", "a", modifiers=2), [act.Key(("ctrl", "a"))]),
    "a capital letter": (
        [key("Shift"), *stroke("A", "A", modifiers=8), key("Shift", kind="keyUp")],
        [act.Type("A")],
    ),
    "shift and a named key": (stroke("Tab", modifiers=8), [act.Key(("shift", "tab"))]),
    "a key three times": (stroke("ArrowDown") * 3, [act.Key(("down",), 3)]),
    "a modifier alone": ([key("Alt"), key("Alt", kind="keyUp")], [act.Key(("alt",))]),
    "a raw key": ([key("a", kind="rawKeyDown"), key("a", kind="keyUp")], [act.Key(("a",))]),
}


@pytest.mark.parametrize(("events", "actions"), CASES.values(), ids=CASES)
def test_gathers(events: list[Event], actions: list[Action]) -> None:
    """Events that belong together become one action."""
    assert gathered(*events) == actions


def test_held_button() -> None:
    """A button that is held while the program looks is pressed by then, with its modifiers, and released later."""
    found = Gathering()
    found.take(*mouse("Pressed", modifiers=2))
    assert found.taken() == [act.KeyDown("ctrl"), act.MouseDown(10, 20)]
    found.take(*mouse("Moved", 30, 40))
    assert found.taken() == [act.Move(30, 40)]
    found.take(*mouse("Released", 30, 40))
    assert found.complete
    assert found.taken() == [act.MouseUp(30, 40), act.KeyUp("ctrl")]


def test_late_double_click() -> None:
    """The second press of a double click whose first is carried out already is one press."""
    found = Gathering()
    for method, event in CLICK:
        found.take(method, event)
    assert found.taken() == [act.Click(10, 20)]
    for method, event in AGAIN:
        found.take(method, event)
    assert found.taken() == [act.MouseDown(10, 20), act.MouseUp(10, 20)]


def test_completes() -> None:
    """Input is carried out at once where nothing can follow, and after a word only when the program pauses or looks."""
    for events, complete in ((CLICK, True), (stroke("Enter", "\r"), True), (stroke("a", "a"), False)):
        found = Gathering()
        for method, event in events:
            found.take(method, event)
        assert (found.complete, found.waiting) == (complete, True)


_VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just([]))


@given(
    st.sampled_from(
        ["Input.dispatchMouseEvent", "Input.dispatchKeyEvent", "Input.insertText", "Input.dispatchDragEvent"]
    ),
    st.dictionaries(
        st.sampled_from(
            ["type", "x", "y", "key", "text", "button", "clickCount", "modifiers", "deltaX", "deltaY"]
        ),
        _VALUES,
    ),
    st.sampled_from(["mousePressed", "mouseReleased", "mouseWheel", "keyDown", "char", "drop", "x"]),
)
def test_hostile(method: str, event: dict[str, Any], kind: str) -> None:
    """Whatever an event holds, it is gathered or refused with a sentence."""
    found = Gathering()
    with suppress(ActionError):
        found.take(method, {"type": kind, **event})
    assert all(isinstance(action, Action) for action in found.taken())
