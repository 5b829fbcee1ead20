"""A server of chat completions that refuses what real ones refuse, plays a script of replies, and breaks on demand."""

from __future__ import annotations

import base64
import binascii
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .serving import broken, served

MODEL = "acme/see-7b"
KEY = "sk-of-the-tests-4711"
_FIELDS = {
    "model", "messages", "max_tokens", "temperature", "tools", "top_k", "top_p", "chat_template_kwargs",
    "skip_special_tokens",
}  # fmt: skip
_ROLES = {"system", "user", "assistant", "tool"}


@dataclass(frozen=True)
class Said:
    """A reply."""

    content: str | None = None
    calls: Sequence[tuple[str, str]] = ()
    finish: str = "stop"
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    usage: tuple[int, int, int] | None = (100, 10, 40)

    def body(self, model: str) -> dict[str, Any]:
        """Return the answer as the protocol writes it."""
        message: dict[str, Any] = {"role": "assistant", "content": self.content}
        for name in ("reasoning_content", "reasoning", "refusal"):
            if getattr(self, name) is not None:
                message[name] = getattr(self, name)
        if self.calls:
            message["tool_calls"] = [
                {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
                for n, (name, arguments) in enumerate(self.calls)
            ]
        body: dict[str, Any] = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish}],
        }
        if self.usage:
            read, wrote, cached = self.usage
            body["usage"] = {
                "prompt_tokens": read,
                "completion_tokens": wrote,
                "total_tokens": read + wrote,
                "prompt_tokens_details": {"cached_tokens": cached},
            }
        return body


