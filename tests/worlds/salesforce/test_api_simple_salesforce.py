"""What simple-salesforce, a client nobody here wrote, can do with a running org."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from lazily import lazily

from .world_process import OrgSession, running

simple_salesforce = lazily("simple_salesforce")
simple = lazily("pytest_cuabench.drivers.salesforce.simple")


@pytest.fixture(scope="module")
def org(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OrgSession]:
    """A running program with one org."""
    with running(tmp_path_factory.mktemp("org") / "control") as world, world.open() as session:
        yield session


@pytest.fixture
def http(org: OrgSession) -> Iterator[Any]:
    """The client's connection."""
    with simple.session(org.world.url) as made:
        yield made


@pytest.fixture
def sf(org: OrgSession, http: Any) -> Any:
    """The client, with an access token."""
    return simple.connect(org.world.url, org.described["access_token"], session=http)


def keys(org: OrgSession, *names: str) -> dict[str, str]:
    """Return some of what control says of the org."""
    return {name: org.described[name] for name in names}


def test_three_ways_to_log_in(org: OrgSession, http: Any) -> None:
    """Username with password and security token by SOAP; with a connected app by OAuth; the app alone."""
    told = org.described
    user = keys(org, "username", "password")
    app = {"consumer_key": told["client_key"], "consumer_secret": told["client_secret"]}
    whole = {**user, "password": told["password"] + told["security_token"]}
    for way in (
        {**user, "security_token": told["security_token"]},
        {**whole, **app},
        {**app, "domain": "brightmoor.my"},
    ):
        client = simple_salesforce.Salesforce(**way, session=http)
        assert client.session_id.startswith(f"{told['org_id']}!")
        assert client.query("SELECT Id FROM Organization")["records"][0]["Id"] == told["org_id"]


def test_a_wrong_password_and_a_wrong_secret_are_refused(org: OrgSession, http: Any) -> None:
    """The client understands both refusals."""
    wrong = simple_salesforce.SalesforceAuthenticationFailed
    with pytest.raises(wrong, match="INVALID_LOGIN"):
        simple_salesforce.Salesforce(username="a", password="b", security_token="c", session=http)
    key = org.described["client_key"]
    with pytest.raises(wrong, match="invalid_client"):
        simple_salesforce.Salesforce(consumer_key=key, consumer_secret="x", domain="my", session=http)


def test_queries(sf: Any) -> None:
    """Records, all of them in batches, deleted ones, and how often the interface was used."""
    contacts = sf.query("SELECT Id, Name, Account.Name FROM Contact WHERE AccountId != null LIMIT 3")
    assert contacts["records"][0]["Account"]["Name"]
    headers = {"Sforce-Query-Options": "batchSize=200"}
    text = "SELECT Id, Name FROM ListView"
    rows = list(sf.query_all_iter(text, headers=headers))
    assert len(rows) == sf.query("SELECT COUNT() FROM ListView")["totalSize"]
    assert sf.query_all(text)["totalSize"] == len(rows)
    assert sf.query_all(text, include_deleted=True)["done"] is True
    assert sf.api_usage["api-usage"].total == 100_000
    assert sf.is_sandbox() is False


@pytest.mark.slow
def test_more_than_one_batch(sf: Any) -> None:
    """The client follows the addresses of further batches."""
    for start in (0, 200):
        numbers = range(start, start + 200)
        records = [{"attributes": {"type": "Account"}, "Name": f"Batch {n:03}"} for n in numbers]
        done = sf.restful("composite/sobjects", method="POST", json={"records": records})
        assert all(one["success"] for one in done)
    text = "SELECT Id FROM Account WHERE Name LIKE 'Batch %'"
    found = list(sf.query_all_iter(text, headers={"Sforce-Query-Options": "batchSize=200"}))
    assert len({row["Id"] for row in found}) == 400


def test_descriptions(sf: Any) -> None:
    """The global describe and an object's own."""
    assert {"Account", "Lead", "Case"} <= {one["name"] for one in sf.describe()["sobjects"]}
    lead = sf.Lead.describe()
    status = next(one for one in lead["fields"] if one["name"] == "Status")
    assert status["picklistValues"]
    assert sf.Lead.metadata()["objectDescribe"]["keyPrefix"] == "00Q"
    assert sf.limits()["DailyApiRequests"]["Max"] == 100_000


def test_records_are_made_read_changed_upserted_and_deleted(sf: Any) -> None:
    """The life of a record, with the client's own kinds of refusals."""
    made = sf.Account.create({"Name": "Simple"})
    id = made["id"]
    assert sf.Account.get(id)["Name"] == "Simple"
    assert sf.Account.update(id, {"Phone": "+1 555"}) == 204
    assert sf.Account.upsert(f"Id/{id}", {"Site": "North"}) == 200
    assert sf.Account.get(id)["Site"] == "North"
    now = datetime.fromisoformat(sf.Account.get(id)["SystemModstamp"].replace("+0000", "+00:00"))
    span = (now - timedelta(hours=1), now + timedelta(hours=1))
    assert id in sf.Account.updated(*span)["ids"]
    assert sf.Account.delete(id) == 204
    assert id in {one["id"] for one in sf.Account.deleted(*span)["deletedRecords"]}
    with pytest.raises(simple_salesforce.SalesforceResourceNotFound):
        sf.Account.get(id)
    with pytest.raises(simple_salesforce.SalesforceMalformedRequest, match="REQUIRED_FIELD_MISSING"):
        sf.Account.create({})
    with pytest.raises(simple_salesforce.SalesforceMalformedRequest, match="INVALID_FIELD"):
        sf.query("SELECT Colour FROM Account")


