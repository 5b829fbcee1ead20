"""The REST interface: objects, records, queries, and how it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from .small_org import SALES, Tool, tool

ACME = "SELECT Id FROM Account WHERE Name = 'Acme'"


@pytest.fixture
def org() -> Tool:
    """A client of an org of its own."""
    return tool()


@pytest.fixture
def acme(org: Tool) -> str:
    """The id of an account with a child account and a contact."""
    return str(org.records(ACME)[0]["Id"])


def refusal(response: Any) -> tuple[int, str]:
    """Return status and code of a refusal."""
    return response.status_code, response.json()[0]["errorCode"]


def test_the_versions_are_told_without_a_token(org: Tool) -> None:
    """Any host, no token: the list of versions; the newest is Summer '26."""
    del org.http.headers["authorization"]
    versions = org.http.get("/services/data").json()
    assert versions[0]["version"] == "30.0"
    assert versions[-1] == {"label": "Summer '26", "url": "/services/data/v67.0", "version": "67.0"}
    assert [one["label"] for one in versions[:4]] == ["Spring '14", "Summer '14", "Winter '15", "Spring '15"]


@pytest.mark.parametrize("version", ["29.0", "68.0", "x", "62"])
def test_other_versions_are_not_spoken(org: Tool, version: str) -> None:
    """A version outside of 30.0 to 67.0 is not found."""
    response = org.http.get(f"/services/data/v{version}/sobjects")
    assert refusal(response) == (404, "NOT_FOUND")


@pytest.mark.parametrize("header", ["", "Bearer 00Dx!y", "Basic abc"])
def test_a_call_without_a_token_is_refused(org: Tool, header: str) -> None:
    """Without a token of a session nothing is answered."""
    response = org.http.get("/services/data/v62.0/sobjects", headers={"authorization": header})
    assert refusal(response) == (401, "INVALID_SESSION_ID")


def test_a_token_ends_with_its_session_and_its_user(org: Tool) -> None:
    """A frozen user's token and the token of a closed session open nothing."""
    kernel = org.session.org
    seller = kernel.one("User", Username=SALES)["Id"]
    theirs = {"authorization": f"Bearer {org.session.access.issue(org.keys['org_id'], seller)}"}
    assert refusal(org.call("GET", "/sobjects", headers=theirs)) == (401, "INVALID_SESSION_ID")
    kernel.update(kernel.one("UserLogin", UserId=seller)["Id"], IsFrozen=False)
    assert org.call("GET", "/sobjects", headers=theirs).status_code == 200
    org.sessions.close(org.session)
    assert refusal(org.call("GET", "/sobjects")) == (401, "INVALID_SESSION_ID")


def test_answers_tell_how_much_was_used_and_calls_are_logged_apart(org: Tool) -> None:
    """Every answer carries the usage; the browser's log stays empty, and the journal names no page."""
    response = org.call("POST", "/sobjects/Account", json={"Name": "New"})
    assert response.headers["sforce-limit-info"] == "api-usage=1/100000"
    assert org.session.requests.entries == []
    assert org.session.calls.entries[0]["path"] == "/sobjects/Account"
    assert org.session.org.journal.writes[-1].request is None


def test_objects_are_listed_and_described(org: Tool) -> None:
    """The global describe lists every object; a describe has fields, children and record types."""
    listed = org.get("/sobjects")
    assert {"Account", "Contact", "User"} <= {one["name"] for one in listed["sobjects"]}
    account = org.get("/sobjects/account/describe/")
    fields = {one["name"]: one for one in account["fields"]}
    assert fields["Id"]["type"] == "id"
    assert fields["ParentId"]["referenceTo"] == ["Account"]
    assert fields["ParentId"]["relationshipName"] == "Parent"
    assert (fields["Name"]["nillable"], fields["Name"]["nameField"]) == (False, True)
    assert (fields["Number__c"]["externalId"], fields["Number__c"]["custom"]) == (True, True)
    assert fields["CreatedDate"]["updateable"] is False
    assert fields["AnnualRevenue"]["soapType"] == "xsd:double"
    contacts = {"childSObject": "Contact", "field": "AccountId", "relationshipName": "Contacts"}
    assert any(contacts.items() <= child.items() for child in account["childRelationships"])
    assert account["recordTypeInfos"][-1]["master"] is True
    assert account["keyPrefix"] == "001"
    short = org.get("/sobjects/Account")["objectDescribe"]
    assert short["urls"]["describe"] == "/services/data/v62.0/sobjects/Account/describe"


