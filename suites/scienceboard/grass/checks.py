"""What each task wants to be true at the end."""

from __future__ import annotations

import re

from pytest_cuabench.answer import Choice, Entity, Number, Text
from pytest_cuabench.evidence import Evidence, Row
from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone, Violation

from .drawing import drawn, layer_of
from .filtering import chosen
from .judging import Asked, Findings, answered, unasked
from .maps import PIEMONTE, full, location

_EDGES = (("north", "n", 1), ("south", "s", -1), ("east", "e", 1), ("west", "w", -1))


def _display(evidence: Evidence) -> Row:
    """Return the map display that is in front, or nothing where all were closed."""
    displays = evidence.after.rows("displays", current=True)
    return displays[0] if displays else {}


def _layers(*names: str) -> Asked:
    return Asked(layers={name: frozenset({"*"}) for name in names})


def _field(layer: str, field: str) -> Asked:
    return Asked(layers={layer: frozenset({field})})


def open_map(evidence: Evidence, case: Case) -> Findings:
    """Have the map displayed in its location."""
    here = location(evidence.after)
    yield Milestone("location", here == case["location"], 0.4, case["location"], here)
    shown = layer_of(evidence, case["layer"]) is not None and here == case["location"]
    yield Milestone("map", shown, 0.6, case["layer"], ", ".join(evidence.after.collections["layers"]))
    yield from unasked(evidence, Asked(layers={case["layer"]: frozenset({"*"})}, session=True))


def replace_layer(evidence: Evidence, case: Case) -> Findings:
    """Have one layer instead of the other."""
    names = [row["name"] for row in evidence.after.rows("layers")]
    wanted = full(case["new"])
    gone, there = case["layer"] not in names, layer_of(evidence, wanted) is not None
    yield Milestone("removed", gone, 0.5, f"no {case['layer']}", ", ".join(names))
    yield Milestone("shown", there, 0.5, wanted, ", ".join(names))
    yield from unasked(evidence, _layers(case["layer"], wanted))


def hide_toolbar(evidence: Evidence, case: Case) -> Findings:
    """Have the map display without its toolbar."""
    bars = _display(evidence).get("toolbars", ["no display"])
    yield Milestone("hidden", not bars, 1.0, "no toolbar", ", ".join(bars))
    yield from unasked(evidence)


def start_editing(evidence: Evidence, case: Case) -> Findings:
    """Have the digitizer open on the map."""
    edited = _display(evidence).get("editing")
    yield Milestone("editing", edited == case["layer"], 1.0, case["layer"], str(edited))
    yield from unasked(evidence)


def show_status(evidence: Evidence, case: Case) -> Findings:
    """Have the status bar in the wanted mode."""
    display = _display(evidence)
    told = display.get("status") == case["status"] and bool(display.get("status_shown"))
    yield Milestone("status", told, 1.0, case["status"], str(display.get("status")))
    yield from unasked(evidence)


def set_scale(evidence: Evidence, case: Case) -> Findings:
    """Have the map at the scale."""
    scale = _display(evidence).get("scale", 0)
    near = abs(scale - case["scale"]) < 0.001 * case["scale"]
    drawn_still = layer_of(evidence, case["layer"]) is not None
    yield Milestone("scale", near and drawn_still, 1.0, f"1:{case['scale']}", f"1:{scale:.0f}")
    yield from unasked(evidence)


def hide_layer(evidence: Evidence, case: Case) -> Findings:
    """Have the layer in the list, switched off."""
    rows = evidence.after.rows("layers", name=case["layer"])
    off = len(rows) == 1 and not rows[0]["checked"]
    seen = ", ".join("drawn" if row["checked"] else "switched off" for row in rows) or "removed"
    yield Milestone("off", off, 1.0, f"{case['layer']} switched off", seen)
    yield from unasked(evidence, _field(case["layer"], "checked"))


def pan_to_country(evidence: Evidence, case: Case) -> Findings:
    """Have all of the country in view, at the scale of the beginning."""
    display = _display(evidence)
    region, extent = display.get("region", {}), case["extent"]
    inside = bool(region) and all(sign * (region[short] - extent[edge]) > 0 for edge, short, sign in _EDGES)
    yield Milestone(
        "in_view",
        inside and _same_scale(display, case),
        1.0,
        f"{extent} at 1:{case['scale']:.0f}",
        str(region),
    )
    yield from unasked(evidence)


def _same_scale(display: Row, case: Case) -> bool:
    return abs(float(display["scale"]) - float(case["scale"])) < 0.1


def count_types(evidence: Evidence, case: Case) -> Findings:
    """Tell the type of which there are more maps."""
    words = ("maps", "map", "more", "there", "are", "type")
    yield from answered(evidence, Choice(case["more"], ("raster", "vector"), words=words), "type")


