"""The journal of the world hospital, on a small database; GNU Health itself is played by the suite."""

from __future__ import annotations

import sqlite3

import pytest

from hospital import journal
from hospital.public import _told


@pytest.fixture
def database() -> sqlite3.Connection:
    """A database with a journal: one clinical table of many columns, and one of Tryton's own."""
    made = sqlite3.connect(":memory:")
    columns = ", ".join(f"value{n} INTEGER" for n in range(100))
    made.execute(
        f"CREATE TABLE gnuhealth_patient (id INTEGER PRIMARY KEY, write_date TEXT, name TEXT, {columns})"
    )
    made.execute("CREATE TABLE ir_session (id INTEGER PRIMARY KEY, key TEXT)")
    journal.watch(made)
    return made


def test_every_write_is_told_with_the_row_before_and_after(database: sqlite3.Connection) -> None:
    """Also those that are undone."""
    database.execute("INSERT INTO gnuhealth_patient (id, name, value99) VALUES (7, 'Wilson', 3)")
    database.execute("UPDATE gnuhealth_patient SET name = 'Wilsen'")
    database.execute("DELETE FROM gnuhealth_patient")

    inserted, updated, deleted = journal.read(database)

    assert (inserted["op"], inserted["before"], inserted["after"]["value99"]) == ("insert", None, 3)
    assert (updated["before"]["name"], updated["after"]["name"], updated["key"]) == ("Wilson", "Wilsen", "7")
    assert (deleted["op"], deleted["after"], deleted["before"]["name"]) == ("delete", None, "Wilsen")


def test_what_tryton_notes_for_itself_is_no_write(database: sqlite3.Connection) -> None:
    """Neither is a change of nothing but the time of writing."""
    database.execute("INSERT INTO gnuhealth_patient (id, name) VALUES (7, 'Wilson')")
    journal.forget(database)
    database.execute("INSERT INTO ir_session (key) VALUES ('k')")
    database.execute("UPDATE gnuhealth_patient SET write_date = '2031-01-01'")

    assert journal.read(database) == []


def test_a_table_is_told_with_the_fields_of_the_journal(database: sqlite3.Connection) -> None:
    """So that the state and the journal can be compared."""
    database.execute("INSERT INTO gnuhealth_patient (id, name) VALUES (7, 'Wilson')")

    told = journal.collection(database, "gnuhealth_patient")

    assert told["7"] == journal.read(database)[0]["after"]


def test_passwords_are_not_in_the_log_of_requests() -> None:
    """Signing in is logged without what was typed."""
    assert _told("common.db.login", ["hmarsh", {"password": "secret"}, "en"]) == []
