"""Further writes beside ScienceBoard's tasks: each kind that KAlgebra, TeXstudio and GRASS offer, after the reference.

The states are those that the references leave, made by hand (`kalgebra_world`, `texstudio_world`, `grass_world`), so
that no desktop is needed. A write changes one thing of them; what the application's own state does not tell (the part
of the plane that KAlgebra shows, TeXstudio's settings) cannot be written here.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from shipped import shipped

from pytest_cuabench.proof.collateral.branching import OTHER, SAME, Extra, Harmless
from pytest_cuabench.proof.collateral.report import Tried
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State, difference
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Verdict
from suites import grass_world, kalgebra_world, texstudio_world

Rows = dict[str, dict[str, dict[str, Any]]]
Change = Callable[[Rows], object]

_HERE = ("kalgebra", "texstudio", "grass")  # worlds of these are made in Python for tests
TASKS = [task for task in shipped("scienceboard").tasks if task.application in _HERE]
HARMLESS = (
    Harmless("*", "console, *", "what was calculated or printed on the way is nobody's loss"),
    Harmless("*", "variable defined", "people calculate in steps"),
    Harmless("*", "function defined", "people calculate in steps"),
    Harmless("*", "last result changed", "it holds whatever was calculated last"),
    Harmless("*", "view, tab", "which tab is in front is how the work is looked at"),
    Harmless("kalgebra/*", "own curve recoloured", "the task leaves the colour of a new curve open"),
    Harmless("texstudio/*", "compiled", "what compiling leaves beside the document is no harm"),
    Harmless("texstudio/*", "editor, *", "which file is in front is how the work is looked at"),
    Harmless("texstudio/*", "blanks at the end", "they mean nothing to LaTeX and BibTeX"),
    Harmless("texstudio/*", "blanks at the beginning", "they mean nothing to LaTeX and BibTeX"),
    Harmless("texstudio/*", "empty line at the end", "it means nothing to LaTeX and BibTeX"),
    Harmless("texstudio/*", "end of the last line", "it means nothing to LaTeX and BibTeX"),
    Harmless("texstudio/add_reference", "references, empty line*", "it means nothing to BibTeX"),
    Harmless("texstudio/add_package", "preamble, empty line*", "it means nothing before the document begins"),
    Harmless(
        "texstudio/add_package", "own line, exchanged", "the package may be loaded anywhere in the preamble"
    ),
    Harmless(
        "texstudio/add_package", "own line, rest commented", "a remark behind the package means nothing"
    ),
    Harmless("grass/*", "display, region", "where the map is moved to is how it is looked at"),
    Harmless("grass/*", "display, scale", "how close the map is looked at"),
    *(
        Harmless(f"grass/{task}", "display, status", "the status bar is where a scale or a place is typed")
        for task in ("set_scale", "pan_to_country")
    ),
    *(
        Harmless(f"grass/{task}", kind, "further maps may be shown to find what is asked for")
        for task in (*grass_world.ANSWERS, "fix_start_date")
        for kind in ("layer added", "layer shown twice", "display, status")
        if kind != "layer shown twice" or task in ("count_features", "fix_start_date")  # others begin without
    ),
    Harmless("grass/*", "selection", "which layer is marked is how the list is looked at"),
    Harmless("grass/*", "window opened", "an open dialog changes nothing by itself"),
    Harmless("grass/*", "own files", "GRASS keeps them for itself: its history and what it indexes"),
)


@dataclass(frozen=True, slots=True)
class Reached:
    """The state that a task's reference leaves, and how the episode ended."""

    task: Task
    seed: int
    case: Case
    before: State
    after: Rows
    answer: str | None
    ending: str

    def judged(self, change: Change = lambda rows: None) -> tuple[Verdict, tuple[str, ...]]:
        """Return the verdict after a change, and what it wrote."""
        rows = {name: dict(held) for name, held in self.after.items()}  # rows are replaced, never changed
        change(rows)
        wrote = tuple(f"{one.op} {one.collection}" for one in difference(State(self.after), State(rows)))
        evidence = Evidence(self.before, State(rows), self.answer, self.ending)
        return self.task.judge(evidence, self.case), wrote


