"""Records in the paper's form: read from a path, searched for, and judged by their user's checks."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from shipped import shipped

from pytest_cuabench import Case
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.evidence import Activity, Evidence, State
from pytest_cuabench.task.model import SuiteInfo, Task

URL = "https://docs.blender.org/manual/en/latest/modeling/modifiers/array.html"
RECORD = {
    "id": 4,
    "application": "Blender",
    "instruction": "Repeat the cube.",
    "url": URL,
    "steps": ["a"] * 5,
}
CHECKS = """
from pytest_cuabench import Milestone

def application(record):
    return record["application"].lower()

def setup(record, random):
    yield {"do": "write", "path": "note.txt", "text": record["id"]}

def check(evidence, case):
    yield Milestone("done", evidence.after.collections["files"] != {}, 1.0, case["instruction"], "")
"""


@pytest.fixture
def suite() -> SuiteInfo:
    """The suite as it is shipped."""
    return shipped("docos")


def played(suite: SuiteInfo, path: Path) -> SuiteInfo:
    """Return the suite with the records at a path."""
    assert suite.task_files is not None
    return suite.task_files.suite(suite, path)


def written(folder: Path, *records: dict[str, Any], checks: str = "") -> Path:
    """Write a file of records, with checks beside it."""
    file = folder / "records.json"
    file.write_text(json.dumps(records))
    if checks:
        (folder / "checks.py").write_text(checks)
    return file


def named(task: Task, page: str) -> float:
    """Return the score of a search that named a page."""
    state = State({})
    evidence = Evidence(before=state, after=state, activity=Activity(), answer=page, ending="answer")
    return task.judge(evidence, Case("", task.functions.case(state, Random(0)))).score


def test_without_checks_the_search_is_played_alone(suite: SuiteInfo, tmp_path: Path) -> None:
    """Its difficulty follows from the steps, and it is played in the browser on the documentation web."""
    records = played(suite, written(tmp_path, RECORD))
    (task,) = records.tasks
    assert (records.driver, records.world) == ("chromium", "docs_web")
    assert (task.name, task.difficulty, task.budget.steps) == ("browser/blender_4", "medium", 15)


@pytest.mark.parametrize(
    ("page", "score"),
    [
        (URL, 1.0),
        (URL.replace("array", "bevel"), 6 / 7),
        ("https://docs.blender.org/", 1 / 7),
        ("https://blog.example/array", 0.0),
        ("", 0.0),
    ],
)
def test_the_score_of_a_search_is_hpp(suite: SuiteInfo, tmp_path: Path, page: str, score: float) -> None:
    """It is the share of the address's segments that were reached."""
    (task,) = played(suite, written(tmp_path, RECORD)).tasks
    assert named(task, page) == pytest.approx(score)


def test_other_names_of_fields(suite: SuiteInfo, tmp_path: Path) -> None:
    """The released form may call them otherwise, number them, and write one object a line."""
    file = tmp_path / "records.jsonl"
    file.write_text(
        json.dumps({"task": "Do it.", "document_url": URL, "ground_truth_steps": "1. a\n2. b"}) + "\n"
    )
    (task,) = played(suite, file).tasks
    assert (task.name, task.difficulty) == ("browser/record_1", "easy")


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        ({**RECORD, "url": ""}, "record 1: url is missing; it may be called url, document_url"),
        ({**RECORD, "url": "docs.blender.org"}, "url is no web address"),
        ({**RECORD, "steps": []}, "record 1: steps is missing"),
        ("words", "record 1 is no object"),
    ],
)
def test_malformed_records(suite: SuiteInfo, tmp_path: Path, record: Any, sentence: str) -> None:
    """The sentence names the record and what is missing."""
    with pytest.raises(SettingError, match=sentence):
        played(suite, written(tmp_path, record))


def test_no_records(suite: SuiteInfo, tmp_path: Path) -> None:
    """An empty folder is told with what to name."""
    with pytest.raises(SettingError, match="has no records; name a"):
        played(suite, tmp_path)


def test_records_with_checks(suite: SuiteInfo, tmp_path: Path) -> None:
    """They are played on the desktop in all variants, prepared and judged by their user's functions."""
    records = played(suite, written(tmp_path, RECORD, checks=CHECKS))
    (task,) = records.tasks
    assert (records.driver, task.application) == ("xvfb", "blender")
    assert set(task.goals) == {"no_document", "search", "oracle_document"}
    assert set(task.phases) == {"search", "oracle_document"}
    assert task.setup(0)[0]["text"] == "blender_4"
    before, after = State({"files": {}}), State({"files": {"a": {}}})
    evidence = Evidence(before=before, after=after, activity=Activity(), answer=None, ending="success")
    assert task.judge(evidence, task.case(before, "search", 0)).score == 1.0


@pytest.mark.parametrize(
    ("checks", "sentence"),
    [
        ("def application(record): return 'blender'", "a function check is missing"),
        ("import nothing_of_this_name", "cannot import .*checks.py: ModuleNotFoundError"),
        (CHECKS.replace('record["application"].lower()', '""'), "names none for the record blender_4"),
    ],
)
def test_malformed_checks(suite: SuiteInfo, tmp_path: Path, checks: str, sentence: str) -> None:
    """The sentence names the file and what it lacks."""
    with pytest.raises(SettingError, match=sentence):
        played(suite, written(tmp_path, RECORD, checks=checks))


def test_a_recorded_attempt_is_judged_again(suite: SuiteInfo, tmp_path: Path) -> None:
    """The case of a record holds what it takes."""
    (task,) = played(suite, written(tmp_path, RECORD)).tasks
    assert suite.task_files is not None
    case = task.case(State({}), "search", 0)
    again = suite.task_files.task(case, SimpleNamespace(tier=task.meta.tier))
    assert again is not None
    assert (again.name, again.meta.digest) == (task.name, task.meta.digest)
