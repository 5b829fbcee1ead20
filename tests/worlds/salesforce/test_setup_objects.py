"""Object Manager: custom objects that are made, changed and deleted, and what they then are everywhere."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.metadata import components
from salesforce_org.metadata.registry import TYPES
from salesforce_org.pages.layout import layout_of
from salesforce_org.setup.permissions.access import access, set_of_profile
from salesforce_org.soql import query
from salesforce_org.store import DmlError

from .setup_browser import Browser, browser, writes

OBJECTS = "/lightning/setup/ObjectManager/home"
BREED = "/lightning/setup/ObjectManager/MyAnimal__c/FieldsAndRelationships/Breed__c/view"


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def new_object(one: Browser, button: str = "Save", **values: Any) -> Browser:
    """Make MyHouse with what the form proposes."""
    one.go(OBJECTS).open("Custom Object")
    told = {"label": "MyHouse", "plural": "MyHouses", "name": "MyHouse", "record": "MyHouse Name"}
    return one.send(button, **told | values)


def read(one: Browser, kind: str, name: str) -> dict[str, Any]:
    """Return a component as a retrieve shows it."""
    return components.read(one.org, TYPES[kind], name) or {}


def test_a_new_object(setup: Browser) -> None:
    """The form stores the object with what it proposes; administrators may do everything with it."""
    new_object(setup)
    tree = read(setup, "CustomObject", "MyHouse__c")
    assert (tree["label"], tree["pluralLabel"], tree["nameField"]) == (
        "MyHouse",
        "MyHouses",
        {"label": "MyHouse Name", "type": "Text"},
    )
    assert (tree["deploymentStatus"], tree["sharingModel"], tree["enableSearch"]) == (
        "Deployed",
        "ReadWrite",
        False,
    )
    assert (tree["enableBulkApi"], tree["enableReports"]) == (True, False)
    assert read(setup, "Layout", "MyHouse__c-MyHouse Layout")["layoutSections"]
    admin = set_of_profile(setup.org, setup.org.one("Profile", Name="System Administrator")["Id"])
    assert "PermissionsModifyAllRecords" in access(setup.org, [str(admin)], "MyHouse__c").rights
    assert "MyHouse__c" in setup.text


def test_records_of_a_new_object(setup: Browser) -> None:
    """A new object has records with pages and lists, and is found by queries."""
    new_object(setup)
    id = setup.org.insert("MyHouse__c", Name="Villa")
    view = setup.org.one("ListView", SobjectType="MyHouse__c")["Id"]
    assert "Villa" in setup.go(f"/lightning/o/MyHouse__c/list?filterName={view}").text
    assert "Villa" in setup.go(f"/lightning/r/MyHouse__c/{id}/view").text
    found = query(setup.org, "SELECT Name FROM MyHouse__c WHERE Name = 'Villa'")
    assert found.total == 1


def test_an_object_with_its_tab(setup: Browser) -> None:
    """Saving leads to the tab wizard where that is wanted, with the object chosen."""
    new_object(setup, tab="true")
    assert setup.page.xpath("//select[@name='object']/option[@selected]/@value") == ["MyHouse__c"]
    setup.send("Next", motif="Custom3: Sun").send("Next").send("Save")
    assert setup.org.component("CustomTab", "MyHouse__c") == {"customObject": True, "motif": "Custom3: Sun"}
    assert layout_of(setup.org.schema["MyHouse__c"]).icon == "custom:custom3"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"plural": ""}, "You must enter a value"),
        ({"name": "My House"}, "The Object Name can only contain"),
        ({"name": "MyBike"}, "There is already an object with this name."),
        ({"type": "AutoNumber"}, "Enter a display format such as A-{0000}."),
    ],
)
def test_objects_that_do_not_do(setup: Browser, values: dict[str, str], sentence: str) -> None:
    """What is wrong is said at the field, and nothing is stored."""
    new_object(setup, **values)
    assert sentence in setup.text
    assert not writes(setup)


def test_numbered_records(setup: Browser) -> None:
    """Records of an object whose name is an auto number are numbered."""
    new_object(setup, type="AutoNumber", format="H-{000}")
    id = setup.org.insert("MyHouse__c")
    assert setup.org.name_of(id) == "H-001"


def test_an_object_is_changed(setup: Browser) -> None:
    """Edit changes an object's description, and its other settings stay."""
    before = read(setup, "CustomObject", "MyBike__c")
    setup.go(OBJECTS).open("MyBike").open("Edit").send("Save", description="Two wheels")
    tree = read(setup, "CustomObject", "MyBike__c")
    assert {name for name in tree if tree[name] != before.get(name)} == {"description"}
    assert tree["description"] == "Two wheels"
    assert "Two wheels" in setup.text


