"""Points and extents of a vector map, read with GRASS; unchanged maps are cached."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field

from guest.applications.base import Desk
from guest.data import Collections
from guest.grass.modules import DATABASE, MAPSET, ModuleFailed, Modules

_EDGES = ("north", "south", "east", "west")
Point = tuple[int, float, float]  # category, east, north


async def read(modules: Modules, name: str) -> list[Point]:
    """Return the points of a map, even without topology.

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


async def extents(modules: Modules, name: str) -> dict[str, dict[str, float]]:
    """Return the bounding box of each category's features.

    Raises:
        ModuleFailed: GRASS cannot read the map, or its topology is not built.
    """
    options = {"map": name, "option": "bbox", "type": "centroid", "separator": "pipe"}
    printed = await modules("v.to.db", "-p", options=options)
    rows = [line.split("|") for line in printed.splitlines()[1:] if line.count("|") == len(_EDGES)]
    return {cat: dict(zip(_EDGES, map(float, edges), strict=True)) for cat, *edges in rows}


@dataclass(slots=True)
class Geometry:
    """Reads the geometry of one map of one location."""

    location: str
    name: str
    _known: tuple[str, Collections] = field(default=("", {}))

    async def read(self, desktop: Desk) -> Collections:
        """Return `points` and `extents` by category; if the map is being edited or damaged, what is readable."""
        try:
            content = desktop.read(f"{DATABASE}/{self.location}/{MAPSET}/vector/{self.name}/coor")
        except OSError:  # the map was removed or replaced
            return {"points": {}, "extents": {}}
        digest = hashlib.sha256(content).hexdigest()
        if digest != self._known[0]:
            self._known = digest, await self._read(Modules(desktop, self.location))
        return self._known[1]

    async def _read(self, modules: Modules) -> Collections:
        found: Collections = {"extents": self._known[1].get("extents", {})}
        try:
            rows = await read(modules, self.name)
        except (ModuleFailed, ValueError) as error:
            return {"points": {}, "extents": {}, "unreadable": {self.name: {"reason": str(error)}}}
        found["points"] = {str(cat): {"cat": cat, "east": x, "north": y} for cat, x, y in rows}
        with suppress(ModuleFailed):  # while the map is edited, there is no topology
            found["extents"] = dict(await extents(modules, self.name))
        return found