def test_an_objects_picklists_are_described_as_they_are_now(org: Tool) -> None:
    """Values of a shared picklist stand in the describe."""
    fields = {one["name"]: one for one in org.get("/sobjects/Lead/describe")["fields"]}
    first, second = fields["Status"]["picklistValues"]
    assert (first["value"], first["defaultValue"]) == ("Open - Not Contacted", True)
    assert (second["value"], second["active"]) == ("Closed - Converted", True)


def test_a_record_is_made_read_changed_and_deleted(org: Tool) -> None:
    """The life of a record through four methods, with the codes that tools expect."""
    made = org.call("POST", "/sobjects/Account", json={"Name": "New", "attributes": {"type": "Account"}})
    id = made.json()["id"]
    assert (made.status_code, made.json()["success"]) == (201, True)
    assert made.headers["location"] == f"/services/data/v62.0/sobjects/Account/{id}"
    assert org.get(f"/sobjects/Account/{id}")["Name"] == "New"
    changed = org.call("PATCH", f"/sobjects/Account/{id[:15]}", json={"Phone": "1", "Name": "Newer"})
    assert (changed.status_code, changed.content) == (204, b"")
    some = org.get(f"/sobjects/Account/{id}", params={"fields": "Name,phone"})
    assert (some.pop("attributes")["type"], some) == ("Account", {"Name": "Newer", "Phone": "1"})
    assert org.call("DELETE", f"/sobjects/Account/{id}").status_code == 204
    assert refusal(org.call("GET", f"/sobjects/Account/{id}")) == (404, "ENTITY_IS_DELETED")
    assert refusal(org.call("DELETE", f"/sobjects/Account/{id}")) == (404, "ENTITY_IS_DELETED")


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/sobjects/Account", {}, 400, "REQUIRED_FIELD_MISSING"),
        ("POST", "/sobjects/Account", {"Name": "A", "Colour": "red"}, 400, "INVALID_FIELD"),
        ("POST", "/sobjects/Account", {"Name": "A", "Id": "1"}, 400, "INVALID_FIELD_FOR_INSERT_UPDATE"),
        ("POST", "/sobjects/Account", {"Name": "A" * 256}, 400, "STRING_TOO_LONG"),
        ("POST", "/sobjects/Account", {"Name": {"a": 1}}, 400, "INVALID_FIELD"),
        ("POST", "/sobjects/Account", [1], 400, "JSON_PARSER_ERROR"),
        ("POST", "/sobjects/Nothing", {"Name": "A"}, 404, "NOT_FOUND"),
        ("PUT", "/sobjects/Account", {"Name": "A"}, 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/sobjects/Account/abc", None, 404, "NOT_FOUND"),
        ("GET", "/sobjects/Account/003000000000001", None, 404, "NOT_FOUND"),
        ("GET", "/sobjects/Account/{acme}?fields=Colour", None, 400, "INVALID_FIELD"),
        ("PATCH", "/sobjects/Account/{acme}", {"Id": "x"}, 400, "INVALID_FIELD"),
        ("PATCH", "/sobjects/Account/{acme}", {"Name": None}, 400, "REQUIRED_FIELD_MISSING"),
        ("PATCH", "/sobjects/Account/001000000000001", {"Name": "A"}, 404, "NOT_FOUND"),
        ("GET", "/nothing", None, 404, "NOT_FOUND"),
        ("GET", "/query", None, 400, "MALFORMED_QUERY"),
        ("GET", "/query?q=SELECT", None, 400, "MALFORMED_QUERY"),
        ("GET", "/query?q=SELECT+Id+FROM+Nothing", None, 400, "INVALID_TYPE"),
        ("GET", "/query?q=SELECT+Colour+FROM+Account", None, 400, "INVALID_FIELD"),
        ("GET", "/query/01gKj0000000001IAA-2000", None, 400, "INVALID_QUERY_LOCATOR"),
        ("GET", "/tooling/sobjects/SourceMember/describe", None, 404, "NOT_FOUND"),
        ("GET", "/analytics/reports/00OKj0000000001/describe", None, 404, "NOT_FOUND"),
        ("GET", "/analytics/dashboards/x/describe", None, 404, "NOT_FOUND"),
        ("GET", "/jobs/ingest/750Kj0000000009", None, 404, "NOT_FOUND"),
    ],
)
def test_what_cannot_be_done_is_refused_with_salesforces_codes(
    org: Tool, acme: str, method: str, path: str, body: Any, status: int, code: str
) -> None:
    """A refusal is a list of one message with status and code, and changes nothing."""
    before = len(org.session.org.journal.writes)
    response = org.call(method, path.replace("{acme}", acme), json=body)
    assert refusal(response) == (status, code)
    assert response.json()[0]["message"]
    assert len(org.session.org.journal.writes) == before


