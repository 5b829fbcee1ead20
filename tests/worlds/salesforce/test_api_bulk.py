"""Both Bulk interfaces: jobs, tables, and what becomes of each record."""

from __future__ import annotations

import csv
import gzip
import io
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring

from .small_org import Tool, tool


@pytest.fixture
def org() -> Tool:
    """A client of an org of its own."""
    return tool()


def rows(response: Any) -> list[dict[str, str]]:
    """Return a table that was answered."""
    assert response.headers["content-type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(response.text)))


def ingest(org: Tool, text: str, operation: str = "insert", **more: str) -> str:
    """Make a job, give it a table, have it done, and return its path."""
    made = org.call("POST", "/jobs/ingest", json={"object": "Account", "operation": operation, **more}).json()
    assert made["state"] == "Open"
    path = f"/jobs/ingest/{made['id']}"
    assert made["contentUrl"] == f"services/data/v62.0{path}/batches"
    assert org.call("PUT", f"{path}/batches", content=text.encode()).status_code == 201
    assert org.call("PATCH", path, json={"state": "UploadComplete"}).json()["state"] == "UploadComplete"
    assert org.get(path)["state"] == "JobComplete"
    return path


def test_a_table_of_records_is_stored(org: Tool) -> None:
    """Good rows are stored, refused ones come back with the reason, and the job counts both."""
    path = ingest(org, 'Name,Site,Parent.Number__c\n"New, Inc.",East,7\n,West,\n')
    job = org.get(path)
    assert (job["numberRecordsProcessed"], job["numberRecordsFailed"]) == (2, 1)
    good = rows(org.call("GET", f"{path}/successfulResults/"))
    assert (good[0]["Name"], good[0]["sf__Created"]) == ("New, Inc.", "true")
    stored = org.session.org.get("Account", good[0]["sf__Id"])
    assert stored is not None
    assert stored["ParentId"] == org.session.org.one("Account", Name="Acme")["Id"]
    bad = rows(org.call("GET", f"{path}/failedResults"))
    assert bad[0]["sf__Error"] == "REQUIRED_FIELD_MISSING:Required fields are missing: [Name]:Name --"
    assert (bad[0]["Site"], rows(org.call("GET", f"{path}/unprocessedrecords"))) == ("West", [])


def test_records_are_changed_upserted_and_deleted_by_tables(org: Tool) -> None:
    """`#N/A` empties a field, an upsert makes what is new, and hardDelete leaves nothing in the bin."""
    acme = org.session.org.one("Account", Name="Acme")["Id"]
    ingest(org, f"Id|AnnualRevenue|Site\n{acme}|#N/A|East\n", "update", columnDelimiter="PIPE")
    row = org.session.org.get("Account", acme)
    assert row is not None
    assert (row["AnnualRevenue"], row["Site"]) == (None, "East")
    path = ingest(org, "Number__c,Name\n7,Seven\n8,Eight\n", "upsert", externalIdFieldName="Number__c")
    created = [one["sf__Created"] for one in rows(org.call("GET", f"{path}/successfulResults"))]
    assert created == ["false", "true"]
    ingest(org, f"Id\n{acme}\n", "hardDelete")
    assert org.session.org.get("Account", acme) is None
    assert acme not in {row["Id"] for _, row in org.session.org.deleted()}


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"object": "Account", "operation": "query"}, "INVALIDJOB"),
        ({"object": "Nothing", "operation": "insert"}, "INVALIDENTITY"),
        ({"object": "Account", "operation": "insert", "contentType": "XML"}, "INVALIDJOB"),
        ({"object": "Account", "operation": "insert", "columnDelimiter": "DASH"}, "INVALIDJOB"),
        ({"object": "Account", "operation": "upsert", "externalIdFieldName": "Site"}, "NOT_FOUND"),
    ],
)
def test_jobs_that_cannot_be_done_are_refused(org: Tool, told: dict[str, str], code: str) -> None:
    """A job says an operation, an object and a form that there are."""
    response = org.call("POST", "/jobs/ingest", json=told)
    assert response.status_code >= 400
    assert response.json()[0]["errorCode"] == code


