"""Lines of the ledger: an attempt is made of parts, and its line is flat."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from small_world import ATTEMPT

from pytest_cuabench.ledger.attempt import LEDGER_FIELDS, Attempt
from pytest_cuabench.ledger.inspection import read_ledger
from pytest_cuabench.ledger.jsonl import line_of
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.record import Run

RECORDED = Path(__file__).parent / "attempt.jsonl"  # with a value for every key
KEYS = [name for name in json.loads(RECORDED.read_text()) if name != "type"]


def test_a_recorded_line_stays_the_same() -> None:
    """A line that is read and written again is the same, byte for byte."""
    line = RECORDED.read_bytes()
    read = Attempt.from_json(json.loads(line))
    assert json.dumps(read.to_json()).encode() + b"\n" == line
    assert line_of(read.to_json()) == line_of(json.loads(line))


def test_every_key_has_one_place() -> None:
    """Each key of a line is a field of the attempt or of one of its parts, and none is left over."""
    parts = ("item", "end", "counts", "cost", "conditions", "files", "intervention")
    own = [each.name for each in fields(Attempt) if each.name not in parts]
    inner = [each.name for part in parts for each in fields(getattr(ATTEMPT, part))]
    assert sorted([*own, *inner]) == sorted(LEDGER_FIELDS)
    assert list(LEDGER_FIELDS) == KEYS


def test_the_recorded_line_says_something_of_everything() -> None:
    """No value of the recorded line is the one that an attempt has without being told, so each is really read."""
    record = json.loads(RECORDED.read_text())
    bare = Attempt(Planned("", "", "", "", "", "", "", 0, 0), 0, "", "").to_json()
    usual = ("ending", "tier")  # words that most attempts have
    same = [name for name in KEYS if record[name] == bare[name] and name not in usual]
    assert same == []


def test_a_recorded_line_is_a_valid_record(tmp_path: Path) -> None:
    """A ledger with such a line is read without a problem, and has the attempt with all of its parts."""
    run = Run(tmp_path / "run")
    record = json.loads(RECORDED.read_text())
    place = f"trajectories/{record['instance']}/2"
    # Nobody helped with what is graded, no code ran where it is refused, and a regrade has a line of its own.
    honest: dict[str, Any] = {"human_help": False, "regraded": None, "scripts": 0, "trajectory": place}
    record |= {**honest, "screenshot": f"{place}/final.png"}
    run.folder.mkdir(parents=True)
    run.add(record)
    ledger = read_ledger(run.folder)
    assert [problem.words for problem in ledger.problems] == []
    (attempt,) = run.attempts()
    assert attempt == Attempt.from_json(record)
    assert (attempt.item.labels, attempt.counts.repairs) == (("touches_org",), {"fence": 1})
    assert attempt.end.broke is not None
    assert attempt.end.broke.action == {"kind": "key", "keys": ["b"]}


def test_a_line_of_an_older_version() -> None:
    """A line that has none of the later keys is read, with the values that were meant then."""
    record = json.loads(RECORDED.read_text())
    early = {name: record[name] for name in ("type", *KEYS[: KEYS.index("outcome") + 1])}
    attempt = Attempt.from_json(early)
    assert attempt.item.instance == record["instance"]
    assert (attempt.conditions.fingerprint, attempt.end.commits, attempt.counts.actions) == (None, (), 0)


@pytest.mark.parametrize("name", KEYS)
def test_values_by_their_names_in_the_ledger(name: str) -> None:
    """An attempt gives and takes each value by its key, wherever it lies."""
    whole = Attempt.from_json(json.loads(RECORDED.read_text()))
    assert list(whole.values()) == KEYS
    moved = ATTEMPT.with_values(**{name: whole.values()[name]})
    assert moved.values() == {**ATTEMPT.values(), name: whole.values()[name]}


SHORTER = [
    name for name, each in vars(Attempt).items() if isinstance(each, property) and name in LEDGER_FIELDS
]


def test_shorter_names() -> None:
    """What exporters read most is found on the attempt itself, by its name in the ledger."""
    attempt = Attempt.from_json(json.loads(RECORDED.read_text()))
    assert {"instance", "suite", "difficulty", "usage", "trajectory"} <= set(SHORTER)
    assert {name: getattr(attempt, name) for name in SHORTER} == {
        name: attempt.values()[name] for name in SHORTER
    }


def test_a_value_that_no_attempt_has() -> None:
    """A misspelt name is refused, where an attempt is made and where it is changed."""
    attempt = ATTEMPT
    with pytest.raises(TypeError, match="an attempt has no value 'outcom'; did you mean 'outcome'"):
        attempt.with_values(outcom="success")
    with pytest.raises(TypeError, match="an attempt has no value 'checker'"):
        Attempt.of(**attempt.values(), checker=None)
