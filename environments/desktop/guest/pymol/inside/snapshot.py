"""The state of a PyMOL session as plain data: objects, residues with their look, selections, measurements, settings.

A residue's row holds what is seen of its atoms, so that any change shows without a row for each atom.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pymol.setting import _get_name, get_name_list  # type: ignore[import-not-found]

Row = dict[str, Any]
Rows = dict[str, Row]

# The bits of an atom's `reps`, as the C code numbers its representations.
_SHOWN = {
    0: "sticks", 1: "spheres", 2: "surface", 3: "labels", 4: "nb_spheres", 5: "cartoon", 6: "ribbon", 7: "lines",
    8: "mesh", 9: "dots", 10: "dashes", 11: "nonbonded", 12: "cell", 13: "cgo", 19: "ellipsoids",
}  # fmt: skip
_COLOR_SETTING = 5  # the type of settings that are colours
_OWN = "_"  # names that begin so are PyMOL's own
_KINDS = ("distance", "angle", "dihedral")
# Settings that change by themselves, with the mouse's mode, the window, or names that PyMOL gives by counting.
_CHANGING = frozenset(
    {
        "auto_color_next",
        "button_mode_name",
        "dist_counter",
        "internal_gui_width",
        "max_threads",
        "sel_counter",
        "session_changed",
        "session_file",
    }
)
# Where a representation is drawn at all: the flag of an atom elsewhere cannot be seen.
_DRAWN = {
    "polymer": ("cartoon", "ribbon"),
    "bonded": ("lines", "sticks"),
    "not bonded": ("nb_spheres", "nonbonded"),
}


def collections(cmd: Any) -> dict[str, Rows]:
    """Return all collections."""
    atoms = _atoms(cmd)
    return {
        "objects": _objects(cmd),
        "residues": _residues(cmd, atoms),
        "selections": _selections(cmd),
        "measurements": _measurements(cmd, atoms),
        "settings": {
            name: {"value": _setting(cmd, name)} for name in get_name_list() if name not in _CHANGING
        },
        "scenes": {name: {} for name in cmd.get_scene_list()},
        "view": {"camera": {"matrix": [round(part, 2) + 0.0 for part in cmd.get_view()]}},
        "wizard": {"panel": {"name": type(wizard).__name__ if (wizard := cmd.get_wizard()) else None}},
    }


def _setting(cmd: Any, name: str) -> str:
    """Return a global setting as a text, a colour as `#rrggbb`."""
    kind, value = cmd.get_setting_tuple(name)
    if (
        kind == _COLOR_SETTING and value[0] >= 0
    ):  # others are "default", "front", ...; asked for, PyMOL prints an error
        return _hex(cmd.get_color_tuple(value[0]))
    return str(cmd.get_setting_text(name))


def _hex(parts: Iterable[float]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def _atoms(cmd: Any) -> list[Row]:
    """Return the atoms of the objects that are the user's, with the coordinates of their first state."""
    found: dict[tuple[str, int], Row] = {}

    def push(model: str, index: int, **row: Any) -> None:
        if not model.startswith(_OWN):
            found[model, index] = {"model": model, **row}

    fields = (
        "segi",
        "chain",
        "resi",
        "resn",
        "name",
        "alt",
        "elem",
        "reps",
        "color",
        "label",
        "b",
        "q",
        "ss",
    )
    named = ", ".join(f"{field}={field}" for field in (*fields, "flags", "cartoon", "formal_charge", "ID"))
    cmd.iterate("all", f"push(model, index, {named})", space={"push": push})

    for selection, names in _DRAWN.items():
        bits = sum(1 << bit for bit, name in _SHOWN.items() if name in names)

        def mask(model: str, index: int, bits: int = bits) -> None:
            if (model, index) in found:
                found[model, index]["reps"] &= ~bits

        cmd.iterate(f"not ({selection})", "mask(model, index)", space={"mask": mask})

    def place(model: str, index: int, at: tuple[float, float, float]) -> None:
        if (model, index) in found:
            found[model, index]["at"] = at

    cmd.iterate_state(1, "all", "place(model, index, (x, y, z))", space={"place": place})
    return list(found.values())


def _objects(cmd: Any) -> Rows:
    enabled = set(cmd.get_names("public_objects", enabled_only=1))
    return {
        name: {
            "type": cmd.get_type(name).removeprefix("object:"),
            "enabled": name in enabled,
            "atoms": cmd.count_atoms(f"%{name}") if cmd.get_type(name) == "object:molecule" else 0,
            "settings": _own_settings(cmd, name),
            "holds": cmd.get_object_list(name) if cmd.get_type(name) == "object:group" else [],
        }
        for name in cmd.get_names("public_objects")
    }


def _own_settings(cmd: Any, name: str) -> dict[str, str]:
    rows = cmd.get_object_settings(name) or []
    return {str(_get_name(row[0])): str(row[2]) for row in rows}


