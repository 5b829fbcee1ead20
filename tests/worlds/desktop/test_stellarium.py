from __future__ import annotations

import asyncio
import configparser
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from guest.applications import stellarium
from guest.places import GUEST

INSTALLED = Path("/usr/share/stellarium/data/default_cfg.ini").exists()


@pytest.fixture
def wrapper() -> ModuleType:
    """The program that runs beside Stellarium."""
    spec = importlib.util.spec_from_file_location(
        "stellarium_wrapper", GUEST / "stellarium/inside/wrapper.py"
    )
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.skipif(not INSTALLED, reason="type: apt-get install stellarium")
def test_the_first_sky_is_that_of_the_setup():
    """Place and time stand in the settings; of the plugins only the one for the state is loaded."""
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(
        stellarium._settings(
            [
                {"do": "site", "latitude": 35.68, "longitude": 139.76, "altitude": 40},
                {"do": "day", "jd": 2461500.25},
            ]
        )
    )
    assert parser["init_location"]["location"] == "35.68,139.76,40"
    assert parser["navigation"]["preset_sky_time"] == "2461500.25"
    loaded = [name for name, on in parser["plugins_load_at_startup"].items() if on == "true"]
    assert loaded == ["remotecontrol"]


@pytest.mark.parametrize(
    ("vector", "azimuth", "altitude"),
    [("[1, 0, 0]", 180, 0), ("[0, 1, 0]", 90, 0), ("[-1, 0, 1]", 0, 45), ("[0, -2, 0]", 270, 0)],
    ids=["south", "east", "north", "west"],
)
def test_the_view_is_told_in_degrees(vector, azimuth, altitude):
    """Azimuths are counted from north through east."""
    assert stellarium._direction({"altAz": vector}) == {"azimuth": azimuth, "altitude": altitude}


def test_the_selection_is_the_heading():
    """What follows the name in the same text is left out."""
    assert stellarium._name("<h2>M 31 - NGC 224<br />galaxy</h2>Magnitude: 3.4") == "M 31 - NGC 224"
    assert stellarium._name("") == ""


def test_the_settings_lose_the_password(wrapper, tmp_path, monkeypatch):
    """Once Stellarium has answered, the file that everything in the desktop may read does not tell it any more."""
    settings = tmp_path / "config.ini"
    settings.write_text("[RemoteControl]\npassword = -\n")
    monkeypatch.setattr(wrapper, "_SETTINGS", str(settings))
    remote = wrapper.Remote(1)
    monkeypatch.setattr(remote, "_call", lambda path, data: "ok")
    remote._admit()
    assert settings.read_text() == f"[RemoteControl]\npassword = {remote._password}\n"
    remote.calls([("main/status", None)])
    assert settings.read_text() == "[RemoteControl]\npassword = -\n"


def test_what_the_plugin_is_not_ready_for_is_asked_again(wrapper):
    """While nothing listens, the answer is that it is busy, and the password stays."""
    remote = wrapper.Remote(9)
    answer = remote.calls([("main/status", None)])
    assert "ConnectionRefusedError" in answer["busy"]
    assert not remote._forgotten


@pytest.mark.parametrize(("answers", "found"), [([False, "ok"], True), ([False] * 1000, False)])
def test_an_object_is_asked_for_again(
    answers: list[object], found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planet has no place until it was drawn, so it may be refused at first; an unknown name stays refused."""
    left = iter(answers)

    async def ask(desktop: Any, *calls: Any) -> list[object]:
        return [next(left)]

    monkeypatch.setattr(stellarium, "_SEARCH", 0.2)
    application = stellarium.Stellarium()
    monkeypatch.setattr(application, "_ask", ask)
    desktop: Any = None
    assert asyncio.run(application._found_later(desktop, ("main/focus", {"target": "Mars"}))) is found
