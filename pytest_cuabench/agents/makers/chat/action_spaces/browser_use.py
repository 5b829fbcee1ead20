"""Actions in the style of browser-use: JSON that names elements by their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    Arguments,
    BaseActionSpace,
    Reply,
    ToolCall,
    formatted,
    from_json,
    join_thoughts,
    notches,
)
from pytest_cuabench.agents.makers.chat.action_spaces.computer13 import before_json, json_values
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, CoordinateSpace, Size
from pytest_cuabench.task.keys import parse_chords

_PAGE = 6  # wheel notches of about one page
_REASONS = ("thinking", "evaluation_previous_goal", "memory", "next_goal", "plan_update", "current_plan_item")
_Reader = Callable[[Arguments, CoordinateSpace], Iterator[Action]]


def _click(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    if call.has("coordinate_x"):
        where = space.to_screen(call.number("coordinate_x"), call.number("coordinate_y"))
        call.end()
        yield act.Click(*where)
        return
    mark = call.whole("index")
    call.end()
    yield act.ClickElement(mark)


def _input(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    mark, text, clear = call.whole("index"), call.text("text"), call.yes("clear", default=True)
    call.end()
    if clear:
        yield act.FillElement(mark, text)
    else:
        yield act.ClickElement(mark)
        yield act.Type(text)


def _scroll(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    down, pages = call.yes("down", default=True), call.number("pages", default=1)
    if call.whole("index", default=0):
        raise ActionError("scroll: elements cannot be scrolled by index; leave index out")
    call.end()
    yield from notches("scroll", pages * _PAGE if down else -pages * _PAGE, 0, None)


def _keys(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    chords = parse_chords(call.text("keys"))
    call.end()
    yield from map(act.Key, chords)


def _navigate(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    url, beside = call.text("url"), call.yes("new_tab", default=False)
    call.end()
    if beside:
        raise ActionError("navigate: no new tab can be opened; leave new_tab out")
    yield act.Navigate(url)


def _plain(action: Action) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        call.end()
        yield action

    return read


def _wait(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    seconds = call.number("seconds", default=3)
    call.end()
    yield act.Wait(float(seconds))


def _tab(kind: Callable[[int], Action]) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        index = call.whole("tab_id", "page_id")
        call.end()
        yield kind(index)

    return read


def _done(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text, success = call.text("text", default="").strip(), call.yes("success", default=True)
    call.end()
    if not success:
        yield act.Terminate("failure", text)
    else:
        yield act.Answer(text) if text else act.Terminate("success")


_KNOWN: Mapping[str, _Reader] = {
    "click": _click,
    "click_element": _click,
    "click_element_by_index": _click,
    "input": _input,
    "input_text": _input,
    "scroll": _scroll,
    "send_keys": _keys,
    "navigate": _navigate,
    "go_to_url": _navigate,
    "go_back": _plain(act.Back()),
    "switch": _tab(act.SwitchTab),
    "switch_tab": _tab(act.SwitchTab),
    "close": _tab(act.CloseTab),
    "close_tab": _tab(act.CloseTab),
    "wait": _wait,
    "screenshot": _plain(act.Screenshot()),
    "done": _done,
}
_ENDING = (
    "Answer with one JSON object and nothing else:\n"
    '{{"thinking": "...", "memory": "what to remember", "next_goal": "...", "action": [{{"click": {{"index": 3}}}}]}}\n'
    "action is a list of objects with one key each, carried out in order: click (index, or coordinate_x and "
    "coordinate_y), input (index, text; clear: false keeps what is there), scroll (down: true or false, pages: such "
    "as 0.5), send_keys (keys: such as Control+a), wait (seconds){browser}, done (text: the answer where the task asks "
    "for one, and nothing else; success: false when you cannot do it). index is the number of an element. "
    "{coordinates}"
)
_BROWSER = ", navigate (url), go_back, switch (tab_id), close (tab_id; tabs are counted from 0)"


class BrowserUse(BaseActionSpace):
    """One JSON object with reasons and a list of actions."""

    hint = 'Answer with JSON such as {"action": [{"click": {"index": 3}}]}'

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""
        browser = _BROWSER if "browser" in briefing.capabilities else ""
        coordinates = self.coordinates.describe(image)
        return prompts.instructions(briefing, _ENDING.format(browser=browser, coordinates=coordinates))

    def split(self, reply: Reply) -> tuple[str, str]:
        """Return the reasons, which are in the JSON itself, and the actions."""
        try:
            values = [value for value in json_values(reply.text) if isinstance(value, dict)]
        except ActionError:
            return before_json(reply.text), reply.text
        reasons = [
            str(value[name]) for value in values for name in _REASONS if isinstance(value.get(name), str)
        ]
        return join_thoughts(before_json(reply.text), *reasons), reply.text

    def actions(self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace) -> Iterator[Action]:
        """Yield the actions of the objects in the text, then of native calls."""
        for value in json_values(text):
            yield from _object(value, space)
        for call in calls:
            yield from _object(from_json(call.arguments), space)


def _object(value: Any, space: CoordinateSpace) -> Iterator[Action]:
    call = Arguments("reply", value)
    for name in _REASONS:
        call.take(name, default=None)
    entries = call.take("action", "actions")
    call.end()
    for entry in entries if isinstance(entries, list) else [entries]:
        if not isinstance(entry, dict) or len(entry) != 1:
            raise ActionError(f"{formatted(entry)} is not an action; write an object with one key")
        ((name, given),) = entry.items()
        if name not in _KNOWN:
            raise ActionError(f"unknown action {formatted(name)}; known: {', '.join(_KNOWN)}")
        yield from _KNOWN[name](Arguments(name, {} if given is None else given), space)
