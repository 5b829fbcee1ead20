"""What each task is about on a given seed, taken from what GRASS holds and shows at the start."""

from __future__ import annotations

import random
from typing import Any

from pytest_cuabench.evidence import State

from .maps import AREAS, CALLED, EARTH, PIEMONTE, POINTS, WORLD, columns, full, kept, location, shown, table

Values = dict[str, Any]

_TARGETS = ((EARTH, "countries"), (EARTH, "states_provinces"), (PIEMONTE, "schools"), (PIEMONTE, "hospitals"))
_COLORS = {
    "gray": (191, 191, 191),
    "salmon": (250, 128, 114),
    "teal": (0, 128, 128),
    "gold": (255, 215, 0),
    "olive": (128, 128, 0),
    "plum": (221, 160, 221),
}
_SYMBOLS = ("star", "diamond", "triangle", "box", "pin", "hexagon")
_LABELS = ("Ground plan", "Working layer", "Sheet 7", "Survey of spring", "Base for the print")
_STATUS = {
    "Display extent": "the four edges of what is displayed",
    "Computational region": "the bounds of the computational region",
    "Display geometry": "how many rows and columns the display has, and their resolution",
    "Map scale": "the scale of the map",
}
_TYPES = {"integer": "whole numbers", "double precision": "floating-point numbers", "varchar": "text"}
_ACCESS = {
    "yes": "known to be accessible by wheelchair",
    "no": "known not to be accessible by wheelchair",
    "limited": "accessible by wheelchair with limitations",
}


def _layer(state: State) -> Values:
    name = shown(state)[0]
    return {"map": name, "layer": full(name), "called": CALLED.get(name, name)}


def open_map(state: State, chance: random.Random) -> Values:
    """Show a map of another location."""
    where, name = chance.choice(_TARGETS)
    other = chance.choice([one for one in kept(state, where)["vector"] if one != name])
    return {"location": where, "map": name, "layer": full(name), "other": other, "called": CALLED[name]}


def replace_layer(state: State, chance: random.Random) -> Values:
    """Show another map of the same location instead."""
    here = kept(state, location(state))
    choice = [name for name in here["raster"] + here["vector"] if name not in shown(state)]
    name, other = chance.sample(choice, 2)
    return _layer(state) | {"new": name, "other": other, "location": location(state)}


def hide_toolbar(state: State, chance: random.Random) -> Values:
    """Hide what lies above the map."""
    return _layer(state) | {"display": next(iter(state.collections["displays"]))}


def start_editing(state: State, chance: random.Random) -> Values:
    """Edit the map that is shown."""
    return _layer(state)


def show_status(state: State, chance: random.Random) -> Values:
    """Show something else than coordinates below the map."""
    status, other = chance.sample(list(_STATUS), 2)
    return _layer(state) | {"status": status, "meaning": _STATUS[status], "other": other}


def set_scale(state: State, chance: random.Random) -> Values:
    """Have a round scale; what is shown at the start has another one."""
    return _layer(state) | {"scale": chance.choice((150_000, 250_000, 400_000, 600_000, 750_000))}


def hide_layer(state: State, chance: random.Random) -> Values:
    """Switch one of several layers off."""
    name, other = chance.sample(shown(state), 2)
    return {"map": name, "layer": full(name), "other": full(other), "called": CALLED[name]}


def pan_to_country(state: State, chance: random.Random) -> Values:
    """Find a country that lies next to what is displayed, at most a window away."""
    display = state.row("displays")
    region, names = display["region"], {row["_key"]: row["name"] for row in table(state, "countries")}
    middle = ((region["e"] + region["w"]) / 2, (region["n"] + region["s"]) / 2)
    near = []
    for row in state.rows("extents"):
        east, north = (row["east"] + row["west"]) / 2, (row["north"] + row["south"]) / 2
        inside = _inside(row, region)
        if not inside and abs(east - middle[0]) < 30 and abs(north - middle[1]) < 24:
            near.append({"name": names[row["_key"]], "east": east, "north": north, "extent": row})
    found, other = chance.sample(sorted(near, key=lambda one: one["name"]), 2)
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


def count_types(state: State, chance: random.Random) -> Values:
    """Compare the numbers of raster and vector maps of a location."""
    where = chance.choice((WORLD, PIEMONTE, EARTH))
    numbers = {kind: len(names) for kind, names in kept(state, where).items()}
    more = max(numbers, key=lambda kind: numbers[kind])
    return {
        "location": where,
        "more": more,
        "numbers": numbers,
        "less": {"raster": "vector", "vector": "raster"}[more],
    }


