"""The database of the world openemr, on a real MariaDB: seeding, the journal, and the way back."""

from __future__ import annotations

import statistics
import sys
from datetime import date
from typing import Any

import pymysql
import pytest
from openemr_database import FIXTURES, Hand

from openemr.mariadb import Copy, run
from openemr.seeding import SeedError, seed_into
from openemr.sessions import Sessions
from openemr.ward import read_ward, ward

FIVE = {"Wilson", "Garcia", "Johnson", "Chen", "Brown"}


def people(state: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the patients by number."""
    return {row["pid"]: row for row in state["collections"]["patient_data"].values()}


def data(state: dict[str, Any]) -> dict[str, Any]:
    """Return what is true, without what was asked for."""
    return {name: rows for name, rows in state["collections"].items() if name not in ("staff", "visits")}


def test_a_session_holds_the_five_patients_with_all_that_is_told_of_them(session):
    """Problems, allergies, medications and vital signs are there, not only names."""
    state = session.state()
    told = {one["family"]: one for one in read_ward(FIXTURES)["patients"]}
    assert set(told) == FIVE
    lists = state["collections"]["lists"].values()
    vitals = state["collections"]["form_vitals"].values()
    for person in told.values():
        (pid,) = (
            pid
            for pid, row in people(state).items()
            if (row["fname"], row["lname"]) == (person["given"], person["family"])
        )
        own = [row for row in lists if row["pid"] == pid]
        assert {row["title"] for row in own if row["type"] == "medical_problem"} == {
            title for title, _ in person["problems"]
        }
        assert {row["title"] for row in own if row["type"] == "allergy"} == {
            title for title, _ in person["allergies"]
        }
        drugs = [
            row["drug"] for row in state["collections"]["prescriptions"].values() if row["patient_id"] == pid
        ]
        assert drugs == [one["drug"] for one in person["medications"]]
        assert sum(row["pid"] == pid for row in vitals) == 2


def test_a_ward_lies_around_them_with_names_that_are_easily_confused(session):
    """Each of the five has two others of nearly the same name."""
    state = session.state()
    assert len(people(state)) == 30
    for family in FIVE:
        assert sum(row["lname"][:3] == family[:3] for row in people(state).values()) >= 3


def test_the_same_seed_gives_the_same_data_and_another_one_does_not(begin):
    """Numbers included, whatever was played before."""
    first, second, other = (begin(seed) for seed in (3, 3, 4))
    assert data(first.state()) == data(second.state())
    assert first.fingerprint == second.fingerprint != other.fingerprint
    assert data(first.state()) != data(other.state())


def test_seeding_keeps_what_it_does_not_name(session, running):
    """The account that OpenEMR made keeps its password, and gets a name."""
    with running.server.connected() as connection:
        run(connection, f"USE `{session.copy.database}`")
        assert run(connection, "SELECT lname, username FROM users") == [("Marsh", "admin")]
        assert run(connection, "SELECT password FROM users_secure") == [("hash",)]


def test_a_row_that_the_database_does_not_keep_is_found(session):
    """A value that was cut, as in another version's shorter column, is no seed."""
    rows = {"facility": [{"id": 3, "name": "x" * 300}], "sequences": [{"id": 9}]}
    with pytest.raises(SeedError, match=r"facility\.name was written"):
        session.copy.restore(rows)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"lost": [{"id": 1}]}, "OpenEMR has no table lost; this world knows OpenEMR 7.0.2"),
        ({"facility": [{"id": 1, "floor": 2}]}, "table facility has no column floor; this world knows"),
    ],
)
def test_another_version_of_openemr_is_told_by_what_it_lacks(session, running, rows, said):
    """A table or column that is missing is named."""
    with running.server.connected() as connection, pytest.raises(SeedError, match=said):
        seed_into(connection, rows, running.server.tables())


def test_every_write_is_in_the_journal_also_when_it_was_undone(session, hand):
    """Nothing differs in the end, and all three writes are told."""
    before = data(session.state())
    number = hand.insert("pnotes", body="gone soon", pid=7)
    hand.run("UPDATE pnotes SET body = 'gone' WHERE id = %s", number)
    hand.run("DELETE FROM pnotes WHERE id = %s", number)
    state = session.state()
    assert data(state) == before
    assert [(one["op"], one["collection"], one["key"]) for one in state["journal"]] == [
        (op, "pnotes", str(number)) for op in ("insert", "update", "delete")
    ]
    assert state["journal"][1]["before"]["body"] == "gone soon"
    assert state["journal"][1]["after"]["body"] == "gone"
    assert state["revision"] == 3


def test_a_table_that_nobody_thought_of_has_a_journal_too(session, hand):
    """Also one without a key: its rows are known by what they hold."""
    hand.insert("lists_of_nobody", name="a", value="b")
    (write,) = session.state()["journal"]
    assert (write["collection"], write["after"]) == ("lists_of_nobody", {"name": "a", "value": "b"})


