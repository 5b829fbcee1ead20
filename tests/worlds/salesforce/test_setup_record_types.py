"""Record types: made in Setup and by tools, offered to users, obeyed by forms and by every interface."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.api.describe import described
from salesforce_org.metadata import components
from salesforce_org.metadata.profiles import Profiles
from salesforce_org.metadata.registry import TYPES
from salesforce_org.setup.objects import picklists
from salesforce_org.soql import query
from salesforce_org.store import DmlError, Org, PicklistValue
from salesforce_org.store.errors import OrgError

from .setup_browser import Browser, browser

CASES = "/lightning/setup/ObjectManager/Case/RecordTypes/view"
SALES = "/lightning/setup/OpportunityProcess/home"


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def new_type(one: Browser, label: str, object: str = "Case", **values: Any) -> str:
    """Make a record type that administrators have, and return its id."""
    one.go(f"/lightning/setup/ObjectManager/{object}/RecordTypes/view").open("New")
    name = label.replace(" ", "_")
    one.send("Next", label=label, name=name, **{"visible": ["Admin"], **values}).send("Save")
    return str(one.org.one("RecordType", SobjectType=object, DeveloperName=name)["Id"])


def case_types(one: Browser) -> tuple[str, str]:
    """Make two record types of cases whose process has different values, and return their ids."""
    for name, values in (("Short", ["New", "Closed"]), ("Long", ["New", "Working", "Escalated", "Closed"])):
        one.go("/lightning/setup/CaseProcess/home").open("New").send("Save", name=name)
        one.send("Save", values=values, default="New")
    return new_type(one, "Return", process="Short"), new_type(one, "Repair", process="Long")


def read(org: Org, kind: str, name: str) -> dict[str, Any]:
    """Return a component as a retrieve shows it."""
    return components.read(org, TYPES[kind], name) or {}


def visibilities(org: Org, profile: str = "Admin") -> dict[str, tuple[bool, bool]]:
    """Return which record types a profile offers, and which is the default."""
    told = read(org, "Profile", profile)["recordTypeVisibilities"]
    return {one["recordType"]: (one["visible"], one["default"]) for one in told}


def test_a_new_record_type_has_all_values(setup: Browser) -> None:
    """The wizard stores record, component and profiles; without an existing type it begins with all values."""
    setup.go(CASES).open("New").send(
        "Next", label="Return", name="Return", process="", description="Goods that come back"
    )
    assert "You must enter a value" in setup.text
    id, _ = case_types(setup)
    row = setup.org.get("RecordType", id) or {}
    assert (row["Name"], row["SobjectType"], row["IsActive"]) == ("Return", "Case", True)
    tree = read(setup.org, "RecordType", "Case.Return")
    assert (tree["active"], tree["businessProcess"]) == (True, "Short")
    priorities = next(one for one in tree["picklistValues"] if one["picklist"] == "Priority")
    assert {one["fullName"] for one in priorities["values"]} == {"High", "Medium", "Low"}
    assert visibilities(setup.org)["Case.Return"] == (True, False)
    assert visibilities(setup.org, "Standard")["Case.Return"] == (False, False)
    assert [row[1] for row in setup.go(CASES).rows("Record Types")] == ["Repair", "Return"]
    whole = read(setup.org, "CustomObject", "Case")["recordTypes"]
    assert [one["fullName"] for one in whole] == ["Repair", "Return"]


def test_a_record_type_begins_as_another_one(setup: Browser) -> None:
    """A type made from an existing one has its values; its page offers the others."""
    first = new_type(setup, "Partner", "Account")
    setup.go(f"/lightning/setup/ObjectManager/Account/RecordTypes/{first}/view").open("Edit Rating")
    setup.send("Save", values=["Hot", "Warm"], default="Warm")
    assert ["Edit", "Rating", "Hot, Warm"] in [
        [row[0].split()[0], *row[1:]] for row in setup.rows("Picklists Available for Editing")
    ]
    new_type(setup, "Client", "Account", source=first)
    copied = read(setup.org, "RecordType", "Account.Client")["picklistValues"]
    rating = next(one for one in copied if one["picklist"] == "Rating")
    assert [(one["fullName"], one["default"]) for one in rating["values"]] == [("Hot", False), ("Warm", True)]


def test_a_new_record_asks_for_its_type(setup: Browser) -> None:
    """With two types New offers the choice, then the values of the chosen one; with one there is nothing to choose."""
    id, other = case_types(setup)
    setup.go("/lightning/o/Case/new")
    assert "Select a record type" in setup.text
    assert "Return" in setup.text
    setup.go(f"/lightning/o/Case/new?recordTypeId={id}")
    assert "New Case: Return" in setup.text
    assert set(options(setup, "Status")) == {"", "New", "Closed"}
    setup.org.update(other, IsActive=False)
    setup.go("/lightning/o/Case/new")
    assert "New Case: Return" in setup.text
    setup.send("Save", Origin="Web", Subject="Broken")
    row = setup.org.one("Case", Subject="Broken")
    assert (row["RecordTypeId"], row["Status"]) == (id, "New")
    assert "Return" in setup.go(f"/lightning/r/Case/{row['Id']}/view?tab=details").text


def options(one: Browser, label: str) -> list[str]:
    """Return the values that a picklist of a record's form offers."""
    return [
        item.get("data-value")
        for box in one.page.xpath(f"//div[@role='listbox'][@aria-label='{label}']")
        for item in box.xpath(".//*[@role='option']")
    ]


