"""A suite folder is read strictly: whatever is wrong with it is one sentence with the file, the key and the cure."""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pytest_cuabench.errors import CheckerFailure, SettingError
from pytest_cuabench.ledger.markers import slug
from pytest_cuabench.proof.claims import claims
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.suite import known_suites, load_suite, suite_folder

SAMPLE = Path(__file__).parents[1] / "sample_suite"


@pytest.fixture(autouse=True)
def no_suite_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the suites that other tests of this process have loaded."""
    for name in [name for name in tuple(sys.modules) if name.startswith("cuabench_suite_")]:
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
    """Return the sentences with which a suite is refused, without the numbers of lines."""
    with pytest.raises(SettingError) as refused:
        load_suite(folder)
    return re.sub(r"\.toml:\d+: ", ".toml: ", str(refused.value))


def test_sample(folder: Path) -> None:
    """A suite is its tasks with all that builds, judges and proves them."""
    suite = load_suite(folder)
    assert (suite.name, suite.title, suite.driver, suite.world) == ("sample", "Sample", "chromium", "clinic")
    assert (suite.screen, suite.audit_seeds) == (Size(640, 480), (0, 1, 2))
    assert [task.name for task in suite.tasks] == ["desk/note", "desk/count", "desk/both"]
    note, _, both = suite.tasks
    assert (note.domain, note.difficulty, note.wording.preamble) == ("Front Desk", "easy", "Sit down.")
    assert (note.budget.steps, note.budget.seconds, both.budget.steps) == (10, 60, 20)
    assert dict(note.goals) == {"intent": ("Note that {name} was seen.",), "step": ("Press n for {name}.",)}
    assert [(wrong.name, wrong.reason) for wrong in note.functions.wrong] == [
        ("note_for_bo", "patient_identity/critical")
    ]
    assert [(wrong.name, wrong.reason) for wrong in both.functions.wrong] == [
        ("one_too_many", "milestone:noted")
    ]
    assert note.functions.prologue is None


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
        folder / "desk" / "note.py",
        "def case(state, random):\n",
        "from .near import WHO\nfrom ..shared import WHO as AGAIN\n\n\ndef case(state, random):\n"
        "    return {'near': WHO, 'shared': AGAIN}\n\n\ndef _case(state, random):\n",
    )
    path = list(sys.path)
    case = load_suite(folder).tasks[0].functions.case(State({}), Random(0))
    assert case == {"near": "Ada", "shared": "Ada"}
    assert sys.path == path


def test_nothing_is_imported_before_it_is_played(folder: Path) -> None:
    """A suite is collected without its code; a case imports the code of its task only."""
    suite = load_suite(folder)
    loaded = "cuabench_suite_sample.desk."
    assert not [name for name in tuple(sys.modules) if name.startswith(loaded)]
    suite.tasks[0].functions.case(State({"patients": {"A": {"name": "Ada"}}}), Random(0))
    assert {name for name in tuple(sys.modules) if name.startswith(loaded)} == {
        f"{loaded}note",
        f"{loaded}shared",
    }


def test_functions_may_be_imported(folder: Path) -> None:
    """A task may take its functions, and its wrong solutions, from a module that several tasks share."""
    (folder / "toolkit").mkdir()
    (folder / "desk" / "note.py").rename(folder / "toolkit" / "noting.py")
    change(folder / "toolkit" / "noting.py", "from .shared", "from ..desk.shared")
    (folder / "desk" / "note.py").write_text("from ..toolkit.noting import case, check, note_for_bo, solve\n")
    note = load_suite(folder).tasks[0]
    assert [wrong.name for wrong in note.functions.wrong] == ["note_for_bo"]
    assert note.functions.case(State({"patients": {"A": {"name": "Ada"}}}), Random(0)) == {"name": "Ada"}


def test_optional_functions(folder: Path) -> None:
    """A task may prepare its world, be scored in another way, be infeasible, and have a second solution."""
    plain = load_suite(folder).tasks[0]
    assert (plain.functions.setup, plain.functions.upstream) == (None, None)
    with (folder / "desk" / "note.py").open("a") as file:
        file.write(
            "\n\ndef setup(random):\n    return [{'do': 'write'}]\n"
            "\n\ndef upstream(evidence, case):\n    return iter(())\n"
            "\n\ndef infeasible(state, values):\n    return values['name'] == 'Ada'\n"
            "\n\nfrom pytest_cuabench import also\n\n\n@also\nasync def by_mouse(pilot, case): ...\n"
        )
    note = load_suite(folder).tasks[0]
    assert note.setup(0) == ({"do": "write"},)
    assert note.scored_upstream() != note
    assert note.case(State({"patients": {"A": {"name": "Ada"}}}), "intent", 0).infeasible
    assert [name for name, _ in note.functions.also()] == ["by_mouse"]
    assert [claim.id for claim in claims(note)] == [
        "noop",
        "reference",
        "also-by_mouse",
        "wrong-note_for_bo",
    ]


def test_second_solutions(folder: Path) -> None:
    """A function of `second.py`, or another name of one, is another solution of the task of that name.

    It gets only what the goal tells.
    """
    seen: dict[str, Any] = {}
    (folder / "desk" / "second.py").write_text(
        "async def _write(pilot, case):\n    pilot.update(case.values)\n    pilot['goal'] = case.goal\n\n"
        "both = note = _write\n"
    )
    note = next(task for task in load_suite(folder).tasks if task.id == "note")
    assert "also-second" in [claim.id for claim in claims(note)]
    ((_, second),) = note.functions.also()
    asyncio.run(_await(second(seen, Case("Write to Ada.", {"name": "Ada", "id": "P1"}))))
    assert seen == {"name": "Ada", "goal": "Write to Ada."}


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (
            "async def notes(pilot, case): ...",
            "second.py: notes is not a task of the application; did you mean 'note'?",
        ),
        (
            "async def _write(pilot, case): ...\nnotes = _write",
            "second.py: notes is not a task of the application; did you mean 'note'?",
        ),
        ("def note(case): ...", "second.py:1: expected async def note(pilot, case), not def note(case)"),
    ],
)
def test_bad_second_solutions(folder: Path, code: str, sentence: str) -> None:
    """A second solution of no task, or of another form, is a fault of the suite."""
    (folder / "desk" / "second.py").write_text(f"{code}\n")
    with pytest.raises(SettingError, match=re.escape(sentence)):
        load_suite(folder)


def test_names_that_are_no_second_solutions(folder: Path) -> None:
    """What `second.py` imports or uses is no solution of a task that happens to have that name."""
    (folder / "desk" / "second.py").write_text("from math import floor as note\n\nprint(note)\n")
    note = next(task for task in load_suite(folder).tasks if task.id == "note")
    assert list(note.functions.also()) == []


def test_prologue(folder: Path) -> None:
    """What everybody does first belongs to every task of the application."""
    (folder / "toolkit.py").write_text("async def sign_in(pilot, case):\n    raise LookupError('played')\n")
    change(folder / "desk" / "application.toml", "tasks =", 'prologue = "toolkit:sign_in"\ntasks =')
    for task in load_suite(folder).tasks:
        assert task.functions.prologue is not None
        with pytest.raises(LookupError, match="played"):
            asyncio.run(_await(task.functions.prologue(None, None)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("prologue", "sentence"),
    [
        (
            "toolkit:sign_on",
            "desk/application.toml: prologue: {}/toolkit.py has no function sign_on; did you mean 'sign_in'?",
        ),
        ("toolkits:sign_in", "toolkits.py is missing"),
        ("toolkit:late", "toolkit.py:4: expected async def late(pilot, case), not def late(case)"),
        ("sign_in", "desk/application.toml: prologue: string should match pattern"),
    ],
)
def test_malformed_prologue(prologue: str, sentence: str, folder: Path) -> None:
    """A prologue that is not there, or takes something else, is named with the nearest one."""
    (folder / "toolkit.py").write_text("async def sign_in(pilot, case): ...\n\n\ndef late(case): ...\n")
    change(folder / "desk" / "application.toml", "tasks =", f'prologue = "{prologue}"\ntasks =')
    assert refusal(folder).startswith(f"{folder}/{sentence.format(folder)}")


@pytest.fixture
def shared(folder: Path) -> Path:
    """The sample suite, where the functions of a task lie in a module that the application names."""
    (folder / "desk" / "note.py").rename(folder / "desk" / "notes.py")
    change(folder / "desk" / "application.toml", "tasks =", 'module = "desk.notes"\ntasks =')
    return folder


def test_module_of_tasks_without_a_file(shared: Path) -> None:
    """A task without a Python file has the functions of the application's module; the others keep their own."""
    note, count, _ = load_suite(shared).tasks
    assert [wrong.name for wrong in note.functions.wrong] == ["note_for_bo"]
    assert note.functions.check.__code__.co_filename == str(shared / "desk" / "notes.py")
    assert count.functions.check.__code__.co_filename == str(shared / "desk" / "count.py")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"desk.notes"', '"desk.nodes"', "desk/nodes.py is missing"),
        ('"desk.notes"', '"desk/notes"', "desk/application.toml: module: string should match pattern"),
        (
            '"note", "count"',
            '"count"',
            "desk/application.toml: module: each task has its own Python file; remove the key",
        ),
    ],
)
def test_malformed_module(old: str, new: str, sentence: str, shared: Path) -> None:
    """A module that is missing, or that no task uses, is named once."""
    change(shared / "desk" / "application.toml", old, new)
    assert refusal(shared).count(f"{shared}/{sentence}") == 1