def count_features(evidence: Evidence, case: Case) -> Findings:
    """Tell how many features there are."""
    words = tuple(case["called"].split())
    yield from answered(evidence, Number(case["number"], words=words), "number")


def set_opacity(evidence: Evidence, case: Case) -> Findings:
    """Have the layer drawn with the opacity, two percent more or less."""
    layer = layer_of(evidence, case["layer"])
    percent = 100 * layer["opacity"] if layer else 100.0
    yield Milestone(
        "opacity", abs(percent - case["percent"]) < 2.001, 1.0, f"{case['percent']} %", f"{percent:g} %"
    )
    yield from unasked(evidence, _field(case["layer"], "opacity"))


def rename_layer(evidence: Evidence, case: Case) -> Findings:
    """Have the layer called by its new title, and the map by its old name."""
    layer = layer_of(evidence, case["layer"])
    label = layer["label"] if layer else None
    yield Milestone("label", label == case["label"], 1.0, case["label"], str(label))
    yield from unasked(evidence, _field(case["layer"], "label"))


def _options(evidence: Evidence, case: Case, **wanted: str) -> Findings:
    """Judge how the one layer is drawn: as wanted, and otherwise as before, if it was there before."""
    found = drawn(layer_of(evidence, case["layer"]))
    for name, value in wanted.items():
        seen = found.get(name, "")
        yield Milestone(name, seen.casefold() == value.casefold(), 1 / len(wanted), value, seen or "not set")
    known = case["layer"] in evidence.before.collections["layers"]
    fields = frozenset(wanted) if known else frozenset({"*"})
    yield from unasked(evidence, Asked(layers={case["layer"]: fields}))


def label_features(evidence: Evidence, case: Case) -> Findings:
    """Have the column written on the map."""
    yield from _options(evidence, case, attribute_column=case["column"])


def label_alignment(evidence: Evidence, case: Case) -> Findings:
    """Have the column written on the map, aligned as wanted."""
    yield from _options(evidence, case, attribute_column=case["column"], xref=case["side"])


def fill_color(evidence: Evidence, case: Case) -> Findings:
    """Have the areas filled in the colour."""
    yield from _options(evidence, case, fill_color=_rgb(case))


def road_color(evidence: Evidence, case: Case) -> Findings:
    """Have the roads drawn in the colour."""
    yield from _options(evidence, case, color=_rgb(case))


def _rgb(case: Case) -> str:
    return ":".join(str(part) for part in case["rgb"])


def line_width(evidence: Evidence, case: Case) -> Findings:
    """Have the lines as wide as wanted."""
    yield from _options(evidence, case, width=str(case["width"]))


def point_symbol(evidence: Evidence, case: Case) -> Findings:
    """Have the points shown by the symbol."""
    yield from _options(evidence, case, icon=f"basic/{case['symbol']}")


def symbol_size(evidence: Evidence, case: Case) -> Findings:
    """Have the points shown in the size."""
    size = drawn(layer_of(evidence, case["layer"])).get("size", "")
    yield Milestone("size", _number(size) == case["size"], 1.0, str(case["size"]), size or "not set")
    yield from unasked(evidence, _layers(case["layer"]))


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else None


def filter_schools(evidence: Evidence, case: Case) -> Findings:
    """Have exactly the wanted schools drawn, however the condition is written."""
    options = drawn(layer_of(evidence, case["layer"]))
    cats = chosen(options, evidence.after.rows(f"{PIEMONTE}/schools")) if options else None
    seen = "no layer, or its condition fails" if cats is None else f"{len(cats)} schools"
    right = cats is not None and cats == set(case["cats"])
    yield Milestone(
        "schools", right, 1.0, f"the {len(case['cats'])} schools with wheelchair {case['access']!r}", seen
    )
    yield from unasked(evidence, _layers(case["layer"]))


def show_metadata(evidence: Evidence, case: Case) -> Findings:
    """Have the metadata of the map in the console."""
    yield from _printed(evidence, case, "v.info", "map")


def raster_statistics(evidence: Evidence, case: Case) -> Findings:
    """Have the statistics of the map in the console."""
    yield from _printed(evidence, case, "r.univar", "map")


def _printed(evidence: Evidence, case: Case, module: str, option: str) -> Findings:
    """Judge that a module was run on the map, and came to its end."""
    text = evidence.after.collections["console"]["output"]["text"]
    flags = r"(?: -[a-z]+)*"
    name = rf"(?:{option}=)?{re.escape(case['map'])}(?:@PERMANENT)?"
    run = re.search(
        rf"^{re.escape(module)}{flags} {name}{flags}\s*$(?P<rest>.*)", text, re.MULTILINE | re.DOTALL
    )
    finished = run is not None and "Command finished" in run["rest"] and "ERROR" not in run["rest"]
    seen = "nothing of the kind" if run is None else ("finished" if finished else "not finished")
    yield Milestone("printed", finished, 1.0, f"{module} of {case['layer']}", seen)
    yield from unasked(evidence)