def test_a_body_that_is_no_json_is_refused(org: Tool) -> None:
    """What cannot be parsed is a parser error."""
    assert refusal(org.call("POST", "/sobjects/Account", content=b"{")) == (400, "JSON_PARSER_ERROR")


def test_a_record_is_upserted_by_an_external_id(org: Tool, acme: str) -> None:
    """A known value changes its record, an unknown one makes one, and references can name it."""
    known = org.call("PATCH", "/sobjects/Account/Number__c/7", json={"Site": "North"})
    assert (known.status_code, known.json()["id"], known.json()["created"]) == (200, acme, False)
    new = org.call("PATCH", "/sobjects/Account/Number__c/8", json={"Name": "Eight"})
    assert (new.status_code, new.json()["created"]) == (201, True)
    assert org.get("/sobjects/Account/Number__c/8")["Name"] == "Eight"
    contact = {"LastName": "Ray", "Account": {"Number__c": "8"}}
    id = org.call("POST", "/sobjects/Contact", json=contact).json()["id"]
    assert org.get(f"/sobjects/Contact/{id}/Account", params={"fields": "Name"})["Name"] == "Eight"
    assert refusal(org.call("PATCH", "/sobjects/Account/Site/x", json={})) == (404, "NOT_FOUND")
    only = org.call("PATCH", "/sobjects/Account/Number__c/9?updateOnly=true", json={"Name": "Nine"})
    assert refusal(only) == (404, "NOT_FOUND")
    by_id = org.call("PATCH", f"/sobjects/Account/Id/{acme}", json={"Site": "South"})
    assert by_id.json()["id"] == acme


def test_relationships_lead_to_parents_and_children(org: Tool, acme: str) -> None:
    """A relationship's name behind a record shows where it leads."""
    children = org.get(f"/sobjects/Account/{acme}/Contacts", params={"fields": "LastName"})
    assert [one["LastName"] for one in children["records"]] == ["Lovelace"]
    assert refusal(org.call("GET", f"/sobjects/Account/{acme}/Parent")) == (404, "NOT_FOUND")
    assert refusal(org.call("GET", f"/sobjects/Account/{acme}/Colours")) == (404, "NOT_FOUND")


def test_a_query_shows_parents_and_children_with_their_attributes(org: Tool, acme: str) -> None:
    """Records carry type and address, also nested ones, whether the id was asked for or not."""
    first, second = org.records(
        "SELECT Name, Parent.Name, (SELECT LastName FROM Contacts) FROM Account ORDER BY Name"
    )
    assert first["attributes"] == {
        "type": "Account",
        "url": f"/services/data/v62.0/sobjects/Account/{acme}",
    }
    assert first["Contacts"]["records"][0]["LastName"] == "Lovelace"
    assert (first["Parent"], second["Contacts"]) == (None, None)
    assert second["Parent"]["attributes"]["type"] == "Account"
    assert second["Parent"]["Name"] == "Acme"


