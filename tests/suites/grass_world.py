"""Starting states of GRASS as its application tells them, made without GRASS from what the locations are built of."""

from __future__ import annotations

import sys
from typing import Any

from pytest_cuabench import library
from pytest_cuabench.evidence import State
from pytest_cuabench.task import Task

sys.path.append(
    str(library.ENVIRONMENTS / "desktop")
)  # behind everything: only the package `guest` is wanted

from guest.grass.build import _RASTERS
from guest.grass.geography import EARTH, LAND_MARK, LAND_POINT, SEA_MARK, WORLD, vectors
from guest.grass.tables import COLUMNS, tables

LOOK = {"color": "0:29:57", "fcolor": "0:103:204", "width": "0", "icon": "basic/x", "size": "5"}


def starting_state(task: Task, seed: int) -> State:
    """Return what the world tells at the start of a task."""
    steps = task.setup(seed)
    contents = tables(next(step["seed"] for step in steps if step["do"] == "content"))
    where = next((step["name"] for step in steps if step["do"] == "location"), WORLD)
    shown = [step for step in steps if step["do"] == "layer"]
    view = next((step for step in steps if step["do"] == "view"), {"scale": 500.0, "east": 0.0, "north": 0.0})
    sea = next(((step["x"], step["y"]) for step in steps if step["do"] == "point"), (-14.5, 21.25))
    collections: dict[str, Any] = {
        "session": {"grass": {"location": where, "mapset": "PERMANENT", "title": "GRASS GIS"}},
        "displays": {"Map Display 1": _display(**{key: view[key] for key in ("scale", "east", "north")})},
        "layers": {f"{step['name']}@PERMANENT": layer(step["name"], step["kind"]) for step in shown},
        "order": {"layers": {"names": [f"{step['name']}@PERMANENT" for step in reversed(shown)]}},
        "selection": {"layers": {"names": []}},
        "windows": {},
        "console": {"output": {"text": ""}},
        "columns": _columns(),
        "points": {
            str(LAND_MARK): {"cat": LAND_MARK, "east": LAND_POINT[0], "north": LAND_POINT[1]},
            str(SEA_MARK): {"cat": SEA_MARK, "east": sea[0], "north": sea[1]},
        },
        "extents": _extents(),
        "files": _files(),
    }
    for location, maps in contents.items():
        for name, rows in maps.items():
            collections[f"{location}/{name}"] = {str(row["cat"]): row for row in rows}
    return State(collections)


def layer(name: str, kind: str = "vector", **options: str) -> dict[str, Any]:
    """Return a layer as it is when a map is shown, with further drawing options."""
    look = {**LOOK, "type": "point,line,area,face"} if kind == "vector" else {}
    return {
        "name": f"{name}@PERMANENT",
        "display": "Map Display 1",
        "label": None,
        "type": kind,
        "opacity": 1.0,
        "checked": True,
        "command": "d.vect" if kind == "vector" else "d.rast",
        "options": {"map": f"{name}@PERMANENT", **look, **options},
    }


def _display(scale: float, east: float, north: float) -> dict[str, Any]:
    width, height = 0.3 * scale, 0.23 * scale
    region = {"n": north + height / 2, "s": north - height / 2, "e": east + width / 2, "w": east - width / 2}
    return {
        "name": "Map Display 1",
        "current": True,
        "region": region,
        "scale": scale,
        "toolbars": ["map"],
        "toolbars_shown": True,
        "editing": None,
        "status": "Coordinates",
        "status_mode": 0,
        "status_shown": True,
        "three_dimensional": False,
        "overlays": [],
    }


def _columns() -> dict[str, Any]:
    return {
        f"{location}/{name}.{column}": {
            "location": location,
            "map": name,
            "name": column,
            "type": kind,
            "place": place,
        }
        for location, maps in COLUMNS.items()
        for name, columns in maps.items()
        for place, (column, kind) in enumerate({"cat": "integer", **columns}.items())
    }


def _extents() -> dict[str, Any]:
    found = {}
    for feature in vectors()[EARTH]["countries"]:
        if feature.shape["type"] == "Polygon":
            east = [x for x, _ in feature.shape["coordinates"][0]]
            north = [y for _, y in feature.shape["coordinates"][0]]
            edges = {"north": max(north), "south": min(north), "east": max(east), "west": min(east)}
            found[str(feature.cat)] = edges
    return found


def _files() -> dict[str, Any]:
    rasters = [
        f"grassdata/{location}/PERMANENT/cellhd/{name}"
        for location, maps in _RASTERS.items()
        for name in maps
    ]
    coordinates = [
        f"grassdata/{location}/PERMANENT/vector/{name}/coor"
        for location, maps in vectors().items()
        for name in maps
    ]
    return {path: {"sha256": "0", "size": 1} for path in [*rasters, *coordinates]}
