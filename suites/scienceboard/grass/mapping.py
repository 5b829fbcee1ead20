"""What several tasks with GRASS share: maps, what is judged of them, and how the window is used."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pytest_cuabench import Case, Change, Evidence, Findings, Lost, Milestone, Pilot, State, Values, Violation
from pytest_cuabench.task.action import Wait
from pytest_cuabench.task.answer import Spec
from pytest_cuabench.task.case import misread as misread
from pytest_cuabench.task.evidence import Row
from pytest_cuabench.task.kinds import FURTHER, Choice, Kind, Place, Tree, free

from ..toolkit import answers
from .kinds import Drawn, Finished, Name

COLUMN = Name()
WORLD = "world_latlong_wgs84"
EARTH = "natural_earth_dataset"
PIEMONTE = "grassdata_piemonte_utm32n_wgs84_grass7"
MAPSET = "PERMANENT"
AREAS = {EARTH: ("countries", "states_provinces"), PIEMONTE: ("boundary_province", "boundary_municipality")}
POINTS = {
    EARTH: ("populated_places",),
    PIEMONTE: ("hospitals", "firestations", "schools", "points_of_interest", "geonames"),
}
RASTERS = {EARTH: ("natural_earth",), PIEMONTE: ("elevation", "landcover")}
CALLED = {
    "boundary_region": "the region's outline",
    "boundary_province": "the provinces",
    "boundary_municipality": "the municipalities",
    "hospitals": "the hospitals",
    "firestations": "the fire stations",
    "schools": "the schools",
    "points_of_interest": "the points of interest",
    "geonames": "the named places",
    "countries": "the countries",
    "states_provinces": "the provinces",
    "populated_places": "the cities",
    "natural_earth": "the picture of the earth",
}


def kind_of(name: str) -> str:
    """Return whether a map is a raster or a vector."""
    return "raster" if any(name in names for names in RASTERS.values()) else "vector"


def full(name: str) -> str:
    """Return a map's name as layers have it."""
    return f"{name}@{MAPSET}"


def location(state: State) -> str:
    """Return the location that GRASS works in."""
    return str(state.collections["session"]["grass"]["location"])


def table(state: State, name: str, where: str | None = None) -> list[dict[str, Any]]:
    """Return the rows of a map's attribute table, in the order of their categories."""
    rows = state.rows(f"{where or location(state)}/{name}")
    return sorted(rows, key=lambda row: int(row["cat"]))


def columns(state: State, name: str) -> list[str]:
    """Return the columns of a map's attribute table but the key, in their order."""
    rows = state.rows("columns", location=location(state), map=name)
    return [row["name"] for row in sorted(rows, key=lambda row: row["place"]) if row["name"] != "cat"]


def shown(state: State) -> list[str]:
    """Return the maps that are layers, from top to bottom."""
    return [str(name).partition("@")[0] for name in state.collections["order"]["layers"]["names"]]


def kept(state: State, where: str) -> dict[str, list[str]]:
    """Return the names of a location's raster and vector maps, as its files tell."""
    found: dict[str, set[str]] = {"raster": set(), "vector": set()}
    for path in state.collections["files"]:
        parts = path.split("/")
        if parts[:3] == ["grassdata", where, MAPSET] and len(parts) > 4 and parts[3] in ("cellhd", "vector"):
            found["raster" if parts[3] == "cellhd" else "vector"].add(parts[4])
        elif parts[:4] == ["grassdata", where, MAPSET, "cellhd"]:
            found["raster"].add(parts[4])
    return {kind: sorted(names) for kind, names in found.items()}


_COLORS = {
    "gray": (191, 191, 191),
    "salmon": (250, 128, 114),
    "teal": (0, 128, 128),
    "gold": (255, 215, 0),
    "olive": (128, 128, 0),
    "plum": (221, 160, 221),
}


def layer(state: State) -> Values:
    name = shown(state)[0]
    return {"map": name, "layer": full(name), "called": CALLED.get(name, name)}


def color_values(random: Random) -> Values:
    color, other = random.sample(list(_COLORS), 2)
    return {"color": color, "rgb": list(_COLORS[color]), "other": list(_COLORS[other])}


