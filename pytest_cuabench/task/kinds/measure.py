"""Numbers, quantities with units, colours, dates and times."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from random import Random
from typing import Any

from pytest_cuabench.task.kinds.base import Kind, Spellings

LENGTHS: Mapping[str, float] = {
    "mm": 1.0,
    "um": 0.001,
    "µm": 0.001,
    "cm": 10.0,
    "in": 25.4,
    '"': 25.4,
    "mil": 0.0254,
    "thou": 0.0254,
    "pt": 25.4 / 72,
}  # in millimetres
SPANS: Mapping[str, float] = {
    "ms": 0.001,
    "s": 1.0,
    "m": 60.0,
    "min": 60.0,
    "h": 3600.0,
    "d": 86400.0,
}  # in seconds
_QUANTITY = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(\S*)\s*", re.IGNORECASE)


def _decimal(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"{value!r:.40} is no number")
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        raise ValueError(f"{value!r:.40} is no number") from None
    if not number.is_finite():
        raise ValueError(f"{value!r:.40} is no number")
    return number


@dataclass(frozen=True)
class Number(Kind):
    """A number: zeros at its end, and the last digits that a binary number has by accident, mean nothing.

    Attributes:
        tolerance: How far it may be from the wanted one.
    """

    tolerance: float = 0.0

    def meaning(self, value: Any) -> float:
        return float(_decimal(value))

    def equal(self, one: float, other: float) -> bool:
        if self.tolerance:
            return abs(one - other) <= self.tolerance
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)

    def spellings(self, value: Any, random: Random) -> Spellings:
        if isinstance(value, str):
            yield "zeros behind", f"{value.strip()}0" if "." in value else f"{value.strip()}.0"
            yield "many zeros behind", f"{value.strip()}000" if "." in value else f"{value.strip()}.000"
        elif float(value).is_integer():
            yield "whole or with a point", float(value) if isinstance(value, int) else int(value)
        else:
            yield "binary rounding", math.nextafter(value, math.inf)

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        number, away = _decimal(value), Decimal(repr(self.tolerance))
        for other in (
            number + 1,
            number * 10,
            -number,
            number + number / 100,
            number + 3 * away,
            number - 3 * away,
        ):
            if abs(other - number) > 2 * away:  # the value may be off itself
                yield str(other) if isinstance(value, str) else float(other)


@dataclass(frozen=True)
class Limit(Number):
    """A number on one side of a limit, which is the wanted one.

    Attributes:
        limit: It may be the number itself.
        least: Whether it has to be more, and not less.
    """

    limit: float = 0.0
    least: bool = False

    def equal(self, one: float, other: float) -> bool:
        return one >= self.limit if self.least else one <= self.limit

    def spellings(self, value: Any, random: Random) -> Spellings:
        yield "the limit itself", self.limit
        yield "within the limit", self._beyond(-1)

    def others(self, value: Any, random: Random) -> Iterator[float]:
        yield self._beyond(0.01)
        yield self._beyond(3)

    def _beyond(self, by: float) -> float:
        """Return the number that is a share of the limit, or of one, beyond it."""
        away = by * max(1.0, abs(self.limit))
        return self.limit - away if self.least else self.limit + away


@dataclass(frozen=True)
class Measure(Kind):
    """A number with a unit; other units and zeros at its end mean the same.

    Attributes:
        units: What one of each unit is, of those that the program knows.
        bare: The unit of a number that has none; None where there has to be one.
        spaced: Whether there may be a space before the unit.
    """

    units: Mapping[str, float] = field(default_factory=lambda: LENGTHS, hash=False)
    bare: str | None = None
    spaced: bool = True

    @property
    def name(self) -> str:
        return "length" if "mm" in self.units else "duration"

    def meaning(self, value: Any) -> float:
        found = _QUANTITY.fullmatch(str(value))
        unit = (found[2] or self.bare or "") if found else ""
        if found is None or unit not in self.units or (not self.spaced and " " in str(value).strip()):
            raise ValueError(f"{value!r:.40} has no unit that is known here")
        return float(found[1]) * self.units[unit]

    def equal(self, one: float, other: float) -> bool:
        return math.isclose(one, other, rel_tol=1e-4, abs_tol=1e-9)

    def spellings(self, value: Any, random: Random) -> Spellings:
        found = _QUANTITY.fullmatch(str(value))
        assert found is not None
        number, unit = found[1], found[2]
        yield "zeros behind", f"{number}{'0' if '.' in number else '.00'}{unit}"
        if self.spaced and (unit or self.bare):
            yield "space before the unit", f"{number} {unit or self.bare}"
        if unit or self.bare:
            yield "no space before the unit", f"{number}{unit or self.bare}"
        if unit and unit == self.bare:
            yield "without the unit", number
        size = self.meaning(value)
        for other, one in self.units.items():
            if other != (unit or self.bare):
                yield "another unit", f"{size / one:.6g}{other}"

    def others(self, value: Any, random: Random) -> Iterator[str]:
        found = _QUANTITY.fullmatch(str(value))
        assert found is not None
        for number in (float(found[1]) * 1.02 + 0.001, float(found[1]) * 10 + 1, -float(found[1]) - 1):
            yield f"{number:.6g}{found[2]}"
        size = self.units[found[2] or self.bare or ""]
        if wrong := next((one for one in self.units if self.units[one] != size), None):
            yield f"{found[1]}{wrong}"


@dataclass(frozen=True)
class Color(Kind):
    """A colour without transparency: `#rrggbb` in either case, `#rgb`, `rgb(r, g, b)`, `r:g:b`, or one of the names.

    Attributes:
        names: What names that the program knows stand for, as `#rrggbb`.
    """

    names: Mapping[str, str] = field(default_factory=dict, hash=False)

    def meaning(self, value: Any) -> tuple[int, int, int]:
        if isinstance(value, list | tuple):
            return self._channels([str(one) for one in value], value)
        text = self.names.get(str(value).strip().casefold(), str(value).strip())
        if found := re.fullmatch(r"#?([0-9a-f]{6})", text, re.IGNORECASE):
            return self._channels([str(int(found[1][at : at + 2], 16)) for at in (0, 2, 4)], value)
        if found := re.fullmatch(r"#([0-9a-f]{3})", text, re.IGNORECASE):
            return self._channels([str(int(digit * 2, 16)) for digit in found[1]], value)
        return self._channels(
            re.findall(r"\d+", text) if re.fullmatch(r"[rgb(]*[\d,;:\s]+\)?", text) else [], value
        )

    @staticmethod
    def _channels(texts: list[str], value: Any) -> tuple[int, int, int]:
        if len(texts) != 3 or not all(text.isdigit() and int(text) < 256 for text in texts):
            raise ValueError(f"{value!r:.40} is no colour")
        red, green, blue = (int(text) for text in texts)
        return red, green, blue

    def spellings(self, value: Any, random: Random) -> Spellings:
        if not isinstance(value, str):
            return
        red, green, blue = self.meaning(value)
        if value.strip().startswith("#"):
            yield "capital or small digits", value.swapcase()
        elif ":" in value:
            yield "digits of sixteen", f"#{red:02x}{green:02x}{blue:02x}"
        for name, stands_for in self.names.items():
            if self.meaning(stands_for) == (red, green, blue) and name != value:
                yield "by name", name

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        red, green, blue = self.meaning(value)
        for channels in ((red ^ 1, green, blue), (red, green ^ 16, blue), (red, green, blue ^ 128)):
            if isinstance(value, list | tuple):
                yield list(channels)
            elif ":" in value:
                yield ":".join(str(one) for one in channels)
            else:
                yield "#{:02x}{:02x}{:02x}".format(*channels)


@dataclass(frozen=True)
class Clock(Kind):
    """A time of the day or a length of time as `h:mm:ss`; seconds may be missing, and hours given as minutes.

    Attributes:
        short: Whether two parts are minutes and seconds, as in players, and not hours and minutes.
    """

    short: bool = False

    def meaning(self, value: Any) -> float:
        parts = str(value).strip().split(":")
        if not 2 <= len(parts) <= 3 or not all(re.fullmatch(r"\d+(\.\d+)?", part) for part in parts):
            raise ValueError(f"{value!r:.40} is no time")
        if len(parts) == 2:
            parts = ["0", *parts] if self.short else [*parts, "0"]
        hours, minutes, seconds = (float(part) for part in parts)
        return hours * 3600 + minutes * 60 + seconds

    def spellings(self, value: str, random: Random) -> Spellings:
        total = round(self.meaning(value))
        hours, minutes, seconds = total // 3600, total // 60 % 60, total % 60
        yield "with seconds", f"{hours}:{minutes:02}:{seconds:02}"
        yield "with zeros before", f"{hours:02}:{minutes:02}:{seconds:02}"
        if self.short:
            yield "hours as minutes", f"{total // 60}:{seconds:02}"
        elif not seconds:
            yield "without seconds", f"{hours}:{minutes:02}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        total = round(self.meaning(value))
        for other in (total + 1, total + 60, total + 3600):
            yield f"{other // 3600}:{other // 60 % 60:02}:{other % 60:02}"


@dataclass(frozen=True)
class Date(Kind):
    """A day, in any of the forms that the program reads.

    Attributes:
        forms: As `strptime` has them.
    """

    forms: tuple[str, ...] = ("%Y-%m-%d",)

    def meaning(self, value: Any) -> datetime:
        for form in self.forms:
            try:
                return datetime.strptime(str(value).strip(), form)
            except ValueError:
                continue
        raise ValueError(f"{value!r:.40} is no date")

    def spellings(self, value: str, random: Random) -> Spellings:
        day = self.meaning(value)
        for form in self.forms:
            if (written := day.strftime(form)) != value:
                yield f"as {form}", written

    def others(self, value: str, random: Random) -> Iterator[str]:
        day = self.meaning(value)
        for other in (day + timedelta(days=1), day + timedelta(days=31), day + timedelta(days=366)):
            yield other.strftime(self.forms[0])
