"""What KAlgebra shows and holds before the first look, drawn anew for every seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

Chance = random.Random
Steps = Iterator[Mapping[str, Any]]

SCRIPT = "spiral.kal"
MODEL = "model.kal"
_NAMES = ("speed", "mass", "width", "height", "offset", "gain", "delay", "angle")


def _tab(name: str) -> Mapping[str, Any]:
    return {"do": "tab", "name": name}


def _define(text: str) -> Mapping[str, Any]:
    return {"do": "define", "text": text}


def _plot(expression: str) -> Mapping[str, Any]:
    return {"do": "plot2d", "expression": expression}


def _calculator(chance: Chance) -> Steps:
    """Start as the program starts."""
    return iter(())


def _flat(chance: Chance) -> Steps:
    """Start at an empty graph of the plane."""
    yield _tab("2D Graph")


def _solid(chance: Chance) -> Steps:
    """Start at an empty graph in space."""
    yield _tab("3D Graph")


store_conjugate = store_series_sum = store_derivative = store_common_divisor = _calculator
store_combinations = store_plane_distance = _calculator
plot_log_power = plot_log_of_square = plot_with_tangent = plot_composition = plot_inverse = _flat
plot_ellipse = plot_even_mirror = plot_parabola = _flat
plot_hyperboloid = plot_sphere = plot_parallel_plane = plot_cylinder = _solid


def name_missing_function(chance: Chance) -> Steps:
    """The dictionary of functions is in front."""
    yield _tab("Dictionary")


plot_in_tab = name_missing_function


def remove_variable(chance: Chance) -> Steps:
    """Some variables, each with a value of its own."""
    values = chance.sample(range(12, 99), 3)
    for name, value in zip(chance.sample(_NAMES, 3), values, strict=True):
        yield _define(f"{name}:={value}")
    yield _define(f"{chance.randint(101, 199)}*{chance.randint(11, 19)}")  # so that no variable equals ans


def remove_curve(chance: Chance) -> Steps:
    """A rose, a parabola and a wave, in any order."""
    curves = [
        f"q->{chance.randint(4, 7)}*sin({chance.choice((3, 5))}*q)",
        f"x->{chance.randint(2, 5)}*x^2-{chance.randint(2, 6)}",
        f"x->{chance.randint(2, 4)}*cos(x)",
    ]
    chance.shuffle(curves)
    yield from map(_plot, curves)


def recolour_curve(chance: Chance) -> Steps:
    """Two curves."""
    yield _plot(f"x->{chance.randint(2, 4)}*sin(x)")
    yield _plot(f"x->e^x-{chance.randint(2, 6)}")


def set_resolution(chance: Chance) -> Steps:
    """A wave in the usual resolution."""
    yield _plot(f"x->sin({chance.randint(2, 9)}*x)+{chance.randint(1, 4)}")


def set_surface_style(chance: Chance) -> Steps:
    """A saddle in the usual style."""
    yield {"do": "plot3d", "expression": f"(x,y)->x^2/{chance.randint(3, 6)}-y^2/{chance.randint(3, 6)}"}


def replace_surface(chance: Chance) -> Steps:
    """A hilly surface."""
    yield {"do": "plot3d", "expression": f"(x,y)->sin(x)+{chance.randint(2, 4)}*cos(y)"}


def run_script(chance: Chance) -> Steps:
    """A script that defines a model."""
    a, b, c = chance.randint(2, 9), chance.randint(11, 39), chance.randint(2, 9)
    yield {"do": "write", "path": MODEL, "text": f"loss:=t->{a}*t^3-{b}*t^2+{c}*t\n"}


def plot_from_script(chance: Chance) -> Steps:
    """A script that defines a family of spirals."""
    shift = chance.randint(1, 4)
    yield {"do": "write", "path": SCRIPT, "text": f"r:=a->q->a*q+{shift}\n"}


def store_ellipse_area(chance: Chance) -> Steps:
    """An ellipse."""
    a, b = chance.sample(range(2, 10), 2)
    yield _plot(f"x^2/{a * a}+y^2/{b * b}=1")


def count_crossings(chance: Chance) -> Steps:
    """A circle and a parabola."""
    yield _plot("x^2+y^2=25")
    yield _plot(f"x->x^2-{chance.choice((3, 5, 7))}")


def find_lowest_point(chance: Chance) -> Steps:
    """A parabola whose lowest point has round coordinates that differ."""
    a, x = chance.randint(2, 3), chance.choice((-4, -3, -2, 2, 3, 4))
    y = chance.choice([n for n in range(-6, 6) if n not in (x, 0)])
    b, c = 2 * a * x, a * x * x + y
    yield _plot(f"x->{a}*x^2{-b:+d}*x{c:+d}")
