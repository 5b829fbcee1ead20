"""Picklists in Object Manager, value sets, milestones, settings and company information in Setup."""

from __future__ import annotations

import pytest

from salesforce_org.metadata import components
from salesforce_org.metadata.fields import Fields
from salesforce_org.metadata.registry import TYPES

from .setup_browser import Browser, browser, writes

FAMILY = "/lightning/setup/ObjectManager/Product2/FieldsAndRelationships/Family/view"
STATUS = "/lightning/setup/ObjectManager/Lead/FieldsAndRelationships/Status/view"
SETS = "/lightning/setup/Picklists/home"
MILESTONES = "/lightning/setup/MilestoneTypes/home"


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def values(one: Browser, name: str) -> list[str]:
    """Return the values of a standard value set, in order."""
    return [entry["value"] for entry in (one.org.component("StandardValueSet", name) or {})["standardValue"]]


def default(one: Browser, name: str) -> str | None:
    """Return the default of a standard value set."""
    entries = (one.org.component("StandardValueSet", name) or {})["standardValue"]
    return next((entry["value"] for entry in entries if entry.get("default")), None)


def test_the_way_to_a_new_product_family(setup: Browser) -> None:
    """From the list of objects to the field and its values; new ones, a line each, come at the end."""
    setup.go("/lightning/setup/ObjectManager/home").open("Product").open("Fields & Relationships").open(
        "Product Family"
    )
    before = values(setup, "Product2Family")
    setup.open("New").send("Save", labels="Running Shoes\n\n  Electric Bike \nRunning Shoes")
    assert values(setup, "Product2Family") == [*before, "Running Shoes", "Electric Bike"]
    assert writes(setup) == [("metadata/StandardValueSet", "update")]
    assert [row[1] for row in setup.rows("Product Family Picklist Values")][-1] == "Electric Bike"
    made = setup.org.insert("Product2", Name="ChillRun", Family="Running Shoes")
    assert setup.org.get("Product2", made)


@pytest.mark.parametrize(
    ("text", "message"), [("  \n", "You must enter a value"), ("none", "already"), ("x" * 300, "longer")]
)
def test_values_that_do_not_do(setup: Browser, text: str, message: str) -> None:
    """No value, one that is there and one that is too long are told in the form."""
    setup.go(FAMILY).open("New").send("Save", labels=text)
    assert message in setup.text
    assert not writes(setup)


def test_changing_a_value_changes_records(setup: Browser) -> None:
    """A renamed value keeps its place and what it means, and records have the new name."""
    lead = setup.org.insert("Lead", LastName="Ng", Company="Ng", Status=values(setup, "LeadStatus")[0])
    old = values(setup, "LeadStatus")[0]
    setup.go(STATUS).open(f"Edit {old}").send("Save", label="Fresh", value="Fresh", default="true")
    assert values(setup, "LeadStatus")[0] == "Fresh"
    assert default(setup, "LeadStatus") == "Fresh"
    assert setup.org.one("Lead", Id=lead)["Status"] == "Fresh"


def test_a_deleted_value_is_replaced(setup: Browser) -> None:
    """Deleting asks what records get instead."""
    setup.go(FAMILY).open("New").send("Save", labels="Old\nNew")
    product = setup.org.insert("Product2", Name="Thing", Family="Old")
    setup.go(FAMILY).open("Del Old").send("Save", instead="New")
    assert "Old" not in values(setup, "Product2Family")
    assert setup.org.one("Product2", Id=product)["Family"] == "New"
    setup.open("Del New").send("Save")
    assert setup.org.one("Product2", Id=product)["Family"] is None


def test_deactivated_values_are_kept_apart(setup: Browser) -> None:
    """A deactivated value is no more offered, and can be activated again."""
    setup.go(FAMILY).open("New").send("Save", labels="Old").send("Deactivate Old")
    assert [row[1] for row in setup.rows("Inactive Values")] == ["Old"]
    field = setup.org.schema["Product2"].field("Family")
    assert field is not None
    assert [entry.value for entry in setup.org.picklist(field) if not entry.active] == ["Old"]
    setup.send("Activate Old")
    assert setup.rows("Inactive Values") == [["No Inactive Values"]]


