"""What Gemini is shown: messages with a screenshot, and answers to its function calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from google.genai import types

from pytest_cuabench.task.observation import ActionResult

# Agents see no address bar, so Gemini gets no address either: the field has to be there, and says nothing.
_URL = ""
_LEFT_OUT = "(an older screenshot, left out)"


@dataclass(slots=True)
class Asked:
    """A call of the last reply.

    Attributes:
        start: The first of the decision's actions that is its own.
        end: The one after the last.
        acknowledged: Whether a question of the safety service was answered with yes.
        error: Why it was not understood.
    """

    call: types.FunctionCall
    start: int
    end: int
    acknowledged: bool = False
    error: str | None = None

    def own(self, results: Sequence[ActionResult]) -> Sequence[ActionResult]:
        """Return what its actions gave back; fewer than it has where one of the turn's actions failed."""
        return results[self.start : self.end]

    def answer(self, results: Sequence[ActionResult], png: bytes, words: str) -> types.Part:
        """Return the message about it: what came of it, and the screen."""
        response: dict[str, Any] = {"url": _URL}
        if error := self.error or self._failure(results):
            response["error"] = error
        if output := "\n\n".join(
            [*(result.text for result in results if result.text), *[words] * bool(words)]
        ):
            response["output"] = output
        if self.acknowledged:
            response["safety_acknowledgement"] = "true"
        picture = types.FunctionResponseBlob(mime_type="image/png", data=png)
        answer = types.FunctionResponse(
            id=self.call.id,
            name=self.call.name,
            response=response,
            parts=[types.FunctionResponsePart(inline_data=picture)],
        )
        return types.Part(function_response=answer)

    def _failure(self, results: Sequence[ActionResult]) -> str | None:
        wrong = [result.error for result in results if result.error]
        if wrong:
            return wrong[0]
        done = len(results) == self.end - self.start
        return None if done else "not carried out, because a call before it failed"


def picture(png: bytes) -> types.Part:
    """Return a screenshot as a message's part."""
    return types.Part(inline_data=types.Blob(mime_type="image/png", data=png))


def without_pictures(content: types.Content) -> types.Content:
    """Return a message with a word in place of each screenshot."""
    return types.Content(role=content.role, parts=[_without_picture(part) for part in content.parts or ()])


def _without_picture(part: types.Part) -> types.Part:
    answer = part.function_response
    if part.inline_data is not None:
        return types.Part(text=_LEFT_OUT)
    if answer is None or not answer.parts:
        return part
    response = {**(answer.response or {}), "screenshot": _LEFT_OUT}
    return types.Part(function_response=answer.model_copy(update={"parts": None, "response": response}))
