"""Records in OSWorld's format: what is read, refused, prepared and judged, without a desktop."""

from __future__ import annotations

import base64
import io
import json
import sqlite3
import zipfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from shipped import shipped

from pytest_cuabench import Case, Evidence, State
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task import library
from pytest_cuabench.task.model import SuiteInfo
from pytest_cuabench.task.suite import code_package

for _package in ("docx", "numpy", "openpyxl", "pptx", "regex"):
    pytest.importorskip(_package, reason="type: pip install 'pytest-cuabench[osworld]'")

RECORDS = library.SUITES / "osworld" / "records"
TOOLS = f"{code_package(library.SUITES / 'osworld')}.toolkit"
judging, plays, records, setup, tasks = (
    import_module(f"{TOOLS}.{name}") for name in ("judging", "plays", "records", "setup", "tasks")
)
evaluators, downloads = import_module(f"{TOOLS}.evaluators"), import_module(f"{TOOLS}.downloads")
OWN = sorted(f"{file.parent.name}/{file.stem}" for file in (RECORDS / "examples").glob("*/*.json"))
NOWHERE = downloads.Downloads(None)


def record(**fields: Any) -> Any:
    """Return a record that asks for a text file, with other fields if given."""
    data = {
        "id": "one",
        "instruction": "Write a note.",
        "snapshot": "libreoffice_writer",
        "config": [],
        "evaluator": {
            "func": "check_include_exclude",
            "result": {"type": "vm_file", "path": "/home/user/note.txt", "dest": "note.txt"},
            "expected": {"type": "rule", "rules": {"include": ["seen"]}},
        },
        **fields,
    }
    return records.read_record(data, "libreoffice_writer", "here")


def ended(kept: Mapping[str, bytes], ending: Any = "done") -> Evidence:
    """Return the evidence of an episode that left these files."""
    rows = {path: {"base64": base64.b64encode(content).decode()} for path, content in kept.items()}
    return Evidence(State({}), State({"kept": rows}), None, ending)


def reached(one: Any, kept: Mapping[str, bytes], ending: Any = "done") -> list[bool]:
    """Return for each milestone of a record whether it is reached."""
    return [milestone.reached for milestone in judging.findings(one, ended(kept, ending), NOWHERE)]


def why(one: Any) -> str:
    """Return why a record is not supported."""
    return str(tasks.Playable.of(one, NOWHERE).unsupported)


def judged(name: str, result: Any, *expected: Any, **options: Any) -> str | None:
    """Return what an evaluator finds wrong, with rules and options as they stand in a record."""
    one = evaluators.evaluator(name)
    rules = [one.rules(rule) if not one.compares_files else rule for rule in expected]
    found: str | None = one.function(result, *rules, **one.typed_options(options))
    return found


@pytest.mark.parametrize("name", OWN)
def test_own_records_are_supported(name: str) -> None:
    """Each of our records is one that this suite plays."""
    assert plays.own(name).unsupported is None


def test_every_own_record_is_a_task() -> None:
    """Each of our records is a task of the suite with its proof, forty or more over six applications."""
    suite = shipped("osworld")
    assert sorted(str(task.values["record"]) for task in suite.tasks) == OWN
    assert len(OWN) >= 40
    assert len({task.application for task in suite.tasks}) == 6
    assert all(task.functions.wrong for task in suite.tasks)


def test_records_are_tasks() -> None:
    """A folder of records takes the place of the suite's own tasks."""
    suite: SuiteInfo = tasks.with_task_files(shipped("osworld"), RECORDS)
    assert len(suite.tasks) == len(OWN)
    assert {task.meta.tier for task in suite.tasks} == {"osworld"}
    (step,) = [
        one for task in suite.tasks if task.id == "export_csv" for one in task.setup(0) if one["do"] == "put"
    ]
    assert base64.b64decode(step["base64"])[:2] == b"PK"


def test_recorded_attempts_are_judged_by_their_record() -> None:
    """The case holds the record, so that the attempt can be judged again."""
    playable = tasks.Playable.of(record(), NOWHERE)
    case = Case("", playable.values())
    assert [one.reached for one in tasks.check(ended({"note.txt": b"seen"}), case)] == [True]


