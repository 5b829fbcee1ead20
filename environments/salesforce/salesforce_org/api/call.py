"""One call of a tool and what is answered, apart from how it came over the wire."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from salesforce_org.sessions import Session
from salesforce_org.store import Org
from salesforce_org.store.errors import OrgError

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")  # half a character would break every answer that shows it
_NUMBER = re.compile(r"[0-9]{1,9}")
JSON = "application/json;charset=UTF-8"


class ApiError(OrgError):
    """A refusal with an HTTP status of its own."""

    def __init__(self, status: int, code: str, message: str, fields: tuple[str, ...] = ()) -> None:
        super().__init__(code, message, fields)
        self.status = status


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered; a body that is neither text nor bytes goes out as JSON.

    Attributes:
        body: None for a response without a body.
    """

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = JSON

    def response(self) -> Response:
        """Return it as it goes over the wire."""
        if self.body is None:
            return Response(status_code=self.status, headers=dict(self.headers))
        raw = self.body if isinstance(self.body, str | bytes) else json.dumps(self.body, ensure_ascii=False)
        return Response(raw, self.status, dict(self.headers), self.media_type)


NOTHING = Reply(status=204)


@dataclass(frozen=True, slots=True)
class Call:
    """What a tool asks, and as whom.

    Attributes:
        path: Below the version, such as `/sobjects/Account`; `params` are its variable parts.
        version: Such as `62.0`; empty for addresses that have none.
        origin: Where the tool reached this program, such as `http://127.0.0.1:8000`.
    """

    session: Session
    user_id: str
    method: str
    path: str
    version: str
    origin: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    params: Mapping[str, str] = field(default_factory=dict)

    @property
    def org(self) -> Org:
        """The session's org."""
        return self.session.org

    @property
    def root(self) -> str:
        """The path of the version's resources."""
        return f"/services/data/v{self.version}"

    def json(self) -> Any:
        """Return the body as JSON.

        Raises:
            ApiError: The body is not valid JSON.
        """
        try:
            found = json.loads(self.body)
            if _SURROGATE.search(self.body):
                json.dumps(found, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise ApiError(400, "JSON_PARSER_ERROR", f"The body is not valid JSON: {error}") from None
        return found

    def number(self, name: str, default: int) -> int:
        """Return a number of the query.

        Raises:
            ApiError: The query parameter is not a number.
        """
        told = self.query.get(name, str(default))
        if not _NUMBER.fullmatch(told):
            raise ApiError(400, "INVALID_PARAMETER", f"{name} must be a whole number")
        return int(told)

    def table(self) -> dict[str, Any]:
        """Return the body as a JSON object.

        Raises:
            ApiError: The body is not a JSON object.
        """
        found = self.json()
        if not isinstance(found, dict):
            raise ApiError(400, "JSON_PARSER_ERROR", "The body must be a JSON object")
        return found
