"""GRASS GIS 8 as Debian ships it, on locations of ours, in the layout of one window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from guest.applications.base import Collections, Launch, SetupError, Step
from guest.errors import NotYet, Trouble
from guest.grass import build, geometry
from guest.grass.attributes import Attributes
from guest.grass.geography import EARTH, LOCATIONS, WORLD
from guest.grass.geometry import Geometry
from guest.grass.modules import DATABASE, GISBASE, MAPSET, Modules
from guest.grass.tables import tables
from guest.grass.window import Window
from guest.patience import until
from guest.steps import own

if TYPE_CHECKING:
    from guest.desk import Desk
    from guest.nodes import Box

_NUMBER = (int, float)
_STEPS: dict[str, dict[str, Any]] = {
    "content": {"seed": int},  # attribute tables of all locations, drawn anew
    "location": {"name": str},  # where the program starts
    "point": {"map": str, "cat": int, "x": _NUMBER, "y": _NUMBER},  # moves a point of a map of the earth
    "layer": {"name": str, "kind": str},  # a map that is shown at the start
    "scale": {"value": _NUMBER},
    "view": {"scale": _NUMBER, "east": _NUMBER, "north": _NUMBER},
}
_KINDS = ("raster", "vector")


class Grass:
    """The application; `_window` belongs to the episode that was prepared last."""

    name = "grass"
    packages = ("grass-gui",)
    programs = ("/usr/bin/grass", f"{GISBASE}/gui/wxpython/wxgui.py", "/usr/bin/python3")

    def __init__(self) -> None:
        self._window = Window()
        self._attributes = Attributes()
        self._geometry = Geometry(EARTH, "countries")

    async def prepare(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Put the locations into HOME, with the contents that the setup wants.

        Raises:
            SetupError: A step is not understood.
        """
        steps = _checked(setup)
        await build.lay(desk)
        for step in steps:
            if step["do"] == "content":
                for location, contents in tables(step["seed"]).items():
                    build.fill(desk.home, location, contents)
            elif step["do"] == "point":
                await _move(desk, step)

    def launch(self, desk: Desk, setup: Sequence[Step]) -> Launch:
        """Start GRASS in the setup's location, with the wrapper in place of its own window's script."""
        self._window = Window()
        socket, token = self._window.arrange(desk)
        mapset = desk.inside(f"{DATABASE}/{_location(setup)}/{MAPSET}")
        wrapper = f"{desk.box.guest}/grass/inside/wrapper.py"
        return Launch(("grass", mapset, "--exec", "/usr/bin/python3", wrapper, socket, token))

    async def ready(self, desk: Desk) -> str | None:
        """Return what the window waits for; nothing answers before there is one."""
        try:
            waiting: str | None = (await self._window.ask(desk, "ready"))["waiting"]
        except Trouble as error:
            return str(error)
        return waiting and f"GRASS waits {waiting}"

    async def arrange(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Show layers, then set the place and the scale of the map."""
        for step in _checked(setup):
            if step["do"] == "layer":
                await self._window.do(desk, "add_layer", name=f"{step['name']}@{MAPSET}", kind=step["kind"])
            elif step["do"] == "scale":
                await self._window.do(desk, "view", scale=step["value"])
            elif step["do"] == "view":
                await self._window.do(
                    desk, "view", **{name: step[name] for name in ("scale", "east", "north")}
                )
            else:
                continue
            await self._drawn(desk)

    async def _drawn(self, desk: Desk) -> None:
        """Wait until the map is drawn: what is asked for meanwhile, GRASS forgets."""

        async def drawn() -> None:
            if (waiting := await self.ready(desk)) is not None:
                raise NotYet(waiting)

        await until(drawn, "the map of GRASS was not drawn", every=0.02)

    async def state(self, desk: Desk) -> Collections:
        """Tell the window's layers, displays and console, and the attribute tables of all locations."""
        found: Collections = {"columns": {}}
        for location in LOCATIONS:
            for name, rows in (await self._attributes.read(desk, location)).items():
                found.setdefault(name, {}).update(rows)
        for name, rows in (await self._geometry.read(desk)).items():
            found.setdefault(name, {}).update(rows)
        return found | _told(await self._window.ask(desk, "state"))

    async def place(self, desk: Desk, name: str) -> Box | None:
        """Return where something is that the accessibility tree does not tell: GRASS paints it itself.

        `layer/NAME`, `catalog/LOCATION/MAPSET/MAP`, `map/EAST,NORTH`, `tab/Console`, `tool/LABEL`.
        """
        box = (await self._window.ask(desk, "place", name=name))["box"]
        return None if box is None else (box[0], box[1], box[2], box[3])


def _checked(setup: Sequence[Step]) -> list[Step]:
    steps = own(setup, _STEPS)
    for step in steps:
        if step["do"] == "location" and step["name"] not in LOCATIONS:
            raise SetupError(f"setup step location: {step['name']!r} is none of {', '.join(LOCATIONS)}")
        if step["do"] == "layer" and step["kind"] not in _KINDS:
            raise SetupError(f"setup step layer: kind {step['kind']!r} is none of {', '.join(_KINDS)}")
    return steps


def _location(setup: Sequence[Step]) -> str:
    named = [str(step["name"]) for step in setup if step["do"] == "location"]
    return named[-1] if named else WORLD


async def _move(desk: Desk, step: Step) -> None:
    """Move a point by GRASS's editor of vector maps."""
    modules = Modules(desk, EARTH)
    for cat, x, y in await geometry.read(modules, step["map"]):
        if cat == step["cat"]:
            move = f"{step['x'] - x},{step['y'] - y},0"
            options = {"map": step["map"], "tool": "move", "type": "point", "cats": cat, "move": move}
            await modules("v.edit", options=options)
            return
    raise SetupError(f"setup step point: {step['map']} has no point {step['cat']}")


def _told(window: dict[str, Any]) -> Collections:
    """Give what the window tells keys that stay when other things come and go."""
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


def _layer(told: dict[str, Any]) -> dict[str, Any]:
    fields = ("display", "label", "type", "opacity", "checked", "command", "options")
    return {"name": told["name"] or told["text"], **{name: told[name] for name in fields}}


def _keyed(rows: list[dict[str, Any]], name: str) -> dict[str, dict[str, Any]]:
    """Key rows by one of their fields; a second one of the same name gets a number."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        key = row[name]
        number = sum(1 for known in found if known == key or known.startswith(f"{key} #"))
        found[f"{key} #{number + 1}" if number else key] = row
    return found


APPLICATION = Grass()
