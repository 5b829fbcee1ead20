"""Custom fields with formulas, roll-ups and defaults, and validation rules, in every way to read and write."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.assignment import assign
from salesforce_org.lead_conversion import Conversion, convert
from salesforce_org.metadata.registry import TYPES
from salesforce_org.soql import query
from salesforce_org.store import Org
from salesforce_org.store.errors import OrgError

from .seeded_org import seeded
from .small_org import Tool, tool

DAYS = {"label": "Days", "type": "Number", "scale": "0", "formula": "CloseDate - TODAY()"}
SHORT = {
    "active": True,
    "errorConditionFormula": "LEN(Name) < 3",
    "errorDisplayField": "Name",
    "errorMessage": "The name is too short.",
}


@pytest.fixture
def org() -> Org:
    """An org of its own."""
    return seeded()


def write(org: Org, kind: str, name: str, **tree: Any) -> None:
    """Store a component."""
    TYPES[kind].source.write(org, name, tree)


def opportunity(org: Org, days: int, **more: Any) -> str:
    """Store an opportunity that closes in so many days."""
    close = org.today().fromordinal(org.today().toordinal() + days).isoformat()
    return org.insert(
        "Opportunity", **{"Name": "Deal", "StageName": "Prospecting", "CloseDate": close} | more
    )


def read(org: Org, id: str, *fields: str) -> list[Any]:
    """Read fields of an opportunity by a query."""
    row = query(org, f"SELECT {', '.join(fields)} FROM Opportunity WHERE Id = '{id}'").records[0]
    return [row[name] for name in fields]


def test_a_formula_field_is_computed_when_read(org: Org) -> None:
    """Its value follows the record, filters and sorts, and cannot be written."""
    write(org, "CustomField", "Opportunity.Days__c", **DAYS)
    near, far = opportunity(org, 1001), opportunity(org, 1002)
    assert read(org, near, "Days__c") == [1001.0]
    org.update(near, CloseDate=org.get("Opportunity", far)["CloseDate"])  # type: ignore[index]
    assert read(org, near, "Days__c") == [1002.0]
    found = query(org, "SELECT Id FROM Opportunity WHERE Days__c > 1000 ORDER BY Days__c DESC, Id")
    assert [row["Id"] for row in found.records] == [near, far]
    with pytest.raises(OrgError, match="Unable to create/update fields: Days__c"):
        org.update(near, Days__c=3)


def test_formulas_of_formulas_and_parents(org: Org) -> None:
    """Formulas read other formulas and parents of several levels; blank numbers count as the field says."""
    write(org, "CustomField", "Opportunity.Days__c", **DAYS)
    write(org, "CustomField", "Opportunity.Soon__c", label="Soon", type="Checkbox", formula="Days__c < 10")
    write(org, "CustomField", "Opportunity.Who__c", label="Who", type="Text", formula="Account.Owner.Name")
    for name, blank in (("Zero__c", "BlankAsZero"), ("Blank__c", "BlankAsBlank")):
        tree = DAYS | {"formula": "Amount + 1", "formulaTreatBlanksAs": blank}
        write(org, "CustomField", f"Opportunity.{name}", **tree)
    account = next(org.rows("Account"))
    id = opportunity(org, 3, AccountId=account["Id"])
    owner = org.name_of(account["OwnerId"])
    assert read(org, id, "Soon__c", "Who__c", "Zero__c", "Blank__c") == [True, owner, 1.0, None]


def test_percentages_are_fractions(org: Org) -> None:
    """50 % is 0.5 in a formula, and a formula's 0.25 is 25 % of a percent field."""
    tree = {"label": "Half", "type": "Percent", "scale": "1", "formula": "Probability / 2"}
    write(org, "CustomField", "Opportunity.Half__c", **tree)
    assert read(org, opportunity(org, 3, Probability=50), "Half__c") == [25.0]


def test_what_has_no_value_is_empty(org: Org) -> None:
    """A division by zero leaves the field empty."""
    write(org, "CustomField", "Opportunity.Days__c", **DAYS | {"formula": "1 / (Amount - Amount)"})
    assert read(org, opportunity(org, 3, Amount=5), "Days__c") == [None]


