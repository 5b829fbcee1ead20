"""`/composite`, its graphs and batches: several calls in one, later ones using what earlier ones gave."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from salesforce_org.api import refusals, routing, versions
from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.api.routing import resource
from salesforce_org.store.errors import NotThere, OrgError

MOST, MOST_NODES, MOST_GRAPHS = 25, 500, 75
_REFERENCE = re.compile(r"@\{([A-Za-z_]\w*)((?:\.\w+|\[\d{1,6}\])*)\}", re.ASCII)
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]", re.ASCII)
_GRAPH = re.compile(r"[A-Za-z0-9][^.]{0,39}", re.ASCII)
_NODE = {
    2: ("POST",),
    3: ("DELETE", "GET", "PATCH"),
    4: ("DELETE", "GET", "PATCH", "POST"),
}  # by parts of a path
_VERSIONED = re.compile(r"/?(?:services/data/)?v(\d+\.0)(/.*)")


class _Back(Exception):
    """Takes a transaction back."""


@resource("POST", "/composite")
def composite(call: Call) -> Reply:
    """Make calls one after another; with `allOrNone` one refusal takes all back."""
    told = call.table()
    asked = _requests(told, "compositeRequest")
    return Reply({"compositeResponse": _together(call, asked, all_or_none=told.get("allOrNone") is True)})


@resource("POST", "/composite/graph")
def graphs(call: Call) -> Reply:
    """Make the calls of several graphs, each wholly or not at all, whatever becomes of the others."""
    told = call.table()
    asked = _requests(told, "graphs", MOST_GRAPHS)
    named = [one.get("graphId") for one in asked]
    if any(not isinstance(one, str) or not _GRAPH.fullmatch(one) or named.count(one) > 1 for one in named):
        raise ApiError(
            400, "INVALID_INPUT", "Each graph needs a graphId of its own, at most 40 characters long"
        )
    nodes = [_requests(one, "compositeRequest", MOST_NODES) for one in asked]
    if sum(map(len, nodes)) > MOST_NODES:
        raise ApiError(400, "LIMIT_EXCEEDED", f"The limit of {MOST_NODES} nodes is exceeded")
    for node in (one for graph in nodes for one in graph):
        _check_node(node)
    return Reply({"graphs": [_graph(call, str(one), graph) for one, graph in zip(named, nodes, strict=True)]})


def _graph(call: Call, name: str, nodes: list[dict[str, Any]]) -> dict[str, Any]:
    answers = _together(call, nodes, all_or_none=True)
    good = all(one["httpStatusCode"] < 400 for one in answers)
    return {"graphId": name, "graphResponse": {"compositeResponse": answers}, "isSuccessful": good}


def _check_node(node: Mapping[str, Any]) -> None:
    method, url = str(node.get("method", "GET")).upper(), str(node.get("url", ""))
    found = _VERSIONED.fullmatch(_parts(url).path.rstrip("/"))
    path = found[2].strip("/").split("/") if found else []
    if path[:1] != ["sobjects"] or method not in _NODE.get(len(path), ()):
        raise ApiError(400, "INVALID_INPUT", f"{method} {url[:200]} cannot be part of a graph; use /sobjects")


def _together(call: Call, asked: list[dict[str, Any]], *, all_or_none: bool) -> list[dict[str, Any]]:
    done: dict[str, Any] = {}
    answers: list[dict[str, Any]] = []
    try:
        with call.org.transaction():
            answers += (_made(call, one, done) for one in asked)
            if all_or_none and any(answer["httpStatusCode"] >= 400 for answer in answers):
                raise _Back
    except _Back:
        answers = [_taken_back(answer) for answer in answers]
    return answers


@resource("POST", "/composite/batch")
def batch(call: Call) -> Reply:
    """Make calls that know nothing of each other."""
    told = call.table()
    halt = told.get("haltOnError") is True
    results: list[dict[str, Any]] = []
    failed = False
    for one in _requests(told, "batchRequests"):
        if failed and halt:
            skipped = OrgError("BATCH_PROCESSING_HALTED", "Batch processing halted per request")
            results.append({"statusCode": 412, "result": refusals.listed(skipped)})
            continue
        body = one.get("richInput")
        reply = within(call, str(one.get("method", "GET")), str(one.get("url", "")), body, {})
        failed = failed or reply.status >= 400
        results.append({"statusCode": reply.status, "result": reply.body})
    return Reply({"hasErrors": failed, "results": results})


def within(call: Call, method: str, url: str, body: Any, headers: Mapping[str, str]) -> Reply:
    """Make a call inside of another, wholly or not at all."""
    try:
        parts = _parts(url)
        found = _VERSIONED.fullmatch(unquote(parts.path).rstrip("/"))
        if found is None or not versions.known(found[1]):
            raise NotThere
        inner = replace(
            call,
            method=method.upper(),
            path=found[2],
            version=found[1],
            query=dict(parse_qsl(parts.query, keep_blank_values=True)),
            headers={name.casefold(): str(value) for name, value in headers.items()},
            body=json.dumps(body).encode() if body is not None else b"",
        )
        if (
            inner.path.startswith(("/composite/batch", "/composite/graph", "/composite/tree", "/jobs"))
            or inner.path == "/composite"
        ):
            raise ApiError(
                400, "BAD_REQUEST", f"The resource {inner.path} cannot be part of a composite request"
            )
        with call.org.transaction():
            return routing.dispatch(inner)
    except OrgError as problem:
        return refusals.reply(problem)


def _parts(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        raise NotThere from None


def _requests(told: Mapping[str, Any], name: str, most: int = MOST) -> list[dict[str, Any]]:
    asked = told.get(name)
    if not isinstance(asked, list) or not asked or not all(isinstance(one, dict) for one in asked):
        raise ApiError(400, "JSON_PARSER_ERROR", f"{name} must be a list of JSON objects")
    if len(asked) > most:
        raise ApiError(400, "LIMIT_EXCEEDED", f"The limit of {most} {name} is exceeded")
    return asked


def _made(call: Call, one: Mapping[str, Any], done: dict[str, Any]) -> dict[str, Any]:
    name = str(one.get("referenceId", ""))
    try:
        if not re.fullmatch(r"[A-Za-z]\w*", name) or name in done:
            raise ApiError(400, "INVALID_REFERENCE_ID", f"'{name[:80]}' is no reference id, or is used twice")
        url, body = _resolved(str(one.get("url", "")), done), _resolved(one.get("body"), done)
        headers = one.get("httpHeaders") or {}
        reply = within(
            call, str(one.get("method", "GET")), url, body, headers if isinstance(headers, dict) else {}
        )
    except ApiError as problem:
        reply = refusals.reply(problem)
    if reply.status < 400:
        done[name] = reply.body
    return {
        "body": reply.body,
        "httpHeaders": {key: value for key, value in reply.headers.items() if key == "Location"},
        "httpStatusCode": reply.status,
        "referenceId": name,
    }


def _taken_back(answer: dict[str, Any]) -> dict[str, Any]:
    if answer["httpStatusCode"] >= 400:
        return answer
    told = OrgError(
        "PROCESSING_HALTED", "The transaction was rolled back since another operation in it failed."
    )
    return {**answer, "body": refusals.listed(told), "httpHeaders": {}, "httpStatusCode": 400}


def _resolved(value: Any, done: Mapping[str, Any]) -> Any:
    """Return a value with `@{name.field[0]}` replaced by what earlier calls gave."""
    if isinstance(value, dict):
        return {name: _resolved(one, done) for name, one in value.items()}
    if isinstance(value, list):
        return [_resolved(one, done) for one in value]
    if not isinstance(value, str):
        return value
    whole = _REFERENCE.fullmatch(value)
    if whole is not None:
        return _given(whole, done)
    return _REFERENCE.sub(lambda match: str(_given(match, done)), value)


def _given(match: re.Match[str], done: Mapping[str, Any]) -> Any:
    problem = ApiError(
        400,
        "PROCESSING_HALTED",
        f"Invalid reference specified. No value for {match[0]} found in an earlier answer",
    )
    if match[1] not in done:
        raise problem
    found = done[match[1]]
    for name, place in _STEP.findall(match[2]):
        try:
            found = found[name] if name else found[int(place)]
        except (KeyError, IndexError, TypeError):
            raise problem from None
    return found