def test_a_column_that_is_no_field_fails_the_job(org: Tool) -> None:
    """No record is looked at, in either interface, even if all cells of the column are empty."""
    path = (
        "/jobs/ingest/"
        + org.call("POST", "/jobs/ingest", json={"object": "Account", "operation": "insert"}).json()["id"]
    )
    org.call("PUT", f"{path}/batches", content=b"Name,Nope\nNew,\n")
    org.call("PATCH", path, json={"state": "UploadComplete"})
    told = org.get(path)
    assert (told["state"], told["errorMessage"]) == ("Failed", "InvalidBatch : Field name not found : Nope")
    assert rows(org.call("GET", f"{path}/unprocessedrecords")) == [{"Name": "New", "Nope": ""}]
    older = f"{xml_job(org, 'insert', 'CSV')}/batch"
    batch = org.http.post(older, content=b"Name,Nope.Site\nNew,\n", headers={"content-type": "text/csv"})
    assert text(batch, "stateMessage") == "InvalidBatch : Field name not found : Nope.Site"
    result = org.http.get(f"{older}/{text(batch, 'id')}/result")
    assert (text(result, "exceptionCode"), "Records not processed" in result.text) == ("InvalidBatch", True)
    assert "New" not in {row["Name"] for row in org.session.org.rows("Account")}


@pytest.mark.parametrize(
    ("operation", "id", "told"),
    [
        ("update", "bad", "MALFORMED_ID:Account ID: id value of incorrect type: bad:Id --"),
        ("delete", "bad", "MALFORMED_ID:bad id bad:Id --"),
        ("update", "001000000000001", "INVALID_CROSS_REFERENCE_KEY:invalid cross reference id: --"),
        ("delete", "003000000000001", "INVALID_CROSS_REFERENCE_KEY:invalid cross reference id: --"),
    ],
)
def test_ids_that_name_no_record(org: Tool, operation: str, id: str, told: str) -> None:
    """A record that is not there is refused by itself, with the words that DML has for it."""
    path = ingest(org, f"Id\n{id}\n", operation)
    assert rows(org.call("GET", f"{path}/failedResults"))[0]["sf__Error"] == told


def test_a_query_of_another_object_than_its_jobs_is_refused(org: Tool) -> None:
    """The older interface wants a job's queries to be about the job's object."""
    batch = org.http.post(
        f"{xml_job(org, 'query', 'CSV')}/batch",
        content=b"SELECT Id FROM Contact",
        headers={"content-type": "text/csv"},
    )
    assert (text(batch, "state"), "does not match the entity" in batch.text) == ("Failed", True)


def test_a_job_goes_through_its_states_once(org: Tool) -> None:
    """Data is taken once and while the job is open; an aborted job has looked at nothing."""
    made = org.call("POST", "/jobs/ingest", json={"object": "Account", "operation": "insert"}).json()
    path = f"/jobs/ingest/{made['id']}"
    assert org.call("PUT", f"{path}/batches", content=b"Name\nA,B\n").status_code == 400
    assert org.call("PUT", f"{path}/batches", content=b"Name\nNew\n").status_code == 201
    assert org.call("PUT", f"{path}/batches", content=b"Name\nNew\n").status_code == 400
    assert org.call("DELETE", path).status_code == 400
    assert org.call("PATCH", path, json={"state": "Aborted"}).json()["state"] == "Aborted"
    assert org.call("PATCH", path, json={"state": "UploadComplete"}).status_code == 400
    assert rows(org.call("GET", f"{path}/unprocessedrecords")) == [{"Name": "New"}]
    assert [one["id"] for one in org.get("/jobs/ingest")["records"]] == [made["id"]]
    assert org.call("DELETE", path).status_code == 204
    assert org.call("GET", path).status_code == 404


def test_a_query_gives_a_table_in_parts(org: Tool) -> None:
    """Parents' fields are columns; a locator leads to the next part, and `null` is the end."""
    text = "SELECT Name, Parent.Name, AnnualRevenue, IsDeleted FROM Account ORDER BY Name"
    job = org.call("POST", "/jobs/query", json={"operation": "query", "query": text}).json()
    path = f"/jobs/query/{job['id']}"
    assert org.get(path)["state"] == "JobComplete"
    first = org.call("GET", f"{path}/results", params={"maxRecords": 1})
    assert (first.headers["sforce-numberofrecords"], first.headers["sforce-locator"]) == ("1", "1")
    last = org.call("GET", f"{path}/results", params={"maxRecords": 1, "locator": "1"})
    assert last.headers["sforce-locator"] == "null"
    assert rows(first) == [
        {"Name": "Acme", "Parent.Name": "", "AnnualRevenue": "1200.0", "IsDeleted": "false"}
    ]
    assert rows(last)[0]["Parent.Name"] == "Acme"
    assert org.call("DELETE", path).status_code == 204
    bad = org.call("POST", "/jobs/query", json={"operation": "query", "query": "SELECT"})
    assert bad.json()[0]["errorCode"] == "MALFORMED_QUERY"


