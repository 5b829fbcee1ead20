"""Anthropic's Messages API as its documentation describes it: strict in what it takes, scripted in what it says.

It knows models, tools and limits by itself and asks nothing of the code under test. It is also reached by the paths
of Bedrock and Vertex AI.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .serving import broken, served

KEY = "sk-ant-a-secret-of-the-tests"
TOOLSET = "computer_toolset_20260801"
BETAS = {
    "computer_20250124": "computer-use-2025-01-24",
    "computer_20251124": "computer-use-2025-11-24",
}


@dataclass(frozen=True)
class Rules:
    """What one model takes: tools, longest edge, patches of a picture, and whether its thoughts are bound."""

    tools: tuple[str, ...]
    edge: int = 2576
    patches: int = 4784
    bound: bool = False


MODELS = {
    "claude-opus-5-5": Rules((TOOLSET,), bound=True),
    "claude-haiku-5-5": Rules((TOOLSET,), bound=True),
    "claude-opus-5": Rules((TOOLSET, "computer_20251124")),
    "claude-opus-4-7": Rules(("computer_20251124",)),
    "claude-opus-4-6": Rules(("computer_20251124",), 1568, 1568),
    "claude-sonnet-4-5": Rules(("computer_20250124",), 1568, 1568),
    "claude-opus-9": Rules((TOOLSET,), bound=True),
    "us.anthropic.claude-opus-5-5-v1:0": Rules(("computer_20251124",), bound=True),
}


class Refused(Exception):
    """A request that the API does not take."""

    def __init__(self, message: str, status: int = 400, kind: str = "invalid_request_error") -> None:
        super().__init__(message)
        self.message, self.status, self.kind = message, status, kind

    def response(self, **headers: str) -> Response:
        """Return the error in the API's shape."""
        body = {"type": "error", "error": {"type": self.kind, "message": self.message}}
        return JSONResponse({**body, "request_id": "req_1"}, self.status, headers)


# What the model says


@dataclass(frozen=True)
class Act:
    """A call of the computer, put as the tool of the request wants it."""

    name: str
    arguments: Mapping[str, Any]


def act(name: str, **arguments: Any) -> Act:
    """Return a call of the computer."""
    return Act(name, arguments)


def use(name: str, **arguments: Any) -> dict[str, Any]:
    """Return a call of another tool."""
    return {"type": "tool_use", "name": name, "input": arguments}


def say(words: str) -> dict[str, Any]:
    """Return a block of text."""
    return {"type": "text", "text": words}


def think(words: str = "") -> dict[str, Any]:
    """Return a thought; the server signs it."""
    return {"type": "thinking", "thinking": words}


@dataclass(frozen=True)
class Reply:
    """A message of the model; `changes` replace parts of it."""

    blocks: tuple[Any, ...]
    changes: Mapping[str, Any] = field(default_factory=dict)


def reply(*blocks: Any, **changes: Any) -> Reply:
    """Return a message of the model."""
    return Reply(blocks, changes)


@dataclass(frozen=True)
class Fault:
    """Trouble instead of a reply: a status, one of `BROKEN`, or `garbled`."""

    kind: int | str
    headers: Mapping[str, str] = field(default_factory=dict)
    message: str = "trouble"


DONE = reply(use("finish", status="success"))
USED = {
    "input_tokens": 200,
    "cache_creation_input_tokens": 100,
    "cache_read_input_tokens": 700,
    "output_tokens": 20,
}
PRESS_N = reply(act("key", text="n"))

# The server


