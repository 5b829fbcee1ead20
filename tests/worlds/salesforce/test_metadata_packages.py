"""Packages: confined on the way in, the same each time on the way out; deploying is all or nothing, or told in full."""

from __future__ import annotations

import base64
import io
import zipfile

import pytest

from salesforce_org.metadata import package
from salesforce_org.metadata.deploy import Deployment, Options, deploy
from salesforce_org.metadata.errors import MetadataError
from salesforce_org.metadata.package import Manifest, decode, pack, read_manifest, unpack, write_manifest
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.retrieve import retrieve
from salesforce_org.metadata.trees import parse
from salesforce_org.sessions import fingerprint
from salesforce_org.store import Org

from .seeded_org import seeded

OPEN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<{0} xmlns="http://soap.sforce.com/2006/04/metadata">{1}</{0}>'
)
LEVEL = (
    "<fields><fullName>Level__c</fullName><label>Level</label><length>{0}</length><type>Text</type></fields>"
)

FLYING = OPEN.format(
    "Profile", "<userPermissions><enabled>true</enabled><name>FlyToTheMoon</name></userPermissions>"
).encode()


@pytest.fixture
def org() -> Org:
    """A seeded org of its own."""
    return seeded()


def manifest(**types: list[str]) -> bytes:
    """Return a manifest."""
    return write_manifest(Manifest({name: tuple(members) for name, members in types.items()}, "62.0"))


def account(inside: str) -> bytes:
    """Return the file of the account object."""
    return OPEN.format("CustomObject", inside).encode()


def run(org: Org, files: dict[str, bytes], **options: bool) -> Deployment:
    """Deploy files."""
    return deploy(org, "0Af", files, Options(**options))


def test_a_manifest_comes_back_from_its_file() -> None:
    """Types are sorted, members keep their order, and the version is the last word."""
    made = Manifest({"Role": ("CEO", "CFO"), "CustomTab": ("*",)}, "62.0")
    body = write_manifest(made)
    assert read_manifest(parse(body)) == made
    assert body.index(b"CustomTab") < body.index(b"Role") < body.index(b"62.0")


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "C:/x", "..\\x"])
def test_no_path_leads_out_of_a_zip(path: str) -> None:
    """A zip with a path that leads elsewhere is refused, and the path is told."""
    with pytest.raises(MetadataError, match="leads out of it"):
        unpack(pack([("package.xml", manifest()), (path, b"")]))


def test_what_is_no_package_is_refused() -> None:
    """No zip, a broken one, none with a manifest, and no base64: each in one sentence."""
    with pytest.raises(MetadataError, match="cannot be read"):
        unpack(b"PK")
    with pytest.raises(MetadataError, match=r"No package\.xml found"):
        unpack(pack([("a/b/package.xml", b"")]))
    with pytest.raises(MetadataError, match="not valid base64"):
        decode("***")


