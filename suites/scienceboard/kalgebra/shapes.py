"""Curves and surfaces: whether two expressions draw the same, however they are written.

Two shapes are the same if straight lines cross them at the same places. The lines lie at uneven distances, so that no
common formula has them for its symmetry. `y=f(x)`, `x->f(x)`, implicit equations, `y->`, polar and parametric curves
are compared with each other; of surfaces those over a plane, implicit, cylindrical and spherical ones.

KAlgebra's own rules, tried on 22.12: an equation without z in the 3D tab is the surface z = left - right; polar angle
and curve parameter run from 0 to 2*pi.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from .evaluation import Evaluator, Function, real
from .syntax import Apply, Lambda, Name, NotUnderstood, Tree

REACH = 12.0  # lines are followed this far from where they start
TOLERANCE = 1e-4
_MARGIN = 0.05  # at the ends of a line, where a crossing may be just in or just out
_SAMPLES = {2: 180, 3: 72}  # along a line, by dimension
_ENOUGH = 6  # crossings, that a comparison means something
_TURN = 2 * math.pi
_ROUND = 1_200  # samples of a parameter
_AXES = ("x", "y", "z")

Point = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line, in coordinates; `axis` is the coordinate it runs along, -1 for none of them."""

    start: Point
    direction: Point
    axis: int = -1

    def at(self, place: float) -> Point:
        """Return the point at a distance from the start."""
        return tuple(a + place * b for a, b in zip(self.start, self.direction, strict=True))


@dataclass(frozen=True, slots=True)
class Level:
    """Where a function of a point is zero; along `axis` its value tells the place at once, if it has one.

    Attributes:
        level: Zero on the shape, NaN where it is not defined.
        axis: The coordinate that `explicit` gives, -1 for an implicit shape.
        explicit: That coordinate from the others.
    """

    level: Callable[[Point], float]
    axis: int = -1
    explicit: Callable[[Point], float] | None = None

    def tells(self, line: Line) -> bool:
        """Whether it is known where a line crosses, however far that is."""
        return self.axis >= 0 and self.axis == line.axis

    def crossings(self, line: Line) -> list[float]:
        """Return where a line crosses, as distances from its start."""
        if self.explicit is not None and self.tells(line):
            value = self.explicit(line.start)
            return [value] if math.isfinite(value) else []
        samples = _SAMPLES[len(line.start)]
        places = [(REACH + _MARGIN) * (2 * n / samples - 1) for n in range(samples + 1)]

        def along(place: float) -> float:
            return self.level(line.at(place))

        return _zeros(along, places, [along(place) for place in places])


@dataclass(frozen=True, slots=True)
class Polar:
    """A distance from the origin for each angle."""

    radius: Callable[[float], float]

    def tells(self, line: Line) -> bool:
        """Whether it is known where a line crosses, however far that is."""
        return True

    def crossings(self, line: Line) -> list[float]:
        """Return where a line through the origin crosses."""
        angle = math.atan2(line.direction[1], line.direction[0]) % _TURN
        found = [self.radius(angle), -self.radius((angle + math.pi) % _TURN)]
        return [place for place in found if math.isfinite(place)]


@dataclass(frozen=True, slots=True)
class Path:
    """A point of the plane for each value of a parameter."""

    point: Callable[[float], Point]
    samples: tuple[Point, ...]

    def tells(self, line: Line) -> bool:
        """Whether it is known where a line crosses, however far that is."""
        return False

    def crossings(self, line: Line) -> list[float]:
        """Return where a line crosses."""
        (x0, y0), (dx, dy) = line.start, line.direction

        def beside(point: Point) -> float:
            return (point[0] - x0) * dy - (point[1] - y0) * dx

        def ahead(point: Point) -> float:
            return (point[0] - x0) * dx + (point[1] - y0) * dy

        times = [_TURN * n / _ROUND for n in range(_ROUND + 1)]
        values = [beside(point) for point in self.samples]
        return [ahead(self.point(t)) for t in _zeros(lambda t: beside(self.point(t)), times, values)]


Shape = Level | Polar | Path


def same(first: Shape, second: Shape, dimension: int) -> bool:
    """Return whether two shapes are the same.

    Raises:
        NotUnderstood: An expression cannot be calculated.
        ValueError: The second, which is the expected one, is crossed too seldom to tell.
    """
    met = 0
    for line in _lines(first, second, dimension):
        reach = math.inf if first.tells(line) and second.tells(line) else REACH
        found, expected = first.crossings(line), second.crossings(line)
        if not _within(found, expected, reach) or not _within(expected, found, reach):
            return False
        met += sum(abs(place) <= reach for place in expected)
    if met < _ENOUGH:
        raise ValueError("the expected shape lies outside of what is compared")
    return True


