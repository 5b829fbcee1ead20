"""KAlgebra of our guest in the place of upstream's."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...kalgebra import (  # of our own tasks, whose checks read KAlgebra's expressions
    evaluation,
    shapes,
    syntax,
)
from ..evaluators.kalgebra import UNREAD
from ..probes import Probe
from ..records import Record
from ..steps import Launch, Plot, Step, Tab, Touch
from .words import Collections, Setup, Unsupported, words_of, written

NAME = "kalgebra"
NEEDY = False
TOLERANCE = 1e-4  # of a point on a plot, as the server within upstream's KAlgebra has it
_TABS = ("Calculator", "2D Graph", "3D Graph", "Dictionary")
_RESOLUTIONS = {"Poor": 416, "Normal": 832, "Fine": 1664, "Very Fine": 3328}
_STYLES = {"Lines": 2}  # the only one that a record asks for


def setup(record: Record) -> Setup:
    """Return the tab that is shown and what is plotted."""
    return [ours for step in record.begin for ours in _steps(step)]


def _steps(step: Step) -> Iterator[Mapping[str, Any]]:
    match step:
        case Launch() if any(word.endswith("/kalgebra") for word in words_of(step)):
            return
        case Touch():
            yield written(step)
        case Tab():
            yield {"do": "tab", "name": _TABS[step.index]}
        case Plot():
            yield {"do": "plot2d" if step.func == "func_2d" else "plot3d", "expression": step.expr}
        case _:
            raise Unsupported(f"our guest has no KAlgebra that could {type(step).__name__.lower()}")


def unmet(record: Record, told: Collections) -> str | None:
    """Return None: a calculator has all that it is asked for."""
    return None


def reply(probe: Probe, told: Collections) -> Any:
    """Return variables, or which points each plot holds."""
    match probe.question:
        case "kalgebra.vars":
            return _variables(told)
        case "kalgebra.points":
            points = probe.about["points"]
            return _surface(told, points) if points and len(points[0]) == 3 else _curves(told, points)
    raise Unsupported(f"KAlgebra is not asked {probe.question}")


def _variables(told: Collections) -> dict[str, str]:
    """Return variables as they are printed; their list shows real parts only, the console also complex numbers."""
    found = {name: str(row["value"]) for name, row in told.get("variables", {}).items()}
    for _, line in sorted(told.get("console", {}).items()):
        name, sign, _ = str(line["input"]).partition(":=")
        if sign and name.strip() in found and line["output"]:
            found[name.strip()] = str(line["output"])
    return found


def _curves(told: Collections, points: Sequence[Sequence[float]]) -> list[dict[str, Any]]:
    resolution = told.get("view", {}).get("window", {}).get("resolution")
    return [
        {
            "expr": row["expression"],
            "color": row.get("colour"),
            "res": _RESOLUTIONS.get(str(resolution)),
            **_held(str(row["expression"]), points, told),
        }
        for row in told.get("functions2d", {}).values()
    ]


def _surface(told: Collections, points: Sequence[Sequence[float]]) -> dict[str, Any]:
    row = told.get("plot3d", {}).get("surface")
    if row is None:
        return {}
    style = told.get("view", {}).get("window", {}).get("style")
    held = _held(str(row["expression"]), points, told)
    return {"expr": row["expression"], "style": _STYLES.get(str(style), style), **held}


def _held(expression: str, points: Sequence[Sequence[float]], told: Collections) -> dict[str, bool]:
    """Return for each point whether the plot holds it; of an expression that is not understood, that it is unread."""
    try:
        evaluator = evaluation.Evaluator(evaluation.defined(_variables(told).items()))
        draw = shapes.surface if points and len(points[0]) == 3 else shapes.curve
        shape = draw(syntax.parse(expression), evaluator)
        return {
            f"({', '.join(map(json.dumps, point))})": _holds(shape, tuple(map(float, point)))
            for point in points
        }
    except (syntax.TooMuch, RecursionError):
        return {}  # nobody draws that by hand
    except syntax.NotUnderstood:
        return {UNREAD: True}


def _holds(shape: shapes.Shape, place: tuple[float, ...]) -> bool:
    """Return whether a point lies on a shape; values are compared in single precision, as by upstream's server."""
    try:
        return _distance(shape, place) <= TOLERANCE
    except (ArithmeticError, ValueError):
        return False


def _distance(shape: shapes.Shape, place: tuple[float, ...]) -> float:
    """Return how far a point lies from a shape, along its axis or by the value of its equation.

    Raises:
        RecursionError, NotUnderstood: It is not known.
    """
    if isinstance(shape, shapes.Polar):  # upstream's points of such a curve are angle and radius
        return abs(_single(shape.radius(place[0])) - _single(place[1]))
    if not isinstance(shape, shapes.Level):
        raise syntax.NotUnderstood("how upstream's server finds points on such a curve is not known")
    if shape.explicit is not None:
        return abs(_single(shape.explicit(place)) - _single(place[shape.axis]))
    return abs(_single(shape.level(place)))


def _single(number: float) -> float:
    """Return a number as a C++ float holds it."""
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return float("inf")
