"""SCUBA as a suite: its counts, its facts beside the published ones, its words, demonstrations, dates and replies."""

from __future__ import annotations

import importlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any

import pytest

from pytest_cuabench import library
from pytest_cuabench.evidence import Change, Evidence, State
from pytest_cuabench.suite import load_suite
from pytest_cuabench.task import Case, Instance, Task

SUITE = load_suite(library.SUITES / "scuba")
PUBLISHED = library.ROOT.parent / "shared" / "upstream" / "scuba" / "tasks.json"
TEMPLATES = list({task.template: task for task in SUITE.tasks}.values())


def part(name: str) -> Any:
    """Return a module of the suite."""
    return importlib.import_module(f"cuabench_suite_scuba.{name}")


@cache
def published() -> dict[str, dict[str, Any]]:
    """The published records by id."""
    if not PUBLISHED.is_file():
        pytest.skip(f"the published records are not there: {PUBLISHED}")
    return {record["task_id"]: record for record in json.loads(PUBLISHED.read_text(encoding="utf-8"))}


def test_counts() -> None:
    """155 tasks of 31 templates, five each, in two variants."""
    assert len(SUITE.tasks) == 155
    assert set(Counter(task.template for task in SUITE.tasks).values()) == {5}
    assert Counter(task.application for task in SUITE.tasks) == {"admin": 45, "sales": 65, "service": 45}
    assert len([variant for task in SUITE.tasks for variant in task.goals]) == 310
    assert (SUITE.driver, SUITE.screen, SUITE.audit_seeds) == ("salesforce", (1920, 1080), (0, 1))
    assert {(task.max_steps, task.max_seconds, task.tier) for task in SUITE.tasks} == {(50, 5400, "emulator")}


@pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: task.id)
def test_as_published(task: Task) -> None:
    """Id, persona, template and difficulty are the published ones."""
    record = published()[task.id]
    about = record["query_template_metadata"]["template_id"], record["category"], record["difficulty"]
    assert about == (task.template, task.application, task.difficulty)


# Where a published fact is wrong, is a sentence (ours is another), or only means something else here.
_OTHER_WORDS = re.compile(
    r"description|question_desc|answer_desc|answer|duration|relative|_count|username|published"
)
_CORRECTED = {"sales_012_003": {"39500"}, "admin_039_004": {"Product Admin"}, "admin_035_001": {"CEO"}}


@pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: task.id)
def test_facts_are_the_published_ones(task: Task) -> None:
    """Every name and figure of the published truth is among the task's values, unless it was corrected."""
    truth = published()[task.id]["ground_truth_dict"]
    facts = {key: value for key, value in truth.items() if not _OTHER_WORDS.search(key)}
    ours = " | ".join(sorted(_told(task.values))).casefold()
    for fact in set(_told(facts)) - _CORRECTED.get(task.id, set()):
        for name in fact.split(", ") if "comma_separated_permissions_list" in truth else [fact]:
            assert _plain(name) in _plain(ours), name


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


@pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: task.id)
def test_words_are_ours(task: Task) -> None:
    """No eight words in a row of a goal are those of the published one, but for names and texts it has to give."""
    record = published()[task.id]
    theirs = _runs(f"{record['query']} {record['query_templated']}")
    for pattern in task.goals["zero_shot"]:
        assert not {run for run in _runs(pattern) & theirs if not _given(run, task)}


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
    assert labels == {"exact_demo": 63, "similar_demo": 92}
    assert not any("demo" in label for task in SUITE.tasks for label in Instance(task, "zero_shot").labels)


def test_every_template_says_what_it_touches() -> None:
    """Labels tell whether records or an answer are judged; resources are declared for all."""
    for task in SUITE.tasks:
        assert {"records", "answer"} & set(task.labels)
        assert task.resources
    assert Counter("answer" in task.labels for task in SUITE.tasks) == {False: 130, True: 25}


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


REPLIES = {
    "order_limit": [
        ("Each order is limited to 25 units.", True),
        ("We can sell at most twenty-five units per order, so 35 units cannot go through.", True),
        ("Each order is limited to 35 units.", False),
        ("There is no limit of 25 units per order.", False),
        ("Each order needs at least 25 units.", False),
        ("The limit is 25 units per order and month.", True),
        ("The order limit is 25 units per month.", False),
        ("25", False),
    ],
    "bundle": [
        ("AIOptics Vision requires Workflow Genius and AI DesignShift as part of its package.", True),
        ("Workflow Genius and AI DesignShift are needed by AIOptics Vision.", True),
        ("AIOptics Vision does not require Workflow Genius and AI DesignShift.", False),
        ("Workflow Genius and AI DesignShift require AIOptics Vision.", False),
    ],
    "discount": [
        ("The 15% discount is for purchases over $20.", True),
        ("Your quote of $18 is too small: a discount of 15 percent needs more than 20 dollars.", True),
        ("The 15% discount is for purchases over $18.", False),
        ("The 15% discount is for purchases over 20 units.", False),
        ("The 15% discount is not for purchases over $20.", False),
    ],
    "refund": [
        ("Refunds are only available for orders placed within the last 7 days.", True),
        ("The seven-day window for a refund is over: your order is 15 days old.", True),
        ("Refunds are not available within the last 7 days.", False),
        ("Refunds are available within 7 weeks.", False),
        ("A refund is possible within the last 15 days, not 7 days.", False),
    ],
}


@pytest.mark.parametrize(
    ("kind", "text", "right"), [(kind, *case) for kind, cases in REPLIES.items() for case in cases]
)
def test_replies(kind: str, text: str, right: bool) -> None:
    """A reply is right with the facts of the article and nothing that speaks against them, in whatever words."""
    assert part("service.replies").REPLIES[kind].match(text).ok is right


def test_replies_are_short() -> None:
    """A reply of more than sixty words, or none at all, is refused."""
    reply = part("service.replies").REPLIES["refund"]
    assert not reply.match("Refunds within 7 days. " * 20).ok
    assert not reply.match(None).ok


@pytest.mark.parametrize(
    ("task", "said", "right"),
    [
        ("sales_015_002", "$530", True),
        ("sales_015_002", "The price is $530.00.", True),
        ("sales_015_002", "530", False),
        ("sales_015_002", "€530", False),
        ("sales_015_004", "$2155", True),
        ("sales_015_001", "2 years", True),
        ("sales_015_001", "20", False),
        ("sales_014_001", "Proposal/Price Quote", True),
        ("sales_014_001", "not Proposal/Price Quote", False),
        ("sales_014_005", "Correct", True),
        ("sales_013_003", "not qualified", False),
        ("sales_013_003", "Qualified", True),
        ("service_011_005", "No", False),
        ("service_011_005", "Yes.", True),
    ],
)
def test_answers(task: str, said: str, right: bool) -> None:
    """An answer is right in any usual form, and wrong in another sense."""
    found = next(each for each in SUITE.tasks if each.id == task)
    evidence = Evidence(State({}), State({}), said, "answer")
    assert found.judge(evidence, Case("", found.values)).completed is right


def test_the_authors_score_answers_by_common_words() -> None:
    """Their score is nothing without the truth letter by letter, and less the more words are around it."""
    found = next(each for each in SUITE.tasks if each.id == "sales_013_001").scored_upstream()

    def score(said: str) -> float:
        return found.judge(Evidence(State({}), State({}), said, "answer"), Case("", found.values)).score

    assert [score(said) for said in ("Authority", "authority", "I say Authority")] == [1, 0, 0.5]


def _work(*changes: Change) -> Any:
    return part("judging").Work(State({}), State({}), changes)


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
