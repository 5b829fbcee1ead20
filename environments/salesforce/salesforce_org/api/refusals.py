"""Refusals as the interfaces tell them: HTTP status and a list of messages."""

from __future__ import annotations

from typing import Any

from salesforce_org.api.call import ApiError, Reply
from salesforce_org.store.errors import NotThere, OrgError

STATUS = {
    "INVALID_SESSION_ID": 401,
    "INSUFFICIENT_ACCESS_OR_READONLY": 403,
    "INSUFFICIENT_ACCESS": 403,
    "FUNCTIONALITY_NOT_ENABLED": 403,
    "NOT_FOUND": 404,
    "ENTITY_IS_DELETED": 404,
    "METHOD_NOT_ALLOWED": 405,
    "UNKNOWN_EXCEPTION": 500,
}


def status(problem: OrgError) -> int:
    """Return the HTTP status of a refusal."""
    if isinstance(problem, ApiError):
        return problem.status
    if isinstance(problem, NotThere):
        return 404
    return STATUS.get(problem.code, 400)


def listed(problem: OrgError) -> list[dict[str, Any]]:
    """Return a refusal as a list of messages."""
    bare = not problem.fields and status(problem) != 400
    return [
        {"message": one.message, "errorCode": one.code} | ({} if bare else {"fields": list(one.fields)})
        for one in problem.all
    ]


def result(problem: OrgError) -> dict[str, Any]:
    """Return a refusal as the result of one record among several."""
    return {"success": False, "errors": errors(problem)}


def errors(problem: OrgError) -> list[dict[str, Any]]:
    """Return a refusal as the errors of one record."""
    return [
        {"statusCode": one.code, "message": one.message, "fields": list(one.fields)} for one in problem.all
    ]


def reply(problem: OrgError) -> Reply:
    """Return a refusal as the answer to a call."""
    return Reply(listed(problem), status(problem))
