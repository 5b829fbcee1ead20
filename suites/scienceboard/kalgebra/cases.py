"""What each task asks for, as plain values: from what KAlgebra shows at the start, and from the seed.

`curves`, `surface`, `variable` and `value` are what must be true at the end; `enter` is what the reference solution
types for it, written in another way where there is one.
"""

from __future__ import annotations

import math
import random
import re
from typing import Any

from pytest_cuabench.evidence import State

from .setups import MODEL, SCRIPT

Chance = random.Random
Values = dict[str, Any]

_LETTERS = ("p", "k", "s", "w", "u", "d")
PALETTE = {
    "black": ("#000000", 5),
    "red": ("#ff0000", 13),
    "blue": ("#0000ff", 18),
    "magenta": ("#ff00ff", 19),
}
DARKER = {"black": 4, "red": 20, "blue": 25, "magenta": 26}  # what is easily taken for it
_ABSENT = {
    "the inverse of a square matrix": "inverse",
    "the determinant of a matrix": "determinant",
    "the eigenvalues of a matrix": "eigenvalues",
    "the standard deviation of a list of numbers": "sdev",
}


def _signed(number: int) -> str:
    """Return ` + 3` or ` - 3`."""
    return f" {'-' if number < 0 else '+'} {abs(number)}"


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _expressions(state: State) -> dict[str, str]:
    return {row["_key"]: row["expression"] for row in state.rows("functions2d")}


def _store(chance: Chance, value: float, enter: str, **more: Any) -> Values:
    name = chance.choice(_LETTERS)
    return {"variable": name, "value": value, "enter": f"{name}:={enter}", **more}


# Basics


def store_conjugate(state: State, chance: Chance) -> Values:
    """A complex number, and where its conjugate goes."""
    a, b = chance.randint(2, 9), chance.choice((-7, -5, -4, -3, 2, 3, 5, 6, 8))
    name = chance.choice(_LETTERS)
    return {
        "number": f"{a}{_signed(b)}i",
        "variable": name,
        "real": a,
        "imaginary": -b,
        "enter": f"{name}:=conjugate({a}{b:+d}*i)",
    }


def plot_log_power(state: State, chance: Chance) -> Values:
    """A power of the logarithm."""
    n, c = chance.choice((2, 3)), chance.randint(1, 5)
    return {"power": n, "shift": c, "curves": [f"x->ln(x)^{n}+{c}"], "enter": [f"y=ln(x)^{n}+{c}"]}


def plot_hyperboloid(state: State, chance: Chance) -> Values:
    """A hyperboloid of one sheet."""
    c = chance.choice((1, 2, 4, 5))
    return {"right": c, "surface": f"x^2+y^2=z^2+{c}", "enter": f"x^2+y^2-z^2={c}"}


def name_missing_function(state: State, chance: Chance) -> Values:
    """Something that no function of KAlgebra's dictionary does."""
    what, guess = chance.choice(sorted(_ABSENT.items()))
    return {"infeasible": True, "what": what, "guess": guess}


# User interface


def plot_in_tab(state: State, chance: Chance) -> Values:
    """A wave, in a tab that is to stay in front."""
    a, c = chance.randint(2, 6), chance.randint(1, 4)
    return {"factor": a, "shift": c, "curves": [f"x->{a}*cos(x)+{c}"], "enter": [f"x->{a}*cos(x)+{c}"]}


def remove_variable(state: State, chance: Chance) -> Values:
    """One variable that is to go, and one that must not."""
    own = sorted(set(state.collections["variables"]) - {"ans", "pi", "e", "i", "true", "false", "euler"})
    name, other = chance.sample([*own, "euler"], 2)
    values = {row["_key"]: row["value"] for row in state.rows("variables")}
    return {"name": name, "cell": values[name], "other": other, "other_cell": values[other]}