def count_features(state: State, chance: random.Random) -> Values:
    """Count what a map that is not shown holds."""
    name, other = chance.sample([*AREAS[PIEMONTE], *POINTS[PIEMONTE]], 2)
    return {
        "map": name,
        "layer": full(name),
        "called": CALLED[name].removeprefix("the "),
        "number": len(table(state, name)),
        "other": {"map": other, "number": len(table(state, other))},
    }


def set_opacity(state: State, chance: random.Random) -> Values:
    """Let what lies below shine through."""
    return _layer(state) | {"percent": chance.choice((20, 30, 40, 60, 70))}


def rename_layer(state: State, chance: random.Random) -> Values:
    """Give the layer a title of its own."""
    return _layer(state) | {"label": chance.choice(_LABELS)}


def label_features(state: State, chance: random.Random) -> Values:
    """Write an attribute beside every feature."""
    column, other = chance.sample(columns(state, shown(state)[0]), 2)
    return _layer(state) | {"column": column, "other": other}


def label_alignment(state: State, chance: random.Random) -> Values:
    """Write an attribute, aligned in another way than GRASS does by itself."""
    side, other = chance.sample(("center", "right"), 2)
    return _layer(state) | {
        "column": chance.choice(columns(state, shown(state)[0])),
        "side": side,
        "other": other,
    }


def _color(chance: random.Random) -> Values:
    color, other = chance.sample(list(_COLORS), 2)
    return {"color": color, "rgb": list(_COLORS[color]), "other": list(_COLORS[other])}


def fill_color(state: State, chance: random.Random) -> Values:
    """Fill the areas in a colour."""
    return _layer(state) | _color(chance)


def road_color(state: State, chance: random.Random) -> Values:
    """Show the roads in a colour."""
    return {"shown": full(shown(state)[0]), "map": "roadsmajor", "layer": full("roadsmajor")} | _color(chance)


def line_width(state: State, chance: random.Random) -> Values:
    """Draw borders in some width."""
    return _layer(state) | {"width": chance.randrange(2, 8)}


def _points(state: State, chance: random.Random) -> Values:
    name, other = chance.sample(POINTS[PIEMONTE], 2)
    values = {"map": name, "layer": full(name), "called": CALLED[name], "other": full(other)}
    return values | {"shown": full(shown(state)[0])}


def point_symbol(state: State, chance: random.Random) -> Values:
    """Show points by another symbol."""
    symbol, wrong = chance.sample(_SYMBOLS, 2)
    return _points(state, chance) | {"symbol": symbol, "wrong_symbol": wrong}


def symbol_size(state: State, chance: random.Random) -> Values:
    """Show points in another size."""
    return _points(state, chance) | {"size": chance.randrange(8, 20)}


def filter_schools(state: State, chance: random.Random) -> Values:
    """Show the schools of one kind of access only."""
    access = chance.choice(list(_ACCESS))
    rows = table(state, "schools")
    return {
        "map": "schools",
        "layer": full("schools"),
        "shown": full(shown(state)[0]),
        "access": access,
        "meaning": _ACCESS[access],
        "rows": {row["_key"]: row["wheelchair"] for row in rows},
        "cats": [row["cat"] for row in rows if row["wheelchair"] == access],
    }


def show_metadata(state: State, chance: random.Random) -> Values:
    """Have GRASS print what it knows of the map."""
    return _layer(state) | {
        "other": chance.choice([one for one in POINTS[PIEMONTE] if one not in shown(state)])
    }


def raster_statistics(state: State, chance: random.Random) -> Values:
    """Have GRASS compute statistics of the raster."""
    return _layer(state)


def raster_statistics_of_vector(state: State, chance: random.Random) -> Values:
    """Ask what cannot be: the map on the screen is a vector map."""
    return _layer(state) | {"infeasible": True}


def count_least_developed(state: State, chance: random.Random) -> Values:
    """Count countries by their economy."""
    economies = [row["economy"] for row in table(state, "countries") if row["economy"]]
    wanted, other = chance.sample(sorted(set(economies)), 2)
    return {
        "map": "countries",
        "economy": wanted,
        "number": economies.count(wanted),
        "other": economies.count(other),
    }


