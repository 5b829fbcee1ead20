"""Actions are parsed strictly: what does not fit is told to the agent, never guessed."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from dataclasses import MISSING, fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import ACTIONS, MAX_TEXT, Action, Point, Size, check_on_screen, parse_action
from pytest_cuabench.task.keys import canonical_key, parse_chord, parse_chords

SCREEN = Size(640, 480)

pixel = st.integers(-5, 8000)
text = st.text(max_size=30)
button = st.sampled_from(["left", "middle", "right", "back", "forward"])
modifiers = st.lists(st.sampled_from(["ctrl", "shift", "alt", "meta"]), max_size=3)
key = st.sampled_from(["enter", "a", "A", "ü", "+", " ", "f12", "ctrl", "pagedown", "\\"]).map(canonical_key)
keys = st.lists(key, min_size=1, max_size=6)
seconds = st.floats(0, 60) | st.integers(0, 60)
place = st.fixed_dictionaries({"x": pixel, "y": pixel}) | st.just({})
region = st.tuples(pixel, pixel, st.integers(1, 500), st.integers(1, 500)).map(
    lambda r: [r[0], r[1], r[0] + r[2], r[1] + r[3]]
)


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "x": pixel, "y": pixel, "button": button, "count": st.integers(1, 3), "modifiers": modifiers,
    "path": st.lists(st.tuples(pixel, pixel), min_size=2, max_size=9), "region": region,
    "dx": st.integers(-100, 100), "dy": st.integers(1, 100), "keys": keys, "key": key, "repeat": st.integers(1, 100),
    "seconds": seconds, "index": st.integers(0, 9), "mark": pixel, "text": text, "url": text, "name": text,
    "arguments": text, "code": text, "language": st.sampled_from(["python", "bash"]), "reason": text,
    "status": st.sampled_from(["success", "failure", "infeasible"]),
}  # fmt: skip
"""Values of arguments, by the name that they have in every action."""


def arguments(cls: type[Action]) -> st.SearchStrategy[dict[str, Any]]:
    """Return plain data with all arguments of an action; a place that may be left out is there or not."""
    names = {field.name: field.default is MISSING for field in fields(cls)}
    if unknown := sorted(set(names) - set(VALUES)):
        pytest.fail(f"{cls.kind}: add values of {', '.join(unknown)} to VALUES in tests/task/test_action.py")
    anywhere = names.get("x") is False
    rest = st.fixed_dictionaries({name: VALUES[name] for name in names if not (anywhere and name in "xy")})
    return st.builds(lambda there, others: there | others, place, rest) if anywhere else rest


@pytest.mark.parametrize("kind", sorted(ACTIONS))
@settings(max_examples=30)
@given(data=st.data())
def test_round_trip(kind: str, data: st.DataObject) -> None:
    """What an action writes as JSON is read back as the same action, whatever its kind."""
    action = parse_action({"kind": kind, **data.draw(arguments(ACTIONS[kind]))})
    assert isinstance(action, ACTIONS[kind])
    assert parse_action(json.loads(json.dumps(action.to_json()))) == action
    assert str(action).startswith(f"{kind}(")


@given(text=st.text())
def test_text_is_kept_as_it_stands(text: str) -> None:
    """Typed and answered text keeps every character of Unicode."""
    assert parse_action({"kind": "type", "text": text}) == act.Type(text)
    assert parse_action(json.loads(json.dumps(act.Answer(text).to_json()))).text == text  # type: ignore[attr-defined]


def test_defaults_are_left_out() -> None:
    """JSON of an action holds what differs from the defaults."""
    assert act.Click(1, 2).to_json() == {"kind": "click", "x": 1, "y": 2}
    assert act.Wait().to_json() == {"kind": "wait"}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "an action is a JSON object with a 'kind', not NoneType"),
        ([1], "an action is a JSON object with a 'kind', not list"),
        ("click", "an action is a JSON object with a 'kind', not str"),
        ({}, "an action has its name as 'kind'; known: answer, back,"),
        ({"kind": "tap"}, "unknown action 'tap'; known: answer, back,"),
        ({"kind": "Click", "x": 1, "y": 1}, "unknown action 'Click'"),
        ({"kind": ["click"]}, "unknown action ['click']"),
        ({"kind": {}}, "unknown action {}"),
        ({"kind": "move", "x": 1}, "move: missing argument y; it takes x, y"),
        ({"kind": "move"}, "move: missing argument x, y"),
        ({"kind": "type"}, "type: missing argument text"),
        ({"kind": "move", "x": 1, "y": 1, "z": 1}, "move: unknown argument z"),
        ({"kind": "click", "x": 1}, "click: give both x and y, or neither for the cursor's place"),
        ({"kind": "move", "x": 1.0, "y": 1}, "move: x is 1.0, but must be a whole number"),
        ({"kind": "move", "x": "1", "y": 1}, "move: x is '1', but must be a whole number"),
        ({"kind": "move", "x": True, "y": 1}, "move: x is True, but must be a whole number"),
        ({"kind": "move", "x": None, "y": 1}, "move: x is None, but must be a whole number"),
        ({"kind": "click", "x": True, "y": 1}, "click: x is True, but must be a whole number or nothing"),
        ({"kind": "click", "count": True}, "click: count is True, but must be a whole number"),
        ({"kind": "click", "count": 4}, "click: count is 4, but must be 1, 2 or 3"),
        ({"kind": "click", "count": 0}, "click: count is 0, but must be 1, 2 or 3"),
        ({"kind": "click", "button": "Left"}, "click: button is 'Left', but must be one of 'left', 'middle'"),
        ({"kind": "click", "button": []}, "click: button is [], but must be one of"),
        ({"kind": "click", "modifiers": "ctrl"}, "click: modifiers is 'ctrl', but must be a list"),
        (
            {"kind": "click", "modifiers": ["hyper"]},
            "click: ['hyper'] are no modifiers; known: ['alt', 'ctrl'",
        ),
        (
            {"kind": "click_element", "mark": 1, "count": 9},
            "click_element: count is 9, but must be 1, 2 or 3",
        ),
        ({"kind": "type", "text": 5}, "type: text is 5, but must be text"),
        ({"kind": "type", "text": None}, "type: text is None, but must be text"),
        ({"kind": "type", "text": ["a"]}, "type: text is ['a'], but must be text"),
        ({"kind": "wait", "seconds": True}, "wait: seconds is True, but must be a number"),
        ({"kind": "wait", "seconds": "1"}, "wait: seconds is '1', but must be a number"),
        ({"kind": "wait", "seconds": -1}, "wait: seconds is -1, but must be 0 to 60"),
        ({"kind": "wait", "seconds": 61}, "wait: seconds is 61, but must be 0 to 60"),
        ({"kind": "wait", "seconds": math.nan}, "wait: seconds is nan, but must be 0 to 60"),
        ({"kind": "wait", "seconds": math.inf}, "wait: seconds is inf, but must be 0 to 60"),
        ({"kind": "wait", "seconds": 10**400}, "wait: seconds is 1000"),
        ({"kind": "drag", "path": [[1, 1]]}, "drag: path has 1 points, but needs 2 to 1000"),
        (
            {"kind": "drag", "path": [[1, 1], [2]]},
            "drag: path is [[1, 1], [2]], but must be a list of points, each [x, y]",
        ),
        (
            {"kind": "drag", "path": [[1, 1], [2, True]]},
            "drag: path is [[1, 1], [2, True]], but must be a list of points",
        ),
        ({"kind": "scroll"}, "scroll: dx=0, dy=0 is not 1 to 100 notches in some direction"),
        ({"kind": "scroll", "dy": 101}, "scroll: dx=0, dy=101 is not 1 to 100 notches"),
        ({"kind": "key", "keys": []}, "key: give 1 to 6 keys, not 0"),
        ({"kind": "key", "keys": ["a"] * 7}, "key: give 1 to 6 keys, not 7"),
        ({"kind": "key", "keys": "ctrl+a"}, "key: keys is 'ctrl+a', but must be a list"),
        ({"kind": "key", "keys": ["Return"]}, "key: key 'Return' is written 'enter'"),
        ({"kind": "key", "keys": ["any"]}, "unknown key 'any'; known: single characters, f1 to f24, alt,"),
        ({"kind": "key", "keys": ["a"], "repeat": 101}, "key: repeat is 101, but must be 1 to 100"),
        ({"kind": "key_down", "key": "\ud800"}, "key_down: the text holds a broken character"),
        ({"kind": "key", "keys": ["\ud800"]}, "unknown key '\\ud800'"),
        ({"kind": "zoom", "region": [5, 5, 5, 9]}, "zoom: region (5, 5, 5, 9) is empty"),
        ({"kind": "zoom", "region": [0, 0, 5]}, "zoom: region is [0, 0, 5], but must be a list"),
        ({"kind": "switch_tab", "index": -1}, "switch_tab: index is -1, but tabs are counted from 0"),
        ({"kind": "close_tab", "index": -1}, "close_tab: index is -1, but tabs are counted from 0"),
        (
            {"kind": "terminate", "status": "done"},
            "terminate: status is 'done', but must be one of 'success',",
        ),
        (
            {"kind": "run_code", "code": "1", "language": "perl"},
            "run_code: language is 'perl', but must be one",
        ),
    ],
)
def test_malformed_actions(data: object, sentence: str) -> None:
    """An action that is unknown, incomplete, or of the wrong type is refused in a sentence that says why."""
    with pytest.raises(ActionError) as refused:
        parse_action(data)
    assert str(refused.value).startswith(sentence)
    assert "\n" not in str(refused.value)


TEXTS = [
    ("type", "text"),
    ("answer", "text"),
    ("navigate", "url"),
    ("terminate", "reason"),
    ("call_user", "text"),
]
TEXTS += [("open_app", "name"), ("run_code", "code")]


@pytest.mark.parametrize(("kind", "name"), TEXTS)
def test_texts_are_limited_and_whole(kind: str, name: str) -> None:
    """No text is longer than the limit, and none holds half a character."""
    parse_action({"kind": kind, name: "x" * MAX_TEXT})
    with pytest.raises(
        ActionError, match=f"{kind}: the text has {MAX_TEXT + 1} characters, at most {MAX_TEXT}"
    ):
        parse_action({"kind": kind, name: "x" * (MAX_TEXT + 1)})
    with pytest.raises(ActionError, match=rf"{kind}: the text holds a broken character \(a lone surrogate\)"):
        parse_action({"kind": kind, name: "a\ud83d"})


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text()
        | st.sampled_from(sorted(ACTIONS)),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["kind", "x", "y", "keys", "text", "seconds"]), inner, max_size=4
            )
        ),
        max_leaves=6,
    )
)
def test_anything_else_is_an_action_error(data: object) -> None:
    """Whatever a model writes, parsing returns an action or raises `ActionError`."""
    with suppress(ActionError):
        assert isinstance(parse_action(data), Action)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Return", "enter"),
        ("KP_Enter", "kp_enter"),
        ("ESC", "escape"),
        ("Control_L", "ctrl"),
        ("cmd", "meta"),
        ("Super_L", "meta"),
        ("option", "alt"),
        ("Page_Down", "pagedown"),
        ("Next", "pagedown"),
        ("ArrowLeft", "left"),
        (" ", "space"),
        ("\n", "enter"),
        ("\t", "tab"),
        ("F12", "f12"),
        ("a", "a"),
        ("A", "A"),
        ("ü", "ü"),
        ("+", "+"),
        ("plus", "+"),
        ("minus", "-"),
        ("BackSlash", "\\"),
        ("CTRL_L", "ctrl"),
        ("right ctrl", "ctrl"),
        ("lwin", "meta"),
        ("AltGr", "alt"),
        ("ISO_Left_Tab", "tab"),
        ("Page Down", "pagedown"),
        ("page-up", "pageup"),
        ("Left Arrow", "left"),
        ("Num_Lock", "numlock"),
        ("KP_0", "kp_0"),
        ("KP_Add", "kp_add"),
        ("underscore", "_"),
        ("asciitilde", "~"),
        ("PrtSc", "printscreen"),
    ],
)
def test_key_aliases(name: str, key: str) -> None:
    """Keys may be called by the names of X11, of browsers and of pyautogui."""
    assert canonical_key(name) == key
    assert canonical_key(key) == key


@pytest.mark.parametrize(
    "name", ["", "f0", "f25", "f01", "f٣", "enterr", "\x00", "\x1b", "\u200b", "\u202e", "ab"]
)
def test_unknown_keys(name: str) -> None:
    """What is no key, or cannot be seen, is refused with the list of keys."""
    with pytest.raises(
        ActionError, match=r"unknown key .*; known: single characters, f1 to f24, alt, backspace"
    ):
        canonical_key(name)


@pytest.mark.parametrize(
    ("chord", "keys"),
    [
        ("ctrl+a", ("ctrl", "a")),
        ("Ctrl + Shift + T", ("ctrl", "shift", "T")),
        ("ctrl++", ("ctrl", "+")),
        ("+", ("+",)),
        ("Control_L+Page_Down", ("ctrl", "pagedown")),
        (" enter ", ("enter",)),
        (" ", ("space",)),
        ("alt+F4", ("alt", "f4")),
        ("ctrl+plus", ("ctrl", "+")),
        ("ctrl-a", ("ctrl", "a")),
        ("Ctrl-Shift-Page Down", ("ctrl", "shift", "pagedown")),
        ("ctrl--", ("ctrl", "-")),
        ("-", ("-",)),
    ],
)
def test_chords(chord: str, keys: tuple[str, ...]) -> None:
    """Chords are keys joined by a plus, which may be a key itself."""
    assert parse_chord(chord) == keys
    assert act.Key(parse_chord(chord)).keys == keys


@pytest.mark.parametrize(
    ("text", "chords"),
    [
        ("Tab Tab Tab", (("tab",),) * 3),
        ("ctrl+a Delete", (("ctrl", "a"), ("delete",))),
        ("Page Down", (("pagedown",),)),
        ("Ctrl + Shift + T", (("ctrl", "shift", "T"),)),
    ],
)
def test_sequences_of_chords(text: str, chords: tuple[tuple[str, ...], ...]) -> None:
    """Chords with spaces between them are pressed in sequence; a name of two words is one key."""
    assert parse_chords(text) == chords


@pytest.mark.parametrize("chord", ["", "+a", "ctrl+", "ctrl+++", "ctrl+nokey", "a  b"])
def test_malformed_chords(chord: str) -> None:
    """A chord with an empty or unknown part is refused."""
    with pytest.raises(ActionError):
        parse_chord(chord)


@pytest.mark.parametrize(
    "action",
    [
        act.Move(0, 0),
        act.Move(639, 479),
        act.Click(),
        act.Drag(((0, 0), (639, 479))),
        act.Zoom((0, 0, 640, 480)),
        act.Scroll(dy=1),
        act.Terminate(),
        act.CallUser(),
    ],
)
def test_on_screen(action: Action) -> None:
    """Points up to the last pixel, and actions without a point, can be carried out."""
    check_on_screen(action, SCREEN, ("pointer", "keyboard"))


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (act.Move(640, 0), r"move: \(640, 0\) lies outside the 640x480 screen"),
        (act.Move(0, 480), r"move: \(0, 480\) lies outside"),
        (act.Click(-1, 5), r"click: \(-1, 5\) lies outside"),
        (act.Drag(((0, 0), (5, 480))), r"drag: \(5, 480\) lies outside"),
        (act.Zoom((0, 0, 641, 480)), r"zoom: \(640, 479\) lies outside"),
        (act.Scroll(700, 1, dy=1), r"scroll: \(700, 1\) lies outside"),
        (act.Type("a"), "type is not available in this environment"),
        (act.KeyDown("a"), "key_down is not available in this environment"),
        (act.ClickElement(1), "click_element is not available in this environment"),
    ],
)
def test_not_on_screen(action: Action, sentence: str) -> None:
    """A point beyond the screen, or an action that the environment cannot do, is refused."""
    with pytest.raises(ActionError, match=sentence):
        check_on_screen(action, SCREEN, ("pointer",))


def test_points() -> None:
    """An action tells which points of the screen it names."""
    assert act.Click(3, 4).points() == (Point(3, 4),)
    assert act.Click().points() == ()
    assert act.Drag(((1, 2), (3, 4))).points() == (Point(1, 2), Point(3, 4))
    assert act.Type("a").points() == ()


def test_signs_of_keys() -> None:
    """Keys may be written as menus and keyboards print them, with and without plus signs."""
    signs = {
        "⏎": "enter", "↵": "enter", "⌫": "backspace", "⌦": "delete", "⎋": "escape", "⇥": "tab", "␣": "space",
        "↑": "up", "↓": "down", "←": "left", "→": "right", "⬆\ufe0f": "up", "⇞": "pageup", "⇟": "pagedown",
        "↖": "home", "↘": "end", "⇪": "capslock", "⌘": "meta", "⌥": "alt", "⇧": "shift", "⌃": "ctrl",
    }  # fmt: skip
    for sign, key in signs.items():
        assert canonical_key(sign) == key, sign
        assert parse_chord(sign) == (key,), sign
    chords = {
        "⌘+c": ("meta", "c"), "⌘C": ("meta", "c"), "⇧⌘T": ("shift", "meta", "t"), "⌃↑": ("ctrl", "up"),
        "⌥+⇥": ("alt", "tab"), "ctrl+⏎": ("ctrl", "enter"), "⌘\ufe0f+V": ("meta", "V"),
    }  # fmt: skip
    for chord, keys in chords.items():
        assert parse_chord(chord) == keys, chord
