from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drivers.guests import Guest, absent

PIEMONTE = "grassdata_piemonte_utm32n_wgs84_grass7"
EARTH = "natural_earth_dataset"
SETUP = [
    {"do": "content", "seed": 3},
    {"do": "location", "name": EARTH},
    {"do": "point", "map": "countries", "cat": 258, "x": -20.5, "y": 10.25},
    {"do": "layer", "name": "countries", "kind": "vector"},
    {"do": "view", "scale": 100, "east": -90.0, "north": 20.0},
]
pytestmark = pytest.mark.slow  # GRASS builds its locations and starts: about 6 s


@pytest.fixture(scope="module")
def grass() -> Iterator[Guest]:
    """A guest with GRASS on its screen."""
    if shutil.which("grass") is None or not Path("/usr/lib/grass82/gui").is_dir():
        pytest.skip("GRASS GIS is not installed; type: apt-get install grass-gui")
    if reason := absent():
        pytest.skip(reason)
    guest = Guest(screen="1920x1080")
    guest.begin("grass", SETUP)
    yield guest
    guest.close()


def box(guest: Guest, target: str) -> list[int] | None:
    reply = guest.client.get("/locate", params={"target": target})
    assert reply.is_success, reply.text
    found: dict[str, Any] = reply.json()
    return found["box"]


def click(guest: Guest, target: str, **how: Any) -> None:
    left, top, width, height = box(guest, target) or pytest.fail(f"no {target}")
    guest.act({"kind": "click", "x": left + width // 2, "y": top + height // 2, **how})


def test_the_setup_is_what_the_window_tells(grass):
    """Location, layer, view, tables and the moved point are as the setup wants them."""
    told = grass.collections()
    display = told["displays"]["Map Display 1"]
    assert told["session"]["grass"]["location"] == EARTH
    assert told["layers"]["countries@PERMANENT"]["options"]["map"] == "countries@PERMANENT"
    assert display["scale"] == pytest.approx(100)
    assert (display["region"]["e"] + display["region"]["w"]) / 2 == pytest.approx(-90)
    assert told["points"]["258"]["east"] == pytest.approx(-20.5)
    assert len(told["extents"]) == 32
    assert len(told[f"{PIEMONTE}/schools"]) == 110


def test_reading_the_state_changes_nothing(grass):
    """Two readings are alike, and the reset that follows finds the desktop clean."""
    assert grass.collections() == grass.collections()
    assert grass.begin("grass", SETUP)["layer"] == "clean"


def test_what_grass_paints_itself_can_be_located(grass):
    """Layers, the catalogue, map coordinates and tabs have places; what is not there has none."""
    assert box(grass, "place:layer/countries@PERMANENT")
    assert box(grass, f"place:catalog/{EARTH}/PERMANENT/countries")
    assert box(grass, "place:tab/Console")
    left, top, width, height = box(grass, "place:canvas")
    x, y, _, _ = box(grass, "place:map/-90,20")
    assert abs(x - (left + width / 2)) < 4
    assert abs(y - (top + height / 2)) < 4
    assert box(grass, "place:layer/nothing") is None


def test_what_a_person_does_is_told(grass):
    """A layer that is switched off by its box is told as not checked."""
    click(grass, "place:checkbox/countries@PERMANENT")
    assert grass.collections()["layers"]["countries@PERMANENT"]["checked"] is False
    assert grass.begin("grass", SETUP)["layer"] == "desktop"
    assert grass.collections()["layers"]["countries@PERMANENT"]["checked"] is True


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"do": "location", "name": "mars"}, "known: world_latlong_wgs84"),
        ({"do": "layer", "name": "countries", "kind": "picture"}, "known: raster, vector"),
        ({"do": "point", "map": "countries", "cat": 1, "x": 0, "y": 0}, "has no point 1"),
        ({"do": "fly"}, "is unknown here"),
    ],
    ids=["location", "kind", "point", "verb"],
)
def test_a_step_that_makes_no_sense_is_told(grass, step, why):
    """The sentence says what is allowed."""
    reply = grass.client.post("/session", json={"application": "grass", "setup": [step]})
    assert reply.is_error
    assert why in reply.json()["error"]
