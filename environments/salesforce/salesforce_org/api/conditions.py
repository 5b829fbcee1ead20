"""Conditional requests: what has not changed is not sent again, and what has changed is not overwritten."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.store.values import read_moment


def conditional(call: Call, reply: Reply, changed: str) -> Reply:
    """Return an answer with its date and mark, or 304 where the tool has it; `changed` is a record's moment.

    Raises:
        ApiError: It is not as the tool wants it.
    """
    raw = json.dumps(reply.body, sort_keys=True).encode()
    mark = f'"{hashlib.md5(raw, usedforsecurity=False).hexdigest()}"'
    when = _second(read_moment(changed))
    demand(call, changed, mark)
    headers = {"ETag": mark, "Last-Modified": format_datetime(when, usegmt=True)}
    known = call.headers.get("if-none-match")
    since = _date(call.headers, "if-modified-since")
    same = mark in _marks(known) or "*" in _marks(known) if known else since is not None and when <= since
    return Reply(status=304, headers=headers) if same else Reply(reply.body, reply.status, headers)


def demand(call: Call, changed: str, mark: str = "") -> None:
    """Refuse a request that wants something else than what is there.

    Raises:
        ApiError: It has changed since, or has another mark.
    """
    since = _date(call.headers, "if-unmodified-since")
    wanted = call.headers.get("if-match")
    if since is not None and _second(read_moment(changed)) > since:
        raise ApiError(
            412, "PRECONDITION_FAILED", "Entity was modified since the time of If-Unmodified-Since"
        )
    if mark and wanted and "*" not in _marks(wanted) and mark not in _marks(wanted):
        raise ApiError(412, "PRECONDITION_FAILED", "No entity has a mark of If-Match")


def _marks(header: str) -> list[str]:
    """Return the marks of a header; a proxy may have noted that it compressed what they are of."""
    return [one.strip().removeprefix("W/").replace("--gzip", "") for one in header.split(",")]


def _date(headers: Mapping[str, str], name: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(headers.get(name, ""))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _second(when: datetime) -> datetime:
    return when.astimezone(UTC).replace(microsecond=0)
