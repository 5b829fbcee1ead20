"""Salesforce's own command line works with the emulated org: records, descriptions and metadata."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .salesforce_cli import ALIAS, Cli, signed_in
from .world_process import OrgSession, running

pytestmark = pytest.mark.slow  # each command starts Node, which takes seconds

PACKAGE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<Package xmlns="http://soap.sforce.com/2006/04/metadata">{0}'
    "<version>62.0</version></Package>\n"
)
FIELD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<CustomField xmlns="http://soap.sforce.com/2006/04/metadata">'
    "<fullName>Level__c</fullName><label>Level</label><length>{0}</length><type>Text</type></CustomField>\n"
)
LEVEL = "force-app/main/default/objects/Account/fields/Level__c.field-meta.xml"


@pytest.fixture(scope="module")
def org(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OrgSession]:
    """A seeded org in a program of its own."""
    with running(tmp_path_factory.mktemp("world") / "control") as world, world.open() as session:
        yield session


@pytest.fixture(scope="module")
def cli(tmp_path_factory: pytest.TempPathFactory, org: OrgSession) -> Cli:
    """The command line, signed in by access token."""
    return signed_in(tmp_path_factory.mktemp("home"), org)


def manifest(cli: Cli, name: str, **types: str) -> str:
    """Write a manifest with one member a type and return its name."""
    told = "".join(
        f"<types><members>{member}</members><name>{kind}</name></types>" for kind, member in types.items()
    )
    (cli.project / name).write_text(PACKAGE.format(told))
    return name


def query(cli: Cli, soql: str) -> list[dict[str, object]]:
    """Return what a query finds."""
    records: list[dict[str, object]] = cli.on_org("data", "query", "--query", soql)["records"]
    return records


def test_queries(cli: Cli, org: OrgSession) -> None:
    """Plain fields, a parent's, children's, and groups come as the org has them."""
    accounts = query(cli, "SELECT Id, Name FROM Account")
    assert {one["Id"] for one in accounts} == set(org.rows("Account"))
    contact = query(cli, "SELECT Name, Account.Name FROM Contact WHERE AccountId != null LIMIT 1")[0]
    assert contact["Account"]["Name"]  # type: ignore[index]
    parents = query(cli, "SELECT Name, (SELECT LastName FROM Contacts) FROM Account")
    assert any(one["Contacts"] for one in parents)
    groups = query(cli, "SELECT Industry, COUNT(Id) n FROM Account GROUP BY Industry")
    assert sum(int(str(one["n"])) for one in groups) == len(accounts)


def test_a_query_that_makes_no_sense(cli: Cli) -> None:
    """An unknown field is told with Salesforce's code."""
    code, answer = cli.run("data", "query", "--query", "SELECT Colour FROM Account", "--target-org", ALIAS)
    assert code == 1
    assert "No such column 'Colour'" in answer["message"]


def test_a_record_comes_and_goes(cli: Cli, org: OrgSession) -> None:
    """A record is created, changed and deleted by its name."""
    made = cli.on_org("data", "create", "record", "--sobject", "Account", "--values", "Name='From outside'")
    assert org.rows("Account")[made["id"]]["Name"] == "From outside"
    found = ("--sobject", "Account", "--where", "Name='From outside'")
    cli.on_org("data", "update", "record", *found, "--values", "Phone=555-0100")
    assert org.rows("Account")[made["id"]]["Phone"] == "555-0100"
    cli.on_org("data", "delete", "record", *found)
    assert made["id"] not in org.rows("Account")


def test_an_object_is_described(cli: Cli) -> None:
    """A description has fields with types and picklists."""
    told = cli.on_org("sobject", "describe", "--sobject", "Lead")
    fields = {one["name"]: one for one in told["fields"]}
    assert fields["Status"]["type"] == "picklist"
    assert fields["Status"]["picklistValues"]


def test_metadata_is_listed(cli: Cli) -> None:
    """The components of a type are told with names, files and ids."""
    roles = cli.on_org("org", "list", "metadata", "--metadata-type", "Role")
    assert {"fullName": "CEO", "fileName": "roles/CEO.role", "type": "Role"}.items() <= next(
        one.items() for one in roles if one["fullName"] == "CEO"
    )


