"""How each task's world begins: what the attribute tables hold, where GRASS starts, and what it shows."""

from __future__ import annotations

import random
from typing import Any

from .maps import AREAS, EARTH, PIEMONTE, POINTS, RASTERS, WORLD, kind_of

Steps = list[dict[str, Any]]


def _begin(chance: random.Random, location: str, *shown: str) -> Steps:
    """Start in a location with tables of this seed, and show maps."""
    return [
        {"do": "content", "seed": chance.randrange(1_000_000)},
        {"do": "location", "name": location},
        *({"do": "layer", "name": name, "kind": kind_of(name)} for name in shown),
    ]


def _one_of_piemonte(chance: random.Random) -> Steps:
    return _begin(chance, PIEMONTE, chance.choice([*AREAS[PIEMONTE], *POINTS[PIEMONTE]]))


def _areas_of_piemonte(chance: random.Random) -> Steps:
    return _begin(chance, PIEMONTE, chance.choice(AREAS[PIEMONTE]))


def _region(chance: random.Random) -> Steps:
    return _begin(chance, PIEMONTE, "boundary_region")


def open_map(chance: random.Random) -> Steps:
    """Begin somewhere else."""
    return _begin(chance, WORLD)


def replace_layer(chance: random.Random) -> Steps:
    """Show one of the maps of the earth."""
    return _begin(chance, EARTH, chance.choice(("natural_earth", "states_provinces", "populated_places")))


hide_toolbar = start_editing = show_status = set_scale = rename_layer = set_opacity = _one_of_piemonte


def hide_layer(chance: random.Random) -> Steps:
    """Show areas with two maps of points above them."""
    return _begin(chance, PIEMONTE, chance.choice(AREAS[PIEMONTE]), *chance.sample(POINTS[PIEMONTE], 2))


def pan_to_country(chance: random.Random) -> Steps:
    """Show a part of the earth at a scale at which a country just fits."""
    east, north = chance.choice(((-106.0, 9.0), (-90.0, 23.0), (-74.0, 9.0), (40.0, -10.0), (58.0, 6.0)))
    return [
        *_begin(chance, EARTH, "countries"),
        {"do": "view", "scale": chance.choice((85, 90, 95)), "east": east, "north": north},
    ]


def count_types(chance: random.Random) -> Steps:
    """Begin without a map, in a location that need not be the one in question."""
    return _begin(chance, EARTH)


count_features = fill_color = line_width = label_features = label_alignment = _areas_of_piemonte
road_color = point_symbol = symbol_size = filter_schools = _region
show_metadata = _one_of_piemonte
raster_statistics_of_vector = _one_of_piemonte


def raster_statistics(chance: random.Random) -> Steps:
    """Show a raster map."""
    return _begin(chance, PIEMONTE, chance.choice(RASTERS[PIEMONTE]))


def _empty_earth(chance: random.Random) -> Steps:
    return _begin(chance, EARTH)


def _empty_piemonte(chance: random.Random) -> Steps:
    return _begin(chance, PIEMONTE)


count_least_developed = province_at_latitude = largest_city = _empty_earth
fire_station_in_street = hospitals_in_city = province_of_municipality = feature_code = _empty_piemonte
add_column = drop_column = _areas_of_piemonte
fix_start_date = _region


def delete_point(chance: random.Random) -> Steps:
    """Put a point somewhere into the sea between the continents."""
    place = {"x": round(chance.uniform(-40, 5), 3), "y": round(chance.uniform(-20, 30), 3)}
    return [*_begin(chance, EARTH, "countries"), {"do": "point", "map": "countries", "cat": 258, **place}]
