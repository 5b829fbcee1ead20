"""Stellarium 0.22, unmodified: the sky of a place and a time.

Its state is read through its plugin for remote control, which a wrapper reaches inside the box (`guest/stellarium`),
and from its file of settings. HOME has the names of Messier's objects only, and empty lists of outlines, further
designations and the like, with which Stellarium starts in half the time. It is drawn once a second while nobody acts,
and its clock stands still at first.

The setup has any of these steps; without a step the place is London and the time the spring of 2026.

    {"do": "site", "latitude": 51.5, "longitude": -0.1, "altitude": 10}      degrees, metres
    {"do": "day", "jd": 2461101.4}                                           the Julian date, UTC
    {"do": "properties", "values": {"ConstellationMgr.linesDisplayed": true}}
    {"do": "select", "name": "Mars"}
"""

from __future__ import annotations

import configparser
import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from guest import steps
from guest.applications.base import Desk
from guest.applications.formats import FORMATS
from guest.data import Collections, Launch, SetupError, Step
from guest.errors import DesktopFailure, NotReady
from guest.sealed.window import Wrapped
from guest.timeouts import scaled, wait_until

_NUMBER = (int, float)
_VERBS: dict[str, dict[str, Any]] = {
    "site": {"latitude": _NUMBER, "longitude": _NUMBER, "altitude": int},
    "day": {"jd": _NUMBER},
    "properties": {"values": dict},
    "select": {"name": str},
}
_SITE: Step = {"do": "site", "latitude": 51.5074, "longitude": -0.1278, "altitude": 10}
_DAY: Step = {"do": "day", "jd": 2461101.4}
_DATA = Path("/usr/share/stellarium")
_FOLDER = ".stellarium"
_SETTINGS = f"{_FOLDER}/config.ini"
_LEFT_OUT = (
    "data/nomenclature.dat",  # what lies on planets
    "nebulae/default/outlines.dat",
    "stars/default/cross-id.dat",
    "stars/default/extra_name.fab",
    "stars/default/hip_plx_err.dat",
)
_PORT = 8790
_SECONDS = scaled(15.0)
_SHADERS = ".cache/qtshadercache-x86_64-little_endian-lp64"  # compiled ones, which the first start makes
_QUIET: dict[str, dict[str, str]] = {
    "plugins_load_at_startup": {"RemoteControl": "true"},
    "RemoteControl": {
        "autostart": "true",
        "port": str(_PORT),
        "use_password": "true",
        "password": "-",
    },
    "video": {
        "fullscreen": "false",
        "screen_w": "1280",
        "screen_h": "800",
        "minimum_fps": "1",
        "maximum_fps": "20",
    },
    "localization": {"sky_locale": "en", "app_locale": "en", "time_display_format": "24h"},
    "search": {"flag_search_online": "false"},
    "stars": {"flag_star_twinkle": "false"},
    "gui": {
        "selected_object_info": "all",
        "flag_show_fps": "false",
        "auto_hide_horizontal_toolbar": "false",
        "auto_hide_vertical_toolbar": "false",
        "flag_enable_kinetic_scrolling": "false",
    },
    "navigation": {"startup_time_mode": "preset", "time_zone": "UTC", "auto_move_duration": "0.1"},
    "init_location": {"landscape_name": "zero"},
    "astro": {"flag_milky_way": "false", "flag_zodiacal_light": "false"},
    "landscape": {"atmosphere_fade_duration": "0", "flag_fog": "false", "flag_atmosphere": "false"},
    "viewing": {"constellation_art_fade_duration": "0"},
}
_FOCUS = "main/focus"
_TAKEN = ("ok", "true", True)
_SEARCH = 5.0  # seconds for an object that is not found at once
_PATHS = ("main/status", "main/view", "stelproperty/list")
# Properties that follow from others or from the view, and pictures of switches that other properties have.
_FOLLOWING = (
    "action",
    "HipsMgr.",
    "LandscapeMgr.allLandscapeNames",
    "LandscapeMgr.currentLandscapeHtmlDescription",
    "LandscapeMgr.currentLandscapeName",
    "RemoteControl.",
    "Skylight.",
    "StelCore.currentProjectionNameI18n",
    "StelCore.currentTimeZone",  # is named when a dialog is opened first
    "StelCore.currentProjectionType",
    "StelSkyDrawer.lightPollutionLuminance",
    "StelToneReproducer.",
)
_OWN = ("StelCore.currentProjectionTypeKey",)
_ASIDE = ("recentSearch", "light_pollution_")  # options that are written as dialogs are opened
_VOLATILE = ("RemoteControl", "DialogPositions", "DialogSizes")  # sections
_CLOSED: Collections = {"program": {"stellarium": {"running": False}}}


