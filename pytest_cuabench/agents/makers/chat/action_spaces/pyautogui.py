"""pyautogui code in fenced blocks, as in OSWorld and ScienceBoard. The code is parsed, never executed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    HERE,
    Arguments,
    BaseActionSpace,
    Mark,
    Repair,
    Reply,
    ToolCall,
    collect_actions,
    fenced,
    formatted,
    notches,
    number,
)
from pytest_cuabench.agents.makers.chat.action_spaces.code import Call, mended_calls
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, CoordinateSpace, Point, Size
from pytest_cuabench.task.keys import canonical_key

_PACE = ("interval", "duration", "_pause", "logScreenshot", "tween")  # timing only, ignored
_BUTTONS: Mapping[str, Button] = {
    "left": "left", "middle": "middle", "right": "right", "primary": "left", "secondary": "right",
}  # fmt: skip
_KEYS = {
    "prtsc": "printscreen", "prtscr": "printscreen", "prntscrn": "printscreen", "apps": "menu",
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "decimal": ".",
    "optionleft": "alt", "optionright": "alt",
}  # fmt: skip
_RELATIVE = {"pyautogui.move", "pyautogui.moveRel", "pyautogui.drag", "pyautogui.dragRel"}
_STATUS: Mapping[str, act.Terminate] = {
    "success": act.Terminate("success"),
    "failure": act.Terminate("failure"),
    "fail": act.Terminate("failure"),
    "infeasible": act.Terminate("infeasible"),
}
_LONG_WAIT = 20  # seconds of computer.wait(), as the prompts say
_Reader = Callable[[Call, CoordinateSpace], Iterator[Action]]


def _where(call: Arguments, space: CoordinateSpace) -> Point | Mark | None:
    """Return the point of a call: x and y, a pair as x, a mark, or `HERE`."""
    first = call.take("x", default=None)
    if isinstance(first, Mark):
        return first
    if isinstance(first, list):
        return Arguments(call.call, {"x": first}).point(space, "x")
    if first is None and not call.has("y"):
        return None
    return space.to_screen(_coordinate(call.call, "x", first), call.number("y"))


def _coordinate(call: str, name: str, value: object) -> float:
    found = number(value)
    if found is None:
        raise ActionError(f"{call}: {name} is {formatted(value)}, but must be a number")
    return found


def _pixel(call: Arguments, space: CoordinateSpace) -> Point | None:
    where = _where(call, space)
    if isinstance(where, Mark):
        raise ActionError(f"{call.call}: tag_{where.number} can only be clicked; give x and y")
    return where


def _end(call: Arguments) -> None:
    for name in _PACE:
        call.take(name, default=None)
    call.end()


def _click(button: str = "left", count: int | None = None) -> _Reader:
    names = ("x", "y", "clicks", "interval", "button") if count is None else ("x", "y", "interval", "button")

    def read(call: Call, space: CoordinateSpace) -> Iterator[Action]:
        given = call.bind(*names)
        where = _where(given, space)
        times = given.whole("clicks", default=1) if count is None else count
        pressed: Button = given.one_of(_BUTTONS, "button", default=button)
        _end(given)
        if isinstance(where, Mark):
            yield act.ClickElement(where.number, pressed, times)
        else:
            x, y = where or HERE
            yield act.Click(x, y, pressed, times)

    return read


def _move(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("x", "y", "duration")
    where = _pixel(given, space)
    _end(given)
    if where is None:
        raise ActionError(f"{call.name}: x and y are missing")
    yield act.Move(*where)


def _drag(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("x", "y", "duration", "button")
    where = _pixel(given, space)
    button: Button = given.one_of(_BUTTONS, "button", default="left")
    given.take("mouseDownUp", default=None)
    _end(given)
    if where is None:
        raise ActionError(f"{call.name}: x and y are missing")
    yield from dragged(where, button)


def dragged(where: Point, button: Button = "left") -> Iterator[Action]:
    """Yield a drag from the position of the pointer."""
    yield act.MouseDown(button=button)
    yield act.Move(*where)
    yield act.MouseUp(button=button)


def _press_button(kind: type[act.MouseDown] | type[act.MouseUp]) -> _Reader:
    def read(call: Call, space: CoordinateSpace) -> Iterator[Action]:
        given = call.bind("x", "y", "button")
        x, y = _pixel(given, space) or HERE
        button: Button = given.one_of(_BUTTONS, "button", default="left")
        _end(given)
        yield kind(x, y, button)

    return read


def _scroll(right: bool) -> _Reader:
    def read(call: Call, space: CoordinateSpace) -> Iterator[Action]:
        given = call.bind("clicks", "x", "y")
        turns = given.number("clicks")
        where = _pixel(given, space)
        _end(given)
        yield from notches(call.name, 0 if right else -turns, turns if right else 0, where)

    return read


def _write(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("message", "interval")
    message = given.take("message", "text")
    _end(given)
    if isinstance(message, list):
        yield from (act.Key((_key(call, name),)) for name in message)
    elif isinstance(message, str):
        yield act.Type(message)
    else:
        raise ActionError(f"{call.name}: message is {formatted(message)}, but must be text")


def _press(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("keys", "presses", "interval")
    keys, presses = given.take("keys", "key"), given.whole("presses", default=1)
    _end(given)
    if isinstance(keys, list) and len(keys) != 1:
        if not 1 <= presses <= 10:
            raise ActionError(f"{call.name}: presses is {presses}, but must be 1 to 10")
        chosen = [act.Key((_key(call, key),)) for key in keys]
        yield from chosen * presses
    else:
        yield act.Key((_key(call, keys[0] if isinstance(keys, list) else keys),), presses)


def _hotkey(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    keys = call.given[0] if len(call.given) == 1 and isinstance(call.given[0], list) else call.given
    _end(Arguments(call.name, call.named))
    yield act.Key(tuple(_key(call, key) for key in keys))


def _hold(kind: type[act.KeyDown] | type[act.KeyUp]) -> _Reader:
    def read(call: Call, space: CoordinateSpace) -> Iterator[Action]:
        given = call.bind("key")
        key = given.text("key")
        _end(given)
        yield kind(_key(call, key))

    return read


def _key(call: Call, name: object) -> str:
    if not isinstance(name, str):
        raise ActionError(f"{call.name}: a key is {formatted(name)}, but must be text")
    return canonical_key(_KEYS.get(name.lower(), name))


def _sleep(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("seconds")
    seconds = given.number("seconds", "secs", default=1)
    given.end()
    yield act.Wait(float(seconds))


def _wait(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("seconds")
    seconds = given.number("seconds", default=_LONG_WAIT)
    given.end()
    yield act.Wait(float(seconds))


def _screenshot(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    call.bind().end()
    yield act.Screenshot()


def _terminate(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("status", "answer")
    end: act.Terminate = given.one_of(_STATUS, "status")
    answer = given.text("answer", default="")
    given.end()
    yield _ending(end, answer)


def _terminate_with_text(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("status", "text")
    end: act.Terminate = given.one_of(_STATUS, "status")
    text = given.text("text")
    given.end()
    yield _ending(end, text)


def _ending(end: act.Terminate, text: str) -> Action:
    """Return the ending with a text: the answer of a success, or the reason of a failure."""
    if not text.strip():
        return end
    return act.Answer(text) if end.status == "success" else act.Terminate(end.status, text)


_MOUSE_AND_KEYS: Mapping[str, _Reader] = {
    "click": _click(),
    "leftClick": _click(count=1),
    "middleClick": _click("middle", 1),
    "rightClick": _click("right", 1),
    "doubleClick": _click(count=2),
    "tripleClick": _click(count=3),
    "moveTo": _move,
    "dragTo": _drag,
    "mouseDown": _press_button(act.MouseDown),
    "mouseUp": _press_button(act.MouseUp),
    "scroll": _scroll(right=False),
    "vscroll": _scroll(right=False),
    "hscroll": _scroll(right=True),
    "write": _write,
    "typewrite": _write,
    "press": _press,
    "hotkey": _hotkey,
    "keyDown": _hold(act.KeyDown),
    "keyUp": _hold(act.KeyUp),
    "sleep": _sleep,
    "screenshot": _screenshot,
}
KNOWN: Mapping[str, _Reader] = {
    **{f"pyautogui.{name}": reader for name, reader in _MOUSE_AND_KEYS.items()},
    "time.sleep": _sleep,
}
ENDS: Mapping[str, _Reader] = {
    "computer.triple_click": _click(count=3),
    "computer.tripleClick": _click(count=3),
    "computer.wait": _wait,
    "computer.terminate": _terminate,
    "computer.terminateWithText": _terminate_with_text,
}


def run_through(
    source: str, space: CoordinateSpace, known: Mapping[str, _Reader]
) -> Iterator[Action | Repair]:
    """Yield the actions of code that consists of known calls; what it copies and pastes is typed.

    Raises:
        ActionError: The next statement is not a known call.
    """
    copied: str | None = None
    at: tuple[float, float] | None = None  # where the calls before have put the pointer
    for call in mended_calls(source):
        if isinstance(call, Repair):
            yield call
            continue
        if call.name in _RELATIVE and "pyautogui.moveTo" in known:
            call = _absolute(call, at)
        at = _pointed(call) or at
        if call.name == "pyperclip.copy":
            copied = _copied(call)
        elif call.name not in known:
            raise ActionError(f"unknown call {call.name}; known: {', '.join(known)}")
        else:
            for action in known[call.name](call, space):
                if copied is not None and action in _PASTE:
                    yield from (Repair("pasted text"), act.Type(copied))
                else:
                    yield action


def _pointed(call: Call) -> tuple[float, float] | None:
    """Return the place that a call moves the pointer to, in the model's coordinates; None if it tells none."""
    x, y, *_ = (*call.given[:2], None, None) if "scroll" not in call.name else (None, None)
    x, y = call.named.get("x", x), call.named.get("y", y)
    if isinstance(x, list) and len(x) == 2:
        x, y = x
    found = number(x), number(y)
    return found if None not in found else None  # type: ignore[return-value]


