from __future__ import annotations

import asyncio
import sqlite3
import types
from collections import Counter
from pathlib import Path

import pytest

from guest.grass.attributes import Attributes
from guest.grass.build import fill
from guest.grass.geography import EARTH, LOCATIONS, PIEMONTE, REGION, vectors
from guest.grass.modules import DATABASE, MAPSET
from guest.grass.tables import COLUMNS, tables
from guest.plain import plain


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A HOME with the tables of one location."""
    (tmp_path / DATABASE / PIEMONTE / MAPSET / "sqlite").mkdir(parents=True)
    fill(tmp_path, PIEMONTE, tables(1)[PIEMONTE])
    return tmp_path


def read(home: Path, location: str = PIEMONTE) -> dict[str, dict[str, dict[str, object]]]:
    desktop = types.SimpleNamespace(home=home, read=lambda name: (home / name).read_bytes())
    return asyncio.run(Attributes().read(desktop, location))


def database(home: Path) -> Path:
    return home / DATABASE / PIEMONTE / MAPSET / "sqlite" / "sqlite.db"


def test_the_same_seed_gives_the_same_tables_and_another_one_others():
    """Contents follow from the seed alone."""
    assert tables(1) == tables(1)
    assert all(
        tables(1)[where][name] != tables(2)[where][name]
        for where in (EARTH, PIEMONTE)
        for name in ("countries", "hospitals", "schools")
        if name in tables(1)[where]
    )


def test_every_map_has_a_row_for_each_of_its_features():
    """Tables and shapes have the same categories, and every row has every column."""
    for location in LOCATIONS:
        for name, features in vectors()[location].items():
            rows = tables(7)[location][name]
            assert [row["cat"] for row in rows] == [feature.cat for feature in features]
            assert all(set(row) == {"cat", *COLUMNS[location][name]} for row in rows)


def test_names_that_tasks_ask_for_are_unambiguous():
    """No two streets, places, municipalities or latitudes are alike."""
    for seed in range(8):
        found = tables(seed)
        for where, name, column in (
            (EARTH, "states_provinces", "latitude"),
            (EARTH, "countries", "pop_est"),
            (PIEMONTE, "firestations", "street"),
            (PIEMONTE, "geonames", "name"),
            (PIEMONTE, "boundary_municipality", "NAME"),
        ):
            values = Counter(row[column] for row in found[where][name] if row[column] is not None)
            assert max(values.values()) == 1, (seed, name)


def test_neighbours_share_their_border():
    """Each border point of a cell inside the region belongs to a neighbour, too."""
    inner = set(REGION.block(3, 3))
    around = {point for x in (2, 3, 4) for y in (2, 3, 4) if (x, y) != (3, 3) for point in REGION.block(x, y)}
    assert inner <= around


def test_tables_are_read_with_the_types_of_their_columns(home):
    """Every row is told by its category, every column with its declared type."""
    found = read(home)
    assert len(found[f"{PIEMONTE}/schools"]) == 110
    assert found["columns"][f"{PIEMONTE}/schools.wheelchair"]["type"] == "varchar(10)"


def test_a_location_without_a_database_has_no_tables(home):
    """A file that is gone is not an error: the check sees that the tables are."""
    database(home).unlink()
    assert read(home) == {"columns": {}}


def test_a_file_that_is_no_database_is_told(home):
    """Of a damaged file there are no tables, and a row says why."""
    database(home).write_bytes(b"nonsense" * 1000)
    assert read(home) == {
        "columns": {},
        "unreadable": {f"{PIEMONTE}/tables": {"reason": "file is not a database"}},
    }


def test_texts_and_numbers_that_json_lacks_are_told(home):
    """Neither a text that is not UTF-8 nor an infinite number keeps the other rows from being read."""
    with sqlite3.connect(database(home)) as hostile:
        hostile.execute("CREATE TABLE odd (cat integer, text varchar, number double)")
        hostile.execute("INSERT INTO odd VALUES (1, CAST(x'62ff' AS TEXT), 9e999)")
    found = plain(read(home))
    assert found[f"{PIEMONTE}/odd"] == {"1": {"cat": 1, "text": r"b\xff", "number": "inf"}}
    assert len(found[f"{PIEMONTE}/schools"]) == 110


def test_a_database_that_computes_for_ever_is_left(home):
    """A view that never ends is not looked at, and names with quotes break nothing."""
    with sqlite3.connect(database(home)) as hostile:
        hostile.execute('CREATE TABLE "a""; DROP TABLE schools; --" (cat integer)')
        endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
        hostile.execute(f"CREATE VIEW endless AS {endless}")
    assert f"{PIEMONTE}/schools" in read(home)


def test_a_transaction_is_waited_for(home, monkeypatch):
    """While a journal lies beside the database it is not read, but one that stays keeps nobody up."""
    monkeypatch.setattr("guest.grass.attributes._WAIT_SECONDS", 0.05)
    database(home).with_name("sqlite.db-journal").symlink_to("nowhere")
    assert len(read(home)[f"{PIEMONTE}/schools"]) == 110
