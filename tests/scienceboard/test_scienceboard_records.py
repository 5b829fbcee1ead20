"""Records as they are published: all load, and each mistake is one sentence."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cuabench_suite_scienceboard.upstream.errata import errata
from cuabench_suite_scienceboard.upstream.evaluators import findings
from cuabench_suite_scienceboard.upstream.probes import probes
from cuabench_suite_scienceboard.upstream.records import Record, read_records

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.evidence import Evidence, State
from scienceboard.small_records import SMALL, small

# How many records and items the publication has; ours may be a part of them, and none may be more.
TASKS = {"celestia": 33, "chimerax": 29, "grassgis": 34, "kalgebra": 31, "lean": 26, "texstudio": 16}
ITEMS = {
    ("Celestia", "info"): 49,
    ("Celestia", "stop"): 13,
    ("ChimeraX", "states"): 30,
    ("ChimeraX", "info"): 4,
    ("ChimeraX", "file"): 4,
    ("ChimeraX", "stop"): 8,
    ("GrassGIS", "info"): 29,
    ("GrassGIS", "db"): 4,
    ("GrassGIS", "stop"): 10,
    ("KAlgebra", "eqn"): 20,
    ("KAlgebra", "val"): 7,
    ("KAlgebra", "var"): 2,
    ("KAlgebra", "stop"): 3,
    ("Lean", "placeholder"): 26,
    ("TeXstudio", "file"): 12,
    ("TeXstudio", "compile"): 14,
    ("TeXstudio", "include"): 5,
    ("TeXstudio", "stop"): 2,
}


@pytest.fixture(scope="module")
def records(published: Path) -> list[Record]:
    """All published records that are here."""
    return read_records(published)


def test_all_records_load(records: list[Record], published: Path) -> None:
    """N of N: every file becomes a record, within what was published of each application."""
    assert len(records) == len(list(published.rglob("*.json"))) >= 150
    machines = [record for record in records if record.kind == "vm"]
    counts = Counter(record.application for record in machines)
    assert all(counts[name] <= most for name, most in TASKS.items())
    assert set(counts) == set(TASKS)
    items = Counter((record.type, item.type) for record in machines for item in record.judged)
    assert all(count <= ITEMS[kind] for kind, count in items.items())
    assert {record.kind for record in records} == {"vm", "dual", "raw"}


def test_difficulty_follows_from_the_steps(records: list[Record]) -> None:
    """5, 10, 15 and 20 steps are the paper's four difficulties; Raw Lean has numbers of its own."""
    found = {(record.sort, record.steps, record.difficulty) for record in records}
    assert found == {
        ("VM", 5, "easy"),
        ("VM", 10, "medium"),
        ("VM", 15, "hard"),
        ("VM", 20, "open"),
        ("Raw", 50, "hard"),
        ("Raw", 100, "open"),
    }


def test_ids_are_what_markers_allow(records: list[Record]) -> None:
    """Letter and number in lower case; the two other kinds of record say so in their id."""
    ids = {f"{record.application}/{record.id}" for record in records}
    assert len(ids) == len(records)
    assert {"kalgebra/a_01", "lean/a_01", "lean/a_01_raw", "chimerax/b_04_dual"} <= ids
    assert all(part.replace("_", "").isalnum() for name in ids for part in name.split("/"))


def test_nothing_is_achieved_before_it_is_asked(records: list[Record]) -> None:
    """An episode that runs, in a world that was asked nothing, fulfils no item of any record."""
    nothing = Evidence(State({}), State({}))
    for record in records:
        assert not any(finding.reached for finding in findings(record, nothing)), record.name


def test_every_record_says_what_the_world_is_to_be_asked(records: list[Record]) -> None:
    """Only records that demand an ending, and nothing else, ask nothing."""
    for record in records:
        assert bool(probes(record)) == (len(record.stops) < len(record.judged)), record.name


