"""Three hundred plots, in each form of KAlgebra's manual: what is read of a text against what was meant by it.

A plot is made together with a function of Python's that gives its values and its slope, so nothing is read twice. Where
KAlgebra's own calculator is installed, it says the values of the same texts, too.
"""

from __future__ import annotations

import math
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from shipped import shipped

shipped("scienceboard")  # its code is then importable

from cuabench_suite_scienceboard.kalgebra import shapes  # type: ignore[import-not-found]  # noqa: E402
from cuabench_suite_scienceboard.kalgebra.evaluation import Evaluator  # type: ignore[import-not-found]  # noqa: E402
from cuabench_suite_scienceboard.kalgebra.syntax import parse  # type: ignore[import-not-found]  # noqa: E402

CALGEBRA = shutil.which("calgebra")
PLOTS = 300
PLACES = (-3.3, -1.7, -0.6, 0.45, 1.2, 2.9)

Values = Callable[[float], tuple[float, float]]  # of a place: value and slope


@dataclass(frozen=True)
class Term:
    """An expression of one variable, written for KAlgebra, with what it comes to."""

    text: str
    values: Values


def _sum(a: Term, b: Term) -> Term:
    if "-" in b.text:
        return _difference(a, b)  # KAlgebra 22.12 makes `a-(b+c)` of `a+(b-c)` within a function

    def values(v: float) -> tuple[float, float]:
        (f, df), (g, dg) = a.values(v), b.values(v)
        return f + g, df + dg

    return Term(f"({a.text}+{b.text})", values)


def _difference(a: Term, b: Term) -> Term:
    def values(v: float) -> tuple[float, float]:
        (f, df), (g, dg) = a.values(v), b.values(v)
        return f - g, df - dg

    return Term(f"({a.text}-{b.text})", values)


def _product(a: Term, b: Term) -> Term:
    def values(v: float) -> tuple[float, float]:
        (f, df), (g, dg) = a.values(v), b.values(v)
        return f * g, df * g + f * dg

    return Term(f"{a.text}*{b.text}", values)


def _quotient(a: Term, b: Term) -> Term:
    def values(v: float) -> tuple[float, float]:
        (f, df), (g, dg) = a.values(v), b.values(v)
        return f / (g * g + 1), (df * (g * g + 1) - f * 2 * g * dg) / (g * g + 1) ** 2

    return Term(f"({a.text})/(({b.text})^2+1)", values)


def _square(a: Term) -> Term:
    return Term(f"({a.text})^2", lambda v: (a.values(v)[0] ** 2, 2 * a.values(v)[0] * a.values(v)[1]))


FUNCTIONS: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "sin": (math.sin, math.cos),
    "cos": (math.cos, lambda x: -math.sin(x)),
    "arctan": (math.atan, lambda x: 1 / (1 + x * x)),
    "tanh": (math.tanh, lambda x: 1 / math.cosh(x) ** 2),
    "sech": (lambda x: 1 / math.cosh(x), lambda x: -math.tanh(x) / math.cosh(x)),
    "arcsinh": (math.asinh, lambda x: 1 / math.hypot(1, x)),
}


def _call(name: str, a: Term) -> Term:
    function, slope = FUNCTIONS[name]

    def values(v: float) -> tuple[float, float]:
        value, inner = a.values(v)
        return function(value), slope(value) * inner

    return Term(f"{name}({a.text})", values)


def term(chance: random.Random, name: str, depth: int) -> Term:
    """Return a random expression of a variable, defined and smooth everywhere."""
    if depth == 0:
        number = chance.randint(1, 5)
        return chance.choice(
            [
                Term(name, lambda v: (v, 1.0)),
                Term(str(number), lambda v: (float(number), 0.0)),
                Term(f"{number}*{name}", lambda v: (number * v, float(number))),
            ]
        )
    a, b = term(chance, name, depth - 1), term(chance, name, depth - 1)
    made = [_sum, _difference, _product, _quotient]
    if chance.random() < 0.4:
        return chance.choice([_square, *(lambda one, f=f: _call(f, one) for f in FUNCTIONS)])(a)
    return chance.choice(made)(a, b)


