"""A suite folder is read strictly: whatever is wrong with it is one sentence with the file, the key and the cure."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench import library
from pytest_cuabench.action import Size
from pytest_cuabench.collect import slug
from pytest_cuabench.errors import SettingError
from pytest_cuabench.suite import known_suites, load_suite, suite_folder

SAMPLE = Path(__file__).parents[1] / "sample_suite"


@pytest.fixture(autouse=True)
def no_suite_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the suites that other tests of this process have loaded."""
    for name in [name for name in sys.modules if name.startswith("cuabench_suite_")]:
        monkeypatch.delitem(sys.modules, name)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Suites that a test loads are forgotten after it."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("cuabench_suite_"):
            del sys.modules[name]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the sample suite."""
    return shutil.copytree(SAMPLE, tmp_path / "sample", ignore=shutil.ignore_patterns("__pycache__"))


def change(file: Path, old: str, new: str) -> None:
    """Replace a part of a file."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def refusal(folder: Path) -> str:
    """Return the sentence with which a suite is refused."""
    with pytest.raises(SettingError) as refused:
        load_suite(folder)
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


def test_sample(folder: Path) -> None:
    """A suite is its tasks with all that builds, judges and proves them."""
    suite = load_suite(folder)
    assert (suite.name, suite.title, suite.driver, suite.world) == ("sample", "Sample", "chromium", "clinic")
    assert (suite.screen, suite.audit_seeds) == (Size(640, 480), (0, 1, 2))
    assert [task.name for task in suite.tasks] == ["desk/note", "desk/count", "desk/both"]
    note, _, both = suite.tasks
    assert (note.domain, note.difficulty, note.preamble) == ("Front Desk", "easy", "Sit down.")
    assert (note.max_steps, note.max_seconds, both.max_steps) == (10, 60, 20)
    assert dict(note.goals) == {"intent": ("Note that {name} was seen.",), "step": ("Press n for {name}.",)}
    assert [(wrong.name, wrong.reason) for wrong in note.wrong] == [
        ("note_for_bo", "patient_identity/critical")
    ]
    assert [(wrong.name, wrong.reason) for wrong in both.wrong] == [("one_too_many", "milestone:noted")]
    assert note.prologue is None


def test_suite_is_loaded_twice(folder: Path) -> None:
    """The same folder may be loaded again."""
    assert [task.name for task in load_suite(folder).tasks] == [
        task.name for task in load_suite(folder).tasks
    ]


def test_relative_imports(folder: Path) -> None:
    """Code of a suite may import from its application and from beside the applications, and from no `sys.path`."""
    (folder / "shared.py").write_text("WHO = 'Ada'\n")
    (folder / "desk" / "near.py").write_text("from ..shared import WHO\n")
    change(
        folder / "desk" / "cases.py",
        "def note",
        "from .near import WHO\nfrom ..shared import WHO as AGAIN\n\n\ndef note",
    )
    path = list(sys.path)
    builder: Any = load_suite(folder).tasks[0].builder
    assert builder.__globals__["WHO"] == builder.__globals__["AGAIN"] == "Ada"
    assert sys.path == path


def test_mistakes_file(folder: Path) -> None:
    """Wrong solutions may stand in a file of their own."""
    (folder / "desk" / "mistakes.py").write_text(
        "from pytest_cuabench import wrong\n\n\n"
        "@wrong('note', 'milestone:noted')\nasync def nothing(hand, case): ...\n"
    )
    assert [wrong.name for wrong in load_suite(folder).tasks[0].wrong] == ["note_for_bo", "nothing"]


def test_prologue(folder: Path) -> None:
    """What everybody does first belongs to every task of the application."""
    with (folder / "desk" / "solutions.py").open("a") as file:
        file.write("\n\nasync def prologue(hand, case):\n    raise LookupError('played')\n")
    for task in load_suite(folder).tasks:
        assert task.prologue is not None
        with pytest.raises(LookupError, match="played"):
            asyncio.run(_await(task.prologue(None, None)))  # type: ignore[arg-type]


async def _await(work: Any) -> None:
    await work


def test_two_suites_of_one_name(folder: Path, tmp_path: Path) -> None:
    """Two folders whose suites have one name are both named, and one is to be renamed."""
    other = shutil.copytree(folder, tmp_path / "other")
    load_suite(folder)
    assert refusal(other) == f"two suites have one name: {other} and {folder}; rename one of them"


KEYS = "applications, audit_seeds, budget, documents, environment, name, paper, title, variants"


