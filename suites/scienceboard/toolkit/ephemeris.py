"""Where things are in the sky, by an ephemeris of its own (DE421 of the package skyfield-data), not by Stellarium's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from typing import Any

PLANETS = ("Mercury", "Venus", "Mars", "Jupiter", "Saturn")
_BARYCENTRES = {"Mars": "mars", "Jupiter": "jupiter barycenter", "Saturn": "saturn barycenter"}
STARS = {  # right ascension in hours, declination in degrees, of 2000
    "Vega": (18.61565, 38.78369),
    "Arcturus": (14.26102, 19.18241),
    "Capella": (5.27816, 45.99799),
    "Procyon": (7.65503, 5.22499),
    "Altair": (19.84639, 8.86832),
    "Aldebaran": (4.59868, 16.50930),
    "Spica": (13.41988, -11.16132),
    "Regulus": (10.13953, 11.96721),
    "Deneb": (20.69053, 45.28034),
    "Antares": (16.49013, -26.43200),
}
CONSTELLATIONS = {
    "Vega": "Lyra",
    "Arcturus": "Boötes",
    "Capella": "Auriga",
    "Procyon": "Canis Minor",
    "Altair": "Aquila",
    "Aldebaran": "Taurus",
    "Spica": "Virgo",
    "Regulus": "Leo",
    "Deneb": "Cygnus",
    "Antares": "Scorpius",
}
"""The constellations of which these are the brightest stars."""
NEBULAE = {  # of Messier's list
    31: (0.71231, 41.2688),
    13: (16.69490, 36.4613),
    42: (5.58814, -5.3911),
    57: (18.89308, 33.0292),
    51: (13.49797, 47.1952),
    81: (9.92588, 69.0653),
}


@cache
def _data() -> tuple[Any, Any]:
    from skyfield.api import load, load_file

    # Its own function warns of tables of the Earth's rotation, which are not used here, once they are old.
    with as_file(files("skyfield_data") / "data/de421.bsp") as path:
        return load.timescale(builtin=True), load_file(str(path))


@dataclass(frozen=True, slots=True)
class Sky:
    """The sky above a place, at Julian dates of universal time."""

    latitude: float
    longitude: float
    altitude: float

    def altaz(self, name: str, jd: float) -> tuple[float, float]:
        """Return altitude, without refraction, and azimuth of a body in degrees."""
        height, azimuth, _ = self._seen(name, jd).apparent().altaz()
        return float(height.degrees), float(azimuth.degrees)

    def right_ascension(self, name: str, jd: float) -> float:
        """Return the right ascension of 2000 in hours."""
        return float(self._seen(name, jd).apparent().radec()[0].hours)

    def declination(self, name: str, jd: float) -> float:
        """Return the declination of 2000 in degrees."""
        return float(self._seen(name, jd).apparent().radec()[1].degrees)

    def of_date(self, name: str, jd: float) -> tuple[float, float]:
        """Return right ascension in hours and declination in degrees of the equinox of date."""
        hours, degrees, _ = self._seen(name, jd).apparent().radec("date")
        return float(hours.hours), float(degrees.degrees)

    def distance(self, name: str, jd: float) -> float:
        """Return the distance in astronomical units."""
        return float(self._seen(name, jd).distance().au)

    def lit(self, name: str, jd: float) -> float:
        """Return how much of the disc is lit, in percent."""
        sun = _data()[1]["sun"]
        return float(100 * self._seen(name, jd).fraction_illuminated(sun))

    def apart(self, one: str, other: str, jd: float) -> float:
        """Return the angle between two bodies in degrees."""
        seen = self._seen(one, jd).apparent()
        return float(seen.separation_from(self._seen(other, jd).apparent()).degrees)

    def highest(self, jd: float, names: Sequence[str] = PLANETS) -> list[str]:
        """Return bodies from the highest to the lowest."""
        return sorted(names, key=lambda name: -self.altaz(name, jd)[0])

    def _seen(self, name: str, jd: float) -> Any:
        from skyfield.api import Star, wgs84

        scale, bodies = _data()
        here = bodies["earth"] + wgs84.latlon(self.latitude, self.longitude, self.altitude)
        where: Any
        if name in STARS:
            hours, degrees = STARS[name]
            where = Star(ra_hours=hours, dec_degrees=degrees)
        elif name.startswith("M "):
            hours, degrees = NEBULAE[int(name[2:])]
            where = Star(ra_hours=hours, dec_degrees=degrees)
        else:
            where = bodies[_BARYCENTRES.get(name, name.lower())]
        return here.at(scale.ut1_jd(jd)).observe(where)


def full_moons(first: float, last: float) -> list[float]:
    """Return when the Moon is full between two Julian dates."""
    from skyfield import almanac

    scale, bodies = _data()
    times, phases = almanac.find_discrete(
        scale.ut1_jd(first), scale.ut1_jd(last), almanac.moon_phases(bodies)
    )
    return [float(time.ut1) for time, phase in zip(times, phases, strict=True) if phase == 2]


def between(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the angle between two directions, each an altitude and an azimuth in degrees."""
    (a, b), (c, d) = ((math.radians(x), math.radians(y)) for x, y in (one, other))
    cosine = math.sin(a) * math.sin(c) + math.cos(a) * math.cos(c) * math.cos(b - d)
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
