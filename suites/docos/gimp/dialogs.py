"""Dialogs of GIMP, in the form of `toolkit/dialogs.py`.

`menu` opens the dialog `window`, which is the last entry's name without dots unless it is given, and `button` (OK)
applies it; with `layer`, it is of the menu of this layer. `page` is one of the settings'. With `in_picture`, what was
done is in the picture's file, which has to be saved besides. An action that is `elsewhere` is not within the window.
Texts may name the `{picture}` and its layers `{top}`, `{middle}` and `{bottom}`.
"""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from ..toolkit.steps import Steps

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

_SCENES = (
    ("harbour", ("Boat", [200, 60, 40]), ("Water", [30, 90, 160]), ("Sky", [150, 200, 230])),
    ("meadow", ("Barn", [150, 40, 40]), ("Grass", [70, 140, 60]), ("Clouds", [205, 215, 225])),
    ("desert", ("Tent", [230, 230, 210]), ("Sand", [215, 175, 105]), ("Dusk", [120, 90, 150])),
    ("street", ("Tram", [220, 170, 30]), ("Road", [80, 80, 85]), ("Facade", [190, 120, 95])),
)
_SIZE = (480, 320)
_BESIDE = [  # of a picture, if nothing that is nearer is named
    {"click": 'page-tab[name="Layers"] >> toggle-button[description="Lock alpha channel"]', "elsewhere": True}
]


def setup(random: Random) -> Steps:
    """Open a small picture of three layers."""
    name, top, middle, bottom = random.choice(_SCENES)
    boxes = [[120, 140, 200, 90], [0, 180, 480, 140], [0, 0, *_SIZE]]
    layers = [
        {"name": name, "color": color, "box": box}
        for (name, color), box in zip((top, middle, bottom), boxes, strict=True)
    ]
    path = f"work/{name}-{random.randint(10, 99)}.xcf"
    yield {"do": "picture", "path": path, "width": _SIZE[0], "height": _SIZE[1], "layers": layers}


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and say how the dialog is opened and closed."""
    (picture,) = state.collections["images"]
    layers = {row["position"]: key.rpartition("/")[2] for key, row in state.collections["layers"].items()}
    words = {"picture": [picture], "top": [layers[0]], "middle": [layers[1]], "bottom": [layers[2]]}
    filled = dialogs.case(state, random, {**values, "choices": {**values.get("choices", {}), **words}})
    menu, page = filled.get("menu", ["Edit", "Preferences"]), filled.get("page")
    window = f'dialog[name="{filled.get("window") or menu[-1].rstrip(".")}"]'
    apply = {"click": f'{window} >> push-button[name="{filled.get("button", "OK")}"]'}
    cancel = {"click": f'{window} >> push-button[name="Cancel"]'}
    save = {"press": "ctrl+s"}
    saved = filled.get("in_picture", False)
    return filled | {
        "opening": [
            *filled.get("opening", []),
            *_menu(menu, filled.get("layer")),
            *([{"click": f'{window} >> table-cell[name="{page}"]'}] if page else []),
        ],
        **{part: _within(window, filled.get(part, _BESIDE)) for part in ("settings", "slip", "beside")},
        "window": "",  # each target names it
        "closing": [apply, save] if saved else [apply],
        "unsaved": [apply] if saved else [cancel],
        "along": [
            *filled.get("along", ()),
            {"place": f"files/work/{picture}", "why": "told by images and layers"},
        ],
    }


def _menu(names: list[str], layer: str | None = None) -> list[dict[str, Any]]:
    """Return the clicks that choose an item of the menus, or of a layer's; what they hold is not told to be showing."""
    if layer is not None:
        cell = f'page-tab[name="Layers"] >> table-cell[name="{layer}"]'
        return [{"right": cell}, *({"click": f'menu-item[name="{name}"]:hidden'} for name in names)]
    opened = f'menu[name="{names[0]}"]:nth(0)'
    found = [{"click": opened}]
    for name in names[1:]:
        opened += f' >> *[name="{name}"]:hidden'
        found.append({"click": opened})
    return found


def _within(window: str, actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the actions within the window, except `elsewhere`, with two clicks for an item of a list."""
    found: list[dict[str, Any]] = []
    for one in actions:
        inside = "" if one.get("elsewhere") else f"{window} >> "
        match one:
            case {"menu": names, **rest}:
                *opened, last = _menu(names)
                found += [*opened, {**rest, **last}]
            case {"pick": target, "item": item, **rest}:
                target = f"{inside}{target}"
                found += [{"click": target}, {**rest, "click": f'{target} >> *[name="{item}"]:hidden'}]
            case {"click": target}:
                found.append({**one, "click": f"{inside}{target}"})
            case {"fill": target}:
                found.append({**one, "fill": f"{inside}{target}"})
            case _:
                found.append(one)
    return found