def curve(tree: Tree, evaluator: Evaluator) -> Shape:
    """Return the curve that an expression draws in the 2D tab.

    Raises:
        NotUnderstood: It draws none that is known here.
    """
    tree = _solved(tree, _AXES[:2])
    if isinstance(tree, Apply) and tree.operator == "=":
        tree = Lambda(("x", "y"), Apply("-", tree.arguments))
    function = _function(tree, evaluator, ("x", "y", "q", "t"))
    match function.parameters:
        case ("x",):
            return _explicit(1, _real(function), 2)
        case ("y",):
            return _explicit(0, _real(function), 2)
        case ("q",):
            return Polar(_real(function))
        case ("t",):
            return _path(function)
        case ("x", "y"):
            return _implicit(_real(function))
    raise NotUnderstood("the expression draws no curve that is known here")


def surface(tree: Tree, evaluator: Evaluator) -> Shape:
    """Return the surface that an expression draws in the 3D tab.

    Raises:
        NotUnderstood: It draws none that is known here.
    """
    if "z" in free(tree):
        tree = _solved(tree, _AXES)
    if isinstance(tree, Apply) and tree.operator == "=":
        tree = Apply("-", tree.arguments)
        tree = Lambda(_AXES, tree) if "z" in free(tree) else tree
    if free(tree) & {"x", "y"} and "z" not in free(tree):
        tree = Lambda(("x", "y"), tree)
    function = _function(tree, evaluator, _AXES)
    match function.parameters:
        case ("x", "y") | ("x", "z") | ("y", "z") as over:
            (axis,) = {0, 1, 2} - {_AXES.index(name) for name in over}
            return _explicit(axis, _real(function), 3)
        case ("x", "y", "z"):
            return _implicit(_real(function))
        case ("r", "p"):
            return _cylindrical(_real(function))
        case ("t", "p"):
            return _spherical(_real(function))
    raise NotUnderstood("the expression draws no surface that is known here")


def free(tree: Any) -> frozenset[str]:
    """Return the names in an expression that are not its own parameters."""
    if isinstance(tree, Name):
        return frozenset({tree.name})
    if isinstance(tree, tuple):
        return frozenset().union(*(free(part) for part in tree))
    if not hasattr(tree, "__dataclass_fields__"):
        return frozenset()
    own = frozenset(getattr(tree, "parameters", ())) | {getattr(tree, "variable", "")}
    return free(tuple(getattr(tree, part.name) for part in fields(tree))) - own


def _solved(tree: Tree, axes: tuple[str, ...]) -> Tree:
    """Return the function that an equation is where it has one coordinate alone on a side; it is compared faster."""
    if isinstance(tree, Apply) and tree.operator == "=":
        for alone, other in (tree.arguments, tree.arguments[::-1]):
            if isinstance(alone, Name) and alone.name in axes and alone.name not in free(other):
                return Lambda(tuple(axis for axis in axes if axis != alone.name), other)
    return tree


def _function(tree: Tree, evaluator: Evaluator, axes: tuple[str, ...]) -> Function:
    """Return the function that is drawn: one that was written or defined, a derivative, or an expression of the axes.

    Raises:
        NotUnderstood: It is none, or not known here.
    """
    named = tuple(axis for axis in axes if axis in free(tree))
    value = evaluator.meaning(Lambda(named, tree) if named else tree)({})
    if not isinstance(value, Function):
        raise NotUnderstood("the expression is no function of coordinates")
    return value


def _real(function: Function) -> Callable[..., float]:
    """Return a function whose values are real numbers, NaN where they are none."""

    def called(*values: float) -> float:
        value = function(*values)
        if not isinstance(value, int | float | complex):
            raise NotUnderstood("a number is expected")
        return real(value)

    return called


def _path(function: Function) -> Path:
    def point(t: float) -> Point:
        value = function(t)
        if not isinstance(value, tuple) or len(value) != 2:
            raise NotUnderstood("a vector of two is expected")
        x, y = (float(part) for part in value if isinstance(part, int | float))
        return x, y

    return Path(point, tuple(point(_TURN * n / _ROUND) for n in range(_ROUND + 1)))


def _explicit(axis: int, function: Callable[..., float], dimension: int) -> Level:
    def explicit(point: Point) -> float:
        return function(*point[:axis], *point[axis + 1 : dimension])

    return Level(lambda point: point[axis] - explicit(point), axis, explicit)