def test_formulas_that_cannot_be(org: Org) -> None:
    """A formula that reads itself, is too big, or is of another type, is refused, and so is a field under a formula."""
    with pytest.raises(OrgError, match="cannot refer to itself"):
        write(org, "CustomField", "Opportunity.Days__c", **DAYS | {"formula": "Days__c + 1"})
    write(org, "CustomField", "Opportunity.Days__c", **DAYS | {"formula": "+".join(["Probability"] * 180)})
    write(org, "CustomField", "Opportunity.More__c", **DAYS | {"formula": "Days__c * 2"})
    with pytest.raises(OrgError, match="cannot refer to itself"):
        write(org, "CustomField", "Opportunity.Days__c", **DAYS | {"formula": "More__c + 1"})
    with pytest.raises(OrgError, match="Compiled formula is too big to execute"):
        write(org, "CustomField", "Opportunity.Most__c", **DAYS | {"formula": "Days__c + More__c"})
    with pytest.raises(
        OrgError, match=r"data type \(Number\), incompatible with expected data type \(Text\)"
    ):
        write(org, "CustomField", "Opportunity.Text__c", **DAYS | {"type": "Text"})
    with pytest.raises(OrgError, match=r"referenced elsewhere in Salesforce: Field Opportunity\.More__c"):
        TYPES["CustomField"].source.delete(org, "Opportunity.Days__c")


def test_roll_ups(org: Org) -> None:
    """A roll-up counts and sums up the children that meet its filters, and changes with them."""
    about = {"label": "Lines", "type": "Summary", "summaryForeignKey": "OpportunityLineItem.OpportunityId"}
    big = [{"field": "OpportunityLineItem.Quantity", "operation": "greaterThan", "value": "1"}]
    told = {
        "Count__c": {"summaryOperation": "count", "summaryFilterItems": big},
        "Sum__c": {"summaryOperation": "sum", "summarizedField": "OpportunityLineItem.TotalPrice"},
        "Max__c": {"summaryOperation": "max", "summarizedField": "OpportunityLineItem.Quantity"},
        "Min__c": {"summaryOperation": "min", "summarizedField": "OpportunityLineItem.CreatedDate"},
    }
    for name, tree in told.items():
        write(org, "CustomField", f"Opportunity.{name}", **about | tree)
    line = next(org.rows("OpportunityLineItem"))
    lines = list(org.rows("OpportunityLineItem", OpportunityId=line["OpportunityId"]))
    found = read(org, line["OpportunityId"], *told)
    assert found[0] == sum(one["Quantity"] > 1 for one in lines)
    assert found[1] == pytest.approx(sum(one["Quantity"] * one["UnitPrice"] for one in lines))
    assert found[2:] == [max(one["Quantity"] for one in lines), min(one["CreatedDate"] for one in lines)]
    org.update(line["Id"], Quantity=999)
    assert read(org, line["OpportunityId"], "Max__c") == [999.0]


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        (
            {"summaryForeignKey": "Contact.AccountId", "summaryOperation": "count"},
            "Invalid value for summaryForeignKey",
        ),
        ({"summaryForeignKey": "OpportunityLineItem.OpportunityId"}, "Must specify 'summaryOperation'"),
        (
            {
                "summaryForeignKey": "OpportunityLineItem.OpportunityId",
                "summaryOperation": "sum",
                "summarizedField": "OpportunityLineItem.CreatedDate",
            },
            "cannot be aggregated by SUM",
        ),
    ],
)
def test_roll_ups_that_cannot_be(org: Org, tree: dict[str, Any], sentence: str) -> None:
    """A roll-up needs a master-detail relationship and something to sum up."""
    with pytest.raises(OrgError, match=sentence):
        write(org, "CustomField", "Opportunity.Lines__c", label="Lines", type="Summary", **tree)


def test_defaults(org: Org) -> None:
    """A new record begins with what its fields' defaults say, unless something is given."""
    write(org, "CustomField", "Opportunity.Due__c", label="Due", type="Date", defaultValue="TODAY() + 7")
    write(
        org,
        "CustomField",
        "Opportunity.By__c",
        label="By",
        type="Text",
        length="80",
        defaultValue='"by " & $User.LastName',
    )
    user = org.get("User", org.user_id) or {}
    due = org.today().fromordinal(org.today().toordinal() + 7).isoformat()
    assert read(org, opportunity(org, 3), "Due__c", "By__c") == [due, f"by {user['LastName']}"]
    assert read(org, opportunity(org, 3, By__c="me"), "By__c") == ["me"]
    with pytest.raises(OrgError, match="Field Name does not exist"):
        write(
            org, "CustomField", "Opportunity.No__c", label="No", type="Text", length="80", defaultValue="Name"
        )


