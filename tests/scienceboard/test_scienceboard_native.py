"""Our own guest in the place of an upstream machine: setups in its words, its states as upstream's replies."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cuabench_suite_scienceboard.upstream import native
from cuabench_suite_scienceboard.upstream.evaluators import findings
from cuabench_suite_scienceboard.upstream.probes import kept, probes
from cuabench_suite_scienceboard.upstream.records import Record, read_records

from pytest_cuabench.task import library
from pytest_cuabench.task.evidence import Evidence, State
from scienceboard.small_records import small

READS = library.SUITES / "scienceboard" / "kalgebra" / "shapes.py"


def judged(record: Record, told: dict[str, Any]) -> list[bool]:
    """Return what the items of a record are found to be in a state of our guest."""
    replies = native.replies(record, probes(record), told)
    return [f.reached for f in findings(record, Evidence(State({}), State(kept(replies)), None, "success"))]


@pytest.fixture
def reading() -> None:
    """What reads KAlgebra's expressions."""
    if not READS.is_file():
        pytest.skip("the suite scienceboard has no KAlgebra here: run from a whole checkout")


KALGEBRA = small(
    initialize=[
        {"func": "touch", "path": "/home/user/script.kal", "text": "r := a->q->a*q"},
        {"func": "launch", "wait": 2.5, "command": "LD=/x /app/bin/kalgebra «PORTLIKE»", "shell": True},
        {"func": "tab", "index": 2},
        {"func": "func_2d", "expr": "x->e^x-1"},
        {"func": "func_3d", "expr": "x^2-y^2=2"},
    ]
)


def test_kalgebra_is_set_up_in_our_words() -> None:
    """Files below HOME, tabs by their names, plots; the program itself is the session's."""
    assert native.application(KALGEBRA) == "kalgebra"
    assert native.setup(KALGEBRA) == [
        {"do": "write", "path": "script.kal", "text": "r := a->q->a*q"},
        {"do": "tab", "name": "3D Graph"},
        {"do": "plot2d", "expression": "x->e^x-1"},
        {"do": "plot3d", "expression": "x^2-y^2=2"},
    ]


@pytest.mark.parametrize(
    ("expression", "on", "off"),
    [
        ("x->e^x-1", [(0.42, 0.5219615556186337), (16.64, 16852337.69353376)], [(1.9, -8), (0.42, 0.5221)]),
        ("e^x-1", [(1, 1.718281828459045)], [(1, 1.72)]),
        ("y->y^2", [(4, 2), (4, -2)], [(2, 4)]),
        ("x^2+y^2=8", [(2, 2), (-2, 2)], [(2, 2.001), (0, 0)]),
        ("q->(r(2))(q)", [(-4.02, -8.04), (30, 60)], [(4, 7)]),
        ("t->vector{cos(t), sin(t)}", [], [(1, 0)]),
        ("x->ln(x)", [(1, 0)], [(-1, 0), (0, 0)]),
        ("x->", [], [(0, 0)]),
    ],
)
def test_points_of_a_curve(expression: str, on: list[Any], off: list[Any], reading: None) -> None:
    """To 1e-4 in single precision; explicit both ways, implicit, polar by angle and radius, with own variables."""
    told = {
        "functions2d": {"f0": {"expression": expression, "shown": True, "colour": "#000000"}},
        "variables": {"r": {"value": "a->q->a*q"}},
        "view": {"window": {"resolution": "Very Fine"}},
    }
    for points, holds in ((on, True), (off, False)):
        for point in points:
            value = {f"({point[0]}, {point[1]})": True, "color": "#000000", "res": 3328}
            record = small(evaluate=[{"type": "eqn", "key": [list(point)], "value": value}])
            assert judged(record, told) == [holds], point


@pytest.mark.parametrize(
    ("expression", "on", "off"),
    [
        ("x^2+y^2-z^2=1", [(-0.61, -11.57, 11.54283327437419)], [(-0.37, -8.33, 14)]),
        ("x^2-y^2=2", [(16, -3, 245), (3, -5, -18)], [(10, -22.88, 0)]),
        (
            "(x, y)->sin(x^2)+sin(y^2)-e^(sin(x)+sin(y))",
            [(-3.16, 8, -2.3513266831818216)],
            [(1.12, -3.17, -25)],
        ),
    ],
)
def test_points_of_a_surface(expression: str, on: list[Any], off: list[Any], reading: None) -> None:
    """An equation without z is a surface over the plane, as KAlgebra has it."""
    told = {"plot3d": {"surface": {"expression": expression}}, "view": {"window": {"style": "Lines"}}}
    for points, holds in ((on, True), (off, False)):
        for point in points:
            value = {f"({', '.join(map(str, point))})": True, "style": 2}
            assert judged(small(evaluate=[{"type": "eqn", "key": [list(point)], "value": value}]), told) == [
                holds
            ]