def test_packages_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many files, too many bytes, packed or unpacked, are refused before anything is unpacked."""
    raw = pack([("package.xml", manifest()), ("a", b"0" * 5000)])
    monkeypatch.setattr(package, "MOST_BYTES", 10)
    with pytest.raises(MetadataError, match="Maximum size"):
        decode(base64.b64encode(raw).decode())
    monkeypatch.setattr(package, "MOST_UNPACKED", 4000)
    with pytest.raises(MetadataError, match="when it is unpacked"):
        unpack(raw)
    monkeypatch.setattr(package, "MOST_FILES", 1)
    with pytest.raises(MetadataError, match="may hold 1 files"):
        unpack(raw)


def test_a_folder_around_a_package_is_seen_through() -> None:
    """Files are found below their manifest, whether or not a folder lies around everything."""
    inside = {"package.xml": manifest(), "roles/CEO.role": b"x"}
    assert unpack(pack(inside.items())) == inside
    assert unpack(pack((f"unpackaged/{path}", body) for path, body in inside.items())) == inside


def everything(org: Org) -> Manifest:
    """Return a manifest of all that the org has."""
    members = {name: ("*",) for name, type in TYPES.items() if not type.is_folder}
    members["CustomObject"] = ("*", *TYPES["CustomObject"].source.names(org))
    return Manifest(members, "62.0")


def test_what_was_retrieved_is_deployed_without_a_trace(org: Org) -> None:
    """A zip of everything, deployed as it is, succeeds and changes nothing at all."""
    before = org.collections()
    done = retrieve(org, "09S", everything(org), single=True)
    assert not done.messages
    made = deploy(org, "0Af", unpack(done.zip), Options())
    assert made.status == "Succeeded"
    assert len(made.messages) > 900
    assert not any(one.changed or one.created for one in made.messages if one.kind)
    assert org.collections() == before


def test_the_same_org_gives_the_same_zip(org: Org) -> None:
    """Retrieving twice gives the same bytes; without a single package all lies in a folder."""
    first, second = (retrieve(org, "09S", everything(org), single=True) for _ in range(2))
    assert first.zip == second.zip
    loose = retrieve(org, "09S", Manifest({"Role": ("CEO",)}), single=False)
    with zipfile.ZipFile(io.BytesIO(loose.zip)) as archive:
        assert archive.namelist() == ["unpackaged/roles/CEO.role", "unpackaged/package.xml"]
    assert [one["fileName"] for one in loose.properties] == archive.namelist()


def test_a_retrieval_tells_what_it_did_not_find(org: Org) -> None:
    """Unknown types and names are told, and the rest is there."""
    done = retrieve(org, "09S", Manifest({"Role": ("CEO", "Nobody"), "Elephant": ("*",)}), single=True)
    assert [one["problem"] for one in done.messages] == [
        "Entity of type 'Role' named 'Nobody' cannot be found",
        "Entity type: 'Elephant' is unknown",
    ]
    assert "roles/CEO.role" in unpack(done.zip)


def test_children_stand_in_their_parents_file(org: Org) -> None:
    """A retrieved field and list view stand alone in the file of their object."""
    wanted = Manifest({"CustomField": ("Account.Active__c",), "ListView": ("Account.AllAccounts",)})
    files = unpack(retrieve(org, "09S", wanted, single=True).zip)
    assert sorted(files) == ["objects/Account.object", "package.xml"]
    text = files["objects/Account.object"].decode()
    assert text.count("<fields>") == text.count("<listViews>") == 1
    assert "sharingModel" not in text


def test_a_change_is_deployed_and_destroyed(org: Org) -> None:
    """A new field is created, deployed again unchanged, and deleted by a list of deletions."""
    before = fingerprint(org)
    files = {
        "package.xml": manifest(CustomField=["Account.Level__c"]),
        "objects/Account.object": account(LEVEL.format(9)),
    }
    (made, _) = run(org, files).messages
    assert (made.kind, made.name, made.created, made.changed) == (
        "CustomField",
        "Account.Level__c",
        True,
        True,
    )
    (again, _) = run(org, files).messages
    assert (again.created, again.changed) == (False, False)
    gone = {
        "package.xml": manifest(),
        "destructiveChangesPost.xml": manifest(CustomField=["Account.Level__c"]),
    }
    (deleted, *_) = run(org, gone).messages
    assert (deleted.deleted, deleted.file) == (True, "objects/Account.object")
    assert fingerprint(org) == before


def test_deletions_come_before_and_after(org: Org) -> None:
    """What is listed as destroyed before makes room for what the package brings."""
    run(
        org,
        {
            "package.xml": manifest(Group=["G"]),
            "groups/G.group": OPEN.format("Group", "<name>One</name>").encode(),
        },
    )
    first = org.one("Group", DeveloperName="G")["Id"]
    files = {
        "package.xml": manifest(Group=["G"]),
        "destructiveChangesPre.xml": manifest(Group=["G"]),
        "groups/G.group": OPEN.format("Group", "<name>Two</name>").encode(),
    }
    assert run(org, files).status == "Succeeded"
    assert org.one("Group", DeveloperName="G")["Name"] == "Two"
    assert org.one("Group", DeveloperName="G")["Id"] != first


BROKEN = {
    "package.xml": manifest(CustomField=["Account.Good__c", "Account.Bad__c"]),
    "objects/Account.object": account(
        LEVEL.format(9).replace("Level__c", "Good__c") + LEVEL.format("long").replace("Level__c", "Bad__c")
    ),
}


def test_a_failure_takes_everything_back(org: Org) -> None:
    """With rollback, one refused component keeps all of a package out; the refusal stands at the component."""
    before = fingerprint(org)
    made = run(org, BROKEN)
    assert made.status == "Failed"
    (problem,) = made.failures
    assert (problem.kind, problem.name) == ("CustomField", "Account.Bad__c")
    assert problem.problem == "'long' is not a valid value for the type xsd:int"
    assert fingerprint(org) == before


def test_without_rollback_the_rest_stays(org: Org) -> None:
    """What could be deployed stays, and the deployment is told to be partial."""
    made = run(org, BROKEN, rollback_on_error=False)
    assert made.status == "SucceededPartial"
    assert made.told(details=True)["numberComponentErrors"] == 1
    assert org.schema["Account"].field("Good__c") is not None
    assert org.schema["Account"].field("Bad__c") is None


def test_a_validation_leaves_no_trace(org: Org) -> None:
    """A deployment that only checks tells what it would do and does nothing."""
    before = org.collections(), org.now, len(org.journal.writes)
    files = {
        "package.xml": manifest(CustomField=["Account.Level__c"]),
        "objects/Account.object": account(LEVEL.format(9)),
    }
    made = run(org, files, check_only=True)
    assert made.status == "Succeeded"
    assert made.messages[0].created
    assert (org.collections(), org.now, len(org.journal.writes)) == before


def test_order_does_not_matter(org: Org) -> None:
    """A lookup may stand before the object that it points to, and a group before its permission set."""
    custom = (
        "<deploymentStatus>Deployed</deploymentStatus><label>{0}</label><nameField><label>Name</label><type>Text</type>"
        "</nameField><pluralLabel>{0}s</pluralLabel><sharingModel>ReadWrite</sharingModel>"
    )
    lookup = (
        "<fields><fullName>Zoo__c</fullName><label>Zoo</label>"
        "<referenceTo>Zoo__c</referenceTo><type>Lookup</type></fields>"
    )
    files = {
        "package.xml": manifest(CustomObject=["*"], PermissionSetGroup=["*"], PermissionSet=["*"]),
        "objects/Ape__c.object": account(lookup + custom.format("Ape")),
        "objects/Zoo__c.object": account(custom.format("Zoo")),
        "permissionsetgroups/G.permissionsetgroup": OPEN.format(
            "PermissionSetGroup", "<label>G</label><permissionSets>P</permissionSets>"
        ).encode(),
        "permissionsets/P.permissionset": OPEN.format("PermissionSet", "<label>P</label>").encode(),
    }
    made = run(org, files)
    assert not made.failures
    assert org.schema["Ape__c"].field("Zoo__c") is not None


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"package.xml": b"<"}, "Error parsing file"),
        ({"package.xml": manifest(Elephant=["x"])}, "Unknown type name 'Elephant' specified in package.xml"),
        ({"package.xml": manifest(Role=["CEO"])}, "was named in package.xml, but was not found in zipped directory"),
        ({"package.xml": manifest(), "elephants/x.elephant": b""}, "Unknown file type: elephants/x.elephant"),
        ({"package.xml": manifest(Role=["R"]), "roles/R.role": b"<Group/>"}, "the root is Group and not Role"),
        ({"package.xml": manifest(Role=["R"]), "roles/R.role": b"<Role/>"}, "Required field is missing: name"),
        ({"package.xml": manifest(), "roles/R.role": b"<Role/>"}, "Not in package.xml"),
        ({"package.xml": manifest(), "destructiveChanges.xml": manifest(Role=["*"])}, "Wildcards are not allowed"),
        ({"package.xml": manifest(), "destructiveChanges.xml": manifest(Role=["No"])}, "No Role named: No found"),
        (
            {"package.xml": manifest(Profile=["Admin"]), "profiles/Admin.profile": FLYING},
            "Unknown user permission: FlyToTheMoon",
        ),
        ({"package.xml": manifest(), "settings/Moon.settings": b"<MoonSettings/>"}, "no Settings named Moon found"),
    ],
)  # fmt: skip
def test_each_problem_is_told(org: Org, files: dict[str, bytes], problem: str) -> None:
    """A package that is not right fails with one sentence for each thing that is wrong, and changes nothing."""
    before = fingerprint(org)
    made = run(org, files)
    assert made.status == "Failed"
    assert any(problem in one.problem for one in made.failures)
    assert fingerprint(org) == before


def test_warnings_may_be_ignored(org: Org) -> None:
    """To destroy what is not there is a warning: it fails a deployment unless warnings are ignored."""
    files = {"package.xml": manifest(), "destructiveChanges.xml": manifest(Role=["No"])}
    assert run(org, files).status == "Failed"
    made = run(org, files, ignore_warnings=True)
    assert made.status == "Succeeded"
    assert made.told(details=True)["details"]["componentSuccesses"][0]["problemType"] == "Warning"


def test_content_and_folders_have_files_of_their_own(org: Org) -> None:
    """An email template is its text with a description beside it, in a folder that is a file, too."""
    files = {
        "package.xml": manifest(EmailTemplate=["Mine", "Mine/Hello"]),
        "email/Mine-meta.xml": OPEN.format("EmailFolder", "<name>Mine</name>").encode(),
        "email/Mine/Hello.email": b"Dear {!Contact.Name}",
        "email/Mine/Hello.email-meta.xml": OPEN.format(
            "EmailTemplate",
            "<available>true</available><encodingKey>UTF-8</encodingKey><name>Hello</name>"
            "<style>none</style><type>text</type>",
        ).encode(),
    }
    assert not run(org, files).failures
    wanted = Manifest({"EmailTemplate": ("Mine", "Mine/Hello")}, "62.0")
    back = unpack(retrieve(org, "09S", wanted, single=True).zip)
    assert back.keys() == files.keys()
    assert back["email/Mine/Hello.email"] == files["email/Mine/Hello.email"]


def test_a_report_and_its_folder_are_deployed_and_shown_as_records(org: Org) -> None:
    """A folder and a report in it come with one package, are records, and are retrieved as they were deployed."""
    report = (
        "<columns><field>OPPORTUNITY_NAME</field></columns><format>Tabular</format><name>Deals</name>"
        "<reportType>Opportunity</reportType><scope>organization</scope><showDetails>true</showDetails>"
    )
    files = {
        "package.xml": manifest(Report=["Board", "Board/Deals"]),
        "reports/Board-meta.xml": OPEN.format("ReportFolder", "<name>The board</name>").encode(),
        "reports/Board/Deals.report": OPEN.format("Report", report).encode(),
    }
    assert not run(org, files).failures
    row = org.one("Report", DeveloperName="Deals")
    assert (row["FolderName"], row["OwnerId"]) == (
        "The board",
        org.one("Folder", DeveloperName="Board")["Id"],
    )
    back = unpack(retrieve(org, "09S", Manifest({"Report": ("Board/Deals",)}, "62.0"), single=True).zip)
    assert b"<name>Deals</name>" in back["reports/Board/Deals.report"]


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ("<reportType>Opportunities</reportType>", "invalid report type"),
        ("<reportType>CaseList</reportType>", "columns-field: Invalid value specified: OPPORTUNITY_NAME"),
        (
            "<groupingsDown><field>OPPORTUNITY_NAME</field><sortOrder>Asc</sortOrder></groupingsDown>"
            "<reportType>Opportunity</reportType>",
            "You can't include groupings in the selected columns list: OPPORTUNITY_NAME",
        ),
    ],
)
def test_a_report_that_does_not_fit_its_type_is_refused(org: Org, wrong: str, problem: str) -> None:
    """A report of an unknown type, with an unknown column, or with a group that is a column, is a failure."""
    begin = "<columns><field>OPPORTUNITY_NAME</field></columns><format>Summary</format>"
    body = OPEN.format("Report", f"{begin}<name>Deals</name>{wrong}").encode()
    files = {
        "package.xml": manifest(Report=["unfiled$public/Deals"]),
        "reports/unfiled$public/Deals.report": body,
    }
    (failure,) = run(org, files).failures
    assert problem in str(failure)


def test_the_administrators_profile_has_rights_on_fields(org: Org) -> None:
    """A retrieved profile of the administrator lets read and edit the fields of its objects."""
    profile = TYPES["Profile"].source.read(org, "Admin")
    assert profile is not None
    rights = {one["field"]: one for one in profile["fieldPermissions"]}
    assert rights["Account.SLA__c"]["editable"] is rights["Account.Phone"]["readable"] is True
    assert "Account.Name" not in rights