def test_a_formula_field_retrieves_as_it_was_deployed(org: Org) -> None:
    """What was written of a formula is read again."""
    write(org, "CustomField", "Opportunity.Days__c", **DAYS, formulaTreatBlanksAs="BlankAsZero")
    tree = TYPES["CustomField"].source.read(org, "Opportunity.Days__c") or {}
    assert tree.items() >= (DAYS | {"formulaTreatBlanksAs": "BlankAsZero"}).items()


# Validation rules


def test_a_rule_refuses_what_breaks_it(org: Org) -> None:
    """New and changed records are refused with the message at the field; others and inactive rules are not."""
    write(org, "ValidationRule", "Opportunity.Short", **SHORT)
    id = opportunity(org, 3)
    for act in (lambda: opportunity(org, 3, Name="ab"), lambda: org.update(id, Name="ab")):
        with pytest.raises(OrgError) as refused:
            act()
        told = refused.value
        assert (told.code, told.message, told.fields) == (
            "FIELD_CUSTOM_VALIDATION_EXCEPTION",
            "The name is too short.",
            ("Name",),
        )
    assert org.get("Opportunity", id)["Name"] == "Deal"  # type: ignore[index]
    write(org, "ValidationRule", "Opportunity.Short", **SHORT | {"active": False})
    org.update(id, Name="ab")


def test_all_broken_rules_are_told(org: Org) -> None:
    """Each rule that is broken is told, those without a field at the top."""
    write(org, "ValidationRule", "Opportunity.Short", **SHORT)
    told = {"active": True, "errorConditionFormula": "CloseDate < TODAY()", "errorMessage": "Too late."}
    write(org, "ValidationRule", "Opportunity.Late", **told)
    with pytest.raises(OrgError) as refused:
        opportunity(org, -1, Name="a")
    assert [(one.message, one.fields) for one in refused.value.all] == [
        ("Too late.", ()),
        ("The name is too short.", ("Name",)),
    ]


def test_rules_know_what_changes(org: Org) -> None:
    """ISNEW, ISCHANGED and PRIORVALUE tell a new record from a changed one."""
    rule = {"active": True, "errorMessage": "No."}
    back = 'AND(NOT(ISNEW()), ISCHANGED(StageName), ISPICKVAL(PRIORVALUE(StageName), "Qualification"))'
    write(org, "ValidationRule", "Opportunity.Back", errorConditionFormula=back, **rule)
    id = opportunity(org, 3, StageName="Qualification")
    org.update(id, Name="Other")
    with pytest.raises(OrgError, match=r"No\."):
        org.update(id, StageName="Prospecting")


def test_lead_conversion_is_held_to_rules(org: Org) -> None:
    """A lead is not converted into an account that breaks a rule, and nothing of the conversion stays."""
    told = {"active": True, "errorConditionFormula": "ISBLANK(Site)", "errorMessage": "No site."}
    write(org, "ValidationRule", "Account.Site", **told)
    lead = org.insert("Lead", LastName="Ng", Company="Ng")
    with pytest.raises(OrgError, match=r"No site\."):
        convert(org, Conversion(lead))
    assert not org.get("Lead", lead)["IsConverted"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        ({"errorConditionFormula": "LEN(Nme) < 3"}, "Field Nme does not exist. Check spelling."),
        ({"errorConditionFormula": "LEN(Name)"}, "incompatible with expected data type"),
        ({"errorDisplayField": "Nme"}, "no CustomField named Opportunity.Nme found"),
        ({"errorMessage": "x" * 256}, "data value too large"),
    ],
)
def test_rules_that_cannot_be(org: Org, tree: dict[str, Any], sentence: str) -> None:
    """A rule whose formula, field or message does not do is refused."""
    with pytest.raises(OrgError, match=sentence):
        write(org, "ValidationRule", "Opportunity.Short", **SHORT | tree)


# The ways in from outside

