"""Replies of OpenAI's Responses API, read into canonical actions; nothing of them is trusted, guessed or dropped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pytest_cuabench.agents.makers.openai.calls import read_action
from pytest_cuabench.agents.models.extras import Extra
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import Action, Answer, CoordinateSpace, Terminate

FINISH = "finish"
_SILENT = ("reasoning", "message")
_SHOWN = 400  # characters of the model's own words in a sentence about them


class Check(NamedTuple):
    """A question of OpenAI's that must be acknowledged before the episode may go on."""

    id: str
    code: str | None
    message: str | None

    def __str__(self) -> str:
        return ": ".join(part for part in (self.code or self.id, self.message) if part)[:_SHOWN]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call, which the next request must answer.

    Attributes:
        id: What the answer names.
        item: The call as it came.
        checks: Questions that come with it.
    """

    id: str
    item: Mapping[str, Any]
    checks: tuple[Check, ...] = ()

    @property
    def on_screen(self) -> bool:
        """Whether it is answered by a picture."""
        return bool(self.item["type"] == "computer_call")

    def actions(self, space: CoordinateSpace, extras: Mapping[str, Extra]) -> Iterator[Action]:
        """Give the actions in order; the functions that may be called are that of the end and the extras.

        Raises:
            ActionError: One of them, or the call, is not understood; those before it were given.
        """
        if not self.on_screen:
            yield _function(self.item, extras)
            return
        for action in batch(self.item):
            yield from read_action(action, space)


class Reply:
    """One response: what it says, which calls it makes, and whether the conversation can go on from it.

    Attributes:
        id: Its name on the server.
        items: Its output, fit to be sent and recorded.
        calls: Its tool calls, in order.
        problem: Why it cannot be gone on from; the conversation then begins anew.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self._items = [item for item in data["output"] if isinstance(item, dict)]
        self.id = data.get("id")
        self.items: list[dict[str, Any]] = sendable(self._items)
        self.calls: tuple[Call, ...] = ()
        self.problem: str | None = None
        try:
            self._refuse_cut()
            self.calls = tuple(self._read_calls())
        except ActionError as error:
            self.problem = str(error)

    @property
    def thought(self) -> str:
        """Messages, and what is told of the reasoning."""
        texts = (
            part.get("text")
            for item in self.items
            for part in (*parts(item, "summary"), *parts(item, "content"))
            if item.get("type") in _SILENT
        )
        return "\n".join(text for text in texts if isinstance(text, str) and text)

    @property
    def refusal(self) -> str | None:
        """The words of a refusal."""
        for item in self.items:
            for part in parts(item, "content"):
                if part.get("type") == "refusal":
                    return str(part.get("refusal", ""))[:_SHOWN]
        return None

    @property
    def withheld(self) -> bool:
        """Whether it is a refusal, or was stopped by a filter."""
        details = self._data.get("incomplete_details")
        filtered = isinstance(details, dict) and details.get("reason") == "content_filter"
        return filtered or self.refusal is not None

    @property
    def called(self) -> Iterator[str]:
        """The actions called, in the model's own words and pixels."""
        for item in self.items:
            for action in (*parts(item, "actions"), item.get("action")):
                if action and item.get("type") == "computer_call":
                    yield json.dumps(action, ensure_ascii=False)[:_SHOWN]

    def record(self) -> dict[str, Any]:
        """Return what is kept of it: plain data, without the reasoning that only OpenAI can read."""
        kept = {
            name: self._data.get(name) for name in ("id", "model", "status", "incomplete_details", "usage")
        }
        output = [
            {name: value for name, value in item.items() if name != "encrypted_content"}
            for item in self.items
        ]
        return {**sendable(kept), "output": output}

    def _refuse_cut(self) -> None:
        if self._data.get("status") == "incomplete":
            details = self._data.get("incomplete_details")
            reason = details.get("reason") if isinstance(details, dict) else None
            raise ActionError(f"the reply was cut off ({reason!s:.40})")
        if len(self._items) < len(self._data["output"]):
            raise ActionError("the reply holds an invalid item")
        if not isinstance(self.id, str):
            raise ActionError("the reply has no id")
        if all(item.get("type") == "reasoning" for item in self._items):
            raise ActionError("the reply is empty")

    def _read_calls(self) -> Iterator[Call]:
        seen: set[str] = set()
        for item in self._items:
            kind, name = item.get("type"), item.get("call_id")
            if kind in _SILENT:
                continue
            if kind not in ("computer_call", "function_call"):
                raise ActionError(f"the reply holds {kind!r:.80}, an unknown tool")
            if not isinstance(name, str) or not name or name in seen:
                raise ActionError(f"a {kind} has no call_id of its own")
            if item.get("status") not in ("completed", None):
                raise ActionError(f"a {kind} was cut off")
            seen.add(name)
            yield Call(sendable(name), item, tuple(read_checks(item)))


def parts(item: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the objects of a list within an item; no list holds none."""
    found = item.get(name)
    return [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []


def read_checks(item: Mapping[str, Any]) -> Iterator[Check]:
    """Give a call's pending safety checks.

    Raises:
        ActionError: One has no id, and can be answered by nothing.
    """
    pending = item.get("pending_safety_checks") or []
    if not isinstance(pending, list):
        raise ActionError("pending_safety_checks is not a list")
    for check in sendable(pending):
        if not isinstance(check, dict) or not isinstance(check.get("id"), str):
            raise ActionError("a pending safety check has no id")
        code, message = (check.get(name) for name in ("code", "message"))
        yield Check(
            check["id"],
            code if isinstance(code, str) else None,
            message if isinstance(message, str) else None,
        )


def batch(item: Mapping[str, Any]) -> list[Any]:
    """Return the actions of a computer call: a list since gpt-5.4, a single one of the preview.

    Raises:
        ActionError: It has none.
    """
    actions = item.get("actions")
    if actions is None:
        actions = [item["action"]] if item.get("action") is not None else []
    if not isinstance(actions, list) or not actions:
        raise ActionError("a computer_call holds no action")
    return actions


def _function(item: Mapping[str, Any], extras: Mapping[str, Extra]) -> Action:
    """Return what a call of one of our functions means.

    Raises:
        ActionError: There is no such function, or its arguments do not fit.
    """
    name = item.get("name")
    if not isinstance(name, str) or name not in (FINISH, *extras):
        known = ", ".join((FINISH, *extras))
        raise ActionError(f"there is no function {name!r:.80}; known: {known}")
    try:
        arguments = json.loads(item["arguments"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise ActionError(f"{name}: the arguments are not valid JSON") from None
    if name != FINISH and isinstance(arguments, dict):
        return extras[name].read(arguments)
    return _finish(arguments)


def _finish(arguments: Any) -> Action:
    """Return the end that a call means: an answer, or a status with a reason."""
    if not isinstance(arguments, dict) or set(arguments) - {"status", "answer"} or "status" not in arguments:
        raise ActionError(f"{FINISH}: give status, and answer or null, and nothing else")
    status, answer = arguments["status"], arguments.get("answer")
    if answer is not None and not isinstance(answer, str):
        raise ActionError(f"{FINISH}: answer is text or null")
    if status == "success" and answer:
        return Answer(answer)
    return Terminate(status, answer or "")


def sendable(value: Any) -> Any:
    """Return plain data with halves of characters replaced, which JSON can say but no connection can carry."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [sendable(item) for item in value]
    if isinstance(value, dict):
        return {sendable(key): sendable(item) for key, item in value.items()}
    return value
