"""What means the same in documents for LaTeX and in lists of references."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Kind, Text
from pytest_cuabench.task.kinds.base import Spellings

_BLANK = " \t"  # a hard space and a page feed mean something to LaTeX


def plain(text: str, *, indented: bool = False) -> str:
    """Return a text without what means nothing."""
    lines = text.replace("\r\n", "\n").rstrip(f"{_BLANK}\n").split("\n")
    if indented:
        return "\n".join(line.rstrip(_BLANK) for line in lines)
    return "\n".join(re.sub(f"[{_BLANK}]+", " ", line.strip(_BLANK)) for line in lines)


@dataclass(frozen=True)
class Tex(Text):
    """A document for LaTeX, without what means nothing; in Python code the beginning of a line means something."""

    indented: bool = False
    called: str = "text of LaTeX"

    def meaning(self, value: Any) -> str:
        return plain(str(value), indented=self.indented)

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "line ends of Windows", value.replace("\n", "\r\n")
        yield "lines behind", f"{value}\n\n"
        yield "no line end at the end", value.rstrip("\n")
        yield "blanks at line ends", value.replace("\n", " \n")
        if not self.indented:
            yield "indented", value.replace("\n", "\n\t")

    def others(self, value: str, random: Random) -> Iterator[str]:
        lines = value.split("\n")
        for number in random.sample(range(len(lines)), min(len(lines), _TRIED)):
            if lines[number].strip():
                yield "\n".join([*lines[:number], *lines[number + 1 :]])
                yield "\n".join([*lines[:number], f"{lines[number]} x", *lines[number + 1 :]])


_TRIED = 10  # lines of a document that an audit changes
TEX, CODE = Tex(), Tex(indented=True)


class Entry(Kind):
    """An entry of a list of references: case of names, order, blanks, quotes or braces, a last comma mean nothing."""

    def meaning(self, value: Any) -> tuple[str, str, dict[str, str]]:
        found = re.fullmatch(r"@\s*(\w+)\s*[{(]\s*([^,\s]+)\s*,(.*?),?\s*[})]", str(value).strip(), re.S)
        if found is None:
            raise ValueError(f"{value!r:.60} is no entry")
        fields, rest = {}, found[3]
        while rest.strip(" \t\r\n,"):
            part = _FIELD_OF_ENTRY.match(rest)
            if part is None:
                raise ValueError(f"{rest!r:.60} is no field")
            held = part[2][1:-1] if part[2][:1] in '{"' else part[2]
            fields[part[1].lower()] = " ".join(held.split())
            rest = rest[part.end() :]
        return found[1].lower(), found[2], fields

    def spellings(self, value: str, random: Random) -> Spellings:
        head, *fields, _ = value.strip().split("\n")
        yield (
            "kind in capitals",
            value.replace(head, head.upper().partition("{")[0] + head[head.index("{") :], 1),
        )
        ends = [f"{one.rstrip().rstrip(',')}," for one in fields]
        yield "fields in another order", "\n".join([head, *reversed(ends), "}"])
        yield "a last comma", "\n".join([head, *ends, "}"])
        yield "no blanks", "\n".join([head, *(re.sub(r"\s*=\s*", "=", one.strip()) for one in ends), "}"])

    def others(self, value: str, random: Random) -> Iterator[str]:
        head, *fields, _ = value.strip().split("\n")
        yield "\n".join([head, *fields[:-1], "}"])
        yield value.replace(head, f"{head.rstrip(',')}x,", 1)
        if digit := re.search(r"\d(?=[^\d]*$)", value):
            yield f"{value[: digit.start()]}{(int(digit[0]) + 1) % 10}{value[digit.end() :]}"


_FIELD_OF_ENTRY = re.compile(
    r"""[\s,]*([\w-]+)\s*=\s*(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|"[^"]*"|[^\s,{}"]+)\s*(?:,|$)"""
)
ENTRY = Entry()


@dataclass(frozen=True)
class Listed(Tex):
    """A list of references, in which one entry is judged."""

    entry: str = ""
    called: str = "list of references"

    def spellings(self, value: str, random: Random) -> Spellings:
        yield from super().spellings(value, random)
        for form, spelled in ENTRY.spellings(self.entry, random):
            yield form, value.replace(self.entry, spelled)

    def others(self, value: str, random: Random) -> Iterator[str]:
        for other in ENTRY.others(self.entry, random):
            yield value.replace(self.entry, other)
        yield value.replace(self.entry, f"{self.entry}\n\n{self.entry}")


def entries(text: str) -> list[str]:
    """Return the entries of a list of references, each as it is written."""
    return [found[0] for found in re.finditer(r"^[ \t]*@.*?(?=^[ \t]*@|\Z)", text, re.M | re.S)]