@dataclass(frozen=True)
class Fault:
    """A failure: a status, one of `BROKEN`, or a body that is no answer."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    message: str = "overloaded"
    how: str = "status"  # status, one of `BROKEN`, body
    body: str = ""
    type: str = "application/json"


class Refusal(Exception):
    """What the protocol does not allow."""

    def __init__(self, message: str, status: int = 400, code: str = "BadRequestError") -> None:
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass
class Server:
    """The server's script and what it has seen; an entry of the script may be a function of the request.

    Attributes:
        by_turns: Whether its chat template wants users and assistants by turns; ChatML, for one, takes any order.
    """

    url: str = ""
    by_turns: bool = True
    models: tuple[str, ...] = (MODEL,)
    script: list[Said | Fault | Callable[[dict[str, Any]], Said | Fault]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def play(self, *script: Said | Fault | str | Callable[[dict[str, Any]], Said | Fault]) -> None:
        """Forget all before, and answer with these from now on; the last one again and again."""
        self.script = [Said(entry) if isinstance(entry, str) else entry for entry in script]
        self.requests, self.headers, self.refused = [], [], []

    async def answer(self, request: Request) -> Response:
        """Answer one request."""
        try:
            body = self._checked(request, await request.body())
        except Refusal as refusal:
            self.refused.append(str(refusal))
            return _error(str(refusal), refusal.status, refusal.code)
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        entry = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        entry = entry(body) if callable(entry) else entry
        return (
            await _broken(entry, request)
            if isinstance(entry, Fault)
            else Response(json.dumps(entry.body(body["model"])), media_type="application/json")
        )

    def _checked(self, request: Request, content: bytes) -> dict[str, Any]:
        bearer = request.headers.get("authorization", "")
        if bearer not in ("Bearer none", f"Bearer {KEY}"):  # who brings a key must bring the right one
            raise Refusal(f"Incorrect API key provided: {bearer[7:]}.", 401, "invalid_api_key")
        try:
            body = json.loads(content)
        except ValueError as error:
            raise Refusal(f"JSON decode error: {error}") from None
        _need(isinstance(body, dict), "body must be an object")
        _need(set(body) <= _FIELDS, f"unknown fields {sorted(set(body) - _FIELDS)}")
        if body.get("model") not in self.models:
            raise Refusal(f"The model `{body.get('model')}` does not exist.", 404, "NotFoundError")
        most = body.get("max_tokens")
        _need(isinstance(most, int) and most > 0, "max_tokens must be at least 1")
        _tools(body.get("tools"))
        _messages(body.get("messages"), self.by_turns)
        return body


def _need(fine: bool, message: str) -> None:
    if not fine:
        raise Refusal(message)


def _messages(messages: Any, by_turns: bool) -> None:
    """Check messages as strict chat templates do."""
    _need(isinstance(messages, list) and bool(messages), "messages must not be empty")
    _need(all(isinstance(m, dict) and m.get("role") in _ROLES for m in messages), "unknown role")
    roles = [message["role"] for message in messages]
    _need("system" not in roles[1:], "System message must be at the beginning.")
    if by_turns:
        talk = [role for role in roles if role in ("user", "assistant")]
        wanted = ["user", "assistant"] * len(talk)
        _need(
            talk == wanted[: len(talk)], "Conversation roles must alternate user/assistant/user/assistant/..."
        )
    _need(roles[-1] in ("user", "tool"), "the last message must be a user's")
    open_calls: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            _need(message.get("tool_call_id") in open_calls, "tool_call_id answers no call")
            open_calls.remove(message["tool_call_id"])
        else:
            _need(not open_calls, f"calls without an answer: {open_calls}")
        _need(set(message) <= {"role", "content", "tool_calls", "tool_call_id"}, "unknown field in a message")
        open_calls += [_called(call) for call in message.get("tool_calls", ())]
        _content(message)


def _called(call: Any) -> str:
    _need(set(call) == {"id", "type", "function"} and call["type"] == "function", "malformed tool call")
    try:
        _need(isinstance(json.loads(call["function"]["arguments"]), dict), "arguments must be an object")
    except ValueError:
        raise Refusal("tool call arguments must be JSON") from None
    return str(call["id"])


def _content(message: Mapping[str, Any]) -> None:
    content = message.get("content")
    if isinstance(content, str):
        _need(bool(content), f"empty content of {message['role']}")
        return
    _need(isinstance(content, list) and bool(content), "content must be text or a list of parts")
    _need(message["role"] == "user", "only users send parts")
    for part in content:
        _part(part)


def _part(part: Any) -> None:
    _need(isinstance(part, dict), "a part must be an object")
    if part.get("type") == "text":
        _need(set(part) == {"type", "text"} and bool(part["text"]), "malformed text part")
        return
    _need(part.get("type") == "image_url", f"unknown part {part.get('type')!r}")
    url = part.get("image_url")
    _need(isinstance(url, dict) and set(url) <= {"url", "detail"}, "image_url must be an object with url")
    picture_of(part)


def picture_of(part: Mapping[str, Any]) -> Image.Image:
    """Return the picture of an image part."""
    head, _, data = part["image_url"]["url"].partition(",")
    _need(head == "data:image/png;base64", "image_url must be a data: URL of a PNG")
    try:
        picture = Image.open(io.BytesIO(base64.b64decode(data, validate=True)))
        picture.load()
    except (OSError, binascii.Error) as error:
        raise Refusal(f"cannot identify image ({error})") from None
    return picture


def _tools(tools: Any) -> None:
    if tools is None:
        return
    _need(isinstance(tools, list) and bool(tools), "tools must not be empty")
    for tool in tools:
        _need(tool.get("type") == "function", "a tool must be a function")
        _need({"name", "parameters"} <= set(tool["function"]), "a function has name and parameters")


def _error(message: str, status: int, code: str, headers: Mapping[str, str] | None = None) -> Response:
    body = {"error": {"message": message, "type": code, "param": None, "code": code}}
    return JSONResponse(body, status, headers)


async def _broken(fault: Fault, request: Request) -> Response:
    if (reply := await broken(fault.how, request)) is not None:
        return reply
    if fault.how == "body":
        return Response(fault.body, fault.status, media_type=fault.type)
    return _error(fault.message, fault.status or 500, "InternalServerError", fault.headers)


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server in a thread, on a free port of this machine."""
    server = Server()
    app = Starlette(routes=[Route("/v1/chat/completions", server.answer, methods=["POST"])])
    with served(app) as url:
        server.url = f"{url}/v1"
        yield server