def _residues(cmd: Any, atoms: list[Row]) -> Rows:
    groups: dict[str, list[Row]] = defaultdict(list)
    for atom in atoms:
        groups[f"{atom['model']}/{atom['chain']}/{atom['resi']}"].append(atom)
    colors: dict[int, str] = {}

    def color(index: int) -> str:
        if index not in colors:
            colors[index] = _hex(cmd.get_color_tuple(index)) if index >= 0 else "default"
        return colors[index]

    return {key: _residue(group, color) for key, group in groups.items()}


def _residue(atoms: list[Row], color: Any) -> Row:
    shown: dict[str, int] = defaultdict(int)
    colors: dict[str, set[str]] = defaultdict(set)
    for atom in atoms:
        colors[atom["elem"]].add(color(atom["color"]))
        for bit, name in _SHOWN.items():
            shown[name] += bool(atom["reps"] >> bit & 1)
    middle = next((atom for atom in atoms if atom["name"] == "CA"), atoms[0])
    fixed = ("segi", "name", "alt", "elem", "q", "cartoon", "formal_charge")
    return {
        "resn": atoms[0]["resn"],
        "atoms": len(atoms),
        "shown": {name: count for name, count in shown.items() if count and name != "labels"},
        "colors": {element: sorted(found) for element, found in sorted(colors.items())},
        "labels": {atom["name"]: atom["label"] for atom in atoms if atom["label"]},
        "b": round(sum(atom["b"] for atom in atoms) / len(atoms), 2),
        "ss": middle["ss"],
        "at": [round(part, 2) + 0.0 for part in middle.get("at", ())],
        "place": _digest([[round(part, 1) + 0.0 for part in atom.get("at", ())] for atom in atoms]),
        "content": _digest([[atom[field] for field in fixed] for atom in atoms]),
    }


def _selections(cmd: Any) -> Rows:
    found: Rows = {}
    for name in cmd.get_names("public_selections"):
        members: list[tuple[str, str]] = []
        cmd.iterate(
            f"%{name}",
            "push((f'{model}/{chain}/{resi}', f'{name}/{alt}'))",
            space={"push": members.append},
        )
        residues = sorted({residue for residue, _ in members})
        found[name] = {"atoms": len(members), "residues": residues, "content": _digest(sorted(members))}
    return found


def _measurements(cmd: Any, atoms: list[Row]) -> Rows:
    """Return the measurements with their values and atoms, as the session stores them."""
    known = {
        tuple(
            round(part, 2) for part in atom["at"]
        ): f"{atom['model']}/{atom['chain']}/{atom['resi']}/{atom['name']}"
        for atom in atoms
        if "at" in atom
    }
    found: Rows = {}
    for name in cmd.get_names("public_objects"):
        if cmd.get_type(name) != "object:measurement":
            continue
        rows = [_measured(kind, points, known) for kind, points in _points(cmd, name)]
        found[name] = {"rows": sorted(rows, key=str)}
    return found


def _points(cmd: Any, name: str) -> Iterator[tuple[str, list[tuple[float, ...]]]]:
    """Yield kind and points of each part of a measurement, from the lists of coordinates in its sets."""
    for entry in cmd.get_session(name, partial=1)["names"]:
        if entry[0] != name:
            continue
        for group in entry[5][2]:
            if not group:
                continue
            # Distances have two points; an angle three and two of its arc, a dihedral four and two.
            for kind, (place, points, stored) in zip(_KINDS, ((1, 2, 2), (4, 3, 5), (6, 4, 6)), strict=True):
                numbers = group[place] or []
                triples = [tuple(numbers[n : n + 3]) for n in range(0, len(numbers), 3)]
                for n in range(0, len(triples) - stored + 1, stored):
                    yield kind, triples[n : n + points]


def _measured(kind: str, points: list[tuple[float, ...]], known: dict[tuple[float, ...], str]) -> Row:
    measure: Callable[..., float] = {"distance": math.dist, "angle": _angle, "dihedral": _dihedral}[kind]  # type: ignore[assignment]
    names = [known.get(tuple(round(part, 2) for part in point), "") for point in points]
    return {"kind": kind, "value": round(measure(*points), 2), "atoms": names}


def _angle(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    one, other = _minus(a, b), _minus(c, b)
    return math.degrees(math.acos(_dot(one, other) / math.sqrt(_dot(one, one) * _dot(other, other))))


def _dihedral(
    a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...], d: tuple[float, ...]
) -> float:
    axis = _minus(c, b)
    one, other = _cross(_minus(b, a), axis), _cross(axis, _minus(d, c))
    return math.degrees(
        math.atan2(_dot(_cross(one, other), axis) / math.sqrt(_dot(axis, axis)), _dot(one, other))
    )


def _minus(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _dot(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _cross(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, ...]:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]
