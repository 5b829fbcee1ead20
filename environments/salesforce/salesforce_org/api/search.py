"""`/search` with SOSL, `/parameterizedSearch` with its parts one by one, and suggestions while one types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.api.objects import object_named
from salesforce_org.api.query import plain
from salesforce_org.api.routing import resource
from salesforce_org.soql import find
from salesforce_org.soql.search import search
from salesforce_org.store.errors import OrgError

_BARE_BRACE = re.compile(r"(?<!\\)[{}]")
_NAME = re.compile(r"\w{1,80}")
MOST_SUGGESTED = 200


@resource("GET", "/search")
def searched(call: Call) -> Reply:
    """Answer a search in SOSL."""
    return _answer(call, _asked(call))


@resource("GET", "/search/suggestions")
def suggested(call: Call) -> Reply:
    """Tell which records' names have words that begin as somebody types."""
    wanted = _names(call.query.get("sobject", ""))
    limit = min(call.number("limit", 5), MOST_SUGGESTED)
    objects = [object_named(call.org, name).name for name in wanted]
    hits = search(call.org, _asked(call), objects, limit + 1, group="NAME")
    told = [
        {
            "attributes": {
                "type": hit.object.name,
                "url": f"{call.root}/sobjects/{hit.object.name}/{hit.record['Id']}",
            },
            "Id": hit.record["Id"],
            "Name": call.org.name_of(hit.record["Id"]),
        }
        for hit in hits
    ]
    return Reply({"autoSuggestResults": told[:limit], "hasMoreResults": len(told) > limit})


@resource("GET", "/parameterizedSearch")
def parameterized(call: Call) -> Reply:
    """Answer a search whose parts are in the address."""
    given = call.query
    objects = [
        {
            "name": name,
            "fields": _names(given.get(f"{name}.fields", "")),
            "where": given.get(f"{name}.where"),
            "limit": given.get(f"{name}.limit"),
        }
        for name in _names(given.get("sobject", ""))
    ]
    fields = _names(given.get("fields", ""))
    return _answer(call, _written(_asked(call), {**given, "sobjects": objects, "fields": fields}))


@resource("POST", "/parameterizedSearch")
def parameterized_body(call: Call) -> Reply:
    """Answer a search whose parts are in the body."""
    given = call.table()
    text = given.get("q")
    if not isinstance(text, str) or not text.strip():
        raise ApiError(400, "MALFORMED_SEARCH", "q must say what to look for")
    return _answer(call, _written(text, given))


def _asked(call: Call) -> str:
    text = call.query.get("q", "")
    if not text.strip():
        raise ApiError(400, "MALFORMED_SEARCH", "q must say what to look for")
    return text


def _answer(call: Call, sosl: str) -> Reply:
    try:
        results = find(call.org, sosl)
    except OrgError as error:
        raise ApiError(400, error.code, error.message) from None
    return Reply({"searchRecords": [row for result in results for row in plain(result, call.root)]})


def _names(told: str) -> list[str]:
    return [name.strip() for name in told.split(",") if name.strip()]


def _written(text: str, given: dict[str, Any]) -> str:
    """Return the SOSL for a search that is told part by part."""
    found = "FIND {" + _BARE_BRACE.sub(lambda brace: "\\" + brace[0], text) + "}"
    if given.get("in"):
        found += f" IN {_name(given['in'])} FIELDS"
    objects = given.get("sobjects") or []
    if not isinstance(objects, list) or not all(isinstance(one, dict) for one in objects):
        raise ApiError(400, "JSON_PARSER_ERROR", "sobjects must be a list of objects")
    common = given.get("fields") or []
    if objects:
        found += " RETURNING " + ", ".join(
            _returned(one, common, given.get("defaultLimit")) for one in objects
        )
    return found + _limit(given.get("overallLimit"))


def _returned(one: dict[str, Any], common: Sequence[Any], limit: Any) -> str:
    fields = one.get("fields") or common or ["Id"]
    if not isinstance(fields, list):
        raise ApiError(400, "JSON_PARSER_ERROR", "fields must be a list of names")
    where = f" WHERE {one['where']}" if one.get("where") else ""
    own = limit if one.get("limit") is None else one["limit"]
    return f"{_name(one.get('name'))}({', '.join(map(str, fields))}{where}{_limit(own)})"


def _name(told: Any) -> str:
    if not isinstance(told, str) or not _NAME.fullmatch(told):
        raise ApiError(400, "MALFORMED_SEARCH", f"{str(told)[:80]!r} is no name")
    return told


def _limit(told: Any) -> str:
    return "" if told is None else f" LIMIT {told}"
