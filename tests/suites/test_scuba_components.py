"""What SCUBA's toolkit accounts for in metadata components: what a rule names, and nothing else."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from shipped import shipped

from pytest_cuabench.drivers.salesforce.describing import DEFAULTS
from pytest_cuabench.task.evidence import State, difference

APPS, TABS = "metadata/CustomApplication", "metadata/CustomTab"
SALES = {"label": "Sales", "tabs": ["Account", "Lead"], "rules": [{"name": "a", "on": True}, {"name": "b"}]}
TAB = {"label": "Shoes", "motif": "Custom3: Sun", "customObject": True, "splash": False}
Tables = Mapping[str, Mapping[str, Any]]


def toolkit(name: str) -> Any:
    """Return a module of the suite's toolkit as its tasks import it."""
    shipped("scuba")
    return importlib.import_module(f"cuabench_suite_scuba.toolkit.{name}")


def unasked(after: Tables, rule: Callable[[Any], object]) -> list[str]:
    """Return the details of what was done beside a rule, in an org whose only app was Sales."""
    states = [State({DEFAULTS: {}, TABS: {}, **tables}) for tables in ({APPS: {"Sales": SALES}}, after)]
    work = toolkit("work").Work(*states, difference(*states))
    rule(work)
    return [violation.detail for violation in work.unasked()]


def change(tabs: list[str] | None = None, rules: list[Any] | None = None, **more: Any) -> Tables:
    """Return the org with another Sales."""
    return {
        APPS: {"Sales": {**SALES, "tabs": tabs or SALES["tabs"], "rules": rules or SALES["rules"], **more}}
    }


@pytest.mark.parametrize(
    ("element", "after", "said"),
    [
        ("tabs", change(["Account", "Lead", "Shoe__c"]), []),
        ("tabs", change(["Account", "Shoe__c", "Lead"]), []),
        ("tabs", change(["Lead", "Account", "Shoe__c"]), ["tabs"]),
        ("tabs", change(["Account", "Shoe__c"]), ["tabs"]),
        ("tabs", change(["Account", "Lead", "Shoe__c", "Shoe__c"]), ["tabs"]),
        ("tabs", change(["Account", "Lead", "Shoe__c"], label="Sale"), ["label"]),
        ("rules", change(rules=[{"name": "a", "on": True}, {"name": "b"}, "Shoe__c"]), []),
        ("rules", change(rules=[{"name": "a", "on": False}, {"name": "b"}, "Shoe__c"]), ["rules"]),
    ],
)
def test_entries_of_a_list(element: str, after: Tables, said: list[str]) -> None:
    """A list may have the entries that were asked for and is else as it was, in its order."""
    entries = toolkit("components").entries
    found = unasked(
        after,
        lambda work: entries(work, "CustomApplication", "Sales", element, lambda old, new: new == "Shoe__c"),
    )
    assert [text.rpartition(" ")[2] for text in found] == said


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        (TAB, []),
        ({**TAB, "description": "made in a hurry"}, []),
        ({**TAB, "mobileReady": True}, ["mobileReady True for None"]),
        ({**TAB, "customObject": False}, ["customObject False for True"]),
    ],
)
def test_a_new_component(tree: Mapping[str, Any], said: list[str]) -> None:
    """It holds what is judged, what its page fills in and what is free, and nothing else."""

    def rule(work: Any) -> None:
        row = toolkit("components").new_component(work, "CustomTab", "Shoes", motif="Custom3: Sun")
        work.claim(row, customObject=True)
        work.free(TABS, description="the task names none")
        work.claim(row, "label")

    found = unasked({APPS: {"Sales": SALES}, TABS: {"Shoe__c": tree}}, rule)
    assert [text.partition("has ")[2].partition(", which")[0] for text in found] == said


def test_names_are_of_one_type() -> None:
    """A component of another type that has the full name of a claimed one is not claimed with it."""
    after = {APPS: {"Sales": SALES, "Shoe__c": {"label": "Shoes"}}, TABS: {"Shoe__c": TAB}}

    def rule(work: Any) -> None:
        row = toolkit("components").new_component(work, "CustomTab", "Shoes")
        work.claim(row, *TAB)

    (detail,) = unasked(after, rule)
    assert "CustomApplication" in detail