class Server:
    """Plays a script, one entry for each request, the last again and again, and keeps what it was sent.

    An entry may be a function of the request.
    """

    def __init__(self) -> None:
        self.url = ""
        self.play([DONE])

    def play(self, script: Sequence[Reply | Fault | Callable[[dict[str, Any]], Reply | Fault]]) -> None:
        """Begin with another script, and forget all requests."""
        self._script = list(script)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.refused: list[str] = []
        self._cache: set[str] = set()
        self._signed: dict[str, str] = {}

    @property
    def app(self) -> Starlette:
        """The application."""
        vertex = "/projects/{project}/locations/{region}/publishers/anthropic/models/{model}:rawPredict"
        return Starlette(
            routes=[
                Route(path, self._answer, methods=["POST"])
                for path in ("/v1/messages", "/model/{model}/invoke", vertex)
            ]
        )

    async def _answer(self, request: Request) -> Response:
        self.headers.append(dict(request.headers))
        body = json.loads(await request.body())
        self.requests.append(body)
        entry = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        entry = entry(body) if callable(entry) else entry
        if isinstance(entry, Fault):
            return await self._trouble(entry, request)
        try:
            checked = check(request, body, self._signed)
        except Refused as refused:
            self.refused.append(refused.message)
            return refused.response()
        message = json.dumps(self._message(entry, body, checked))  # half characters as escapes
        return Response(message, media_type="application/json")

    async def _trouble(self, fault: Fault, request: Request) -> Response:
        if (reply := await broken(fault.kind, request)) is not None:
            return reply
        match fault.kind:
            case "garbled":
                return Response('{"type": "mess', media_type="application/json")
            case "list":
                return JSONResponse([1])
        kinds = {429: "rate_limit_error", 529: "overloaded_error", 500: "api_error"}
        status = int(fault.kind)
        return Refused(fault.message, status, kinds.get(status, "invalid_request_error")).response(
            **fault.headers
        )

    def _message(self, entry: Reply, body: dict[str, Any], tool: str | None) -> dict[str, Any]:
        blocks = [self._block(block, number, body, tool) for number, block in enumerate(entry.blocks)]
        calls = any(block["type"] == "tool_use" for block in blocks)
        return {
            "id": f"msg_{len(self.requests)}",
            "type": "message",
            "role": "assistant",
            "model": "claude",
            "content": blocks,
            "stop_reason": "tool_use" if calls else "end_turn",
            "stop_sequence": None,
            "usage": self._usage(body),
            **entry.changes,
        }

    def _block(self, block: Any, number: int, body: dict[str, Any], tool: str | None) -> dict[str, Any]:
        identity = {"id": f"toolu_{len(self.requests)}_{number}"}
        if isinstance(block, Act) and tool == TOOLSET:
            call = use(block.name, **block.arguments)
            return call | identity | {"toolset_name": "computer"}
        if isinstance(block, Act):
            return use("computer", action=block.name, **block.arguments) | identity
        if block["type"] == "thinking":
            signature = f"signed-{len(self.requests)}-{number}"
            self._signed[signature] = prefix(body, body["messages"])
            return block | {"signature": signature}
        return (identity | block) if block["type"] == "tool_use" else block

    def _usage(self, body: dict[str, Any]) -> dict[str, int]:
        """Count one token for a block, and keep what is marked as the real cache does."""
        parts, marks = flat(body)
        hashes = [digest(parts[: end + 1]) for end in range(len(parts))]
        read = max(
            (
                end + 1
                for mark in marks
                for end in range(max(0, mark - 20), mark + 1)
                if hashes[end] in self._cache
            ),
            default=0,
        )
        written = max((mark + 1 for mark in marks), default=0)
        self._cache |= {hashes[mark] for mark in marks}
        return {
            "input_tokens": len(parts) - max(read, written),
            "cache_creation_input_tokens": max(0, written - read),
            "cache_read_input_tokens": read,
            "output_tokens": 10,
        }


@contextmanager
def running() -> Iterator[Server]:
    """Serve on a free port of this machine."""
    server = Server()
    with served(server.app) as server.url:
        yield server


# What is refused


def demand(condition: object, message: str) -> None:
    """Refuse the request unless the condition holds."""
    if not condition:
        raise Refused(message)


def fields(place: str, value: Mapping[str, Any], required: str, optional: str = "") -> None:
    """Refuse missing and unknown fields."""
    for name in required.split():
        demand(name in value, f"{place}{name}: Field required")
    for name in value.keys() - {*required.split(), *optional.split()}:
        raise Refused(f"{place}{name}: Extra inputs are not permitted")


def check(request: Request, body: dict[str, Any], signed: Mapping[str, str]) -> str | None:
    """Refuse what the API refuses, and return the type of the computer tool."""
    native = request.url.path == "/v1/messages"
    authorise(request, native=native)
    required = "model max_tokens messages" if native else "anthropic_version max_tokens messages"
    fields("", body, required, "system tools thinking output_config temperature anthropic_beta")
    name = body["model"] if native else request.path_params["model"]
    if name not in MODELS:
        raise Refused(f"model: {name}", 404, "not_found_error")
    rules = MODELS[name]
    demand(isinstance(body["max_tokens"], int) and body["max_tokens"] > 0, "max_tokens: must be positive")
    demand(not (rules.bound and "temperature" in body), "temperature: not supported for this model")
    betas = {*request.headers.get("anthropic-beta", "").split(","), *body.get("anthropic_beta", [])}
    tool = check_tools(body.get("tools", []), rules, name, betas)
    check_thinking(body.get("thinking"), rules)
    for block in body.get("system", []):
        check_block("system", block, ("text",))
    check_messages(body, rules, tool, signed)
    demand(len(flat(body)[1]) <= 4, "A maximum of 4 blocks with cache_control may be provided.")
    return tool


