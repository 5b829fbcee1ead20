"""The geometry of every vector map, which does not depend on the seed.

The names of locations, maps and columns are those that ScienceBoard's records use; the lands are invented.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from guest.grass.lattice import Lattice

WORLD = "world_latlong_wgs84"
EARTH = "natural_earth_dataset"
PIEMONTE = "grassdata_piemonte_utm32n_wgs84_grass7"
LOCATIONS = {WORLD: "EPSG:4326", EARTH: "EPSG:4326", PIEMONTE: "EPSG:32632"}

WEST = Lattice("west", (-124.0, -12.0), (8.0, 7.0), 8, 8)
EAST = Lattice("east", (22.0, -34.0), (9.0, 8.0), 6, 8)
SOUTH = Lattice("south", (-40.0, -66.0), (8.0, 6.0), 4, 4)
REGION = Lattice("region", (330_000.0, 4_890_000.0), (24_000.0, 30_000.0), 8, 8)
CONTINENTS = (WEST, EAST, SOUTH)

# The map of countries has two points: a mark on land, and one misplaced in the sea.
LAND_MARK, SEA_MARK = 257, 258
LAND_POINT = (-79.1050308691105, 8.348947891274)
SEA_POINT = (-14.5, 21.25)

HOSPITALS, FIRE_STATIONS, SCHOOLS, PLACES, NAMES = 60, 40, 110, 70, 160


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature of a map.

    Attributes:
        cat: Its category, which is its row's key in the attribute table.
        shape: A GeoJSON geometry.
        cell: Its lattice, column and row.
    """

    cat: int
    shape: dict[str, Any]
    cell: tuple[str, int, int] = ("", 0, 0)


Features = list[Feature]


def blocks(lattice: Lattice, size: int) -> Iterator[tuple[int, int]]:
    """Yield the south-west cells of the square blocks that fill a lattice, row by row."""
    for row in range(0, lattice.rows, size):
        for column in range(0, lattice.columns, size):
            yield column, row


@cache
def vectors() -> dict[str, dict[str, Features]]:
    """Return the features of every vector map, by location and map."""
    return {
        WORLD: {"coastline": _areas(WEST, 8), "graticule": _graticule()},
        EARTH: {
            "countries": _countries(),
            "states_provinces": _areas(WEST, 1),
            "populated_places": [point for land in CONTINENTS for point in _capitals(land)],
        },
        PIEMONTE: {
            "boundary_region": [Feature(1, _polygon(REGION, 0, 0, 8, 8), ("region", 0, 0))],
            "boundary_province": _areas(REGION, (2, 4)),
            "boundary_municipality": _areas(REGION, 1),
            "roadsmajor": _roads(),
            "hospitals": _scattered("hospitals", HOSPITALS),
            "firestations": _scattered("firestations", FIRE_STATIONS),
            "schools": _scattered("schools", SCHOOLS),
            "points_of_interest": _scattered("points_of_interest", PLACES),
            "geonames": _scattered("geonames", NAMES),
        },
    }


def _countries() -> Features:
    lands = [(land, column, row) for land in CONTINENTS for column, row in blocks(land, 2)]
    areas = [
        Feature(number, _polygon(land, column, row, 2, 2), (land.name, column, row))
        for number, (land, column, row) in enumerate(lands, 1)
    ]
    return [*areas, Feature(LAND_MARK, _point(*LAND_POINT)), Feature(SEA_MARK, _point(*SEA_POINT))]


def _areas(lattice: Lattice, size: int | tuple[int, int]) -> Features:
    width, height = (size, size) if isinstance(size, int) else size
    places = [
        (column, row) for row in range(0, lattice.rows, height) for column in range(0, lattice.columns, width)
    ]
    return [
        Feature(number, _polygon(lattice, column, row, width, height), (lattice.name, column, row))
        for number, (column, row) in enumerate(places, 1)
    ]


def _capitals(land: Lattice) -> Features:
    before = sum(len(list(blocks(other, 2))) for other in CONTINENTS[: CONTINENTS.index(land)])
    return [
        Feature(before + number, _point(*land.middle(column, row)), (land.name, column, row))
        for number, (column, row) in enumerate(blocks(land, 2), 1)
    ]


def _scattered(name: str, count: int) -> Features:
    chance = random.Random(f"places of {name}")  # noqa: S311 - variety, not secrecy
    found = []
    for cat in range(1, count + 1):
        column, row = chance.randrange(REGION.columns), chance.randrange(REGION.rows)
        found.append(Feature(cat, _point(*REGION.inside(column, row, chance)), ("region", column, row)))
    return found


def _roads() -> Features:
    """Return roads through the middles of the region's cells: one along each row and each column."""
    along = [[REGION.middle(column, row) for column in range(8)] for row in range(8)]
    across = [[REGION.middle(column, row) for row in range(8)] for column in range(8)]
    return [Feature(cat, _line(points)) for cat, points in enumerate(along + across, 1)]


def _graticule() -> Features:
    meridians = [[(float(x), y) for y in (-80.0, 0.0, 80.0)] for x in range(-150, 180, 30)]
    return [Feature(cat, _line(points)) for cat, points in enumerate(meridians, 1)]


def _polygon(lattice: Lattice, column: int, row: int, width: int, height: int) -> dict[str, Any]:
    return {"type": "Polygon", "coordinates": [lattice.block(column, row, width, height)]}


def _line(points: list[tuple[float, float]]) -> dict[str, Any]:
    return {"type": "LineString", "coordinates": points}


def _point(x: float, y: float) -> dict[str, Any]:
    return {"type": "Point", "coordinates": (x, y)}