def test_the_older_interface_tells_what_became_of_each_record(org: Tool) -> None:
    """Batches of JSON, with the session in a header of its own and refusals in the older form."""
    del org.http.headers["authorization"]
    org.http.headers["x-sfdc-session"] = org.keys["access_token"]
    base = "/services/async/62.0/job"
    told = {"object": "Account", "operation": "insert", "contentType": "JSON"}
    job = org.http.post(base, json=told).json()
    records = [{"Name": "New"}, {"Site": "East"}]
    batch = org.http.post(f"{base}/{job['id']}/batch", json=records).json()
    assert (batch["state"], batch["numberRecordsFailed"]) == ("Completed", 1)
    path = f"{base}/{job['id']}/batch/{batch['id']}"
    good, bad = org.http.get(f"{path}/result").json()
    assert (good["success"], good["created"]) == (True, True)
    assert bad["errors"][0]["statusCode"] == "REQUIRED_FIELD_MISSING"
    assert org.http.get(f"{path}/request").json() == records
    assert org.http.post(f"{base}/{job['id']}", json={"state": "Closed"}).json()["state"] == "Closed"
    late = org.http.post(f"{base}/{job['id']}/batch", json=records)
    assert (late.status_code, late.json()["exceptionCode"]) == (400, "InvalidJobState")
    missing = org.http.get(f"{base}/750Kj0000000099", headers={"accept": "application/json"})
    assert missing.json()["exceptionCode"] == "InvalidJob"


def test_the_older_interface_queries(org: Tool) -> None:
    """A query's result is fetched by its id; a query that is none fails as a batch."""
    base = "/services/async/62.0/job"
    job = org.http.post(base, json={"object": "Account", "operation": "query", "contentType": "JSON"}).json()
    batch = org.http.post(
        f"{base}/{job['id']}/batch", content="SELECT Name FROM Account ORDER BY Name"
    ).json()
    path = f"{base}/{job['id']}/batch/{batch['id']}/result"
    (result,) = org.http.get(path).json()
    assert [one["Name"] for one in org.http.get(f"{path}/{result}").json()] == ["Acme", "Umbrella"]
    failed = org.http.post(f"{base}/{job['id']}/batch", content="SELECT").json()
    assert failed["state"] == "Failed"
    assert "MALFORMED_QUERY" in failed["stateMessage"]


BASE = "/services/async/62.0/job"
NAMESPACE = "{http://www.force.com/2009/06/asyncapi/dataload}"
XML = {"content-type": "application/xml; charset=utf-8"}


def xml_job(org: Tool, operation: str, content: str, more: str = "") -> str:
    """Make a job in XML and return its address."""
    told = f"<operation>{operation}</operation><object>Account</object>{more}<contentType>{content}</contentType>"
    body = f'<jobInfo xmlns="{NAMESPACE[1:-1]}">{told}</jobInfo>'
    response = org.http.post(BASE, content=body, headers=XML)
    assert response.status_code == 201, response.text
    return f"{BASE}/{text(response, 'id')}"


def text(response: Any, name: str) -> str:
    """Return the text of the first element of a name."""
    found = next(fromstring(response.content).iter(NAMESPACE + name), None)
    return "" if found is None else found.text or ""


def test_a_job_in_xml_writes_records_of_xml(org: Tool) -> None:
    """Nil empties a field, a parent is named by its external id, and each record has a result."""
    job = xml_job(org, "insert", "XML")
    parent = "<Parent><sObject><Number__c>7</Number__c></sObject></Parent>"
    records = f"<sObject><Name>A &amp; B</Name>{parent}</sObject><sObject><Site>x</Site></sObject>"
    body = f'<sObjects xmlns="{NAMESPACE[1:-1]}">{records}</sObjects>'
    batch = org.http.post(f"{job}/batch", content=body, headers=XML)
    assert (text(batch, "state"), text(batch, "numberRecordsFailed")) == ("Completed", "1")
    path = f"{job}/batch/{text(batch, 'id')}"
    good, bad = list(fromstring(org.http.get(f"{path}/result").content))
    stored = org.session.org.record(good.findtext(f"{NAMESPACE}id", ""))[1]
    assert (stored["Name"], stored["ParentId"]) == (
        "A & B",
        org.session.org.one("Account", Name="Acme")["Id"],
    )
    assert bad.findtext(f"{NAMESPACE}errors/{NAMESPACE}statusCode") == "REQUIRED_FIELD_MISSING"
    assert org.http.get(f"{path}/request").text == body
    closed = org.http.post(
        job, content=f"<jobInfo xmlns='{NAMESPACE[1:-1]}'><state>Closed</state></jobInfo>", headers=XML
    )
    assert text(closed, "state") == "Closed"


