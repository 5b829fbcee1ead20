"""Tasks of a template: declared once, with values, labels, resources and something to read of their own."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pytest_cuabench.errors import SettingError
from pytest_cuabench.proof.claims import proofs
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.model import Instance, SuiteInfo
from pytest_cuabench.task.suite import load_suite

SAMPLE = Path(__file__).parents[1] / "sample_suite"
APPLICATION = """
title = "Desk"
domain = "Front Desk"
harmless = ["RecentlyViewed", "metadata/Layout"]
tasks = ["greet"]
"""
TASKS = """
title = "Greet somebody"
difficulty = "medium"
wording = ["Greet {name}, who is {age}.", "Say hello to {name} ({age})."]
labels = ["records"]
resources = ["Contact", "metadata/CustomTab"]

[[task]]
id = "greet_1"
values = { name = "Ada" }

[[task]]
id = "greet_2"
difficulty = "hard"
wording = ["Greet Bo."]
values = { name = "Bo" }
"""
CODE = """
from pytest_cuabench import Milestone, wrong


def case(state, random, values):
    return {"age": len(values["name"])}


def check(evidence, case):
    yield Milestone("strict", False, 1.0)


def upstream(evidence, case):
    yield Milestone("lax", True, 1.0)


async def solve(pilot, case): ...


@wrong("milestone:strict", score=0.25)
async def nobody(pilot, case): ...
"""
DEMO = """+++
shows = ["greet_1"]
+++
# Greeting Ada

1. Wave.
"""


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """No other suite of the name is loaded, and what a test loads is forgotten after it."""
    before = {
        name: module for name, module in tuple(sys.modules.items()) if name.startswith("cuabench_suite_")
    }
    for name in before:
        del sys.modules[name]
    yield
    for name in [name for name in tuple(sys.modules) if name.startswith("cuabench_suite_")]:
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
    shutil.rmtree(made / "desk")
    (made / "desk").mkdir()
    for name, text in {"application.toml": APPLICATION, "greet.toml": TASKS, "greet.py": CODE}.items():
        (made / "desk" / name).write_text(text)
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
    return re.sub(r"\.toml:\d+: ", ".toml: ", str(refused.value))


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
    assert first.scope.resources == {"Contact", "metadata/CustomTab"}
    assert first.scope.harmless == {"RecentlyViewed", "metadata/Layout"}
    assert first.budget.dollars == 0.5


def test_values_are_given_to_the_functions_of_the_template(suite: SuiteInfo) -> None:
    """A case holds the task's values with what the template's builder adds; wrong solutions count for every task."""
    cases = [task.case(State({}), "intent", 0) for task in suite.tasks]
    assert [dict(case.values) for case in cases] == [{"name": "Ada", "age": 3}, {"name": "Bo", "age": 2}]
    assert cases[0].goal in ("Greet Ada, who is 3.", "Say hello to Ada (3).")
    assert [[(each.name, each.score) for each in task.functions.wrong] for task in suite.tasks] == [
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
            "desk/greet.toml",
            'wording = ["Greet Bo."]',
            "wording = []",
            "task.1.wording (task greet_2): a task takes either goals by variant, or one wording for all variants",
        ),
        ("desk/greet.toml", 'id = "greet_1"', "", "task.0.id is missing"),
        (
            "desk/greet.toml",
            'title = "Greet somebody"',
            'title = ""',
            "task.0.title (task greet_1): string should",
        ),
        (
            "suite.toml",
            "documents = { step",
            "documents = { stop",
            "documents: no variant named 'stop'; known: intent, step; did you mean 'step'?",
        ),
        ("demos/greet.md", 'shows = ["greet_1"]', "shows = 1", "shows: input should be a valid tuple, not 1"),
    ],
)
def test_malformed_files(file: str, old: str, new: str, sentence: str, folder: Path) -> None:
    """What is wrong with a template, its task or its document is told with its file."""
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    assert refusal(folder).startswith(f"{folder / file}: {sentence}")


def test_two_tasks_of_one_id(folder: Path) -> None:
    """Ids are different within an application."""
    file = folder / "desk" / "greet.toml"
    file.write_text(file.read_text().replace("greet_2", "greet_1"))
    assert refusal(folder) == f"{folder}/desk: duplicate task id greet_1"


def test_a_template_without_a_case(folder: Path) -> None:
    """Where a template adds nothing, its values are the case."""
    file = folder / "desk" / "greet.py"
    file.write_text(file.read_text().replace("def case", "def _case"))
    assert dict(load_suite(folder).tasks[0].functions.case(State({}), Random(0))) == {"name": "Ada"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", " is empty"),
        ("+++\nshows = []\n", ": the front matter has no closing line +++"),
        ("+++\nshows =\n+++\nA", ": the front matter is not valid TOML: Invalid value (at end of document)"),
        (None, " is missing"),
    ],
)
def test_malformed_documents(text: str | None, sentence: str, folder: Path) -> None:
    """A document that is missing, empty or malformed is named."""
    file = folder / "demos" / "greet.md"
    file.unlink() if text is None else file.write_text(text)
    assert refusal(folder) == f"{file}{sentence}"


def test_one_of_a_template_stands_for_the_others_in_a_quick_audit(suite: SuiteInfo) -> None:
    """The first is tried on one seed and wrong, the others on the next; a standard audit tries all of them alike."""
    first, other = (task for task in suite.tasks if task.template == "greet")
    quick = [proof for proof in proofs(suite, "quick") if proof.task.template]
    standard = [proof for proof in proofs(suite, "standard") if proof.task.template]
    seeds = min(2, len(suite.audit_seeds))
    assert [proof.claim.kind for proof in quick if proof.task is other] == ["reference"]
    assert [proof.seed for proof in quick if proof.task is first and proof.claim.kind == "reference"] == [0]
    assert [proof.seed for proof in quick if proof.task is other] == [1]
    for task in (first, other):
        assert sum(proof.claim.kind == "reference" for proof in standard if proof.task is task) == seeds


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [("random", ["wave"] * 2), ("random, values", ["Ada", "Bo"])],
    ids=["alike", "by its values"],
)
def test_the_setup_of_a_template(arguments: str, steps: list[str], folder: Path) -> None:
    """The world of each task is set up alike, or by the task's values where the setup takes them."""
    step = "values['name']" if "values" in arguments else "'wave'"
    with (folder / "desk" / "greet.py").open("a") as file:
        file.write(f"\n\ndef setup({arguments}):\n    return [{{'do': {step}}}]\n")
    assert [task.setup(0)[0]["do"] for task in load_suite(folder).tasks if task.template] == steps


def test_a_setup_that_takes_something_else(folder: Path) -> None:
    """A misspelt argument is told with file and line."""
    file = folder / "desk" / "greet.py"
    with file.open("a") as opened:
        opened.write("\n\ndef setup(random, value):\n    return []\n")
    assert re.search(r"greet\.py:\d+: .*setup\(random\)", refusal(folder))