class Stellarium(Wrapped):
    """The planetarium."""

    name = "stellarium"
    packages = ("stellarium",)
    private = (".cache",)  # compiled shaders
    closed = _CLOSED
    late = 2.0  # the view follows in the next frame, which a busy machine draws late
    programs = ("/usr/bin/stellarium", f"{_DATA}/data/default_cfg.ini", "/usr/bin/python3")

    def __init__(self) -> None:
        super().__init__("Stellarium")

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Write the settings, the shorter lists, and the shaders that an earlier start has compiled.

        Raises:
            SetupError: A step is not understood.
        """
        found = steps.own(setup, _VERBS)
        desktop.write(_SETTINGS, _settings([_SITE, _DAY, *found]))
        catalogue = _DATA / "nebulae/default"
        lines = (catalogue / "names.dat").read_text(encoding="utf-8").splitlines(keepends=True)
        kept = "".join(line for line in lines if line.startswith("M "))
        desktop.write(f"{_FOLDER}/nebulae/default/names.dat", kept)
        for name in _LEFT_OUT:
            desktop.write(f"{_FOLDER}/{name}", "")
        for file in filter(Path.is_file, sorted((desktop.store / "shaders").rglob("*"))):
            desktop.write(f"{_SHADERS}/{file.name}", file.read_bytes())

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Start Stellarium by the wrapper, which stops the clock of one that is opened again."""
        channel = self.next_channel()
        wrapper = f"{desktop.box.guest}/stellarium/inside/wrapper.py"
        env = {"LP_NUM_THREADS": "2"}  # of the software that draws; more gain nothing
        episode = desktop.episode
        again = (
            [str(_day(episode.setup))]
            if episode is not None and episode.application.name == self.name
            else []
        )
        return Launch(("/usr/bin/python3", "-I", wrapper, str(_PORT), *again), env, channel=channel)

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is missing: the answer of the plugin, which is loaded last."""
        try:
            await self._ask(desktop, ("main/status", None))
        except (NotReady, DesktopFailure) as error:
            return str(error)
        return None

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Stop the clock at the given time, and set what the settings cannot.

        Raises:
            SetupError: There is no such property or object.
        """
        calls: list[tuple[str, dict[str, Any] | None]] = []
        for step in [_DAY, *steps.own(setup, _VERBS)]:
            if step["do"] == "day":
                calls.append(("main/time", {"time": step["jd"], "timerate": 0}))
            elif step["do"] == "properties":
                calls += [
                    ("stelproperty/set", {"id": name, "value": json.dumps(value).strip('"')})
                    for name, value in step["values"].items()
                ]
            elif step["do"] == "select":
                calls.append((_FOCUS, {"target": step["name"], "mode": "mark"}))
        for call, answer in zip(calls, await self._ask(desktop, *calls), strict=True):
            if answer not in _TAKEN and not (call[0] == _FOCUS and await self._found_later(desktop, call)):
                raise SetupError(f"Stellarium does not take {call[0]} {call[1]}: {answer!r:.200}")
        for name in _files(desktop.file(_SHADERS)):
            target = desktop.store / "shaders" / name
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(desktop.read(f"{_SHADERS}/{name}"))

    async def _found_later(self, desktop: Desk, call: tuple[str, dict[str, Any] | None]) -> bool:
        """Ask for an object again for a while: what moves with the time has no place until it was drawn."""

        async def asked() -> bool:
            (answer,) = await self._ask(desktop, call)
            if answer not in _TAKEN:
                raise NotReady(str(answer))
            return True

        try:
            return await wait_until(asked, "Stellarium did not find it", _SEARCH)
        except DesktopFailure:
            return False

    async def state(self, desktop: Desk) -> Collections:
        """Return the settings that are saved."""
        return {"settings": _saved(desktop)}

    async def live_state(self, desktop: Desk) -> Collections:
        """Return place, clock, view, selection and properties."""
        told = await wait_until(lambda: self._told(desktop), "Stellarium did not tell its state", _SECONDS)
        status, view, properties = told
        place, clock = status["location"], status["time"]
        chosen = status["selectioninfo"]
        return {
            "place": {
                "site": {
                    "planet": place["planet"],
                    "name": place["name"],
                    "latitude": round(place["latitude"], 4),
                    "longitude": round(place["longitude"], 4),
                    "altitude": place["altitude"],
                }
            },
            "clock": {"time": {"jd": round(clock["jday"], 6), "rate": round(clock["timerate"] * 86400, 3)}},
            "view": {"direction": _direction(view), "zoom": {"fov": round(status["view"]["fov"], 3)}},
            "selection": {"object": {"name": _name(chosen)}},
            "properties": {
                name: {"value": one["value"]}
                for name, one in properties.items()
                if name in _OWN or not name.startswith(_FOLLOWING)
            },
        }

    async def _told(self, desktop: Desk) -> list[Any]:
        answers = await self._ask(desktop, *((path, None) for path in _PATHS))
        if "nan" in answers[1]["altAz"]:
            raise NotReady("it has no direction at the moment")  # for a frame, when it begins to move
        return answers

    async def _ask(self, desktop: Desk, *calls: tuple[str, dict[str, Any] | None]) -> list[Any]:
        answers: list[Any] = (await self._window.ask("calls", calls=calls))["answers"]
        return answers


