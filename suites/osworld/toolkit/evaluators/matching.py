"""Rules by which a record compares one value: a method and a reference."""

from __future__ import annotations

import operator
from typing import Annotated, Any

import regex
from pydantic import BaseModel, ConfigDict, Field

_SECONDS = 1.0  # for one pattern of a record, which may take for ever
_OPERATORS = ("eq", "ne", "le", "lt", "ge", "gt")
_FLAGS = "(\\.[IMSXA])*"
_METHOD = rf"^({'|'.join(_OPERATORS)}|re{_FLAGS}|approx:[0-9.]+|str_(list|set)_eq)$"

Pattern = Annotated[str, Field(max_length=1_000)]


class Strict(BaseModel):
    """A part of a record of which every key is known."""

    model_config = ConfigDict(extra="forbid")


class Rule(Strict):
    """A value's rule; `method` as OSWorld names them."""

    method: Annotated[str, Field(pattern=_METHOD)]
    ref: Any


def fits(value: Any, rule: Rule) -> bool:
    """Whether a value is as the rule says."""
    method = rule.method
    try:
        if method in _OPERATORS:
            return bool(getattr(operator, method)(value, rule.ref))
        if method.startswith("approx:"):
            return abs(float(value) - float(rule.ref)) <= float(method.removeprefix("approx:"))
        if method.startswith("str_"):
            of = set if "set" in method else list
            return of(str(value).strip("[]").replace('"', "").split(",")) == of(map(str, rule.ref))
    except (TypeError, ValueError):
        return False
    flags = 0
    for letter in method.split(".")[1:]:
        flags |= getattr(regex, letter)
    return isinstance(value, str) and matches(str(rule.ref), value, flags)


def matches(pattern: str, text: str, flags: int = 0) -> bool:
    """Whether a pattern is found in a text; not if it is malformed, or takes longer than a second."""
    try:
        return regex.search(pattern, text, flags, timeout=_SECONDS) is not None
    except (regex.error, TimeoutError):
        return False
