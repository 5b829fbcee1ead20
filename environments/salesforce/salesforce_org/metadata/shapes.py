"""What elements metadata types have, in which order, and what may stand in them; read once from `shapes.txt`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("shapes.txt")


@dataclass(frozen=True, slots=True)
class Element:
    """One element; `kind` is a type, an enumeration, `boolean`, `int`, `double`, or empty for text."""

    name: str
    kind: str
    many: bool
    required: bool


Shape = Mapping[str, Element]


@cache
def shapes() -> dict[str, Shape]:
    """Return the elements of every type, by type and name, in order."""
    return {
        name: {one.name: one for one in map(_element, rest)} for name, rest in _lines() if rest[:1] != ["="]
    }


@cache
def words() -> dict[str, tuple[str, ...]]:
    """Return the words of every enumeration."""
    return {name: tuple(rest[1:]) for name, rest in _lines() if rest[:1] == ["="]}


def _lines() -> list[tuple[str, list[str]]]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    parted = (line.split(" ") for line in lines if line and not line.startswith("#"))
    return [(first, rest) for first, *rest in parted]


def _element(text: str) -> Element:
    name, _, kind = text.partition(":")
    return Element(name.rstrip("!*"), kind, name.endswith("*"), "!" in name)