def test_order_and_default(setup: Browser) -> None:
    """Reorder stores the order and the default, or sorts; an order that lacks values is refused."""
    now = values(setup, "LeadStatus")
    setup.go(STATUS).open("Reorder").send("Save", order=now[::-1], default=now[-1])
    assert values(setup, "LeadStatus") == now[::-1]
    assert default(setup, "LeadStatus") == now[-1]
    setup.open("Reorder").send("Save", order=now[::-1], sort="true")
    assert values(setup, "LeadStatus") == sorted(now, key=str.casefold)
    before = len(writes(setup))
    setup.open("Reorder").send("Save", order=now[:1])
    assert "The order must name every active value once" in setup.text
    assert len(writes(setup)) == before


def test_records_of_values_follow_them(setup: Browser) -> None:
    """The record of a value stays when it is renamed, also beside a new value, and comes back with a deleted one."""
    org = setup.org
    tree = dict(org.component("StandardValueSet", "LeadStatus") or {})
    before = [(row["Id"], row["ApiName"]) for row in org.rows("LeadStatus")]
    *first, last = tree["standardValue"]
    renamed = {**last, "value": "Lost", "label": "Lost"}
    for entries in ([*first, renamed, {"value": "New", "label": "New"}], first):
        org.put_component("StandardValueSet", "LeadStatus", {**tree, "standardValue": entries})
        now = [(row["Id"], row["ApiName"]) for row in org.rows("LeadStatus")]
        assert [name for _, name in now] == [one["value"] for one in entries]
        assert [id for id, _ in now[: len(before)]] == [id for id, _ in before][: len(now)]
        org.put_component("StandardValueSet", "LeadStatus", tree)
        assert [(row["Id"], row["ApiName"]) for row in org.rows("LeadStatus")] == before


def test_picklists_of_custom_fields(setup: Browser) -> None:
    """A custom field's own values are changed in its definition, so that metadata tells them, too."""
    address = "/lightning/setup/ObjectManager/Account/FieldsAndRelationships/Active__c/view"
    setup.go(address).open("New").send("Save", labels="Pending")
    setup.send("Deactivate No").open("Reorder").send("Save", order=["Pending", "Yes"], default="Yes")
    tree = Fields().read(setup.org, "Account.Active__c") or {}
    told = tree["valueSet"]["valueSetDefinition"]["value"]
    assert [(one["fullName"], one["default"], one.get("isActive", True)) for one in told] == [
        ("Pending", False, True),
        ("Yes", True, True),
        ("No", False, False),
    ]
    assert {collection for collection, _ in writes(setup)} == {"metadata/CustomField"}


def test_fixed_picklists_only_show(setup: Browser) -> None:
    """Values of Salesforce's own picklists without a shared set cannot be changed."""
    setup.go("/lightning/setup/ObjectManager/User/FieldsAndRelationships/LocaleSidKey/view")
    assert setup.rows("Locale Picklist Values")
    assert not [one for one in setup.page.iter("a") if one.text_content() in ("New", "Reorder", "Del")]


@pytest.mark.parametrize(
    ("label", "value"),
    [("No Recurrence", "none"), ("Independent", "recursIndependently"), ("Sequential", "recursChained")],
)
def test_a_new_milestone(setup: Browser, label: str, value: str) -> None:
    """New Milestone stores the name and the recurrence behind the label."""
    setup.go(MILESTONES).open("New Milestone")
    assert setup.options("Recurrence Type")[label] == value
    setup.send("Save", Name="analysis", Description="time spent", RecurrenceType=value)
    assert setup.org.one("MilestoneType", Name="analysis")["RecurrenceType"] == value
    assert writes(setup) == [("MilestoneType", "insert")]
    assert label in setup.text


def test_milestones_are_changed_and_deleted(setup: Browser) -> None:
    """A milestone's name is its own; it is edited and deleted from its page."""
    known = next(setup.org.rows("MilestoneType"))["Name"]
    setup.go(MILESTONES).open("New Milestone").send("Save & New", Name="solution")
    setup.send("Save", Name=known)
    assert "duplicate value found" in setup.text
    setup.go(MILESTONES).open("Edit solution").send("Save", Name="answer")
    setup.send("Delete")
    assert not list(setup.org.rows("MilestoneType", Name="answer"))