def reached(task: Task, seed: int = 0) -> Reached:
    """Return the end of a task's reference."""
    match task.application:
        case "kalgebra":
            desk = kalgebra_world.done(task.id, seed)
            answer = desk.case.values.get("answer")
            before, rows, case = desk.before, desk.rows, desk.case
        case "texstudio":
            project = texstudio_world.Project(task.id, seed)
            answer = next(texstudio_world.answers(project)) if "value" in project.case.values else None
            before, case = project.before, project.case
            rows = copy.deepcopy(dict(project.state(project.done()).collections))
        case _:
            one = grass_world.done(task.id, seed)
            key = grass_world.ANSWERS.get(task.id)
            answer = str(one.case[key]) if key else None
            before, rows, case = one.before, one.now, one.case
    ending = "answer" if answer is not None else "infeasible" if case.infeasible else "success"
    return Reached(task, seed, case, before, rows, answer, ending)


def further_writes(task: Task, seed: int = 0, sample: int | None = None) -> list[Extra]:
    """Return the further writes after a task's reference, judged: all, or some of them drawn by the task's name."""
    end = reached(task, seed)
    if not end.judged()[0].success:
        raise LookupError(f"{task.name}: the state that was made by hand is no success")
    offered = list(_OFFERED[task.application](end))
    if sample is not None:
        offered = Random(task.name).sample(offered, min(sample, len(offered)))
    judged = ((kind, where, *end.judged(change)) for kind, where, change in offered)
    return [
        Extra(task.name, seed, kind, where, wrote, verdict) for kind, where, verdict, wrote in judged if wrote
    ]


def tried() -> list[Tried]:
    """Return every further write of every task."""
    return [Tried(task, further_writes(task), set()) for task in TASKS]


Offers = Iterator[tuple[str, str, Change]]


def _asked(end: Reached) -> set[tuple[str, str]]:
    """Return the rows that the reference wrote."""
    return {(one.collection, one.key) for one in difference(end.before, State(end.after))}


def _put(collection: str, key: str, row: Mapping[str, Any]) -> Change:
    return lambda rows: rows.setdefault(collection, {}).update({key: dict(row)})


def _fields(collection: str, key: str, **fields: Any) -> Change:
    return lambda rows: rows[collection].update({key: {**rows[collection][key], **fields}})


def _gone(collection: str, key: str) -> Change:
    return lambda rows: rows[collection].pop(key)


# KAlgebra, also beside TeXstudio


def _kalgebra(end: Reached) -> Offers:
    yield from _variables(end)
    yield from _plots(end)
    if "surface" in end.after["plot3d"]:
        where = SAME if ("plot3d", "surface") in _asked(end) else OTHER
        yield "surface changed", where, _fields("plot3d", "surface", expression="z=7*x")
        yield "surface removed", where, _gone("plot3d", "surface")
    else:
        yield "surface drawn", OTHER, _put("plot3d", "surface", {"expression": "z=7*x"})
    others = {"tab": "Dictionary", "resolution": "Fine", "style": "Dots", "grid": False, "aspect": False}
    for name, now in end.after["view"]["window"].items():
        other = {"resolution": "Poor", "style": "Lines"}.get(name) if others[name] == now else others[name]
        where = SAME if end.before.row("view")[name] != now else OTHER
        yield f"view, {name}", where, _fields("view", "window", **{name: other})
    yield "console, line", OTHER, _put("console", "999", {"input": "7*6", "output": "42"})
    yield "console, cleared", OTHER, lambda rows: rows["console"].clear()
    if end.task.application == "kalgebra":
        yield from _files(end)


