"""Celestia with ScienceBoard's server."""

from __future__ import annotations

import copy
from typing import Any, ClassVar

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from .serving import Fake, Refusal, body_of, exactly

MARKS = (
    "bodyAxes",
    "frameAxes",
    "sunDirection",
    "velocityVector",
    "spinVector",
    "planetographicGrid",
    "terminator",
)
OBSERVER = {"position": [0.0, 0.0, 0.0], "distance": 0.0, "visible": False}


def body(position: list[float], distance: float, *, visible: bool = False, **more: Any) -> dict[str, Any]:
    """Return what the server tells of a body of the solar system."""
    return {
        "position": position,
        "object": position,
        "distance": distance,
        "radius": 1.0,
        "visible": visible,
        "hidden": False,
        "mark": dict.fromkeys(MARKS, False),
        **more,
    }


class FakeCelestia(Fake):
    """Knows some bodies; anything else, or a type that does not fit, is bad input."""

    routes: ClassVar[dict[tuple[str, str], str]] = {("GET", "/version"): "version", ("POST", "/dump"): "dump"}

    def __init__(self) -> None:
        super().__init__()
        self.time: dict[str, Any] = {"value": 2_451_545.0, "scale": 1.0, "pause": False}
        self.config: dict[str, Any] = {
            "render": {"stars": True, "orbits": False, "horizonGrid": False, "celestialSphere": False},
            "orbit": {},
            "label": {},
            "resolution": 1,
            "starStyle": 0,
            "autoMagnitude": 8.5,
        }
        self.bodies: dict[tuple[str, int], dict[str, Any]] = {
            ("Earth", 2): body([1.0, 0.0, 0.0], 10_000.0),
            ("Moon", 2): body([0.997, 0.0, 0.0], 20_000.0),
            ("Neptune", 2): body([30.0, 0.0, 0.0], 4e9),
            ("Sol", 1): body([0.0, 0.0, 0.0], 1.5e8, mark=None),
        }

    async def version(self, request: Request) -> Response:
        """Tell the version."""
        return PlainTextResponse("1.0")

    async def dump(self, request: Request) -> Response:
        """Tell time, settings and bodies."""
        entity: dict[str, Any] = {"observer": OBSERVER}
        for asked in await body_of(request, list):
            exactly(asked, name=str, type=int)
            if (asked["name"], asked["type"]) not in self.bodies:
                raise Refusal(f"no {asked}")
            entity[asked["name"]] = copy.deepcopy(self.bodies[asked["name"], asked["type"]])
        return JSONResponse({"time": self.time, "entity": entity, "config": self.config})