def remove_curve(state: State, chance: Chance) -> Values:
    """One of the curves, named by its shape."""
    curves = _expressions(state)
    kinds = {_shape_of(expression): key for key, expression in curves.items()}
    kind = chance.choice(sorted(kinds))
    other = chance.choice(sorted(set(kinds.values()) - {kinds[kind]}))
    return {"kind": kind, "key": kinds[kind], "other": other}


def _shape_of(expression: str) -> str:
    if expression.startswith("q"):
        return "rose"
    return "parabola" if "^2" in expression else "cosine wave"


def recolour_curve(state: State, chance: Chance) -> Values:
    """One of the curves, and a colour that it has not."""
    curves = _expressions(state)
    key = chance.choice(sorted(curves))
    (other,) = set(curves) - {key}
    name = chance.choice(sorted(name for name, (code, _) in PALETTE.items() if not _has(state, key, code)))
    code, place = PALETTE[name]
    spoken = curves[key].removeprefix("x->")
    return {
        "curve": f"y = {spoken}",
        "key": key,
        "other": other,
        "colour": name,
        "code": code,
        "place": place,
        "slip": DARKER[name],
    }


def _has(state: State, key: str, code: str) -> bool:
    """Whether a curve nearly has a colour already; its first one is drawn by the program."""
    now = str(state.collections["functions2d"][key]["colour"] or "#808080")
    return all(abs(int(now[n : n + 2], 16) - int(code[n : n + 2], 16)) < 64 for n in (1, 3, 5))


def set_resolution(state: State, chance: Chance) -> Values:
    """A resolution that is not the present one, and another."""
    now = state.row("view")["resolution"]
    wanted, slip = chance.sample([name for name in ("Poor", "Normal", "Fine", "Very Fine") if name != now], 2)
    (curve,) = _expressions(state).values()
    return {"curve": f"y = {curve.removeprefix('x->')}", "resolution": wanted, "slip": slip}


def set_surface_style(state: State, chance: Chance) -> Values:
    """A style that is not the present one, and the other."""
    now = state.row("view")["style"]
    wanted, slip = chance.sample([name for name in ("Dots", "Lines", "Solid") if name != now], 2)
    drawn = state.row("plot3d")["expression"]
    return {"drawn": f"z = {drawn.rpartition('->')[2]}", "style": wanted, "slip": slip}


def replace_surface(state: State, chance: Chance) -> Values:
    """Another surface."""
    a, b = chance.randint(2, 4), chance.randint(2, 5)
    return {
        "factor": a,
        "divisor": b,
        "surface": f"z={a}*sin(x)-e^(cos(y))/{b}",
        "enter": f"(x,y)->{a}*sin(x)-e^(cos(y))/{b}",
    }


# Calculations


def store_series_sum(state: State, chance: Chance) -> Values:
    """A sum of inverse powers."""
    last, power = chance.randint(25, 60), chance.choice((2, 3))
    value = math.fsum(1 / n**power for n in range(1, last + 1))
    return _store(chance, value, f"sum(1/n^{power} : n=1..{last})", last=last, power=power)


def store_derivative(state: State, chance: Chance) -> Values:
    """The slope of a cubic at a point."""
    a, b, x = chance.randint(2, 5), chance.randint(2, 9), chance.randint(2, 6)
    enter = f"(diff(x^3-{a}*x^2+{b}*x : x))({x})"
    return _store(chance, 3 * x**2 - 2 * a * x + b, enter, a=a, b=b, at=x)


def store_common_divisor(state: State, chance: Chance) -> Values:
    """Two numbers with a large common divisor."""
    common = chance.randint(31, 97)
    first, second = (common * n for n in chance.choice(((35, 48), (27, 64), (45, 77), (32, 63))))
    return _store(chance, math.gcd(first, second), f"gcd({first}, {second})", first=first, second=second)