def test_deleting_an_object(setup: Browser) -> None:
    """A deleted object leaves nothing behind."""
    before = setup.org.collections()
    new_object(setup, tab="true").send("Next", motif="Custom3: Sun").send("Next").send("Save")
    setup.org.insert("MyHouse__c", Name="Villa")
    setup.go(OBJECTS).open("MyHouse").send("Delete")
    assert "MyHouse__c" not in setup.org.schema.objects
    assert setup.org.collections() == before


def test_standard_objects_are_neither_edited_nor_deleted(setup: Browser) -> None:
    """Their Details tab has no buttons."""
    setup.go("/lightning/setup/ObjectManager/Account/Details/view")
    assert not [one for one in setup.page.iter("button", "a") if one.text_content() in ("Edit", "Delete")]


def test_a_field_is_changed(setup: Browser) -> None:
    """Edit changes a field's help text, which forms then show; what else it has stays."""
    before = read(setup, "CustomField", "MyAnimal__c.Breed__c")
    setup.go(BREED).open("Edit").send("Save", help="Ask the owner")
    assert read(setup, "CustomField", "MyAnimal__c.Breed__c") == {**before, "inlineHelpText": "Ask the owner"}
    assert "Help: Ask the owner" in [
        one.get("aria-label") for one in setup.go("/lightning/o/MyAnimal__c/new").page.iter("button")
    ]


def test_a_standard_field_has_a_help_text(setup: Browser) -> None:
    """Of Salesforce's own fields nothing else can be changed, and none can be deleted."""
    setup.go("/lightning/setup/ObjectManager/Account/FieldsAndRelationships/Industry/view")
    assert not [one for one in setup.page.iter("button") if one.text_content() == "Delete"]
    setup.open("Edit").send("Save", help="What they live on")
    assert read(setup, "CustomField", "Account.Industry")["inlineHelpText"] == "What they live on"
    assert not setup.page.xpath("//input[@name='label']")


def test_a_required_field(setup: Browser) -> None:
    """A field that is made required is asked for."""
    setup.go(BREED).open("Edit").send("Save", required="true")
    with pytest.raises(DmlError, match="Breed__c"):
        setup.org.insert("MyAnimal__c", Name="Rex")


def test_a_deleted_field(setup: Browser) -> None:
    """A custom field goes with its values."""
    setup.go(BREED).send("Delete")
    assert setup.org.schema["MyAnimal__c"].field("Breed__c") is None
    assert "Breed" not in [row[0] for row in setup.rows("Fields & Relationships")]


def new_lookup(one: Browser, kind: str = "Lookup", object: str = "MyBike__c", to: str = "Contact") -> Browser:
    """Begin a relationship of an object, up to its label and names."""
    one.go(f"/lightning/setup/ObjectManager/{object}/FieldsAndRelationships/view").open("New")
    return one.send("Next", type=kind).send("Next", to=to)


def test_a_lookup(setup: Browser) -> None:
    """What is proposed makes a lookup, a related list on the other object's pages, and rights for all profiles."""
    new_lookup(setup).send("Next").send("Next").send("Next").send("Save", list="Bikes")
    assert read(setup, "CustomField", "MyBike__c.Contact__c") == {
        "deleteConstraint": "SetNull",
        "externalId": False,
        "label": "Contact",
        "referenceTo": "Contact",
        "relationshipLabel": "Bikes",
        "relationshipName": "MyBikes",
        "required": False,
        "trackHistory": False,
        "type": "Lookup",
    }
    contact = next(setup.org.rows("Contact"))
    bike = setup.org.insert("MyBike__c", Name="Roadster", Contact__c=contact["Id"])
    page = setup.go(f"/lightning/r/Contact/{contact['Id']}/view").text
    assert "Bikes (1)" in page
    assert "Roadster" in page
    assert setup.org.name_of(contact["Id"]) in setup.go(f"/lightning/r/MyBike__c/{bike}/view").text
    found = query(
        setup.org, "SELECT (SELECT Name FROM MyBikes__r) FROM Contact WHERE Id = '" + contact["Id"] + "'"
    )
    assert found.total == 1
    rights = list(setup.org.rows("FieldPermissions", Field="MyBike__c.Contact__c"))
    assert len(rights) == len(list(setup.org.rows("Profile")))


def test_a_lookup_for_some_profiles(setup: Browser) -> None:
    """Only the profiles that are ticked may read the field, and retrieves of profiles say so."""
    new_lookup(setup).send("Next")
    ids = {label: setup.org.one("Profile", Name=label)["Id"] for label in ("Standard User", "Read Only")}
    setup.send("Next", visible=list(ids.values()), readonly=[ids["Read Only"]]).send("Next").send(
        "Save", list="B"
    )
    told = {
        name: entry
        for name in ("Standard", "ReadOnly", "Admin")
        for entry in read(setup, "Profile", name)["fieldPermissions"]
        if entry["field"] == "MyBike__c.Contact__c"
    }
    assert {name: (entry["readable"], entry["editable"]) for name, entry in told.items()} == {
        "Standard": (True, True),
        "ReadOnly": (True, False),
        "Admin": (False, False),
    }