def test_a_long_result_comes_in_batches(org: Tool) -> None:
    """More than a batch's records are fetched by the address of the next ones."""
    for number in range(448):
        org.session.org.insert("Account", Name=f"A {number:03}")
    headers = {"Sforce-Query-Options": "batchSize=200"}
    text = {"q": "SELECT Name FROM Account ORDER BY Name"}
    batch = org.get("/query", params=text, headers=headers)
    names = [one["Name"] for one in batch["records"]]
    assert (batch["totalSize"], batch["done"], len(names)) == (450, False, 200)
    while not batch["done"]:
        batch = org.http.get(batch["nextRecordsUrl"]).json()
        assert batch["totalSize"] == 450
        names += [one["Name"] for one in batch["records"]]
    assert len(names) == len(set(names)) == 450
    assert "nextRecordsUrl" not in batch
    assert org.get("/query", params=text)["done"] is True


def test_the_columns_of_a_query_are_told(org: Tool) -> None:
    """`columns=true` gives what the command line needs to lay out a table."""
    told = org.get("/query", params={"q": "SELECT Id, Parent.Name FROM Account", "columns": "true"})
    assert [one["columnName"] for one in told["columnMetadata"]] == ["Id", "Parent"]
    assert told["entityName"] == "Account"


def test_deleted_records_are_found_where_they_are_asked_for(org: Tool, acme: str) -> None:
    """queryAll and the list of deletions have a deleted record, and the list of updates a changed one."""
    org.call("DELETE", f"/sobjects/Account/{acme}")
    everything = org.get("/queryAll", params={"q": "SELECT Name, IsDeleted FROM Account WHERE Name = 'Acme'"})
    assert everything["records"][0]["IsDeleted"] is True
    assert org.records(ACME) == []
    span = {"start": "2026-03-03T00:00:00+00:00", "end": "2026-03-04T00:00:00Z"}
    gone = org.get("/sobjects/Account/deleted/", params=span)["deletedRecords"]
    assert [one["id"] for one in gone] == [acme]
    assert gone[0]["deletedDate"].startswith("2026-03-03T17:00:")
    umbrella = org.records("SELECT Id FROM Account")[0]["Id"]
    assert org.get("/sobjects/Account/updated", params=span)["ids"] == [umbrella]
    bad = org.call("GET", "/sobjects/Account/updated", params={"start": "x", "end": "y"})
    assert refusal(bad) == (400, "INVALID_REPLICATION_DATE")


def test_tooling_describes_and_reads(org: Tool) -> None:
    """The Tooling interface lists what it can query; it answers with the number of records."""
    names = {one["name"] for one in org.get("/tooling/sobjects")["sobjects"]}
    assert {"EntityDefinition", "Account"} <= names
    found = org.get(
        "/tooling/query", params={"q": "SELECT Id, Name FROM Profile WHERE Name = 'Standard User'"}
    )
    assert (found["size"], found["entityTypeName"]) == (1, "Profile")
    profile = found["records"][0]
    assert profile["attributes"]["url"] == f"/services/data/v62.0/tooling/sobjects/Profile/{profile['Id']}"
    assert org.http.get(profile["attributes"]["url"]).json()["Name"] == "Standard User"
    assert org.get("/tooling/sobjects/EntityDefinition/describe")["name"] == "EntityDefinition"


def test_a_password_is_set(org: Tool) -> None:
    """A user's new password is asked for at the next login; a short one is refused."""
    path = f"/sobjects/User/{org.keys['user_id']}/password"
    assert refusal(org.call("POST", path, json={"NewPassword": "short"})) == (400, "INVALID_NEW_PASSWORD")
    assert org.call("POST", path, json={"NewPassword": "Another-one-1"}).status_code == 204
    assert org.get(path) == {"isExpired": False}
    assert org.session.keys()["password"] == "Another-one-1"


