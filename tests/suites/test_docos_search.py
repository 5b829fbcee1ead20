"""How a search is measured: which page counts as named, and how near it is to the expected one."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest

from pytest_cuabench.task import library
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Activity, Evidence, State
from pytest_cuabench.task.suite import code_package

EXPECTED = "https://www.geany.org/manual/usage/preferences/files-preferences.html"
SEARCH = "https://search.example/"
CASE = Case("Do it", {"url": EXPECTED, "query": "files", "steps": []})


@pytest.fixture(scope="module")
def search() -> ModuleType:
    """The suite's module of the phase."""
    return import_module(f"{code_package(library.SUITES / 'docos')}.toolkit.search")


def evidence(answer: str | None, *opened: str) -> Evidence:
    """Return what is known after a search."""
    state = State({})
    return Evidence(state, state, answer, "answer", activity=Activity(navigations=opened))


@pytest.mark.parametrize(
    ("answer", "opened", "page"),
    [
        (EXPECTED, (), EXPECTED),
        (f"It is {EXPECTED}.", (SEARCH,), EXPECTED),
        (f"**{EXPECTED}**", (), EXPECTED),
        (EXPECTED.removeprefix("https://"), ("https://a.example/b",), EXPECTED),
        (f"The page is {EXPECTED.removeprefix('https://')}.", (), EXPECTED),
        (f"{SEARCH}search?q=files led to {EXPECTED}", (), EXPECTED),
        (EXPECTED.replace("https", "HTTP"), (), EXPECTED.replace("https", "HTTP")),
        ("here: see preferences.html and/or me@a.example/b", ("https://a.example/b",), "https://a.example/b"),
        ("here", (SEARCH, f"{SEARCH}search?q=a", "https://a.example/b"), "https://a.example/b"),
        (None, ("https://a.example/b", "https://a.example/c"), "https://a.example/c"),
        ("here", (SEARCH, f"{SEARCH}search?q=a"), None),
        (None, (), None),
    ],
)
def test_named(search: ModuleType, answer: str | None, opened: tuple[str, ...], page: str | None) -> None:
    """The address in the answer counts; without one, the last page that was opened."""
    assert search.named(evidence(answer, *opened), CASE) == page


@pytest.mark.parametrize(
    ("page", "found", "path", "failure"),
    [
        (EXPECTED, 1, 1, ""),
        (f"{EXPECTED}#saving-files", 1, 1, ""),
        (EXPECTED.replace("https", "http").replace("www.geany.org", "WWW.GEANY.ORG"), 1, 1, ""),
        ("https://www.geany.org/manual/usage/preferences.html", 0, 3 / 5, "imprecise_page"),
        ("https://www.geany.org/", 0, 1 / 5, "imprecise_page"),
        ("https://tinkerdesk.example/geany/x", 0, 0, "non_official_source"),
        ("", 0, 0, "acted_before_finding"),
    ],
)
def test_measures(search: ModuleType, page: str, found: float, path: float, failure: str) -> None:
    """Addresses are compared without what does not tell pages apart, and a miss has a kind."""
    measured = search.measure(evidence(page), CASE)
    assert (measured["found"], measured["failure"]) == (found, failure)
    assert measured["path"] == pytest.approx(path)


def test_a_page_that_tells_it_as_well_is_found(search: ModuleType) -> None:
    """Each page that tells the whole task counts as found; near any other one, the expected page is compared."""
    other = "https://www.geany.org/manual/files.html"
    case = Case("Do it", {**CASE.values, "as_well": [other]})
    for page in (EXPECTED, other):
        measured = search.measure(evidence(page), case)
        assert (measured["found"], measured["path"], measured["found_raw"]) == (1, 1, 1)
        assert all(milestone.reached for milestone in search.check(evidence(page), case))
    assert search.measure(evidence("https://www.geany.org/"), case)["found"] == 0


def test_raw_measures(search: ModuleType) -> None:
    """The paper's own form compares addresses as they are written."""
    measured = search.measure(evidence(EXPECTED.replace("https", "http")), CASE)
    assert (measured["found"], measured["found_raw"], measured["path_raw"]) == (1, 0, 0)
    assert search.measure(evidence(f"{EXPECTED}?x=1"), CASE)["found_raw"] == 1


def test_queries_are_counted(search: ModuleType) -> None:
    """Each list of results that was opened is one."""
    opened = (SEARCH, f"{SEARCH}search?q=a", EXPECTED, f"{SEARCH}search?q=b")
    assert search.measure(evidence("here", *opened), CASE)["queries"] == 2
