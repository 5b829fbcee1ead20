"""The OpenAPI description of the HTTP door, made from the actions themselves."""

from __future__ import annotations

import inspect
from typing import Any

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.program.endpoints.wire import (
    FINISH_SCHEMA,
    MOST_ACTIONS,
    MOST_COST,
    MOST_THOUGHT,
    MOST_TOKENS,
    arguments_schema,
    offered,
)
from pytest_cuabench.task.action import Action

_NUMBER = {"type": "integer", "minimum": 0, "maximum": MOST_TOKENS}
_USAGE = {
    "type": "object",
    "description": "What the step consumed; without it the cost is recorded as unknown.",
    "properties": {
        "tokens_in": _NUMBER,
        "tokens_out": _NUMBER,
        "tokens_cached": _NUMBER,
        "cost": {
            "type": ["number", "null"],
            "minimum": 0,
            "maximum": MOST_COST,
            "description": "US dollars",
        },
    },
    "additionalProperties": False,
}
_REPORT = {"thought": {"type": "string", "maxLength": MOST_THOUGHT}, "usage": _USAGE}


def description(briefing: Briefing) -> dict[str, Any]:
    """Return the OpenAPI document of an episode, with the actions that work in it."""
    step = {
        "type": "object",
        "properties": {
            "actions": {
                "type": "array",
                "minItems": 1,
                "maxItems": MOST_ACTIONS,
                "items": {"oneOf": [action_schema(cls) for cls in offered(briefing.capabilities)]},
            },
            "pyautogui": {
                "type": "string",
                "description": "Instead: calls of pyautogui in screen pixels, or DONE, FAIL or WAIT; read, not run.",
            },
            **_REPORT,
        },
        "oneOf": [{"required": ["actions"]}, {"required": ["pyautogui"]}],
        "additionalProperties": False,
    }
    finish = {**FINISH_SCHEMA, "properties": {**FINISH_SCHEMA["properties"], **_REPORT}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "pytest-cuabench: one episode", "version": "1"},
        "security": [{"token": []}],
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "paths": {
            "/v1/briefing": {"get": _operation("The goal, the screen, the budget and the documents.")},
            "/v1/observation": {"get": _operation("The screen after the last step.")},
            "/v1/step": {"post": _operation("Act, and observe the screen afterwards.", step)},
            "/v1/finish": {"post": _operation("End the episode; the first call counts.", finish)},
        },
    }


def action_schema(cls: type[Action]) -> dict[str, Any]:
    """Return the JSON schema of an action."""
    arguments = arguments_schema(cls)
    return {
        **arguments,
        "description": summary(cls),
        "properties": {"kind": {"const": cls.kind}, **arguments["properties"]},
        "required": ["kind", *arguments["required"]],
    }


def summary(cls: type[Action]) -> str:
    """Return the first line of an action's documentation."""
    return (inspect.getdoc(cls) or cls.kind).partition("\n")[0].replace("`", "")


def _operation(words: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    answers = {
        "200": "JSON; 'ended' is true when the episode is over",
        "401": "the token is wrong",
    }
    if body:
        answers |= {"400": "the body is malformed", "409": "too many calls wait"}
    answers |= {"413": "the request is too large", "429": "too many requests"}
    operation: dict[str, Any] = {
        "summary": words,
        "responses": {code: {"description": text} for code, text in answers.items()},
    }
    if body:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return operation