def store_combinations(state: State, chance: Chance) -> Values:
    """Ways to choose some of many."""
    many, some = chance.randint(8, 12), chance.randint(3, 5)  # KAlgebra's factorial(13) is wrong
    enter = f"factorial({many})/(factorial({some})*factorial({many - some}))"
    return _store(chance, math.comb(many, some), enter, many=many, some=some)


def run_script(state: State, chance: Chance) -> Values:
    """A value of the function that a script defines."""
    a, b, c = _numbers(state.collections["files"][MODEL]["text"].replace("t^3", "t").replace("t^2", "t"))
    at = chance.randint(5, 15)
    value = a * at**3 - b * at**2 + c * at
    return _store(chance, value, f"loss({at})", at=at, file=MODEL)


def store_plane_distance(state: State, chance: Chance) -> Values:
    """Two parallel planes."""
    a, b, c = chance.choice(((3, 4, 5), (2, 5, 1), (1, 2, 3), (4, 1, 2)))
    first, second = chance.randint(2, 9), chance.randint(2, 9)
    value = (first + second) / math.sqrt(a * a + b * b + c * c)
    enter = f"({first}+{second})/root({a}^2+{b}^2+{c}^2, 2)"
    return _store(chance, value, enter, a=a, b=b, c=c, first=first, second=second)


# Plots


def plot_log_of_square(state: State, chance: Chance) -> Values:
    """The logarithm of a shifted square."""
    a, b = chance.randint(2, 6), chance.randint(2, 4)
    return {"shift": a, "factor": b, "curves": [f"y={b}*ln(x^2+{a})"], "enter": [f"x->{b}*ln({a}+x^2)"]}


def plot_with_tangent(state: State, chance: Chance) -> Values:
    """A curve, and its tangent at x = 1."""
    a, b = chance.randint(2, 4), chance.randint(1, 5)
    curve, tangent = f"x->{a}*x^2-ln(x)-{b}", f"x->{2 * a - 1}*(x-1)+{a}-{b}"
    return {"a": a, "b": b, "curves": [curve, tangent], "enter": [curve, tangent]}


def plot_from_script(state: State, chance: Chance) -> Values:
    """One spiral of the family that a script defines."""
    (shift,) = _numbers(state.collections["files"][SCRIPT]["text"])
    a = chance.randint(2, 5)
    return {"a": a, "file": SCRIPT, "curves": [f"q->{a}*q+{shift}"], "enter": [f"q->(r({a}))(q)"]}


def plot_composition(state: State, chance: Chance) -> Values:
    """Two functions, one after the other."""
    a, b = chance.randint(2, 9), chance.randint(2, 7)
    inner = f"((x^2+{b})*e^x-1)"
    enter = f"x->(x->{a}/x-ln(x))((x->(x^2+{b})*e^x-1)(x))"
    return {"a": a, "b": b, "curves": [f"x->{a}/{inner}-ln({inner})"], "enter": [enter]}


def plot_inverse(state: State, chance: Chance) -> Values:
    """A function with an inverse."""
    a, b = chance.randint(2, 5), chance.randint(1, 4)
    return {"a": a, "b": b, "curves": [f"x={a}*e^y+{b}"], "enter": [f"x->ln((x-{b})/{a})"]}


def plot_ellipse(state: State, chance: Chance) -> Values:
    """An ellipse by its foci and the sum of the distances to them."""
    a, c = chance.choice(((5, 3), (5, 4), (4, 2), (6, 3), (7, 4)))
    b2 = a * a - c * c
    return {
        "focus": c,
        "sum": 2 * a,
        "a2": a * a,
        "b2": b2,
        "curves": [f"{b2}*x^2+{a * a}*y^2={a * a * b2}"],
        "enter": [f"x^2/{a * a}+y^2/{b2}=1"],
    }


