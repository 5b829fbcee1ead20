from __future__ import annotations

import importlib.util
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

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
