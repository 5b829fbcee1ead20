"""The attribute tables of the maps, generated from the seed.

Seed None is the content that a location is built with; it has the values that ScienceBoard's records name.
"""

from __future__ import annotations

import random
from typing import Any

from guest.grass.geography import CONTINENTS, EARTH, PIEMONTE, WORLD, Feature, blocks, vectors
from guest.grass.names import COUNTRY, LOCAL, PROVINCE, TOWN, people, words

Row = dict[str, Any]
Table = list[Row]

COLUMNS: dict[str, dict[str, dict[str, str]]] = {
    WORLD: {
        "coastline": {"name": "varchar(40)"},
        "graticule": {"degrees": "integer"},
    },
    EARTH: {
        "countries": {
            "name": "varchar(40)",
            "iso_a3": "varchar(3)",
            "economy": "varchar(40)",
            "income_grp": "varchar(40)",
            "pop_est": "integer",
        },
        "states_provinces": {
            "name": "varchar(40)",
            "name_local": "varchar(60)",
            "admin": "varchar(40)",
            "latitude": "double precision",
            "longitude": "double precision",
        },
        "populated_places": {
            "name": "varchar(40)",
            "country": "varchar(40)",
            "pop_max": "integer",
            "timezone": "varchar(10)",
        },
    },
    PIEMONTE: {
        "boundary_region": {"NAME": "varchar(40)", "ISTAT": "varchar(10)", "AREA_KM2": "integer"},
        "boundary_province": {"NAME": "varchar(40)", "CODE": "varchar(2)", "POPULATION": "integer"},
        "boundary_municipality": {"NAME": "varchar(40)", "PROVINCE": "varchar(40)", "ISTAT": "varchar(10)"},
        "roadsmajor": {"name": "varchar(20)", "type": "varchar(20)", "maxspeed": "integer"},
        "hospitals": {"name": "varchar(60)", "city": "varchar(40)", "beds": "integer"},
        "firestations": {"name": "varchar(60)", "street": "varchar(60)", "city": "varchar(40)"},
        "schools": {"name": "varchar(60)", "city": "varchar(40)", "wheelchair": "varchar(10)"},
        "points_of_interest": {
            "name": "varchar(60)",
            "type": "varchar(20)",
            "start_date": "varchar(20)",
            "city": "varchar(40)",
        },
        "geonames": {"name": "varchar(60)", "feature_code": "varchar(5)", "elevation": "integer"},
    },
}

_ECONOMIES = ("1 Developed region", "2 Emerging region", "3 Developing region", "4 Least developed region")
_INCOMES = ("1 High income", "2 Upper middle income", "3 Lower middle income", "4 Low income")
_ROADS = (("motorway", 130), ("primary", 90), ("secondary", 70))
_CODES = ("PPL", "MT", "HTL", "LK", "STM", "PASS", "CH", "FRM")
_POI = ("monument", "museum", "castle", "viewpoint", "fountain")
_WAYS = ("Via", "Viale", "Piazza", "Strada", "Corso")


def tables(seed: int | None = None) -> dict[str, dict[str, Table]]:
    """Return the rows of every attribute table, by location and map; each row has its `cat`."""
    shapes = vectors()
    chance = random.Random(f"tables:{seed}")  # noqa: S311 - variety, not secrecy
    earth = _earth(shapes[EARTH], chance)
    region = _region(shapes[PIEMONTE], chance, named=seed is None)
    world: dict[str, Table] = {
        "coastline": [{"cat": 1, "name": "coast of the west"}],
        "graticule": [
            {"cat": line.cat, "degrees": int(line.shape["coordinates"][0][0])}
            for line in shapes[WORLD]["graticule"]
        ],
    }
    return {WORLD: world, EARTH: earth, PIEMONTE: region}


def _earth(shapes: dict[str, list[Feature]], chance: random.Random) -> dict[str, Table]:
    areas = [feature for feature in shapes["countries"] if feature.cell[0]]
    called = words(COUNTRY, len(areas), chance)
    capitals = words(TOWN, len(areas), chance)
    countries = [_country(area.cat, name, chance) for area, name in zip(areas, called, strict=True)]
    for mark in shapes["countries"][len(areas) :]:
        countries.append(
            dict.fromkeys(COLUMNS[EARTH]["countries"]) | {"cat": mark.cat, "name": "survey mark"}
        )
    places = [
        {
            "cat": feature.cat,
            "name": capital,
            "country": country,
            "pop_max": chance.randrange(80, 9_000) * 1_000 + feature.cat,
            "timezone": f"UTC{round(feature.shape['coordinates'][0] / 15):+d}",
        }
        for feature, capital, country in zip(shapes["populated_places"], capitals, called, strict=True)
    ]
    provinces = _provinces(shapes["states_provinces"], called, chance)
    return {"countries": countries, "states_provinces": provinces, "populated_places": places}


def _country(cat: int, name: str, chance: random.Random) -> Row:
    rank = chance.randrange(4)
    return {
        "cat": cat,
        "name": name,
        "iso_a3": f"{name[:2].upper()}{chr(64 + cat)}",
        "economy": _ECONOMIES[rank],
        "income_grp": _INCOMES[min(3, max(0, rank + chance.choice((-1, 0, 0, 1))))],
        "pop_est": chance.randrange(400, 90_000) * 1_000 + cat,
    }


