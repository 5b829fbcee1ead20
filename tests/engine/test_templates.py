"""Tasks of a template: declared once, with values, labels, resources and something to read of their own."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_cuabench.audit import proofs
from pytest_cuabench.errors import SettingError
from pytest_cuabench.evidence import Evidence, State
from pytest_cuabench.suite import load_suite
from pytest_cuabench.task import Instance, SuiteInfo

SAMPLE = Path(__file__).parents[1] / "sample_suite"
TASKS = """
[application]
title = "Desk"
domain = "Front Desk"
harmless = ["RecentlyViewed", "metadata/Layout"]

[template.greet]
title = "Greet somebody"
difficulty = "medium"
wording = ["Greet {name}, who is {age}.", "Say hello to {name} ({age})."]
labels = ["records"]
resources = ["Contact", "metadata/CustomTab"]

[[task]]
id = "greet_1"
template = "greet"
values = { name = "Ada" }

[[task]]
id = "greet_2"
template = "greet"
difficulty = "hard"
wording = ["Greet Bo."]
values = { name = "Bo" }
"""
CODE = {
    "cases": "def greet(state, chance, values):\n    return {'age': len(values['name'])}\n",
    "checks": (
        "from pytest_cuabench import Milestone\n\n\n"
        "def greet(evidence, case):\n    yield Milestone('strict', False, 1.0)\n\n\n"
        "def upstream_greet(evidence, case):\n    yield Milestone('lax', True, 1.0)\n"
    ),
    "solutions": (
        "from pytest_cuabench import wrong\n\n\nasync def greet(hand, case): ...\n\n\n"
        "@wrong('greet', 'milestone:strict', score=0.25)\nasync def nobody(hand, case): ...\n"
    ),
}
DEMO = """+++
shows = ["greet_1"]
+++
# Greeting Ada

1. Wave.
"""


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """No other suite of the name is loaded, and what a test loads is forgotten after it."""
    before = {name: module for name, module in sys.modules.items() if name.startswith("cuabench_suite_")}
    for name in before:
        del sys.modules[name]
    yield
    for name in [name for name in sys.modules if name.startswith("cuabench_suite_")]:
        del sys.modules[name]
    sys.modules.update(before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A suite with two tasks of one template, and something to read for one of its variants."""
    made = shutil.copytree(SAMPLE, tmp_path / "sample", ignore=shutil.ignore_patterns("__pycache__"))
    suite = (
        (made / "suite.toml")
        .read_text()
        .replace("[environment]", 'documents = { step = "demos" }\n[environment]')
    )
    (made / "suite.toml").write_text(suite + "dollars = 0.5\n")
    (made / "desk" / "tasks.toml").write_text(TASKS)
    for name, code in CODE.items():
        (made / "desk" / f"{name}.py").write_text(code)
    (made / "demos").mkdir()
    (made / "demos" / "greet.md").write_text(DEMO)
    return made


@pytest.fixture
def suite(folder: Path) -> SuiteInfo:
    """The suite, loaded."""
    return load_suite(folder)


def refusal(folder: Path) -> str:
    """Return the sentence with which a suite is refused."""
    with pytest.raises(SettingError) as refused:
        load_suite(folder)
    return str(refused.value)


def test_a_template_says_what_its_tasks_have_in_common(suite: SuiteInfo) -> None:
    """A task has what its template says, unless it says otherwise itself; all variants are worded alike."""
    first, second = suite.tasks
    assert (first.title, first.difficulty, first.template) == ("Greet somebody", "medium", "greet")
    assert (second.title, second.difficulty, second.goals["step"]) == (
        "Greet somebody",
        "hard",
        ("Greet Bo.",),
    )
    assert set(first.goals) == {"intent", "step"}
    assert first.goals["intent"] == first.goals["step"]
    assert first.resources == {"Contact", "metadata/CustomTab"}
    assert first.harmless == {"RecentlyViewed", "metadata/Layout"}
    assert first.max_dollars == 0.5