def test_fault_in_a_shared_module(shared: Path) -> None:
    """A fault in a module of several tasks is said once."""
    (shared / "desk" / "count.py").unlink()
    change(shared / "desk" / "notes.py", "def check(evidence, case)", "def chek(evidence, case)")
    assert refusal(shared).count("def check(evidence, case) is missing") == 1


async def _await(work: Any) -> None:
    await work


def test_two_suites_of_one_name(folder: Path, tmp_path: Path) -> None:
    """Two folders whose suites have one name are both named, and one is to be renamed."""
    other = shutil.copytree(folder, tmp_path / "other")
    load_suite(folder)
    assert refusal(other) == f"two suites have the same name: {other} and {folder}; rename one of them"


KEYS = (
    "applications, audit_seeds, budget, dimensions, documents, environment, name, paper, phases, run_code, scripts, "
    "table, task_files, title, variants"
)


def test_the_dimensions_of_harm_are_those_of_the_suite(folder: Path) -> None:
    """Each task knows what its suite's violations hurt, in the order of `suite.toml`."""
    assert {task.rules.dimensions for task in load_suite(folder).tasks} == {()}
    change(folder / "suite.toml", 'title = "Sample"', 'title = "S"\ndimensions = ["privacy", "accuracy"]')
    assert {task.rules.dimensions for task in load_suite(folder).tasks} == {("privacy", "accuracy")}


