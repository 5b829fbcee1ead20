"""The points of a vector map as GRASS itself tells them; a map that did not change is not asked again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from guest.grass.modules import DATABASE, MAPSET, Modules

if TYPE_CHECKING:
    from guest.desk import Desk

Point = tuple[int, float, float]  # category, east, north


async def read(modules: Modules, name: str) -> list[Point]:
    """Return the points of a map, also of one whose topology is not built.

    Raises:
        ModuleFailed: GRASS cannot read the map.
    """
    options = {
        "input": name,
        "type": "point",
        "format": "point",
        "layer": 1,
        "separator": "pipe",
        "precision": 12,
    }
    printed = await modules("v.out.ascii", options=options)
    rows = [line.split("|") for line in printed.splitlines() if line]
    return [(int(row[-1]), float(row[0]), float(row[1])) for row in rows]


@dataclass(slots=True)
class Points:
    """Reads the points of one map of one location."""

    location: str
    name: str
    _known: tuple[str, dict[str, dict[str, Any]]] = field(default=("", {}))

    async def rows(self, desk: Desk) -> dict[str, dict[str, Any]]:
        """Return the points by category.

        Raises:
            ModuleFailed: GRASS cannot read the map.
        """
        try:
            content = desk.read(f"{DATABASE}/{self.location}/{MAPSET}/vector/{self.name}/coor")
        except FileNotFoundError:  # the map was removed
            return {}
        digest = hashlib.sha256(content).hexdigest()
        if digest != self._known[0]:
            found = await read(Modules(desk, self.location), self.name)
            self._known = digest, {str(cat): {"cat": cat, "east": x, "north": y} for cat, x, y in found}
        return self._known[1]
