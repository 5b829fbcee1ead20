"""A reply of Gemini: what it says, what it calls, why it ended, and what the safety service thinks of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from google.genai import types

from pytest_cuabench.agents.makers.gemini.calls import FINISH

_Ended = types.FinishReason
_CUT = {_Ended.MAX_TOKENS, _Ended.CONTINUATION}
_SPOKEN = {None, _Ended.STOP, _Ended.FINISH_REASON_UNSPECIFIED, *_CUT}
_MALFORMED = {_Ended.MALFORMED_FUNCTION_CALL, _Ended.MALFORMED_RESPONSE, _Ended.UNEXPECTED_TOOL_CALL}
_NOT_THE_MODELS = {_Ended.MISSING_THOUGHT_SIGNATURE, _Ended.PUP_LIMITED_DISABLED}
_RECORDED = {"candidates", "prompt_feedback", "usage_metadata", "model_version", "response_id"}


class Reply:
    """One reply.

    Attributes:
        parts: All that the model said, thought and called.
        calls: The function calls, each with its place among the parts.
    """

    def __init__(self, response: types.GenerateContentResponse) -> None:
        self._response = response
        self._candidate = response.candidates[0] if response.candidates else types.Candidate()
        content = self._candidate.content
        self.parts: list[types.Part] = list(content.parts or ()) if content else []
        self.calls = [
            (place, part.function_call) for place, part in enumerate(self.parts) if part.function_call
        ]

    @property
    def malformed(self) -> bool:
        """Whether Google itself could not read the function call."""
        return self._candidate.finish_reason in _MALFORMED

    @property
    def broken(self) -> bool:
        """Whether it ended for a fault of the account or of the request, and not of the model."""
        return self._candidate.finish_reason in _NOT_THE_MODELS

    @property
    def why(self) -> str:
        """Google's word for how it ended, with the explanation where there is one."""
        reason, said = self._candidate.finish_reason, self._candidate.finish_message
        return f"{reason.value if reason else 'no reason given'}{f', {said}' if said else ''}"

    @property
    def problem(self) -> str | None:
        """Why there is nothing to follow, as a sentence told to the model."""
        if refused := self.refused:
            return f"it was refused ({refused})"
        if self.malformed:
            return f"the function call is malformed ({self.why})"
        if self.calls:
            return None
        if self._candidate.finish_reason in _CUT:
            return "it was cut off before it called a function; be brief, and call one"
        if any(part.text and not part.thought for part in self.parts):
            return f"it calls no function; call one, or end with {FINISH}"
        return f"it is empty; call a function, or end with {FINISH}"

    @property
    def thought(self) -> str:
        """What the model says beside its calls, or else what it says these are for."""
        said = [part.text.strip() for part in self.parts if part.text and part.text.strip()]
        if said:
            return "\n\n".join(said)
        intents = ((call.args or {}).get("intent") for _, call in self.calls)
        return "\n".join(intent for intent in intents if isinstance(intent, str))

    def record(self) -> dict[str, Any]:
        """Return it as plain data, without signatures, which nobody can read."""
        data = self._response.model_dump(exclude_none=True, include=_RECORDED)
        return {"reply": _readable(data)}

    @property
    def refused(self) -> str | None:
        """Why Google withheld it; None if it did not."""
        blocked = self._response.prompt_feedback
        if blocked and blocked.block_reason:
            said = f", {blocked.block_reason_message}" if blocked.block_reason_message else ""
            return f"{blocked.block_reason.value}{said}"
        reason = self._candidate.finish_reason
        return self.why if reason not in _SPOKEN | _MALFORMED else None


def safety_question(decision: Any) -> tuple[str, str] | None:
    """Return what the safety service asks about a call, and why; None where it lets the call pass.

    Whatever is not known counts as the question whether it may be done.
    """
    if decision is None:
        return None
    if not isinstance(decision, Mapping):
        return "require_confirmation", f"{decision!s:.500}"
    kind = decision.get("decision")
    if kind in ("regular", "allowed"):
        return None
    explanation = f"{decision.get('explanation') or 'no reason is given'!s:.500}"
    return ("blocked" if kind == "blocked" else "require_confirmation"), explanation


def _readable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _readable(item) for name, item in value.items() if not isinstance(item, bytes)}
    if isinstance(value, list | tuple):
        return [_readable(item) for item in value]
    return value.value if isinstance(value, Enum) else value
