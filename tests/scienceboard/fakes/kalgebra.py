"""KAlgebra with ScienceBoard's server; plots are functions that tests give."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ClassVar

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from .serving import Fake, Refusal, body_of

TOLERANCE = 1e-4
Residual = Callable[..., float]


class FakeKAlgebra(Fake):
    """Knows the expressions in `known`; a request must fit the server's small buffer."""

    routes: ClassVar[dict[tuple[str, str], str]] = {
        ("GET", "/version"): "version",
        ("GET", "/vars"): "tell",
        ("POST", "/func/2d"): "plane",
        ("POST", "/func/3d"): "space",
        ("POST", "/tab"): "show",
        ("POST", "/add/2d"): "add_plane",
        ("POST", "/add/3d"): "add_space",
    }

    def __init__(self, known: dict[str, Residual] | None = None) -> None:
        super().__init__()
        self.known = known or {}
        self.variables = {"pi": "3.141592653589793", "euler": "0.577", "i": "i", "true": "true"}
        self.plots: list[dict[str, Any]] = []
        self.surface: dict[str, Any] = {}
        self.tab = 0

    async def version(self, request: Request) -> Response:
        """Tell the version."""
        return PlainTextResponse("1.0")

    async def tell(self, request: Request) -> Response:
        """Tell the variables."""
        return JSONResponse(self.variables)

    async def plane(self, request: Request) -> Response:
        """Tell of every curve which points it holds."""
        points = await self._points(request, 2)
        return JSONResponse([{**plot, **self._held(plot["expr"], points)} for plot in self.plots])

    async def space(self, request: Request) -> Response:
        """Tell of the surface which points it holds."""
        points = await self._points(request, 3)
        return JSONResponse(
            {**self.surface, **self._held(self.surface["expr"], points)} if self.surface else {}
        )

    async def show(self, request: Request) -> Response:
        """Show a tab."""
        index = await body_of(request, int)
        if index not in range(4):
            raise Refusal(f"no tab {index}")
        self.tab = index
        return PlainTextResponse("OK")

    async def add_plane(self, request: Request) -> Response:
        """Plot a curve."""
        self.plots.append({"expr": await self._expression(request), "color": "#1e90ff", "res": 416})
        return PlainTextResponse("OK")

    async def add_space(self, request: Request) -> Response:
        """Plot a surface."""
        self.surface = {"expr": await self._expression(request), "style": 0}
        return PlainTextResponse("OK")

    async def _expression(self, request: Request) -> str:
        text = (await request.body()).decode()
        if text not in self.known:
            raise Refusal(f"cannot parse {text}")
        return text

    async def _points(self, request: Request, dimensions: int) -> list[list[float]]:
        points: list[list[float]] = await body_of(request, list)
        if len(await request.body()) > 4096:
            raise Refusal("the request does not fit the buffer")
        if any(not isinstance(point, list) or len(point) != dimensions for point in points):
            raise Refusal(f"points have {dimensions} coordinates")
        return points

    def _held(self, expression: str, points: list[list[float]]) -> dict[str, bool]:
        residual = self.known[expression]
        return {
            f"({', '.join(map(json.dumps, point))})": abs(residual(*point)) <= TOLERANCE for point in points
        }
