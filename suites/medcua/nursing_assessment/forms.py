"""The assessment forms and the ward protocol as the fixtures of the world write them down."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from pytest_cuabench.library import FIXTURES

# Forms whose low totals mean a high risk.
_FALLING = ("braden", "gcs")


@cache
def _load(name: str) -> Mapping[str, Any]:
    file = FIXTURES / "clinic" / "nursing_assessment" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def short(form: str) -> str:
    """Return what the screens call a form."""
    name: str = _load("scales")[form]["short"]
    return name


def labels(form: str) -> dict[str, str]:
    """Return the labels of the scored items."""
    return {item["key"]: item["label"] for item in _load("scales")[form]["items"]}


def details(form: str) -> dict[str, str]:
    """Return the labels of the fields that are not scored."""
    return {field["key"]: field["label"] for field in _load("scales")[form].get("details", ())}


def options(form: str, field: str) -> list[str]:
    """Return what a field that is not scored offers."""
    found: list[str] = next(
        entry["options"] for entry in _load("scales")[form]["details"] if entry["key"] == field
    )
    return found


def points(form: str, item: str) -> list[int]:
    """Return the points of an item in the order of its options."""
    return [option[0] for option in _options(form, item)]


def tile(form: str, item: str, value: int) -> str:
    """Return the accessible name of an option."""
    label = next(option[1] for option in _options(form, item) if option[0] == value)
    shown = "NT" if form == "gcs" and value == 0 else str(value)
    return f"{labels(form)[item]}: {shown} {label}".strip()


def _options(form: str, item: str) -> list[Any]:
    found: list[Any] = next(
        entry["options"] for entry in _load("scales")[form]["items"] if entry["key"] == item
    )
    return found


def total(form: str, values: Mapping[str, int]) -> int | None:
    """Return the total, or None where a part is not testable."""
    if form == "gcs" and 0 in values.values():
        return None
    return max(values.values()) if form == "pain" else sum(values.values())


def band(form: str, result: int | None) -> str | None:
    """Return the risk class of a total."""
    fitting = [
        (low, key) for key, _, low in _load("scales")[form]["bands"] if result is not None and low <= result
    ]
    return max(fitting)[1] if fitting else None


def band_label(form: str, key: str) -> str:
    """Return how a class reads."""
    return bands(form)[key]


def bands(form: str) -> dict[str, str]:
    """Return the classes of a form."""
    return {key: label for key, label, _ in _load("scales")[form]["bands"]}


def risk(form: str, key: str) -> int:
    """Return the place of a class from the least risk upwards."""
    order = [entry[0] for entry in sorted(_load("scales")[form]["bands"], key=lambda entry: entry[2])]
    return order[::-1].index(key) if form in _FALLING else order.index(key)


def finding(form: str, item: str, value: int) -> list[str]:
    """Return the sentences that mean an option."""
    found: list[str] = _load("findings")[form][item][str(value)]
    return found


def protocol(domain: str, key: str) -> list[str]:
    """Return the measures that have to run in a class."""
    found: list[str] = _load("protocol")[domain]["protocol"][key]
    return found


def measure(domain: str, key: str) -> str:
    """Return how a measure reads."""
    label: str = _load("protocol")[domain]["measures"][key]["label"]
    return label
