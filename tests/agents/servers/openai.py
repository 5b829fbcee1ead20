"""A strict Responses API on loopback: it plays a script of replies, and refuses what OpenAI refuses, in its words."""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from PIL import Image, UnidentifiedImageError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .serving import broken, served

KEY = "sk-test-7f3a9c51d2"
NEW_TOOL = r"gpt-(5\.[4-9]|6(\.\d)?)(-(sol|terra|astra|luna|pro|mini))?"
OLD_TOOL = r"computer-use-preview(-2025-03-11)?"
KNOWN = {"model", "instructions", "input", "tools", "max_output_tokens", "temperature", "reasoning"}
KNOWN |= {"truncation", "previous_response_id", "store", "include"}
Item = dict[str, Any]


# Replies


def computer(*actions: Item, call: str | None = None, checks: Iterable[Item] = (), **changes: Any) -> Item:
    """Return a batched call of the computer tool."""
    item = {"type": "computer_call", "actions": list(actions), "pending_safety_checks": list(checks)}
    return _call(item, call) | changes


def single(action: Item, call: str | None = None, checks: Iterable[Item] = ()) -> Item:
    """Return the preview model's call, of one action."""
    return _call({"type": "computer_call", "action": action, "pending_safety_checks": list(checks)}, call)


def finish(status: str = "success", answer: str | None = None, **changes: Any) -> Item:
    """Return a call of the function that ends the task."""
    arguments = json.dumps({"status": status, "answer": answer})
    return _call({"type": "function_call", "name": "finish", "arguments": arguments}, None) | changes


def say(text: str) -> Item:
    """Return a message."""
    return _message({"type": "output_text", "text": text, "annotations": []})


def refuse(text: str) -> Item:
    """Return a message that refuses."""
    return _message({"type": "refusal", "refusal": text})


def think(text: str = "") -> Item:
    """Return a reasoning item."""
    summary = [{"type": "summary_text", "text": text}] if text else []
    return {"type": "reasoning", "id": f"rs_{next(_numbers)}", "summary": summary}


def press(*keys: str) -> Item:
    """Return the action that presses a chord."""
    return {"type": "keypress", "keys": list(keys)}


def click(x: Any, y: Any, **changes: Any) -> Item:
    """Return the action that clicks."""
    return {"type": "click", "button": "left", "x": x, "y": y} | changes


_numbers = count(1)


def _call(item: Item, call: str | None) -> Item:
    number = next(_numbers)
    return {"id": f"cu_{number}", "call_id": call or f"call_{number}", "status": "completed"} | item


