"""Validation rules, the field wizard's formulas, roll-ups and defaults, and field-level security in Object Manager."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.metadata.fields import Fields

from .setup_browser import Browser, browser, writes

MANAGER = "/lightning/setup/ObjectManager"
RULE = {"name": "Short", "errorConditionFormula": "LEN(Name) < 3", "errorMessage": "Too short."}


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def rules(setup: Browser) -> dict[str, Any]:
    """Return the validation rules of the org."""
    return dict(setup.org.components("ValidationRule"))


def fields(setup: Browser, object: str) -> Browser:
    """Begin a new field of an object."""
    return setup.go(f"{MANAGER}/{object}/FieldsAndRelationships/view").open("New")


def tree(setup: Browser, name: str) -> dict[str, Any]:
    """Return a field's component."""
    return dict(Fields().read(setup.org, name) or {})


def readers(setup: Browser, field: str) -> dict[str, bool]:
    """Return the profiles that see a field, and whether they edit it."""
    org = setup.org
    found = {}
    for row in org.rows("FieldPermissions", Field=field):
        parent = org.get("PermissionSet", row["ParentId"]) or {}
        found[org.name_of(parent["ProfileId"]) or ""] = bool(row["PermissionsEdit"])
    return found


def test_the_life_of_a_rule(setup: Browser) -> None:
    """A rule is made, shown in the list, changed, renamed, copied and deleted, and stored as its component."""
    setup.go(f"{MANAGER}/Account/ValidationRules/view").open("New")
    setup.send("Save", **RULE, where="field", errorDisplayField="Name", description="Why")
    stored = {
        "active": True,
        "description": "Why",
        "errorConditionFormula": "LEN(Name) < 3",
        "errorDisplayField": "Name",
        "errorMessage": "Too short.",
    }
    assert rules(setup) == {"Account.Short": stored}
    assert writes(setup) == [("metadata/ValidationRule", "insert")]
    setup.open("Edit").send("Save", active=None, where="top", name="Brief")
    assert rules(setup) == {
        "Account.Brief": {key: one for key, one in stored.items() if key != "errorDisplayField"}
        | {"active": False}
    }
    setup.open("Clone").send("Save", name="Second", active="true")
    setup.open("Back to Account Validation Rules")
    assert [row[1:] for row in setup.rows("Validation Rules")] == [
        ["Brief", "Top of Page", "Too short.", "False"],
        ["Second", "Top of Page", "Too short.", "True"],
    ]
    setup.open("Brief").send("Delete")
    assert list(rules(setup)) == ["Account.Second"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": ""}, "You must enter a value"),
        ({"name": "a b"}, "can only contain underscores"),
        ({"name": "First"}, "The name is already used"),
        ({"errorConditionFormula": "LEN(Nme) < 3"}, "Field Nme does not exist. Check spelling."),
        ({"errorConditionFormula": "LEN(Name)"}, "incompatible with expected data type (true or false)"),
        ({"errorMessage": " "}, "You must enter a value"),
        ({"where": "field"}, "You must enter a value"),
    ],
)
def test_rules_that_do_not_do(setup: Browser, values: dict[str, str], message: str) -> None:
    """What is wrong with a rule is told beside it, and nothing is stored."""
    first = {"active": True, "errorConditionFormula": "FALSE", "errorMessage": "No."}
    setup.org.put_component("ValidationRule", "Account.First", first)
    setup.go(f"{MANAGER}/Account/ValidationRules/view").open("New").send("Save", **RULE | values)
    assert message in " ".join(one.text_content() for one in setup.page.find_class("setup-field__error"))
    assert list(rules(setup)) == ["Account.First"]


def test_save_and_new_and_cancel(setup: Browser) -> None:
    """Save & New asks about another rule, Cancel leads to the list."""
    setup.go(f"{MANAGER}/Account/ValidationRules/view").open("New").send("Save & New", **RULE)
    assert setup.value("name") == ""
    setup.send("Cancel", name="Other")
    assert setup.url.endswith("/Account/ValidationRules/view")
    assert list(rules(setup)) == ["Account.Short"]


def test_a_record_that_breaks_a_rule(setup: Browser) -> None:
    """The form shows the message at the field or on top, and stores nothing."""
    told = {"active": True, "errorConditionFormula": "LEN(Name) < 3", "errorMessage": "Too short."}
    setup.org.put_component("ValidationRule", "Account.Short", told | {"errorDisplayField": "Name"})
    setup.org.put_component("ValidationRule", "Account.Also", told | {"errorMessage": "On top."})
    before = len(list(setup.org.rows("Account")))
    setup.go("/lightning/o/Account/new").send("Save", Name="ab")
    assert "Too short." in setup.text
    assert "On top." in setup.text
    assert len(list(setup.org.rows("Account"))) == before
    setup.send("Save", Name="abc")
    assert len(list(setup.org.rows("Account"))) == before + 1


