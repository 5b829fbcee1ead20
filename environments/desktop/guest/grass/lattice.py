"""Grids of irregular cells whose shared borders have the same points, so that areas meet without gaps."""

from __future__ import annotations

import random
from dataclasses import dataclass

Point = tuple[float, float]
Ring = list[Point]

_BENDS = 3  # points within a border


@dataclass(frozen=True, slots=True)
class Lattice:
    """An irregular grid of `columns` x `rows` cells, determined by its name.

    Attributes:
        name: The seed of its irregularity.
        origin: South-west corner, in map units.
        cell: Width and height of a cell, in map units.
    """

    name: str
    origin: Point
    cell: Point
    columns: int
    rows: int

    def block(self, column: int, row: int, width: int = 1, height: int = 1) -> Ring:
        """Return the closed border of a block of cells, counterclockwise."""
        right, top = column + width, row + height
        corners = [(x, row) for x in range(column, right)]
        corners += [(right, y) for y in range(row, top)]
        corners += [(x, top) for x in range(right, column, -1)]
        corners += [(column, y) for y in range(top, row, -1)]
        ring: Ring = []
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
            ring += self._border(start, end)
        return [*ring, ring[0]]

    def middle(self, column: int, row: int) -> Point:
        """Return a point well inside a cell."""
        return (
            round(self.origin[0] + (column + 0.5) * self.cell[0], 6),
            round(self.origin[1] + (row + 0.5) * self.cell[1], 6),
        )

    def inside(self, column: int, row: int, chance: random.Random) -> Point:
        """Return a random point of a cell, away from its borders."""
        x, y = self.middle(column, row)
        return (
            round(x + chance.uniform(-0.3, 0.3) * self.cell[0], 6),
            round(y + chance.uniform(-0.3, 0.3) * self.cell[1], 6),
        )

    def _node(self, column: int, row: int) -> Point:
        chance = self._chance(column, row)
        return (
            self.origin[0] + (column + chance.uniform(-0.12, 0.12)) * self.cell[0],
            self.origin[1] + (row + chance.uniform(-0.12, 0.12)) * self.cell[1],
        )

    def _border(self, start: tuple[int, int], end: tuple[int, int]) -> Ring:
        """Return the points from one node up to (excluding) the next; the same in both directions."""
        first, last = sorted((start, end))
        chance = self._chance(*first, *last)
        (ax, ay), (bx, by) = self._node(*first), self._node(*last)
        bends = []
        for number in range(1, _BENDS + 1):
            share = number / (_BENDS + 1)
            x = ax + share * (bx - ax) + chance.uniform(-0.06, 0.06) * self.cell[0]
            y = ay + share * (by - ay) + chance.uniform(-0.06, 0.06) * self.cell[1]
            bends.append((x, y))
        ring = [(ax, ay), *bends] if first == start else [(bx, by), *reversed(bends)]
        return [(round(x, 6), round(y, 6)) for x, y in ring]

    def _chance(self, *place: int) -> random.Random:
        return random.Random(f"{self.name}:{place}")  # noqa: S311 - roughness, not secrecy