def plot_even_mirror(state: State, chance: Chance) -> Values:
    """A function given on the left half, to be mirrored."""
    a, b = chance.randint(2, 4), chance.randint(1, 3)
    left, right = f"(x^2-{a}*x)*e^x-{b}", f"(x^2+{a}*x)*e^(-x)-{b}"
    return {
        "a": a,
        "b": b,
        "curves": [f"x->(x^2+{a}*abs(x))*e^(-abs(x))-{b}"],
        "enter": [f"x->piecewise {{ x<=0 ? {left}, ? {right} }}"],
    }


def plot_sphere(state: State, chance: Chance) -> Values:
    """A sphere by its diameter."""
    r2 = chance.choice((2, 3, 5, 6))
    return {"radicand": r2, "surface": f"z^2={r2}-x^2-y^2", "enter": f"x^2+y^2+z^2={r2}", "slip": 4 * r2}


def plot_parabola(state: State, chance: Chance) -> Values:
    """A parabola by its vertex and one more point."""
    a, h, k = chance.randint(2, 3), chance.choice((-3, -2, 2, 3)), chance.choice((-3, -1, 1, 2, 4))
    return {
        "h": h,
        "k": k,
        "x": h + 1,
        "y": k + a,
        "curves": [f"y={a}*(x{-h:+d})^2{k:+d}"],
        "enter": [f"x->{a}*x^2{-2 * a * h:+d}*x{a * h * h + k:+d}"],
        "slip": [f"x->{a}*(x{h:+d})^2{k:+d}"],
    }


def plot_parallel_plane(state: State, chance: Chance) -> Values:
    """A plane parallel to another, by where it meets the z axis."""
    a, b, d, c = (chance.randint(2, 5), chance.randint(2, 5), chance.randint(3, 9), chance.randint(1, 5))
    return {
        "a": a,
        "b": b,
        "d": d,
        "intercept": -c,
        "surface": f"{a}*x+{b}*y-z={c}",
        "enter": f"(x,y)->{a}*x+{b}*y-{c}",
    }


def plot_cylinder(state: State, chance: Chance) -> Values:
    """A cylinder by a curve on it and the direction of its lines."""
    r2, k = chance.choice((1, 4, 9)), chance.choice((1, 2))
    return {
        "r2": r2,
        "twice": 2 * r2,
        "k": k,
        "surface": f"(x+{k}*z)^2+y^2={r2}",
        "enter": f"x^2+{2 * k}*x*z+{k * k}*z^2+y^2={r2}",
    }


# Reasoning


def count_crossings(state: State, chance: Chance) -> Values:
    """How often the parabola meets the circle, from where the squares of both agree."""
    ((_, down),) = (_numbers(e) for e in _expressions(state).values() if e.startswith("x->"))
    (*_, square) = next(_numbers(e) for e in _expressions(state).values() if "=" in e)
    root = math.sqrt(1 + 4 * (square - down))
    heights = ((-1 + root) / 2, (-1 - root) / 2)
    count = sum(1 if math.isclose(y, -down) else 2 for y in heights if y >= -down - 1e-9)
    return {"count": count, "answer": str(count), "slip": str(count + 1)}


def store_ellipse_area(state: State, chance: Chance) -> Values:
    """The area of the ellipse on the screen."""
    (text,) = _expressions(state).values()
    _, a2, _, b2, _ = _numbers(text)
    a, b = math.isqrt(a2), math.isqrt(b2)
    return {"variable": "area", "value": math.pi * a * b, "a": a, "b": b, "enter": f"area:=pi*{a}*{b}"}


def find_lowest_point(state: State, chance: Chance) -> Values:
    """Where the parabola on the screen is lowest."""
    (text,) = _expressions(state).values()
    a, b, c = (int(n) for n in re.fullmatch(r"x->(\d+)\*x\^2([+-]\d+)\*x([+-]\d+)", text).groups())  # type: ignore[union-attr]
    x = -b / (2 * a)
    return {"x": x, "answer": f"{x:g}", "slip": f"{a * x * x + b * x + c:g}"}