def province_at_latitude(state: State, chance: random.Random) -> Values:
    """Find a province by a number, and tell its name in its own script."""
    row, other = chance.sample(table(state, "states_provinces"), 2)
    return {
        "latitude": row["latitude"],
        "name": row["name_local"],
        "plain": row["name"],
        "other": other["name_local"],
    }


def largest_city(state: State, chance: random.Random) -> Values:
    """Find the city with the most people among those of some of the time zones."""
    rows = table(state, "populated_places")
    zone = chance.choice(sorted({row["timezone"] for row in rows if _together(rows, row["timezone"])}))
    inside = sorted((row for row in rows if row["timezone"] == zone), key=lambda row: -row["pop_max"])
    return {
        "zone": zone,
        "name": inside[0]["name"],
        "other": inside[1]["name"],
        "country": inside[0]["country"],
    }


def _together(rows: list[Values], zone: str) -> bool:
    return sum(row["timezone"] == zone for row in rows) > 2


def fire_station_in_street(state: State, chance: random.Random) -> Values:
    """Find a fire station by its street."""
    row, other = chance.sample(table(state, "firestations"), 2)
    return {"street": row["street"], "name": row["name"], "city": row["city"], "other": other["name"]}


def hospitals_in_city(state: State, chance: random.Random) -> Values:
    """Count hospitals by their city."""
    cities = [row["city"] for row in table(state, "hospitals")]
    numbers = {city: cities.count(city) for city in sorted(set(cities))}
    city, other = next(
        (one, two)
        for one, two in (chance.sample(list(numbers), 2) for _ in range(100))
        if numbers[one] > 1 and numbers[one] != numbers[two]
    )
    return {"city": city, "number": numbers[city], "other": numbers[other]}


def province_of_municipality(state: State, chance: random.Random) -> Values:
    """Find which province a municipality belongs to."""
    row = chance.choice(table(state, "boundary_municipality"))
    provinces = sorted({one["PROVINCE"] for one in table(state, "boundary_municipality")} - {row["PROVINCE"]})
    return {"municipality": row["NAME"], "province": row["PROVINCE"], "other": chance.choice(provinces)}


def feature_code(state: State, chance: random.Random) -> Values:
    """Find the code of a named place."""
    rows = table(state, "geonames")
    row = chance.choice(rows)
    other = chance.choice([one for one in rows if one["feature_code"] != row["feature_code"]])
    return {"name": row["name"], "code": row["feature_code"], "other": other["feature_code"]}


def add_column(state: State, chance: random.Random) -> Values:
    """Add a column of some type."""
    kind, other = chance.sample(list(_TYPES), 2)
    name = chance.choice(("remark", "surveyed", "priority", "checked_by"))
    return _layer(state) | {"column": name, "type": kind, "meaning": _TYPES[kind], "other": other}


def drop_column(state: State, chance: random.Random) -> Values:
    """Remove a column."""
    names = columns(state, shown(state)[0])
    column, other = chance.sample(names, 2)
    places = {name: place for place, name in enumerate(names, 1)}  # the key is the first one
    return _layer(state) | {
        "column": column,
        "place": places[column],
        "other": other,
        "other_place": places[other],
    }


def fix_start_date(state: State, chance: random.Random) -> Values:
    """Reduce the one full date to its year."""
    (row,) = (one for one in table(state, "points_of_interest") if "-" in (one["start_date"] or ""))
    dated = [
        one for one in table(state, "points_of_interest") if one["start_date"] and one["cat"] != row["cat"]
    ]
    return {
        "cat": row["cat"],
        "name": row["name"],
        "date": row["start_date"],
        "year": row["start_date"][:4],
        "other": chance.choice(dated)["cat"],
    }


def delete_point(state: State, chance: random.Random) -> Values:
    """Tell the point that lies in no country."""
    inside = [
        row
        for row in state.rows("points")
        for extent in state.rows("extents")
        if extent["west"] < row["east"] < extent["east"] and extent["south"] < row["north"] < extent["north"]
    ]
    land = {row["_key"] for row in inside}
    (sea,) = (row for row in state.rows("points") if row["_key"] not in land)
    other = inside[0]
    return _layer(state) | {
        "cat": sea["cat"],
        "east": sea["east"],
        "north": sea["north"],
        "other": {"cat": other["cat"], "east": other["east"], "north": other["north"]},
    }