def _absolute(call: Call, at: tuple[float, float] | None) -> Call:
    """Return a call by offsets as the call by places that it is.

    Raises:
        ActionError: The place of the pointer is not known, because no call before has put it there.
    """
    name = "pyautogui.dragTo" if "drag" in call.name else "pyautogui.moveTo"
    if at is None:
        raise ActionError(f"{call.name}: the pointer's place is not known; call {name} with x and y")
    given = call.bind("xOffset", "yOffset", "duration", "tween", "button")
    first = given.take("xOffset", "x", default=0)
    pair = first if isinstance(first, list) else [first, given.take("yOffset", "y", default=0)]
    offsets = Arguments(call.name, dict(zip(("xOffset", "yOffset"), pair, strict=False)))
    x, y = at[0] + offsets.number("xOffset"), at[1] + offsets.number("yOffset")
    button = {"button": given.take("button")} if given.has("button") and "drag" in call.name else {}
    _end(given)
    return Call(name, (), {"x": x, "y": y, **button})


def read_code(code: str, screen: Size) -> Decision:
    """Parse what agent frameworks return as code: calls in pixels of the screen, or or a word; never raises."""
    reply = Reply(code)
    space = CoordinateSpace.native(screen)
    return collect_actions(_parse_block(code.strip(), space), "", reply, PyAutoGui.hint)


