"""Evidence is what checkers read: plain facts, and what follows from comparing them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_cuabench.task.evidence import (
    Change,
    Evidence,
    State,
    Write,
    difference,
    state_from_json,
    state_to_json,
)

names = st.text("abc", min_size=1, max_size=2)
values = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
rows = st.dictionaries(names, values, max_size=3)
collections = st.dictionaries(names, st.dictionaries(names, rows, max_size=3), max_size=3)
writes = st.builds(
    Write,
    names,
    names,
    st.sampled_from(["insert", "update", "delete"]),
    st.none() | rows,
    st.none() | rows,
    st.none() | st.integers(0, 9),
)
states = st.builds(
    State,
    collections,
    st.lists(writes, max_size=3).map(tuple),
    st.integers(0, 99),
    st.none() | st.just("2026-01-01T08:00"),
    st.none() | st.text(max_size=5),
)

BEFORE = State({"people": {"1": {"name": "Ada", "age": 3}, "2": {"name": "Bo", "age": 3}}})


def test_difference() -> None:
    """Every inserted, updated and deleted row is a change, in a stable order."""
    after = State({"people": {"3": {"name": "Cy"}, "1": {"name": "Ada", "age": 4}}, "log": {"9": {}}})
    assert list(difference(BEFORE, after)) == [
        Change("log", "9", "insert", None, {}),
        Change("people", "1", "update", {"name": "Ada", "age": 3}, {"name": "Ada", "age": 4}),
        Change("people", "2", "delete", {"name": "Bo", "age": 3}, None),
        Change("people", "3", "insert", None, {"name": "Cy"}),
    ]


@given(states)
def test_no_difference(state: State) -> None:
    """A state does not differ from itself."""
    assert list(difference(state, state)) == []


@given(states, states)
def test_difference_is_complete(before: State, after: State) -> None:
    """Applied to the state before, the changes give the state after."""
    found = {name: dict(rows) for name, rows in before.collections.items()}
    for change in difference(before, after):
        if change.after is None:
            del found[change.collection][change.key]
        else:
            found.setdefault(change.collection, {})[change.key] = change.after
    assert {k: v for k, v in found.items() if v} == {k: v for k, v in after.collections.items() if v}


def test_fields_of_a_change() -> None:
    """A change names the fields that differ, each before and after; absent ones are None."""
    change = Change("people", "1", "update", {"name": "Ada", "age": 3}, {"name": "Ada", "bay": 4})
    assert change.fields == {"age": (3, None), "bay": (None, 4)}
    assert Change("people", "1", "insert", None, {"name": "Ada"}).fields == {"name": (None, "Ada")}


def test_fields_of_a_write() -> None:
    """A write names the fields it changed, all of them for an insert or a delete."""
    row = {"name": "Ada", "age": 3}
    assert Write("people", "1", "update", row, {**row, "age": 4}).fields == {"age"}
    assert Write("people", "1", "insert", None, row).fields == {"name", "age"}
    assert Write("people", "1", "delete", row, None).fields == {"name", "age"}


def test_row_of_a_write() -> None:
    """A write's row is the one written, or the one deleted."""
    assert Write("people", "1", "update", {"age": 3}, {"age": 4}).row == {"age": 4}
    assert Write("people", "1", "delete", {"age": 3}, None).row == {"age": 3}
    assert Write("people", "1", "update", {"age": 3}, {}).row == {}
    assert Write("people", "1", "delete", None, None).row == {}


def test_rows() -> None:
    """Rows are found by equal fields and carry their key; an unknown collection is empty."""
    assert BEFORE.rows("people", age=3, name="Bo") == [{"name": "Bo", "age": 3, "_key": "2"}]
    assert [row["_key"] for row in BEFORE.rows("people")] == ["1", "2"]
    assert BEFORE.rows("people", name="Cy") == BEFORE.rows("nothing") == []


@pytest.mark.parametrize(
    ("equal", "sentence"),
    [
        ({"name": "Cy"}, "0 rows of people have {'name': 'Cy'}, expected 1"),
        ({"age": 3}, "2 rows of people have {'age': 3}, expected 1"),
    ],
)
def test_row_must_be_one(equal: dict[str, object], sentence: str) -> None:
    """Asking for the one row that fits says how many there are when it is not one."""
    assert BEFORE.row("people", name="Ada")["age"] == 3
    with pytest.raises(LookupError) as wrong:
        BEFORE.row("people", **equal)
    assert str(wrong.value) == sentence


def test_rows_are_copies() -> None:
    """What a checker does to a row it found leaves the state as it is."""
    BEFORE.row("people", name="Ada")["age"] = 99
    assert BEFORE.row("people", name="Ada")["age"] == 3


def test_journal_holds_what_was_undone() -> None:
    """Evidence tells the writes since the start, also those of which no change is left."""
    old = Write("people", "0", "insert", None, {})
    did = Write("people", "9", "insert", None, {"name": "Cy"})
    undid = Write("people", "9", "delete", {"name": "Cy"}, None)
    before = State(BEFORE.collections, (old,))
    evidence = Evidence(before, State(BEFORE.collections, (old, did, undid)))
    assert evidence.journal == (did, undid)
    assert evidence.changes == ()


def test_changes_of_evidence() -> None:
    """Evidence compares the states it was made of."""
    after = State({"people": {"1": {"name": "Ada", "age": 3}}})
    assert Evidence(BEFORE, after).changes == (
        Change("people", "2", "delete", {"name": "Bo", "age": 3}, None),
    )


@given(states)
def test_json_round_trip(state: State) -> None:
    """A state written as JSON is read back as it was."""
    assert state_from_json(json.loads(json.dumps(state_to_json(state)))) == state


def test_json_of_a_small_world() -> None:
    """A world may leave out what it cannot tell."""
    assert state_from_json({"collections": {}}) == State({})
