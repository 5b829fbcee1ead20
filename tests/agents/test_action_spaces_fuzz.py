"""Whatever a model writes, its reader answers: with actions, or with a sentence about what it did not understand."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lazily import lazily

from pytest_cuabench.agents.makers.chat.action_spaces import (
    ACTION_SPACES,
    COORDINATES,
    Reply,
    ToolCall,
    find_action_space,
)
from pytest_cuabench.agents.makers.chat.action_spaces.described import find_place, steps
from pytest_cuabench.task.action import Action, CoordinateSpace, Size, check_on_screen, parse_action

from .golden import FILES, golden
from .tally import ANYTHING, note, tried
from .test_action_spaces import GOLDEN

SCREEN = Size(1000, 500)
FREELY, CHANGED = 100, 200  # examples for each action space
EVERYTHING = ("pointer", "keyboard", "browser", "elements", "api", "code")
VALID: dict[str, list[str]] = defaultdict(list)
for _name, _text, _ in GOLDEN:
    VALID[_name].append(_text)
for _file in FILES:
    VALID[golden(_file).dialect] += [one.text for one in golden(_file).replies]

quiet = [HealthCheck.too_slow, HealthCheck.data_too_large]
SCRAPS = st.sampled_from(
    [
        "```", "<tool_call>", "</tool_call>", "<function=computer_use>", "<parameter=action>", "</parameter>", "(", ")",
        "[", "]", "{", "}", "'", '"', "\\", "\\u", "\n", "\0", "\ud800", "\u202e", "NaN", "1e999", "-0", "9" * 5000,
        "0x" + "f" * 6000, "null", "None", "True", "**", "*", "=", ",", ".", "Action:", "<point>", "</think>", "ANS ",
        "API x ", "CODE ", "WAIT ", "bash\n",
        "DONE", "{}", "[[", "\\d", "lambda: 0", "f'{1}'", "b'x'", "...", "1j", "(x := 1)", "await x", "#", "\t", "\r",
    ]
)  # fmt: skip
HOSTILE = st.one_of(st.text(max_size=60), SCRAPS, st.lists(SCRAPS, max_size=12).map("".join))
BOMBS = [opening * 30_000 for opening in "([{-~"] + [
    "a." * 20_000 + "b()",
    "not " * 20_000 + "1",
    "f(" * 900 + ")" * 900,
    "\n" * 90_000,
    "x" * 90_000,
    "<" + " " * 90_000,
    "DONE(" * 18_000,
    "Memory:" * 12_000,
]


@st.composite
def changed(draw: st.DrawFn, texts: list[str]) -> str:
    """Return a valid reply with some pieces cut, doubled, moved or replaced."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        piece = draw(st.one_of(HOSTILE, st.just(""), st.just(text[start:end] * 2), st.sampled_from(texts)))
        text = text[:start] + piece + text[end:]
    return text


def space_of(name: str, coordinates: str | None = None) -> tuple[Any, CoordinateSpace]:
    """Return a action space and its space."""
    dialect = find_action_space(name, coordinates)
    return dialect, dialect.space(SCREEN, SCREEN)


def judge(name: str, reply: Reply, coordinates: str | None = None) -> None:
    """Read a reply and insist on what every reading must be."""
    dialect, space = space_of(name, coordinates)
    reading = dialect.read(reply, space)
    note(f"chat {name}", understood=not reading.format_error)
    assert reading.format_error or reading.actions
    assert reading == dialect.read(reply, space)
    for action in reading.actions:
        assert isinstance(action, Action)
        assert parse_action(json.loads(json.dumps(action.to_json()))) == action
        check_on_screen(action, SCREEN, EVERYTHING)
    if reading.format_error:
        assert reading.format_error.strip()
        assert len(reading.format_error) < 800
        reading.format_error.encode()


