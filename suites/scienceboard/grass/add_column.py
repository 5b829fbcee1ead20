"""Add a column of some type."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Fits

from . import mapping
from .mapping import COLUMN, Asked
from .mapping import areas_of_piemonte as setup

__all__ = ["setup"]

_TYPES = {"integer": "whole numbers", "double precision": "floating-point numbers", "varchar": "text"}
_FAMILIES = {
    "integer": r"int(eger)?",
    "double precision": r"(double( precision)?|real|float)",
    "varchar": r"(varchar|character varying|char(acter)?)( ?\(\d+\))?|text",
}
_FORMS = {
    "integer": ("int", "integer"),
    "double precision": ("double", "real"),
    "varchar": ("text", "varchar(50)", "character varying"),
}


def case(state: State, random: Random) -> Values:
    kind, other = random.sample(list(_TYPES), 2)
    name = random.choice(("remark", "surveyed", "priority", "checked_by"))
    return mapping.layer(state) | {"column": name, "type": kind, "meaning": _TYPES[kind], "other": other}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the column, of its type and empty."""
    table = f"{mapping.location(evidence.before)}/{case['map']}"
    columns = evidence.after.collections["columns"]
    wanted = f"{table}.{case['column']}"
    key = next((name for name in columns if COLUMN.matches(name, wanted)), wanted)
    column = columns.get(key)
    kind = column and column.get("type")
    named = column is not None and COLUMN.same(key, wanted, ("columns", key))
    family = Fits("databases have several words for a type", _FAMILIES[case["type"]], _FORMS[case["type"]])
    typed = family.same(kind, case["type"], ("columns", key, "type"))
    yield Milestone("named", named, 0.5, case["column"], kind or "no such column")
    yield Milestone("typed", typed, 0.5, case["type"], kind or "no such column")
    yield from mapping.unasked(evidence, Asked(columns=frozenset({key})))


async def _pick(pilot: Pilot, combo: str, item: str) -> None:
    """Choose an item of a combo box."""
    await mapping.press(pilot, combo)
    await mapping.press(pilot, f'window >> menu-item[name="{item}"]')


async def solve(pilot: Pilot, case: Case) -> None:
    """Type the name, choose the type, add."""
    await mapping.manage_table(pilot, case["layer"])
    await pilot.fill(f"{mapping.TABLE} >> text:nth(0)", case["column"])
    if case["type"] != "integer":
        await _pick(pilot, f'{mapping.TABLE} >> combo-box[name="integer"]', case["type"].split()[0])
    await pilot.click(f'{mapping.TABLE} >> push-button[name="Add"]')


@wrong("milestone:typed")
async def took_another_type(pilot: Pilot, case: Case) -> None:
    """The column is there, but holds something else."""
    await solve(pilot, mapping.misread(case, type=case["other"]))