def test_searches(sf: Any) -> None:
    """SOSL, and a word alone."""
    sf.Account.create({"Name": "Xylophone Makers"})
    found = sf.search("FIND {xylophone} RETURNING Account(Name)")["searchRecords"]
    assert [one["Name"] for one in found] == ["Xylophone Makers"]
    assert len(sf.quick_search("xyloph*")["searchRecords"]) == 1


def test_an_expired_session_is_renewed(org: OrgSession, http: Any) -> None:
    """A client that logged in by itself does so again when its session id has ended."""
    told = keys(org, "username", "password", "security_token")
    client = simple_salesforce.Salesforce(**told, session=http)
    first = client.session_id
    org.api.post("/services/oauth2/revoke", data={"token": first})
    assert client.query("SELECT Id FROM Account LIMIT 1")["totalSize"] == 1
    assert client.session_id != first


def test_the_older_bulk_interface(sf: Any) -> None:
    """insert, update, upsert, query and delete in batches of JSON."""
    results = sf.bulk.Account.insert([{"Name": "Bulk 1"}, {"Name": "Bulk 2"}, {"Site": "x"}])
    assert [one["success"] for one in results] == [True, True, False]
    ids = [one["id"] for one in results if one["success"]]
    changed = sf.bulk.Account.update([{"Id": id, "Site": "East"} for id in ids])
    assert all(one["success"] for one in changed)
    upserted = sf.bulk.Account.upsert([{"Id": ids[0], "Site": "West"}], "Id")
    assert upserted[0]["created"] is False
    found = sf.bulk.Account.query("SELECT Id, Site FROM Account WHERE Name LIKE 'Bulk %' ORDER BY Name")
    assert [one["Site"] for one in found] == ["West", "East"]
    assert all(one["success"] for one in sf.bulk.Account.delete([{"Id": id} for id in ids]))


def test_the_newer_bulk_interface(sf: Any) -> None:
    """insert, query and delete with tables."""
    records = [{"LastName": f"Bulk {n}", "Company": "Bulk, Inc."} for n in range(3)]
    (job,) = sf.bulk2.Lead.insert(records=records, wait=0)
    assert (job["numberRecordsProcessed"], job["numberRecordsFailed"]) == (3, 0)
    text = "SELECT Id, Company FROM Lead WHERE LastName LIKE 'Bulk %'"
    pages = list(sf.bulk2.Lead.query(text, max_records=2, wait=0))
    found = [row for page in pages for row in csv.DictReader(io.StringIO(page))]
    assert (len(pages), {row["Company"] for row in found}) == (2, {"Bulk, Inc."})
    (gone,) = sf.bulk2.Lead.delete(records=[{"Id": row["Id"]} for row in found], wait=0)
    assert gone["numberRecordsFailed"] == 0
    results = sf.bulk2.Lead.get_all_ingest_records(job["job_id"])
    assert [row["sf__Created"] for row in results["successfulRecords"]] == ["true"] * 3


def test_composites_tooling_and_passwords_by_plain_paths(sf: Any, org: OrgSession) -> None:
    """What the client has no method for goes by `restful`."""
    calls = [
        {
            "method": "POST",
            "url": "/services/data/v62.0/sobjects/Account",
            "referenceId": "a",
            "body": {"Name": "Composite"},
        },
        {"method": "GET", "url": "/services/data/v62.0/sobjects/Account/@{a.id}", "referenceId": "b"},
    ]
    told = sf.restful("composite", method="POST", json={"compositeRequest": calls})
    assert told["compositeResponse"][1]["body"]["Name"] == "Composite"
    found = sf.restful("tooling/query", params={"q": "SELECT QualifiedApiName FROM EntityDefinition LIMIT 1"})
    assert found["size"] == 1
    assert sf.toolingexecute("sobjects")["sobjects"]
    assert sf.oauth2("userinfo")["user_id"] == org.described["user_id"]
    user = sf.query("SELECT Id FROM User WHERE Name = 'John Doe'")["records"][0]["Id"]
    assert sf.set_password(user, "Another-1") is None


def test_nothing_of_this_is_in_the_browsers_log(org: OrgSession) -> None:
    """Tools' calls are logged apart from what a browser asked for."""
    org.api.get("/services/data/v62.0/limits")
    assert org.requests() == []
    assert org.calls()[-1] | {"n": 0} == {
        "n": 0,
        "method": "GET",
        "path": "/limits",
        "query": {},
        "form": {},
        "status": 200,
    }
    assert {entry["request"] for entry in org.state()["journal"]} <= {None}
