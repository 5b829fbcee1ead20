"""Reduce the one full date to its year."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Text

from . import mapping
from .mapping import Asked
from .mapping import region as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    (row,) = (one for one in mapping.table(state, "points_of_interest") if "-" in (one["start_date"] or ""))
    dated = [
        one
        for one in mapping.table(state, "points_of_interest")
        if one["start_date"] and one["cat"] != row["cat"]
    ]
    return {
        "cat": row["cat"],
        "name": row["name"],
        "date": row["start_date"],
        "year": row["start_date"][:4],
        "other": random.choice(dated)["cat"],
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the year alone in the record."""
    table = f"{mapping.PIEMONTE}/points_of_interest"
    row = evidence.after.collections.get(table, {}).get(str(case["cat"]), {})
    found = row.get("start_date")
    right = Text().same(found, case["year"], (table, str(case["cat"]), "start_date"))
    yield Milestone("year", right, 1.0, case["year"], str(found))
    cells = frozenset({(table, str(case["cat"]), "start_date")})
    yield from mapping.unasked(evidence, Asked(cells=cells, looking=True))


async def solve(pilot: Pilot, case: Case) -> None:
    """Edit the one record in the table."""
    await mapping.show_map(pilot, mapping.PIEMONTE, "points_of_interest")
    await mapping.open_table(pilot, mapping.full("points_of_interest"))
    await _edit(pilot, case["cat"], case["date"], case["year"])


async def _edit(pilot: Pilot, cat: int, before: str, after: str) -> None:
    record = await mapping.find_record(pilot, cat)
    await mapping.context(pilot, record, "Edit selected record")
    dialog = 'frame[name="Update existing record"]'
    field = f'{dialog} >> text[value="{before}"]'
    await mapping.await_sight(pilot, field)
    await pilot.fill(field, after)
    await mapping.confirm(pilot, dialog, "Submit")


@wrong("milestone:year")
async def emptied_the_date(pilot: Pilot, case: Case) -> None:
    """The year went with the day."""
    await solve(pilot, mapping.misread(case, year=""))


@wrong("record_integrity/major")
async def deleted_the_record(pilot: Pilot, case: Case) -> None:
    """The record was not to go."""
    await mapping.show_map(pilot, mapping.PIEMONTE, "points_of_interest")
    await mapping.open_table(pilot, mapping.full("points_of_interest"))
    await mapping.context(pilot, await mapping.find_record(pilot, case["cat"]), "Delete selected record(s)")
    await mapping.press(pilot, 'push-button[name="Yes"]')
