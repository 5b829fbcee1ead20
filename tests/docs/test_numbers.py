"""Counts in the documentation are those of the project."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from shipped import shipped

from pytest_cuabench.reporting.failures import Failure
from pytest_cuabench.task import library

ROOT = Path(__file__).parents[2]
FOLDERS = ("agents", "benchmarks", "environments", "examples", "fixtures", "reports", "suites", "wheels")
PAGES = sorted(
    {
        *ROOT.glob("[A-Z]*.md"),
        *ROOT.glob("docs/**/*.md"),
        *(page for folder in FOLDERS for page in (ROOT / folder).rglob("README.md")),
    }
    - {ROOT / "CHANGELOG.md"}
)
WORDS = (
    *(
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
NUMBER = rf"(?:{'|'.join(WORDS[2:])}|\d+(?:,\d{{3}})*)"

# What pages say of the project. In braces stands the name of a count; the page has the number, as a word or in digits.
STATEMENTS = {
    "README.md": [
        "the reference solution plays {triage instances} instances",
        "`medcua` | {medcua tasks} tasks in {medcua applications} clinical applications",
        "{medcua synthetic} of our own, and the real OHIF Viewer",
        "{scuba tasks} tasks in a Salesforce-like org",
        "{scienceboard tasks} tasks in KAlgebra",
        "{docos tasks} tasks in {docos applications} desktop applications",
        "in OSWorld's form, {osworld tasks} of our own",
    ],
    "docs/README.md": [
        "{suites} suites are included",
        "the reference solution of {triage instances} instances",
        "The engine alone has {dependencies} hard dependencies",
    ],
    "docs/comparison.md": ["{tasks} in {suites} suites"],
    "docs/docos.md": ["{docos tasks} tasks on {docos applications} real applications"],
    "docs/medcua-errata.md": ["the {medcua wordings} wordings, the {medcua dimensions} safety dimensions"],
    "docs/other-benchmarks.md": [
        "a task, in {miniwob applications} applications",
        "{miniwob proved} pages have a reference solution",
        "{miniwob unproved} have none, carry the marker",
        "are {osworld tasks} in {osworld applications} applications",
    ],
    "docs/outcomes.md": ["one of the {kinds of failure} kinds of the MedCUA-Bench paper"],
    "docs/scuba.md": ["the {scuba tasks} tasks of SCUBA", "all {scuba templates} templates"],
    "docs/scuba-collateral.md": ["all {scuba tasks} tasks at night"],
    "docs/scuba-errata.md": ["among the {scuba templates} templates of `suites/scuba`"],
    "suites/medcua/README.md": [
        "{medcua tasks} tasks: {medcua each} in each of {medcua applications} applications",
        "{medcua synthetic} applications are original programs",
        "{medcua real} applications are real software",
    ],
    "suites/osworld/README.md": ["and {osworld tasks} of our own"],
    "suites/scuba/README.md": ["{scuba tasks} tasks of {scuba templates} templates"],
}
# Tables with a row for each application, whose number of tasks stands between two columns of text.
TABLES = {"docs/docos.md": "docos", "suites/scienceboard/README.md": "scienceboard"}
# Pages that tell what was measured, at its time, with the number of tasks that were played then.
MEASURED = {
    "docs/collateral.md",
    "docs/gate-burn-in.md",
    "docs/gate.md",
    "docs/long-runs.md",
    "docs/medcua-errata.md",
    "docs/soak.md",
    "docs/validity.md",
}
# What other pages count besides: examples, and what others published.
BESIDES = {
    "docs/comparison.md": {"369 tasks"},
    "docs/docos.md": {"twelve tasks", "twenty applications", "226 tasks"},
    "docs/outcomes.md": {"two suites"},
    "docs/scienceboard.md": {"six scientific applications", "169 tasks"},
    "docs/scuba-collateral.md": {"31 templates"},
    "docs/scuba.md": {"31 templates"},
    "docs/start/app.md": {"two tasks"},
    "docs/start/gate.md": {"2 tasks", "two tasks"},
    "docs/worlds.md": {"two proved tasks"},
    "environments/clinic/clinic/applications/nurse_station/README.md": {"three first tasks"},
    "environments/desktop/README.md": {"two actions"},
    "environments/openemr/README.md": {"six tasks"},
    "examples/own_app/README.md": {"Two tasks"},
}
COUNTED = re.compile(
    rf"\b{NUMBER} (?:[a-z-]+ )?(?:suites|tasks|applications|templates|scenarios|wordings|actions|drivers|outcomes"
    r"|evaluators|agents|adapters|profiles|exporters|programs)\b",
    re.I,
)


@cache
def counts() -> Mapping[str, int]:
    """Return what the project has, by the names that statements use."""
    suites = {file.parent.name: shipped(file.parent.name) for file in library.SUITES.glob("*/suite.toml")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    medcua = suites["medcua"].tasks
    applications = {task.application: task for task in medcua}.values()
    found = {
        "suites": len(suites),
        "tasks": sum(len(suite.tasks) for suite in suites.values()),
        "dependencies": len(project["dependencies"]),
        "kinds of failure": len(Failure),
        "medcua wordings": len(medcua[0].goals),
        "medcua dimensions": len(medcua[0].rules.dimensions),
        "medcua synthetic": sum(task.meta.tier == "synthetic" for task in applications),
        "medcua real": sum(task.meta.tier != "synthetic" for task in applications),
        "medcua each": max(tasks_by_application("medcua").values()),
        "triage instances": sum(len(task.goals) for task in medcua if task.application == "emergency_triage"),
        "scuba templates": len({task.template for task in suites["scuba"].tasks}),
        "miniwob proved": sum(task.proof.proved for task in suites["miniwob"].tasks),
        "miniwob unproved": sum(not task.proof.proved for task in suites["miniwob"].tasks),
    }
    for name, suite in suites.items():
        found[f"{name} tasks"] = len(suite.tasks)
        found[f"{name} applications"] = len(tasks_by_application(name))
    return found


def tasks_by_application(suite: str) -> Counter[str]:
    """Return the number of tasks in each application of a suite."""
    return Counter(task.application for task in shipped(suite).tasks)


def number(text: str) -> int:
    """Read a number in digits or as a word."""
    return WORDS.index(text.lower()) if text.isalpha() else int(text.replace(",", ""))


def stated(page: Path) -> list[tuple[str, re.Match[str] | None]]:
    """Return the statements of a page, each with the place where the page makes it."""
    text = page.read_text(encoding="utf-8")
    statements = STATEMENTS.get(page.relative_to(ROOT).as_posix(), [])
    return [(statement, pattern(statement).search(text)) for statement in statements]


def pattern(statement: str) -> re.Pattern[str]:
    """Return the expression that matches a statement with any numbers, over the ends of lines."""
    parts = re.split(r"\{[^}]+\}", statement)
    return re.compile(rf"({NUMBER})".join(r"\s+".join(map(re.escape, p.split(" "))) for p in parts), re.I)


@pytest.mark.parametrize("page", STATEMENTS)
def test_stated_counts_are_true(page: str) -> None:
    """A page states its counts as the project has them."""
    for statement, match in stated(ROOT / page):
        assert match is not None, f"{page} no longer says: {statement}"
        names = re.findall(r"\{([^}]+)\}", statement)
        assert {name: number(n) for name, n in zip(names, match.groups(), strict=True)} == {
            name: counts()[name] for name in names
        }, page


@pytest.mark.parametrize("page", TABLES)
def test_tables_count_the_tasks_of_each_application(page: str) -> None:
    """The table of a suite's applications has a row for each, with the number of its tasks."""
    rows = re.findall(
        r"^\|[^|]+\|(?:[^|]+\|)? (\d+) \|[^|]+\|$", (ROOT / page).read_text(encoding="utf-8"), re.M
    )
    assert sorted(map(int, rows)) == sorted(tasks_by_application(TABLES[page]).values())


def test_other_counts_are_no_counts_of_the_project() -> None:
    """A count of suites, tasks and the like is a statement above, a measured figure, or one of `BESIDES`."""
    loose = {page.relative_to(ROOT).as_posix(): loose_counts(page) for page in PAGES}
    new = {page: found - BESIDES.get(page, set()) for page, found in loose.items() if page not in MEASURED}
    assert {page: found for page, found in new.items() if found} == {}
    assert {page: gone for page, known in BESIDES.items() if (gone := known - loose[page])} == {}


def loose_counts(page: Path) -> set[str]:
    """Return what a page counts outside of its statements."""
    spans = [match.span() for _, match in stated(page) if match is not None]
    return {
        match[0]
        for match in COUNTED.finditer(page.read_text(encoding="utf-8"))
        if not any(begin <= match.start() < end for begin, end in spans)
    }
