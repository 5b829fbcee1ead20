"""SCUBA as a suite: its counts, its facts beside the published ones, its words, demonstrations, dates and answers."""

from __future__ import annotations

import importlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from shipped import shipped

from pytest_cuabench.drivers.salesforce.describing import DEFAULTS
from pytest_cuabench.task import library
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Change, Evidence, State
from pytest_cuabench.task.model import Instance, Task

SUITE = shipped("scuba")
PUBLISHED = library.ROOT.parent / "shared" / "upstream" / "scuba" / "tasks.json"
TEMPLATES = list({task.template: task for task in SUITE.tasks}.values())


def part(name: str) -> Any:
    """Return a module of the suite."""
    return importlib.import_module(f"cuabench_suite_scuba.toolkit.{name}")


@cache
def published() -> dict[str, dict[str, Any]]:
    """The published records by id."""
    if not PUBLISHED.is_file():
        pytest.skip(f"the published records are not there: {PUBLISHED}")
    return {record["task_id"]: record for record in json.loads(PUBLISHED.read_text(encoding="utf-8"))}


def test_counts() -> None:
    """300 tasks of 60 templates in two variants: five each, but for six list views and four territories."""
    templates = Counter(task.template for task in SUITE.tasks)
    assert (len(SUITE.tasks), len(templates)) == (300, 60)
    assert {name: count for name, count in templates.items() if count != 5} == {
        "admin_008": 6,
        "sales_011": 4,
    }
    assert Counter(task.application for task in SUITE.tasks) == {"admin": 171, "sales": 74, "service": 55}
    assert len([variant for task in SUITE.tasks for variant in task.goals]) == 600
    assert (SUITE.driver, SUITE.screen, SUITE.audit_seeds) == ("salesforce", (1920, 1080), (0, 1))
    assert {(task.budget.steps, task.budget.seconds, task.meta.tier) for task in SUITE.tasks} == {
        (50, 5400, "emulator")
    }


def test_as_published() -> None:
    """Id, persona, template and difficulty are the published ones."""
    for task in SUITE.tasks:
        record = published()[task.id]
        about = record["query_template_metadata"]["template_id"], record["category"], record["difficulty"]
        assert about == (task.template, task.application, task.difficulty), task.id


# Where a published fact is a sentence (ours is another), is told in other words here, or only means something else.
_OTHER_WORDS = re.compile(
    r"description|question_desc|answer_desc|answer|duration|relative|_count|username|published|start_date"
    r"|filter_type|chart_type|operation|group_field|permission_type|permissions$|_profiles|separated_values|logic_operator|approval_process_name"
)
_CORRECTED = {
    "admin_001_003": {"ActiveAccountsRPT"},
    "admin_003_002": {"greaterThan"},
    "admin_006_005": {"Product2"},
    "admin_008_001": {"50.0"},
    "admin_033_004": {"ThreeMonths"},
    "admin_035_001": {"CEO"},
    "admin_039_004": {"Product Admin"},
    "sales_012_003": {"39500"},
}
_AROUND = re.compile(r"\{!Record\.|^Record\.|\}$|__c$|^[a-z]{1,2}!")  # of names as metadata has them


def test_facts_are_the_published_ones() -> None:
    """Every name and figure of the published truth is among the task's values, unless it was corrected."""
    for task in SUITE.tasks:
        truth = published()[task.id]["ground_truth_dict"]
        facts = {key: value for key, value in truth.items() if not _OTHER_WORDS.search(key)}
        ours = _plain(" | ".join(sorted(_told(task.values)))).replace(" ", "")
        for fact in set(_told(facts)) - _CORRECTED.get(task.id, set()):
            for name in fact.split(", "):
                assert _plain(_AROUND.sub("", unquote(name))).replace(" ", "") in ours, (task.id, name)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.casefold()).strip()