def test_values_are_given_to_the_functions_of_the_template(suite: SuiteInfo) -> None:
    """A case holds the task's values with what the template's builder adds; wrong solutions count for every task."""
    cases = [task.case(State({}), "intent", 0) for task in suite.tasks]
    assert [dict(case.values) for case in cases] == [{"name": "Ada", "age": 3}, {"name": "Bo", "age": 2}]
    assert cases[0].goal in ("Greet Ada, who is 3.", "Say hello to Ada (3).")
    assert [[(each.name, each.score) for each in task.wrong] for task in suite.tasks] == [
        [("nobody", 0.25)]
    ] * 2


def test_labels_of_an_instance(suite: SuiteInfo) -> None:
    """Labels, resources, and whether the very task is demonstrated are markers of an instance."""
    common = ("records", "touches_contact", "touches_metadata_customtab")
    first, second = suite.tasks
    assert Instance(first, "intent").labels == common
    assert Instance(first, "step").labels == (*common, "exact_demo")
    assert Instance(second, "step").labels == (*common, "similar_demo")


def test_what_is_to_be_read(suite: SuiteInfo) -> None:
    """A document belongs to one variant, without what stands at its top."""
    document = Instance(suite.tasks[0], "step").document
    assert document is not None
    assert document.text == "# Greeting Ada\n\n1. Wave."
    assert Instance(suite.tasks[0], "intent").document is None


def test_scoring_of_the_authors(suite: SuiteInfo) -> None:
    """A task may be scored as the authors of its benchmark do."""
    evidence, task = Evidence(State({}), State({})), suite.tasks[0]
    case = task.case(State({}), "intent", 0)
    assert not task.judge(evidence, case).success
    assert task.scored_upstream().judge(evidence, case).success


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (
            "desk/tasks.toml",
            'wording = ["Greet Bo."]',
            "wording = []",
            "task.1 (task greet_2): value error, a task has either goals, by variant, or one wording for all of them",
        ),
        (
            "desk/tasks.toml",
            'template = "greet"\nvalues = { name = "Ada" }',
            'title = "G"\ndifficulty = "easy"\nwording = ["G"]\nvalues = { name = "Ada" }',
            "task.0 (task greet_1): value error, values are for the functions of a template, and the task names none",
        ),
        ("desk/tasks.toml", 'template = "greet"', 'template = "great"', "task.0.title is missing"),
        (
            "suite.toml",
            "documents = { step",
            "documents = { stop",
            "the file: value error, there are documents for stop, which is no variant",
        ),
        ("demos/greet.md", 'shows = ["greet_1"]', "shows = 1", "shows: input should be a valid tuple, not 1"),
    ],
)
def test_malformed_files(file: str, old: str, new: str, sentence: str, folder: Path) -> None:
    """What is wrong with a template, its task or its document is one sentence."""
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    assert refusal(folder) == f"{folder / file}: {sentence}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", " is empty"),
        ("+++\nshows = []\n", ": the top that a line +++ begins has no end"),
        ("+++\nshows =\n+++\nA", ": its top is not valid TOML: Invalid value (at end of document)"),
        (None, " is missing"),
    ],
)
def test_malformed_documents(text: str | None, sentence: str, folder: Path) -> None:
    """A document that is missing, empty or malformed is named."""
    file = folder / "demos" / "greet.md"
    file.unlink() if text is None else file.write_text(text)
    assert refusal(folder) == f"{file}{sentence}"


def test_one_of_a_template_stands_for_the_others_in_a_quick_audit(suite: SuiteInfo) -> None:
    """The first is tried on two seeds and wrong, the others once; a standard audit tries all of them alike."""
    first, other = (task for task in suite.tasks if task.template == "greet")
    quick = [proof for proof in proofs(suite, "quick") if proof.task.template]
    standard = [proof for proof in proofs(suite, "standard") if proof.task.template]
    seeds = min(2, len(suite.audit_seeds))
    assert [proof.claim.kind for proof in quick if proof.task is other] == ["noop", "reference"]
    assert sum(proof.claim.kind == "reference" for proof in quick if proof.task is first) == seeds
    for task in (first, other):
        assert sum(proof.claim.kind == "reference" for proof in standard if proof.task is task) == seeds