def test_a_job_in_xml_writes_a_table(org: Tool) -> None:
    """CSV jobs take and give tables; a compressed body is unpacked."""
    job = xml_job(org, "upsert", "CSV", "<externalIdFieldName>Number__c</externalIdFieldName>")
    headers = {"content-type": "text/csv", "content-encoding": "gzip"}
    sent = gzip.compress(b'Number__c,Name,Site\n7,"Acme, Inc.",#N/A\n8,Eight,\n9,,\n')
    batch = org.http.post(f"{job}/batch", content=sent, headers=headers)
    told = rows(org.http.get(f"{job}/batch/{text(batch, 'id')}/result"))
    assert [(one["Success"], one["Created"]) for one in told] == [
        ("true", "false"),
        ("true", "true"),
        ("false", "false"),
    ]
    assert told[2]["Error"] == "REQUIRED_FIELD_MISSING:Required fields are missing: [Name]:Name --"
    assert org.session.org.one("Account", Number__c="7")["Name"] == "Acme, Inc."


@pytest.mark.parametrize("content", ["XML", "CSV"])
def test_a_job_in_xml_queries(org: Tool, content: str) -> None:
    """A batch's result is a list of results, and a result the records in the job's content type."""
    job = xml_job(org, "query", content)
    ask = {"content-type": "text/csv" if content == "CSV" else "application/xml"}
    batch = org.http.post(f"{job}/batch", content="SELECT Id, Name FROM Account ORDER BY Name", headers=ask)
    path = f"{job}/batch/{text(batch, 'id')}/result"
    (listed,) = fromstring(org.http.get(path).content)
    found = org.http.get(f"{path}/{listed.text}")
    if content == "CSV":
        assert [one["Name"] for one in rows(found)] == ["Acme", "Umbrella"]
    else:
        names = [one.findtext(f"{NAMESPACE}Name") for one in fromstring(found.content)]
        assert names == ["Acme", "Umbrella"]


def test_a_query_in_csv_that_finds_nothing_says_so(org: Tool) -> None:
    """An empty result is a sentence; a compound field fails the batch."""
    job = xml_job(org, "query", "CSV")
    batch = org.http.post(f"{job}/batch", content="SELECT Id FROM Account WHERE Name = 'Nobody'")
    path = f"{job}/batch/{text(batch, 'id')}/result"
    (listed,) = fromstring(org.http.get(path).content)
    assert org.http.get(f"{path}/{listed.text}").text == "Records not found for this query"
    compound = org.http.post(f"{job}/batch", content="SELECT BillingAddress FROM Account")
    assert (text(compound, "state"), "FUNCTIONALITY_NOT_ENABLED" in compound.text) == ("Failed", True)


@pytest.mark.parametrize(
    ("told", "code"),
    [
        (
            "<operation>insert</operation><object>Account</object><contentType>ZIP_CSV</contentType>",
            "FeatureNotEnabled",
        ),
        ("<operation>insert</operation><object>Account</object><contentType>PDF</contentType>", "InvalidJob"),
        ("<operation>fly</operation><object>Account</object>", "InvalidJob"),
        ("<operation>upsert</operation><object>Account</object>", "InvalidJob"),
        ("<operation>insert</operation><object>Planet</object>", "InvalidEntity"),
        ("<operation>insert", "InvalidXML"),
    ],
)
def test_a_job_that_cannot_be_is_refused_in_xml(org: Tool, told: str, code: str) -> None:
    """The refusal of a request in XML is XML with the code of this interface."""
    response = org.http.post(
        BASE, content=f"<jobInfo xmlns='{NAMESPACE[1:-1]}'>{told}</jobInfo>", headers=XML
    )
    assert (response.status_code, text(response, "exceptionCode")) == (400, code)


def test_records_that_are_nested_too_deeply_are_refused(org: Tool) -> None:
    """A batch whose elements stand in one another thousands of times is no batch."""
    job = xml_job(org, "insert", "XML")
    deep = "<a><sObject>" * 3000 + "</sObject></a>" * 3000
    body = f"<sObjects xmlns='{NAMESPACE[1:-1]}'><sObject>{deep}</sObject></sObjects>"
    response = org.http.post(f"{job}/batch", content=body, headers=XML)
    assert (response.status_code, text(response, "exceptionCode")) == (400, "InvalidBatch")


def test_a_session_that_is_none_is_refused_in_xml(org: Tool) -> None:
    """Without a session the answer is InvalidSessionId."""
    response = org.http.get(f"{BASE}/x", headers={"authorization": ""})
    assert (response.status_code, text(response, "exceptionCode")) == (401, "InvalidSessionId")
