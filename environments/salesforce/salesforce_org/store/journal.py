"""Every change of an org, in order: what checkers read, and what a transaction takes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Operation = Literal["insert", "update", "delete"]
Image = Mapping[str, Any] | None


class Write(NamedTuple):
    """One change of one record or metadata component."""

    collection: str
    key: str
    op: Operation
    before: Image
    after: Image
    request: int | None


@dataclass(slots=True)
class Journal:
    """The writes of an org; `request` is the page or call that is being answered."""

    writes: list[Write] = field(default_factory=list)
    request: int | None = None

    def add(self, collection: str, key: str, before: Image, after: Image) -> None:
        """Note a change; nothing is noted where nothing changed."""
        if before == after:
            return
        op: Operation = "insert" if before is None else "delete" if after is None else "update"
        self.writes.append(Write(collection, key, op, before, after, self.request))

    def to_json(self) -> list[dict[str, Any]]:
        """Return the journal as plain data, oldest first."""
        return [write._asdict() for write in self.writes]