def test_a_record_gets_another_type(setup: Browser) -> None:
    """Change Record Type leads to the form with the values of the other type, and saving stores both."""
    id, other = case_types(setup)
    case = setup.org.insert("Case", Subject="Broken", Origin="Web", RecordTypeId=id)
    setup.go(f"/lightning/r/Case/{case}/recordtype")
    assert "Change Case Record Type" in setup.text
    setup.go(f"/lightning/r/Case/{case}/edit?recordTypeId={other}")
    assert "Escalated" in options(setup, "Status")
    setup.send("Save", Status="Escalated")
    row = setup.org.get("Case", case) or {}
    assert (row["RecordTypeId"], row["Status"]) == (other, "Escalated")


def test_new_records_get_the_default_of_the_profile(setup: Browser) -> None:
    """Whoever creates a record without a type gives it the default of the profile; none is the master type."""
    id = new_type(setup, "Partner", "Account")
    first = setup.org.insert("Account", Name="First")
    assert (setup.org.get("Account", first) or {})["RecordTypeId"] is None
    admin = setup.org.one("Profile", Name="System Administrator")["Id"]
    setup.go(f"/lightning/setup/EnhancedProfiles/page?address=/{admin}/objects/Account").open("Record Types")
    setup.send("Save", visible=["Account.Partner"], default="Account.Partner")
    assert visibilities(setup.org)["Account.Partner"] == (True, True)
    second = setup.org.insert("Account", Name="Second")
    assert (setup.org.get("Account", second) or {})["RecordTypeId"] == id
    found = query(setup.org, "SELECT Name FROM Account WHERE RecordType.DeveloperName = 'Partner'")
    assert [row["Name"] for row in found.records] == ["Second"]


def test_a_type_that_the_user_has_not_is_refused(setup: Browser) -> None:
    """A type that is inactive or that the profile does not offer is no value for the user."""
    id = new_type(setup, "Partner", "Account", visible=[])
    for change in ({}, {"IsActive": False}):
        setup.org.update(id, **change)
        with pytest.raises(DmlError, match="this ID value isn't valid for the user") as refused:
            setup.org.insert("Account", Name="New", RecordTypeId=id)
        assert refused.value.code == "INVALID_CROSS_REFERENCE_KEY"
    told = described(setup.org, setup.org.schema["Account"], "")["recordTypeInfos"]
    assert [(one["name"], one["available"], one["defaultRecordTypeMapping"]) for one in told] == [
        ("Partner", False, False),
        ("Master", True, True),
    ]