def test_errata_name_records_and_change_nothing(records: list[Record]) -> None:
    """The records with wrong golds are flagged; the others of their application are not."""
    flagged = {(record.type, record.name) for record in records if errata(record)}
    assert {("KAlgebra", "C-14"), ("Lean", "A-02"), ("TeXstudio", "C-06")} <= flagged
    assert ("KAlgebra", "C-16") not in flagged
    sphere = next(record for record in records if (record.type, record.name) == ("KAlgebra", "C-14"))
    assert "radius 2√2" in errata(sphere)[0]
    assert sphere.data["instruction"].endswith("in KAlgebra.")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"steps": "5"}, "X: steps: input should be a valid integer, not '5'"),
        ({"steps": 0}, "X: steps: input should be greater than or equal to 1, not 0"),
        ({"steps": None}, "X: steps is missing"),
        ({"colour": 1}, "X: unknown key colour; known: ans, evaluate"),
        ({"type": "Blender"}, "X: type: input should be 'Celestia', 'ChimeraX'"),
        ({"version": "0.2"}, "X: version: input should be '0.1', not '0.2'"),
        ({"penalty": "5"}, "X: penalty: string should match pattern"),
        ({"evaluate": []}, "X: evaluate: tuple should have at least 1 item"),
        (
            {"initialize": [{"func": "format_disk"}]},
            "X: initialize[0]: func 'format_disk' is not known; known: append",
        ),
        ({"initialize": [{"func": "layer", "query": {}}]}, "X: initialize[0]: func 'layer' is not known"),
        (
            {"initialize": [{"func": "tab", "index": 9}]},
            "X: initialize[0].index: input should be less than or equal",
        ),
        ({"initialize": [{"func": "tab", "index": 1, "x": 1}]}, "X: unknown key initialize[0].x"),
        (
            {"evaluate": [{"type": "info"}]},
            "X: evaluate[0]: type 'info' is not known; known: eqn, stop, val, var",
        ),
        ({"evaluate": [{"type": "val", "key": "p"}]}, "X: evaluate[0].value is missing"),
        ({"evaluate": [{"type": "val", "key": "p", "value": "3"}]}, "X: evaluate[0].value"),
        (
            {"evaluate": [{"type": "eqn", "key": [[1, 2], [1, 2, 3]], "value": {}}]},
            "X: evaluate[0]: all points",
        ),
        ({"evaluate": [{"type": "eqn", "key": "#SIZE", "value": {}}]}, "X: evaluate[0]: the value of #SIZE"),
        (
            {"evaluate": [{"type": "val", "key": "p", "value": 10**400}]},
            "X: evaluate[0].value: this is no number of a calculator",
        ),
        (
            {"evaluate": [{"type": "stop", "value": "DONE"}] * 101},
            "X: evaluate: tuple should have at most 100",
        ),
        (
            {"initialize": [{"func": "func_2d", "expr": "x" * 90_000}]},
            "X: initialize[0].expr: string should have at most 2000 characters",
        ),
        (
            {"type": "GrassGIS", "initialize": [{"func": "layer", "query": {}}]},
            "X: initialize[0].query.name is missing",
        ),
        (
            {"type": "ChimeraX", "evaluate": [{"type": "states", "key": "a", "pattern": "(?:a{99}){99}"}]},
            "X: evaluate[0].pattern: the pattern repeats something more than 1000 times",
        ),
        (
            {"type": "ChimeraX", "evaluate": [{"type": "states", "key": "a", "pattern": "(?:abc){e<=3}"}]},
            "X: evaluate[0].pattern: a brace that is no count is written",
        ),
        (
            {
                "type": "Celestia",
                "evaluate": [{"type": "info", "key": "lambda d: 0x" + "f" * 3_900, "value": 1}],
            },
            "X: evaluate[0].key: a number of more than 1024 bits is not allowed, in 'lambda d: 0xff",
        ),
        ({"query": [{"name": "Mars", "type": 2}]}, "X: query is known to Celestia only"),
        ({"sort": "Raw"}, "X: sort Raw is for Lean only"),
        (
            {
                "type": "Celestia",
                "initialize": [],
                "evaluate": [{"type": "info", "key": "lambda d: d.__class__", "value": 1}],
            },
            "X: evaluate[0].key: attribute is not allowed, in 'lambda d: d.__class__'",
        ),
        (
            {
                "type": "Celestia",
                "initialize": [],
                "evaluate": [{"type": "info", "key": "lambda d: d", "value": 1, "pred": "lambda k: k"}],
            },
            "X: evaluate[0].pred: the lambda takes 1 values, not 2",
        ),
        (
            {
                "type": "ChimeraX",
                "initialize": [],
                "evaluate": [{"type": "states", "key": "a.b", "pattern": "("}],
            },
            "X: evaluate[0].pattern: this is no regular expression",
        ),
        (
            {"type": "ChimeraX", "initialize": [], "evaluate": [{"type": "states", "key": "a.b"}]},
            "X: evaluate[0]: states takes either a pattern or a value",
        ),
    ],
)
def test_mistakes_are_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    """Place, key, and what is allowed."""
    changes = {"initialize": [], **changes} if "type" in changes else changes
    with pytest.raises(SettingError) as caught:
        small("X", **changes)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_files_that_are_no_records_are_named(tmp_path: Path) -> None:
    """An empty folder, no JSON, a list, two of one id: each is said with its place."""
    with pytest.raises(SettingError, match="there is no task record there"):
        read_records(tmp_path)
    file = tmp_path / "A-01.json"
    for text, sentence in (("{", "is not valid JSON"), ("[]", "a JSON object is expected, not list")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(SettingError, match=sentence):
            read_records(file)
    file.write_bytes(b"\xff")
    with pytest.raises(SettingError, match="is not valid JSON"):
        read_records(file)
    file.write_text(json.dumps(SMALL), encoding="utf-8")
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "A-01.json").write_text(json.dumps(SMALL), encoding="utf-8")
    with pytest.raises(SettingError, match="two records are kalgebra/a_01"):
        read_records(tmp_path)