def authorise(request: Request, *, native: bool) -> None:
    """Refuse a request without its key, or without the version of the API."""
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if KEY not in {given, request.headers.get("x-api-key") if native else None}:
        raise Refused("invalid x-api-key", 401, "authentication_error")
    demand(not native or "anthropic-version" in request.headers, "anthropic-version: header is required")


def check_tools(tools: list[dict[str, Any]], rules: Rules, model: str, betas: set[str]) -> str | None:
    """Refuse tools that the model does not take."""
    computers = [tool["type"] for tool in tools if tool.get("type", "custom") != "custom"]
    demand(len(computers) < 2, "tools: only one computer tool can be declared")
    for number, tool in enumerate(tools):
        place = f"tools.{number}."
        kind = tool.get("type", "custom")
        if kind == "custom":
            fields(place, tool, "name input_schema", "type description cache_control")
        elif kind == TOOLSET:
            fields(place, tool, "type", "configs cache_control")
        else:
            demand(BETAS.get(kind) in betas, f"{place}: Input tag {kind!r} does not match any expected tag")
            zoom = "enable_zoom" if kind == "computer_20251124" else ""
            sizes = "type name display_width_px display_height_px"
            fields(place, tool, sizes, f"display_number cache_control {zoom}")
            demand(tool["name"] == "computer", f"{place}name: must be computer")
        if kind != "custom":
            demand(kind in rules.tools, f"'{model}' does not support tool types: {kind}.")
    names = [tool["name"] for tool in tools if "name" in tool]
    demand(len(names) == len(set(names)), "tools: Tool names must be unique.")
    return computers[0] if computers else None


def check_thinking(thinking: dict[str, Any] | None, rules: Rules) -> None:
    """Refuse ways to think that the model does not know."""
    if thinking is None:
        return
    kind = thinking.get("type")
    demand(kind in {"adaptive", "enabled", "disabled"}, "thinking.type: Input should be a known tag")
    demand(kind == "adaptive" or not rules.bound, f'"thinking.type.{kind}" is not supported for this model.')
    fields("thinking.", thinking, "type budget_tokens" if kind == "enabled" else "type", "display")


_FIELDS = {
    "text": ("type text", "cache_control citations"),
    "image": ("type source", "cache_control"),
    "tool_use": ("type id name input", "cache_control caller toolset_name"),
    "tool_result": ("type tool_use_id", "content is_error cache_control toolset_name"),
    "thinking": ("type thinking signature", ""),
    "redacted_thinking": ("type data", ""),
}


def check_block(place: str, block: dict[str, Any], allowed: Sequence[str]) -> None:
    """Refuse a block that may not stand here, or is not formed as it must be."""
    kind = block.get("type")
    demand(kind in allowed, f"{place}: Input tag {kind!r} does not match any of the expected tags: {allowed}")
    fields(f"{place}.{kind}.", block, *_FIELDS[str(kind)])
    if kind == "text":
        demand(block["text"].strip(), f"{place}: text content blocks must contain non-whitespace text")


def check_messages(body: dict[str, Any], rules: Rules, tool: str | None, signed: Mapping[str, str]) -> None:
    """Refuse a conversation that cannot have been."""
    messages = body["messages"]
    demand(messages and messages[0]["role"] == "user", "messages: first message must use the user role")
    demand(messages[-1]["role"] == "user", "This model does not support assistant message prefill.")
    pictures: list[tuple[int, int]] = []
    for number, message in enumerate(messages):
        place = f"messages.{number}"
        fields(f"{place}.", message, "role content")
        demand(message["content"], f"{place}: all messages must have non-empty content")
        if message["role"] == "user":
            check_heard(place, message["content"], rules, pictures)
            check_results(place, messages, number)
        else:
            check_said(place, body, number, rules, signed)
    large = [size for size in pictures if max(size) > 2000]
    demand(len(pictures) <= 20 or not large, "messages: at most 2000 pixels a side with more than 20 images")


