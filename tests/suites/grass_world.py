"""Starting states of GRASS as its application tells them, made without GRASS from what the locations are built of."""

from __future__ import annotations

import copy
import sys
from collections.abc import Mapping
from typing import Any

from shipped import shipped

from pytest_cuabench.task import library
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Verdict

sys.path.append(
    str(library.ENVIRONMENTS / "desktop")
)  # behind everything: only the package `guest` is wanted

from guest.grass.build import _RASTERS
from guest.grass.geography import EARTH, LAND_MARK, LAND_POINT, SEA_MARK, WORLD, vectors
from guest.grass.tables import COLUMNS, tables

TASKS = {task.id: task for task in shipped("scienceboard").tasks if task.application == "grass"}
PIEMONTE = "grassdata_piemonte_utm32n_wgs84_grass7"
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


class Trial:
    """One task on one seed, whose state at the end is written by hand."""

    def __init__(self, task: Task, seed: int = 0) -> None:
        self.task = task
        self.before = starting_state(task, seed)
        self.case: Case = task.case(self.before, "goal", seed)
        self.now: dict[str, Any] = copy.deepcopy(dict(self.before.collections))

    def show(self, name: str, **options: str) -> Trial:
        """Show a map as a layer, or draw a layer in another way."""
        self.now["layers"][f"{name}@PERMANENT"] = layer(name, **options)
        return self

    def hide(self, name: str) -> Trial:
        """Remove a layer."""
        del self.now["layers"][f"{name}@PERMANENT"]
        return self

    def layer(self, **fields: Any) -> Trial:
        """Change the layer that the case is about."""
        self.now["layers"][self.case["layer"]] |= fields
        return self

    def display(self, **fields: Any) -> Trial:
        """Change the map display."""
        self.now["displays"]["Map Display 1"] |= fields
        return self

    def verdict(self, answer: str | None = None, ending: str | None = None) -> Verdict:
        ending = ending or ("answer" if answer is not None else "success")
        return self.task.judge(Evidence(self.before, State(self.now), answer, ending), self.case)


ANSWERS = {
    "count_types": "more",
    "count_features": "number",
    "count_least_developed": "number",
    "province_at_latitude": "name",
    "largest_city": "name",
    "fire_station_in_street": "name",
    "hospitals_in_city": "number",
    "province_of_municipality": "province",
    "feature_code": "code",
}


def done(name: str, seed: int = 0) -> Trial:
    """Return a trial in the state that the reference leaves; `judged` gives its answer or its ending."""
    one = Trial(TASKS[name], seed)
    case = one.case.values
    if name in ANSWERS:
        return one
    if name in ("label_features", "label_alignment", "fill_color", "line_width"):
        one.layer(options={**one.now["layers"][case["layer"]]["options"], **_drawn_as(case)})
    elif name in ("road_color", "point_symbol", "symbol_size", "filter_schools"):
        one.show(case["map"], **_drawn_as(case))
        one.now["order"]["layers"]["names"].insert(0, case["layer"])
    elif name in ("show_metadata", "raster_statistics"):
        module = {"show_metadata": "v.info", "raster_statistics": "r.univar"}[name]
        text = f"{module} map={case['layer']}\nn: 7\n(Sat) Command finished (0 sec)"
        one.now["console"]["output"]["text"] = text
    elif name == "open_map":
        one.show(case["map"]).now["session"]["grass"]["location"] = case["location"]
        one.now["order"]["layers"]["names"] = [case["layer"]]
    elif name == "replace_layer":
        one.hide(case["map"]).show(case["new"])
        one.now["order"]["layers"]["names"] = [f"{case['new']}@PERMANENT"]
    elif name == "delete_point":
        one.now["points"].pop(str(case["cat"]))
        one.now["files"][f"grassdata/{EARTH}/PERMANENT/vector/countries/coor"] = {"sha256": "1", "size": 1}
        one.now[f"{EARTH}/countries"].pop(str(case["cat"]))
    else:
        _set(one, name, case)
    return one


def judged(one: Trial) -> Verdict:
    """Judge with the answer or the ending that a task wants."""
    key = ANSWERS.get(one.task.id)
    infeasible = one.task.id == "raster_statistics_of_vector"
    return one.verdict(str(one.case[key]) if key else None, "infeasible" if infeasible else None)


def _drawn_as(case: Mapping[str, Any]) -> dict[str, str]:
    """Return the drawing options that a case asks for."""
    found = {"attribute_column": case["column"]} if "column" in case else {}
    found |= {"xref": case["side"]} if "side" in case else {}
    found |= {"width": str(case["width"])} if "width" in case else {}
    found |= {"icon": f"basic/{case['symbol']}"} if "symbol" in case else {}
    found |= {"size": str(case["size"])} if "size" in case else {}
    found |= {"where": f"wheelchair = '{case['access']}'"} if "access" in case else {}
    if "rgb" in case:
        roads = case["map"] == "roadsmajor"
        found["color" if roads else "fcolor"] = ":".join(map(str, case["rgb"]))
    return found


def _set(one: Trial, name: str, case: Mapping[str, Any]) -> None:
    match name:
        case "hide_toolbar":
            one.display(toolbars=[], toolbars_shown=False)
        case "start_editing":
            one.display(editing=case["layer"], toolbars=["map", "vdigit"])
        case "show_status":
            one.display(status=case["status"], status_mode=3)
        case "set_scale":
            one.display(scale=float(case["scale"]), status="Map scale", status_mode=6)
        case "pan_to_country":
            edges = (("n", "north", 1), ("s", "south", -1), ("e", "east", 1), ("w", "west", -1))
            region = {short: case["extent"][edge] + sign for short, edge, sign in edges}
            one.display(region=region, status="Go to XY coordinates", status_mode=4)
        case "hide_layer":
            one.layer(checked=False)
        case "set_opacity":
            one.layer(opacity=case["percent"] / 100)
        case "rename_layer":
            one.layer(label=case["label"])
        case "add_column":
            _columned(one, case)
        case "drop_column":
            table = f"{PIEMONTE}/{case['map']}"
            one.now["columns"].pop(f"{table}.{case['column']}")
            for row in one.now[table].values():
                row.pop(case["column"])
        case "fix_start_date":
            one.now[f"{PIEMONTE}/points_of_interest"][str(case["cat"])]["start_date"] = case["year"]


def _columned(one: Trial, case: Mapping[str, Any]) -> None:
    table = f"{PIEMONTE}/{case['map']}"
    column = {"location": PIEMONTE, "map": case["map"], "name": case["column"], "place": 9}
    one.now["columns"][f"{table}.{case['column']}"] = {**column, "type": case["type"]}
    for row in one.now[table].values():
        row[case["column"]] = None
