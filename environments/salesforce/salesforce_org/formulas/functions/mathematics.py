"""Functions of numbers and places."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_UP, Decimal
from functools import partial

from salesforce_org.formulas.functions.catalog import define
from salesforce_org.formulas.values import CONTEXT, rounded

_PI = Decimal("3.141592653589793238462643383279502884")
_EARTH = {"mi": 3958.7614, "km": 6371.0088}
_math = partial(define, "Math")


def _whole(rounding: str) -> Callable[[Decimal], Decimal]:
    return lambda number: number.to_integral_value(rounding)


def _precise(act: Callable[[float], float]) -> Callable[[Decimal], Decimal]:
    """Return a function of floats as one of decimals."""
    return lambda number: Decimal(repr(act(float(number))))


def _cut(number: Decimal, digits: Decimal = Decimal(0)) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-int(digits)), ROUND_DOWN, CONTEXT)


def _distance(one: tuple[Decimal, Decimal], other: tuple[Decimal, Decimal], unit: str) -> Decimal:
    (south, west), (north, east) = (tuple(math.radians(part) for part in place) for place in (one, other))
    chord = (
        math.sin((north - south) / 2) ** 2
        + math.cos(south) * math.cos(north) * math.sin((east - west) / 2) ** 2
    )
    return Decimal(repr(2 * _EARTH.get(unit.casefold(), _EARTH["mi"]) * math.asin(math.sqrt(chord))))


_math(
    "ABS(number: Number) -> Number", "Returns the absolute value of a number, a number without its sign", abs
)
_math(
    "ACOS(number: Number) -> Number", "Returns the arc cosine of the number in radians", _precise(math.acos)
)
_math("ASIN(number: Number) -> Number", "Returns the arc sine of the number in radians", _precise(math.asin))
_math(
    "ATAN(number: Number) -> Number", "Returns the arc tangent of the number in radians", _precise(math.atan)
)
_math(
    "ATAN2(y: Number, x: Number) -> Number",
    "Returns the arc tangent of the quotient of y and x in radians",
    lambda y, x: Decimal(repr(math.atan2(y, x))),
)
_math(
    "CEILING(number: Number) -> Number",
    "Rounds a number up to the nearest integer, away from zero if it is negative",
    _whole(ROUND_UP),
)
_math("CHR(number: Number) -> Text", "Returns the character of a code", lambda number: chr(int(number)))
_math("COS(number: Number) -> Number", "Returns the cosine of an angle in radians", _precise(math.cos))
_math(
    "DISTANCE(location_1: Location, location_2: Location, unit: Text) -> Number",
    "Returns the distance between two locations in miles ('mi') or kilometers ('km')",
    _distance,
)
_math(
    "EXP(number: Number) -> Number",
    "Returns e raised to the power of a given number",
    CONTEXT.exp,
)
_math(
    "FLOOR(number: Number) -> Number",
    "Rounds a number down to the nearest integer, towards zero if it is negative",
    _whole(ROUND_DOWN),
)
_math(
    "GEOLOCATION(latitude: Number, longitude: Number) -> Location",
    "Returns a geolocation of a latitude and a longitude",
    lambda latitude, longitude: (latitude, longitude),
)
_math(
    "LN(number: Number) -> Number",
    "Returns the natural logarithm of a number",
    CONTEXT.ln,
)
_math(
    "LOG(number: Number) -> Number",
    "Returns the base 10 logarithm of a number",
    CONTEXT.log10,
)
_math("MAX(number: Number...) -> Number", "Returns the greatest of all the arguments", max)
_math(
    "MCEILING(number: Number) -> Number",
    "Rounds a number up to the nearest integer, towards zero if it is negative",
    _whole(ROUND_CEILING),
)
_math(
    "MFLOOR(number: Number) -> Number",
    "Rounds a number down to the nearest integer, away from zero if it is negative",
    _whole(ROUND_FLOOR),
)
_math("MIN(number: Number...) -> Number", "Returns the least of all the arguments", min)
_math(
    "MOD(number: Number, divisor: Number) -> Number",
    "Returns the remainder after a number is divided by a divisor",
    CONTEXT.remainder,
)
_math("PI() -> Number", "Returns pi, the ratio of a circle's circumference to its diameter", lambda: _PI)
_math(
    "ROUND(number: Number, num_digits: Number) -> Number",
    "Rounds a number to a specified number of digits",
    lambda number, digits: rounded(number, int(digits)),
)
_math("SIN(number: Number) -> Number", "Returns the sine of an angle in radians", _precise(math.sin))
_math(
    "SQRT(number: Number) -> Number",
    "Returns the positive square root of a number",
    CONTEXT.sqrt,
)
_math("TAN(number: Number) -> Number", "Returns the tangent of an angle in radians", _precise(math.tan))
_math(
    "TRUNC(number: Number, [num_digits: Number]) -> Number",
    "Truncates a number to a specified number of digits",
    _cut,
)
