"""Units of measurement: their spellings and conversions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer.text import Token, clean, glued_word, quantity_tokens

Conversion = float | tuple[float, float]

_PER_MINUTE = ("/min", "/minute", "1/min", "min-1", "min⁻¹", "bpm")
_BEATS = ("beats/min", "beats/minute")
_BREATHS = ("breaths/min", "breaths/minute")
_DEGREES = ("°", "degree", "degrees")
KNOWN: dict[str, tuple[str, ...]] = {
    "mL": ("milliliter", "milliliters", "millilitre", "millilitres", "cc"),
    "L": ("liter", "liters", "litre", "litres"),
    "mL/h": ("mL/hr", "mL/hour"),
    "kg": ("kgs", "kilogram", "kilograms", "kilo", "kilos"),
    "g": ("gram", "grams"),
    "mg": ("milligram", "milligrams"),
    "µg": ("mcg", "ug", "microgram", "micrograms"),
    "lb": ("lbs", "pound", "pounds"),
    "mm": ("millimeter", "millimeters", "millimetre", "millimetres"),
    "cm": ("centimeter", "centimeters", "centimetre", "centimetres"),
    "m": ("meter", "meters", "metre", "metres"),
    "ft": ("foot", "feet"),
    "inch": ("inches",),
    "°C": (
        *_DEGREES,
        "C",
        "℃",
        "deg C",
        "degree C",
        "degrees C",
        "celsius",
        "degree celsius",
        "degrees celsius",
    ),
    "°F": (*_DEGREES, "F", "℉", "deg F", "degree F", "degrees F", "fahrenheit", "degrees fahrenheit"),
    "K": ("kelvin",),
    "mmHg": ("mm Hg", "millimeters of mercury", "millimetres of mercury"),
    "kPa": (),
    "/min": (*_PER_MINUTE, *_BEATS, *_BREATHS),
    "beats/min": (*_PER_MINUTE, *_BEATS),
    "breaths/min": (*_PER_MINUTE, *_BREATHS),
    "%": ("percent", "per cent", "pct"),
    "s": ("sec", "secs", "second", "seconds"),
    "min": ("mins", "minute", "minutes"),
    "h": ("hr", "hrs", "hour", "hours"),
    "d": ("day", "days"),
    "week": ("weeks", "wk", "wks"),
    "month": ("months", "mo"),
    "y": ("yr", "yrs", "year", "years", "year old", "years old"),
    "mmol/L": (),
    "µmol/L": ("umol/L",),
    "mEq/L": (),
    "mg/dL": (),
    "g/dL": (),
    "g/L": (),
    "U/L": ("IU/L",),
    "kg/m²": ("kg/m2", "kg/m^2"),
    "$": ("USD", "US$", "dollar", "dollars", "US dollars"),
    "€": ("EUR", "euro", "euros"),
}


class Unit(NamedTuple):
    """A unit: `stated * factor + offset` is the value in the unit of the question."""

    name: str
    factor: Decimal = Decimal(1)
    offset: Decimal = Decimal(0)

    def convert(self, stated: Decimal) -> Decimal:
        """Convert a value in this unit to the unit of the question."""
        return stated * self.factor + self.offset if self.converts else stated

    @property
    def converts(self) -> bool:
        """Whether this unit differs from that of the question."""
        return self.factor != 1 or self.offset != 0


class UnitTable:
    """Finds units in tokens, longest first."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, ...], dict[tuple[str, ...], Unit]] = {}
        self._lengths: list[int] = []

    def add(self, alias: str, unit: Unit) -> None:
        """Add a spelling of a unit, unless it has a meaning already."""
        written = tuple(token.text for token in quantity_tokens(clean(alias)))
        if written:
            self._entries.setdefault(_caseless(written), {}).setdefault(written, unit)
            self._lengths = sorted({len(folded) for folded in self._entries}, reverse=True)

    def find(self, tokens: Sequence[Token], index: int) -> tuple[Unit, int] | None:
        """Return the unit at `index` and the index after it."""
        for length in self._lengths:
            end = index + length
            written = tuple(token.text for token in tokens[index:end])
            unit = self._meaning(written) if len(written) == length and not glued_word(tokens, end) else None
            if unit is not None:
                return unit, end
        return None

    def named(self, names: Sequence[str]) -> Unit | None:
        """Return the first of some units that is accepted."""
        return next(filter(None, (self._meaning((name,)) for name in names)), None)

    def _meaning(self, written: tuple[str, ...]) -> Unit | None:
        aliases = self._entries.get(_caseless(written), {})
        if written in aliases:
            return aliases[written]
        meanings = {unit for alias, unit in aliases.items() if _same_case(written, alias)}
        return meanings.pop() if len(meanings) == 1 else None


