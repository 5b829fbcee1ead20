"""The Metadata API as simple-salesforce speaks it, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from zeep.exceptions import Fault

from salesforce_org.metadata.registry import TYPES

from .metadata_client import metadata, unzipped, zipped
from .small_org import SALES, Tool, tool

MANIFEST = (
    '<?xml version="1.0" encoding="UTF-8"?><Package xmlns="http://soap.sforce.com/2006/04/metadata">'
    "<types><members>{0}</members><name>{1}</name></types><version>62.0</version></Package>"
)


@pytest.fixture
def org() -> Tool:
    """A client of an org of its own."""
    return tool()


@pytest.fixture
def api(org: Tool, monkeypatch: pytest.MonkeyPatch) -> Any:
    """simple-salesforce on that org."""
    return metadata(org, monkeypatch)


def test_the_types_are_described(api: Any) -> None:
    """All types that stand in files of their own are told, with folders, suffixes and children."""
    told = {one.xmlName: one for one in api.describe_metadata().metadataObjects}
    assert told.keys() == {one.name for one in TYPES.values() if not one.parent and not one.is_folder}
    assert told["CustomObject"].suffix == "object"
    assert {"CustomField", "ListView", "RecordType"} <= set(told["CustomObject"].childXmlNames)
    assert told["Report"].inFolder
    assert told["EmailTemplate"].metaFile


def test_components_are_listed(api: Any) -> None:
    """A listing tells name, file, id and dates; types that nobody knows have none, folders have theirs."""
    queries = [api.ListMetadataQuery(type=kind) for kind in ("Profile", "Elephant")]
    listed = api.list_metadata(queries)
    assert {one.fullName: one.fileName for one in listed} == {
        "Admin": "profiles/Admin.profile",
        "Standard": "profiles/Standard.profile",
    }
    assert all(one.id.startswith("00e") and one.createdByName == "Ada Byron" for one in listed)
    assert api.list_metadata([api.ListMetadataQuery(type="Report", folder="Mine")]) in (None, [])


def test_a_custom_object_is_made_changed_and_deleted(org: Tool, api: Any) -> None:
    """Create, read, update and delete of an object with a field; records of it are there for REST."""
    name = api.CustomField(label="Trip Name", type=api.FieldType("Text"))
    trip = api.CustomObject(
        fullName="Trip__c",
        label="Trip",
        pluralLabel="Trips",
        nameField=name,
        deploymentStatus=api.DeploymentStatus("Deployed"),
        sharingModel=api.SharingModel("ReadWrite"),
    )
    api.CustomObject.create([trip])
    days = api.CustomField(
        fullName="Trip__c.Days__c", label="Days", type=api.FieldType("Number"), precision=4, scale=0
    )
    api.CustomField.create([days])
    org.call("POST", "/sobjects/Trip__c", json={"Name": "Rome", "Days__c": 3})
    assert org.records("SELECT Days__c FROM Trip__c")[0]["Days__c"] == 3
    read = api.CustomObject.read(["Trip__c"])
    assert [one.fullName for one in read.fields] == ["Days__c"]
    read.description = "Away"
    api.CustomObject.update([read])
    assert api.CustomObject.read(["Trip__c"]).description == "Away"
    api.CustomObject.delete(["Trip__c"])
    assert org.call("GET", "/sobjects/Trip__c").status_code == 404


def test_several_are_read_in_order(api: Any) -> None:
    """Components come in the order that was asked for, with nothing where there is none."""
    sets = api.StandardValueSet.read(["OpportunityStage", "Nothing", "LeadStatus"])
    assert [one.fullName for one in sets] == ["OpportunityStage", None, "LeadStatus"]


def test_writes_say_what_was_wrong(api: Any) -> None:
    """A name that is taken, one that is not there, and one that cannot be are each refused in a result."""
    role = api.Role(fullName="Boss", name="Boss")
    api.Role.create([role])
    with pytest.raises(Exception, match="DUPLICATE_DEVELOPER_NAME, There is already a Role named Boss"):
        api.Role.create([role])
    with pytest.raises(Exception, match="INVALID_CROSS_REFERENCE_KEY, no Role named Clerk found"):
        api.Role.update([api.Role(fullName="Clerk", name="Clerk")])
    with pytest.raises(Exception, match="INVALID_CROSS_REFERENCE_KEY, no Role named Clerk found"):
        api.Role.delete(["Clerk"])
    api.Role.upsert([api.Role(fullName="Clerk", name="Clerk", parentRole="Boss")])
    api.Role.rename("Clerk", "Scribe")
    assert api.Role.read(["Scribe"]).parentRole == "Boss"


def test_a_type_describes_itself(api: Any) -> None:
    """The elements of a type are told with their kinds, their words, and what is inside of them."""
    told = {one.name: one for one in api.CustomField.describe().valueTypeFields}
    assert told["fullName"].isNameField
    assert "Lookup" in [one.value for one in told["type"].picklistValues]
    assert [one.name for one in told["valueSet"].fields][:2] == ["controllingField", "restricted"]


def test_texts_keep_their_lines(org: Tool, api: Any) -> None:
    """Line ends of both kinds and control characters of a record do not spoil an answer."""
    field = api.CustomField.read(["Account.Active__c"])
    field.inlineHelpText = "first\nsecond"
    api.CustomField.update([field])
    org.session.org.put_component("CustomTab", "X", {"description": "a\x00b\r\nc"})
    assert api.CustomField.read(["Account.Active__c"]).inlineHelpText == "first\nsecond"
    assert api.CustomTab.read(["X"]).description == "ab\r\nc"


def test_settings_are_named_by_their_type(api: Any) -> None:
    """Settings of an area are components of a type of their own, called after the area."""
    api.QuoteSettings.upsert([api.QuoteSettings(fullName="Quote", enableQuote=True)])
    assert api.QuoteSettings.read(["Quote"]).enableQuote is True


def test_a_zip_is_deployed_and_retrieved(api: Any) -> None:
    """A package goes in by deploy, is told of by its status, and comes out by retrieve."""
    files = {
        "package.xml": MANIFEST.format("Boss", "Role"),
        "roles/Boss.role": '<Role xmlns="http://soap.sforce.com/2006/04/metadata"><name>Boss</name></Role>',
    }
    id, state = api.deploy(zipped(files), sandbox=False)
    assert state == "Queued"
    status, _, counts, _ = api.check_deploy_status(id)
    assert status == "Succeeded"
    assert (counts["total_count"], counts["failed_count"], counts["deployed_count"]) == ("1", "0", "1")
    id, _ = api.retrieve("", unpackaged={"Role": ["*"]})
    status, _, messages, raw = api.retrieve_zip(id)
    assert (status, messages) == ("Succeeded", [])
    assert "<name>Boss</name>" in unzipped(raw)["roles/Boss.role"]


def test_a_failed_deployment_is_told(api: Any) -> None:
    """What could not be deployed is told with its type, file and problem."""
    files = {
        "package.xml": MANIFEST.format("Boss", "Role"),
        "roles/Boss.role": '<Role xmlns="http://soap.sforce.com/2006/04/metadata"><nam>Boss</nam></Role>',
    }
    id, _ = api.deploy(zipped(files), sandbox=False)
    status, _, counts, _ = api.check_deploy_status(id)
    assert status == "Failed"
    assert counts["errors"][0] == {
        "type": "Role",
        "file": "roles/Boss.role",
        "status": "Error",
        "message": "Error parsing file: Element {http://soap.sforce.com/2006/04/metadata}nam "
        "invalid at this location in type Role",
    }


def soap(org: Tool, body: str, token: str = "", header: str = "") -> Any:
    """Post an envelope with one operation."""
    wanted = token or org.keys["access_token"]
    envelope = (
        '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="http://soap.sforce.com/2006/04/metadata">'
        f"<e:Header><SessionHeader><sessionId>{wanted}</sessionId></SessionHeader>{header}</e:Header>"
        f"<e:Body>{body}</e:Body></e:Envelope>"
    )
    return org.http.post("/services/Soap/m/62.0", content=envelope)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<dance/>", "No operation available for request dance"),
        ("<readMetadata><type>Elephant</type></readMetadata>", "sf:INVALID_TYPE"),
        (
            "<readMetadata><type>Role</type>" + "<fullNames>x</fullNames>" * 11 + "</readMetadata>",
            "sf:LIMIT_EXCEEDED",
        ),
        (
            "<listMetadata>" + "<queries><type>Role</type></queries>" * 4 + "</listMetadata>",
            "cannot submit more than 3",
        ),
        (
            "<checkDeployStatus><asyncProcessId>0Af</asyncProcessId></checkDeployStatus>",
            "sf:INVALID_ID_FIELD",
        ),
        ("<retrieve><retrieveRequest/></retrieve>", "sf:INVALID_PACKAGE_NAME"),
        ("<deploy><ZipFile>UEs=</ZipFile></deploy>", "The zip file cannot be read"),
        ("<renameMetadata><type>Role</type></renameMetadata>", "sf:REQUIRED_FIELD_MISSING"),
    ],
)
def test_a_call_that_makes_no_sense_is_a_fault(org: Tool, body: str, fault: str) -> None:
    """Unknown operations, types and jobs, too many names and no package are faults with Salesforce's codes."""
    answered = soap(org, body)
    assert answered.status_code == 500
    assert fault in answered.text