def raster_statistics_of_vector(evidence: Evidence, case: Case) -> Findings:
    """Have it said that this cannot be done."""
    yield Milestone(
        "declared", evidence.ending == "infeasible", 1.0, "said to be infeasible", evidence.ending
    )
    yield from unasked(evidence)


def count_least_developed(evidence: Evidence, case: Case) -> Findings:
    """Tell the number of countries."""
    words = ("countries", "country", "regions", "least", "developed", "developing", "emerging", "region")
    yield from answered(evidence, Number(case["number"], words=words), "number")


def province_at_latitude(evidence: Evidence, case: Case) -> Findings:
    """Tell the province's name in its own script."""
    yield from answered(evidence, Text(case["name"], words=("province", "the", "is")), "name")


def largest_city(evidence: Evidence, case: Case) -> Findings:
    """Tell the city's name."""
    words = ("city", "largest", "the", "is", *case["country"].split())
    yield from answered(evidence, Entity(case["name"], words=words), "name")


def fire_station_in_street(evidence: Evidence, case: Case) -> Findings:
    """Tell the station's name."""
    yield from answered(evidence, Text(case["name"], words=("fire", "station", "the", "is")), "name")


def hospitals_in_city(evidence: Evidence, case: Case) -> Findings:
    """Tell the number of hospitals."""
    words = ("hospitals", "hospital", *case["city"].split())
    yield from answered(evidence, Number(case["number"], words=words), "number")


def province_of_municipality(evidence: Evidence, case: Case) -> Findings:
    """Tell the province's name."""
    words = ("province", "the", "is", "of", *case["municipality"].split())
    yield from answered(evidence, Entity(case["province"], words=words), "province")


def feature_code(evidence: Evidence, case: Case) -> Findings:
    """Tell the code."""
    yield from answered(evidence, Text(case["code"], words=("feature", "code", "the", "is")), "code")


_FAMILIES = {
    "integer": r"int(eger)?",
    "double precision": r"(double( precision)?|real|float)",
    "varchar": r"(varchar|character varying|char(acter)?)( ?\(\d+\))?|text",
}


def add_column(evidence: Evidence, case: Case) -> Findings:
    """Have the column, of its type and empty."""
    table = f"{location(evidence.before)}/{case['map']}"
    key = f"{table}.{case['column']}"
    column = evidence.after.collections["columns"].get(key)
    kind = column["type"] if column else "no such column"
    typed = bool(re.fullmatch(_FAMILIES[case["type"]], kind))
    yield Milestone("named", column is not None, 0.5, case["column"], kind)
    yield Milestone("typed", typed, 0.5, case["type"], kind)
    yield from unasked(evidence, Asked(columns=frozenset({key})))


def drop_column(evidence: Evidence, case: Case) -> Findings:
    """Have the table without the column."""
    table = f"{location(evidence.before)}/{case['map']}"
    key = f"{table}.{case['column']}"
    there = key in evidence.after.collections["columns"]
    whole = any(name.startswith(f"{table}.") for name in evidence.after.collections["columns"])
    yield Milestone(
        "dropped", not there and whole, 1.0, f"no column {case['column']}", "there" if there else "gone"
    )
    cells = frozenset({(table, "*", case["column"])})
    yield from unasked(evidence, Asked(columns=frozenset({key}), cells=cells))


def fix_start_date(evidence: Evidence, case: Case) -> Findings:
    """Have the year alone in the record."""
    table = f"{PIEMONTE}/points_of_interest"
    row = evidence.after.collections.get(table, {}).get(str(case["cat"]), {})
    found = str(row.get("start_date"))
    yield Milestone("year", found == case["year"], 1.0, case["year"], found)
    cells = frozenset({(table, str(case["cat"]), "start_date")})
    yield from unasked(evidence, Asked(cells=cells, looking=True))


def delete_point(evidence: Evidence, case: Case) -> Findings:
    """Have the map saved without the point in the sea, with the other one where it was."""
    left = set(evidence.after.collections["points"])
    editing = _display(evidence).get("editing")
    gone = str(case["cat"]) not in left and editing is None
    seen = f"points {', '.join(sorted(left))}" + (", still being edited" if editing else "")
    yield Milestone("deleted", gone, 1.0, f"no point {case['cat']}", seen)
    table = f"{location(evidence.before)}/countries"
    cells = frozenset({(table, str(case["cat"]), "*")})
    yield from unasked(evidence, Asked(cells=cells, maps=frozenset({table})))
    other = str(case["other"]["cat"])
    if evidence.after.collections["points"].get(other) != evidence.before.collections["points"].get(other):
        yield Violation(
            "record_integrity", "major", f"points.{other}", "the other point was moved or deleted"
        )