def test_index(tmp_path: Path) -> None:
    """With an index only the records that it lists are read, and one that is missing is named."""
    folder = tmp_path / "examples" / "vlc"
    folder.mkdir(parents=True)
    for name in ("a", "b"):
        (folder / f"{name}.json").write_text(json.dumps({**record().data, "id": name}))
    (tmp_path / "test_all.json").write_text('{"vlc": ["b"]}')
    assert [one.id for one in records.read_records(tmp_path)] == ["b"]
    (tmp_path / "test_all.json").write_text('{"vlc": ["c"]}')
    with pytest.raises(SettingError, match="names vlc/c"):
        records.read_records(tmp_path)


def test_index_cannot_leave_the_folder(tmp_path: Path) -> None:
    """An id of the index that leads elsewhere is refused."""
    (tmp_path / "test_all.json").write_text('{"vlc": ["../../etc/passwd"]}')
    with pytest.raises(SettingError, match="no id of a record"):
        records.read_records(tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"evaluator": {"func": "compare_pdfs"}}, "evaluator compare_pdfs is not supported"),
        ({"config": [{"type": "login", "parameters": {}}]}, "setup step login is not supported"),
        (
            {
                "config": [
                    {
                        "type": "execute",
                        "parameters": {"command": ["python", "-c", "import os; os.remove('x')"]},
                    }
                ]
            },
            "setup step execute is not supported",
        ),
        (
            {"config": [{"type": "execute", "parameters": {"command": "mkdir -p x; rm -rf /"}}]},
            "is not supported",
        ),
        (
            {"config": [{"type": "launch", "parameters": {"command": ["xterm"]}}]},
            "command xterm is not supported",
        ),
        (
            {"config": [{"type": "open", "parameters": {"path": "/etc/passwd.docx"}}]},
            "only files below /home/user",
        ),
        (
            {"config": [{"type": "open", "parameters": {"path": "/home/user/../x.docx"}}]},
            "only files below /home/user",
        ),
        (
            {
                "config": [
                    {
                        "type": "download",
                        "parameters": {"files": [{"url": "https://x.example/a/b", "path": "/home/user/b"}]},
                    }
                ]
            },
            "CUABENCH_OSWORLD_FILES",
        ),
    ],
)
def test_unsupported(change: Mapping[str, Any], words: str) -> None:
    """What is not on the whitelist is said in one sentence, and nothing of it is executed."""
    assert words in why(record(**change))


@pytest.mark.parametrize(
    ("getter", "words"),
    [
        ({"type": "vm_command_line", "command": "cat x"}, "getter vm_command_line is not supported"),
        ({"type": "vm_file", "path": "/home/user/../../etc/shadow"}, "only files below"),
    ],
)
def test_unsupported_getters(getter: Mapping[str, Any], words: str) -> None:
    """Evidence is files below HOME, and never what a command in the desktop tells."""
    evaluator = {**record().data["evaluator"], "result": getter}
    assert words in why(record(evaluator=evaluator))


def test_options_are_typed() -> None:
    """An option that is unknown, or of another type, makes a record unsupported."""
    evaluator = {**record().data["evaluator"], "options": {"loud": True}}
    assert "option check_include_exclude.loud is not supported" in why(record(evaluator=evaluator))
    evaluator = {**record().data["evaluator"], "expected": {"type": "rule", "rules": {"include": 5}}}
    assert "check_include_exclude.rules" in why(record(evaluator=evaluator))


def test_malformed() -> None:
    """A file that is no record is a mistake, with its place."""
    with pytest.raises(SettingError, match="here is no record in OSWorld's format: evaluator"):
        record(evaluator=None)


def test_download_stays_in_its_folder(tmp_path: Path) -> None:
    """A URL leads to a file below the folder, by the end of its path, and nowhere else."""
    (tmp_path / "files" / "gimp").mkdir(parents=True)
    (tmp_path / "files" / "gimp" / "a b.png").write_bytes(b"1")
    (tmp_path / "secret").write_bytes(b"2")
    (tmp_path / "files" / "gimp" / "link").symlink_to(tmp_path / "secret")
    local = downloads.Downloads(tmp_path / "files")
    assert local.read("https://x.example/resolve/main/gimp/a%20b.png?download=true") == b"1"
    for url in (
        "https://x.example/gimp/../../secret",
        "https://x.example/gimp/link",
        "https://x.example/gimp/c",
    ):
        with pytest.raises(records.Unsupported):
            local.read(url)


