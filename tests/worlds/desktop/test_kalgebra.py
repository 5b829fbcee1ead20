"""KAlgebra itself: how it is prepared, and what is told of its variables, plots, surface, console and settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drivers.guests import Guest, absent

PROGRAM = Path("/usr/bin/kalgebra")
EDITOR = 'frame[name="Functions"] >> text'

pytestmark = [
    pytest.mark.skipif(absent() is not None, reason=absent() or ""),
    pytest.mark.skipif(
        not PROGRAM.exists(), reason="KAlgebra is not installed; type: scripts/install-scienceboard"
    ),
]


@pytest.fixture(scope="module")
def guest() -> Iterator[Guest]:
    """A guest whose sessions are KAlgebra's."""
    guest = Guest(screen="1920x1080")
    yield guest
    guest.close()


def place(guest: Guest, target: str) -> tuple[int, int, int, int]:
    """Return where a selector's node is."""
    reply = guest.client.get("/locate", params={"target": target}).json()
    assert reply.get("box"), f"{target}: {reply}"
    x, y, width, height = reply["box"]
    return x, y, width, height


def click(guest: Guest, target: str, count: int = 1) -> None:
    """Click what a selector names."""
    x, y, width, height = place(guest, target)
    guest.act({"kind": "click", "x": x + width // 2, "y": y + height // 2, "count": count})


def enter(guest: Guest, target: str, text: str) -> None:
    """Replace what a field holds, and press Return."""
    click(guest, target)
    guest.act({"kind": "key", "keys": ["ctrl", "a"]}, {"kind": "type", "text": f"{text}\n"})


def told(guest: Guest, collection: str) -> dict[str, Any]:
    """Return one collection of the state."""
    found: dict[str, Any] = guest.collections()[collection]
    return found


@pytest.mark.slow
def test_a_quiet_start(guest: Guest) -> None:
    """The calculator is in front, the constants are there, and looking changes nothing."""
    guest.begin("kalgebra", [])
    state = guest.collections()
    assert state["view"]["window"] == {
        "tab": "Calculator",
        "resolution": "Normal",
        "style": "Solid",
        "grid": True,
        "aspect": True,
    }
    assert state["variables"]["pi"] == {"value": "3.141592653589793"}
    assert (state["functions2d"], state["plot3d"], state["console"], state["files"]) == ({}, {}, {}, {})
    assert [node["name"] for node in guest.nodes() if node["depth"] == 1] == [""]
    assert guest.collections() == state
    assert guest.begin("kalgebra", [])["layer"] == "clean"


@pytest.mark.slow
def test_setup(guest: Guest) -> None:
    """What a setup says stands in the running program, with all of its digits, and the last tab is in front."""
    steps = [
        {"do": "define", "text": "speed:=7/3"},
        {"do": "plot2d", "expression": "q->6*sin(3*q)"},
        {"do": "plot3d", "expression": "x^2+y^2"},
        {"do": "choose", "item": "Lines"},
        {"do": "choose", "item": "Grid"},
        {"do": "tab", "name": "2D Graph"},
    ]
    guest.begin("kalgebra", steps)
    state = guest.collections()
    assert state["variables"]["speed"] == {"value": "2.3333333333333335"}
    assert state["functions2d"]["f0"]["expression"] == "q->6*sin(3*q)"
    assert state["plot3d"] == {"surface": {"expression": "x^2+y^2"}}
    view = state["view"]["window"]
    assert (view["tab"], view["style"], view["grid"]) == ("2D Graph", "Lines", False)
    assert state["console"]["000"] == {"input": "speed:=7/3", "output": "2.33333333333"}


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ({"do": "tab", "name": "4D Graph"}, "tab: name is '4D Graph'; known: Calculator, 2D Graph"),
        ({"do": "choose", "item": "Ugly"}, "choose: item is 'Ugly'; known: Poor, Normal"),
        ({"do": "plot4d", "expression": "x"}, "'plot4d' is unknown here; known: choose, define"),
        ({"do": "plot2d", "expression": 3}, "plot2d: expression is 3, which is of a wrong type"),
    ],
)
def test_setup_that_is_not_understood(guest: Guest, step: dict[str, Any], sentence: str) -> None:
    """A step that is not understood is one sentence that says what is."""
    reply = guest.client.post("/session", json={"application": "kalgebra", "setup": [step]})
    assert reply.is_client_error
    assert sentence in reply.json()["error"]


