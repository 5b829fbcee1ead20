"""`/search` and `/parameterizedSearch`: records by the words in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from salesforce_org import soql
from salesforce_org.api import query
from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.api.objects import names_in
from salesforce_org.api.routing import resource
from salesforce_org.soql.sosl import escaped

_NAME = re.compile(r"[A-Za-z]\w*(?:\.[A-Za-z]\w*)*", re.ASCII)
_WORD = re.compile(r"[^\W_]")
_SCOPES = ("ALL", "NAME", "EMAIL", "PHONE", "SIDEBAR")
_WILD = re.compile(r"\\([*?])")


@resource("GET", "/search")
def search(call: Call) -> Reply:
    """Answer a search in SOSL."""
    text = call.query.get("q")
    if not text:
        raise ApiError(400, "MALFORMED_SEARCH", "A search string has to be specified")
    return _found(call, text)


@resource("GET", "/parameterizedSearch")
def by_parameters(call: Call) -> Reply:
    """Answer a search that the address describes: `q`, `sobject`, `Account.fields`, ..."""
    objects = [
        {
            "name": name.strip(),
            "fields": names_in(call.query.get(f"{name}.fields")),
            "where": call.query.get(f"{name}.where"),
            "limit": call.query.get(f"{name}.limit"),
        }
        for one in (call.query.get("sobject"), call.query.get("sobjects"))
        for name in names_in(one) or []
    ]
    told = {**call.query, "fields": names_in(call.query.get("fields")), "sobjects": objects}
    return _found(call, _sosl(told))


@resource("POST", "/parameterizedSearch")
def by_description(call: Call) -> Reply:
    """Answer a search that the body describes."""
    return _found(call, _sosl(call.table()))


def _found(call: Call, text: str) -> Reply:
    results = soql.find(call.org, text)
    return Reply({"searchRecords": [record for one in results for record in query.plain(one, call.root)]})


def _sosl(told: Mapping[str, Any]) -> str:
    """Return a described search in SOSL."""
    text, scope = str(told.get("q") or ""), str(told.get("in") or "ALL").upper()
    if not text or scope not in _SCOPES:
        wanted = ", ".join(_SCOPES)
        raise ApiError(400, "MALFORMED_SEARCH", f"q must be given, and `in` be one of: {wanted}")
    words = " ".join(_WILD.sub(r"\1", escaped(piece)) for piece in text.split() if _WORD.search(piece))
    objects = [_returned(one, told) for one in _objects(told)]
    returning = f" RETURNING {', '.join(objects)}" if objects else ""
    return f"FIND {{{words}}} IN {scope} FIELDS{returning}{_limit(told.get('overallLimit'))}"


def _objects(told: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    objects = told.get("sobjects") or []
    if not isinstance(objects, list) or not all(isinstance(one, dict) for one in objects):
        raise ApiError(400, "JSON_PARSER_ERROR", "sobjects must be a list of JSON objects")
    return objects


def _returned(one: Mapping[str, Any], told: Mapping[str, Any]) -> str:
    fields = one.get("fields") or told.get("fields") or ["Id"]
    names = [str(one.get("name")), *(fields if isinstance(fields, list) else [])]
    wrong = next((str(name) for name in names if not _NAME.fullmatch(str(name))), None)
    if wrong is not None or len(names) < 2:
        raise ApiError(400, "INVALID_FIELD", f"'{str(wrong)[:80]}' is no name of an object or a field")
    where = f" WHERE {one['where']}" if one.get("where") else ""
    limit = _limit(one.get("limit") or told.get("defaultLimit"))
    return f"{names[0]}({', '.join(map(str, names[1:]))}{where}{limit})"


def _limit(value: Any) -> str:
    if value in (None, ""):
        return ""
    if not re.fullmatch(r"[0-9]{1,5}", str(value)):
        raise ApiError(400, "INVALID_SEARCH", "A limit must be a whole number")
    return f" LIMIT {value}"
