"""Builds the locations with GRASS, once for a desktop; resets copy them.

The result depends on this package's sources only, so the copy is stored under their digest.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from guest.applications.base import Desk
from guest.grass.geography import EARTH, LOCATIONS, PIEMONTE, WORLD, Features, vectors
from guest.grass.modules import DATABASE, MAPSET, Modules, create
from guest.grass.tables import COLUMNS, Table, tables

_SOURCES = ("lattice.py", "geography.py", "names.py", "tables.py", "build.py")
_REGIONS: dict[str, dict[str, float]] = {
    WORLD: {"n": 90, "s": -90, "w": -180, "e": 180, "res": 1},
    EARTH: {"n": 60, "s": -70, "w": -130, "e": 80, "res": 0.5},
    PIEMONTE: {"n": 5_130_000, "s": 4_890_000, "w": 330_000, "e": 522_000, "rows": 500, "cols": 600},
}
# 263,975 cells of the elevation have a value, as in ScienceBoard.
_RASTERS = {
    WORLD: {
        "relief": "int(3000 * sin(3 * x()) * cos(2 * y()))",
        "rainfall": "int(900 + 800 * cos(4 * y()))",
        "temperature_january": "int(28 - 0.5 * abs(y() + 15))",
        "temperature_july": "int(28 - 0.5 * abs(y() - 15))",
    },
    EARTH: {"natural_earth": "int(128 + 90 * sin(2 * x()) * sin(3 * y()))"},
    PIEMONTE: {
        "elevation": "if((row() - 1) * 600 + col() <= 263975,"
        " int(200 + 3.2 * row() + 400 * sin(col()) * cos(0.7 * row())), null())",
        "landcover": "int(1 + (row() / 100 + col() / 120) % 5)",
    },
}


async def install_locations(desktop: Desk) -> None:
    """Copy the locations into HOME; they are built if necessary.

    Raises:
        ModuleFailed: GRASS could not build them.
    """
    built = desktop.store / f"grass-{_digest()}"
    if not built.is_dir():
        await _build(desktop)
        fresh = Path(tempfile.mkdtemp(prefix="grass-", dir=desktop.store))
        shutil.copytree(desktop.home / DATABASE, fresh, symlinks=True, dirs_exist_ok=True)
        fresh.rename(built)
    else:
        shutil.copytree(built, desktop.home / DATABASE, symlinks=True, dirs_exist_ok=True)


def _digest() -> str:
    digest = hashlib.sha256()
    for name in _SOURCES:
        digest.update((Path(__file__).parent / name).read_bytes())
    return digest.hexdigest()[:16]


async def _build(desktop: Desk) -> None:
    (desktop.home / DATABASE).mkdir(exist_ok=True)
    desktop.box.own(desktop.home)
    shapes, rows = vectors(), tables()
    for location, code in LOCATIONS.items():
        await create(desktop, location, code)
        modules = Modules(desktop, location)
        await modules("g.region", "-s", options=_REGIONS[location])
        for name, formula in _RASTERS[location].items():
            await modules("r.mapcalc", options={"expression": f"{name} = {formula}"})
            await modules(
                "r.colors", options={"map": name, "color": "viridis" if name == "rainfall" else "elevation"}
            )
        for name, features in shapes[location].items():
            shape = _geojson(features)
            options = {"input": "/vsistdin/", "output": name, "key": "cat"}
            await modules("v.in.ogr", "-o", options=options, stdin=shape)
        fill(desktop.home, location, rows[location])


def _geojson(features: Features) -> bytes:
    found = [
        {"type": "Feature", "properties": {"cat": feature.cat}, "geometry": feature.shape}
        for feature in features
    ]
    return json.dumps({"type": "FeatureCollection", "features": found}).encode()


def fill(home: Path, location: str, contents: dict[str, Table]) -> None:
    """Replace a location's attribute tables."""
    file = home / DATABASE / location / MAPSET / "sqlite" / "sqlite.db"
    with closing(sqlite3.connect(file)) as database, database:
        for name, rows in contents.items():
            columns = {"cat": "integer", **COLUMNS[location][name]}
            declared = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
            marks = ", ".join(f":{column}" for column in columns)
            database.execute(f'DROP TABLE IF EXISTS "{name}"')
            database.execute(f'CREATE TABLE "{name}" ({declared})')
            database.execute(f'CREATE UNIQUE INDEX "{name}_cat" ON "{name}" (cat)')
            database.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows)  # noqa: S608 - names of ours