def test_a_reset_password_is_as_the_strictest_policies_ask(org: Tool) -> None:
    """A password that is made anew is never one that the password policies refuse."""
    policies = {"complexity": "UpperLowerCaseNumericSpecialCharacters", "minimumPasswordLength": "50"}
    org.session.org.put_component("Settings", "Security", {"passwordPolicies": policies})
    made = org.call("DELETE", f"/sobjects/User/{org.keys['user_id']}/password").json()["NewPassword"]
    assert org.session.keys()["password"] == made


def test_a_record_that_looks_like_another_one_is_refused_unless_the_tool_insists(org: Tool) -> None:
    """A duplicate rule that warns refuses a record, and lets it pass with the header that says so."""
    rule = {
        "actionOnInsert": "Allow",
        "actionOnUpdate": "Allow",
        "alertText": "Seen before.",
        "duplicateRuleMatchRules": [{"matchRuleSObjectType": "Account", "matchingRule": "Names"}],
        "isActive": True,
        "masterLabel": "Accounts",
        "operationsOnInsert": ["Alert"],
        "securityOption": "EnforceSharingRules",
        "sortOrder": "1",
    }
    item = {"fieldName": "Name", "matchingMethod": "Exact"}
    names = {"fullName": "Names", "label": "Names", "matchingRuleItems": [item], "ruleStatus": "Active"}
    org.session.org.put_component("MatchingRules", "Account", {"matchingRules": [names]})
    org.session.org.put_component("DuplicateRule", "Account.Accounts", rule)
    refused = org.call("POST", "/sobjects/Account", json={"Name": "acme"})
    assert refusal(refused) == (400, "DUPLICATES_DETECTED")
    assert refused.json()[0]["message"] == "Seen before."
    insisting = {"Sforce-Duplicate-Rule-Header": "allowSave=true"}
    done = org.call("POST", "/sobjects/Account", json={"Name": "acme"}, headers=insisting)
    assert done.status_code == 201
    assert org.call("POST", "/sobjects/Account", json={"Name": "acme"}).status_code == 400


def test_resources_and_limits_are_told(org: Tool) -> None:
    """The root of a version lists its resources; limits count the calls."""
    assert org.get("")["sobjects"] == "/services/data/v62.0/sobjects"
    told = org.get("/limits/")["DailyApiRequests"]
    assert told == {"Max": 100_000, "Remaining": 99_998}
    assert org.get("/recent") == []


def test_an_error_inside_is_told_as_one_and_nothing_is_written(
    org: Tool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault of the program's own is a 500 in the interface's form, with its trace on the error stream."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(type(org.session.org), "insert", fail)
    response = org.call("POST", "/sobjects/Account", json={"Name": "A"})
    assert refusal(response) == (500, "UNKNOWN_EXCEPTION")
    assert "broken" in capsys.readouterr().err


def test_an_article_is_published_redrafted_archived_and_deleted(org: Tool) -> None:
    """The life of an article's versions; a published one cannot simply be deleted."""
    base = "/knowledgeManagement/articleVersions/masterVersions"
    article = {"Title": "How to", "UrlName": "How-to"}
    version = org.call("POST", "/sobjects/Knowledge__kav", json=article).json()["id"]
    assert org.get(f"{base}/{version}")["publishStatus"] == "Draft"
    assert org.call("PATCH", f"{base}/{version}", json={"publishStatus": "Online"}).status_code == 204
    published = org.get(f"{base}/{version}")
    assert published["publishStatus"] == "Online"
    assert refusal(org.call("DELETE", f"{base}/{version}")) == (400, "DELETE_FAILED")
    draft = org.call("POST", base, json={"articleId": published["articleId"]}).json()["id"]
    assert org.get(f"{base}/{draft}")["publishStatus"] == "Draft"
    assert org.call("DELETE", f"{base}/{draft}").status_code == 204
    assert org.call("PATCH", f"{base}/{version}", json={"publishStatus": "Archived"}).status_code == 204
    assert org.call("DELETE", f"{base}/{version}").status_code == 204
    wrong = org.call("PATCH", f"{base}/{version}", json={"publishStatus": "Gone"})
    assert refusal(wrong) == (400, "INVALID_FIELD")