@pytest.mark.slow
def test_colours(guest: Guest) -> None:
    """A colour that a person chose is told, also where the line is selected, and remembered behind other tabs."""
    guest.begin("kalgebra", [{"do": "plot2d", "expression": "x->x^2-3"}])
    click(guest, 'table-cell[name="x->x^2-3"]', count=2)
    click(guest, 'frame[name="Functions"] >> combo-box')
    click(guest, 'frame[name="Functions"] >> combo-box >> list-item:nth(13)')
    click(guest, 'frame[name="Functions"] >> push-button[name="OK"]')
    assert _far(told(guest, "functions2d")["f0"]["colour"], (255, 0, 0)) <= 3
    click(guest, 'page-tab[name="Calculator"]')
    assert _far(told(guest, "functions2d")["f0"]["colour"], (255, 0, 0)) <= 3


def _far(colour: str, wanted: tuple[int, int, int]) -> int:
    return max(abs(int(colour[n : n + 2], 16) - value) for n, value in zip((1, 3, 5), wanted, strict=True))


@pytest.mark.slow
def test_a_surface_counts_when_it_was_drawn(guest: Guest) -> None:
    """What is only typed is no surface, nor is it one when the old surface is turned or gets another style."""
    guest.begin("kalgebra", [{"do": "tab", "name": "3D Graph"}])
    click(guest, "text")
    guest.act({"kind": "type", "text": "x^2+y^2"})
    assert told(guest, "plot3d") == {}
    guest.act({"kind": "key", "keys": ["enter"]})
    assert told(guest, "plot3d") == {"surface": {"expression": "x^2+y^2"}}
    click(guest, "text")
    guest.act({"kind": "key", "keys": ["ctrl", "a"]}, {"kind": "type", "text": "x*y"})
    x, y, width, _ = place(guest, "text")
    middle = (x + width // 2, y - 300)
    guest.act({"kind": "drag", "path": [list(middle), [middle[0] + 120, middle[1]]]})
    assert told(guest, "plot3d") == {"surface": {"expression": "x^2+y^2"}}
    click(guest, 'menu-item[name="3D Graph"]')
    click(guest, 'menu-item[name="3D Graph"] >> menu-item[name="Dots"]')
    assert told(guest, "plot3d") == {"surface": {"expression": "x^2+y^2"}}
    enter(guest, "text", "x*y")
    assert told(guest, "plot3d") == {"surface": {"expression": "x*y"}}


@pytest.mark.slow
def test_an_equation_replaces_a_surface(guest: Guest) -> None:
    """The surface of an equation is noticed, although it is drawn with dark specks."""
    guest.begin("kalgebra", [{"do": "plot3d", "expression": "(x,y)->sin(x)+3*cos(y)"}])
    enter(guest, "text", "z=(12*sin(x)-e^(cos(y)))/3")
    assert told(guest, "plot3d") == {"surface": {"expression": "z=(12*sin(x)-e^(cos(y)))/3"}}


@pytest.mark.slow
def test_a_variable_is_removed(guest: Guest) -> None:
    """A variable that was removed is gone, the others are told, and the program survives being looked at."""
    guest.begin("kalgebra", [{"do": "define", "text": "mass:=7"}, {"do": "define", "text": "speed:=123"}])
    before = told(guest, "variables")
    click(guest, 'frame[name="Variables"] >> table-cell[name="123"]:nth(0)')
    click(guest, 'push-button[name="Remove Variable"]')
    for _ in range(3):
        after = told(guest, "variables")
        assert set(before) - set(after) <= {"speed", "ans"}
        assert len(before) - len(after) == 1
        cells = [node["name"] for node in guest.nodes() if node["role"] == "table-cell"]
        assert len(cells) == 2 * len(after)


@pytest.mark.slow
def test_a_closed_window(guest: Guest) -> None:
    """That somebody closed it is a state like others."""
    guest.begin("kalgebra", [])
    guest.act({"kind": "key", "keys": ["ctrl", "q"]})
    assert told(guest, "variables") == {}