def test_the_tier_is_synthetic_unless_said_otherwise(folder: Path) -> None:
    """An application may name the fidelity of its software."""
    assert {task.tier for task in load_suite(folder).tasks} == {"synthetic"}
    change(
        folder / "desk" / "tasks.toml", 'domain = "Front Desk"', 'domain = "Front Desk"\ntier = "production"'
    )
    assert {task.tier for task in load_suite(folder).tasks} == {"production"}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('name = "sample"', "", "name is missing"),
        (
            'name = "sample"',
            'name = "My Suite"',
            "name: string should match pattern '^[a-z][a-z0-9_]*$', not 'My Suite'",
        ),
        ('name = "sample"', "name = 5", "name: input should be a valid string, not 5"),
        ('title = "Sample"', 'title = ""', "title: string should have at least 1 character, not ''"),
        ('title = "Sample"', 'titel = "Sample"', "title is missing"),
        (
            'title = "Sample"',
            'title = "S"\ncolour = "red"',
            f"colour is not a known key; known there: {KEYS}",
        ),
        (
            "steps = 10",
            "steps = 10\neuros = 1",
            "budget.euros is not a known key; known there: dollars, seconds, steps",
        ),
        ("steps = 10", "steps = 0", "budget.steps: input should be greater than or equal to 1, not 0"),
        (
            "steps = 10",
            "steps = 1.5",
            "budget.steps: input should be a valid integer, got a number with a fractional part",
        ),
        ("seconds = 60", "seconds = -1", "budget.seconds: input should be greater than 0, not -1"),
        ("seconds = 60", "", "budget.seconds is missing"),
        ('driver = "chromium"', "", "environment.driver is missing"),
        ("[640, 480]", "[640]", "environment.screen.1 is missing"),
        (
            "[640, 480]",
            "[64, 480]",
            "environment.screen.0: input should be greater than or equal to 320, not 64",
        ),
        ("[640, 480]", '"640x480"', "environment.screen: input should be a valid tuple, not '640x480'"),
        ('["desk"]', "[]", "applications: tuple should have at least 1 item after validation, not 0"),
        ('["desk"]', '"desk"', "applications: input should be a valid tuple, not 'desk'"),
        ('["desk"]', '["Desk"]', "applications.0: string should match pattern"),
        ('["intent", "step"]', "[]", "variants: tuple should have at least 1 item after validation, not 0"),
        (
            'name = "sample"',
            'name = "sample"\naudit_seeds = [-1]',
            "audit_seeds.0: input should be greater than or equal to 0",
        ),
        ("[budget]", "[[budget]]", "budget: input should be a valid dictionary"),
    ],
)
def test_malformed_suite_file(old: str, new: str, sentence: str, folder: Path) -> None:
    """A wrong, unknown or missing key of `suite.toml` is named with what is allowed there."""
    change(folder / "suite.toml", old, new)
    assert refusal(folder).startswith(f"{folder}/suite.toml: {sentence}")


TASK_KEYS = (
    "difficulty, goals, id, labels, max_seconds, max_steps, resources, solved_by_prologue, template, title, values, "
    "wording"
)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('title = "Write a note"', "", "task.0.title is missing"),
        (
            'difficulty = "easy"',
            'difficulty = "trivial"',
            "task.0.difficulty (task note): input should be 'easy', 'medium' or 'hard', not 'trivial'",
        ),
        (
            'difficulty = "easy"',
            'difficulty = "easy"\nlevel = 1',
            f"task.0.level is not a known key; known there: {TASK_KEYS}",
        ),
        (
            "max_steps = 20",
            "max_steps = 0",
            "task.2.max_steps (task both): input should be greater than or equal to 1, not 0",
        ),
        (
            'id = "count"',
            'id = "note"',
            "the file: value error, task ids must be different, note stands twice",
        ),
        (
            'id = "count"',
            'id = "count patients"',
            "task.1.id (task count patients): string should match pattern",
        ),
        (
            '["How many patients are there?"]',
            "[]",
            "task.1.goals.intent (task count): tuple should have at least 1 item",
        ),
        (
            '["How many patients are there?"]',
            '""',
            "task.1.goals.intent (task count): input should be a valid tuple, not ''",
        ),
        ('domain = "Front Desk"', "", "application.domain is missing"),
        ('domain = "Front Desk"', 'domian = "Front Desk"', "application.domain is missing"),
        (
            'domain = "Front Desk"',
            'domain = "F"\nroom = 1',
            "application.room is not a known key; known there: domain, harmless, preamble, tier, title",
        ),
    ],
)
def test_malformed_tasks_file(old: str, new: str, sentence: str, folder: Path) -> None:
    """A wrong, unknown or missing key of `tasks.toml` is named with its task and what is allowed there."""
    change(folder / "desk" / "tasks.toml", old, new)
    assert refusal(folder).startswith(f"{folder}/desk/tasks.toml: {sentence}")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[application]\ntitle = 'D'\ndomain = 'F'\n", "task is missing"),
        (
            "[application]\ntitle = 'D'\ndomain = 'F'\n[task]\nid = 'note'\n",
            "task: input should be a valid tuple",
        ),
        (
            "task = ['note']\n[application]\ntitle = 'D'\ndomain = 'F'\n",
            "task.0: input should be a valid dictionary",
        ),
        (
            "task = 1\n[application]\ntitle = 'D'\ndomain = 'F'\n",
            "task: input should be a valid tuple, not 1",
        ),
    ],
)
def test_tasks_that_are_no_tasks(text: str, sentence: str, folder: Path) -> None:
    """Tasks that are not written as `[[task]]` are refused."""
    (folder / "desk" / "tasks.toml").write_text(text)
    assert refusal(folder).startswith(f"{folder}/desk/tasks.toml: {sentence}")


