"""A small studio in a file of Blender, and templates whose steps are data (`toolkit/dialogs.py`), with its own actions.

Names differ by seed but not their first letters, so that the Outliner's rows stay where they are. They are words of the
texts: `{box}`, and so on. Blender has no accessibility nodes, and the screen is always the same, so points are named:

    { row = KEY }       click an object in the Outliner; the keys are those of `_ROWS`
    { tab = Y }         click the tab of the Properties editor that is at this height
    { at = "X,Y" }      click a point; with `value`, enter it into the field that is there
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from ..toolkit.steps import Steps

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

_ROWS = (
    "box",
    "drum",
    "globe",
    "panel",
    "sign",
    "stage",
    "aim",
    "camera",
    "lamp",
)  # in the Outliner, from the third
_STAGE = ("stage", "aim", "lamp")
_NAMES = {
    "shelf": ("Decor", "Desk", "Display"),
    "box": ("Beam", "Block", "Brick"),
    "drum": ("Dial", "Disc", "Drum"),
    "globe": ("Gem", "Globe", "Goblet"),
    "panel": ("Panel", "Plank", "Plate"),
    "sign": ("Tag", "Text", "Title"),
    "stage": ("Set", "Stage", "Studio"),
    "aim": ("Aim", "Anchor", "Axis"),
    "lamp": ("Lamp", "Lantern", "Light"),
}
_SCRIPT = """
import bpy
names = NAMES
scene = bpy.context.scene
for one in list(bpy.data.objects):
    bpy.data.objects.remove(one)
for one in list(bpy.data.collections):
    bpy.data.collections.remove(one)
bpy.ops.outliner.orphans_purge(do_recursive=True)

def collection(name):
    made = bpy.data.collections.new(name)
    scene.collection.children.link(made)
    return made

def put(name, into, add, **options):
    add(**options)
    one = bpy.context.object
    one.name = name
    if one.data:
        one.data.name = name
    for each in one.users_collection:
        each.objects.unlink(one)
    into.objects.link(one)
    return one

def paint(name, colour, *users):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*colour, 1)
    for one in users:
        one.data.materials.append(made)

shelf, stage = collection(names["shelf"]), collection(names["stage"])
mesh, add = bpy.ops.mesh, bpy.ops.object
box = put(names["box"], shelf, mesh.primitive_cube_add, size=1.5, location=(0, 0, 0.75))
drum = put(names["drum"], shelf, mesh.primitive_cylinder_add, radius=0.6, depth=1.2, location=(2.5, 0, 0.6))
globe = put(names["globe"], shelf, mesh.primitive_uv_sphere_add, radius=0.7, location=(-2.5, 0, 0.7))
panel = put(names["panel"], shelf, mesh.primitive_plane_add, size=9, location=(0, 0, 0))
sign = put(names["sign"], shelf, add.text_add, location=(-1, -2, 0))
sign.data.body = "Open"
put(names["aim"], stage, add.empty_add, location=(0, 0, 1))
camera = put("Camera", stage, add.camera_add, location=(0, -9, 4), rotation=(1.18, 0, 0))
put(names["lamp"], stage, add.light_add, type="POINT", location=(3, -4, 5)).data.energy = 600
drum.data.polygons.foreach_set("use_smooth", [True] * len(drum.data.polygons))
paint("Paint", (0.6, 0.2, 0.1), box)
paint("Metal", (0.5, 0.5, 0.55), drum, globe)
for frame, height in ((1, 0.6), (40, 2.4)):
    drum.location.z = height
    drum.keyframe_insert("location", index=2, frame=frame)
scene.camera = camera
scene.frame_set(1)
bpy.ops.object.select_all(action="DESELECT")
box.select_set(True)
bpy.context.view_layer.objects.active = box
for screen in bpy.data.screens:
    for area in screen.areas:
        if area.type == "VIEW_3D":
            area.spaces[0].region_3d.view_distance = 14
"""


def setup(random: Random) -> Steps:
    """Build the studio with names of this seed."""
    shelf, stage = random.randrange(3), random.randrange(3)  # nine in all, so that few files are made
    names = {key: choices[stage if key in _STAGE else shelf] for key, choices in _NAMES.items()}
    yield {
        "do": "build",
        "path": f"{names['stage'].lower()}.blend",
        "script": _SCRIPT.replace("NAMES", repr(names)),
    }


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and put the names and the points in."""
    known = {*state.collections["objects"], *state.collections["collections"]}
    names = {key: [name for name in choices if name in known] for key, choices in _NAMES.items()}
    filled = dialogs.case(state, random, {**values, "choices": {**names, **values.get("choices", {})}})
    path = f"files/{filled['stage'].lower()}.blend"
    return filled | {
        **{name: list(_pointed(filled.get(name, ()))) for name in ("opening", "settings", "slip", "beside")},
        "closing": [{"press": "ctrl+s"}],
        "along": [*filled.get("along", ()), {"place": path}, {"place": f"{path}1"}],
    }


def _pointed(actions: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the actions with the points of their targets."""
    for one in actions:
        match one:
            case {"row": key}:
                yield {"click": f"place:1690,{128 + 21 * _ROWS.index(key)}"}
            case {"tab": height}:
                yield {"click": f"place:969,{height}"}
            case {"at": point, "value": value}:
                yield one | {"enter": f"place:{point}", "to": value}
            case {"at": point}:
                yield one | {"click": f"place:{point}"}
            case _:
                yield one