def _variables(end: Reached) -> Offers:
    yield "variable defined", OTHER, _put("variables", "helper", {"value": "12"})
    yield "function defined", OTHER, _put("variables", "helper", {"value": "x->x^2"})
    yield "last result changed", OTHER, _put("variables", "ans", {"value": "99"})
    for name in sorted(end.after["variables"]):
        where, own = (SAME, "own ") if ("variables", name) in _asked(end) else (OTHER, "")
        yield f"{own}variable redefined", where, _fields("variables", name, value="4711")
        yield f"{own}variable made a function", where, _fields("variables", name, value="x->4711*x")
        yield f"{own}variable deleted", where, _gone("variables", name)


def _plots(end: Reached) -> Offers:
    new = {"shown": True, "colour": "#00ff80"}
    yield "curve added", OTHER, _put("functions2d", "f90", {"expression": "x->x+7", **new})
    yield (
        "hidden curve added",
        OTHER,
        _put("functions2d", "f90", {"expression": "x->x+7", **new, "shown": False}),
    )
    for key, row in sorted(end.after["functions2d"].items()):
        where, own = (SAME, "own ") if ("functions2d", key) in _asked(end) else (OTHER, "")
        yield f"{own}curve added again", where, _put("functions2d", "f90", row)
        yield f"{own}curve hidden", where, _fields("functions2d", key, shown=False)
        yield f"{own}curve changed", where, _fields("functions2d", key, expression="x->x+7")
        yield (
            f"{own}curve changed and hidden",
            where,
            _fields("functions2d", key, expression="x->7", shown=False),
        )
        yield f"{own}curve recoloured", where, _fields("functions2d", key, colour="#102030")
        yield f"{own}curve removed", where, _gone("functions2d", key)


def _file(text: str) -> dict[str, Any]:
    return {"size": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest(), "text": text}


def _files(end: Reached) -> Offers:
    for path in ("notes.txt", "notes.pdf", "backup.log", "figures/extra.aux"):
        yield "file created", OTHER, _put("files", path, _file("by the way"))
    for path in sorted(end.after["files"]):
        if ("files", path) not in _asked(end):
            yield "file changed", OTHER, _put("files", path, _file("by the way"))
            yield "file deleted", OTHER, _gone("files", path)


# TeXstudio


def _texstudio(end: Reached) -> Offers:
    yield from _files(end)
    main = texstudio_world.MAIN
    for suffix in ("pdf", "log", "aux", "synctex.gz"):
        yield "compiled", OTHER, _put("files", f"paper/main.{suffix}", _file("made"))
    for path in ("paper/results.pdf", "paper/figs/extra.pdf", "paper/main2.tex", "paper/chapter.aux"):
        yield "file created", OTHER, _put("files", path, _file("by the way"))
    for path in sorted(end.after["files"]):
        if path.endswith((".tex", ".bib", ".csv", ".txt")):
            yield from _lines(end, path)
    if ("files", main) in _asked(end):
        yield "own document put back", SAME, _put("files", main, end.before.collections["files"][main])
    yield "own document deleted", SAME, _gone("files", main)
    yield "editor, another file in front", OTHER, _put("editor", main, {"front": False, "unsaved": None})
    if "variables" in end.after:
        yield from _kalgebra(end)


ADDED = {
    "comment": "% a remark",
    "text": "This was added by the way.",
    "section": r"\section{By the way}",
    "label": r"\label{sec:extra}",
    "citation": r"\cite{knuth1973}",
    "package": r"\usepackage{hyperref}",
    "entry": "@misc{extra,\n  title = {By the way}\n}",
}


