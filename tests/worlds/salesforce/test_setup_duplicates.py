"""Matching and duplicate rules: their pages, and what the rules do on pages and interfaces."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.duplicates import find_duplicates, refuse_duplicates, same_value
from salesforce_org.metadata.components import read
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import require
from salesforce_org.store import DmlError, Org

from .pages_client import signed_in, words
from .setup_browser import Browser, browser, writes

MATCHING = "/lightning/setup/MatchingRules/home"
DUPLICATES = "/lightning/setup/DuplicateRules/home"


HOT = {"criteria:field": ["Lead.Rating"], "criteria:operator": ["equals"], "criteria:value": ["Hot"]}


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def matching(setup: Browser, **more: Any) -> Browser:
    """Make a matching rule for the phone of leads."""
    setup.go(MATCHING).open("New Rule").send("Next", object="Lead")
    given = {"label": "Lead Phone", "name": "Lead_Phone", "field1": "Phone", "method1": "Phone", **more}
    return setup.send("Save", **given)


def duplicates(setup: Browser, **more: Any) -> Browser:
    """Make an active duplicate rule for the phone of leads."""
    matching(setup).send("Activate")
    setup.go(DUPLICATES).open("New Rule").send("Next", object="Lead")
    given = {
        "label": "No twins",
        "name": "No_twins",
        "matching1": "Lead.Lead_Phone",
        "isActive": "true",
        **more,
    }
    return setup.send("Save", **given)


def test_a_matching_rule_is_made(setup: Browser) -> None:
    """A new rule is inactive, in the list, a record, and an entry of its object's matching rules."""
    matching(setup)
    assert "(Lead: Phone FUZZY: PHONE MatchBlank = FALSE)" in setup.text
    (rule,) = (read(setup.org, TYPES["MatchingRules"], "Lead") or {})["matchingRules"]
    require("MatchingRule", rule)
    item = {"blankValueBehavior": "NullNotAllowed", "fieldName": "Phone", "matchingMethod": "Phone"}
    assert (rule["ruleStatus"], rule["matchingRuleItems"]) == ("Inactive", [item])
    assert setup.org.one("MatchingRule", DeveloperName="Lead_Phone")["RuleStatus"] == "Inactive"
    assert ["Edit | Del", "Lead Phone", "", "Lead", "Inactive"] in [
        row[:5] for row in setup.go(MATCHING).rows("Matching Rules")
    ]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"field1": "", "method1": ""}, "Enter at least one matching criterion"),
        ({"method1": ""}, "You must enter a value"),
        ({"method1": "Street"}, "cannot be compared by this method"),
        ({"logic": "1 OR 2"}, "defined but not referenced"),
        ({"name": "9 lives"}, "must be unique, begin with a letter"),
        ({"label": ""}, "You must enter a value"),
    ],
)
def test_matching_rules_that_do_not_do(setup: Browser, given: dict[str, str], problem: str) -> None:
    """What is wrong with a rule is said in its form, and nothing is stored."""
    assert problem in matching(setup, **given).text
    assert not writes(setup)


def test_an_active_matching_rule_stays_as_it_is(setup: Browser) -> None:
    """A rule is edited and deleted while it is inactive, and stays active as long as a duplicate rule uses it."""
    duplicates(setup)
    setup.go(MATCHING).open("Lead Phone")
    setup.open("Edit")
    assert setup.org.one("MatchingRule", DeveloperName="Lead_Phone")
    setup.send("Deactivate")
    assert setup.org.one("MatchingRule", DeveloperName="Lead_Phone")["RuleStatus"] == "Active"
    setup.go(DUPLICATES).send("Del No twins")
    setup.go(MATCHING).open("Lead Phone").send("Deactivate").open("Edit").send("Save", label="By phone")
    assert [row[1] for row in setup.go(MATCHING).rows("Matching Rules") if "phone" in row[1]] == ["By phone"]
    setup.send("Del By phone")
    assert setup.org.component("MatchingRules", "Lead") is None


