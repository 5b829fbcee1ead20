"""GRASS's graphical interface with ScienceBoard's server."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from .serving import Fake, body_of, exactly

LOCATIONS = {
    "natural_earth_dataset": ("countries", "natural_earth"),
    "grassdata_piemonte_utm32n_wgs84_grass7": ("boundary_region", "schools"),
}


class FakeGrass(Fake):
    """Two locations with two maps each, and one attribute table."""

    routes: ClassVar[dict[tuple[str, str], str]] = {
        ("GET", "/version"): "version",
        ("GET", "/init/cmd"): "no_console",
        ("POST", "/init/map"): "go",
        ("POST", "/init/layer"): "add",
        ("POST", "/init/scale"): "scale",
        ("GET", "/dump"): "dump",
        ("POST", "/gcmd"): "module",
    }

    def __init__(self) -> None:
        super().__init__()
        self.location = ""
        self.layers: list[dict[str, Any]] = []
        self.shown_scale = 1.0
        self.console = True
        self.toolbars: dict[str, Any] = {"keys": ["map"], "shown": True, "layer": {"name": "N/A"}}
        self.tables: dict[str, Any] = {
            "boundary_region@PERMANENT": {
                "info": {"columns": [{"name": "ISTAT", "sql_type": "CHARACTER"}]},
                "records": [{"name": "Guglielmo Pepe", "start_date": "1858-05-01"}],
            }
        }

    async def version(self, request: Request) -> Response:
        """Tell the version."""
        return PlainTextResponse("1.0")

    async def no_console(self, request: Request) -> Response:
        """Take the console away."""
        self.console = False
        return PlainTextResponse("OK")

    async def go(self, request: Request) -> Response:
        """Go to a mapset."""
        told = await body_of(request, dict)
        exactly(told, grassdb=str, location=str, mapset=str)
        if told["location"] not in LOCATIONS or told["mapset"] != "PERMANENT":
            return PlainTextResponse("ERROR")
        self.location = told["location"]
        return PlainTextResponse("OK")

    async def add(self, request: Request) -> Response:
        """Add a map to the display."""
        told = await body_of(request, dict)
        exactly(told, query=dict)
        exactly(told["query"], name=str)
        if told["query"]["name"] not in LOCATIONS.get(self.location, ()):
            return PlainTextResponse("ERROR")
        self.layers.append({"name": f"{told['query']['name']}@PERMANENT", "opacity": 1.0, "type": "N/A"})
        return PlainTextResponse("OK")

    async def scale(self, request: Request) -> Response:
        """Set the scale."""
        told = await body_of(request, dict)
        exactly(told, scale=(int, float))
        self.shown_scale = told["scale"]
        return PlainTextResponse("OK")

    async def dump(self, request: Request) -> Response:
        """Tell what is shown."""
        windows = [
            {
                "name": layer["name"],
                "_text": layer["name"],
                "_data": ["N/A", {"params": layer.get("params", [])}],
            }
            for layer in self.layers
        ]
        return JSONResponse(
            {
                "layers": [
                    {key: value for key, value in layer.items() if key != "params"} for layer in self.layers
                ],
                "windows": windows,
                "toolbars": self.toolbars,
                "statusbar": {"mode": 0, "scale": self.shown_scale},
                "region": {"n": 90.0, "s": -90.0, "e": 180.0, "w": -180.0},
                "output": "",
            }
        )

    async def module(self, request: Request) -> Response:
        """Run a module."""
        told = await body_of(request, dict)
        exactly(told, cmd=str, kwargs=dict)
        table = self.tables.get(told["kwargs"].get("map"))
        if told["cmd"] == "v.to.db":
            return JSONResponse({"returncode": 0, "stdout": "cat|x|y|z\n257|-79.1|8.3|0\n"})
        if told["cmd"] != "v.db.select" or table is None:
            return JSONResponse({"returncode": 1, "stdout": ""})
        return JSONResponse({"returncode": 0, "stdout": json.dumps(table)})
