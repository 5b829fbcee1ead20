"""`--cua-world` moves a desktop to another machine, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plugin.test_settings import resolve

from pytest_cuabench.drivers.backend import place_of
from pytest_cuabench.drivers.chromium.own_app.web_app import in_mode
from pytest_cuabench.drivers.driver import Place
from pytest_cuabench.drivers.worlds import WorldSpec, find_world
from pytest_cuabench.errors import SettingError
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.model import SuiteInfo

DESK = SuiteInfo("lab", "Lab", "a paper", "xvfb", "desktop", Size(1920, 1080), (0,), (), Path())


def at(where: str, suite: SuiteInfo = DESK) -> Place:
    """Return where a suite is played with this word."""
    return place_of(suite, resolve({"world": [where]} if where else {}))  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("where", "place", "words"),
    [
        ("", Place("xvfb"), "xvfb"),
        ("desktop=xvfb", Place("xvfb"), "xvfb"),
        ("other=docker", Place("xvfb"), "xvfb"),
        ("desktop=docker", Place("docker", None, True), "docker"),
        ("desktop=docker:lab:2", Place("docker", "lab:2", True), "docker:lab:2"),
        ("desktop=qemu:/vm/a,b.qcow2", Place("qemu", "/vm/a,b.qcow2", True), "qemu:/vm/a,b.qcow2"),
        ("desktop=http://host:5000/", Place("guest", "http://host:5000", True), "http://host:5000"),
        ("desktop=unix:/run/guest", Place("guest", "unix:/run/guest", True), "unix:/run/guest"),
    ],
)
def test_places(where: str, place: Place, words: str) -> None:
    """A driver's name, with an image or without, or an address; what is not said stays the suite's own."""
    assert at(where) == place
    assert str(at(where)) == words


def test_a_browser_with_a_window() -> None:
    """`browser=xvfb` gives every web world's browser a window, and changes no desktop."""
    web = replace(DESK, name="web", driver="chromium", world="clinic")
    assert at("browser=xvfb", web) == Place("chromium", None, True, browser="xvfb")
    assert str(at("browser=xvfb", web)) == "chromium browser=xvfb"
    assert at("browser=xvfb") == Place("xvfb")
    org = replace(DESK, name="org", driver="salesforce", world="salesforce")
    assert at("browser=xvfb", org).browser == "xvfb"
    assert at("salesforce=xvfb,browser=xvfb", org).browser is None


def test_no_window() -> None:
    """A word that names no place for a window is refused with those that do."""
    web = replace(DESK, name="web", driver="chromium", world="clinic")
    with pytest.raises(
        SettingError,
        match=r"^invalid value for --cua-world: 'browser=docker'; expected browser=xvfb$",
    ):
        at("browser=docker", web)


@pytest.mark.parametrize(
    "where",
    [
        "desktop=podman",
        "desktop=vmware",
        "desktop=guest",
        "desktop=xvfb:1",
        "desktop=http://user:word@host",
        "desktop=ftp://host",
    ],
)
def test_no_place(where: str) -> None:
    """What is no place is one sentence with all that may be said; so are secrets in an address."""
    with pytest.raises(
        SettingError, match=r"^invalid value for --cua-world: 'desktop=.*'; expected desktop="
    ) as no:
        at(where)
    for accepted in (
        "xvfb",
        "docker",
        "docker:IMAGE",
        "qemu",
        "qemu:FILE",
        "the address of a desktop such as http",
    ):
        assert accepted in str(no.value)


def test_web_world_stays() -> None:
    """A world of web pages runs in its browser only."""
    with pytest.raises(SettingError, match="clinic runs on the driver chromium only; remove clinic=docker"):
        at("clinic=docker", replace(DESK, driver="chromium", world="clinic"))


def test_modes_of_a_web_world() -> None:
    """One without a folder is its word alone; another takes a folder, and neither is mistaken for the other."""
    imaging = replace(DESK, driver="chromium", world="imaging")
    assert at("imaging=orthanc", imaging) == Place("chromium", "orthanc", True)
    orthanc = in_mode(find_world("imaging"), "orthanc")
    assert isinstance(orthanc, WorldSpec)
    assert orthanc.mode == "orthanc"
    live = in_mode(find_world("docs_web"), "live:/recorded")
    assert isinstance(live, WorldSpec)
    assert live.mode == "live:/recorded"
    with pytest.raises(SettingError, match="imaging has no mode orthanc:FOLDER; it has orthanc"):
        in_mode(find_world("imaging"), "orthanc:here")
    with pytest.raises(SettingError, match="docs_web has no mode live; it has live:FOLDER, replay:FOLDER"):
        in_mode(find_world("docs_web"), "live")


def test_a_web_world_may_take_a_file(tmp_path: Path) -> None:
    """The address of an application that runs already is handed to its world as an absolute path."""
    openemr = replace(DESK, driver="chromium", world="openemr")
    (file := tmp_path / "address").touch()
    assert at(f"openemr={file}", openemr) == Place("chromium", str(file), True)
    spec = in_mode(find_world("openemr"), str(file))
    assert isinstance(spec, WorldSpec)
    assert spec.mode == str(file)
    with pytest.raises(SettingError, match="openemr=gone'; expected openemr=FILE"):
        at("openemr=gone", openemr)
    with pytest.raises(SettingError, match="the world openemr takes a file, and there is no file gone"):
        in_mode(find_world("openemr"), "gone")
    with pytest.raises(SettingError, match="imaging has no mode"):
        in_mode(find_world("imaging"), str(file))


def value(text: Any) -> Any:
    """Return what the option becomes, given several times."""
    settings: Settings = resolve({"world": text})
    return settings.world


def test_repeated_or_listed() -> None:
    """The option may be repeated or hold a list; an address or a path may hold a comma."""
    both = (("desktop", "docker"), ("clinic", "http://a"))
    assert value(["desktop=docker", "clinic=http://a"]) == both
    assert value(["desktop=docker,clinic=http://a"]) == both
    assert value(["desktop=qemu:/a,b"]) == (("desktop", "qemu:/a,b"),)
    assert str(value(["desktop=docker", "clinic=http://a"])) == "desktop=docker,clinic=http://a"


@pytest.mark.parametrize("text", ["docker", "desktop=", "=docker", "desktop=a,desktop=b", "Desk=1"])
def test_malformed(text: str) -> None:
    """What assigns nothing, or twice, is refused with an example."""
    with pytest.raises(SettingError, match=r"expected NAME=VALUE, each name once, such as desktop=docker"):
        value([text])


def test_an_org_may_be_a_live_one() -> None:
    """The emulator's other place is an org's address; anything else is refused in one sentence."""
    suite = replace(DESK, driver="salesforce", world="salesforce")
    place = at("salesforce=https://acme.my.salesforce.com/", suite)
    assert place == Place("salesforce", "https://acme.my.salesforce.com", True)
    assert str(place) == "https://acme.my.salesforce.com"
    assert at("", suite) == Place("salesforce")
    with pytest.raises(SettingError, match=r"^--cua-world: invalid org 'docker'; expected a URL"):
        at("salesforce=docker", suite)
