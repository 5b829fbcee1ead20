"""The actions of ScienceBoard's Table 4: pyautogui calls, and DONE, FAIL, WAIT, ANS, API and CODE in blocks.

A word in capitals is matched before the language of a block is removed, so that these are equal: a fence with `ANS 5`
on its first line, a block whose first line is `ANS` or `ANS 5`, and either of them below a language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    BaseActionSpace,
    Mark,
    Repair,
    Reply,
    ToolCall,
    fenced,
    formatted,
    from_json,
    number,
    without_language,
)
from pytest_cuabench.agents.makers.chat.action_spaces.code import calls as written_calls
from pytest_cuabench.agents.makers.chat.action_spaces.pyautogui import KNOWN, run_through
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, CoordinateSpace, Size

_PAUSE = 5.0  # seconds of a WAIT without a number
_WORD = re.compile(r"(?P<word>DONE|FAIL|WAIT|ANS|API|CODE)(?=\s|\Z)(?P<rest>.*)", re.DOTALL)
_API = re.compile(r"(?P<name>[A-Za-z_][\w./-]{0,99})\s*(?P<arguments>[{(].*)?", re.DOTALL)
_LANGUAGE = re.compile(r"(?P<language>python3|python|py|bash|sh)(?:\s+(?P<code>.*))?", re.DOTALL)

_CALLS = (
    "Each turn, say in a few words what you see and what comes next; then give one block between ``` fences. A block "
    "holds pyautogui calls, to be made in order: pyautogui.click(x, y, clicks=1, button='left'), rightClick, "
    "middleClick, doubleClick, tripleClick, moveTo(x, y), dragTo(x, y, button='left') from where the pointer is, "
    "mouseDown, mouseUp, scroll(n) by notches (positive is up), hscroll(n) (positive is right), write('text'), "
    "press('enter', presses=1), hotkey('ctrl', 'a'), keyDown, keyUp; time.sleep(seconds). These calls are read and "
    "carried out one by one: write literal arguments, no variables, no loops. {coordinates}"
)
_MARKS = "pyautogui.click(tag_7) clicks the middle of the box with number 7."
_WORDS = (
    "Or a block holds one of these words and what belongs to it, such as ```ANS 42```:\n"
    "DONE - the task is finished.\n"
    "FAIL - the task cannot be done at all.\n"
    "WAIT n - let n seconds pass; 5 without a number.\n"
    "ANS text - the final answer, when the task asks for one."
)
_API_WORD = 'API name {"argument": value} - call a function that the task names, with its arguments as JSON.'
_CODE_WORD = (
    "CODE program - run a Python program in the computer, which may use its files and its screen; what it prints is "
    "shown to you. CODE bash program - the same for a script of bash."
)


class ScienceBoard(BaseActionSpace):
    """Blocks of pyautogui calls, or of one word and its argument."""

    hint = (
        "Write calls such as pyautogui.click(10, 20), or a word such as DONE, in a block between ``` fences"
    )

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions; API and CODE are included only if they are available."""
        lines = [_CALLS.format(coordinates=self.coordinates.describe(image))]
        lines += [_MARKS] if briefing.observation == "marks" else []
        lines.append(_WORDS)
        lines += [_API_WORD] if "api" in briefing.capabilities else []
        lines += [_CODE_WORD] if "code" in briefing.capabilities else []
        return prompts.instructions(briefing, "\n".join(lines))

    def split(self, reply: Reply) -> tuple[str, str]:
        """Return the text around the blocks, and the whole text, in which `actions` finds the blocks."""
        return fenced(reply.text)[0] if "```" in reply.text else "", reply.text

    def actions(
        self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace
    ) -> Iterator[Action | Repair]:
        """Yield the actions of all blocks; a reply without fences is one block."""
        parts = text.split("```")
        blocks = parts[1::2] if len(parts) > 1 else parts
        unclosed = len(parts) % 2 == 0
        for block in blocks[:-1] if unclosed else blocks:
            yield from _parse_block(block, space)
        if unclosed:
            raise ActionError("a block is not closed by ```")


def _parse_block(raw: str, space: CoordinateSpace) -> Iterator[Action | Repair]:
    """Yield the actions of a block: a word, code, or code and a word in its last line."""
    inner = without_language(raw)
    if word := _WORD.fullmatch(raw.strip()) or _WORD.fullmatch(inner):
        yield _parsed_word(word)
        return
    code, _, last = inner.rpartition("\n")
    if word := _WORD.fullmatch(last.strip()):
        yield from run_through(code, space, KNOWN)
        yield _parsed_word(word)
    else:
        yield from run_through(inner, space, KNOWN)


def _parsed_word(word: re.Match[str]) -> Action:
    return _WORDS_READ[word["word"]](word["rest"].strip())


def _end(word: str, end: act.Terminate) -> Callable[[str], Action]:
    def read(rest: str) -> Action:
        if rest:
            raise ActionError(f"{word} does not take {formatted(rest)}")
        return end

    return read


def _wait(rest: str) -> Action:
    seconds = number(rest or _PAUSE)
    if seconds is None:
        raise ActionError(f"WAIT takes a number of seconds, not {formatted(rest)}")
    return act.Wait(float(seconds))


def _answer(rest: str) -> Action:
    if not rest:
        raise ActionError("ANS needs an answer after it, as in ANS 42")
    return act.Answer(rest)


def _api(rest: str) -> Action:
    found = _API.fullmatch(rest)
    if not found:
        raise ActionError(
            f'API takes a name and JSON, as in API name {{"argument": 1}}, not {formatted(rest)}'
        )
    return act.CallApi(found["name"], _arguments(found["name"], found["arguments"] or "{}"))


def _arguments(name: str, text: str) -> str:
    """Return arguments as JSON, given as JSON or Python keyword arguments.

    Raises:
        ActionError: They are neither.
    """
    given = _named(name, text) if text.startswith("(") else from_json(text)
    if not isinstance(given, dict):
        raise ActionError(f"API {name}: the arguments are {formatted(given)}, but must be an object")
    try:
        if _marked(list(given.values())):
            raise ActionError(f"API {name}: a numbered box can only be clicked")
        return json.dumps(given, allow_nan=False)
    except (ValueError, RecursionError):  # an invalid number, or too deeply nested
        raise ActionError(f"API {name}: the arguments hold values that JSON does not support") from None


def _marked(value: object) -> bool:
    return isinstance(value, Mark) or (isinstance(value, list) and any(map(_marked, value)))


def _named(name: str, text: str) -> dict[str, object]:
    found = list(written_calls(f"call{text}"))
    if len(found) != 1 or found[0].given:
        raise ActionError(f"API {name}: write one call with named arguments, as in {name}(argument=1)")
    return found[0].named


def _code(rest: str) -> Action:
    language = _LANGUAGE.fullmatch(rest)
    code = (language["code"] or "") if language else rest
    if not code.strip():
        raise ActionError("CODE needs a program after it")
    return act.RunCode(code, "bash" if language and language["language"] in ("bash", "sh") else "python")


_WORDS_READ: Mapping[str, Callable[[str], Action]] = {
    "DONE": _end("DONE", act.Terminate("success")),
    "FAIL": _end("FAIL", act.Terminate("infeasible")),
    "WAIT": _wait,
    "ANS": _answer,
    "API": _api,
    "CODE": _code,
}