def test_kalgebras_variables_are_printed_as_the_console_has_them() -> None:
    """The list shows the real part of a complex number only."""
    told = {
        "variables": {"p": {"value": "1"}, "q": {"value": "2.5"}},
        "console": {
            "000": {"input": "p:=conjugate(1+i)", "output": "1+-i"},
            "001": {"input": "2+3", "output": "5"},
        },
    }
    items = [
        {"type": "var", "key": "p", "value": "1+-i"},
        {"type": "val", "key": "q", "value": 2.5},
        {"type": "var", "key": "euler", "value": "#UNDEF"},
        {"type": "eqn", "key": "#SIZE", "value": 0},
    ]
    assert judged(small(evaluate=items), told) == [True, True, True, True]


TEX = small(
    type="TeXstudio",
    initialize=[
        {"func": "touch", "path": "/home/user/atelier/main.tex", "text": "\\cite{}"},
        {"func": "launch", "wait": 2.5, "command": "texstudio /home/user/atelier/main.tex", "shell": True},
        {"func": "launch", "wait": 2.5, "command": "LD=/x /app/bin/kalgebra «PORTLIKE»", "shell": True},
    ],
    evaluate=[
        {"type": "file", "path": "/home/user/atelier/main.tex", "source": "{}", "target": "{a}"},
        {"type": "include", "path": "/home/user/atelier/refs.bib", "pattern": "x"},
        {"type": "compile", "path": "/home/user/atelier", "file": "main"},
    ],
)


def test_texstudio_is_set_up_and_read() -> None:
    """Files, the editor with those it opens, KAlgebra beside it; texts and builds."""
    assert native.setup(TEX) == [
        {"do": "write", "path": "atelier/main.tex", "text": "\\cite{}"},
        {"do": "open", "path": "atelier/main.tex"},
        {"do": "start", "application": "kalgebra", "setup": []},
    ]
    files = {"atelier/main.tex": {"text": "\\cite{a}"}}
    assert judged(TEX, {"files": files, "builds": {"atelier/main.tex": {"ok": True}}}) == [True, False, True]
    assert judged(TEX, {"files": {}, "builds": {"atelier/main.tex": {"ok": False}}}) == [False, False, False]
    assert judged(TEX, {}) == [False, False, False]


GRASS = small(
    type="GrassGIS",
    initialize=[
        {"func": "execute", "command": "rm -rf /home/user/grassdata/*/*/.gislock", "shell": True},
        {"func": "launch", "wait": 5, "command": 'bash -ic "FLASK_PORT=8000 grass --gui /x"', "shell": True},
        {
            "func": "map",
            "grassdb": "/home/user/grassdata",
            "location": "natural_earth_dataset",
            "mapset": "PERMANENT",
        },
        {"func": "layer", "wait": 5, "query": {"name": "countries"}},
        {"func": "scale", "scale": 25},
    ],
    evaluate=[
        {
            "type": "info",
            "key": "lambda dump: [p for p in dump['windows'][0]['_data'][1]['params'] if p['name'] == 'fill_color']",
            "value": "191:191:191:255",
            "pred": "lambda key, value: key[0]['value'] == value",
        },
        {"type": "info", "key": "lambda dump: dump['statusbar']['mode']", "value": 3},
        {
            "type": "info",
            "key": "lambda dump: dump['toolbars']['layer']['name']",
            "value": "countries@PERMANENT",
        },
        {
            "type": "db",
            "cmd": "v.db.select",
            "kwargs": {"map": "countries@PERMANENT", "format": "json"},
            "key": "lambda out: out['info']['columns']",
            "value": {"name": "COLOR", "sql_type": "CHARACTER"},
            "pred": "lambda key, value: any([c['name'] == 'COLOR' and c['sql_type'] == 'CHARACTER' for c in key])",
        },
    ],
)