def test_saving_is_left_to_the_agent() -> None:
    """Keys that would save for the agent are not pressed; the goal says so instead."""
    keys = "import pyautogui; import time; pyautogui.hotkey('ctrl', 's'); time.sleep(0.5);"
    evaluator = {
        **record().data["evaluator"],
        "postconfig": [{"type": "execute", "parameters": {"command": ["python", "-c", keys]}}],
    }
    asked = tasks.Playable.of(record(evaluator=evaluator), NOWHERE).values()["asked"]
    assert (
        asked
        == "Write a note.\n\nSave your work yourself before you end: it is read from /home/user/note.txt."
    )


@pytest.mark.parametrize(
    ("conj", "kept", "expected"),
    [
        ("and", {"note.txt": b"seen"}, [False]),
        ("or", {"note.txt": b"seen"}, [True]),
        ("or", {"note.txt": b"nothing"}, [False]),
        ("and", {"note.txt": b"seen and heard"}, [True]),
    ],
)
def test_several_evaluators(conj: str, kept: Mapping[str, bytes], expected: list[bool]) -> None:
    """With `and` all have to hold, with `or` one of them."""
    part = record().data["evaluator"]
    other = {"type": "rule", "rules": {"include": ["heard"]}}
    evaluator = {
        "func": [part["func"]] * 2,
        "conj": conj,
        "result": [part["result"]] * 2,
        "expected": [part["expected"], other],
    }
    assert reached(record(evaluator=evaluator), kept) == expected


def test_infeasible() -> None:
    """A record that cannot be done is right if the episode ends so."""
    one = record(evaluator={"func": "infeasible"})
    assert reached(one, {}, "infeasible") == [True]
    assert reached(one, {}, "done") == [False]


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\5\6" + bytes(18)])
@pytest.mark.parametrize("name", ["compare_docx_files", "compare_pptx_files", "compare_docx_tables"])
def test_broken_documents(name: str, content: bytes) -> None:
    """What an agent wrote instead of a document is a fault, and no error."""
    gold = next((RECORDS / "files").rglob("*.docx" if "docx" in name else "*.pptx")).read_bytes()
    assert judged(name, content, gold) is not None