def points(state: State, random: Random) -> Values:
    name, other = random.sample(POINTS[PIEMONTE], 2)
    values = {"map": name, "layer": full(name), "called": CALLED[name], "other": full(other)}
    return values | {"shown": full(shown(state)[0])}


CHOICE, DRAWN, TREE = Choice(), Drawn(), Tree()
_KINDS: Mapping[str, Kind] = {
    "color": DRAWN,
    "fill_color": DRAWN,
    "attribute_column": COLUMN,
}  # others are chosen

# What GRASS's window and its modules take where a drawing command does not say it.
_DRAWN_BY_DEFAULT = {
    "layer": "1",
    "display": "shape",
    "type": "point,line,area,face",
    "color": "0:29:57",
    "fill_color": "0:103:204",
    "width": "0",
    "icon": "basic/x",
    "size": "5",
    "label_layer": "1",
    "label_color": "red",
    "label_size": "8",
    "xref": "left",
    "yref": "center",
    "width_scale": "1",
    "encoding": "UTF-8",
}


def layer_of(evidence: Evidence, name: str) -> Row | None:
    """Return the only layer that shows a map and is drawn, None where there is none or several."""
    found = [row for row in evidence.after.rows("layers", name=name) if row["checked"]]
    return found[0] if len(found) == 1 else None


def drawn(layer: Row | None) -> dict[str, str]:
    """Return how a layer is drawn, in one way of writing, with what GRASS takes by default."""
    if layer is None:
        return {}
    written = {name: value for name, value in _written(layer).items() if value != ""}
    options = {**_DRAWN_BY_DEFAULT, **written}
    types = ",".join(sorted(options["type"].split(",")))
    return {name: color(value) if "color" in name else value for name, value in options.items()} | {
        "type": types
    }


def color(text: str) -> str:
    """Return a colour as red:green:blue, where it is one."""
    return ":".join(map(str, DRAWN.meaning(text))) if DRAWN.reads(text) else text


def differing(before: Row | None, after: Row | None) -> set[str]:
    """Return the drawing options in which two states of a layer differ."""
    old, new = drawn(before), drawn(after)
    return {name for name in set(old) | set(new) if old.get(name) != new.get(name)}


def unusual(layer: Row | None) -> set[str]:
    """Return the fields and drawing options of a layer that are not as GRASS adds a map."""
    row = layer or {}
    added = {"label": (None,), "opacity": (1.0,), "checked": (True,), "type": ("vector", "raster")}
    added["command"] = ("d.vect", "d.rast")
    options = differing({"options": {"map": row.get("name", "")}}, layer)
    return {name for name, usual in added.items() if row.get(name) not in usual} | options