def test_a_restricted_picklist_refuses_the_values_of_other_types(setup: Browser) -> None:
    """Where the picklist is restricted a value of another type is refused; elsewhere tools may write it."""
    tree = {
        "label": "Size",
        "type": "Picklist",
        "valueSet": {
            "restricted": True,
            "valueSetDefinition": {
                "sorted": False,
                "value": [{"fullName": one, "default": False, "label": one} for one in ("S", "M", "L")],
            },
        },
    }
    components.replace(setup.org, TYPES["CustomField"], "Account.Size__c", tree)
    id = new_type(setup, "Partner", "Account")
    setup.go(f"/lightning/setup/ObjectManager/Account/RecordTypes/{id}/view").open("Edit Size")
    setup.send("Save", values=["S", "M"], default="S")
    made = setup.org.insert("Account", Name="New", RecordTypeId=id, Rating="Lukewarm")
    assert (setup.org.get("Account", made) or {})["Size__c"] == "S"
    with pytest.raises(DmlError, match="bad value for restricted picklist field: L") as refused:
        setup.org.update(made, Size__c="L")
    assert refused.value.code == "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"
    setup.org.update(setup.org.insert("Account", Name="Master"), Size__c="L")


def test_a_deployed_record_type_names_what_is_there(setup: Browser) -> None:
    """A process, a picklist or a value that the object has not is refused."""
    whole = {"active": True, "label": "Big"}
    value = {"fullName": "Nowhere", "default": False}
    for wrong in (
        {"businessProcess": "None"},
        {"picklistValues": [{"picklist": "None", "values": []}]},
        {"picklistValues": [{"picklist": "Origin", "values": [value]}]},
    ):
        with setup.org.transaction(), pytest.raises(DmlError, match=r"found"):
            components.replace(setup.org, TYPES["RecordType"], "Case.Big", {**whole, **wrong})


def test_a_renamed_value_keeps_its_place(setup: Browser) -> None:
    """Record types and processes have a value under its new name, and lose one that is deleted."""
    case_types(setup)
    field = setup.org.schema["Case"].field("Status")
    assert field
    picklists.change(setup.org, "Case", field, "Working", PicklistValue("Busy", "Busy"))
    picklists.remove(setup.org, "Case", field, "Escalated", "New")
    values = read(setup.org, "BusinessProcess", "Case.Long")["values"]
    assert {one["fullName"] for one in values} == {"New", "Busy", "Closed"}
    origin = setup.org.schema["Case"].field("Origin")
    assert origin
    picklists.change(setup.org, "Case", origin, "Web", PicklistValue("Site", "Site"))
    told = read(setup.org, "RecordType", "Case.Return")["picklistValues"]
    origins = next(one for one in told if one["picklist"] == "Origin")
    assert {one["fullName"] for one in origins["values"]} == {"Email", "Phone", "Site"}
    lost = [entry for entry in setup.org.picklist(origin) if entry.value != "Site"]
    picklists.store(setup.org, "Case", origin, lost)
    setup.go(CASES).open("Edit Return").send("Save", description="Goods")
    assert "Goods" in setup.text


def test_a_new_name_is_new_everywhere(setup: Browser) -> None:
    """After a rename the component and what profiles say of it have the new name."""
    id = new_type(setup, "Partner", "Account")
    setup.go(f"/lightning/setup/ObjectManager/Account/RecordTypes/{id}/view").open("Edit")
    setup.send("Save", label="Dealer", name="Dealer", active=None)
    assert read(setup.org, "RecordType", "Account.Dealer")["active"] is False
    assert read(setup.org, "RecordType", "Account.Dealer")["picklistValues"]
    assert visibilities(setup.org) == {"Account.Dealer": (True, False)}