def _implicit(difference: Callable[..., float]) -> Level:
    return Level(lambda point: difference(*point))


def _cylindrical(height: Callable[[float, float], float]) -> Level:
    def level(point: Point) -> float:
        x, y, z = point
        return z - height(math.hypot(x, y), math.atan2(y, x) % _TURN)

    return Level(level)


def _spherical(radius: Callable[[float, float], float]) -> Level:
    def level(point: Point) -> float:
        x, y, z = point
        angle = math.atan2(y, x) % _TURN
        return math.hypot(x, y, z) - radius(angle, math.atan2(math.hypot(x, y), z))

    return Level(level)


def _lines(first: Shape, second: Shape, dimension: int) -> Iterator[Line]:
    if dimension == 3:
        return _grid(first, second)
    if isinstance(first, Polar) or isinstance(second, Polar):
        return _rays()
    return _parallels(first, second)


def _rays() -> Iterator[Line]:
    for n in range(48):
        angle = 0.0137 + math.pi * n / 48
        yield Line((0.0, 0.0), (math.cos(angle), math.sin(angle)))


def _parallels(first: Shape, second: Shape) -> Iterator[Line]:
    for axis in _directions(first, second, 2):
        for place in _uneven(28):
            yield Line(*_along(axis, (place,)), axis)


def _grid(first: Shape, second: Shape) -> Iterator[Line]:
    main = max((shape.axis for shape in (first, second) if isinstance(shape, Level)), default=-1)
    for axis in _directions(first, second, 3):
        count = (
            6 if axis == main or main < 0 else 3
        )  # where a surface stands over a plane, its heights tell most
        for a in _uneven(count + 1):
            for b in _uneven(count):
                yield Line(*_along(axis, (a, b + 0.0613)), axis)


def _directions(first: Shape, second: Shape, dimension: int) -> Iterable[int]:
    """Return the axes to look along: one is enough where both shapes stand over the same plane."""
    axes = {shape.axis if isinstance(shape, Level) else -1 for shape in (first, second)}
    return axes if len(axes) == 1 and -1 not in axes else range(dimension - 1, -1, -1)


def _along(axis: int, others: Sequence[float]) -> tuple[Point, Point]:
    start = [*others[:axis], 0.0, *others[axis:]]
    return tuple(start), tuple(float(n == axis) for n in range(len(start)))


def _uneven(count: int) -> Iterator[float]:
    """Yield places from about -9 to 9 at uneven distances, closer together in the middle."""
    for n in range(count):
        share = (2 * n + 1) / count - 1
        yield 9.1 * share * (0.35 + 0.65 * abs(share)) + 0.0173


def _within(places: Iterable[float], others: list[float], reach: float) -> bool:
    return all(
        any(abs(place - other) <= TOLERANCE * max(1.0, abs(place)) for other in others)
        for place in places
        if abs(place) <= reach
    )


def _zeros(
    function: Callable[[float], float], places: Sequence[float], values: Sequence[float]
) -> list[float]:
    """Return where a function is zero between neighbouring places at which the sign of its values differs."""
    found = [place for place, value in zip(places, values, strict=True) if value == 0.0]
    for n in range(len(places) - 1):
        low, high = _defined(function, (places[n], values[n]), (places[n + 1], values[n + 1]))
        if low[1] * high[1] < 0:  # not so for NaN
            place = _zero(function, low[0], high[0], low[1])
            if place is not None:
                found.append(place)
    return found


def _defined(
    function: Callable[[float], float], one: tuple[float, float], other: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return two places with their values; where the function ends between them, the end instead of NaN."""
    if math.isnan(one[1]) == math.isnan(other[1]):
        return one, other
    inside, outside = (other, one[0]) if math.isnan(one[1]) else (one, other[0])
    edge = inside
    for _ in range(40):
        middle = (edge[0] + outside) / 2
        value = function(middle)
        if math.isnan(value):
            outside = middle
        else:
            edge = (middle, value)
    return (edge, inside) if math.isnan(one[1]) else (inside, edge)


def _zero(function: Callable[[float], float], low: float, high: float, at_low: float) -> float | None:
    """Halve the interval; None where the sign changes by a jump or a pole."""
    size = max(abs(at_low), abs(function(high)))
    for _ in range(40):
        middle = (low + high) / 2
        value = function(middle)
        if value == 0.0:
            return middle
        if value * at_low > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2 if abs(function((low + high) / 2)) <= 1e-5 * max(size, 1e-3) else None
