"""KAlgebra with ScienceBoard's server in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .service import Application


class KAlgebra(Application):
    """A KAlgebra."""

    async def variables(self) -> dict[str, Any]:
        """Return the printed expression of every variable."""
        return dict(self.json(await self.get("/vars"), "/vars", dict))

    async def points(self, points: Sequence[Sequence[float]]) -> Any:
        """Return which points each plot holds: a list for the plane, one object for space, after the first point."""
        space = bool(points) and len(points[0]) == 3
        path = "/func/3d" if space else "/func/2d"
        reply = await self.post(path, [list(point) for point in points])
        return self.json(reply, path, dict if space else list)

    async def tab(self, index: int) -> None:
        """Show a tab."""
        await self.post("/tab", index)

    async def plot(self, dimensions: int, expression: str) -> None:
        """Plot; the reply comes before it is drawn."""
        await self.post_text(f"/add/{dimensions}d", expression)
