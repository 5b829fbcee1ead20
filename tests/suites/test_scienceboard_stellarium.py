from __future__ import annotations

import importlib.util
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest
from shipped import shipped

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State

FOLDER = Path(__file__).parents[2] / "suites/scienceboard/toolkit"


@pytest.fixture(scope="module")
def ephemeris() -> ModuleType:
    """The suite's own ephemeris."""
    pytest.importorskip("skyfield_data", reason='type: pip install -e ".[desktop]"')
    spec = importlib.util.spec_from_file_location("stellarium_ephemeris", FOLDER / "ephemeris.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


def day(moment: datetime) -> float:
    return 2451545 + (moment - datetime(2000, 1, 1, 12, tzinfo=UTC)).total_seconds() / 86400


def test_jupiter_is_where_stellarium_shows_it(ephemeris):
    """Stellarium 0.22 shows Jupiter above London on 1 March 2026, 21:36 UTC, at 211.07° and 58.53°, 4.615 AU away."""
    london = ephemeris.Sky(51.5074, -0.1278, 10)
    altitude, azimuth = london.altaz("Jupiter", 2461101.4)
    assert (altitude, azimuth) == pytest.approx((58.53, 211.07), abs=0.02)
    assert london.distance("Jupiter", 2461101.4) == pytest.approx(4.615, abs=0.001)
    assert london.lit("moon", 2461101.4) == pytest.approx(97.2, abs=0.3)


def test_full_moons_are_those_of_the_almanac(ephemeris):
    """In the summer of 2026 the Moon is full on 29 June and 29 July."""
    found = ephemeris.full_moons(
        day(datetime(2026, 6, 15, tzinfo=UTC)), day(datetime(2026, 8, 15, tzinfo=UTC))
    )
    moments = (datetime(2026, 6, 29, 23, 57, tzinfo=UTC), datetime(2026, 7, 29, 14, 36, tzinfo=UTC))
    assert found == pytest.approx([day(moment) for moment in moments], abs=2 / 1440)


def test_the_angle_between_two_directions(ephemeris):
    """Across the zenith it is what is missing to 180 degrees."""
    assert ephemeris.between((80, 0), (70, 180)) == pytest.approx(30)


SAID = [
    ("tell_azimuth", "azimuth", 249.475, "249°28'30.2\"", "251°28'30.2\""),
    ("tell_declination", "declination", -13.51, "−13° 30′ 36″", "13° 30′ 36″"),
    ("tell_right_ascension", "right ascension", 11.66, "The right ascension is 11.66 h.", "RA = 11.96 h"),
    ("tell_right_ascension", "right ascension", 11.66, "RA (J2000) = 11.66 h", "RA (J2000) = 12.66 h"),
    ("tell_separation", "apart", 21.3, "They are 21.3 degrees apart.", "They are 23.3 degrees apart."),
    ("tell_distance", "distance", 6.24, "Jupiter is 6.240 AU away.", "Jupiter is 6.740 AU away."),
    ("tell_phase", "lit", 27.3, "27.3% of the Moon's disk is illuminated.", "72.7 % of the Moon's disc"),
    (
        "tell_highest",
        "highest",
        "Jupiter",
        "Jupiter is the highest of the five.",
        "Venus is the highest of the five.",
    ),
]


@pytest.mark.parametrize(("name", "ask", "value", "right", "wrong"), SAID, ids=[one[3] for one in SAID])
def test_answers_in_the_words_of_astronomy(name, ask, value, right, wrong):
    """Angles as Stellarium shows them and usual words beside a value are accepted; another value is not."""
    (task,) = [one for one in shipped("scienceboard").tasks if one.id == name]
    case = Case(task.goals["goal"][0].format(body="Jupiter"), {"ask": ask, "value": value})
    still = State({})
    assert task.judge(Evidence(still, still, right, "answer"), case).success
    assert not task.judge(Evidence(still, still, wrong, "answer"), case).success


@pytest.mark.parametrize("name", ["tell_right_ascension", "tell_declination"])
def test_the_equinox_of_date_is_another_answer(name, ephemeris):
    """The coordinates of 2000 are accepted with two decimals, those of the equinox of date are not."""
    (task,) = [one for one in shipped("scienceboard").tasks if one.id == name]
    for seed in range(12):
        moment = day(datetime(2026 + seed % 3, 1 + seed % 11, 2 + 2 * seed, 5, tzinfo=UTC))
        site = {"latitude": 48.84, "longitude": 2.34, "altitude": 67}
        still = State({"clock": {"time": {"jd": moment}}, "place": {"site": site}})
        case = task.case(still, "goal", seed)
        sky = ephemeris.Sky(**site)
        hours, degrees = sky.of_date(case["body"], moment)
        wrong = hours if name == "tell_right_ascension" else degrees
        assert task.judge(Evidence(still, still, f"{case['value']:.2f}", "answer"), case).success
        assert not task.judge(Evidence(still, still, f"{wrong:.2f}", "answer"), case).success


@pytest.mark.parametrize(
    ("name", "harmless"), [("landscape", True), ("atmosphere", True), ("cardinalPoints", False)]
)
def test_what_hides_an_object_may_be_taken_away(name, harmless):
    """Ground and air may be hidden to see an object behind them; nothing else may."""
    (task,) = [one for one in shipped("scienceboard").tasks if one.id == "close_up_lowest"]
    shown = {"view": {"direction": {"altitude": -17.9, "azimuth": 80}, "zoom": {"fov": 1}}}
    shown["selection"] = {"object": {"name": "Saturn"}}
    place = f"LandscapeMgr.{name}Displayed"
    before, after = (State({**shown, "properties": {place: {"value": value}}}) for value in (True, False))
    case = Case("", {"name": "Saturn", "at": (-17.9, 80), "closer": True})
    assert task.judge(Evidence(before, after, None, "success"), case).success is harmless