@dataclass(frozen=True)
class Plot:
    """A text that KAlgebra plots, and what it must be at each place."""

    text: str
    read: Callable[[Any, float], float]  # of the shape and a place
    meant: Callable[[float], float]
    asked: str  # of KAlgebra's calculator, `@` for the place


def _explicit(axis: int) -> Callable[[Any, float], float]:
    return lambda shape, v: shape.explicit((v, v)) if shape.axis == axis else math.nan


def plots() -> Iterator[Plot]:
    """Yield the plots: twelve forms in turn, each with an expression of its own."""
    chance = random.Random("plots")
    for number in range(PLOTS):
        yield FORMS[number % len(FORMS)](chance)


def _of(
    form: str, variable: str, read: Callable[[Any, float], float], slope: bool = False
) -> Callable[..., Plot]:
    """Return what makes plots of a form, in which `#` stands for the expression."""

    def make(chance: random.Random) -> Plot:
        one = term(chance, variable, chance.choice((1, 2)))
        asked = f"(diff({one.text}:{variable}))(@)" if slope else f"({variable}->{one.text})(@)"
        return Plot(form.replace("#", one.text), read, lambda v: one.values(v)[int(slope)], asked)

    return make


def _constant_free(make: Callable[..., Plot], variable: str) -> Callable[..., Plot]:
    """Return what makes only plots in which the variable stands: a number alone is no plot for KAlgebra."""

    def again(chance: random.Random) -> Plot:
        while True:
            plot = make(chance)
            if variable in plot.asked.partition("->")[2].replace("tanh", "").replace("sech", ""):
                return plot

    return again


FORMS: list[Callable[..., Plot]] = [
    _of("x->#", "x", _explicit(1)),
    _constant_free(_of("#+0*x", "x", _explicit(1)), "x"),
    _of("y=#", "x", _explicit(1)),
    _of("f:=x->#", "x", _explicit(1)),
    _of("y->#", "y", _explicit(0)),
    _of("x=#", "y", _explicit(0)),
    _of("q->#", "q", lambda shape, v: shape.radius(v)),
    _of("t->vector { t, # }", "t", lambda shape, v: shape.point(v)[1]),
    _of("y-(#)=0", "x", lambda shape, v: -shape.level((v, 0.0))),
    _of("(x, y)->#-y", "x", lambda shape, v: shape.level((v, 0.0))),
    _of("diff(#:x)", "x", _explicit(1), slope=True),
    _of("x->(diff(#:x))(x)", "x", _explicit(1), slope=True),
    _of("x->sum(#:n=1..3)/3", "x", _explicit(1)),
    _of("x->piecewise { x>9 ? 0, ? # }", "x", _explicit(1)),
    _of("((x->#))(x)", "x", _explicit(1)),
]


def test_three_hundred_plots_are_read_as_they_were_meant() -> None:
    """Every form of a curve in the plane has the values that it was made with."""
    for plot in plots():
        shape = shapes.curve(parse(plot.text), Evaluator())
        for place in PLACES:
            found, meant = plot.read(shape, place), plot.meant(place)
            assert math.isclose(found, meant, rel_tol=1e-6, abs_tol=1e-6), (plot.text, place)


@pytest.mark.skipif(CALGEBRA is None, reason="needs KAlgebra's calculator: apt install kalgebra")
def test_kalgebra_itself_says_the_same() -> None:
    """KAlgebra's own calculator has the same values at a place of each plot; of some functions it knows no slope."""
    chosen = list(plots())
    places = [PLACES[number % len(PLACES)] for number in range(len(chosen))]
    asked = [plot.asked.replace("@", f"({place})") for plot, place in zip(chosen, places, strict=True)]
    done = subprocess.run(
        [str(CALGEBRA)],
        input="".join(f"{text}\n" for text in asked),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=True,
    )
    numbers = [answer.splitlines()[1] for answer in done.stdout.split(">>> ")[1:-1]]
    assert len(numbers) == PLOTS
    assert numbers.count("Error:") < PLOTS // 10
    for plot, place, number in zip(chosen, places, numbers, strict=True):
        if number == "Error:" and plot.text.count("diff"):
            continue
        assert math.isclose(float(number), plot.meant(place), rel_tol=1e-8, abs_tol=1e-8), (plot.text, place)
