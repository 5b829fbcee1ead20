"""Criteria in Setup, rows of field, operator and value: how goals say them, checks judge them, and hands enter them.

A task has them as `{ field = "Case.Status", label = "Case: Status", operator = "equals", value = "New" }`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from pytest_cuabench import Pilot
from pytest_cuabench.task.kinds import Kind, Place
from pytest_cuabench.task.kinds.base import Spellings

from .kinds import FILTERED
from .lightning import PAGE, choose, choose_far, enter, press
from .records import same

Row = Mapping[str, str]
_SHOWN = 5  # rows of a form before Add Row
_MOST, _LONGEST = 10, 200  # conditions that logic may combine, and its words
# What a condition consists of, and whether readers of a report may change it, which no task tells.
_PARTS = ("field", "column", "operation", "operator", "value", "isUnlocked")
OPERATORS = {
    "equals": "equals",
    "notEqual": "not equal to",
    "lessThan": "less than",
    "greaterThan": "greater than",
    "lessOrEqual": "less or equal",
    "greaterOrEqual": "greater or equal",
    "contains": "contains",
    "notContain": "does not contain",
    "startsWith": "starts with",
}


def words(rows: Sequence[Row], logic: str = "") -> str:
    """Return criteria as a goal says them, in their order."""
    told = [f'{row["label"]} {OPERATORS[row["operator"]]} "{row["value"]}"' for row in rows]
    if len(told) == 1:
        return told[0]
    numbered = "; ".join(f"({number}) {one}" for number, one in enumerate(told, 1))
    return f"{numbered}; filter logic {logic}" if logic else f"{numbered}; all have to be met"


class Conditions:
    """The conditions of a report, list view, rule or process, as its component has them.

    Their order means nothing, but that filter logic calls them by their numbers. A report's filter calls the field a
    column; nothing else may be in a condition.
    """

    def __init__(self, found: Any, at: Callable[[int], Place]) -> None:
        """Read a list of conditions, of which a function says where the value of each is."""
        self.found: list[Mapping[str, Any]] = (
            [found] if found and isinstance(found, Mapping) else list(found or ())
        )
        self._at = at

    def __len__(self) -> int:
        return len(self.found)

    def has(self, row: Mapping[str, Any]) -> bool:
        """Whether one of them means what is wanted."""
        if not (number := self._number(row)):
            return False
        value, at = self.found[number - 1].get("value") or "", self._at(number - 1)
        return FILTERED.same(value, row["value"], at, optional=not value)

    def are(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        """Whether they are these and no others."""
        return len(self) == len(rows) and all(self.has(row) for row in rows)

    def connected(self, found: Any, rows: Sequence[Mapping[str, Any]], logic: str, at: Place) -> bool:
        """Whether filter logic on them means what is wanted of the rows; none says that all have to be met."""
        numbers = {number: place for place, row in enumerate(rows, 1) if (number := self._number(row))}
        every = " AND ".join(map(str, range(1, len(rows) + 1)))
        if not found:
            return not logic or Logic(numbers).matches(every, logic)
        return Logic(numbers).same(found, logic or every, at)

    def _number(self, row: Mapping[str, Any]) -> int:
        """Return the number of the condition that means what is wanted; 0 for none."""
        return next((number for number, one in enumerate(self.found, 1) if means(one, row)), 0)


def means(found: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """Whether a condition is the wanted one, and holds nothing else."""
    (field, operator), wanted = _parts(found), _parts(row)
    more = any(value for name, value in found.items() if name not in _PARTS)
    return not more and same(field, wanted[0]) and same(operator, wanted[1]) and _same_value(found, row)


def _same_value(found: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    return FILTERED.matches(found.get("value") or "", row["value"])


def _parts(row: Mapping[str, Any]) -> tuple[Any, Any]:
    return row.get("field") or row.get("column"), row.get("operation") or row.get("operator")


class Logic(Kind):
    """Filter logic: two that are true of the same records mean the same.

    Args:
        numbers: What number a condition has that is wanted, by the number that it was given.
    """

    def __init__(self, numbers: Mapping[int, int]) -> None:
        self._numbers = numbers

    @property
    def name(self) -> str:
        return "filter logic"

    def meaning(self, value: Any) -> tuple[bool, ...]:
        return self._table(str(value), {})

    def matches(self, seen: Any, wanted: Any) -> bool:
        try:
            return self._table(str(seen), self._numbers) == self.meaning(wanted)
        except ValueError:
            return False

    @staticmethod
    def _table(text: str, numbers: Mapping[int, int]) -> tuple[bool, ...]:
        """Return whether logic is true for each combination of the conditions that are met."""
        tokens = [_token(one, numbers) for one in re.findall(r"\w+|[()]|\S", text.upper())]
        if len(tokens) > _LONGEST:
            raise ValueError("longer than any filter logic")
        parse = _Parser(tokens)
        return tuple(parse.value(met) for met in product((False, True), repeat=_MOST))

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "small letters", value.lower()
        yield "in brackets", f"({value})"
        yield "spaces", value.replace("(", "( ").replace(")", " )")
        if found := re.fullmatch(r"(\w+) (AND|OR) (\w+)", value):
            yield "the other way round", f"{found[3]} {found[2]} {found[1]}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield f"NOT ({value})"
        yield value.replace("AND", "or").replace("OR", "AND").replace("or", "OR")
        yield value.replace("1", "2")
        yield f"{value} AND"


def _token(word: str, numbers: Mapping[int, int]) -> str:
    if not word.isdecimal():
        return word
    number = numbers.get(int(word), int(word))
    if not 0 < number <= _MOST:
        raise ValueError(f"{word} is the number of no condition")
    return str(number)


class _Parser:
    """Computes filter logic; AND goes before OR, as in Salesforce's own reading."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens
        self._place = 0
        self._met: Sequence[bool] = ()

    def value(self, met: Sequence[bool]) -> bool:
        """Return whether logic is true where these conditions are met.

        Raises:
            ValueError: It is no filter logic.
        """
        self._place, self._met = 0, met
        found = self._either()
        if self._now:
            raise ValueError(f"{self._now} is too much")
        return found

    @property
    def _now(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _take(self, *words: str) -> bool:
        if self._now in words and self._now:
            self._place += 1
            return True
        return False

    def _either(self) -> bool:
        found = self._both()
        while self._take("OR"):
            found = self._both() or found
        return found

    def _both(self) -> bool:
        found = self._one()
        while self._take("AND"):
            found = self._one() and found
        return found

    def _one(self) -> bool:
        if self._take("NOT"):
            return not self._one()
        if self._take("("):
            found = self._either()
            if not self._take(")"):
                raise ValueError("a bracket is not closed")
            return found
        if not self._now.isdecimal():
            raise ValueError(f"{self._now or 'the end'} is no condition")
        number = int(self._now)
        self._place += 1
        return self._met[number - 1]


async def enter_criteria(pilot: Pilot, rows: Sequence[Row], logic: str = "") -> None:
    """Fill in the rows of a form, and the filter logic below them."""
    for number, row in enumerate(rows, 1):
        if number > _SHOWN:
            await press(pilot, "Add Row", PAGE)
        await choose_far(pilot, f"Field {number}", row["label"])
        await choose(pilot, f"Operator {number}", OPERATORS[row["operator"]])
        await enter(pilot, f"Value {number}", row["value"], PAGE)
    if logic:
        await pilot.click(f"{PAGE} >> .setup-criteria summary")
        await enter(pilot, "Filter Logic", logic, PAGE)