def test_an_application_may_have_an_environment_of_its_own(folder: Path) -> None:
    """Its tasks are played there, and those of all others where the suite is played."""
    own = 'environment = { driver = "chromium", world = "ward", screen = [1280, 720] }\ntitle'
    change(folder / "desk" / "application.toml", "title", own)

    suite = load_suite(folder)

    there = suite.of("desk")
    assert (there.world, there.screen, there.name) == ("ward", Size(1280, 720), suite.name)
    assert suite.of("elsewhere") is suite
    assert suite.world == "clinic"


def test_the_tier_is_synthetic_unless_said_otherwise(folder: Path) -> None:
    """An application may name the fidelity of its software."""
    assert {task.meta.tier for task in load_suite(folder).tasks} == {"synthetic"}
    change(
        folder / "desk" / "application.toml",
        'domain = "Front Desk"',
        'domain = "Front Desk"\ntier = "production"',
    )
    assert {task.meta.tier for task in load_suite(folder).tasks} == {"production"}


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
            f"unknown key colour; known: {KEYS}",
        ),
        (
            'title = "Sample"',
            'title = "S"\ndimension = ["privacy"]',
            f"unknown key dimension; known: {KEYS}; did you mean 'dimensions'?",
        ),
        (
            'title = "Sample"',
            'title = "S"\ndimensions = ["Privacy"]',
            "dimensions.0: string should match pattern",
        ),
        (
            "[budget]",
            '[table]\nmeasures = []\nrows = ["agent"]\n\n[budget]',
            "table.measures: tuple should have at least 1 item after validation, not 0",
        ),
        (
            "steps = 10",
            "steps = 10\neuros = 1",
            "unknown key budget.euros; known: dollars, seconds, steps",
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
    "difficulty, goals, labels, max_seconds, max_steps, proved, reference, resources, solved_by_prologue, "
    "title, wording"
)
APPLICATION_KEYS = (
    "domain, environment, harmless, kinds, module, opens, preamble, prologue, tasks, tier, title"
)


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("note", 'title = "Write a note"', "", "title is missing"),
        (
            "note",
            'difficulty = "easy"',
            'difficulty = "trivial"',
            "difficulty: input should be 'easy', 'medium' or 'hard', not 'trivial'",
        ),
        (
            "note",
            'difficulty = "easy"',
            'difficulty = "easy"\nlevel = 1',
            f"unknown key level; known: {TASK_KEYS}",
        ),
        (
            "both",
            "max_steps = 20",
            "max_steps = 0",
            "max_steps: input should be greater than or equal to 1, not 0",
        ),
        (
            "count",
            '["How many patients are there?"]',
            "[]",
            "goals.intent: tuple should have at least 1 item",
        ),
        (
            "count",
            '["How many patients are there?"]',
            '""',
            "goals.intent: input should be a valid tuple, not ''",
        ),
        ("note", "goals.", "words.", "unknown key words"),
        ("application", 'domain = "Front Desk"', "", "domain is missing"),
        ("application", 'domain = "Front Desk"', 'domian = "Front Desk"', "domain is missing"),
        (
            "application",
            'domain = "Front Desk"',
            'domain = "F"\nroom = 1',
            f"unknown key room; known: {APPLICATION_KEYS}",
        ),
        (
            "application",
            '"note", "count"',
            '"note", "note"',
            "tasks: duplicate tasks: ",
        ),
        ("application", '["note", "count", "both"]', "[]", "tasks: tuple should have at least 1 item"),
    ],
)
def test_malformed_task_file(file: str, old: str, new: str, sentence: str, folder: Path) -> None:
    """A wrong, unknown or missing key of a task or an application is named with what is allowed there."""
    change(folder / "desk" / f"{file}.toml", old, new)
    assert f"{folder}/desk/{file}.toml: {sentence}" in refusals(folder)[0]


