"""GRASS of our guest in the place of upstream's, for records whose golds are no facts of upstream's data.

Our locations have upstream's names and maps of the same names with the columns that records mention, but what is in
them is made up: whoever counts hospitals there counts ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..items import Db, Info, Item
from ..probes import Probe
from ..records import Record
from ..steps import Execute, Launch, Layer, Map, Scale, Step
from . import needs
from .words import Collections, Setup, Unsupported, words_of

NAME = "grass"
NEEDY = True
_RASTERS = frozenset({"natural_earth"})
_SQL_TYPES = {
    "varchar": "CHARACTER",
    "integer": "INTEGER",
    "double precision": "DOUBLE PRECISION",
    "text": "TEXT",
}
_ALIASES = {"fcolor": "fill_color"}  # as older commands call it
_COLOUR = re.compile(r"\d{1,3}:\d{1,3}:\d{1,3}")
_OF_THE_DATA = "the answer of this record is a fact of the data in upstream's machine"


def setup(record: Record) -> Setup:
    """Return the location, its layers and the scale."""
    if any(item.args for item in record.stops) or any(_of_the_data(item) for item in record.judged):
        raise Unsupported(_OF_THE_DATA)
    return [ours for step in record.begin for ours in _steps(step)]


def unmet(record: Record, told: Collections) -> str | None:
    """Return what the record is about and our locations do not have."""
    return needs.maps(record, told)


def _of_the_data(item: Item) -> bool:
    """Whether an item looks at rows, figures or geometry; what is set in the window is no fact of the data."""
    match item:
        case Db(cmd="v.db.select", key=key):
            return "records" in key
        case Db():
            return True
        case Info(key=key):
            return "'region'" in key or needs.figures(item)
    return False


def _steps(step: Step) -> Iterator[Mapping[str, Any]]:
    match step:
        case Launch() if any("grass" in word for word in words_of(step)):
            return
        case Execute(command=str(command)) if command.startswith("rm ") and command.endswith(".gislock"):
            return
        case Map():
            yield {"do": "location", "name": step.location}
        case Layer():
            name = step.query.name
            yield {"do": "layer", "name": name, "kind": "raster" if name in _RASTERS else "vector"}
        case Scale():
            yield {"do": "scale", "value": step.scale}
        case _:
            raise Unsupported(f"our guest has no GRASS that could {type(step).__name__.lower()}")


def reply(probe: Probe, told: Collections) -> Any:
    """Return a dump of the window, or what `v.db.select` prints."""
    match probe.question:
        case "grass.dump":
            return _dump(told)
        case "grass.gcmd" if probe.about["cmd"] == "v.db.select":
            return _selected(told, str(probe.about["kwargs"].get("map", "")))
    raise Unsupported(f"GRASS is not asked {probe.question}")


def _dump(told: Collections) -> dict[str, Any]:
    layers = [row for _, row in sorted(told.get("layers", {}).items())]
    display = next((row for row in told.get("displays", {}).values() if row.get("current")), {})
    return {
        "layers": [{"name": layer["name"], "opacity": layer["opacity"]} for layer in layers],
        "windows": [
            {"name": layer["name"], "_text": layer["label"], "_data": ["N/A", {"params": _parameters(layer)}]}
            for layer in layers
        ],
        "toolbars": {
            "keys": display.get("toolbars", []),
            "shown": display.get("toolbars_shown"),
            "layer": {"name": display.get("editing")},
        },
        "statusbar": {"mode": display.get("status_mode"), "scale": display.get("scale")},
        "region": display.get("region", {}),
        "output": told.get("console", {}).get("output", {}).get("text", ""),
    }


def _parameters(layer: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the options of a layer as its dialog has them: colours with their opacity."""
    return [
        {"name": _ALIASES.get(name, name), "value": f"{value}:255" if _COLOUR.fullmatch(value) else value}
        for name, value in layer["options"].items()
    ]


def _selected(told: Collections, name: str) -> dict[str, Any]:
    location = told.get("session", {}).get("grass", {}).get("location")
    table = name.partition("@")[0]
    columns = [
        {"name": row["name"], "sql_type": _sql_type(str(row["type"]))}
        for row in sorted(told.get("columns", {}).values(), key=lambda row: int(row["place"]))
        if (row["location"], row["map"]) == (location, table)
    ]
    records = [dict(row) for row in told.get(f"{location}/{table}", {}).values()]
    if not columns:
        return {"returncode": 1, "output": None}
    return {"returncode": 0, "output": {"info": {"columns": columns}, "records": records}}


def _sql_type(kind: str) -> str:
    name, sized, _ = kind.partition("(")
    if name.strip() == "varchar" and not sized:
        return "TEXT"  # as GRASS itself says of one without a length
    return _SQL_TYPES.get(name.strip(), kind.upper())