def test_a_lookup_that_keeps_its_record(setup: Browser) -> None:
    """A record that is looked up cannot be deleted where the lookup does not allow it."""
    new_lookup(setup).send("Next", on_delete="Restrict").send("Next").send("Next").send("Save", list="B")
    account = next(setup.org.rows("Account"))["Id"]
    contact = setup.org.insert("Contact", LastName="Ng", AccountId=account)
    setup.org.insert("MyBike__c", Name="Roadster", Contact__c=contact)
    with pytest.raises(DmlError, match="could not be completed"):
        setup.org.delete(contact)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"required": "true"}, "You can't clear the value of a required field."),
        ({"name": "Brand"}, "There is already a field named Brand on MyBike."),
        ({"child": "my bikes"}, "The Child Relationship Name can only contain"),
    ],
)
def test_lookups_that_do_not_do(setup: Browser, values: dict[str, str], sentence: str) -> None:
    """What is wrong with names and options is said at the input."""
    new_lookup(setup).send("Next", **values)
    assert sentence in setup.text
    assert not writes(setup)


def test_a_child_relationship_has_one_name(setup: Browser) -> None:
    """Two lookups of an object to the same one need different names for the way back."""
    new_lookup(setup).send("Next").send("Next").send("Next").send("Save", list="B")
    new_lookup(setup).send("Next", name="Second")
    assert "There is already a Child Relationship with this name" in setup.text


def test_a_master(setup: Browser) -> None:
    """Details are required to have their master, and are deleted with it."""
    new_lookup(setup, "MasterDetail", to="Account").send("Next").send("Next").send("Next").send(
        "Save", list="B"
    )
    account = setup.org.insert("Account", Name="Wheels")
    with pytest.raises(DmlError, match="Account__c"):
        setup.org.insert("MyBike__c", Name="Roadster")
    bike = setup.org.insert("MyBike__c", Name="Roadster", Account__c=account)
    setup.org.delete(account)
    assert setup.org.get("MyBike__c", bike) is None


def test_what_may_have_a_master(setup: Browser) -> None:
    """Standard objects, and objects that have records, are not offered a master."""
    setup.org.insert("MyBike__c", Name="Roadster")
    for object in ("Account", "MyBike__c"):
        setup.go(f"/lightning/setup/ObjectManager/{object}/FieldsAndRelationships/view").open("New")
        assert "MasterDetail" not in setup.page.xpath("//input[@name='type']/@value")


def test_parts_of_an_object_are_those_of_the_metadata(setup: Browser) -> None:
    """Layouts, buttons, compact layouts and field sets are listed for their own object; the rest has no items."""
    new_object(setup)
    link = {"availability": "online", "displayType": "button", "linkType": "url", "openType": "newWindow"}
    made = {
        "ButtonsLinksActions": ("WebLink", "Call", {**link, "masterLabel": "Call them", "protected": False}),
        "CompactLayouts": ("CompactLayout", "Short", {"label": "Short one", "fields": ["Name"]}),
        "FieldSets": ("FieldSet", "Few", {"label": "Few fields", "description": "Few"}),
    }
    for kind, name, tree in made.values():
        setup.org.put_component(kind, f"MyHouse__c.{name}", tree)
    shown = {part: tree.get("masterLabel") or tree["label"] for part, (_, _, tree) in made.items()}
    for part, label in {"PageLayouts": "MyHouse Layout", **shown}.items():
        for object, there in (("MyHouse__c", True), ("Account", False)):
            text = setup.go(f"/lightning/setup/ObjectManager/{object}/{part}/view").text
            assert (label in text) is there, (object, part)
    assert "No items to display" in setup.go("/lightning/setup/ObjectManager/Account/ApexTriggers/view").text


def test_layouts_say_what_pages_show(setup: Browser) -> None:
    """A field is on the pages of a new object if its layout has it, and so are related lists."""
    new_object(setup)
    for label, layouts in (("Rooms", ["MyHouse__c-MyHouse Layout"]), ("Doors", [])):
        setup.go("/lightning/setup/ObjectManager/MyHouse__c/FieldsAndRelationships/view").open("New")
        setup.send("Next", type="Text").send("Next", label=label, name=label, length="20")
        setup.send("Next").send("Save", layouts=layouts)
    for plural, lists in (("Bikes", ["MyHouse__c-MyHouse Layout"]), ("Cycles", [])):
        new_lookup(setup, to="MyHouse__c").send("Next", name=plural, child=plural).send("Next").send("Next")
        setup.send("Save", list=plural, lists=lists)
    house = setup.org.insert("MyHouse__c", Name="Villa")
    shown = setup.go(f"/lightning/r/MyHouse__c/{house}/view").text
    assert "Rooms" in shown
    assert "Doors" not in shown
    assert "Bikes (0)" in shown
    assert "Cycles" not in shown
    assert "System Information" in shown