def test_the_editor_checks_a_formula(setup: Browser) -> None:
    """Check Syntax tells whether the formula is one, of the type that is wanted."""
    base = f"{MANAGER}/page?address=%2FAccount%2Fformula%2Fcheck%3Fuse%3DVALIDATION%26type%3DCheckbox"
    for text, told in (
        ("ISNEW()", "No syntax errors in merge fields or functions. (Compiled size: 7 characters)"),
        (
            "LEN(Name)",
            "Formula result is data type (Number), incompatible with expected data type (true or false).",
        ),
    ):
        assert told in setup.client.post(base, data={"formula": text}).text


def test_the_editor_offers_fields(setup: Browser) -> None:
    """Insert Field leads from the object and the globals to fields, and through relationships to others."""
    base = f"{MANAGER}/page?address=%2FLead%2Fformula%2Ffields%3Fuse%3DVALIDATION%26path%3D"
    shown = {
        path: setup.client.get(base + path).text for path in ("", ".", "Owner:User", "$User", "$User.Profile")
    }
    assert 'data-path="."' in shown[""]
    assert 'data-insert="Company"' in shown["."]
    assert 'data-path="Owner:User"' in shown["."]
    assert 'data-insert="Owner:User.Email"' in shown["Owner:User"]
    assert 'data-insert="$User.Email"' in shown["$User"]
    assert 'data-insert="$User.Profile.Name"' in shown["$User.Profile"]


def test_a_formula_field(setup: Browser) -> None:
    """The wizard asks for type, formula and who sees it; the field is read-only and computed."""
    fields(setup, "Opportunity").send("Next", type="Formula")
    setup.send("Next", label="Days to close", name="Days_to_close", returns="Number", scale="0")
    setup.send("Next", formula="CloseDate - Today")
    assert "Field Today does not exist. Check spelling." in setup.text
    setup.send("Next", formula="CloseDate - TODAY()")
    marketing = setup.org.one("Profile", Name="Marketing User")["Id"]
    setup.send("Next", visible=[marketing]).send("Save")
    assert tree(setup, "Opportunity.Days_to_close__c") == {
        "externalId": False,
        "formula": "CloseDate - TODAY()",
        "formulaTreatBlanksAs": "BlankAsZero",
        "label": "Days to close",
        "precision": "18",
        "required": False,
        "scale": "0",
        "trackHistory": False,
        "type": "Number",
        "unique": False,
    }
    assert readers(setup, "Opportunity.Days_to_close__c") == {"Marketing User": False}
    setup.open("Days to close")
    assert "CloseDate - TODAY()" in setup.text
    setup.open("Edit").send("Save", formula="TODAY() - CloseDate")
    assert tree(setup, "Opportunity.Days_to_close__c")["formula"] == "TODAY() - CloseDate"


def test_field_level_security_of_a_field(setup: Browser) -> None:
    """Set Field-Level Security changes who sees and edits a field that is there already."""
    fields(setup, "Account").send("Next", type="Phone").send("Next", label="Night", name="Night")
    sales, standard = (setup.org.one("Profile", Name=name)["Id"] for name in ("Read Only", "Standard User"))
    setup.send("Next", visible=[sales]).send("Save").open("Night").open("Set Field-Level Security")
    setup.send("Save", visible=[sales, standard], readonly=[sales])
    assert readers(setup, "Account.Night__c") == {"Read Only": False, "Standard User": True}


def test_a_roll_up_field(setup: Browser) -> None:
    """The wizard offers the details of the object, and stores what is summed up and of which records."""
    fields(setup, "Opportunity").send("Next", type="Summary").send("Next", label="Big", name="Big")
    key = "OpportunityLineItem.OpportunityId"
    setup.send("Next", of=key, how="sum", records="all")
    assert "You must enter a value" in setup.text
    setup.send(
        "Next",
        of=key,
        how="sum",
        summed="OpportunityLineItem.TotalPrice",
        records="some",
        field1="OpportunityLineItem.Quantity",
        operation1="greaterThan",
        value1="1",
    )
    setup.send("Next").send("Save")
    made = tree(setup, "Opportunity.Big__c")
    assert (made["summaryForeignKey"], made["summaryOperation"]) == (key, "sum")
    assert made["summaryFilterItems"] == [
        {"field": "OpportunityLineItem.Quantity", "operation": "greaterThan", "value": "1"}
    ]
    setup.open("Big")
    assert "Roll-Up Summary (SUM Opportunity Product)" in setup.text
    assert "Roll-Up Summary" not in fields(setup, "VoiceCallTranscript__c").text