def _copied(call: Call) -> str:
    given = call.bind("text")
    text = given.text("text")
    given.end()
    return text


_PASTE = (act.Key(("ctrl", "v")), act.Key(("meta", "v")))


_WORD = re.compile(r"(?P<word>DONE|FAIL|WAIT|ANS)\b[ \t]*(?P<rest>[^\n]*)")
_ENDING = (
    "Each turn, say in a few words what you see and what comes next; then give one block of Python between ``` fences "
    "with the calls to make, in order. Calls: pyautogui.click(x, y, clicks=1, button='left'), rightClick, middleClick, "
    "doubleClick, tripleClick, moveTo(x, y), dragTo(x, y, button='left') from where the pointer is, mouseDown, "
    "mouseUp, scroll(n) by notches (positive is up), hscroll(n) (positive is right), write('text'), "
    "press('enter', presses=1), hotkey('ctrl', 'a'), keyDown, keyUp; time.sleep(seconds). "
    "Nothing is executed as a program: use literal arguments only, no variables, no loops. {coordinates}{marks}\n"
    "Instead of code a block may hold one word: DONE when the task is finished, FAIL when it cannot be done at all, "
    "WAIT to let five seconds pass, and ANS with the answer behind it, when the task asks for one:\n```\nANS 42\n```"
)
_MARKS = " pyautogui.click(tag_7) clicks the middle of the box with number 7."


class PyAutoGui(BaseActionSpace):
    """Blocks of pyautogui calls, and the words DONE, FAIL, WAIT and ANS."""

    hint = "Write calls such as pyautogui.click(10, 20), or DONE, in a block between ``` fences"

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""
        marks = _MARKS if briefing.observation == "marks" else ""
        return prompts.instructions(
            briefing, _ENDING.format(coordinates=self.coordinates.describe(image), marks=marks)
        )

    def split(self, reply: Reply) -> tuple[str, str]:
        """Return the text around the blocks, and the whole text, in which `actions` finds the blocks."""
        return fenced(reply.text)[0] if "```" in reply.text else "", reply.text

    def actions(
        self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace
    ) -> Iterator[Action | Repair]:
        """Yield the actions of all blocks; a reply without fences is one block."""
        _, blocks, unclosed = fenced(text) if "```" in text else ("", [text.strip()], False)
        for block in blocks[:-1] if unclosed else blocks:
            yield from _parse_block(block, space)
        if unclosed:
            raise ActionError("a code block is not closed by ```")


def _parse_block(block: str, space: CoordinateSpace) -> Iterator[Action | Repair]:
    """Yield the actions of a block: a word, code, or code and a word in its last line."""
    code, _, last = block.rpartition("\n")
    word = _WORD.fullmatch(block) or _WORD.fullmatch(last.strip())
    if block.startswith("ANS") and (whole := re.fullmatch(r"ANS\b[ \t]*(.+)", block, re.DOTALL)):
        yield act.Answer(whole[1].strip())
        return
    if not word:
        yield from run_through(block, space, KNOWN)
        return
    if _WORD.fullmatch(block) is None:
        yield from run_through(code, space, KNOWN)
    yield from _special(word["word"], word["rest"].strip())


def _special(word: str, rest: str) -> Iterator[Action]:
    match word, rest:
        case "DONE", "":
            yield act.Terminate("success")
        case "FAIL", "":
            yield act.Terminate("infeasible")
        case "WAIT", _ if (seconds := number(rest or 5)) is not None:
            yield act.Wait(float(seconds))
        case "ANS", _ if rest:
            yield act.Answer(rest)
        case _:
            raise ActionError(f"{word} does not take {formatted(rest)}")
