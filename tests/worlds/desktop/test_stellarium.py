from __future__ import annotations

import asyncio
import configparser
import importlib.util
import shutil
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from drivers.guests import Guest, absent

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


def test_the_clock_is_stopped_once_the_plugin_answers(wrapper, monkeypatch):
    """Until then it is asked again."""
    remote, asked = wrapper.Remote(1), []
    answers = iter([{"busy": "refused"}, {"busy": "refused"}, {"answers": ["ok"]}])
    monkeypatch.setattr(wrapper, "_POLL", 0.0)
    monkeypatch.setattr(remote, "calls", lambda calls: (asked.append(calls), next(answers))[1])
    remote.stop_clock(2461500.25)
    assert asked == [[("main/time", {"time": 2461500.25, "timerate": 0})]] * 3


@pytest.mark.slow  # Stellarium starts twice
@pytest.mark.skipif(not INSTALLED, reason="type: apt-get install stellarium")
def test_a_window_that_was_opened_again_has_the_clock_of_the_first():
    """Its clock stands still at the time of the setup, as that of the first start does."""
    if reason := absent() or (None if shutil.which("stellarium") else "stellarium is not installed"):
        pytest.skip(reason)
    guest = Guest(screen="1920x1080")
    try:
        guest.begin("stellarium", [{"do": "day", "jd": 2461500.25}])
        before = guest.collections()["clock"]
        guest.act({"kind": "key", "keys": ["ctrl", "q"]})
        until(guest, lambda told: "clock" not in told["collections"])
        guest.act({"kind": "open_app", "name": "stellarium"})
        until(guest, lambda told: told["collections"].get("clock") == before)
        time.sleep(2)  # in which a clock that runs gets on
        assert guest.collections()["clock"] == before
    finally:
        guest.close()


def until(guest: Guest, fits: Any) -> None:
    """Wait until a state is told that fits."""
    for _ in range(150):
        told = guest.call("GET", "/session/state")
        if not told["trouble"] and not told["unsealed"] and fits(told):
            return
        time.sleep(0.2)
    pytest.fail(f"not told: {told['collections'].get('clock')}, {told['trouble']}, {told['unsealed']}")