def check_heard(
    place: str, content: list[dict[str, Any]], rules: Rules, pictures: list[tuple[int, int]]
) -> None:
    """Refuse a malformed message of the user, and note its pictures."""
    for position, block in enumerate(content):
        where = f"{place}.content.{position}"
        check_block(where, block, ("text", "image", "tool_result"))
        inner = block.get("content", []) if block["type"] == "tool_result" else []
        for part in inner:
            check_block(f"{where}.tool_result", part, ("text", "image"))
            text_only = not block.get("is_error") or part["type"] == "text"
            demand(text_only, f"{where}: all content must be type `text` if `is_error` is true")
        pictures += [check_image(where, part, rules) for part in (block, *inner) if part["type"] == "image"]


def check_image(place: str, block: dict[str, Any], rules: Rules) -> tuple[int, int]:
    """Refuse a picture that is none, is called what it is not, or is too large; return its size."""
    source = block["source"]
    fields(f"{place}.source.", source, "type media_type data")
    demand(source["type"] == "base64", f"{place}.source.type: must be base64")
    try:
        data = base64.b64decode(source["data"], validate=True)
    except binascii.Error as error:
        raise Refused(f"{place}: invalid base64 data") from error
    png = data.startswith(b"\x89PNG\r\n\x1a\n")
    demand(png == (source["media_type"] == "image/png"), f"{place}: the image does not match its media type")
    demand(png, f"{place}: Could not process image")
    width, height = (int.from_bytes(data[start : start + 4]) for start in (16, 20))
    patches = math.ceil(width / 28) * math.ceil(height / 28)
    fits = max(width, height) <= rules.edge and patches <= rules.patches
    demand(fits, f"{place}: image of {width}x{height} exceeds the model's maximum image size")
    return width, height


def check_results(place: str, messages: list[dict[str, Any]], number: int) -> None:
    """Refuse results that do not answer exactly the calls before."""
    before = messages[number - 1] if number else {"role": "user", "content": []}
    demand(not number or before["role"] == "assistant", "messages: roles must alternate on some platforms")
    calls = {block["id"]: block for block in before["content"] if block["type"] == "tool_use"}
    content = messages[number]["content"]
    results = [block for block in content if block["type"] == "tool_result"]
    demand(content[: len(results)] == results, f"{place}: tool_result blocks must come first")
    answered = [result["tool_use_id"] for result in results]
    for identity in calls.keys() - set(answered):
        raise Refused(f"{place}: `tool_use` ids were found without `tool_result` blocks: {identity}")
    demand(len(answered) == len(set(answered)), f"{place}: each tool_use must have a single result")
    for result in results:
        demand(result["tool_use_id"] in calls, f"{place}: unexpected `tool_use_id` in `tool_result` blocks")
        named = calls[result["tool_use_id"]].get("toolset_name")
        demand(result.get("toolset_name") == named, f"{place}: toolset_name must be that of the tool_use")


def check_said(
    place: str, body: dict[str, Any], number: int, rules: Rules, signed: Mapping[str, str]
) -> None:
    """Refuse a reply of the model that it did not give, or not to this conversation."""
    messages = body["messages"]
    for position, block in enumerate(messages[number]["content"]):
        where = f"{place}.content.{position}"
        check_block(where, block, ("text", "tool_use", "thinking", "redacted_thinking"))
        if block["type"] != "thinking":
            continue
        demand(block["signature"] in signed, f"{where}: Invalid `signature` in `thinking` block")
        same = signed[block["signature"]] == prefix(body, messages[:number])
        demand(
            same or not rules.bound,
            f"{where}: Invalid `signature` in `thinking` block. The block is bound to a different conversation.",
        )


# What is compared


def flat(body: dict[str, Any]) -> tuple[list[str], list[int]]:
    """Return all blocks in the order of the cache, and which of them are marked."""
    blocks = [*body.get("tools", []), *body.get("system", [])]
    blocks += [
        block | {"role": message["role"]} for message in body["messages"] for block in message["content"]
    ]
    marks = [number for number, block in enumerate(blocks) if "cache_control" in block]
    return [plain(block) for block in blocks], marks


def plain(value: Any) -> str:
    """Return canonical JSON without marks for the cache."""
    if isinstance(value, dict):
        value = {name: part for name, part in value.items() if name != "cache_control"}
    return json.dumps(value, sort_keys=True)


def prefix(body: dict[str, Any], messages: Sequence[dict[str, Any]]) -> str:
    """Return what a thought is bound to: tools, instructions, and all that was said, but no other thoughts."""
    said = [
        plain(block)
        for message in messages
        for block in message["content"]
        if block["type"] not in {"thinking", "redacted_thinking"}
    ]
    return digest([plain(part) for part in (*body.get("tools", []), *body.get("system", []))] + said)


def digest(parts: Sequence[str]) -> str:
    """Return a short name of a text."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
