"""What a world program sends, checked when it arrives: docs/worlds.md describes it.

A world may send more than is described here. What is wrong is one sentence that names the world, the request and
what was expected.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_cuabench.errors import EnvironmentFailure

Count = Annotated[int, Field(ge=0)]
Row = dict[str, Any]


class _Message(BaseModel):
    model_config = ConfigDict(strict=True)


class Ready(_Message):
    """The line that a world prints when it can be used."""

    protocol: int


class Health(_Message):
    """The answer to `GET /health`."""

    applications: list[str]


class Opened(_Message):
    """The answer to `POST /sessions` and `POST /sessions/ID/copy`."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,100}$")]
    origin: Annotated[str, Field(pattern=r"^https?://[^/\s@?#]+$")]
    start_url: Annotated[str, Field(pattern=r"^https?://[^\s@]+$")]
    hosts: list[Annotated[str, Field(pattern=r"^(\*|[a-z0-9.-]{1,253})$")]] = []
    idle: bool = False
    tunnel: Annotated[str, Field(pattern=r"^127\.0\.0\.1:[0-9]{1,5}$")] | None = None
    probe: str = ""


class Idle(_Message):
    """The answer to `GET /sessions/ID/idle`, or of the `idle` of a user's own application."""

    idle: bool
    work: list[str] = []

    def left(self) -> tuple[str, ...]:
        """Return what is still to be done; empty if it is idle."""
        return (
            () if self.idle else tuple(work[:200] for work in self.work[:20]) or ("work of the application",)
        )


class Written(_Message):
    """One entry of a journal."""

    collection: str
    key: str | int
    op: Literal["insert", "update", "delete"]
    before: Row | None
    after: Row | None
    request: int | None = None


class WorldState(_Message):
    """The answer to `GET /sessions/ID/state`."""

    collections: dict[str, dict[str, Row]]
    revision: Count
    journal: list[Written] = []
    clock: str | None = None
    fingerprint: str | None = None
    ended: bool = False
    failures: Count = 0


class Unchanged(_Message):
    """The same answer where the caller knows this revision already."""

    revision: Count
    unchanged: Literal[True]
    failures: Count = 0


_M = TypeVar("_M", bound=BaseModel)
_EXPECTED = {  # pydantic's kind of mistake -> what was expected
    "dict_type": "an object",
    "model_type": "an object",
    "list_type": "a list",
    "string_type": "a text",
    "int_type": "a whole number",
}


def read_object(text: str | bytes, sender: str) -> dict[str, Any]:
    """Read one JSON object.

    Raises:
        EnvironmentFailure: It is something else.
    """
    try:
        found = json.loads(text)  # states are large, and `parse_json` looks at every value of them
    except (ValueError, RecursionError) as error:
        raise EnvironmentFailure(f"{sender} with something that is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise EnvironmentFailure(f"{sender} with {_kind(found)}; expected an object")
    return found


def read(model: type[_M], data: Any, sender: str) -> _M:
    """Read a message.

    Args:
        sender: Who sent it, and when, such as `the world todo answered GET /health`.

    Raises:
        EnvironmentFailure: It does not have the form that docs/worlds.md describes.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first, *others = error.errors()
    place = ".".join(map(str, first["loc"])) or "the message"
    more = f" ({len(others)} more mistakes)" if others else ""
    if first["type"] == "missing":
        raise EnvironmentFailure(f"{sender} without {place}; docs/worlds.md describes it{more}")
    expected = _EXPECTED.get(first["type"]) or first["msg"][0].lower() + first["msg"][1:]
    raise EnvironmentFailure(f"{sender} with {_kind(first['input'])} as {place}; expected: {expected}{more}")


def _kind(value: Any) -> str:
    names: dict[type, str] = {dict: "an object", list: "a list", bool: "a truth value", type(None): "null"}
    return names.get(type(value)) or repr(value)[:60]