def test_unpacked_size_is_limited() -> None:
    """An archive that would be large when it is unpacked is not read."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(65 * 1024 * 1024))
    assert "too large" in (judged("compare_docx_files", file.getvalue(), file.getvalue()) or "")


def test_patterns_end() -> None:
    """A pattern of a record that would take for ever is given up, and fits nothing."""
    assert judged("check_list", b"a" * 40 + b"!", {"expect": ["(a+)+$(?=b)"]}) is not None


@pytest.mark.parametrize(
    ("name", "result", "expected", "holds"),
    [
        ("exact_match", "true", {"expected": "true"}, True),
        ("exact_match", "false", {"expected": "true"}, False),
        ("check_list", b"one\ntwo\n", {"expect": ["^t"], "unexpect": ["three"]}, True),
        ("check_list", b"one\nthree\n", {"expect": ["^o"], "unexpect": ["three"]}, False),
        ("check_csv", b"a,b\n1,2\n", {"expect": [{"a": {"method": "eq", "ref": "1"}}]}, True),
        ("check_csv", b"a,b\n1,2\n", {"unexpect": [{"a": {"method": "eq", "ref": "1"}}]}, False),
        (
            "check_json",
            b'{"a": [1, {"b": "x"}]}',
            {"expect": [{"key": ["a", 1, "b"], "method": "eq", "ref": "x"}]},
            True,
        ),
        ("check_json", b'{"a": 1}', {"expect": [{"key": ["a", 1], "method": "eq", "ref": "x"}]}, False),
        ("check_json_settings", b'{"a": 1, "b": 2}', {"expected": {"a": 1}}, True),
        ("check_json_settings", b'{"a": 2}', {"expected": {"a": 1}}, False),
        (
            "check_config_status",
            b"(undo-levels 80)\n",
            {"type:": "key-value", "key": "undo-levels", "value": "80"},
            True,
        ),
        ("check_config_status", b"# (undo-levels 80)\n", {"key": "undo-levels", "value": "80"}, False),
        ("check_qt_max_volume", b"qt-max-volume=200\n", {"expected_qt_max_volume": 200}, True),
        ("check_qt_max_volume", b"#qt-max-volume=200\n", {"expected_qt_max_volume": 200}, False),
        (
            "is_vlc_recordings_folder",
            b"input-record-path=/home/user/x\n",
            {"recording_file_path": "/home/user/x"},
            True,
        ),
        ("is_vlc_recordings_folder", b"", {"recording_file_path": "/home/user/x"}, False),
        ("check_font_size", {"default_font_size": 20}, {"type": "range", "min": 16, "max": 99}, True),
        ("check_font_size", {"default_font_size": 16}, {"type": "value", "value": 20}, False),
        (
            "check_history_deleted",
            [("https://a.example", "A")],
            {"type": "keywords", "keywords": ["b.ex"]},
            True,
        ),
        (
            "check_history_deleted",
            [("https://b.example", "B")],
            {"type": "keywords", "keywords": ["b.ex"]},
            False,
        ),
        ("check_enabled_experiments", ["x@1"], {"type": "names", "names": ["x"]}, True),
        ("check_enabled_experiments", [], {"type": "names", "names": ["x"]}, False),
    ],
)
def test_rules(name: str, result: Any, expected: Any, holds: bool) -> None:
    """A value is as the rules of a record say, or not."""
    assert (judged(name, result, expected) is None) == holds


def test_history_is_read_from_the_browser_s_database() -> None:
    """The browser's database is read in memory, without running anything of it."""
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE urls (url TEXT, title TEXT)")
        database.execute("INSERT INTO urls VALUES ('https://a.example/', 'A')")
        content = database.serialize()
    evaluator = {
        "func": "check_history_deleted",
        "result": {"type": "history"},
        "expected": {"type": "rule", "rules": {"type": "keywords", "keywords": ["a.example"]}},
    }
    one = record(snapshot="chrome", evaluator=evaluator)
    assert reached(one, {".config/chromium/Default/History": content}) == [False]
    assert reached(one, {".config/chromium/Default/History": b"broken"}) == [False]
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE urls (url TEXT, title TEXT)")
        content = database.serialize()
    assert reached(one, {".config/chromium/Default/History": content}) == [True]


@pytest.mark.parametrize(("change", "holds"), [("mirror", True), ("same", False), ("flip", False)])
def test_mirrored_pictures(change: str, holds: bool) -> None:
    """A mirrored picture is told from the same one, and from one that is upside down."""
    from PIL import Image, ImageOps

    original = (RECORDS / "files/gimp/shared/boat.png").read_bytes()
    picture = Image.open(io.BytesIO(original))
    changed = {"mirror": ImageOps.mirror, "same": ImageOps.exif_transpose, "flip": ImageOps.flip}[change](
        picture
    )
    file = io.BytesIO()
    changed.save(file, "png")
    assert (judged("check_image_mirror", file.getvalue(), original) is None) == holds


def test_other_settings_are_to_stay() -> None:
    """Where a record is about a setting, another one in the same file must not change with it."""
    (task,) = [one for one in shipped("osworld").tasks if one.id == "undo_levels"]
    content = base64.b64encode(b"(undo-levels 80)\n").decode()
    path = ".config/GIMP/2.10/gimprc"

    def judged(levels: str, size: str) -> bool:
        rows = {"gimprc/undo-levels": {"value": levels}, "gimprc/undo-size": {"value": size}}
        after = State({"settings": rows, "kept": {path: {"base64": content}}})
        return bool(task.judge(Evidence(before, after, None, "success"), case).success)

    before = State({"settings": {"gimprc/undo-size": {"value": "1024M"}}, "kept": {}})
    case = task.case(before, "goal", 0)
    assert judged("80", "1024M")
    assert not judged("80", "80M")