def refusals(folder: Path) -> list[str]:
    """Return the sentences with which a suite is refused."""
    with pytest.raises(SettingError) as refused:
        load_suite(folder)
    return re.sub(r"\.toml:\d+: ", ".toml: ", str(refused.value)).splitlines()


def test_all_faults_are_told_at_once(folder: Path) -> None:
    """Whatever is wrong with the files of a suite is told in one go, each with its file, and its line in Python."""
    desk = folder / "desk"
    change(desk / "note.toml", 'title = "Write a note"', "")
    change(desk / "note.py", "def check(evidence, case):", "def chek(evidence, case):")
    change(desk / "count.py", "def case(state, random):", "def case(state, chance):")
    change(
        desk / "count.py", "async def solve(pilot, case):\n    await", "def solve(pilot, case):\n    return"
    )
    change(desk / "both.py", "async def solve(pilot, case)", "async def solve(pilot, cases)")
    change(desk / "application.toml", '"both"]', '"both", "bot"]')
    (desk / "spare.toml").write_text("")
    assert refusals(folder) == [
        f"{desk}/bot.toml is missing, but application.toml lists the task",
        f"{desk}/spare.toml: not listed in application.toml; add it to tasks or remove the file",
        f"{desk}/note.toml: title is missing",
        f"{desk}/note.py: def check(evidence, case) is missing; did you mean 'check' by 'chek' (line 12)?",
        f"{desk}/count.py:8: expected def case(state, random), not def case(state, chance)",
        f"{desk}/count.py:17: expected async def solve(pilot, case), not def solve(pilot, case)",
        f"{desk}/both.py:19: expected async def solve(pilot, case), not async def solve(pilot, cases); "
        "did you mean 'case'?",
    ]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("def case(state, random)", "def _unused(state)", ": def case(state, random) is missing"),
        ("async def solve", "async def solution", ": async def solve(pilot, case) is missing"),
        (
            "async def solve(pilot, case)",
            "def setpu(random): ...\n\n\nasync def solve(pilot, case)",
            ": not a function name of tasks; did you mean 'setup' by 'setpu' (line 17)?",
        ),
        (
            "def case(state, random)",
            "def case(state, random, values)",
            ":8: expected def case(state, random), not def case(state, random, values)",
        ),
        ("def check", "def", ":12: invalid syntax"),
        ("def check(evidence, case)", "def check(work, case)", ":12: expected def check(evidence, case)"),
    ],
)
def test_functions_of_another_name(old: str, new: str, sentence: str, folder: Path) -> None:
    """A missing function, another signature and code that is no Python are named with file and line."""
    change(folder / "desk" / "note.py", old, new)
    assert refusal(folder).startswith(f"{folder}/desk/note.py{sentence}")