def _message(part: Item) -> Item:
    return {
        "type": "message",
        "id": f"msg_{next(_numbers)}",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


@dataclass
class Said:
    """One response of the script, with what is not as usual."""

    items: list[Any]
    changes: Item = field(default_factory=dict)
    tokens: tuple[int, int, int] = (1000, 20, 800)


@dataclass
class Fault:
    """Something that goes wrong instead of a response: a status, one of `BROKEN`, or `garbage`."""

    status: int | str
    message: str = "try later"
    code: str | None = None
    param: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


class Refused(Exception):
    """The request is not as the API wants it."""

    def __init__(
        self, message: str, param: str | None = None, code: str | None = None, status: int = 400
    ) -> None:
        super().__init__(message)
        self.fault = Fault(status, message, code, param)


# The server


class Server:
    """The API. `requests` holds the body of each, `refused` what was wrong."""

    def __init__(self) -> None:
        self.url = ""
        self.play(lambda body: Fault(500, "nothing to say"))

    def play(self, answer: Callable[[Item], Said | Fault]) -> None:
        """Answer every request with what a function makes of it from now on, and forget everything."""
        self.answer = answer
        self.requests: list[Item] = []
        self.refused: list[str] = []
        self._kept: dict[str, tuple[list[Item], bool]] = {}

    @contextmanager
    def running(self) -> Iterator[Server]:
        """Serve on a free port of this machine."""
        app = Starlette(routes=[Route("/v1/responses", self._respond, methods=["POST"])])
        with served(app) as url:
            self.url = f"{url}/v1"
            yield self

    async def _respond(self, request: Request) -> Response:
        body = await request.json()
        self.requests.append(body)
        try:
            if request.headers.get("authorization") != f"Bearer {KEY}":
                raise Refused(f"Incorrect API key provided: {KEY}.", code="invalid_api_key", status=401)
            context = self._checked(body)
        except Refused as refused:
            self.refused.append(str(refused))
            return _error(refused.fault)
        turn = self.answer(body)
        if isinstance(turn, Fault):
            return await self._fail(turn, request)
        return self._say(turn, body, context)

    async def _fail(self, fault: Fault, request: Request) -> Response:
        if (reply := await broken(fault.status, request)) is not None:
            return reply
        if fault.status == "garbage":
            return Response(b'{"id": "resp', media_type="application/json")
        return _error(fault)

    def _say(self, said: Said, body: Item, context: list[Item]) -> Response:
        name = f"resp_{next(_numbers)}"
        output = json.loads(json.dumps(said.items))
        if "reasoning.encrypted_content" in body.get("include", ()):
            for item in output:
                if isinstance(item, dict) and item.get("type") == "reasoning":
                    item["encrypted_content"] = "gAAAA" + item["id"]
        whole = said.changes.get("status", "completed") == "completed"
        if body.get("store", True):
            self._kept[name] = ([*context, *output], whole)
        read, written, cached = said.tokens
        usage = {
            "input_tokens": read,
            "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": 50},
            "output_tokens": written,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": read + written,
        }
        response = {
            "id": name,
            "object": "response",
            "created_at": 1_790_000_000,
            "status": "completed",
            "error": None,
            "incomplete_details": None,
            "model": body["model"],
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": body["tools"],
            "usage": usage,
        }
        text = json.dumps(response | said.changes)
        return Response(text, media_type="application/json")

    # What is wanted

    def _checked(self, body: Item) -> list[Item]:
        """Return the whole context of a request."""
        for name in body:
            if name not in KNOWN:
                raise Refused(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
        new = _checked_tools(body)
        context = self._context(body)
        for place, item in enumerate(body["input"]):
            _check_item(item, place, new, stored=body.get("store", True))
        _check_calls(context)
        _check_reasoning(context)
        return context

    def _context(self, body: Item) -> list[Item]:
        said = body.get("input")
        if not isinstance(said, list) or not said:
            raise Refused("Missing required parameter: 'input'.", "input", "missing_required_parameter")
        previous = body.get("previous_response_id")
        if previous is None:
            return said
        if previous not in self._kept:
            message = f"Previous response with id '{previous}' not found."
            raise Refused(message, "previous_response_id", "previous_response_not_found")
        items, whole = self._kept[previous]
        if not whole:
            raise Refused(f"Previous response '{previous}' is incomplete.", "previous_response_id")
        return [*items, *said]


def _error(fault: Fault) -> Response:
    kind = "invalid_request_error" if int(fault.status) < 500 else "server_error"
    error = {"message": fault.message, "type": kind, "param": fault.param, "code": fault.code}
    return JSONResponse({"error": error}, int(fault.status), fault.headers)


def _checked_tools(body: Item) -> bool:
    """Return whether the model takes the new tool, after everything about tools was found right."""
    model = str(body.get("model"))
    new, old = re.fullmatch(NEW_TOOL, model), re.fullmatch(OLD_TOOL, model)
    if not new and not old and model != "gpt-4o":
        raise Refused(f"The requested model '{model}' does not exist.", "model", "model_not_found")
    for place, tool in enumerate(body.get("tools", ())):
        kind, at = tool.get("type"), f"tools[{place}]"
        if kind == "computer":
            _only(tool, at, "type")
        elif kind == "computer_use_preview":
            _only(tool, at, "type", "display_width", "display_height", "environment")
            _check_display(tool, at)
            if body.get("truncation") != "auto":
                raise Refused("This model requires 'truncation' to be set to 'auto'.", "truncation")
        elif kind == "function":
            _check_function(tool, at)
        else:
            raise Refused(f"Invalid value: '{kind}'.", f"{at}.type", "invalid_value")
        if (kind == "computer" and not new) or (kind == "computer_use_preview" and not old):
            raise Refused(f"Tool '{kind}' is not supported with {model}.", "tools")
    return bool(new)


def _check_display(tool: Item, at: str) -> None:
    for side in ("display_width", "display_height"):
        if not isinstance(tool.get(side), int):
            raise Refused(f"Missing required parameter: '{at}.{side}'.", f"{at}.{side}")
    if tool.get("environment") not in ("windows", "mac", "linux", "ubuntu", "browser"):
        raise Refused(f"Invalid value: '{tool.get('environment')}'.", f"{at}.environment", "invalid_value")


def _check_function(tool: Item, at: str) -> None:
    _only(tool, at, "type", "name", "description", "strict", "parameters")
    schema = tool["parameters"]
    if tool.get("strict") and (
        set(schema["required"]) != set(schema["properties"])
        or schema.get("additionalProperties") is not False
    ):
        raise Refused(f"Invalid schema for function '{tool['name']}'.", f"{at}.parameters", "invalid_schema")


def _check_item(item: Item, place: int, new: bool, *, stored: bool) -> None:
    at, kind = f"input[{place}]", item.get("type", "message")
    if kind == "message":
        for part in item["content"]:
            _check_part(part, at, new, ours=item["role"] == "user")
    elif kind == "computer_call_output":
        _only(item, at, "type", "call_id", "output", "acknowledged_safety_checks")
        _check_screenshot(item["output"], f"{at}.output", new)
    elif kind == "function_call_output":
        _only(item, at, "type", "call_id", "output")
        if not isinstance(item["output"], str):
            raise Refused(f"Invalid type for '{at}.output'.", f"{at}.output", "invalid_type")
    elif kind == "reasoning" and not stored and not item.get("encrypted_content"):
        message = (
            f"Item with id '{item['id']}' not found. Items are not persisted when `store` is set to false."
        )
        raise Refused(message, "input")
    elif kind not in {"reasoning", "computer_call", "function_call"}:
        raise Refused(f"Invalid value: '{kind}'.", f"{at}.type", "invalid_value")


def _check_part(part: Item, at: str, new: bool, *, ours: bool) -> None:
    kind = part["type"]
    if kind not in ({"input_text", "input_image"} if ours else {"output_text", "refusal"}):
        raise Refused(f"Invalid value: '{kind}'.", f"{at}.content", "invalid_value")
    if kind == "input_image":
        _check_detail(part, at, new)
        _check_image(part["image_url"], at)


def _check_screenshot(output: Item, at: str, new: bool) -> None:
    if output.get("type") != "computer_screenshot":
        raise Refused(f"Invalid value: '{output.get('type')}'.", f"{at}.type", "invalid_value")
    _only(output, at, "type", "image_url", "detail")
    if "image_url" not in output:
        raise Refused(f"Missing required parameter: '{at}.image_url'.", at, "missing_required_parameter")
    if "detail" in output:
        _check_detail(output, at, new)
    _check_image(output["image_url"], at)


def _check_detail(part: Item, at: str, new: bool) -> None:
    known = ("low", "high", "auto", "original") if new else ("low", "high", "auto")
    if part["detail"] not in known:
        raise Refused(f"Invalid value: '{part['detail']}'.", f"{at}.detail", "invalid_value")


def _check_image(url: str, at: str) -> None:
    head, _, data = url.partition(";base64,")
    if head not in ("data:image/png", "data:image/jpeg", "data:image/webp"):
        raise Refused("You uploaded an unsupported image.", at, "invalid_image_format")
    try:
        with Image.open(io.BytesIO(base64.b64decode(data, validate=True))) as picture:
            found = f"data:image/{(picture.format or '').lower()}"
    except (binascii.Error, UnidentifiedImageError):
        raise Refused(
            "The image data you provided does not represent a valid image.", at, "invalid_image"
        ) from None
    if found != head:
        raise Refused(f"The image is {found}, not {head}.", at, "invalid_image_format")


def _check_calls(context: list[Item]) -> None:
    """Every call is answered once, by an answer of its kind, with all its checks acknowledged."""
    calls: dict[tuple[str, str], Item] = {}
    for item in context:
        kind = item.get("type", "message")
        if kind in {"computer_call", "function_call"}:
            calls[kind, item["call_id"]] = item
        elif kind.endswith("_call_output"):
            words = kind.removesuffix("_output").replace("_", " ")
            call = calls.pop((kind.removesuffix("_output"), item["call_id"]), None)
            if call is None:
                raise Refused(
                    f"No tool call found for {words} output with call_id {item['call_id']}.", "input"
                )
            _check_acknowledged(call, item)
    for kind, name in calls:
        raise Refused(f"No tool output found for {kind.replace('_', ' ')} {name}.", "input")


def _check_acknowledged(call: Item, answer: Item) -> None:
    pending = {check["id"] for check in call.get("pending_safety_checks", ())}
    missing = pending - {check["id"] for check in answer.get("acknowledged_safety_checks", ())}
    if missing:
        raise Refused(f"Computer tool has unacknowledged safety check for {sorted(missing)}", "input")


def _check_reasoning(context: list[Item]) -> None:
    """Reasoning stands before what came of it."""
    for item, following in zip(context, [*context[1:], {}], strict=True):
        if item.get("type") == "reasoning" and (not following or following.get("role") == "user"):
            message = (
                f"Item '{item['id']}' of type 'reasoning' was provided without its required following item."
            )
            raise Refused(message, "input")


def _only(item: Item, at: str, *names: str) -> None:
    for name in item:
        if name not in names:
            raise Refused(f"Unknown parameter: '{at}.{name}'.", f"{at}.{name}", "unknown_parameter")


# What is and was sent


def data_url(png: bytes) -> str:
    """Return a picture as the API takes it."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def picture_urls(body: Item) -> Iterator[str]:
    """Give each picture in a request as it was sent."""
    for item in body["input"]:
        for part in item.get("content") or [item.get("output")]:
            if isinstance(part, dict) and "image_url" in part:
                yield part["image_url"]


def pictures(body: Item) -> Iterator[tuple[int, int]]:
    """Give the size of each picture in a request."""
    for url in picture_urls(body):
        with Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) as picture:
            yield picture.size


def words(body: Item) -> str:
    """Return all texts that a request's input holds for the model."""
    contents = (item["content"] for item in body["input"] if item.get("role") == "user")
    return "\n".join(part["text"] for content in contents for part in content if part["type"] == "input_text")