def test_records_of_a_deleted_type_get_another_one(setup: Browser) -> None:
    """The replacement is asked for; with the last type the object loses the field, and the org is as before."""
    before = setup.org.collections()
    first, second = new_type(setup, "Partner", "Account"), new_type(setup, "Client", "Account")
    made = setup.org.insert("Account", Name="New", RecordTypeId=first)
    setup.go(CASES.replace("Case", "Account")).open("Del Partner").send("Delete", instead=second)
    assert (setup.org.get("Account", made) or {})["RecordTypeId"] == second
    setup.org.delete(made)
    setup.go(CASES.replace("Case", "Account")).open("Del Client").send("Delete")
    assert setup.org.schema["Account"].field("RecordTypeId") is None
    assert setup.org.collections() == before


def test_a_profile_has_a_layout_for_each_type(setup: Browser) -> None:
    """Of several layouts each profile gives one to each type; pages obey it, and only what is not usual is kept."""
    setup.go("/lightning/setup/ObjectManager/home").open("Custom Object")
    told = {"label": "Shop", "plural": "Shops", "name": "Shop", "record": "Shop Name"}
    setup.send("Save", **told)
    item = {"behavior": "Edit", "field": "Name"}
    section = {"label": "Secrets", "style": "OneColumn", "layoutColumns": [{"layoutItems": [item]}]}
    components.replace(setup.org, TYPES["Layout"], "Shop__c-Zone", {"layoutSections": [section]})
    id = new_type(setup, "Kiosk", "Shop__c")
    setup.go("/lightning/setup/ObjectManager/Shop__c/RecordTypes/view").open("Page Layout Assignment")
    before, kept = Profiles().read(setup.org, "Admin"), setup.org.component("Profile", "Admin")
    setup.send("Save", **{"Admin:Shop__c.Kiosk": "Shop__c-Zone"})
    assert (setup.org.component("Profile", "Admin") or {})["layoutAssignments"] == [
        {"layout": "Shop__c-Zone", "recordType": "Shop__c.Kiosk"}
    ]
    assert not (setup.org.component("Profile", "Standard") or {}).get("layoutAssignments")
    assert len(read(setup.org, "Profile", "Standard")["layoutAssignments"]) == 2
    shops = [setup.org.insert("Shop__c", Name="A", **more) for more in ({}, {"RecordTypeId": id})]
    shown = ["Secrets" in setup.go(f"/lightning/r/Shop__c/{shop}/view?tab=details").text for shop in shops]
    assert shown == [False, True]
    Profiles().write(setup.org, "Admin", before or {})
    assert setup.org.component("Profile", "Admin") == kept


def test_a_deployed_profile_has_one_default(setup: Browser) -> None:
    """A new default takes the place of the old one, and a record type that is not there is refused."""
    for label in ("Partner", "Client"):
        new_type(setup, label, "Account", visible=[])
        told = {"recordType": f"Account.{label}", "visible": True, "default": True}
        Profiles().write(setup.org, "Admin", {"recordTypeVisibilities": [told]})
    assert visibilities(setup.org) == {"Account.Client": (True, True), "Account.Partner": (True, False)}
    with pytest.raises(OrgError, match=r"no RecordType named Account\.None found"):
        Profiles().write(
            setup.org, "Admin", {"recordTypeVisibilities": [{**told, "recordType": "Account.None"}]}
        )


def test_what_profiles_said_is_deployed_again(setup: Browser) -> None:
    """A profile that was read before a type was offered takes the offer back."""
    new_type(setup, "Partner", "Account", visible=[])
    before, kept = Profiles().read(setup.org, "Admin"), setup.org.component("Profile", "Admin")
    admin = setup.org.one("Profile", Name="System Administrator")["Id"]
    setup.go(f"/lightning/setup/EnhancedProfiles/page?address=/{admin}/objects/Account/recordtypes")
    setup.send("Save", visible=["Account.Partner"], default="Account.Partner")
    assert setup.org.component("Profile", "Admin") != kept
    Profiles().write(setup.org, "Admin", before or {})
    assert setup.org.component("Profile", "Admin") == kept