@pytest.mark.parametrize("name", ["suite.toml", "desk/tasks.toml"])
def test_no_toml(name: str, folder: Path) -> None:
    """A file that is no TOML, or no text, is named with the place of the mistake."""
    (folder / name).write_text("name = \n")
    assert refusal(folder) == f"{folder}/{name} is not valid TOML: Invalid value (at line 1, column 8)"
    (folder / name).write_bytes(b"\xff")
    assert refusal(folder).startswith(f"{folder}/{name} is not valid TOML: 'utf-8' codec")


@pytest.mark.parametrize(
    "name", ["suite.toml", "desk/tasks.toml", "desk/cases.py", "desk/checks.py", "desk/solutions.py"]
)
def test_missing_file(name: str, folder: Path) -> None:
    """A file that is not there is named."""
    (folder / name).unlink()
    assert refusal(folder) == f"{folder}/{name} is missing"


def test_missing_application(folder: Path) -> None:
    """An application that has no folder is missing its file."""
    change(folder / "suite.toml", '["desk"]', '["desk", "ward"]')
    assert refusal(folder) == f"{folder}/ward/tasks.toml is missing"


@pytest.mark.parametrize("kind", ["cases", "checks", "solutions"])
def test_missing_function(kind: str, folder: Path) -> None:
    """A task without a function of its name is named with the file that lacks it."""
    change(folder / "desk" / f"{kind}.py", "def count(", "def counts(")
    with (folder / "desk" / f"{kind}.py").open("a") as file:
        file.write("\n\ncount = None\n")
    assert refusal(folder) == (
        f"{folder}/desk/{kind}.py: there is no function count for the task of that name"
    )


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def", "SyntaxError: invalid syntax (checks.py, line 1)"),
        ("import nothing_of_the_kind", "ModuleNotFoundError: No module named 'nothing_of_the_kind'"),
        (
            "from .nothing import x",
            "ModuleNotFoundError: No module named 'cuabench_suite_sample.desk.nothing'",
        ),
    ],
)
def test_code_that_cannot_be_imported(code: str, sentence: str, folder: Path) -> None:
    """Code that breaks on import is named with the reason."""
    (folder / "desk" / "checks.py").write_text(code)
    assert refusal(folder) == f"{folder}/desk/checks.py cannot be imported: {sentence}"


def test_wrong_solution_of_no_task(folder: Path) -> None:
    """A wrong solution of a task that is not there is named, with the file it stands in."""
    change(folder / "desk" / "solutions.py", '@wrong("note"', '@wrong("notes"')
    (folder / "desk" / "mistakes.py").write_text("")
    assert refusal(folder) == (
        f"{folder}/desk/solutions.py: note_for_bo is declared wrong for 'notes', which is no task"
    )


@pytest.mark.parametrize(
    ("old", "new", "goals"),
    [
        ('goals.step = ["Press n for {name}."]\n', "", "intent"),
        ("goals.step = [", "goals.stop = [", "intent, stop"),
        ("goals.step = [", 'goals.demo = ["x"]\ngoals.step = [', "intent, demo, step"),
    ],
)
def test_goals_must_be_the_variants(old: str, new: str, goals: str, folder: Path) -> None:
    """A task has a goal for each variant of the suite, and for no other."""
    change(folder / "desk" / "tasks.toml", old, new)
    assert refusal(folder) == (
        f"{folder}/desk/tasks.toml: task note has goals for {goals}, but the suite's variants are intent, step"
    )


def test_known_suites(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shipped suites are known by the names of their folders; an unknown name is answered with the known ones."""
    assert set(known_suites()) >= {"medcua"}
    monkeypatch.setattr(library, "SUITES", folder.parent)
    assert suite_folder("sample") == folder
    with pytest.raises(SettingError, match=r"--cua-suite: no suite is named 'none'; known: .*sample"):
        suite_folder("none")


@pytest.mark.parametrize(
    ("words", "name"),
    [("Front Desk", "front_desk"), ("ICU", "icu"), ("Ear, Nose & Throat ", "ear_nose_throat")],
)
def test_slug(words: str, name: str) -> None:
    """A domain's name becomes a marker."""
    assert slug(words) == name