def test_a_default_value(setup: Browser) -> None:
    """A default is a formula of the field's type, and new records begin with it."""
    fields(setup, "Account").send("Next", type="Date")
    setup.send("Next", label="Due", name="Due", default='"soon"')
    assert "Formula result is data type (Text), incompatible with expected data type (Date)." in setup.text
    setup.send("Next", default="TODAY()").send("Next").send("Save")
    id = setup.org.insert("Account", Name="New one")
    assert setup.org.get("Account", id)["Due__c"] == setup.org.today().isoformat()  # type: ignore[index]


def test_layouts_get_the_new_field(setup: Browser) -> None:
    """A layout that is ticked has the field at the end of its first section, another has not."""
    section = {"layoutColumns": [{}, {"layoutItems": [{"field": "Name"}]}], "style": "TwoColumnsTopToBottom"}
    for name in ("Account-One", "Account-Two"):
        setup.org.put_component("Layout", name, {"layoutSections": [section]})
    fields(setup, "Account").send("Next", type="Phone").send("Next", label="Night", name="Night").send("Next")
    setup.send("Save", layouts=["Account-One"])
    one, two = (setup.org.component("Layout", name) or {} for name in ("Account-One", "Account-Two"))
    items = one["layoutSections"][0]["layoutColumns"][-1]["layoutItems"]
    assert [item["field"] for item in items] == ["Name", "Night__c"]
    assert two == {"layoutSections": [section]}


@pytest.mark.parametrize(
    ("type", "values", "message"),
    [
        ("Text", {"length": "256"}, "Value must be an integer between 1 and 255"),
        ("Number", {"length": "17", "scale": "2"}, "less than or equal to 18"),
        ("LongTextArea", {"length": "255"}, "between 256 and 131,072"),
        ("Picklist", {"values": ""}, "You must enter a value"),
        ("Date", {"name": "a__b"}, "not contain two consecutive underscores"),
        ("AutoNumber", {"format": "A-{0000}", "start": "x"}, "must be an integer"),
    ],
)
def test_fields_that_do_not_do(setup: Browser, type: str, values: dict[str, str], message: str) -> None:
    """What is wrong with a field is told beside it, before the next step."""
    given = {"label": "New", "name": "New"} | values
    fields(setup, "Account").send("Next", type=type).send("Next", **given)
    assert message in setup.text
    assert not writes(setup)


@pytest.mark.parametrize(
    ("type", "values"),
    [
        ("AutoNumber", {"format": "A-{0000}"}),
        ("Checkbox", {"checked": "true"}),
        ("Currency", {"length": "16", "scale": "2"}),
        ("DateTime", {}),
        ("Email", {"unique": "true"}),
        ("EncryptedText", {"length": "20"}),
        ("Html", {"length": "1000"}),
        ("MultiselectPicklist", {"values": "A\nB"}),
        ("Percent", {}),
        ("Picklist", {"values": "B\nA", "sorted": "true", "first": "true"}),
        ("Text", {"length": "20", "required": "true"}),
        ("TextArea", {}),
        ("Time", {}),
        ("Url", {}),
    ],
)
@pytest.mark.slow
def test_every_plain_type(setup: Browser, type: str, values: dict[str, str]) -> None:
    """A field of every type is made, reads as it was asked for, and the record page shows it."""
    fields(setup, "Account").send("Next", type=type).send("Next", label="New", name="New", **values)
    setup.send("Next").send("Save")
    assert tree(setup, "Account.New__c")["type"] == type
    row = next(setup.org.rows("Account"))
    assert "New" in setup.go(f"/lightning/r/Account/{row['Id']}/view").text


def test_record_pages_show_formulas(setup: Browser) -> None:
    """A record's page shows the value of a formula, a hyperlink as a link, and offers none of them for entry."""
    row = next(setup.org.rows("Account"))
    for name, formula in (
        ("Size__c", "TEXT(LEN(Name)) & ' letters'"),
        ("Link__c", "HYPERLINK('/there', 'Go there')"),
    ):
        Fields().write(setup.org, f"Account.{name}", {"label": name, "type": "Text", "formula": formula})
    setup.go(f"/lightning/r/Account/{row['Id']}/view")
    assert f"{len(row['Name'])} letters" in setup.text
    assert [link.get("href") for link in setup.page.iter("a") if link.text_content() == "Go there"] == [
        "/there"
    ]
    assert not setup.go(f"/lightning/r/Account/{row['Id']}/edit").page.xpath("//input[@name='Size__c']")