@pytest.mark.parametrize("name", sorted(ACTION_SPACES))
def test_any_text(name: str) -> None:
    """No text breaks a reader."""
    count = 0

    @given(HOSTILE, st.sampled_from([None, *COORDINATES]))
    @settings(max_examples=FREELY, suppress_health_check=quiet)
    def read(text: str, coordinates: str | None) -> None:
        nonlocal count
        count += 1
        judge(name, Reply(text), coordinates)

    read()
    assert count >= FREELY


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ACTION_SPACES))
def test_changed_replies(name: str) -> None:
    """No change of a valid reply breaks its reader; what it still understands is an action of the screen."""
    count = 0

    @given(changed(VALID[name]))
    @settings(max_examples=CHANGED, suppress_health_check=quiet)
    def read(text: str) -> None:
        nonlocal count
        count += 1
        judge(name, Reply(text))

    read()
    assert count >= CHANGED


@pytest.mark.parametrize("name", ["qwen", "ui-tars-2", "browser-use", "computer_13"])
def test_any_json(name: str) -> None:
    """No JSON breaks a reader: as text, as a value of a known argument, or as a call that the server set apart."""
    count = 0
    known = st.sampled_from(
        [
            "action",
            "coordinate",
            "keys",
            "text",
            "pixels",
            "time",
            "status",
            "x",
            "y",
            "dx",
            "point",
            "key",
            "action_type",
        ]
    )
    call = st.dictionaries(
        known, ANYTHING | st.sampled_from(["left_click", "scroll", "key", "CLICK", "HOTKEY"]), max_size=4
    )

    @given(st.one_of(ANYTHING, call), st.sampled_from(["computer_use", "click", "wait", "", "x" * 100]))
    @settings(max_examples=FREELY, suppress_health_check=quiet)
    def read(value: Any, function: str) -> None:
        nonlocal count
        count += 1
        text = json.dumps(value)
        wrapped = json.dumps({"name": function, "arguments": value})
        judge(name, Reply("", (ToolCall(function, text),)))
        judge(name, Reply(text))
        judge(name, Reply(f"<tool_call>{wrapped}</tool_call>"))
        judge(name, Reply(json.dumps({"action": [{function: value}]})))

    read()
    assert count >= FREELY


@pytest.mark.parametrize("name", sorted(ACTION_SPACES))
@pytest.mark.parametrize("bomb", BOMBS, ids=range(len(BOMBS)))
def test_nested_beyond_reason(name: str, bomb: str) -> None:
    """A reply nested beyond all reason is a mistake like any other."""
    for text in (bomb, f"```\n{bomb}\n```", f"<tool_call>{bomb}</tool_call>", f"Action: click(point={bomb})"):
        judge(name, Reply(text))
    judge(name, Reply("", (ToolCall("computer_use", bomb),)))


@given(HOSTILE)
@settings(max_examples=200, suppress_health_check=quiet)
@example("<think>" * 50)
@example("</think><think>")
def test_any_thought(text: str) -> None:
    """Setting thoughts apart loses no text that is not of a tag."""
    thought, rest = lazily("pytest_cuabench.agents.makers.chat.completions").set_apart(text)
    assert all(part.strip() in text for part in (thought, rest))


@given(
    st.one_of(
        HOSTILE, changed(["```\nclick('Save')\ndrag('a', 'b')\n```", "```\ntype('x', target='y')\n```"])
    )
)
@settings(max_examples=300, suppress_health_check=quiet)
def test_any_plan(text: str) -> None:
    """No plan breaks its reader."""
    plan = tried("plan of a planner", lambda: list(steps(text)))
    assert plan is None or plan


@given(st.one_of(HOSTILE, changed(["(12, 34)", "<point>1 2</point>", "x=1, y=2", "[1, 2, 3, 4]"])))
@settings(max_examples=300, suppress_health_check=quiet)
def test_any_place(text: str) -> None:
    """A grounder's reply names a place of two numbers, or none."""
    found = tried("place of a grounder", lambda: find_place(text))
    assert found is None or all(abs(number) <= 1_000_000 for number in found)