_MAP_FILE = re.compile(
    r"grassdata/(?P<location>[^/]+)/[^/]+/(?P<kind>vector|cell|fcell|cellhd)/(?P<map>[^/]+)"
)
_OWN_FILES = re.compile(r"grassdata/([^/]+/[^/]+/(sqlite/|VAR$|hist/|cidx)|.*/(cidx|sidx|topo|hist)$)")
_STATUS = frozenset({"status", "status_mode"})
_DISPLAY = _STATUS | {"status_shown", "editing", "three_dimensional", "overlays"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a task may change; everything else is harm.

    Attributes:
        layers: For a layer's key, the fields and drawing options that may change.
        added: The same for layers that may come, compared with how GRASS adds a map.
        removed: Keys of layers that may go.
        display: Fields of the map display that may change beside its region and scale.
        toolbars: Toolbars of the map display that may come or go.
        columns: Keys of columns, `LOCATION/MAP.COLUMN`.
        cells: Fields of attribute rows: `(LOCATION/MAP, cat, field)`; `*` is every row, as a field that the row may go.
        maps: `LOCATION/MAP` of maps whose geometry may change.
        session: Whether another location may be opened.
        looking: Whether further maps may be shown, and the status bar may tell something else.
    """

    layers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    added: Mapping[str, frozenset[str]] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    display: frozenset[str] = frozenset()
    toolbars: frozenset[str] = frozenset()
    columns: frozenset[str] = frozenset()
    cells: frozenset[tuple[str, str, str]] = frozenset()
    maps: frozenset[str] = frozenset()
    session: bool = False
    looking: bool = False


def unasked(evidence: Evidence, asked: Asked | None = None) -> Iterator[Violation]:
    """Yield what was changed beside what the task asks for; how the map is looked at is not judged."""
    allowed = asked or Asked()
    layers = {str(row["name"]) for row in evidence.after.rows("layers")}
    for change in evidence.changes:
        _declare(change, allowed)
        harm = (
            _order_harm(change, allowed, layers) if change.collection == "order" else _harm(change, allowed)
        )
        if harm:
            yield Violation("record_integrity", "major", f"{change.collection}.{change.key}", harm)


_UNJUDGED = {
    "console": "what is said in the console is left open",
    "selection": "any layer may be selected",
    "windows": "windows may be left open",
}
_FOLLOWS = {"columns": ("location", "map", "name", "place"), "session": ("title",), "order": ()}


def _declare(change: Change, asked: Asked) -> None:
    """Declare what is left open, with its reason, and by which kinds what the task asks for is compared."""
    at, row = (change.collection, change.key), change.after or {}
    if why := _UNJUDGED.get(change.collection):
        free((change.collection, FURTHER), why)
        free(at, why)
    if _own_file(change, asked):
        free(at, "GRASS writes it beside, or what it tells of the map is judged")
    for name in _FOLLOWS.get(change.collection, ()):
        free((*at, name), "it follows from others")
    if change.collection in _FOLLOWS:
        free((*at, FURTHER), "GRASS tells these fields of it and no others")
    if change.collection == "displays":
        status = _STATUS if asked.looking else frozenset()
        for name in {*row, FURTHER} - _DISPLAY - {"toolbars"} | asked.display | status:
            free((*at, name), "how the map is looked at is left open")
        if asked.toolbars:
            free((*at, "toolbars"), "toolbars may come and go")
    if asked.looking and change.collection in ("layers", "order"):
        free(at, "maps may be shown to look at them")
        free((change.collection, FURTHER), "maps may be shown to look at them")
    elif change.collection == "layers":
        _declare_layer(at, row, change.op == "insert")


def _declare_layer(at: Place, row: Row, new: bool) -> None:
    for name in ("name", "checked"):
        CHOICE.same(row.get(name), row.get(name), (*at, name))
    TREE.same(row.get("options"), row.get("options"), (*at, "options"))
    if new:
        free((*at, "display"), "there is one display, and no other may be added")
        free((*at, FURTHER), "GRASS tells these fields of it and no others")


def answered(evidence: Evidence, spec: Spec, name: str) -> Findings:
    """Judge the final answer, and that nothing else was changed."""
    yield from answers.answered(evidence, spec, name)
    yield from unasked(evidence, Asked(looking=True))


def _harm(change: Change, asked: Asked) -> str | None:
    judges = {
        "layers": _layer_harm,
        "columns": _column_harm,
        "displays": _display_harm,
        "points": _points_harm,
        "extents": _area_harm,
        "session": _session_harm,
        "files": _file_harm,
    }
    if change.collection in judges:
        return judges[change.collection](change, asked)
    return _table_harm(change, asked) if "/" in change.collection else None


def _layer_harm(change: Change, asked: Asked) -> str | None:
    if change.op == "delete":
        return None if change.key in asked.removed else f"the layer {change.key} was removed"
    if change.op == "insert":
        if asked.looking:
            return None
        if change.key not in asked.added:
            return f"the layer {change.key} was added"
        changed = sorted(unusual(change.after) - asked.added[change.key])
        return f"the layer {change.key} is not as a map is added: {', '.join(changed)}" if changed else None
    allowed = asked.layers.get(change.key, frozenset())
    changed = sorted((set(change.fields) - {"options"} | differing(change.before, change.after)) - allowed)
    return f"the layer {change.key} was changed: {', '.join(changed)}" if changed else None


def _order_harm(change: Change, asked: Asked, layers: Collection[str]) -> str | None:
    """Layers that stay keep their order, and a new one lies on top of them; to look, it may lie anywhere."""
    old, new = ((row or {}).get("names", []) for row in (change.before, change.after))
    stayed = [name for name in old if name in new]
    come = [name for name in new if name not in old and name in layers]
    now = [name for name in new if name in old] if asked.looking else new
    usual = stayed if asked.looking else [*come, *stayed]
    return None if now == usual else "the layers are in another order"


def _column_harm(change: Change, asked: Asked) -> str | None:
    if change.key in asked.columns or (change.op == "update" and not _retyped(change)):
        return None
    return f"the column {change.key} was {_DONE[change.op]}"


def _retyped(change: Change) -> bool:
    """Whether a column is of another type now; a copy of a table has other words for the same, and no lengths."""
    types = [
        re.sub(r" ?\(\d+\)", "", str((row or {}).get("type")).replace("varchar", "character"))
        for row in (change.before, change.after)
    ]
    return types[0] != types[1]


def _display_harm(change: Change, asked: Asked) -> str | None:
    if change.op != "update":
        return f"a map display was {_DONE[change.op]}"
    status = _STATUS if asked.looking else frozenset()
    changed = sorted((_DISPLAY & set(change.fields)) - asked.display - status)
    bars = (set((row or {}).get("toolbars", ())) for row in (change.before, change.after))
    changed += sorted(set.symmetric_difference(*bars) - asked.toolbars)
    return f"the map display was changed: {', '.join(changed)}" if changed else None


def _points_harm(change: Change, asked: Asked) -> str | None:
    if change.op != "insert" and any(name.endswith("/countries") for name in asked.maps):
        return None  # the task's own check knows which point
    return f"the point {change.key} of countries was {_DONE[change.op]}"


def _area_harm(change: Change, asked: Asked) -> str | None:
    return f"the area {change.key} of countries was {_DONE[change.op]}"


def _session_harm(change: Change, asked: Asked) -> str | None:
    moved = {"mapset"} | (set() if asked.session else {"location"})
    return "GRASS works in another mapset now" if moved & set(change.fields) else None


def _table_harm(change: Change, asked: Asked) -> str | None:
    def allowed(field: str) -> bool:
        return any((change.collection, key, field) in asked.cells for key in (change.key, "*"))

    changed = [field for field in change.fields if not allowed(field)]
    if (change.op == "update" and not changed) or (change.op == "delete" and allowed("*")):
        return None
    return f"record {change.key} of {change.collection} was {_DONE[change.op]}: {', '.join(changed)}"


def _file_harm(change: Change, asked: Asked) -> str | None:
    return None if _own_file(change, asked) else f"the file {change.key} was {_DONE[change.op]}"


def _own_file(change: Change, asked: Asked) -> bool:
    """Whether a file is one that GRASS writes by itself, or of a map whose geometry may change."""
    if change.collection != "files" or _OWN_FILES.match(change.key):
        return change.collection == "files"
    found = _MAP_FILE.match(change.key)
    return bool(found and f"{found['location']}/{found['map']}" in asked.maps and change.op != "delete")


_DONE: Mapping[str, str] = {"insert": "added", "update": "changed", "delete": "removed"}
STATUS_BAR = Asked(display=frozenset({"status", "status_mode"}))  # also where scales and places are typed


def display(evidence: Evidence) -> Row:
    """Return the map display that is in front, or nothing where all were closed."""
    displays = evidence.after.rows("displays", current=True)
    if not displays:
        return {}
    CHOICE.same(displays[0]["current"], True, ("displays", displays[0]["_key"], "current"))
    return displays[0]


def added(name: str, *options: str) -> Asked:
    return Asked(added={name: frozenset(options)})


def field_of(layer: str, field: str) -> Asked:
    return Asked(layers={layer: frozenset({field})})


def options(evidence: Evidence, case: Case, **wanted: str) -> Findings:
    """Judge how the one layer is drawn: as wanted, and otherwise as before, if it was there before."""
    layer = layer_of(evidence, case["layer"])
    for name, value in wanted.items():
        seen = option(layer, name)
        right = _KINDS.get(name, CHOICE).same(seen, value, option_place(layer, name))
        yield Milestone(name, right, 1 / len(wanted), value, seen or "not set")
    known = case["layer"] in evidence.before.collections["layers"]
    fields = {case["layer"]: frozenset(wanted)}
    yield from unasked(evidence, Asked(layers=fields) if known else Asked(added=fields))


def option(layer: Row | None, name: str) -> str | None:
    """Return an option of a layer's drawing command as it is written, or GRASS's own choice."""
    if layer is None:
        return None
    return _written(layer).get(name) or _DRAWN_BY_DEFAULT.get(name)


def option_place(layer: Row | None, name: str) -> Place | None:
    """Return where an option of a layer is in the state."""
    if layer is None:
        return None
    held = "fcolor" if name == "fill_color" and "fcolor" in layer["options"] else name
    return ("layers", layer["_key"], "options", held)


def _written(layer: Row) -> dict[str, str]:
    """Return the options of a layer's drawing command, by the names that GRASS has now."""
    options = {str(name): str(value) for name, value in layer["options"].items()}
    if "fcolor" in options:
        options["fill_color"] = options.pop("fcolor")
    return options


def rgb(case: Case) -> str:
    return ":".join(str(part) for part in case["rgb"])


def printed(evidence: Evidence, case: Case, module: str, option: str) -> Findings:
    """Judge that a module was run on the map, and came to its end."""
    at = ("console", "output", "text")
    text, finished = (
        evidence.after.collections["console"]["output"].get("text"),
        Finished(module, option, case["map"]),
    )
    right = finished.same(text, f"{module} {case['map']}\nCommand finished", at)
    seen = "finished" if right else "not finished" if finished.reads(text) else "nothing of the kind"
    yield Milestone("printed", right, 1.0, f"{module} of {case['layer']}", seen)
    yield from unasked(evidence)


TABLE = 'frame[name$="Attribute Table Manager"]'
_PAUSES = (0.1, 0.2, 0.4, 0.5, 1, 1, 2, 2, 4)  # seconds between two looks at what takes GRASS a while


async def await_sight(pilot: Pilot, target: str) -> None:
    """Wait until something is on the screen.

    Raises:
        Lost: It does not come.
    """
    for pause in _PAUSES:
        if await pilot.sees(target):
            return
        await pilot.act(Wait(pause), thought=f"Wait for {target}")
    raise Lost(f"{target} does not appear")


async def await_gone(pilot: Pilot, target: str) -> None:
    """Wait until something is no longer on the screen.

    Raises:
        Lost: It stays.
    """
    for pause in _PAUSES:
        if not await pilot.sees(target):
            return
        await pilot.act(Wait(pause), thought=f"Wait until {target} is gone")
    raise Lost(f"{target} stays")


async def press(pilot: Pilot, target: str, count: int = 1) -> None:
    """Click what may take a while to appear."""
    await await_sight(pilot, target)
    await pilot.click(target, count)


async def context(pilot: Pilot, target: str, item: str) -> None:
    """Choose from the context menu of something."""
    await await_sight(pilot, target)
    await pilot.click(target, button="right")
    await press(pilot, f'menu-item[name="{item}"]')


async def layer_menu(pilot: Pilot, layer: str, item: str) -> None:
    """Choose from the context menu of a layer."""
    await context(pilot, f"place:layer/{layer}", item)


async def remove_layer(pilot: Pilot, layer: str) -> None:
    """Take a layer off the list, and say that this is meant."""
    await layer_menu(pilot, layer, "Remove")
    await press(pilot, 'alert >> push-button[name="Yes"]')
    await await_gone(pilot, f"place:layer/{layer}")


async def show_map(pilot: Pilot, location: str, name: str) -> None:
    """Double-click a map in the data catalogue; its mapset is open when it is the current one."""
    await press(pilot, f"place:catalog/{location}/PERMANENT/{name}", count=2)
    await await_sight(pilot, f"place:layer/{full(name)}")


async def unfold(pilot: Pilot, location: str) -> None:
    """Open a location of the catalogue and its mapset."""
    mapset = f"place:catalog/{location}/PERMANENT"
    if not await pilot.sees(mapset):
        await pilot.click(f"place:catalog/{location}", count=2)
    await press(pilot, mapset, count=2)


async def properties(pilot: Pilot, layer: str, page: str) -> str:
    """Open a page of a layer's properties; return the selector of the dialog."""
    dialog = 'frame[name^="d."]'
    await layer_menu(pilot, layer, "Properties")  # a double click may leave the dialog behind the main window
    await press(pilot, f'{dialog} >> page-tab[name="{page}"]')
    return dialog


async def confirm(pilot: Pilot, dialog: str, button: str = "OK") -> None:
    """Press a dialog's button and see the dialog go."""
    await press(pilot, f'{dialog} >> push-button[name="{button}"]')
    await await_gone(pilot, dialog)


async def choose_color(pilot: Pilot, button: str, rgb: list[int]) -> None:
    """Press a button that shows a colour, and type another one."""
    await press(pilot, button)
    name = 'text[description*="hexadecimal"]'
    await await_sight(pilot, name)
    await pilot.fill(name, "#{:02X}{:02X}{:02X}".format(*rgb))
    await pilot.press("tab")
    for light, amount in zip(("red", "green", "blue"), rgb, strict=True):
        await await_sight(pilot, f'spin-button[description^="Amount of {light}"][value="{amount}"]')
    await confirm(pilot, 'color-chooser[name="Choose colour"]', "Select")


async def open_table(pilot: Pilot, layer: str) -> None:
    """Open the attribute table of a layer."""
    await layer_menu(pilot, layer, "Show attribute data")
    await await_sight(pilot, TABLE)


async def manage_table(pilot: Pilot, layer: str) -> None:
    """Open what manages the columns of a layer's table."""
    await open_table(pilot, layer)
    await pilot.click(f"{TABLE} >> panel:nth(3)@0.24,0.5")
    await await_sight(pilot, f'{TABLE} >> push-button[name="Add"]')


async def find_record(pilot: Pilot, cat: int) -> str:
    """Have the table show one record; return where it is."""
    await pilot.fill(f"{TABLE} >> text:nth(1)", str(cat))
    await pilot.click(f'{TABLE} >> push-button[name="Apply"]')
    return f"{TABLE} >> scroll-pane >> panel:nth(1)@0.2,0.05"


async def rename_layer(pilot: Pilot, case: Case) -> None:
    """Type over the name in the list."""
    await layer_menu(pilot, case["layer"], "Rename")
    await pilot.press("ctrl+a")
    await pilot.type(case["label"])
    await pilot.press("enter")


async def recolor(pilot: Pilot, layer: str, which: int, rgb: list[int]) -> None:
    """Choose one of a layer's colours: 0 that of its lines and points, 1 that of its areas."""
    dialog = await properties(pilot, layer, "Colors")
    await choose_color(pilot, f"{dialog} >> scroll-pane >> panel:nth({which + 1})", rgb)
    await confirm(pilot, dialog)


async def look(pilot: Pilot, location: str, name: str, answer: str) -> None:
    await show_map(pilot, location, name)
    await open_table(pilot, full(name))
    await pilot.answer(answer)


Steps = list[dict[str, Any]]


def begin(random: Random, location: str, *shown: str) -> Steps:
    """Start in a location with tables of this seed, and show maps."""
    return [
        {"do": "content", "seed": random.randrange(1_000_000)},
        {"do": "location", "name": location},
        *({"do": "layer", "name": name, "kind": kind_of(name)} for name in shown),
    ]


def one_of_piemonte(random: Random) -> Steps:
    return begin(random, PIEMONTE, random.choice([*AREAS[PIEMONTE], *POINTS[PIEMONTE]]))


def areas_of_piemonte(random: Random) -> Steps:
    return begin(random, PIEMONTE, random.choice(AREAS[PIEMONTE]))


def region(random: Random) -> Steps:
    return begin(random, PIEMONTE, "boundary_region")


def empty_earth(random: Random) -> Steps:
    return begin(random, EARTH)


def empty_piemonte(random: Random) -> Steps:
    return begin(random, PIEMONTE)