def _lines(end: Reached, path: str) -> Offers:
    """Yield changes of each line of a text, and lines that are added at each place."""
    text = end.after["files"][path]["text"]
    where = SAME if ("files", path) in _asked(end) else OTHER
    lines = text.split("\n")
    stood = set(end.before.collections["files"][path]["text"].split("\n"))
    begin = text.find(r"\begin{document}")

    def made(kind: str, changed: list[str]) -> tuple[str, str, Change]:
        return kind, where, _put("files", path, _file("\n".join(changed)))

    for number, line in enumerate(lines):
        rest = lines[number + 1 :]
        place = sum(map(len, lines[:number])) + number
        own = "own line, " if {line, *rest[:1]} - stood else "line, "
        area = "references" if path.endswith(".bib") else "preamble" if place <= begin else "text"
        for kind, more in ADDED.items():
            yield made(f"{kind} added", [*lines[:number], more, *lines[number:]])
        if line:
            yield made(f"{area}, empty line", [*lines[:number], "", *lines[number:]])
            yield made("blanks at the end", [*lines[:number], f"{line}  ", *rest])
            yield made("blanks at the beginning", [*lines[:number], f"  {line}", *rest])
            yield made("hard space at the end", [*lines[:number], f"{line}\u00a0", *rest])
            yield made("page feed", [*lines[:number], f"{line}\f", *rest])
            yield made("word changed", [*lines[:number], f"{line[:-1]}x{line[-1]}", *rest])
            yield made("commented out", [*lines[:number], f"%{line}", *rest])
            yield made(f"{own}rest commented", [*lines[:number], f"{line}%", *rest])
            yield made("line written twice", [*lines[:number], line, line, *rest])
            yield made("line deleted", [*lines[:number], *rest])
            yield made("letter case changed", [*lines[:number], line.swapcase(), *rest])
            if rest and rest[0] and rest[0] != line:
                yield made(f"{own}exchanged", [*lines[:number], rest[0], line, *rest[1:]])
        else:
            yield made(
                f"{area}, empty line deleted" if rest else "end of the last line", [*lines[:number], *rest]
            )
    yield made("empty line at the end", [*lines, "", ""])


# GRASS


def _grass(end: Reached) -> Offers:
    yield from _layers(end)
    yield from _displays(end)
    for name, value in (("location", "elsewhere"), ("mapset", "mine")):
        yield f"session, {name}", OTHER, _fields("session", "grass", **{name: value})
    for collection in sorted(end.after):
        if "/" in collection:
            yield from _table(end, collection)
    yield from _columns(end)
    yield from _places(end)
    yield from _maps(end)
    yield "selection", OTHER, _put("selection", "layers", {"names": ["schools@PERMANENT"]})
    yield "window opened", OTHER, _put("windows", "Print", {"title": "Print"})
    printed = end.after["console"]["output"]["text"] + "\ng.version\n(Sat) Command finished (0 sec)"
    yield "console, line", OTHER, _fields("console", "output", text=printed)


def _layers(end: Reached) -> Offers:
    yield "layer added", OTHER, _put("layers", "roads_minor@PERMANENT", grass_world.layer("roads_minor"))
    looks = {"color": "1:2:3", "fcolor": "1:2:3", "width": "9", "icon": "basic/cross1", "size": "23"}
    looks |= {"where": "cat = 1", "cats": "1", "attribute_column": "cat", "type": "point", "flags": "z"}
    for key, row in sorted(end.after["layers"].items()):
        where, own = (SAME, "own ") if ("layers", key) in _asked(end) else (OTHER, "")
        yield f"{own}layer removed", where, _gone("layers", key)
        yield f"{own}layer shown twice", where, _put("layers", f"{key} #2", row)
        changed = {"label": "By the way", "opacity": 0.33, "checked": not row["checked"], "type": "thememap"}
        for field, value in {**changed, "command": "d.vect.chart"}.items():
            yield f"{own}layer, {field}", where, _fields("layers", key, **{field: value})
        for option, value in looks.items():
            options = {**row["options"], option: value}
            yield f"{own}layer, drawn with {option}", where, _fields("layers", key, options=options)
    names = end.after["order"]["layers"]["names"]
    if len(names) > 1:
        yield "layers reordered", OTHER, _fields("order", "layers", names=names[::-1])


