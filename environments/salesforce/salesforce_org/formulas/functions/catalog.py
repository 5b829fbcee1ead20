"""The table of functions: a line tells parameters, types and result, and what the editor says about it.

    define("Math", "ROUND(number: Number, num_digits: Number) -> Number", "Rounds a number ...", rounded)

Types are joined by `|`; `[name: Type]` may be left out, `name: Type...` comes once or more often, and `T` is one
type for all parameters and the result that have it. A plain function is not called where a number, date or time is
blank: its result is blank. Texts are never None.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from salesforce_org.formulas.values import (
    BOOLEAN,
    DATE,
    DATETIME,
    LEVEL,
    LOCATION,
    MULTIPICKLIST,
    NUMBER,
    PICKLIST,
    TEXT,
    TIME,
)


class Use(Enum):
    """What a formula is for; some functions are there for some uses only."""

    VALIDATION = "validation rule"
    FIELD = "formula field"
    DEFAULT = "default value"
    WORKFLOW = "workflow condition"
    APPROVAL = "approval entry criteria"
    ROW = "row-level formula of a report"
    SUMMARY = "summary formula of a report"
    LINK = "custom link"


# Uses in which a record is written.
WRITES = frozenset({Use.VALIDATION, Use.WORKFLOW, Use.APPROVAL})


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; no types are all types."""

    name: str
    types: tuple[str, ...]
    optional: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """One function.

    Attributes:
        category: The group of the editor's list, as Salesforce has it.
        result: The type of its value; empty for that of the parameters of type `T`.
        act: Its doing; `how` says what it is called with: `values`, `blanks` (values that may be None), `scope` (the
            scope, then values) or `lazy` (the scope, then a function for each argument).
        uses: Where it may be used; empty for everywhere.
    """

    name: str
    category: str
    usage: str
    help: str
    parameters: tuple[Parameter, ...]
    result: str
    act: Callable[..., Any]
    how: str
    uses: frozenset[Use]

    @property
    def least(self) -> int:
        """The smallest number of arguments."""
        return sum(not one.optional for one in self.parameters)

    def parameter(self, at: int) -> Parameter | None:
        """Return what the argument at a place is given to; the last parameter may take many."""
        if at < len(self.parameters):
            return self.parameters[at]
        return self.parameters[-1] if self.parameters and self.parameters[-1].many else None


FUNCTIONS: dict[str, Function] = {}
_SIGNATURE = re.compile(r"(\w+)\((.*)\) -> (\w+)")
_PARAMETER = re.compile(r"(\[?)(\w+): ([\w|]+)(\.\.\.)?\]?")
_TYPES = {
    "Number": NUMBER,
    "Text": TEXT,
    "Boolean": BOOLEAN,
    "Date": DATE,
    "DateTime": DATETIME,
    "Time": TIME,
    "Picklist": PICKLIST,
    "Multi": MULTIPICKLIST,
    "Location": LOCATION,
    "Level": LEVEL,
}


def define(
    category: str,
    signature: str,
    help: str,
    act: Callable[..., Any],
    how: str = "values",
    uses: frozenset[Use] = frozenset(),
) -> None:
    """Put a function into the table."""
    found = _SIGNATURE.fullmatch(signature)
    assert found is not None, signature
    name, inside, result = found.groups()
    parameters = tuple(
        Parameter(own, _types(types), bool(bracket), bool(many))
        for bracket, own, types, many in _PARAMETER.findall(inside)
    )
    usage = f"{name}({', '.join(one.name + (', ...' if one.many else '') for one in parameters)})"
    FUNCTIONS[name] = Function(
        name, category, usage, help, parameters, _TYPES.get(result, ""), act, how, uses
    )


def _types(told: str) -> tuple[str, ...]:
    return () if told == "Any" else ("T",) if told == "T" else tuple(_TYPES[one] for one in told.split("|"))
