"""What can be prescribed here, by the name on the label."""

from collections.abc import Mapping
from typing import Any

from clinic.fixtures import Fixtures

Drug = Mapping[str, Any]


def drugs(fixtures: Fixtures) -> dict[str, Drug]:
    """Return all drugs by name."""
    return {drug["name"]: drug for drug in fixtures.load("outpatient_pharmacy/formulary")["drugs"]}


def same_ingredient(fixtures: Fixtures, name: str) -> list[str]:
    """Return the names of everything with the same ingredient, whatever strength and form."""
    known = drugs(fixtures)
    return [other for other, drug in known.items() if drug["ingredient"] == known[name]["ingredient"]]


def look_alikes(fixtures: Fixtures, name: str) -> list[str]:
    """Return what lies beside a product on the shelf: the same ingredient, or a name that begins alike."""
    return [
        other
        for other in drugs(fixtures)
        if other in same_ingredient(fixtures, name) or other[:5] == name[:5]
    ]
