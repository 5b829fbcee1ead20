"""Step-GUI (GELab-Zero), a model for phones: `explain:...`, `action:CLICK`, `point:x,y`, `summary:...` between tabs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    SWIPES,
    Arguments,
    BaseActionSpace,
    Repair,
    Reply,
    ToolCall,
    notches,
)
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, CoordinateSpace, Size

_LONG = 1.0  # seconds of a long press
_TURNS = 10  # notches of a slide over the whole screen
_Reader = Callable[[Arguments, CoordinateSpace], Iterator[Action]]


def _click(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    yield act.Click(*call.point(space, "point"))


def _double_click(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    yield act.Click(*call.point(space, "point"), count=2)


def _long_press(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = call.point(space, "point")
    yield from (act.MouseDown(*where), act.Wait(_LONG), act.MouseUp(*where))


def _type(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("value")
    if call.has("point"):
        yield act.Click(*call.point(space, "point"))
    yield act.Type(text)


def _slide(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    """Read a finger's slide as the scroll that it is: the page follows the finger."""
    if call.has("direction"):
        down, right = call.one_of(SWIPES, "direction", ignore_case=True)
        yield from notches("SLIDE", down, right, call.point(space, "point") if call.has("point") else None)
        return
    start, end = call.point(space, "point1"), call.point(space, "point2")
    down = _TURNS * (start.y - end.y) / space.screen.height
    right = _TURNS * (start.x - end.x) / space.screen.width
    along = abs(start.y - end.y) >= abs(start.x - end.x)  # a finger never slides quite straight
    yield from notches("SLIDE", down if along else 0, 0 if along else right, start)


def _wait(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    yield act.Wait(float(call.number("value")))


def _complete(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    said = call.text("return", "value", default="").strip()
    yield act.Answer(said) if said else act.Terminate("success")


def _abort(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    yield act.Terminate("infeasible", call.text("value", default=""))


def _info(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    yield act.CallUser(call.text("value", default=""))


def _awake(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    raise ActionError("AWAKE: no app can be opened by its name; click what is on the screen")


_KNOWN: Mapping[str, _Reader] = {
    "CLICK": _click,
    "DOUBLE_CLICK": _double_click,
    "LONGPRESS": _long_press,
    "TYPE": _type,
    "SLIDE": _slide,
    "WAIT": _wait,
    "COMPLETE": _complete,
    "ABORT": _abort,
    "INFO": _info,
    "AWAKE": _awake,
}
_TAG = re.compile(r"< {0,3}(/?) {0,3}th?ink {0,3}>", re.IGNORECASE)
_RIGHT_TAGS = frozenset({"<THINK>", "</THINK>"})
_FIELD = re.compile(r"\s*([A-Za-z_0-9]+)\s*:(.*)", re.DOTALL)
_ENDING = (
    "Answer each turn with your thoughts between <THINK> and </THINK>, then one line of fields with tabs between: "
    "explain:what you do, action:NAME, its fields, and summary:what was done so far, this step included.\n"
    "Actions: CLICK, DOUBLE_CLICK and LONGPRESS (point:x,y); TYPE (value:text, point:x,y); SLIDE as a finger slides "
    "(point1:x,y, point2:x,y); WAIT (value:seconds); COMPLETE (return:the answer where the task asks for one, and "
    "nothing else; empty otherwise); ABORT (value:why), where nobody can do it. {coordinates}"
)


class StepGui(BaseActionSpace):
    """One line of fields, with coordinates from 0 to 1000."""

    default = "relative1000"
    official = "step-gui"
    asks_in_user = True
    hint = "Write fields with tabs between them, such as action:CLICK and point:10,20"

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""
        return prompts.instructions(briefing, _ENDING.format(coordinates=self.coordinates.describe(image)))

    def split(self, reply: Reply) -> tuple[str, str]:
        """Split a reply into its thought and the whole, which `actions` reads."""
        return _thought_and_fields(reply.text)[0], reply.text

    def actions(
        self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace
    ) -> Iterator[Action | Repair]:
        """Yield the actions of the line."""
        if any(tag[0] not in _RIGHT_TAGS for tag in _TAG.finditer(text)):
            yield Repair("misspelt tag")
        given = {
            found[1]: found[2].strip()
            for part in _thought_and_fields(text)[1].split("\t")
            if (found := _FIELD.match(part))
        }
        name = given.pop("action", given.pop("action_type", ""))
        if not name:
            return
        if name not in _KNOWN:
            raise ActionError(f"unknown action {name:.40}; known: {', '.join(_KNOWN)}")
        yield from _KNOWN[name](Arguments(name, given), space)


def _thought_and_fields(text: str) -> tuple[str, str]:
    """Return what stands before the closing tag, and what follows it; a reply may have no tags."""
    *thoughts, fields = _TAG.split(text)[::2]
    return "\n".join(part.strip() for part in thoughts if part.strip()), fields