def test_what_openemr_notes_for_itself_is_no_write(session, hand):
    """A row that is saved as it was, an identity that is given late, and the log are not in the journal."""
    hand.run("UPDATE patient_data SET fname = fname")
    hand.run("UPDATE patient_data SET uuid = NULL WHERE pid = 1")
    hand.insert("log", event="view", user="admin")
    state = session.state()
    assert (state["journal"], state["revision"]) == ([], 0)


def test_openemr_learns_its_own_numbers_and_not_those_of_the_journal(session, hand):
    """The number of an inserted row, which OpenEMR files forms under, is not that of the note about it."""
    for _ in range(3):
        hand.insert("pnotes", body="one more", pid=1)
    assert hand.insert("transactions", pid=1, title="Referral") == 1


def test_numbers_that_openemr_draws_next_are_free(session, hand):
    """Its table of sequences has one row, and stands behind all numbers that the seed took from it."""
    number = hand.run("UPDATE sequences SET id = LAST_INSERT_ID(id + 1)")
    state = session.state()["collections"]
    taken = [int(key) for name in ("prescriptions", "form_vitals") for key in state[name]]
    assert number > max(*taken, *(row["encounter"] for row in state["form_encounter"].values()))
    assert hand.run("SELECT * FROM sequences") == 0
    hand.insert("form_vitals", id=number, pid=1)


def test_a_base_that_has_patients_gives_none_of_them(running, sessions):
    """Whoever tried OpenEMR first finds the seed's patients alone, and the base as it was."""
    with running.server.connected() as connection:
        run(connection, "INSERT INTO openemr.patient_data (id, pid, lname) VALUES (400, 400, 'Tried')")
        try:
            session = sessions.open("openemr", 6)
            assert 400 not in people(session.state())
            sessions.close(session)
            assert run(connection, "SELECT lname FROM openemr.patient_data") == [("Tried",)]
        finally:
            run(connection, "DELETE FROM openemr.patient_data")


def test_openemr_cannot_see_the_journal(session, hand):
    """Its user has its own copy, and nothing else."""
    for name in (f"cuabench.{session.copy.database}", "openemr.patient_data"):
        with pytest.raises(pymysql.Error, match="denied"):
            hand.run(f"SELECT * FROM {name}")


def test_a_login_is_told_from_openemrs_own_log(session, hand):
    """Who tried, and whether it worked."""
    hand.insert("log", event="login", user="admin", success=0)
    hand.insert("log", event="login", user="admin", success=1)
    state = session.state()
    assert [row["ok"] for row in state["collections"]["logins"].values()] == [False, True]
    assert state["revision"] == 2


def test_a_place_that_was_played_in_is_as_new_for_the_next_session(sessions, begin, running):
    """Rows that were added, changed or removed anywhere are gone, and numbers begin where they began."""
    session = begin(5)
    new, database = data(session.state()), session.copy.database
    hand = Hand(running.server, database)
    hand.run("DELETE FROM lists")
    hand.run("UPDATE patient_data SET lname = 'Nobody'")
    hand.insert("history_data", pid=1, tobacco="never")
    hand.insert("log", event="login", user="admin")
    hand.run("UPDATE users_secure SET password = 'other'")
    hand.close()
    sessions.close(session)
    again = begin(5)
    assert again.copy.database == database
    assert data(again.state()) == new
    assert again.state()["journal"] == []
    with running.server.connected() as connection:
        assert run(connection, f"SELECT password FROM `{database}`.users_secure") == [("hash",)]
        assert run(connection, f"SELECT COUNT(*) FROM `{database}`.history_data") == [(30,)]


def test_sessions_at_the_same_time_do_not_see_each_other(begin, running):
    """Each has a copy of its own."""
    first, second = begin(1), begin(1)
    hand = Hand(running.server, first.copy.database)
    hand.insert("pnotes", body="mine", pid=1)
    hand.close()
    assert len(first.state()["journal"]) == 1
    assert second.state()["journal"] == []


def test_sites_are_removed_before_databases(running, monkeypatch):
    """A program that is stopped while a database is dropped leaves no site behind."""

    def stopped(copy: Copy) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Copy, "make", lambda copy: None)
    monkeypatch.setattr(Copy, "drop", stopped)
    known = dict(running.sites)
    sessions = Sessions(running, FIXTURES)
    sessions.prepare()
    sessions.prepare()
    assert len(running.sites) == len(known) + 2
    with pytest.raises(KeyboardInterrupt):
        sessions.end()
    assert running.sites == known


def test_restoring_is_measured(session, record_property, capsys):
    """The time is shown, and not judged: machines differ."""
    rows = ward(FIXTURES, 9, date(2026, 11, 25))
    taken = sorted(session.copy.restore(rows) for _ in range(20))
    record_property("restore_p50", statistics.median(taken))
    record_property("restore_p95", taken[18])
    with capsys.disabled():
        sys.stdout.write(
            f"\nrestored 20 times: p50 {statistics.median(taken):.2f} s, p95 {taken[18]:.2f} s\n"
        )
    assert session.state()["journal"] == []