def test_grass_is_set_up_and_read() -> None:
    """Location, layer, scale; the window as upstream dumps it, columns with upstream's names of types."""
    assert native.setup(GRASS) == [
        {"do": "location", "name": "natural_earth_dataset"},
        {"do": "layer", "name": "countries", "kind": "vector"},
        {"do": "scale", "value": 25.0},
    ]
    column = {
        "location": "natural_earth_dataset",
        "map": "countries",
        "name": "COLOR",
        "type": "varchar(20)",
        "place": 4,
    }
    told = {
        "session": {"grass": {"location": "natural_earth_dataset"}},
        "layers": {
            "a": {
                "name": "countries@PERMANENT",
                "label": "countries",
                "opacity": 1.0,
                "options": {"fill_color": "191:191:191", "map": "countries@PERMANENT"},
            }
        },
        "displays": {"Map Display 1": {"current": True, "status_mode": 3, "editing": "countries@PERMANENT"}},
        "columns": {"x": column},
    }
    assert judged(GRASS, told) == [True, True, True, True]
    assert judged(GRASS, {"session": {"grass": {"location": "elsewhere"}}}) == [False, False, False, False]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"type": "Celestia", "initialize": [], "evaluate": [{"type": "stop", "value": "FAIL"}]},
            "Celestia runs on",
        ),
        (
            {"initialize": [{"func": "touch", "path": "/etc/passwd", "text": ""}]},
            "the record writes to /etc/passwd",
        ),
        ({"initialize": [{"func": "touch", "path": "/home/user/../x", "text": ""}]}, "the record writes to"),
        (
            {"initialize": [{"func": "execute", "command": "id"}]},
            "our guest has no KAlgebra that could execute",
        ),
        (
            {
                "type": "TeXstudio",
                "initialize": [{"func": "chimerax_clear_log"}],
                "evaluate": [{"type": "stop", "value": "DONE"}],
            },
            "the record starts a program beside TeXstudio",
        ),
        (
            {
                "type": "TeXstudio",
                "initialize": [{"func": "touch", "path": "/home/user/a.tex", "text": "figs/a"}],
                "evaluate": [{"type": "stop", "value": "DONE"}],
            },
            "the figures of the record's document",
        ),
        (
            {
                "type": "GrassGIS",
                "initialize": [],
                "evaluate": [{"type": "stop", "value": "ANS", "args": ["8"]}],
            },
            "the answer of this record is a fact",
        ),
    ],
)
def test_what_our_guest_cannot_stand_for_is_said(changes: dict[str, Any], sentence: str) -> None:
    """In a sentence, with which the task is skipped; nothing is tried."""
    assert str(native.lacking(small(**changes))).startswith(sentence)


def test_how_many_published_records_our_guest_can_stand_for(published: Path) -> None:
    """All of KAlgebra; of TeXstudio and GRASS those that need nothing that only upstream's machine has."""
    machines = [record for record in read_records(published) if record.kind == "vm"]
    can = Counter(record.type for record in machines if native.lacking(record) is None)
    every = Counter(record.type for record in machines)
    assert can["KAlgebra"] == every["KAlgebra"]
    assert 0 < can["TeXstudio"] < every["TeXstudio"]
    assert 0 < can["GrassGIS"] < every["GrassGIS"]
    assert set(can) == {"KAlgebra", "TeXstudio", "GrassGIS"}


@pytest.mark.parametrize(
    "name", ["A-02", "A-03", "B-04", "B-05", "B-07", "C-08", "C-10", "C-13", "C-16", "C-17"]
)
def test_published_points_hold_for_the_published_answer(name: str, published: Path, reading: None) -> None:
    """The gold's own formula, read by us, fulfils every point of the record."""
    (record,) = read_records(published / "VM" / "KAlgebra" / f"{name}.json")
    answer = record.ans if record.ans and record.ans != "N/A" else str(record.data["initialize"][-1]["expr"])
    plots = {
        f"f{n}": {"expression": one.strip(), "colour": "#000000"} for n, one in enumerate(answer.split(";"))
    }
    told = {
        "functions2d": plots,
        "plot3d": {"surface": {"expression": answer}},
        "view": {"window": {"resolution": "Very Fine", "style": "Lines"}},
    }
    assert all(judged(record, told))
