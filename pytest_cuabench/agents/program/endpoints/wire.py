"""Actions and observations as JSON for programs, and the JSON schema of the actions."""

from __future__ import annotations

import base64
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any, Literal, get_args

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.makers.chat.action_spaces.pyautogui import read_code
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import ACTIONS, MAX_TEXT, Action, Capability, Size, parse_action
from pytest_cuabench.task.keys import canonical_key, parse_chord
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.usage import Usage

MOST_ACTIONS = 50  # in one step
MOST_THOUGHT = 10_000  # characters
MOST_TOKENS, MOST_COST = 100_000_000, 1000  # of a step: more is no plausible report
_STATUSES = ("success", "failure", "infeasible")
_JSON = {int: "integer", float: "number", str: "string", types.NoneType: "null"}


def read_step(data: object, screen: Size) -> Decision:
    """Return the decision of a step; actions that cannot be read become its `format_error`.

    Raises:
        ActionError: The data has another form than a step.
    """
    given = _members(data, "a step", {"actions", "pyautogui", "thought", "usage"})
    actions, code = given.get("actions"), given.get("pyautogui")
    thought, usage = _thought(given), read_usage(given.get("usage"))
    if isinstance(code, str) and actions is None:
        read = read_code(code, screen)
        raw = {"pyautogui": code[:MAX_TEXT]}
        problem, repairs = read.format_error, read.repairs
        return Decision(read.actions, thought, usage, format_error=problem, raw=raw, repairs=repairs)
    if not isinstance(actions, list) or not 1 <= len(actions) <= MOST_ACTIONS or code is not None:
        raise ActionError(f"a step has 'actions', a list of 1 to {MOST_ACTIONS} objects")
    try:
        return Decision(tuple(map(read_action, actions)), thought, usage)
    except ActionError as error:
        return Decision((), thought, usage, format_error=str(error))


def read_finish(data: object) -> Decision:
    """Return the decision that ends the episode.

    Raises:
        ActionError: The data has another form.
    """
    given = _members(data, "finish", {"status", "answer", "thought", "usage"})
    status, answer = given.get("status", "success"), given.get("answer")
    if status not in _STATUSES:
        raise ActionError(f"finish: status is {status!r:.80}, but must be one of {', '.join(_STATUSES)}")
    if answer is not None and not isinstance(answer, str):
        raise ActionError("finish: answer is text or null")
    ending: Action = act.Answer(answer) if answer and status == "success" else act.Terminate(status)
    return Decision((ending,), _thought(given), read_usage(given.get("usage")))


def read_action(data: object) -> Action:
    """Return an action; keys may be written as a chord and by any of their names.

    Raises:
        ActionError: The data is no action.
    """
    if isinstance(data, Mapping):
        data = dict(data)
        keys = data.get("keys")
        if isinstance(keys, str):
            data["keys"] = parse_chord(keys)
        elif isinstance(keys, list) and all(isinstance(key, str) for key in keys):
            data["keys"] = [canonical_key(key) for key in keys]
        if isinstance(data.get("key"), str):
            data["key"] = canonical_key(data["key"])
    return parse_action(data)


def read_usage(data: object) -> Usage:
    """Return what a decision consumed, as the program reports it; without a report the cost is unknown.

    Raises:
        ActionError: A figure is not a number from 0, or too large.
    """
    if data is None:
        return Usage(cost=None)
    given = _members(data, "usage", {field.name for field in fields(Usage)})
    for name, value in given.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        whole = number and (name == "cost" or isinstance(value, int))
        most = MOST_COST if name == "cost" else MOST_TOKENS
        if not (name == "cost" and value is None) and not (whole and 0 <= value <= most):
            raise ActionError(f"usage: {name} is {value!r:.80}, but must be a number from 0 to {most}")
    return Usage(**{"cost": None, **given})


def briefing_to_json(briefing: Briefing) -> dict[str, Any]:
    """Return the briefing as plain data, with pictures in base64."""
    return {
        "phase": briefing.phase,
        "goal": briefing.goal,
        "observation": briefing.observation,
        "screen": list(briefing.screen),
        "actions": [cls.kind for cls in offered(briefing.capabilities)],
        "max_steps": briefing.max_steps,
        "documents": list(briefing.documents),
        "pictures": list(map(_base64, briefing.pictures)),
    }


def observation_to_json(seen: Observation | None, steps: int, max_steps: int) -> dict[str, Any]:
    """Return an observation as plain data; after the end only that the episode has ended."""
    if seen is None:
        return {"ended": True, "step": steps, "max_steps": max_steps}
    return {
        "ended": False,
        "step": steps,
        "max_steps": max_steps,
        "size": list(seen.size),
        "screenshot": _base64(seen.screenshot),
        "tree": None if seen.tree is None else [_plain(node) for node in seen.tree],
        "marks": None if seen.marks is None else [_plain(mark) for mark in seen.marks],
        "dom": seen.dom,
        "tabs": [tab._asdict() for tab in seen.tabs],
        "cursor": list(seen.cursor),
        "results": [
            {"error": each.error, "text": each.text, "image": _base64(each.image)} for each in seen.results
        ],
        "notices": list(seen.notices),
    }


def offered(capabilities: Iterable[Capability]) -> list[type[Action]]:
    """Return the actions that an environment offers, besides those that end the episode."""
    able = {"talk", *capabilities}
    return [cls for cls in ACTIONS.values() if not cls.ends and cls.needs in able]


def arguments_schema(cls: type[Action]) -> dict[str, Any]:
    """Return the JSON schema of an action's arguments."""
    hints = typing.get_type_hints(cls)
    properties = {field.name: _schema(hints[field.name]) for field in fields(cls)}
    if "keys" in properties:
        properties["keys"]["description"] = "Keys pressed together, for example ['ctrl', 'a']."
    required = [field.name for field in fields(cls) if field.default is MISSING]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


FINISH_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "enum": list(_STATUSES), "default": "success"},
        "answer": {
            "type": ["string", "null"],
            "description": "The answer, exactly in the form that the task asks for.",
        },
    },
    "additionalProperties": False,
}


def _schema(hint: Any) -> dict[str, Any]:
    if typing.get_origin(hint) is Literal:
        return {"type": "string", "enum": list(get_args(hint))}
    if typing.get_origin(hint) is types.UnionType:
        return {"type": [_JSON[option] for option in get_args(hint)]}
    if typing.get_origin(hint) is tuple:
        items = get_args(hint)
        if items[-1] is Ellipsis:
            return {"type": "array", "items": _schema(items[0])}
        return {"type": "array", "items": _schema(items[0]), "minItems": len(items), "maxItems": len(items)}
    return {"type": _JSON[hint]}


def _members(data: object, what: str, known: set[str]) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ActionError(f"{what} is a JSON object, not {type(data).__name__}")
    if unknown := sorted(set(data) - known):
        raise ActionError(f"{what}: unknown {', '.join(unknown)!r:.200}; known: {', '.join(sorted(known))}")
    return data


def _thought(given: Mapping[str, Any]) -> str:
    thought = given.get("thought") or ""
    if not isinstance(thought, str) or len(thought) > MOST_THOUGHT:
        raise ActionError(f"thought is text of at most {MOST_THOUGHT} characters")
    return thought.encode(errors="replace").decode()


def _plain(value: Any) -> dict[str, Any]:
    return {**value._asdict(), "box": list(value.box)}


@typing.overload
def _base64(png: bytes) -> str: ...
@typing.overload
def _base64(png: bytes | None) -> str | None: ...
def _base64(png: bytes | None) -> str | None:
    return None if png is None else base64.b64encode(png).decode()
