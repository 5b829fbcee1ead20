"""Territory types, models, territories and assignment rules in Setup."""

from __future__ import annotations

import pytest

from .setup_browser import Browser, browser

SETTINGS = "/lightning/setup/Territory2Settings/home"
TYPES = "/lightning/setup/Territory2Type/home"
MODELS = "/lightning/setup/Territory2Models/home"
RICH = {
    "criteria:field": ["Account.AnnualRevenue"],
    "criteria:operator": ["greaterThan"],
    "criteria:value": ["10,000"],
}


@pytest.fixture
def setup() -> Browser:
    """A browser in an org whose territories are turned on."""
    one = browser()
    assert "New Territory Model" not in one.go(MODELS).text
    one.go(SETTINGS).send("Enable Sales Territories")
    return one


def test_sales_territories_are_enabled_and_disabled(setup: Browser) -> None:
    """One button turns sales territories on, another off."""
    kept = dict(setup.org.component("Settings", "Territory2") or {})
    assert kept["enableTerritoryManagement2"] is True
    setup.go(SETTINGS).send("Disable Sales Territories")
    now = setup.org.component("Settings", "Territory2")
    assert now == {**kept, "enableTerritoryManagement2": False}
    assert "Enable Sales Territories" in setup.text


def model(one: Browser) -> Browser:
    """Make a territory model."""
    return (
        one.go(MODELS).open("New Territory Model").send("Save", Name="by revenue", DeveloperName="by_revenue")
    )


def test_a_rule_of_a_model(setup: Browser) -> None:
    """A model is planned first; its rules select accounts by criteria."""
    model(setup).open("New Rule").send("Save", MasterLabel="rich", DeveloperName="rich", **RICH)
    (item,) = setup.org.rows("ObjectTerritory2AssignmentRuleItem")
    assert (item["Field"], item["Operation"], item["Value"]) == (
        "Account.AnnualRevenue",
        "greaterThan",
        "10000",
    )
    assert setup.rows("Assignment Rules")[0][1:] == [
        "rich",
        "Account",
        "False",
        "Account: Annual Revenue greater than 10000",
    ]
    assert setup.org.one("Territory2Model")["State"] == "Planning"


def test_territories_in_a_tree(setup: Browser) -> None:
    """Territories have a type and stand below their parents, each with its rules; then the model can be activated."""
    setup.go(TYPES).open("New Territory Type").send(
        "Save", MasterLabel="Area", DeveloperName="Area", Priority="1"
    )
    model(setup).send("Activate")
    assert setup.org.one("Territory2Model")["State"] == "Planning"
    setup.open("New Rule").send("Save", MasterLabel="rich", DeveloperName="rich", **RICH)
    kind = setup.org.one("Territory2Type")["Id"]
    rule = setup.org.one("ObjectTerritory2AssignmentRule")["Id"]
    for name in ("World", "Europe"):
        above = next((row["Id"] for row in setup.org.rows("Territory2")), "")
        given = {"Name": name, "DeveloperName": name, "Territory2TypeId": kind, "ParentTerritory2Id": above}
        setup.open("Create Territory").send("Save", rules=[rule], **given)
    assert [row[1] for row in setup.rows("Territories")] == ["World", "— Europe"]
    assert setup.rows("Territories")[0][4] == "rich"
    setup.send("Activate")
    assert setup.org.one("Territory2Model")["State"] == "Active"


@pytest.mark.parametrize(
    ("given", "message"),
    [({"MasterLabel": ""}, "You must enter a value"), ({"criteria:value": ["lots"]}, "Invalid number")],
)
def test_rules_that_do_not_do(setup: Browser, given: dict[str, str], message: str) -> None:
    """What is wrong with a rule stands beside it, and nothing is stored."""
    model(setup).open("New Rule").send(
        "Save", **{"MasterLabel": "rich", "DeveloperName": "rich", **RICH, **given}
    )
    assert message in setup.text
    assert not list(setup.org.rows("ObjectTerritory2AssignmentRule"))
