"""Parses submitted forms, within limits."""

from urllib.parse import parse_qsl

from starlette.requests import Request

Fields = list[tuple[str, str]]


async def read_form(request: Request, *, largest: int, most: int) -> Fields | None:
    """Return the submitted fields; None when there are more than `largest` bytes, or `most` fields."""
    if request.method != "POST":
        return []
    length = request.headers.get("content-length", "0")
    if not length.isdigit() or int(length) > largest or "transfer-encoding" in request.headers:
        return None
    body = (await request.body()).decode("utf-8", "replace")
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return []
    try:
        return parse_qsl(body, keep_blank_values=True, max_num_fields=most)
    except ValueError:
        return None