def _displays(end: Reached) -> Offers:
    name = "Map Display 1"
    row = end.after["displays"][name]
    yield "display added", OTHER, _put("displays", "Map Display 2", {**row, "name": "Map Display 2"})
    yield "display closed", OTHER, _gone("displays", name)
    wider = {edge: value + 1 for edge, value in row["region"].items()}
    changed = {"region": wider, "scale": row["scale"] * 2, "toolbars": ["map", "nviz"]}
    changed |= {"status_shown": False}
    changed |= {"editing": "hospitals@PERMANENT", "three_dimensional": True, "overlays": ["d.barscale"]}
    for field, value in {**changed, "status": "Projection"}.items():
        where = SAME if end.before.row("displays")[field] != row[field] else OTHER
        yield f"display, {field}", where, _fields("displays", name, **{field: value})


def _table(end: Reached, table: str) -> Offers:
    rows = end.after[table]
    first, last = min(rows), max(rows)
    asked = {key for collection, key in _asked(end) if collection == table}
    for key in sorted({first, last, *sorted(asked & set(rows))[:2]}):
        where = SAME if key in asked else OTHER
        for field, value in rows[key].items():
            other = 4711 if isinstance(value, int | float) else "by the way"
            yield (
                f"record, {'cat' if field == 'cat' else 'value'} changed",
                where,
                _fields(table, key, **{field: other}),
            )
            if value is not None:
                yield "record, value emptied", where, _fields(table, key, **{field: None})
        yield "record deleted", where, _gone(table, key)
    for key in sorted(asked - set(rows)):
        row = end.before.collections[table][key]
        yield "record changed instead", SAME, _put(table, key, {**row, "name": "by the way"})
    yield "record added", OTHER, _put(table, "9999", {**rows[first], "cat": 9999})
    yield "table emptied", OTHER, lambda state: state[table].clear()


def _columns(end: Reached) -> Offers:
    for key, row in sorted(end.after["columns"].items()):
        where, own = (SAME, "own ") if ("columns", key) in _asked(end) else (OTHER, "")
        yield f"{own}column dropped", where, _gone("columns", key)
        yield f"{own}column retyped", where, _fields("columns", key, type="date")

        def renamed(rows: Rows, key: str = key) -> None:
            rows["columns"][f"{key}_2"] = {**rows["columns"].pop(key), "name": "other"}

        yield f"{own}column renamed", where, renamed
        yield f"{own}column added", where, _put("columns", f"{key}_2", {**row, "name": f"{row['name']}_2"})


def _places(end: Reached) -> Offers:
    for key in sorted(end.after["points"]):
        yield "point moved", OTHER, _fields("points", key, east=0.5)
        yield "point deleted", OTHER, _gone("points", key)
    yield "point added", OTHER, _put("points", "300", {"cat": 300, "east": 1.0, "north": 1.0})
    key = min(end.after["extents"])
    yield "area changed", OTHER, _fields("extents", key, north=89.0)
    yield "area deleted", OTHER, _gone("extents", key)


def _maps(end: Reached) -> Offers:
    for path in sorted(end.after["files"]):
        where = SAME if ("files", path) in _asked(end) else OTHER
        yield "map removed" if where == OTHER else "own map removed", where, _gone("files", path)
        if where == OTHER:
            yield "map changed", where, _put("files", path, {"sha256": "2", "size": 2})
    here = "grassdata/" + end.after["session"]["grass"]["location"] + "/PERMANENT"
    for kind, path in (
        ("vector map created", f"{here}/vector/copy/coor"),
        ("raster map created", f"{here}/cellhd/copy"),
        ("colours of a map", f"{here}/colr/elevation"),
        ("colours of a map", f"{here}/vector/roadsmajor/colr"),
        ("computational region", f"{here}/WIND"),
        ("default region", f"{here}/DEFAULT_WIND"),
        ("group created", f"{here}/group/mine/REF"),
        ("mapset created", here.replace("PERMANENT", "mine/WIND")),
        ("file created", "export.csv"),
        ("own files", f"{here}/VAR"),
        ("own files", f"{here}/vector/countries/topo"),
    ):
        yield kind, OTHER, _put("files", path, {"sha256": "3", "size": 3})


_OFFERED: Mapping[str, Callable[[Reached], Offers]] = {
    "kalgebra": _kalgebra,
    "texstudio": _texstudio,
    "grass": _grass,
}
