"""Runs in Blender, without a window: prints what a file or the preferences hold. `-- file` or `-- preferences`.

A row has the properties that differ from their defaults. Angles are in degrees, floats are rounded, and another
data-block stands for its name. What changes by looking at things is left out: selection, cursors, panels.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import bpy  # type: ignore[import-not-found]

Rows = Iterator[tuple[str, dict[str, Any]]]

_LOOKED_AT = frozenset(
    [
        "rna_type",
        "name",
        "original",
        "library",
        "asset_data",
        "override_library",
        "preview",
        "tag",
        "is_missing",
        "is_dirty",
        "users",
        "update_flag",
        "select",
        "select_control_point",
        "active",
        "active_object",
        "active_index",
        "active_material",
        "active_material_index",
        "active_shape_key_index",
        "active_layer_collection",
        "is_active",
        "mode",
        "show_expanded",
        "show_only_keyframes",
        "cursor",
        "frame_current",
        "frame_float",
        "frame_current_final",
        "frame_subframe",
        "tool_settings",
        "dimensions",
        "matrix_world",
        "matrix_local",
        "matrix_basis",
        "matrix_parent_inverse",
        "delta_rotation_quaternion",
        "rotation_quaternion",
        "rotation_axis_angle",
        "node_tree",
        "animation_data",
        "sequence_editor",
        "view_layers",
        "uv_layers",
    ]
)
_USUAL = {
    *((name, True) for name in ("show_viewport", "show_render", "show_in_editmode", "enabled", "use_rim")),
    *((name, True) for name in ("loop_slide", "use_clamp_overlap")),
    ("influence", 1.0),
}  # what a new modifier or constraint has, though Blender tells another default
_NESTED = {
    "Object": ("rigid_body", "collision", "field", "display"),
    "Camera": ("dof", "stereo"),
    "Scene": ("render", "eevee", "display_settings", "view_settings", "unit_settings", "rigidbody_world"),
    "RenderSettings": ("image_settings", "ffmpeg"),
    "ViewLayer": ("eevee", "freestyle_settings"),
    "World": ("mist_settings", "light_settings"),
    "Material": ("grease_pencil", "lineart"),
    "ClothModifier": ("settings", "collision_settings"),
    "ParticleSystem": ("settings",),
}  # structures that belong to their owner


def fields(owner: Any, before: str = "") -> dict[str, Any]:
    """Return the properties of a structure that differ from their defaults."""
    found: dict[str, Any] = {}
    nested = [
        name
        for base in type(owner).__mro__
        for name in _NESTED.get(base.__name__, ())
        if hasattr(owner, name)
    ]
    for one in owner.bl_rna.properties:
        name = one.identifier
        if name in _LOOKED_AT or name in nested or one.is_readonly or one.type == "COLLECTION":
            continue
        value = _plain(getattr(owner, name), one)
        if value != _default(one):
            found[f"{before}{name}"] = value
    for name in nested:
        if (inner := getattr(owner, name)) is not None:
            found |= fields(inner, f"{before}{name}.")
    return found | {
        f"{before}[{name}]": _custom(value)
        for name, value in _own(owner)
        if not name.startswith(("_", "cycles"))
    }


def _unusual(name: str, value: Any) -> bool:
    return isinstance(value, list) or (name, value) not in _USUAL


def _own(owner: Any) -> Iterable[tuple[str, Any]]:
    try:
        return list(owner.items())
    except TypeError:
        return ()


def _custom(value: Any) -> Any:
    if hasattr(value, "to_list"):
        return [_rounded(one) for one in value.to_list()]
    return _rounded(value) if isinstance(value, int | float | str | bool) else str(value)


def _plain(value: Any, one: Any) -> Any:
    if one.type == "POINTER":
        return getattr(value, "name", None)
    if one.type == "ENUM":
        return sorted(value) if one.is_enum_flag else value
    if one.type in ("FLOAT", "INT", "BOOLEAN"):
        degrees = one.type == "FLOAT" and (one.unit == "ROTATION" or one.subtype in ("ANGLE", "EULER"))
        if one.is_array:
            flat = [inner for part in value for inner in (part if hasattr(part, "__len__") else (part,))]
            return [_rounded(inner, degrees) for inner in flat]
        return _rounded(value, degrees)
    return value


def _rounded(value: Any, degrees: bool = False) -> Any:
    if not isinstance(value, float):
        return value
    return round(math.degrees(value), 3) + 0.0 if degrees else float(f"{value:.6g}") + 0.0


def _default(one: Any) -> Any:
    if one.type == "POINTER":
        return None
    if one.type == "ENUM":
        return sorted(one.default_flag) if one.is_enum_flag else one.default
    if one.type == "STRING":
        return one.default
    degrees = one.type == "FLOAT" and (one.unit == "ROTATION" or one.subtype in ("ANGLE", "EULER"))
    if getattr(one, "is_array", False):
        return [_rounded(value, degrees) for value in one.default_array]
    return _rounded(one.default, degrees)


def _digest(values: Iterable[float]) -> str:
    return hashlib.sha256(json.dumps([round(value, 4) + 0.0 for value in values]).encode()).hexdigest()[:16]


def _names(things: Iterable[Any]) -> str:
    return ", ".join(thing.name for thing in things)


def objects() -> Rows:
    """Yield objects with their place, what they are made of, and what is on them."""
    for one in bpy.data.objects:
        row = fields(one) | {
            "type": one.type,
            "location": [_rounded(value) for value in one.location],
            "rotation_euler": [_rounded(value, True) for value in one.rotation_euler],
            "scale": [_rounded(value) for value in one.scale],
            "world": [_rounded(float(f"{value:.4g}")) for value in one.matrix_world.translation],
            "collections": ", ".join(sorted(collection.name for collection in one.users_collection)),
            "materials": ", ".join(slot.name or "-" for slot in one.material_slots),
            "modifiers": _names(one.modifiers),
            "constraints": _names(one.constraints),
            "groups": _names(one.vertex_groups),
        }
        yield one.name, {name: value for name, value in row.items() if value not in ("", None)}


def parts(kind: str) -> Rows:
    """Yield the modifiers or constraints of all objects."""
    for one in bpy.data.objects:
        for part in getattr(one, kind):
            row = {name: value for name, value in fields(part).items() if _unusual(name, value)}
            yield f"{one.name}/{part.name}", {**row, "type": part.type}


def shapes() -> Rows:
    """Yield meshes and curves."""
    for mesh in bpy.data.meshes:
        flat = [0.0] * (3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", flat)
        yield (
            mesh.name,
            fields(mesh)
            | {
                "vertices": len(mesh.vertices),
                "faces": len(mesh.polygons),
                "smooth": sum(polygon.use_smooth for polygon in mesh.polygons),
                "sharp": sum(edge.use_edge_sharp for edge in mesh.edges),
                "shape": _digest(flat),
                "uv_layers": _names(mesh.uv_layers),
                "shape_keys": _names(mesh.shape_keys.key_blocks) if mesh.shape_keys else "",
            },
        )
    for curve in bpy.data.curves:
        yield curve.name, fields(curve)


def groups() -> Rows:
    """Yield vertex groups with the number of their vertices and the sum of their weights."""
    for one in (each for each in bpy.data.objects if each.type == "MESH"):
        for group in one.vertex_groups:
            weights = [
                weight.weight
                for vertex in one.data.vertices
                for weight in vertex.groups
                if weight.group == group.index
            ]
            yield (
                f"{one.name}/{group.name}",
                {"vertices": len(weights), "weight": _rounded(float(sum(weights)))},
            )


def blocks(things: Iterable[Any]) -> Rows:
    """Yield data-blocks, with the values of their nodes."""
    for thing in things:
        row = fields(thing)
        tree = getattr(thing, "node_tree", None)
        for node in tree.nodes if tree else ():
            row |= {
                f"{node.name}.{name}": value
                for name, value in fields(node).items()
                if name not in ("location", "width", "height", "hide", "width_hidden")
            }
            for socket in node.inputs:
                if not socket.is_linked and hasattr(socket, "default_value"):
                    row[f"{node.name}.{socket.name}"] = _plain(
                        socket.default_value, socket.bl_rna.properties["default_value"]
                    )
        if tree:
            links = (f"{one.from_node.name} to {one.to_node.name}/{one.to_socket.name}" for one in tree.links)
            row["links"] = ", ".join(sorted(links))
        yield thing.name, row


def view_layers() -> Rows:
    """Yield view layers."""
    for scene in bpy.data.scenes:
        for layer in scene.view_layers:
            yield f"{scene.name}/{layer.name}", fields(layer)


def collections() -> Rows:
    """Yield collections, as they are and as they are in the view layers."""
    for one in bpy.data.collections:
        yield one.name, fields(one) | {"children": _names(one.children)}
    for scene in bpy.data.scenes:
        for layer in scene.view_layers:
            pending = list(layer.layer_collection.children)
            for one in pending:
                pending += one.children
                yield f"{layer.name}/{one.name}", fields(one)


def hidden() -> Rows:
    """Yield the objects that are hidden in a view layer."""
    for scene in bpy.data.scenes:
        for layer in scene.view_layers:
            names = (one.name for one in layer.objects if one.hide_get(view_layer=layer))
            yield layer.name, {"hidden": ", ".join(sorted(names))}


def _animated() -> Iterator[tuple[str, Any]]:
    kinds = ("objects", "meshes", "curves", "lights", "cameras", "worlds", "materials", "scenes")
    for kind in kinds:
        for thing in getattr(bpy.data, kind):
            if thing.animation_data is not None:
                yield thing.name, thing.animation_data


def drivers() -> Rows:
    """Yield drivers."""
    for name, data in _animated():
        for curve in data.drivers:
            driver = curve.driver
            row = {"type": driver.type, "expression": driver.expression if driver.type == "SCRIPTED" else ""}
            for variable in driver.variables:
                target = variable.targets[0]
                seen = fields(target) if variable.type != "SINGLE_PROP" else {"data_path": target.data_path}
                row |= {
                    f"{variable.name}.type": variable.type,
                    f"{variable.name}.id": getattr(target.id, "name", ""),
                }
                row |= {f"{variable.name}.{key}": value for key, value in seen.items()}
            yield f"{name}/{curve.data_path}/{curve.array_index}", row


def curves() -> Rows:
    """Yield the curves of animations: keys, interpolation, modifiers."""
    for name, data in _animated():
        for curve in data.action.fcurves if data.action else ():
            keys = curve.keyframe_points
            yield (
                f"{name}/{curve.data_path}/{curve.array_index}",
                {
                    "keys": [[_rounded(value) for value in key.co] for key in keys],
                    "interpolation": ", ".join(key.interpolation for key in keys),
                    "easing": ", ".join(key.easing for key in keys),
                    "handles": ", ".join(f"{key.handle_left_type} {key.handle_right_type}" for key in keys),
                    "extrapolation": curve.extrapolation,
                    "mute": curve.mute,
                    "modifiers": ", ".join(one.type for one in curve.modifiers),
                }
                | {
                    f"{one.type}.{field}": value
                    for one in curve.modifiers
                    for field, value in fields(one).items()
                },
            )


def scenes() -> Rows:
    """Yield scenes, with their markers."""
    for scene in bpy.data.scenes:
        yield (
            scene.name,
            fields(scene)
            | {
                "markers": ", ".join(
                    f"{one.name} {one.frame}{f' {one.camera.name}' if one.camera else ''}"
                    for one in sorted(scene.timeline_markers, key=lambda one: (one.frame, one.name))
                ),
                "keying_sets": _names(scene.keying_sets),
            },
        )


def texts() -> Rows:
    """Yield texts."""
    for text in bpy.data.texts:
        yield text.name, {"text": text.as_string(), "register": text.use_module}


def of_file() -> dict[str, Rows]:
    """Return what an opened file holds."""
    data = bpy.data
    return {
        "objects": objects(),
        "modifiers": parts("modifiers"),
        "constraints": parts("constraints"),
        "shapes": shapes(),
        "groups": groups(),
        "materials": blocks(data.materials),
        "worlds": blocks(data.worlds),
        "lights": blocks(data.lights),
        "cameras": blocks(data.cameras),
        "scenes": scenes(),
        "compositing": blocks(one for one in data.scenes if one.node_tree),
        "view_layers": view_layers(),
        "collections": collections(),
        "hidden": hidden(),
        "drivers": drivers(),
        "curves": curves(),
        "texts": texts(),
        "images": blocks(data.images),
        "node_groups": ((one.name, {"nodes": _names(one.nodes)}) for one in data.node_groups),
        "particles": blocks(data.particles),
    }


def of_preferences() -> dict[str, Rows]:
    """Return the preferences."""
    preferences = bpy.context.preferences
    parts = ("view", "edit", "system", "inputs", "filepaths", "experimental", "apps")
    return {
        "preferences": iter(
            [
                *((name, fields(getattr(preferences, name))) for name in parts),
                ("addons", {"enabled": ", ".join(sorted(one.module for one in preferences.addons))}),
                ("libraries", {one.name: one.path for one in preferences.filepaths.asset_libraries}),
            ]
        )
    }


found = of_preferences() if sys.argv[-1] == "preferences" else of_file()
plain = {name: dict(rows) for name, rows in found.items()}
sys.stdout.write(f"\nstate: {json.dumps({name: rows for name, rows in plain.items() if rows})}\n")
sys.stdout.flush()
