"""The locations and maps that tasks are about, by the names that GRASS shows."""

from __future__ import annotations

from typing import Any

from pytest_cuabench.evidence import State

WORLD = "world_latlong_wgs84"
EARTH = "natural_earth_dataset"
PIEMONTE = "grassdata_piemonte_utm32n_wgs84_grass7"
MAPSET = "PERMANENT"

AREAS = {EARTH: ("countries", "states_provinces"), PIEMONTE: ("boundary_province", "boundary_municipality")}
POINTS = {
    EARTH: ("populated_places",),
    PIEMONTE: ("hospitals", "firestations", "schools", "points_of_interest", "geonames"),
}
RASTERS = {EARTH: ("natural_earth",), PIEMONTE: ("elevation", "landcover")}
CALLED = {
    "boundary_region": "the region's outline",
    "boundary_province": "the provinces",
    "boundary_municipality": "the municipalities",
    "hospitals": "the hospitals",
    "firestations": "the fire stations",
    "schools": "the schools",
    "points_of_interest": "the points of interest",
    "geonames": "the named places",
    "countries": "the countries",
    "states_provinces": "the provinces",
    "populated_places": "the cities",
    "natural_earth": "the picture of the earth",
}


def kind_of(name: str) -> str:
    """Return whether a map is a raster or a vector."""
    return "raster" if any(name in names for names in RASTERS.values()) else "vector"


def full(name: str) -> str:
    """Return a map's name as layers have it."""
    return f"{name}@{MAPSET}"


def location(state: State) -> str:
    """Return the location that GRASS works in."""
    return str(state.collections["session"]["grass"]["location"])


def table(state: State, name: str, where: str | None = None) -> list[dict[str, Any]]:
    """Return the rows of a map's attribute table, in the order of their categories."""
    rows = state.rows(f"{where or location(state)}/{name}")
    return sorted(rows, key=lambda row: int(row["cat"]))


def columns(state: State, name: str) -> list[str]:
    """Return the columns of a map's attribute table but the key, in their order."""
    rows = state.rows("columns", location=location(state), map=name)
    return [row["name"] for row in sorted(rows, key=lambda row: row["place"]) if row["name"] != "cat"]


def shown(state: State) -> list[str]:
    """Return the maps that are layers, from top to bottom."""
    return [str(name).partition("@")[0] for name in state.collections["order"]["layers"]["names"]]


def kept(state: State, where: str) -> dict[str, list[str]]:
    """Return the names of a location's raster and vector maps, as its files tell."""
    found: dict[str, set[str]] = {"raster": set(), "vector": set()}
    for path in state.collections["files"]:
        parts = path.split("/")
        if parts[:3] == ["grassdata", where, MAPSET] and len(parts) > 4 and parts[3] in ("cellhd", "vector"):
            found["raster" if parts[3] == "cellhd" else "vector"].add(parts[4])
        elif parts[:4] == ["grassdata", where, MAPSET, "cellhd"]:
            found["raster"].add(parts[4])
    return {kind: sorted(names) for kind, names in found.items()}
