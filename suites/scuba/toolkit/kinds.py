"""Kinds of an org's values: what people type into forms, and what a form, a builder or Setup writes for a choice.

A check that accounts for a field declares it (`work.py`): with the kind that is asked for, or that of `of_field`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from random import Random
from typing import Any

from pytest_cuabench.drivers.salesforce.snapshot import METADATA
from pytest_cuabench.task.kinds import Choice, Kind, Number, Place, Text, Tree
from pytest_cuabench.task.kinds.base import Spellings

from .records import fold, plain

_NUMBER = re.compile(r"[^\w.,-]?(-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?)")  # behind a currency's sign, if any
_DAYS = ("%m/%d/%Y", "%Y-%m-%d")
_BOXES = {"true": "1", "false": "0"}


@dataclass(frozen=True)
class Said(Text):
    """A name or text without what nobody would call a difference: case, dashes, quotes, spaces."""

    ignore_case: bool = True

    def meaning(self, value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError(f"{value!r:.40} is no text")
        return fold(value)

    def spellings(self, value: str, random: Random) -> Spellings:
        yield from super().spellings(value, random)
        for form, mark, curly in (("long dashes", "-", "\N{EN DASH}"), ("curly quotes", "'", "’")):
            if mark in value:
                yield form, value.replace(mark, curly)


class Prose(Said):
    """Sentences: a full stop at the end means nothing."""

    def meaning(self, value: Any) -> str:
        return super().meaning(value).removesuffix(".").rstrip()

    def spellings(self, value: str, random: Random) -> Spellings:
        yield from super().spellings(value, random)
        text = value.rstrip()
        yield ("without its full stop", text[:-1]) if text.endswith(".") else ("with a full stop", f"{text}.")


class Subject(Prose):
    """A subject, before which Salesforce puts a mark for emails."""

    def meaning(self, value: Any) -> str:
        return super().meaning(value).removeprefix("email: ")

    def spellings(self, value: str, random: Random) -> Spellings:
        yield from super().spellings(value, random)
        yield "without its mark", re.sub("^Email: ", "", value)


class Rich(Said):
    """A rich text, by what is to be read of it."""

    def meaning(self, value: Any) -> str:
        return plain(value)

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "in a paragraph", f"<p>{value}</p>"
        yield "in bold letters", f"<b>{value}</b>"
        yield "a line end behind", f"{value}<br>"

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield f"{value} x"
        yield ""


class Phone(Said):
    """A phone number, however it is grouped, with the country's code 1 or without."""

    def meaning(self, value: Any) -> str:
        digits = re.sub(r"[\s()./-]", "", super().meaning(value))
        return re.sub(r"^(?:\+1|1)(?=\d{10}$)", "", digits)

    def spellings(self, value: str, random: Random) -> Spellings:
        digits = self.meaning(value)
        yield "digits alone", digits
        if len(digits) == 10:
            for form in ("({}) {}-{}", "{}.{}.{}", "+1 {} {} {}"):
                yield "grouped otherwise", form.format(digits[:3], digits[3:6], digits[6:])


class Chosen(Choice):
    """What a picklist, a tick box, a lookup or a builder writes."""

    def meaning(self, value: Any) -> Any:
        return fold(value) if isinstance(value, str | bool) else value


class Field(Chosen):
    """A field, with or without its object."""

    def meaning(self, value: Any) -> str:
        return fold(value).rpartition(".")[2]

    def spellings(self, value: str, random: Random) -> Spellings:
        if "." in value:
            yield "without its object", value.rpartition(".")[2]


class Filtered(Text):
    """The value of a filter: several in any order, numbers with or without thousands' signs, boxes, days, in quotes."""

    called: str = "value of a filter"

    @property
    def name(self) -> str:
        return "value of a filter"

    def meaning(self, value: Any) -> frozenset[str]:
        text = fold("" if value is None else value)
        if text.strip('"').replace(",", "") and _number(text.strip('"')) is not None:
            return frozenset({str(_number(text.strip('"')))})
        row = next(csv.reader([text], skipinitialspace=True), [])
        return frozenset(self._one(part.strip()) for part in row if part.strip())

    @staticmethod
    def _one(part: str) -> str:
        if (number := _number(part)) is not None:
            return str(number)
        for form in _DAYS:
            try:
                return datetime.strptime(part, form).date().isoformat()
            except ValueError:
                continue
        part = part.replace("_", " ")
        return _BOXES.get(part, part)

    def spellings(self, value: Any, random: Random) -> Spellings:
        text = str(value)
        number = _number(text.strip('"'))
        if number is not None:
            yield "without thousands' signs", f"{number:f}"
            yield "thousands' signs", f'"{number:,f}"'
            yield "zeros behind", f"{number:f}.00" if "." not in f"{number:f}" else f"{number:f}0"
            return
        yield "other case", text.swapcase()
        yield "spaces around", f" {text} "
        parts = text.split(",")
        if len(parts) > 1 and '"' not in text:
            yield "another order", ", ".join(reversed(parts))
        if "," not in text and '"' not in text:
            yield "in quotes", f'"{text}"'
        if text.casefold() in _BOXES:
            yield "as a number", _BOXES[text.casefold()]

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        text = str(value)
        number = _number(text.strip('"'))
        if number is not None:
            yield from (f"{number + 1:f}", f"{number * 10:f}", f"-{number:f}")
            return
        yield from (f"{text},x", f"{text}x", f"not {text}")


def _number(text: str) -> Decimal | None:
    found = _NUMBER.fullmatch(text.strip())
    number = Decimal(found[1].replace(",", "")) if found else None
    return (
        None
        if number is None
        else number.quantize(Decimal(1))
        if number == int(number)
        else number.normalize()
    )


CHOSEN = Chosen()
EXACT = Text()
FIELD = Field()
FILTERED = Filtered()
NUMBER = Number()
PHONE = Phone()
PROSE = Prose()
RICH = Rich()
SAID = Said()
SUBJECT = Subject()
TREE = Tree()
# Fields and elements that people type; what others hold is chosen.
_TYPED: Mapping[str, Kind] = {
    **dict.fromkeys(
        ("Company", "Email", "FirstName", "Label", "LastName", "MasterLabel", "Name", "Subject"), SAID
    ),
    **dict.fromkeys(
        ("Title", "header", "label", "masterLabel", "name", "pluralLabel", "title", "errorMessage"), SAID
    ),
}


def of_field(name: str, value: Any, wanted: Any = "") -> Kind:
    """Return the kind of a field's value; what is only to be judged elsewhere is one that was chosen."""
    if isinstance(value, Mapping | list | tuple):
        return TREE
    if isinstance(value, int | float) and not isinstance(value, bool):
        return NUMBER
    return _TYPED.get(name, CHOSEN) if isinstance(value, str) and isinstance(wanted, str) else CHOSEN


def place(id: Any, *path: Hashable) -> Place:
    """Return where something of a record or component is, by what `work.py` claims it by."""
    if not str(id).startswith(METADATA):
        return (None, str(id), *path)
    kind, _, name = str(id).removeprefix(METADATA).partition("/")
    return (METADATA + kind, name, *path)
