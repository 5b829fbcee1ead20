"""A later judgement takes the place of an earlier one for whoever reads, and nothing that was recorded changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small_world import ATTEMPT

from pytest_cuabench.errors import RecordFailure
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.jsonl import add_line, count_cut_lines, read_lines, write_json, write_lines
from pytest_cuabench.ledger.lines import LEDGER, key_of, regrade
from pytest_cuabench.ledger.record import Run

SUCCESS = replace(ATTEMPT, outcome="success", verdict=replace(ATTEMPT.verdict, violations=()))  # type: ignore[type-var]


def judged(run: Run, old: Attempt, new: Attempt, when: str) -> None:
    """Add a later judgement."""
    run.add(regrade(old.to_json(), new.to_json(), when, "1.0"))


def test_the_latest_judgement_counts(tmp_path: Path) -> None:
    """Attempts are read as they were judged last, in their own order, and tell when that was."""
    run = Run(tmp_path)
    other = ATTEMPT.with_values(instance="desk/count-intent")
    run.append(ATTEMPT)
    judged(run, ATTEMPT, SUCCESS, "on Monday")
    run.append(other)
    assert list(run.attempts()) == [SUCCESS.with_values(regraded="on Monday"), other]
    judged(run, ATTEMPT, ATTEMPT, "on Tuesday")
    assert list(run.attempts()) == [ATTEMPT.with_values(regraded="on Tuesday"), other]
    assert [record["type"] for record in run.records()] == ["attempt", "regrade", "attempt", "regrade"]


def test_a_judgement_is_of_one_attempt(tmp_path: Path) -> None:
    """Another attempt at the same instance keeps its own, wherever its trajectory lies."""
    run = Run(tmp_path)
    again = replace(ATTEMPT, number=2)
    run.append(ATTEMPT)
    run.append(again)
    judged(run, again.with_values(trajectory="elsewhere"), SUCCESS, "on Monday")
    assert [attempt.outcome for attempt in run.attempts()] == ["violation", "success"]
    assert key_of(again.to_json()) == key_of(again.with_values(trajectory="a", screenshot="b").to_json())
    assert key_of(again.to_json()) != key_of(ATTEMPT.to_json())


@pytest.mark.parametrize("text", ["null", "17", "[]", '"text"', "{", '{"a": 1'])
def test_what_is_no_record_is_counted(tmp_path: Path, text: str) -> None:
    """A line that is no record is passed over, and known to be one that something went wrong with."""
    file = tmp_path / LEDGER
    assert count_cut_lines(file) == 0
    add_line(file, {"a": 1})
    assert count_cut_lines(file) == 0
    with file.open("a") as opened:
        opened.write(f"{text}\n\n")
    add_line(file, {"a": 2})
    assert list(read_lines(file)) == [{"a": 1}, {"a": 2}]
    assert count_cut_lines(file) == 1


def test_a_write_that_is_taken_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that takes a few bytes at a time gets them all."""
    import os

    write = os.write
    monkeypatch.setattr("pytest_cuabench.ledger.jsonl.os.write", lambda file, data: write(file, data[:7]))
    add_line(tmp_path / LEDGER, {"a": "b" * 100})
    assert list(read_lines(tmp_path / LEDGER)) == [{"a": "b" * 100}]


def test_a_document_is_whole_or_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fills up while a document is written leaves the one before, nothing else, and a sentence."""
    file = tmp_path / "run.json"
    write_json(file, {"a": 1})

    def full(self: Path, data: bytes) -> int:
        self.touch()
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(RecordFailure, match=r"cannot write .*run\.json.*: No space left on device; earlier"):
        write_json(file, {"a": 2})
    assert file.read_text() == '{\n "a": 1\n}\n'
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_of_records(tmp_path: Path) -> None:
    """Records that are written together are read one by one."""
    write_lines(tmp_path / LEDGER, [{"a": "ü\n"}, {"b": 2}])
    assert list(read_lines(tmp_path / LEDGER)) == [{"a": "ü\n"}, {"b": 2}]