def _caseless(written: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lookup key of a unit; `per` is a slash."""
    return tuple("/" if part == "per" else part.casefold() for part in written)


def _same_case(written: tuple[str, ...], alias: tuple[str, ...]) -> bool:
    """Whether a difference in case is harmless: `ml`, `ML` for `mL`, but not `Mg` (mega) for `mg`."""
    first, meant = written[0], alias[0]
    mega = first.startswith("M") and meant.startswith("m") and len(meant) < 5
    return not mega or (len(first) > 1 and first.isupper())


def accepted_units(unit: str | None, units: Mapping[str, Conversion]) -> UnitTable:
    """Return the units in which an answer may be stated.

    Declared aliases come first, then the usual spellings of the same units.

    Raises:
        CheckerFailure: A conversion is malformed.
    """
    declared = [(alias, _unit(alias, conversion)) for alias, conversion in units.items()]
    if unit is not None:
        declared.insert(0, (unit, Unit(unit)))
    table = UnitTable()
    for alias, meaning in declared:
        table.add(alias, meaning)
    for alias, meaning in declared:
        for other in synonyms(alias):
            table.add(other, meaning)
    return table


def _unit(name: str, conversion: Conversion) -> Unit:
    factor, offset = conversion if isinstance(conversion, tuple) else (conversion, 0)
    if not (math.isfinite(factor) and math.isfinite(offset) and factor):
        raise CheckerFailure(f"the unit {name!r} needs a finite factor and offset, has {conversion!r}")
    return Unit(name, Decimal(str(factor)), Decimal(str(offset)))


def synonyms(unit: str) -> tuple[str, ...]:
    """Return the usual spellings of a unit."""
    if unit in KNOWN:
        return KNOWN[unit]
    rows = [(name, *aliases) for name, aliases in KNOWN.items()]
    exact = [row for row in rows if unit in row]
    return next(iter(exact or [row for row in rows if unit.casefold() in map(str.casefold, row)]), ())


def sign_of(tokens: Sequence[Token], index: int) -> tuple[str, ...]:
    """Return the units that a sign or a short word directly behind a number means: `6'`, `6"`, `6 in`; or none."""
    if index >= len(tokens):
        return ()
    text, following = tokens[index].text, tokens[index + 1 : index + 2]
    if text in ("'", "′"):
        return _MARKS['"'] if following and following[0].text == "'" else _MARKS["'"]
    if text.casefold() == "in":  # else it is a preposition, as in `6 in total`
        return () if following and following[0].kind == "word" else ("inch",)
    opened = any(token.text == '"' for token in tokens[:index]) if text == '"' else False
    return () if opened else _MARKS['"'] if text in ('"', "″") else ()


_MARKS = {"'": ("ft", "min"), '"': ("inch", "s")}  # of lengths, and of times


@cache
def known_units() -> UnitTable:
    """Return all known units, for naming a wrong unit in a message."""
    table = UnitTable()
    for name, aliases in KNOWN.items():
        for alias in (name, *aliases):
            table.add(alias, Unit(name))
    return table