def _day(setup: Sequence[Step]) -> float:
    """Return the Julian date of a setup."""
    days = [step["jd"] for step in [_DAY, *steps.own(setup, _VERBS)] if step["do"] == "day"]
    return float(days[-1])


def _settings(setup: Sequence[Step]) -> str:
    """Return the settings of a first start, with the place and the time of the setup."""
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(_DATA / "data/default_cfg.ini", encoding="utf-8")
    for plugin in parser["plugins_load_at_startup"]:
        parser["plugins_load_at_startup"][plugin] = "false"
    parser.read_dict(_QUIET)
    for step in setup:
        if step["do"] == "site":
            place = f"{step['latitude']},{step['longitude']},{step['altitude']}"
            parser["init_location"].update({"location": place, "last_location": place})
        elif step["do"] == "day":
            parser["navigation"]["preset_sky_time"] = str(step["jd"])
    text = io.StringIO()
    parser.write(text)
    return text.getvalue()


def _direction(view: dict[str, str]) -> dict[str, Any]:
    """Return where the middle of the view is, in degrees."""
    south, east, up = json.loads(view["altAz"])
    azimuth = math.degrees(math.atan2(east, -south)) % 360
    return {
        "azimuth": round(azimuth, 2),
        "altitude": round(math.degrees(math.atan2(up, math.hypot(south, east))), 2),
    }


def _name(selection: str) -> str:
    """Return the heading of the selected object, without the mark-up."""
    heading = selection.partition("</h2>")[0].partition("<h2>")[2]
    return heading.partition("<br")[0].strip()


def _saved(desktop: Desk) -> dict[str, dict[str, Any]]:
    try:
        text = desktop.read(_SETTINGS).decode("utf-8", "replace")
    except OSError as error:
        return {"config.ini": {"unreadable": error.strerror or str(error)}}
    found: dict[str, dict[str, Any]] = {}
    for key, row in FORMATS["ini"]("config.ini", text):
        if key.partition("/")[2] not in _VOLATILE:
            found[key] = {name: value for name, value in row.items() if not name.startswith(_ASIDE)}
    return found


def _files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("*") if file.is_file() and not file.is_symlink())


APPLICATION = Stellarium()