TOLD = "The name is too short."


@pytest.fixture
def client() -> Tool:
    """A tool's client of an org with a rule."""
    made = tool()
    write(made.session.org, "ValidationRule", "Account.Short", **SHORT)
    return made


def test_rest_tells_the_rule(client: Tool) -> None:
    """A single record, a collection, a tree and a composite request are refused with code, message and field."""
    error = {"message": TOLD, "fields": ["Name"]}
    single = client.call("POST", "/sobjects/Account", json={"Name": "ab"})
    assert (single.status_code, single.json()) == (
        400,
        [error | {"errorCode": "FIELD_CUSTOM_VALIDATION_EXCEPTION"}],
    )
    records = [
        {"attributes": {"type": "Account", "referenceId": "a"}, "Name": name} for name in ("ab", "abc")
    ]
    several = client.call("POST", "/composite/sobjects", json={"allOrNone": False, "records": records}).json()
    assert [one["success"] for one in several] == [False, True]
    assert several[0]["errors"] == [error | {"statusCode": "FIELD_CUSTOM_VALIDATION_EXCEPTION"}]
    tree = client.call("POST", "/composite/tree/Account", json={"records": records[:1]}).json()
    assert tree["results"][0]["errors"] == several[0]["errors"]
    inside = {
        "method": "POST",
        "url": "/services/data/v62.0/sobjects/Account",
        "referenceId": "a",
        "body": {"Name": "ab"},
    }
    composite = client.call("POST", "/composite", json={"compositeRequest": [inside]}).json()
    assert composite["compositeResponse"][0]["body"] == single.json()


def test_bulk_tells_the_rule(client: Tool) -> None:
    """A row that breaks a rule fails, the others of its table are stored."""
    told = {"object": "Account", "operation": "insert"}
    path = f"/jobs/ingest/{client.call('POST', '/jobs/ingest', json=told).json()['id']}"
    client.call("PUT", f"{path}/batches", content=b"Name\nab\nabc\n")
    client.call("PATCH", path, json={"state": "UploadComplete"})
    failed = client.call("GET", f"{path}/failedResults").text
    assert f"FIELD_CUSTOM_VALIDATION_EXCEPTION:{TOLD}:Name --" in failed
    assert client.get(path)["numberRecordsFailed"] == 1


def test_tools_are_told_of_formulas(client: Tool) -> None:
    """A description says that a field is computed and of what."""
    tree = {
        "label": "Size",
        "type": "Number",
        "scale": "0",
        "formula": "LEN(Name)",
        "formulaTreatBlanksAs": "BlankAsZero",
    }
    write(client.session.org, "CustomField", "Account.Size__c", **tree)
    fields = {one["name"]: one for one in client.get("/sobjects/Account/describe")["fields"]}
    size = fields["Size__c"]
    assert (size["calculated"], size["calculatedFormula"], size["createable"]) == (True, "LEN(Name)", False)
    assert size["formulaTreatNullNumberAsZero"]


def test_rules_with_formulas(org: Org) -> None:
    """An assignment rule's entry may have a formula; one that is broken is not deployed, and its sentence is told."""
    owner = org.one("User", Username=next(org.rows("User", IsActive=True))["Username"])
    entry = {
        "assignedTo": owner["Username"],
        "assignedToType": "User",
        "formula": 'BEGINS(Subject, "Broken")',
    }
    rule = {"fullName": "Standard", "active": True, "ruleEntry": [{**entry, "formula": "FALSE"}, entry]}
    write(org, "AssignmentRules", "Case", assignmentRule=[rule])
    broken = {**rule, "ruleEntry": [{**entry, "formula": "ISBLANK(Subjekt)"}]}
    with pytest.raises(OrgError, match=r"Field Subjekt does not exist\."), org.transaction():
        write(org, "AssignmentRules", "Case", assignmentRule=[broken])
    other = next(row["Id"] for row in org.rows("User", IsActive=True) if row["Id"] != owner["Id"])
    cases = [
        org.insert("Case", Subject=subject, Origin="Web", OwnerId=other) for subject in ("Broken", "Fine")
    ]
    for id in cases:
        assign(org, "Case", id)
    assert [org.get("Case", id)["OwnerId"] for id in cases] == [owner["Id"], other]  # type: ignore[index]