def test_decorated_functions(folder: Path) -> None:
    """A function may take what it likes where a decorator makes another one of it."""
    (folder / "desk" / "judging.py").write_text(
        "def judged(check):\n    return lambda evidence, case: check(evidence.journal, case)\n"
    )
    change(folder / "desk" / "note.py", "def check(evidence, case)", "@judged\ndef check(journal, case)")
    change(folder / "desk" / "note.py", "from .shared", "from .judging import judged\nfrom .shared")
    assert load_suite(folder).tasks[0].name == "desk/note"


@pytest.mark.parametrize("name", ["suite.toml", "desk/application.toml", "desk/note.toml"])
def test_no_toml(name: str, folder: Path) -> None:
    """A file that is no TOML, or no text, is named with the place of the mistake."""
    (folder / name).write_text("name = \n")
    assert refusal(folder) == f"{folder}/{name} is not valid TOML: Invalid value (at line 1, column 8)"
    (folder / name).write_bytes(b"\xff")
    assert refusal(folder).startswith(f"{folder}/{name} is not valid TOML: 'utf-8' codec")


@pytest.mark.parametrize("name", ["suite.toml", "desk/application.toml", "desk/note.py"])
def test_missing_file(name: str, folder: Path) -> None:
    """A file that is not there is named."""
    (folder / name).unlink()
    assert refusal(folder).startswith(f"{folder}/{name} is missing")


def test_missing_application(folder: Path) -> None:
    """An application that has no folder is missing its file."""
    change(folder / "suite.toml", '["desk"]', '["desk", "ward"]')
    assert refusal(folder) == (
        f"{folder}/ward/application.toml is missing, and suite.toml lists the application"
    )


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("1 / 0", "desk/note.py: ZeroDivisionError: division by zero"),
        ("import nothing_of_the_kind", "desk/note.py: ModuleNotFoundError: No module"),
        (
            "from .nothing import x",
            "desk/note.py: ModuleNotFoundError: No module named",
        ),
        ("check = None", "desk/note.py: no function named check"),
    ],
)
def test_code_that_cannot_be_imported(code: str, sentence: str, folder: Path) -> None:
    """Code that breaks on import, or has no such function, breaks what it was to do, with its file and line."""
    file = folder / "desk" / "note.py"
    file.write_text(f"{code}\n{file.read_text().replace('def check', 'def _check')}\ncheck = None\n")
    note = load_suite(folder).tasks[0]
    with pytest.raises(CheckerFailure) as broken:
        note.judge(Evidence(State({}), State({})), Case("", {}))
    assert f"{folder}/{sentence}" in str(broken.value)


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
    change(folder / "desk" / "note.toml", old, new)
    assert refusal(folder) == (
        f"{folder}/desk/note.toml: there are goals for {goals}, but the suite's variants are intent, step"
    )


def test_known_suites(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shipped suites are known by the names of their folders; an unknown name is answered with the known ones."""
    assert set(known_suites()) >= {"medcua"}
    monkeypatch.setattr(library, "SUITES", folder.parent)
    assert suite_folder("sample") == folder
    with pytest.raises(SettingError, match=r"--cua-suite: no suite named 'none'; known: .*sample"):
        suite_folder("none")


@pytest.mark.parametrize(
    ("words", "name"),
    [("Front Desk", "front_desk"), ("ICU", "icu"), ("Ear, Nose & Throat ", "ear_nose_throat")],
)
def test_slug(words: str, name: str) -> None:
    """A domain's name becomes a marker."""
    assert slug(words) == name
