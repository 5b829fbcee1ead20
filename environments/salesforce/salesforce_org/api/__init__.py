"""Salesforce's interfaces for tools: OAuth, REST, Tooling, Bulk, SOAP."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from salesforce_org.sessions import Sessions


def answer(sessions: Sessions, request: Request, body: bytes) -> Response:
    """Answer a tool's call."""
    return JSONResponse([{"errorCode": "NOT_FOUND", "message": "The requested resource does not exist"}], 404)
