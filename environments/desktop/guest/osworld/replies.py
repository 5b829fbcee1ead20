"""What requests hold and how trouble is told, in the shapes that OSWorld's clients know."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from guest.errors import BadRequest, GuestError
from guest.plain import PlainResponse

MAX_JSON = 16 * 2**20  # bytes
MAX_UPLOAD = 256 * 2**20
_BROWSERS = ("origin", "sec-fetch-site")  # headers that browsers always send along, and programs do not

Handler = Callable[[Request], Awaitable[Response]]


class Refused(Exception):
    """A reply with a status of its own and one sentence; `shape` is the key that it stands under."""

    def __init__(self, status: int, sentence: str, shape: str = "message") -> None:
        super().__init__(sentence)
        self.status, self.shape = status, shape


def told(handler: Handler) -> Handler:
    """Answer trouble in the protocol's shape, and no browser at all: a page must not act on somebody's desktop."""

    @wraps(handler)
    async def answer(request: Request) -> Response:
        if any(header in request.headers for header in _BROWSERS):
            return _trouble(403, "this server answers programs, not pages of a browser")
        try:
            return await handler(request)
        except Refused as refused:
            return _trouble(refused.status, str(refused), refused.shape)
        except GuestError as error:
            return _trouble(500 if error.status < 500 else error.status, str(error))

    return answer


def _trouble(status: int, sentence: str, shape: str = "message") -> Response:
    body = {"error": sentence} if shape == "error" else {"status": "error", "message": sentence}
    return PlainResponse(body, status)


async def json_of(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request.

    Raises:
        Refused: It is none, too long, or not said to be JSON.
    """
    if "json" not in request.headers.get("content-type", ""):
        raise Refused(415, "send JSON, with the header Content-Type: application/json")
    body = await _body(request, MAX_JSON)
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the request holds no JSON") from None
    if not isinstance(data, dict):
        raise Refused(400, "the request must hold a JSON object")
    return data


async def form_of(request: Request) -> FormData:
    """Return the fields of a form, its files kept on disk.

    Raises:
        Refused: It is longer than an upload may be.
    """
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > MAX_UPLOAD:
        raise Refused(413, f"send at most {MAX_UPLOAD} bytes, and say how many", "error")
    try:
        return await request.form(max_files=4, max_fields=20, max_part_size=2**20)
    except Exception as error:  # the parser's many exceptions all mean that the form is malformed
        raise Refused(400, f"the form cannot be read: {type(error).__name__}", "error") from None


def text_of(data: Any, name: str, default: str | None = None) -> str:
    """Return a text of a form or an object.

    Raises:
        Refused: It is missing or no text, or holds a null byte.
    """
    value = data.get(name, default)
    if not isinstance(value, str) or "\0" in value or (value == "" and default is None):
        raise Refused(400, f"{name} is required, as text", "error")
    return value


def flag_of(data: dict[str, Any], name: str) -> bool:
    """Return whether something is wanted; absent means no."""
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


__all__ = ["BadRequest", "Handler", "Refused", "flag_of", "form_of", "json_of", "text_of", "told"]
