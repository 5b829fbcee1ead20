"""GRASS GIS 8 from Debian, with the guest's own locations, in the single-window layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from guest.applications.base import Desk
from guest.data import Collections, Launch, SetupError, Step
from guest.errors import DesktopFailure, NotReady
from guest.grass import build, geometry
from guest.grass.attributes import Attributes
from guest.grass.geography import EARTH, LOCATIONS, WORLD
from guest.grass.geometry import Geometry
from guest.grass.modules import DATABASE, GISBASE, MAPSET, Modules
from guest.grass.tables import tables
from guest.sealed.window import Wrapped
from guest.steps import own
from guest.timeouts import wait_until

if TYPE_CHECKING:
    from guest.nodes import Box

_NUMBER = (int, float)
_STEPS: dict[str, dict[str, Any]] = {
    "content": {"seed": int},  # generate the attribute tables of all locations
    "location": {"name": str},  # the location in which the program starts
    "point": {"map": str, "cat": int, "x": _NUMBER, "y": _NUMBER},  # move a point of a map
    "layer": {"name": str, "kind": str},  # show a map at the start
    "scale": {"value": _NUMBER},
    "view": {"scale": _NUMBER, "east": _NUMBER, "north": _NUMBER},
}
_KINDS = ("raster", "vector")
_ISOLATED = ("/usr/bin/python3", "-I")


class Grass(Wrapped):
    """The application."""

    name = "grass"
    private = (".grass8", ".cache")  # variables, add-ons and settings that its start reads
    packages = ("grass-gui",)
    programs = ("/usr/bin/grass", f"{GISBASE}/gui/wxpython/wxgui.py", "/usr/bin/python3")
    closed = None

    def __init__(self) -> None:
        super().__init__("GRASS")
        self._attributes = Attributes()
        self._geometry = Geometry(EARTH, "countries")

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Put the locations into HOME, with the contents of the setup.

        Raises:
            SetupError: A step is not understood.
        """
        steps = _checked(setup)
        await build.install_locations(desktop)
        for step in steps:
            if step["do"] == "content":
                for location, contents in tables(step["seed"]).items():
                    build.fill(desktop.home, location, contents)
            elif step["do"] == "point":
                await _move(desktop, step)

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Start GRASS in the setup's location, with the wrapper instead of its own GUI script."""
        if desktop.episode is not None and desktop.episode.application.name == self.name:
            setup = desktop.episode.setup  # it is opened again
        channel = self.next_channel()
        mapset = desktop.inside(f"{DATABASE}/{_location(setup)}/{MAPSET}")
        wrapper = f"{desktop.box.guest}/grass/inside/wrapper.py"
        argv = (*_ISOLATED, "/usr/bin/grass", mapset, "--exec", *_ISOLATED, wrapper)
        return Launch(argv, {"PYTHONNOUSERSITE": "1"}, channel=channel)  # of its modules

    async def ready(self, desktop: Desk) -> str | None:
        """Return what the window is waiting for."""
        try:
            waiting: str | None = (await self._window.ask("ready"))["waiting"]
        except DesktopFailure as error:
            return str(error)
        return waiting and f"GRASS waits {waiting}"

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Show layers, then set the place and the scale of the map."""
        for step in _checked(setup):
            if step["do"] == "layer":
                await self._window.do("add_layer", name=f"{step['name']}@{MAPSET}", kind=step["kind"])
            elif step["do"] == "scale":
                await self._window.do("view", scale=step["value"])
            elif step["do"] == "view":
                await self._window.do("view", **{name: step[name] for name in ("scale", "east", "north")})
            else:
                continue
            await self._drawn(desktop)

    async def _drawn(self, desktop: Desk) -> None:
        """Wait until the map is drawn: GRASS drops requests made meanwhile."""

        async def drawn() -> None:
            if (waiting := await self.ready(desktop)) is not None:
                raise NotReady(waiting)

        await wait_until(drawn, "the map of GRASS was not drawn", every=0.02)

    async def state(self, desktop: Desk) -> Collections:
        """Return the attribute tables of all locations, and the geometry of maps."""
        found: Collections = {"columns": {}}
        for location in LOCATIONS:
            for name, rows in (await self._attributes.read(desktop, location)).items():
                found.setdefault(name, {}).update(rows)
        for name, rows in (await self._geometry.read(desktop)).items():
            found.setdefault(name, {}).update(rows)
        return found

    async def live_state(self, desktop: Desk) -> Collections:
        """Return the window's layers, displays and console."""
        return _window_state(await self._window.ask("state"))

    async def place(self, desktop: Desk, name: str) -> Box | None:
        """Return the box of something that GRASS paints itself, without accessibility nodes.

        `layer/NAME`, `catalog/LOCATION/MAPSET/MAP`, `map/EAST,NORTH`, `tab/Console`, `tool/LABEL`.
        """
        box = (await self._window.ask("place", name=name))["box"]
        return None if box is None else (box[0], box[1], box[2], box[3])


def _checked(setup: Sequence[Step]) -> list[Step]:
    steps = own(setup, _STEPS)
    for step in steps:
        if step["do"] == "location" and step["name"] not in LOCATIONS:
            raise SetupError(
                f"setup step location: {step['name']!r} is unknown; known: {', '.join(LOCATIONS)}"
            )
        if step["do"] == "layer" and step["kind"] not in _KINDS:
            raise SetupError(
                f"setup step layer: kind {step['kind']!r} is unknown; known: {', '.join(_KINDS)}"
            )
    return steps


def _location(setup: Sequence[Step]) -> str:
    named = [str(step["name"]) for step in setup if step["do"] == "location"]
    return named[-1] if named else WORLD


async def _move(desktop: Desk, step: Step) -> None:
    """Move a point with GRASS's vector editing module."""
    modules = Modules(desktop, EARTH)
    for cat, x, y in await geometry.read(modules, step["map"]):
        if cat == step["cat"]:
            move = f"{step['x'] - x},{step['y'] - y},0"
            options = {"map": step["map"], "tool": "move", "type": "point", "cats": cat, "move": move}
            await modules("v.edit", options=options)
            return
    raise SetupError(f"setup step point: {step['map']} has no point {step['cat']}")


def _window_state(window: dict[str, Any]) -> Collections:
    """Return the window's state with stable keys."""
    session = window["session"]
    return {
        "session": {
            "grass": {
                "location": session["LOCATION_NAME"],
                "mapset": session["MAPSET"],
                "title": window["title"],
            }
        },
        "displays": {display["name"]: display for display in window["displays"]},
        "layers": _keyed([_layer(layer) for layer in window["layers"]], "name"),
        "order": {"layers": {"names": [_layer(layer)["name"] for layer in window["layers"]]}},
        "selection": {
            "layers": {"names": [_layer(one)["name"] for one in window["layers"] if one["selected"]]}
        },
        "windows": _keyed([{"title": title} for title in window["windows"]], "title"),
        "console": {"output": {"text": window["console"]}},
    }


def _layer(layer: dict[str, Any]) -> dict[str, Any]:
    fields = ("display", "label", "type", "opacity", "checked", "command", "options")
    return {"name": layer["name"] or layer["text"], **{name: layer[name] for name in fields}}


def _keyed(rows: list[dict[str, Any]], name: str) -> dict[str, dict[str, Any]]:
    """Key rows by a field; duplicates are numbered."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        key = row[name]
        number = sum(1 for known in found if known == key or known.startswith(f"{key} #"))
        found[f"{key} #{number + 1}" if number else key] = row
    return found


APPLICATION = Grass()