def test_all_or_nothing(org: Tool) -> None:
    """With the header, one refused component takes the others back, and each says so."""
    roles = "".join(
        f'<metadata xsi:type="Role"><fullName>{name}</fullName>{inside}</metadata>'
        for name, inside in (("Good", "<name>Good</name>"), ("Bad", ""))
    )
    answered = soap(
        org,
        f"<createMetadata>{roles}</createMetadata>",
        header="<AllOrNoneHeader><allOrNone>true</allOrNone></AllOrNoneHeader>",
    )
    assert "ALL_OR_NONE_OPERATION_ROLLED_BACK" in answered.text
    assert "Required field is missing: name" in answered.text
    assert not org.records("SELECT Id FROM UserRole")
    assert "<success>true</success>" in soap(org, f"<createMetadata>{roles}</createMetadata>").text
    assert len(org.records("SELECT Id FROM UserRole")) == 1


def test_only_administrators_speak_it(org: Tool) -> None:
    """A user without the right to change metadata is refused."""
    user = org.session.org.one("User", Username=SALES)
    login = org.session.org.one("UserLogin", UserId=user["Id"])
    org.session.org.update(login["Id"], IsFrozen=False)
    token = org.session.access.issue(org.session.org_id, user["Id"])
    assert "sf:INSUFFICIENT_ACCESS" in soap(org, "<describeMetadata/>", token).text


def test_faults_reach_clients_as_faults(api: Any) -> None:
    """zeep raises what the org refused, in its words."""
    with pytest.raises(Fault, match="Unknown type:Elephant"):
        api._service.readMetadata("Elephant", ["x"], _soapheaders=[api._session_header])
