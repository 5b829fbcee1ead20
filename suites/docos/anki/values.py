"""Kinds of values that Anki reads: searches, steps, and templates of cards."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Choice, Items, Kind, Number, Parts, Text


@dataclass(frozen=True)
class Search(Kind):
    """What is searched for: case, quotes and the order of terms mean nothing, nor does `AND` between them."""

    def meaning(self, value: Any) -> list[str]:
        terms = shlex.split(str(value).strip().removeprefix("(").removesuffix(")").lower())
        if not terms or "or" in terms:
            raise ValueError(f"{value!r:.60} is no search for all of its terms")
        return sorted(term for term in terms if term != "and")

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        terms = [f'"{term}"' for term in shlex.split(value)]
        yield "in quotes", " ".join(terms)
        yield "in another order", " ".join(reversed(terms))
        yield "with AND", " AND ".join(terms)
        yield "in small letters", value.lower()
        yield "in brackets", f"({value})"

    def others(self, value: str, random: Random) -> Iterator[str]:
        terms = [f'"{term}"' for term in shlex.split(value)]
        yield " OR ".join(terms) if len(terms) > 1 else f"-{value}"
        yield f"{value} is:new is:suspended"
        yield " ".join(terms[:-1])


@dataclass(frozen=True)
class Template(Text):
    """A side of cards: how a line is broken means nothing, nor do spaces within the braces of a field."""

    def meaning(self, value: Any) -> list[str]:  # type: ignore[override]
        text = re.sub(r"\{\{\s*(.*?)\s*\}\}", r"{{\1}}", str(value))
        lines = re.split(r"\n|<br\s*/?>|</?div>", text)
        return [line.strip() for line in lines if line.strip()]

    def matches(self, seen: Any, wanted: Any) -> bool:
        return Kind.matches(self, seen, wanted)

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield from Text.spellings(self, value, random)
        yield "a break of the line", value.replace("\n", "<br>")
        first, _, second = value.partition("\n")
        yield "a block", f"{first}<div>{second}</div>"
        yield "spaces in braces", value.replace("{{", "{{ ").replace("}}", " }}")


SEARCH = Search()
DELAYS = Items(separators=" ", item=Number(), ordered=True)
GATHERED = Parts("{search} {limit} {order}", search=SEARCH, limit=Number(), order=Choice())
FIELDS = Items(ordered=True)
TEMPLATE = Template()
