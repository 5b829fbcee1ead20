"""Kinds of values that the tasks compare, by the names that TOML files use; among them those of single programs."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_cuabench.task.kinds import Choice, Color, Command, Items, Keys, Kind, Number, Path, Text, Url

CHOICE = Choice()
NUMBER = Number()
TEXT = Text()
KINDS: Mapping[str, Kind] = {
    "choice": CHOICE,
    "number": NUMBER,
    "text": TEXT,
    "keys": Keys(),
    "command": Command(),
    "color": Color(),
    "list": Items(),
    "plugins of Zim": Items(around=("[", "]")),
    "path": Path(),
    "path from home": Path(tilde=True),
    "address": Url(),
}
