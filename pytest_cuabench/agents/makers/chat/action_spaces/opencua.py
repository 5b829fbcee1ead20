"""OpenCUA and Kimi: thoughts under headings, then a block of pyautogui and `computer` calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    BaseActionSpace,
    Repair,
    Reply,
    ToolCall,
    fenced,
)
from pytest_cuabench.agents.makers.chat.action_spaces.pyautogui import ENDS, KNOWN, run_through
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.task.action import Action, CoordinateSpace, Size

_ENDING = (
    "Answer each turn in this form:\n"
    "# Step N:\n"
    "## Thought:\n- what you see, whether the last step worked, and what follows from it\n"
    "## Action:\n- one sentence about the step you take\n"
    "## Code:\n```python\npyautogui.click(x=..., y=...)\n```\n"
    "The code holds calls with literal arguments only: pyautogui.click, doubleClick, rightClick, middleClick, moveTo, "
    "dragTo, write(message=...), press, hotkey, scroll and hscroll by notches; computer.triple_click(x=..., y=...), "
    "computer.wait(seconds). {coordinates}\n"
    "End with computer.terminate(status='success'), or status='failure' when you cannot do it; with "
    "computer.terminateWithText(status='success', text='...') where the task asks for an answer."
)
_CODE = re.compile(r"^\s*(?:pyautogui|computer|time)\.\w+\(", re.MULTILINE)


class OpenCua(BaseActionSpace):
    """The last fenced block is the code, the text before it the thought."""

    default = "qwen25"
    official = "opencua"
    hint = "Write the calls in one block between ```python and ```, under ## Code:"

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""
        return prompts.instructions(briefing, _ENDING.format(coordinates=self.coordinates.describe(image)))

    def split(self, reply: Reply) -> tuple[str, str]:
        """Split a reply into the text around the code, and the code."""
        return fenced(reply.text)[0] if "```" in reply.text else "", reply.text

    def actions(
        self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace
    ) -> Iterator[Action | Repair]:
        """Yield the actions of the blocks, or of a reply that consists of calls."""
        _, blocks, unclosed = fenced(text) if "```" in text else ("", [text.strip()], False)
        if "```" not in text and not _CODE.match(text):
            blocks = []
        if unclosed:
            yield Repair("unclosed block")
        for block in blocks[-1:]:
            yield from run_through(block, space, {**KNOWN, **ENDS})


class OpenCua72B(OpenCua):
    """OpenCUA-72B, which was trained with another prompt."""

    official = "opencua-72b"


class Kimi(OpenCua):
    """Kimi-K2.5: fractions of the screen; larger numbers are its pixels."""

    default = "relative"
    official = "kimi"

    def read(self, reply: Reply, space: CoordinateSpace) -> Decision:
        """Parse a reply; never raises."""
        reading = super().read(reply, space)
        if reading.format_error is None or space.cells:
            return reading
        in_pixels = super().read(reply, CoordinateSpace.native(space.screen))
        if in_pixels.format_error:
            return reading
        return replace(in_pixels, repairs=(*in_pixels.repairs, "pixels instead of fractions"))