def test_metadata_is_retrieved_and_deployed_unchanged(cli: Cli, org: OrgSession) -> None:
    """Components of many types become files of a project, and go back without a trace."""
    types = dict.fromkeys(
        ("Role", "Queue", "PermissionSet", "PermissionSetGroup", "Profile", "CustomApplication"), "*"
    )
    name = manifest(cli, "package.xml", CustomObject="Account", StandardValueSet="LeadStatus", **types)
    got = cli.on_org("project", "retrieve", "start", "--manifest", name)
    assert {one["type"] for one in got["files"]} >= {*types, "CustomObject", "CustomField", "ListView"}
    assert (cli.project / "force-app/main/default/roles/CEO.role-meta.xml").is_file()
    before = org.state()["fingerprint"]
    done = cli.on_org("project", "deploy", "start", "--manifest", name)
    assert done["status"] == "Succeeded"
    assert {one["state"] for one in done["files"]} == {"Unchanged"}
    assert org.state()["fingerprint"] == before


def test_a_field_is_deployed_and_destroyed(cli: Cli, org: OrgSession) -> None:
    """A field of a project is in the org after a deployment, and gone after a destructive one."""
    before = org.state()["fingerprint"]
    file = cli.project / LEVEL
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(FIELD.format(10))
    changes = manifest(cli, "changes.xml", CustomField="Account.Level__c")
    done = cli.on_org("project", "deploy", "start", "--manifest", changes)
    assert [(one["fullName"], one["state"]) for one in done["files"]] == [("Account.Level__c", "Created")]
    assert query(cli, "SELECT Level__c FROM Account LIMIT 1")[0]["Level__c"] is None
    empty = manifest(cli, "empty.xml")
    cli.on_org("project", "deploy", "start", "--manifest", empty, "--post-destructive-changes", changes)
    assert org.state()["fingerprint"] == before


def test_a_deployment_that_fails_says_why(cli: Cli, org: OrgSession) -> None:
    """A field that does not hold together is told by name, and the org stays as it was."""
    before = org.state()["fingerprint"]
    file = cli.project / LEVEL
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(FIELD.format("long"))
    changes = manifest(cli, "changes.xml", CustomField="Account.Level__c")
    code, answer = cli.run("project", "deploy", "start", "--manifest", changes, "--target-org", ALIAS)
    assert code == 1
    (failure,) = answer["result"]["details"]["componentFailures"]
    assert failure["fullName"] == "Account.Level__c"
    assert "'long' is not a valid value" in failure["problem"]
    assert org.state()["fingerprint"] == before


def test_a_manifest_of_the_whole_org(cli: Cli) -> None:
    """The hundreds of types that the command line knows are asked for, and those that the org has are written."""
    code, answer = cli.run("project", "generate", "manifest", "--from-org", ALIAS, "--output-dir", "whole")
    assert code == 0, answer
    text = (cli.project / "whole" / "package.xml").read_text()
    for kind, member in (("Role", "CEO"), ("Profile", "Admin"), ("ListView", "Account.AllAccounts")):
        assert f"<members>{member}</members>" in text
        assert f"<name>{kind}</name>" in text


def test_apex_ends_in_a_clear_sentence(cli: Cli) -> None:
    """Code does not compile, because the org has no Apex; its logs are there and empty."""
    (cli.project / "x.apex").write_text("System.debug(1);")
    code, answer = cli.run("apex", "run", "--file", "x.apex", "--target-org", ALIAS)
    assert code == 1
    assert answer["message"].startswith("Compilation failed at Line 1 column 1")
    assert "Apex is not enabled in this org" in answer["message"]
    assert cli.on_org("apex", "list", "log") == []


def test_a_browser_is_led_into_the_org(cli: Cli, org: OrgSession) -> None:
    """`sf org open` gives a link to the org's own host that signs in once."""
    url = cli.on_org("org", "open", "--url-only")["url"]
    assert url.startswith(f"{org.described['origin']}/secur/frontdoor.jsp?sid=")
