"""A planner's action space: calls with described targets, which another model locates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces.base import Arguments, fenced, middle, number
from pytest_cuabench.agents.makers.chat.action_spaces.code import Call, calls
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import (
    Action,
    Answer,
    Button,
    Click,
    Drag,
    Key,
    Move,
    Point,
    Scroll,
    Terminate,
    Type,
    Wait,
)

HINT = "Write calls such as click('the Save button') in a block between ``` fences"
_MOST_STEPS = 20
_BUTTONS: Mapping[str, Button] = {"left": "left", "middle": "middle", "right": "right"}
_DIRECTIONS: Mapping[str, tuple[int, int]] = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}
_ENDING = (
    "Another model finds places on the screen for you: name what you mean by what can be seen of it, so that it cannot "
    "be taken for anything else, such as 'the Save button below the note of Ada Byron'. Say in a few words what you "
    "see and what comes next; then give one block of calls between ``` fences, carried out in order; every target must "
    "be on the screen now. Calls: click('target', button='left', count=1), move('target'), drag('from', 'to'), "
    "scroll('down', notches=5, target='...') where target may be left out, type('text', target='...') where target is "
    "clicked first and may be left out, press('ctrl+a', times=1), wait(seconds).\n"
    "End with done(); with answer('...') where the task asks for an answer: the answer and nothing else; with "
    "give_up('why') when you cannot do it; with infeasible('why') when nobody can."
)


@dataclass(frozen=True, slots=True)
class Step:
    """An action at described targets; `act` is given one point for each target."""

    targets: tuple[str, ...]
    act: Callable[..., list[Action]]


def system(briefing: Briefing) -> str:
    """Return the planner's instructions."""
    return prompts.instructions(briefing, _ENDING)


def steps(text: str) -> Iterator[Step]:
    """Yield the steps of a plan.

    Raises:
        ActionError: The next step is malformed, or there is none.
    """
    _, blocks, unclosed = fenced(text) if "```" in text else ("", [text.strip()], False)
    count = 0
    for block in blocks[:-1] if unclosed else blocks:
        for call in calls(block):
            if (count := count + 1) > _MOST_STEPS:
                raise ActionError(f"the plan holds more than {_MOST_STEPS} calls")
            if call.name not in _KNOWN:
                raise ActionError(f"unknown call {call.name}; known: {', '.join(_KNOWN)}")
            yield _KNOWN[call.name](call)
    if unclosed:
        raise ActionError("a block is not closed by ```")
    if not count:
        raise ActionError("the reply holds no call")


def _click(call: Call) -> Step:
    given = call.bind("target", "button", "count")
    target, button = _target(given), given.one_of(_BUTTONS, "button", default="left")
    count = given.whole("count", default=1)
    given.end()
    return Step((target,), lambda place: [Click(place.x, place.y, button, count)])


def _move(call: Call) -> Step:
    given = call.bind("target")
    target = _target(given)
    given.end()
    return Step((target,), lambda place: [Move(*place)])


def _drag(call: Call) -> Step:
    given = call.bind("from", "to")
    start, end = _target(given, "from"), _target(given, "to")
    given.end()
    return Step((start, end), lambda first, last: [Drag((first, last))])


def _scroll(call: Call) -> Step:
    given = call.bind("direction", "notches", "target")
    dx, dy = given.one_of(_DIRECTIONS, "direction")
    turns, target = given.whole("notches", default=5), _optional(given)
    given.end()

    def act(place: Point | None = None) -> list[Action]:
        x, y = place or (None, None)
        return [Scroll(x, y, dx=dx * turns, dy=dy * turns)]

    return Step(target, act)


def _type(call: Call) -> Step:
    given = call.bind("text", "target")
    text, target = given.text("text"), _optional(given)
    given.end()
    return Step(target, lambda *place: [*(Click(*point) for point in place), Type(text)])


def _press(call: Call) -> Step:
    given = call.bind("keys", "times")
    keys, times = given.keys("keys"), given.whole("times", default=1)
    given.end()
    return Step((), lambda: [Key(keys, times)])


def _wait(call: Call) -> Step:
    given = call.bind("seconds")
    seconds = given.number("seconds")
    given.end()
    return Step((), lambda: [Wait(float(seconds))])


def _saying(action: Callable[[str], Action], *, needed: bool) -> Callable[[Call], Step]:
    def read(call: Call) -> Step:
        given = call.bind("text")
        text = given.text("text") if needed else given.text("text", default="")
        given.end()
        return Step((), lambda: [action(text)])

    return read


def _done(call: Call) -> Step:
    call.bind().end()
    return Step((), lambda: [Terminate("success")])


def _target(given: Arguments, name: str = "target") -> str:
    text = given.text(name).strip()
    if not text or len(text) > 500:
        raise ActionError(f"{given.call}: describe the {name} in 1 to 500 characters")
    return text


def _optional(given: Arguments) -> tuple[str, ...]:
    return (_target(given),) if given.has("target") else ()


_KNOWN: Mapping[str, Callable[[Call], Step]] = {
    "click": _click,
    "move": _move,
    "drag": _drag,
    "scroll": _scroll,
    "type": _type,
    "press": _press,
    "wait": _wait,
    "done": _done,
    "answer": _saying(Answer, needed=True),
    "give_up": _saying(lambda why: Terminate("failure", why), needed=False),
    "infeasible": _saying(lambda why: Terminate("infeasible", why), needed=False),
}

# The grounder's replies

_N = r"([+-]?\d{1,7}(?:\.\d{1,20})?)"
_PLACES = (
    re.compile(rf"[\[(]\s*{_N}\s*,\s*{_N}(?:\s*,\s*{_N}\s*,\s*{_N})?\s*[\])]"),
    re.compile(rf"<(?:point|box|bbox)>\s*{_N}[\s,]+{_N}(?:[\s,]+{_N}[\s,]+{_N})?\s*</(?:point|box|bbox)>"),
    re.compile(rf"\bx\"?\s*[=:]\s*\"?{_N}\"?\s*,?\s*\"?y\"?\s*[=:]\s*\"?{_N}\b"),
)


def find_place(text: str) -> tuple[float, float]:
    """Return the one point in a reply: (x, y), [x, y], <point>x y</point>, x=..., y=..., or a box's middle.

    What stands before an <answer> are thoughts.

    Raises:
        ActionError: The reply has no point, or several.
    """
    found: set[tuple[float, float]] = set()
    text = text.partition("<answer>")[2] or text
    for pattern in _PLACES:
        for match in pattern.finditer(text[:20_000]):
            numbers = [value for part in match.groups() if part and (value := number(part)) is not None]
            match numbers:
                case [x, y]:
                    found.add((x, y))
                case [left, top, right, bottom]:
                    found.add((middle(left, right), middle(top, bottom)))
    if len(found) != 1:
        raise ActionError("the reply holds no point" if not found else f"the reply holds {len(found)} points")
    return found.pop()