def test_a_global_value_set(setup: Browser) -> None:
    """A value set keeps the lines in their order and says whether they are displayed alphabetically."""
    setup.go(SETS).open("New")
    setup.send("Save", label="Sizes", name="Sizes", values="S\nM\nL\nM", first="true")
    tree = setup.org.component("GlobalValueSet", "Sizes") or {}
    assert [(one["value"], one["default"]) for one in tree["customValue"]] == [
        ("S", True),
        ("M", False),
        ("L", False),
    ]
    setup.go(SETS).open("New").send("Save", label="S", name="Sizes", values="b\na", sorted="true")
    assert "Another value set has this API name" in setup.text
    setup.send("Save", name="Sorted")
    assert [row[1:3] for row in setup.rows("S Picklist Values")] == [["a", "a"], ["b", "b"]]
    tree = setup.org.component("GlobalValueSet", "Sorted") or {}
    assert (tree["sorted"], [one["value"] for one in tree["customValue"]]) == (True, ["b", "a"])


def test_a_global_value_set_is_changed_and_deleted(setup: Browser) -> None:
    """A value set's own data and its values are changed on its page; it is deleted unless a field uses it."""
    setup.go(SETS).open("New").send("Save", label="Sizes", name="Sizes", values="S\nM\nL")
    setup.open("Edit").send("Save", label="Shirt Sizes", description="of shirts", sorted="true")
    setup.open("Edit M").send("Save", label="Medium", value="M", default="true")
    setup.send("Deactivate S").open("New").send("Save", labels="XL")
    tree = setup.org.component("GlobalValueSet", "Sizes") or {}
    assert (tree["masterLabel"], tree["description"], tree["sorted"]) == ("Shirt Sizes", "of shirts", True)
    assert [(one["label"], one["default"], one.get("active", True)) for one in tree["customValue"]] == [
        ("L", False, True),
        ("Medium", True, True),
        ("S", False, False),
        ("XL", False, True),
    ]
    field = {
        "fullName": "Size__c",
        "label": "Size",
        "type": "Picklist",
        "valueSet": {"valueSetName": "Sizes"},
    }
    Fields().write(setup.org, "Account.Size__c", field)
    assert "Shirt Sizes is used by Account.Size__c." in setup.send("Delete").text
    components.delete(setup.org, TYPES["CustomField"], "Account.Size__c")
    setup.send("Delete")
    assert setup.org.component("GlobalValueSet", "Sizes") is None


@pytest.mark.parametrize(
    ("node", "component", "switch"),
    [
        ("QuoteSettings", "Quote", "enableQuote"),
        ("EntitlementSettings", "Entitlement", "enableEntitlements"),
        ("KnowledgeSettings", "Knowledge", "enableKnowledge"),
    ],
)
def test_settings_are_switched(setup: Browser, node: str, component: str, switch: str) -> None:
    """Edit turns a setting on and off; what else the component says stays."""
    kept = dict(setup.org.component("Settings", component) or {})
    setup.go(f"/lightning/setup/{node}/home").open("Edit").send("Save", **{switch: "true"})
    now = setup.org.component("Settings", component) or {}
    assert now[switch] is True
    assert {key: value for key, value in kept.items() if key != switch}.items() <= now.items()
    setup.open("Edit").send("Save", **{switch: None})
    assert (setup.org.component("Settings", component) or {})[switch] is False


def test_company_information(setup: Browser) -> None:
    """The organization's page shows its licenses, and its form changes its fields."""
    setup.go("/lightning/setup/CompanyProfileInfo/home")
    total, used, remaining = (int(cell) for cell in setup.rows("User Licenses")[0][2:])
    assert used
    assert remaining == max(0, total - used)
    setup.open("Edit").send("Save", Phone="1234")
    assert next(setup.org.rows("Organization"))["Phone"] == "1234"


def test_setup_home_lists_what_was_changed_last(setup: Browser) -> None:
    """The newest change comes first, with the way to its page."""
    setup.go(MILESTONES).open("New Milestone").send("Save", Name="solution")
    setup.go("/lightning/setup/SetupOneHome/home")
    assert setup.rows("Most Recently Used") == [["solution", "Milestone"]]
    assert "No Recurrence" in setup.open("solution").text
