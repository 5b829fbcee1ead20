"""Kinds of values that the tasks compare, by the names that TOML files use."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from pytest_cuabench.task.kinds import (
    Choice,
    Color,
    Command,
    Date,
    Formula,
    Items,
    Keys,
    Kind,
    Measure,
    Number,
    Path,
    Text,
    Url,
)

CHOICE = Choice()
NUMBER = Number()
TEXT = Text()
KINDS: Mapping[str, Kind] = {
    "choice": CHOICE,
    "number": NUMBER,
    "text": TEXT,
    "keys": Keys(),
    "command": Command(),
    "arguments": Command(program=False),
    "color": Color(),
    "date": Date(),
    "formula": Formula(),
    "length": Measure(),
    "list": Items(),
    "list in order": Items(ordered=True),
    "path": Path(),
    "path from home": Path(tilde=True),
    "address": Url(),
}


def kind_named(name: str) -> Kind:
    """Return a kind by its name: one of these, or `application.module.NAME` for one that only a program has.

    Raises:
        LookupError: There is no such kind.
    """
    if name in KINDS:
        return KINDS[name]
    module, _, constant = name.rpartition(".")
    found = getattr(import_module(f"...{module}", __name__), constant, None) if module else None
    if not isinstance(found, Kind):
        raise LookupError(f"no kind is named {name!r}; known: {', '.join(KINDS)}")
    return found
