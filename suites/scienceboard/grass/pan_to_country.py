"""Find a country that lies next to what is displayed, at most a window away."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Limit, Number

from . import mapping
from .mapping import Steps

_SCALE = 0.1  # that it may be off
_EDGES = (("north", "n", 1), ("south", "s", -1), ("east", "e", 1), ("west", "w", -1))


def case(state: State, random: Random) -> Values:
    display = state.row("displays")
    region, names = display["region"], {row["_key"]: row["name"] for row in mapping.table(state, "countries")}
    middle = ((region["e"] + region["w"]) / 2, (region["n"] + region["s"]) / 2)
    near = []
    for row in state.rows("extents"):
        east, north = (row["east"] + row["west"]) / 2, (row["north"] + row["south"]) / 2
        inside = _inside(row, region)
        if not inside and abs(east - middle[0]) < 30 and abs(north - middle[1]) < 24:
            near.append({"name": names[row["_key"]], "east": east, "north": north, "extent": row})
    found, other = random.sample(sorted(near, key=lambda one: one["name"]), 2)
    place = {key: found[key] for key in ("name", "east", "north")}
    extent = {edge: found["extent"][edge] for edge in ("north", "south", "east", "west")}
    return {
        **place,
        "extent": extent,
        "scale": display["scale"],
        "other": {"east": other["east"], "north": other["north"]},
    }


def _inside(extent: Values, region: Values) -> bool:
    return bool(
        extent["north"] < region["n"]
        and extent["south"] > region["s"]
        and extent["east"] < region["e"]
        and extent["west"] > region["w"]
    )


def setup(random: Random) -> Steps:
    """Show a part of the earth at a scale at which a country just fits."""
    east, north = random.choice(((-106.0, 9.0), (-90.0, 23.0), (-74.0, 9.0), (40.0, -10.0), (58.0, 6.0)))
    return [
        *mapping.begin(random, mapping.EARTH, "countries"),
        {"do": "view", "scale": random.choice((85, 90, 95)), "east": east, "north": north},
    ]


def check(evidence: Evidence, case: Case) -> Findings:
    """Have all of the country in view, at the scale of the beginning."""
    display = mapping.display(evidence)
    region, extent = display.get("region", {}), case["extent"]
    at = ("displays", display.get("_key"))
    inside = [
        Limit(limit=extent[edge], least=sign > 0).same(
            region.get(short), extent[edge], (*at, "region", short)
        )
        for edge, short, sign in _EDGES
    ]
    scaled = Number(tolerance=_SCALE).same(display.get("scale"), case["scale"], (*at, "scale"))
    yield Milestone(
        "in_view",
        all(inside) and scaled,
        1.0,
        f"{extent} at 1:{case['scale']:.0f}",
        str(region),
    )
    yield from mapping.unasked(evidence, mapping.STATUS_BAR)


async def solve(pilot: Pilot, case: Case) -> None:
    """Have the map go to the middle of the country, which its table and the map tell."""
    await pilot.click("place:status", button="right")
    await mapping.press(pilot, 'radio-menu-item[name="Go to XY coordinates"]')
    field = 'text[value*=";"]'
    await mapping.await_sight(pilot, field)
    await pilot.fill(field, f"{_degrees(case['east'], 'EW')}; {_degrees(case['north'], 'NS')}")
    await pilot.press("enter")


def _degrees(value: float, letters: str) -> str:
    """Write an angle as GRASS does: 84:07:16.2W."""
    seconds = round(abs(value) * 3600)
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{letters[value < 0]}"


@wrong("milestone:in_view")
async def went_to_its_neighbour(pilot: Pilot, case: Case) -> None:
    """Another country is in view."""
    await solve(pilot, mapping.misread(case, **case["other"]))


@wrong("milestone:in_view")
async def zoomed_out(pilot: Pilot, case: Case) -> None:
    """The country is in view, at another scale."""
    await mapping.layer_menu(pilot, mapping.full("countries"), "Zoom to selected map(s)")