def _told(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("start_date", "order_start_date", "is_new"):
                yield from (key, *_told(inner)) if " " in key else _told(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _told(inner)
    elif value not in (None, "", True, False):
        yield str(value)


def test_words_are_ours() -> None:
    """No eight words in a row of a goal are those of the published one, but for names and texts it has to give."""
    for task in SUITE.tasks:
        record = published()[task.id]
        theirs = _runs(f"{record['query']} {record['query_templated']}")
        for pattern in task.goals["zero_shot"]:
            assert not {run for run in _runs(pattern) & theirs if not _given(run, task)}, task.id


def _runs(text: str, length: int = 8) -> set[str]:
    words = _plain(text).split()
    return {" ".join(words[start : start + length]) for start in range(len(words) - length + 1)}


def _given(run: str, task: Task) -> bool:
    return run in _plain(" ".join(_told(task.values)))


@pytest.mark.parametrize("task", TEMPLATES, ids=lambda task: task.template)
def test_demonstrations(task: Task) -> None:
    """Two demonstrations of tasks that exist, each in numbered steps that name what is on the screen."""
    document = Instance(task, "demo").document
    assert document is not None
    known = {each.id for each in SUITE.tasks if each.template == task.template}
    assert set(document.shows) <= known
    parts = re.split(r"^# Demonstration \d: .+$", document.text, flags=re.MULTILINE)[1:]
    assert len(parts) == 2
    for steps in parts:
        numbers = [int(number) for number in re.findall(r"^(\d+)\. ", steps, flags=re.MULTILINE)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= 3
        assert "**" in steps or "search" in steps.casefold()


def test_exact_and_similar_demonstrations() -> None:
    """Two tasks of a template are demonstrated exactly; one more where it asks the same as another."""
    labels = Counter(Instance(task, "demo").labels[-1] for task in SUITE.tasks)
    assert labels == {"exact_demo": 121, "similar_demo": 179}
    assert not any("demo" in label for task in SUITE.tasks for label in Instance(task, "zero_shot").labels)


def test_every_template_says_what_it_touches() -> None:
    """Labels tell whether records, metadata or an answer are judged; resources are declared for all."""
    for task in SUITE.tasks:
        assert {"records", "metadata", "answer"} & set(task.meta.labels)
        assert task.scope.resources
    assert Counter("answer" in task.meta.labels for task in SUITE.tasks) == {False: 275, True: 25}


@pytest.mark.parametrize(
    ("start", "rule", "expected"),
    [
        ("2026-03-03", {"days": 10}, "2026-03-13"),
        ("2026-01-31", {"months": 1}, "2026-02-28"),
        ("2028-02-29", {"years": 1, "days": 30}, "2029-03-30"),
        ("2026-08-31", {"months": 18}, "2028-02-29"),
        ("2026-03-03", {"next": "friday"}, "2026-03-06"),
        ("2026-03-06", {"next": "friday"}, "2026-03-13"),
        ("2026-12-30", {"weeks": 3}, "2027-01-20"),
    ],
)
def test_dates(start: str, rule: dict[str, Any], expected: str) -> None:
    """A rule means one day; months keep the day of the month or take the last; the next Friday is never today."""
    assert part("dates").after(date.fromisoformat(start), rule).isoformat() == expected


def test_words_of_dates() -> None:
    """A rule is said in words."""
    assert part("dates").words({"years": 1, "days": 30}) == "1 year and 30 days"


@pytest.mark.parametrize(
    ("task", "said", "right"),
    [
        ("sales_015_002", "$530", True),
        ("sales_015_002", "The price is $530.00.", True),
        ("sales_015_002", "€530", False),
        ("sales_015_004", "$2155", True),
        ("sales_015_001", "2 years", True),
        ("sales_015_001", "20", False),
        ("sales_014_001", "Proposal/Price Quote", True),
        ("sales_014_001", "not Proposal/Price Quote", False),
        ("sales_014_005", "Correct", True),
        ("sales_013_003", "not qualified", False),
        ("sales_013_003", "Qualified", True),
        ("sales_015_002", "USD 530", True),
        ("sales_015_002", "530", False),
        ("sales_013_003", "The lead is qualified.", True),
        ("sales_015_001", "2 yrs", True),
        ("sales_015_001", "24 months", True),
        ("sales_015_001", "The warranty is 2 years.", True),
        ("sales_015_001", "2 months", False),
        ("sales_015_003", "3 weeks", False),
        ("service_011_001", "25", True),
        ("service_011_001", "Each order is limited to 25 units.", True),
        ("service_011_001", "An order may not exceed 25 units.", True),
        ("service_011_001", "at most 25 units per order", True),
        ("service_011_001", "You must order more than 25 units.", False),
        ("service_011_001", "There is no limit of 25 units per order.", False),
        ("service_011_001", "at least 25 units", False),
        ("service_011_001", "The order limit is 25 units per month.", False),
        ("service_011_002", "AI DesignShift and Workflow Genius", True),
        ("service_011_002", "- Workflow Genius\n- AI DesignShift", True),
        ("service_011_002", "Workflow Genius", False),
        ("service_011_002", "not Workflow Genius, AI DesignShift", False),
        ("service_011_003", "over $20", True),
        ("service_011_003", "The 15% discount is for purchases over $20.", True),
        ("service_011_003", "20", False),
        ("service_011_003", "The order was over 25 dollars.", False),
        ("service_011_003", "15% discount over $20 is never given", False),
        ("service_011_003", "under $20", False),
        ("service_011_004", "within the last 7 days", True),
        ("service_011_004", "Refunds are only available for orders placed within the last 7 days.", True),
        ("service_011_004", "one week", True),
        ("service_011_004", "Refunds are not available within the last 7 days.", False),
        ("service_011_004", "after 7 days", False),
        ("service_011_004", "7 weeks", False),
        ("service_011_005", "No", False),
        ("service_011_005", "Yes.", True),
    ],
)
def test_answers(task: str, said: str, right: bool) -> None:
    """An answer is right in any usual form, and wrong in another sense."""
    found = next(each for each in SUITE.tasks if each.id == task)
    evidence = Evidence(State({}), State({}), said, "answer")
    assert found.judge(evidence, Case("", found.values)).completed is right


PHRASINGS = tomllib.loads((Path(__file__).parents[1] / "task" / "phrasings.toml").read_text(encoding="utf-8"))
STATED = {
    "service_011_001": ("at most {right}", "up to {right}"),
    "service_011_003": ("more than {right}",),
    "service_011_004": ("up to {right}",),
}  # bounds that the article itself has


@pytest.mark.parametrize(
    "task",
    [task for task in SUITE.tasks if task.template in ("sales_013", "sales_014", "sales_015", "service_011")],
    ids=lambda task: task.id,
)
def test_answers_in_every_phrasing(task: Task) -> None:
    """The right answer of a question is accepted and refused in the words in which every answer type is."""
    values = task.values
    wrong = {"sales_013": "Budget and Need", "sales_014": "Closed Lost"}.get(
        task.template, "$777 for 888 units"
    )
    case = Case(task.goals["zero_shot"][0], values)
    judged = {
        (group["verdict"], row["say"]): task.judge(
            Evidence(
                State({}),
                State({}),
                row["say"].replace("{right}", values["answer"]).replace("{wrong}", wrong),
                "answer",
            ),
            case,
        ).completed
        for group in PHRASINGS["group"]
        for row in group["rows"]
        if row["say"] not in STATED.get(task.id, ())
    }

    assert [key for key, right in judged.items() if right is not (key[0] == "accepted")] == []


def test_the_authors_score_answers_by_common_words() -> None:
    """Their score is nothing without the truth letter by letter, and less the more words are around it."""
    found = next(each for each in SUITE.tasks if each.id == "sales_013_001").scored_upstream()

    def score(said: str) -> float:
        return found.judge(Evidence(State({}), State({}), said, "answer"), Case("", found.values)).score

    assert [score(said) for said in ("Authority", "authority", "I say Authority")] == [1, 0, 0.5]


def _work(*changes: Change) -> Any:
    ordinary = State({DEFAULTS: {"Account": {"Name": None, "Type": None, "Industry": None}}})
    return part("work").Work(ordinary, ordinary, changes)


def test_what_is_unasked() -> None:
    """Creations are major, deletions and another record of the kind critical, marks of time nothing."""
    old = {"Name": "A", "LastModifiedDate": "1", "Industry": "x"}
    work = _work(
        Change("Account", "1", "update", old, {**old, "Industry": "y"}),
        Change("Account", "2", "update", old, {**old, "Industry": "y"}),
        Change("Account", "3", "update", old, {**old, "LastModifiedDate": "2"}),
        Change("Contact", "4", "update", old, {**old, "Industry": "y"}),
        Change("Account", "5", "delete", old, None),
        Change("Note", "6", "insert", None, {"Title": "n"}),
    )
    work.may_change("Account", "1", "Industry")
    found = {violation.subject: violation.severity for violation in work.unasked()}
    assert found == {
        "Account/2": "critical",
        "Contact/4": "major",
        "Account/5": "critical",
        "Note/6": "major",
    }


def test_an_attempt_with_a_slip_is_no_second_fault() -> None:
    """A record under another name is missed, and not called unasked as well."""
    work = _work(Change("Lead", "1", "insert", None, {"LastName": "Doo", "FirstName": "John"}))
    assert work.closest("Lead", {"Name": "John Doe"}) is None
    assert not list(work.unasked())


def test_of_several_the_best_counts() -> None:
    """Two records of one name: the one that fits better is judged, the other was not asked for."""
    rows = [{"Name": "A", "Type": kind} for kind in ("x", "y")]
    work = _work(*(Change("Account", str(n), "insert", None, row) for n, row in enumerate(rows)))
    found = work.closest("Account", {"Name": "a"}, Type="y")
    assert found is not None
    assert found["Type"] == "y"
    assert [violation.subject for violation in work.unasked()] == ["Account/0"]


def test_a_claimed_record_is_ordinary_beside_what_was_asked() -> None:
    """What a new record holds beside what is judged, given or free is what it holds by itself."""
    row = {"Name": "A", "Type": "x", "Industry": "y"}
    change = Change("Account", "1", "insert", None, row)
    strict, given, free = _work(change), _work(change), _work(change)
    for work in (strict, given, free):
        work.closest("Account", {"Name": "A"}, Type="x")
    given.claim(row | {"Id": "1"}, Industry="y")
    free.free("Account", Industry="the task leaves it open")
    assert [one.severity for one in strict.unasked()] == ["major"]
    assert [*given.unasked(), *free.unasked()] == []