def _provinces(shapes: list[Feature], countries: list[str], chance: random.Random) -> Table:
    land = CONTINENTS[0]
    owners = dict(zip(blocks(land, 2), countries, strict=False))
    local = words(LOCAL, len(shapes), chance)
    plain = words(PROVINCE, len(shapes), chance)
    found: Table = []
    for feature, name, spoken in zip(shapes, plain, local, strict=True):
        _, column, row = feature.cell
        longitude, latitude = land.inside(column, row, chance)
        while round(latitude, 3) in {known["latitude"] for known in found}:
            latitude += 0.001  # so that a latitude identifies one province
        found.append(
            {
                "cat": feature.cat,
                "name": name,
                "name_local": spoken,
                "admin": owners[column - column % 2, row - row % 2],
                "latitude": round(latitude, 3),
                "longitude": round(longitude, 3),
            }
        )
    return found


def _region(shapes: dict[str, list[Feature]], chance: random.Random, *, named: bool) -> dict[str, Table]:
    provinces = words(TOWN, len(shapes["boundary_province"]), chance)
    towns = words(TOWN, len(shapes["boundary_municipality"]), chance)
    codes = chance.sample([f"{a}{b}" for a in "ABCDEF" for b in "LMNOPR"], len(provinces))
    cities = {
        feature.cell: town for feature, town in zip(shapes["boundary_municipality"], towns, strict=True)
    }
    return {
        "boundary_region": [
            {"cat": 1, "NAME": "Piemonte", "ISTAT": f"{chance.randrange(100):02d}", "AREA_KM2": 46_080}
        ],
        "boundary_province": [
            {
                "cat": cat,
                "NAME": name.upper(),
                "CODE": code,
                "POPULATION": chance.randrange(150, 2_300) * 1_000 + cat,
            }
            for cat, (name, code) in enumerate(zip(provinces, codes, strict=True), 1)
        ],
        "boundary_municipality": [
            {
                "cat": feature.cat,
                "NAME": town.upper(),
                "PROVINCE": provinces[feature.cell[1] // 2 + 4 * (feature.cell[2] // 4)].upper(),
                "ISTAT": f"{chance.randrange(1, 9)}{feature.cat:05d}",
            }
            for feature, town in zip(shapes["boundary_municipality"], towns, strict=True)
        ],
        "roadsmajor": [_road(feature.cat, chance) for feature in shapes["roadsmajor"]],
        "hospitals": _hospitals(shapes["hospitals"], cities, chance),
        "firestations": _fire_stations(shapes["firestations"], cities, chance),
        "schools": _schools(shapes["schools"], cities, chance),
        "points_of_interest": _places(shapes["points_of_interest"], cities, chance, named=named),
        "geonames": _geonames(shapes["geonames"], chance),
    }


def _road(cat: int, chance: random.Random) -> Row:
    kind, speed = chance.choice(_ROADS)
    return {"cat": cat, "name": f"{kind[0].upper()}{cat}", "type": kind, "maxspeed": speed}


Cities = dict[tuple[str, int, int], str]


def _hospitals(shapes: list[Feature], cities: Cities, chance: random.Random) -> Table:
    patrons = people(len(shapes), chance)
    return [
        {
            "cat": feature.cat,
            "name": f"Ospedale {patron}",
            # Few towns are drawn, so that some have several hospitals.
            "city": cities["region", feature.cell[1] // 2, feature.cell[2] // 2].upper(),
            "beds": chance.randrange(40, 900),
        }
        for feature, patron in zip(shapes, patrons, strict=True)
    ]


def _fire_stations(shapes: list[Feature], cities: Cities, chance: random.Random) -> Table:
    streets = people(len(shapes), chance)
    patrons = people(len(shapes), chance)
    return [
        {
            "cat": feature.cat,
            "name": f"Stazione {patron}",
            "street": f"{chance.choice(_WAYS)} {street}",
            "city": cities[feature.cell].upper(),
        }
        for feature, street, patron in zip(shapes, streets, patrons, strict=True)
    ]


def _schools(shapes: list[Feature], cities: Cities, chance: random.Random) -> Table:
    patrons = people(len(shapes), chance)
    return [
        {
            "cat": feature.cat,
            "name": f"Scuola {patron}",
            "city": cities[feature.cell].upper(),
            "wheelchair": chance.choice(("yes", "yes", "no", "limited", None)),
        }
        for feature, patron in zip(shapes, patrons, strict=True)
    ]


def _places(shapes: list[Feature], cities: Cities, chance: random.Random, *, named: bool) -> Table:
    """Return places, exactly one of them with a start date that has day and month."""
    patrons = people(len(shapes), chance)
    rows: Table = [
        {
            "cat": feature.cat,
            "name": patron,
            "type": chance.choice(_POI),
            "start_date": chance.choice((None, None, str(chance.randrange(1650, 1990)))),
            "city": cities[feature.cell].upper(),
        }
        for feature, patron in zip(shapes, patrons, strict=True)
    ]
    dated = chance.choice(rows)
    year, month, day = chance.randrange(1700, 1960), chance.randrange(1, 13), chance.randrange(13, 29)
    dated["start_date"] = f"{year}-{month:02d}-{day:02d}"
    if named:
        dated |= {"name": "Guglielmo Pepe", "start_date": "1858-09-15"}
    return rows


def _geonames(shapes: list[Feature], chance: random.Random) -> Table:
    spots = people(len(shapes), chance)
    return [
        {
            "cat": feature.cat,
            "name": f"{chance.choice(('Capanna', 'Monte', 'Colle', 'Lago', 'San'))} {spot.split()[1]}",
            "feature_code": chance.choice(_CODES),
            "elevation": chance.randrange(180, 3_900),
        }
        for feature, spot in zip(shapes, spots, strict=True)
    ]
