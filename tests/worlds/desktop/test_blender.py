"""What is read of a file that Blender saved, and which points of the screen are named."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from guest.applications.blender import APPLICATION
from guest.desktop import Desktop
from guest.keyboard import Keyboard

SCRIPTS = Path(__file__).parents[3] / "environments" / "desktop" / "guest" / "blender"
PREPARE = """
cube = bpy.data.objects["Cube"]
cube.rotation_euler.x = 0.5235988
cube["weight"] = 2.5
array = cube.modifiers.new("Row", "ARRAY")
array.count = 4
cube.driver_add("location", 2).driver.expression = "frame / 10"
bpy.data.objects["Light"].hide_set(True)
bpy.context.view_layer.layer_collection.children[0].exclude = False
"""


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The state of a file that a setup's script made of the factory's."""
    if shutil.which("blender") is None:
        pytest.skip("Blender is not installed")
    folder = tmp_path_factory.mktemp("blender")
    (folder / "prepare.py").write_text(PREPARE)

    def blender(*arguments: str) -> str:
        command = ["blender", "--background", "--factory-startup", *arguments]
        environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
        return subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout

    file = str(folder / "file.blend")
    blender("-P", str(SCRIPTS / "build.py"), "--", str(folder / "prepare.py"), file)
    told = blender(file, "-P", str(SCRIPTS / "dump.py"), "--", "file")
    line = next(line for line in told.splitlines() if line.startswith("state: "))
    return cast(dict[str, Any], json.loads(line.removeprefix("state: ")))


def test_objects(state: dict[str, Any]) -> None:
    """Angles are in degrees, properties of the user stand in brackets, and what is on an object is named."""
    cube = state["objects"]["Cube"]
    assert cube["rotation_euler"] == [30.0, 0.0, 0.0]
    assert (cube["[weight]"], cube["modifiers"], cube["materials"]) == (2.5, "Row", "Material")
    assert state["hidden"] == {"ViewLayer": {"hidden": "Light"}}


def test_defaults(state: dict[str, Any]) -> None:
    """A new modifier has its type, and what was set."""
    assert state["modifiers"] == {"Cube/Row": {"type": "ARRAY", "count": 4}}
    assert state["collections"]["ViewLayer/Collection"] == {}


def test_drivers(state: dict[str, Any]) -> None:
    """A driver is named by what it computes."""
    assert state["drivers"] == {"Cube/location/2": {"type": "SCRIPTED", "expression": "frame / 10"}}


def test_places() -> None:
    """A point is a pixel of the screen; other names are of nothing."""

    async def place(name: str) -> object:
        return await APPLICATION.place(cast(Desktop, None), name)

    assert asyncio.run(place("1399,156")) == (1399, 156, 1, 1)
    assert asyncio.run(place("viewport")) is None


def test_strokes_of_one_key_are_apart() -> None:
    """Blender takes a stroke right after another one of the same key for its repetition, and drops it."""
    sent: list[tuple[int, ...]] = []
    keyboard = Keyboard.__new__(Keyboard)
    keyboard._released = 0
    keyboard._display = cast(
        Any, SimpleNamespace(xtest=SimpleNamespace(FakeInput=lambda *one: sent.append(one)))
    )
    for code in (13, 13, 14):
        keyboard._send(2, code)
        keyboard._send(3, code)
    assert [after for _, _, after, *_ in sent] == [0, 0, 5, 0, 0, 0]
