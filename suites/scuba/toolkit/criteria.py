"""Criteria in Setup, rows of field, operator and value: how goals say them, checks judge them, and hands enter them.

A task has them as `{ field = "Case.Status", label = "Case: Status", operator = "equals", value = "New" }`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_cuabench import Pilot

from .lightning import PAGE, choose, choose_far, enter, press
from .records import same

Row = Mapping[str, str]
_SHOWN = 5  # rows of a form before Add Row
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


def is_met(found: Sequence[Mapping[str, Any]], number: int, row: Row) -> bool:
    """Whether a component has this condition at its place."""
    if len(found) <= number:
        return False
    one = found[number]
    told = (one.get("field"), one.get("operation"), one.get("value"))
    return all(same(seen, wanted) for seen, wanted in zip(told, _parts(row), strict=True))


def agree(found: Sequence[Mapping[str, Any]], rows: Sequence[Row]) -> bool:
    """Whether a component has these conditions and no others, in their order."""
    return len(found) == len(rows) and all(is_met(found, number, row) for number, row in enumerate(rows))


def connected(found: Any, rows: Sequence[Row], logic: str) -> bool:
    """Whether filter logic is the wanted one; none at all means that all conditions have to be met."""
    plain = " AND ".join(str(number) for number in range(1, len(rows) + 1))
    return same(found or plain, logic or plain)


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


def _parts(row: Row) -> tuple[str, str, str]:
    return row["field"], row["operator"], row["value"]