def refusal(path: Path) -> str:
    """Return the one sentence by which a path is refused."""
    with pytest.raises(SettingError) as caught:
        read_records(path)
    sentence = str(caught.value)
    assert sentence.isprintable()
    return sentence


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices are files on Unix")
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    """A pipe that nobody writes to, a device without end, a folder of that name: none is waited for or read."""
    os.mkfifo(tmp_path / "A-01.json")
    assert refusal(tmp_path / "A-01.json").endswith("name a .json file, or a folder of them")
    assert "A-01.json is no regular file" in refusal(tmp_path)
    (tmp_path / "A-01.json").unlink()
    (tmp_path / "B-01.json").symlink_to("/dev/zero")
    assert "B-01.json is no regular file" in refusal(tmp_path)
    (tmp_path / "B-01.json").unlink()
    (tmp_path / "C-01.json").symlink_to(tmp_path / "missing")
    assert "C-01.json cannot be read: No such file" in refusal(tmp_path)
    (tmp_path / "C-01.json").unlink()
    (tmp_path / "D-01.json").mkdir()
    assert "D-01.json" in refusal(tmp_path)


def test_reading_is_bounded(tmp_path: Path) -> None:
    """A file is read up to the limit, whatever its size is said to be; depth and number of files have one, too."""
    large = tmp_path / "A-01.json"
    with large.open("wb") as file:
        file.truncate(50_000_000_000)  # holds nothing on the disk
    assert refusal(large).endswith("A-01.json has more than 1000000 bytes, which no record has")
    for depth in (70, 900, 100_000):
        large.write_text("[" * depth + "]" * depth, encoding="utf-8")
        assert refusal(large).endswith("is no record: it is nested more than 60 deep")
    large.write_text(json.dumps({**SMALL, "steps": 5})[:-1] + ', "ans": NaN}', encoding="utf-8")
    assert "is not valid JSON: NaN is no number" in refusal(large)
    large.write_text("9" * 5_000, encoding="utf-8")
    assert "is not valid JSON" in refusal(large)
    large.unlink()
    for number in range(2_001):
        (tmp_path / f"A-{number}.json").touch()
    assert refusal(tmp_path).endswith("has more than 2000 .json files; name a folder of task records")


@pytest.mark.parametrize("name", ["...json", "-.json", "é.json", "_.json", "A\n.json", "A" * 120 + ".json"])
def test_a_name_without_an_id_is_refused(name: str, tmp_path: Path) -> None:
    """Ids are made of letters and digits; where a name has none, no item could be chosen by it."""
    (tmp_path / name).write_text(json.dumps(SMALL), encoding="utf-8")
    if name == "A\n.json":
        assert [record.id for record in read_records(tmp_path)] == ["a"]
    else:
        assert refusal(tmp_path).endswith("name it as published, such as A-01.json")
