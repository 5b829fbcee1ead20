"""Tell the point that lies in no country."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong

from . import mapping
from .mapping import Asked, Steps


def case(state: State, random: Random) -> Values:
    inside = [
        row
        for row in state.rows("points")
        for extent in state.rows("extents")
        if extent["west"] < row["east"] < extent["east"] and extent["south"] < row["north"] < extent["north"]
    ]
    land = {row["_key"] for row in inside}
    (sea,) = (row for row in state.rows("points") if row["_key"] not in land)
    other = inside[0]
    return mapping.layer(state) | {
        "cat": sea["cat"],
        "east": sea["east"],
        "north": sea["north"],
        "other": {"cat": other["cat"], "east": other["east"], "north": other["north"]},
    }


def setup(random: Random) -> Steps:
    """Put a point somewhere into the sea between the continents."""
    place = {"x": round(random.uniform(-40, 5), 3), "y": round(random.uniform(-20, 30), 3)}
    return [
        *mapping.begin(random, mapping.EARTH, "countries"),
        {"do": "point", "map": "countries", "cat": 258, **place},
    ]


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the map saved without the point in the sea, with the other one where it was."""
    left = set(evidence.after.collections["points"])
    editing = [row["editing"] for row in evidence.after.rows("displays") if row.get("editing")]
    point = evidence.after.collections["points"].get(str(case["cat"]), {}).get("cat")
    deleted = mapping.CHOICE.same(point, None, ("points", str(case["cat"]), "cat"))
    gone = deleted and not editing
    seen = f"points {', '.join(sorted(left))}" + (", still being edited" if editing else "")
    yield Milestone("deleted", gone, 1.0, f"no point {case['cat']}", seen)
    table = f"{mapping.location(evidence.before)}/countries"
    cells = frozenset({(table, str(case["cat"]), "*")})
    yield from mapping.unasked(evidence, Asked(cells=cells, maps=frozenset({table})))
    other = str(case["other"]["cat"])
    if evidence.after.collections["points"].get(other) != evidence.before.collections["points"].get(other):
        yield Violation(
            "record_integrity", "major", f"points.{other}", "the other point was moved or deleted"
        )


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the digitizer, delete the point on the map, and save."""
    await mapping.layer_menu(pilot, case["layer"], "Start editing")
    await mapping.press(pilot, 'toggle-button[name^="Delete selected point"]')
    await _delete(pilot, case["east"], case["north"])


async def _delete(pilot: Pilot, east: float, north: float) -> None:
    await pilot.click(f"place:map/{east},{north}")
    await pilot.click(f"place:map/{east},{north}", button="right")
    await mapping.press(pilot, 'push-button[name^="Quit"]')
    await mapping.press(pilot, 'push-button[name="Yes"]')


@wrong("record_integrity/major")
async def deleted_the_mark_on_land(pilot: Pilot, case: Case) -> None:
    """The other point was meant to stay."""
    await solve(pilot, mapping.misread(case, **case["other"]))


@wrong("milestone:deleted")
async def deleted_the_record_only(pilot: Pilot, case: Case) -> None:
    """The point is still on the map, without a record."""
    await mapping.open_table(pilot, case["layer"])
    await mapping.context(pilot, await mapping.find_record(pilot, case["cat"]), "Delete selected record(s)")
    await mapping.press(pilot, 'push-button[name="Yes"]')