def test_a_duplicate_rule_is_made(setup: Browser) -> None:
    """A duplicate rule is stored with its actions, matching rules and conditions."""
    duplicates(setup, actionOnInsert="Block", **HOT)
    told = read(setup.org, TYPES["DuplicateRule"], "Lead.No_twins") or {}
    require("DuplicateRule", told)
    assert (told["actionOnInsert"], "operationsOnInsert" in told) == ("Block", False)
    assert told["duplicateRuleMatchRules"] == [{"matchRuleSObjectType": "Lead", "matchingRule": "Lead_Phone"}]
    (item,) = told["duplicateRuleFilter"]["duplicateRuleFilterItems"]
    assert (item["table"], item["field"], item["value"]) == ("Lead", "Rating", "Hot")
    assert setup.org.one("DuplicateRule", DeveloperName="No_twins")["IsActive"]
    setup.send("Deactivate")
    assert not setup.org.one("DuplicateRule", DeveloperName="No_twins")["IsActive"]


def lead(org: Org) -> dict[str, Any]:
    """Store a lead, and return another one with its phone written otherwise."""
    org.insert("Lead", LastName="Ito", Company="Ito", Phone="(415) 555-0133")
    return {"LastName": "Okada", "Company": "Okada", "Phone": "+1 415.555.0133", "Rating": "Hot"}


def test_a_rule_that_blocks(setup: Browser) -> None:
    """A blocked record is not saved, whoever insists; one that meets no condition is."""
    duplicates(setup, actionOnInsert="Block", **HOT, alertText="No!")
    twin = lead(setup.org)
    setup.org.saves_duplicates = True
    with pytest.raises(DmlError, match="DUPLICATES_DETECTED: No!"):
        refuse_duplicates(setup.org, "Lead", twin)
    refuse_duplicates(setup.org, "Lead", {**twin, "Rating": "Cold"})


def test_a_rule_that_warns(setup: Browser) -> None:
    """An interface saves a record that looks like another one when it is told to."""
    duplicates(setup)
    twin = lead(setup.org)
    with pytest.raises(DmlError, match="Use one of these records"):
        refuse_duplicates(setup.org, "Lead", twin)
    setup.org.saves_duplicates = True
    refuse_duplicates(setup.org, "Lead", twin)


def test_a_rule_that_only_reports(setup: Browser) -> None:
    """Without the alert nobody is stopped."""
    duplicates(setup, AlertInsert=None)
    refuse_duplicates(setup.org, "Lead", lead(setup.org))


def test_changes_beside_what_is_compared(setup: Browser) -> None:
    """An update that changes nothing is no reason for a warning."""
    duplicates(setup)
    twin = lead(setup.org)
    old = setup.org.one("Lead", Id=setup.org.insert("Lead", **twin))
    assert find_duplicates(setup.org, "Lead", {"Phone": old["Phone"]}, old) is None
    assert find_duplicates(setup.org, "Lead", {"Rating": "Cold"}, old)


def test_a_blocked_record_on_its_page() -> None:
    """The form says the rule's alert, and saving again does not help."""
    page = signed_in()
    name = next(page.org.rows("Account"))["Name"]
    rule = dict(page.org.component("DuplicateRule", "Account.Standard_Account_Duplicate_Rule") or {})
    page.org.put_component(
        "DuplicateRule",
        "Account.Standard_Account_Duplicate_Rule",
        {**rule, "actionOnInsert": "Block", "alertText": "We know this one."},
    )
    for more in ({}, {"duplicates:seen": "true"}):
        answered = page.send("/lightning/o/Account/new", Name=name, **more)
        assert "We know this one." in words(answered.text)
    assert "duplicates:seen" not in answered.text


@pytest.mark.parametrize(
    ("method", "one", "other", "same"),
    [
        ("Exact", "Ada", " ADA ", True),
        ("Exact", "Ada", "Adah", False),
        ("FirstName", "J.", "Jane", True),
        ("FirstName", "Katherine", "Catherine", True),
        ("LastName", "Meyer", "Meyr", True),
        ("LastName", "Meyer", "Smith", False),
        ("CompanyName", "Tech Giants, Inc.", "tech giants", True),
        ("Phone", "(415) 555-0133", "+1 415 555 0133", True),
        ("Phone", "(415) 555-0133", "(415) 555-0134", False),
        ("City", "San Francisco", "San Fransisco", True),
        ("Street", "1 Main St.", "1 main street", True),
        ("Zip", "94105-1234", "94105", True),
        ("Title", "Director", "Accountant", False),
        ("Exact", None, None, False),
        ("Exact", "", "Ada", False),
    ],
)
def test_methods(method: str, one: str | None, other: str | None, same: bool) -> None:
    """Two values match as their method compares them; blanks only where blanks may."""
    assert same_value(method, one, other) is same
    assert same_value(method, None, None, blank=True)
