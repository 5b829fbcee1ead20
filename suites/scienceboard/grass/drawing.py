"""How a layer is drawn, in one way of writing: GRASS says the same in several."""

from __future__ import annotations

from pytest_cuabench.evidence import Evidence, Row

# What GRASS's window and its modules take where a drawing command does not say it.
_DRAWN_BY_DEFAULT = {
    "layer": "1",
    "display": "shape",
    "type": "point,line,area,face",
    "color": "0:29:57",
    "fill_color": "0:103:204",
    "width": "0",
    "icon": "basic/x",
    "size": "5",
    "label_layer": "1",
    "label_color": "red",
    "label_size": "8",
    "xref": "left",
    "yref": "center",
    "width_scale": "1",
    "encoding": "UTF-8",
}


def layer_of(evidence: Evidence, name: str) -> Row | None:
    """Return the only layer that shows a map and is drawn, None where there is none or several."""
    found = [row for row in evidence.after.rows("layers", name=name) if row["checked"]]
    return found[0] if len(found) == 1 else None


def drawn(layer: Row | None) -> dict[str, str]:
    """Return how a layer is drawn, in one way of writing, with what GRASS takes by default."""
    if layer is None:
        return {}
    options = {str(name): str(value) for name, value in layer["options"].items()}
    if "fcolor" in options:
        options["fill_color"] = options.pop("fcolor")
    options = {**_DRAWN_BY_DEFAULT, **{name: value for name, value in options.items() if value != ""}}
    types = ",".join(sorted(options["type"].split(",")))
    return {name: color(value) if "color" in name else value for name, value in options.items()} | {
        "type": types
    }


def color(text: str) -> str:
    """Return a colour as red:green:blue, without the opacity that wx may add."""
    known = {
        "black": "0:0:0",
        "white": "255:255:255",
        "red": "255:0:0",
        "gray": "128:128:128",
        "grey": "128:128:128",
    }
    parts = known.get(text, text).split(":")
    return ":".join(parts[:3])


def differing(before: Row | None, after: Row | None) -> set[str]:
    """Return the drawing options in which two states of a layer differ."""
    old, new = drawn(before), drawn(after)
    return {name for name in set(old) | set(new) if old.get(name) != new.get(name)}
