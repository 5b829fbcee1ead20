"""Remove a column."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import mapping
from .mapping import Asked
from .mapping import areas_of_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    names = mapping.columns(state, mapping.shown(state)[0])
    column, other = random.sample(names, 2)
    places = {name: place for place, name in enumerate(names, 1)}  # the key is the first one
    return mapping.layer(state) | {
        "column": column,
        "place": places[column],
        "other": other,
        "other_place": places[other],
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the table without the column."""
    table = f"{mapping.location(evidence.before)}/{case['map']}"
    key = f"{table}.{case['column']}"
    there = evidence.after.collections["columns"].get(key, {}).get("name")
    gone = mapping.CHOICE.same(there, None, ("columns", key, "name"))
    whole = any(name.startswith(f"{table}.") for name in evidence.after.collections["columns"])
    yield Milestone(
        "dropped", gone and whole, 1.0, f"no column {case['column']}", "there" if there else "gone"
    )
    cells = frozenset({(table, "*", case["column"])})
    yield from mapping.unasked(evidence, Asked(columns=frozenset({key}), cells=cells))


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose so from the menu of the column."""
    await mapping.manage_table(pilot, case["layer"])
    row = case["place"] + 0.5
    await pilot.click(
        f"{mapping.TABLE} >> scroll-pane >> panel:nth(1)@0.1,{row * 23 / 145:.4f}", button="right"
    )
    await mapping.press(pilot, 'menu-item[name="Drop selected column"]')
    await mapping.press(pilot, 'alert >> push-button[name="Yes"]')


@wrong("record_integrity/major")
async def dropped_another_column(pilot: Pilot, case: Case) -> None:
    """The column that is needed is gone."""
    await solve(pilot, mapping.misread(case, place=case["other_place"]))
