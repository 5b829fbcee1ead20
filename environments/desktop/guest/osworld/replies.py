"""Parses requests, and replies with errors in the formats of OSWorld."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from guest.errors import BadRequest, GuestError
from guest.plain import PlainResponse

MAX_JSON = 16 * 2**20  # bytes
MAX_UPLOAD = 256 * 2**20
_BROWSERS = ("origin", "sec-fetch-site")  # headers of browsers
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_NO_TEXTS = frozenset(  # fields that a form writes as JSON: 5, true, {"window_exists": "Probe"}
    {"shell", "strict", "by_class", "bibtex", "depth", "port", "timeout"}
    | {"verification", "max_wait_time", "check_interval"}
)

Handler = Callable[[Request], Awaitable[Response]]


class Refused(Exception):
    """An error reply with a status and a message; `shape` is the key of the message."""

    def __init__(self, status: int, sentence: str, shape: str = "message") -> None:
        super().__init__(sentence)
        self.status, self.shape = status, shape


def with_errors(handler: Handler) -> Handler:
    """Wrap a handler: errors in OSWorld's format, and no requests from browsers, so that web pages cannot act."""

    @wraps(handler)
    async def answer(request: Request) -> Response:
        if any(header in request.headers for header in _BROWSERS):
            return _error_reply(403, "this server answers programs, not pages of a browser")
        try:
            return await handler(request)
        except Refused as refused:
            return _error_reply(refused.status, str(refused), refused.shape)
        except GuestError as error:
            return _error_reply(500 if error.status < 500 else error.status, str(error))

    return answer


def _error_reply(status: int, sentence: str, shape: str = "message") -> Response:
    body = {"error": sentence} if shape == "error" else {"status": "error", "message": sentence}
    return PlainResponse(body, status)


async def fields_of(request: Request) -> dict[str, Any]:
    """Return the fields of a request, sent as a JSON object or as a form.

    Raises:
        Refused: It is neither, malformed, or too long.
    """
    kind = request.headers.get("content-type", "")
    if "json" in kind:
        return await _object(request)
    if kind.startswith(_FORMS):
        form = await form_of(request)
        return {name: _value(name, form.getlist(name)) for name in form}
    raise Refused(415, "send a JSON object or a form, with its Content-Type header")


async def _object(request: Request) -> dict[str, Any]:
    body = await _body(request, MAX_JSON)
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the request holds no JSON") from None
    if not isinstance(data, dict):
        raise Refused(400, "the request must hold a JSON object")
    return data


def _value(name: str, values: Sequence[object]) -> object:
    """Return a form's field as JSON would hold it: repeated fields are a list, and some are no texts."""
    if len(values) > 1:
        return list(values)
    (value,) = values
    if name not in _NO_TEXTS or not isinstance(value, str):
        return value
    try:
        return json.loads(value.lower() if value in ("True", "False") else value)
    except (ValueError, RecursionError):
        return value


async def form_of(request: Request) -> FormData:
    """Return the fields of a form; its files are stored on disk.

    Raises:
        Refused: It exceeds the limit of uploads.
    """
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > MAX_UPLOAD:
        raise Refused(413, f"send at most {MAX_UPLOAD} bytes, and say how many", "error")
    try:
        return await request.form(max_files=4, max_fields=20, max_part_size=2**20)
    except Exception as error:  # any exception of the parser means that the form is malformed
        raise Refused(400, f"the form cannot be read: {type(error).__name__}", "error") from None


def text_of(data: Any, name: str, default: str | None = None) -> str:
    """Return a text of a form or an object.

    Raises:
        Refused: It is missing, not a text, or contains a null byte.
    """
    value = data.get(name, default)
    if not isinstance(value, str) or "\0" in value or (value == "" and default is None):
        raise Refused(400, f"{name} is required, as text", "error")
    return value


def flag_of(data: dict[str, Any], name: str) -> bool:
    """Return a boolean; False if absent."""
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise Refused(400, f"{name} must be true or false")
    return value


async def _body(request: Request, longest: int) -> bytes:
    whole = bytearray()
    async for chunk in request.stream():
        whole += chunk
        if len(whole) > longest:
            raise Refused(413, f"the request is longer than {longest} bytes")
    return bytes(whole)


__all__ = ["BadRequest", "Handler", "Refused", "fields_of", "flag_of", "form_of", "text_of", "with_errors"]
