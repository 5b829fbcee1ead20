"""The assessment forms: items with their points, totals and risk bands."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from clinic.fixtures import Fixtures

NOT_TESTABLE = 0  # on the Glasgow coma scale; no part of it has zero points otherwise


@dataclass(frozen=True)
class Option:
    """One answer to an item."""

    points: int
    label: str
    meaning: str


@dataclass(frozen=True)
class Item:
    """One scored line of a form."""

    key: str
    label: str
    options: tuple[Option, ...]

    def option(self, points: int | None) -> Option | None:
        """Return the option with these points."""
        return next((option for option in self.options if option.points == points), None)


@dataclass(frozen=True)
class Detail:
    """A field that is not scored."""

    key: str
    label: str
    options: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class Band:
    """A risk class: its totals begin at `lowest`."""

    key: str
    label: str
    lowest: int


@dataclass(frozen=True)
class Scale:
    """A form."""

    key: str
    name: str
    short: str
    about: str
    items: tuple[Item, ...]
    details: tuple[Detail, ...]
    bands: tuple[Band, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """What a form stores of its own."""
        return (*(item.key for item in self.items), *(detail.key for detail in self.details))

    @property
    def way(self) -> str:
        """How a total comes about."""
        return {"pain": "highest", "gcs": "testable"}.get(self.key, "sum")

    def total(self, points: Mapping[str, int | None]) -> int | None:
        """Return the total, or None while it cannot be formed."""
        given = [points[item.key] for item in self.items]
        known = [each for each in given if each is not None]
        if len(known) < len(given) or (self.way == "testable" and NOT_TESTABLE in known):
            return None
        return max(known) if self.way == "highest" else sum(known)

    def band(self, total: int | None) -> Band | None:
        """Return the class of a total."""
        fitting = [band for band in self.bands if total is not None and band.lowest <= total]
        return max(fitting, key=lambda band: band.lowest, default=None)

    def label(self, key: str | None) -> str:
        """Return how a class reads."""
        return next((band.label for band in self.bands if band.key == key), "")


@cache
def load(fixtures: Fixtures) -> dict[str, Scale]:
    """Return the forms by key."""
    written = fixtures.load("nursing_assessment/scales")
    return {key: _scale(key, facts) for key, facts in written.items()}


def _scale(key: str, facts: dict[str, Any]) -> Scale:
    return Scale(
        key=key,
        name=facts["name"],
        short=facts["short"],
        about=facts["about"],
        items=tuple(
            Item(item["key"], item["label"], tuple(Option(*option) for option in item["options"]))
            for item in facts["items"]
        ),
        details=tuple(
            Detail(
                field["key"],
                field["label"],
                tuple(field["options"]),
                field.get("unit", ""),
            )
            for field in facts.get("details", ())
        ),
        bands=tuple(Band(*band) for band in facts["bands"]),
    )
