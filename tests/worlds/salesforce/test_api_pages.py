"""What tools ask for to draw pages of their own: list views, layouts, tabs, the User Interface API."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.list_views import Filter, ListView, save_list_view
from salesforce_org.metadata import components
from salesforce_org.metadata.registry import TYPES

from .seeded_org import seeded
from .small_org import Tool, tool

MASTER = "012000000000000AAA"


@pytest.fixture
def org() -> Tool:
    """A client of an org of its own."""
    return tool()


@pytest.fixture
def acme(org: Tool) -> str:
    """The id of an account."""
    return str(org.session.org.one("Account", Name="Acme")["Id"])


def test_a_list_view_shows_what_its_query_finds() -> None:
    """For every list view of a seeded org, the described query finds as many records as the results have."""
    org = tool()
    org.session.org = seeded()
    checked = 0
    for kind in ("Account", "Case", "Contact", "Lead", "Opportunity"):
        for one in org.get(f"/sobjects/{kind}/listviews")["listviews"]:
            described = org.http.get(one["describeUrl"]).json()
            shown = org.http.get(one["resultsUrl"], params={"limit": "2000"}).json()
            found = org.records(described["query"])
            assert len(found) == shown["size"], described["query"]
            checked += 1
    assert checked > 10


@pytest.mark.parametrize(
    ("field", "operation", "value", "names"),
    [
        ("Name", "contains", "cm", ["Acme"]),
        ("Name", "notContain", "cm", ["Umbrella"]),
        ("Name", "startsWith", "umb,x", ["Umbrella"]),
        ("Name", "notEqual", "Acme,Other", ["Umbrella"]),
        ("AnnualRevenue", "greaterThan", "$1,000", ["Acme"]),
        ("AnnualRevenue", "equals", "", ["Umbrella"]),
        ("CreatedDate", "equals", "TODAY", ["Acme", "Umbrella"]),
        ("CreatedDate", "lessThan", "3/1/2026", []),
    ],
)
def test_a_filter_of_a_list_view_is_a_condition_of_its_query(
    org: Tool, field: str, operation: str, value: str, names: list[str]
) -> None:
    """What a list view shows, the query that describes it finds."""
    filters = (Filter(field, operation, value),)
    save_list_view(org.session.org, ListView("Account", "Mine", "Mine", ("Name",), filters, shared={}))
    listed = org.get("/sobjects/Account/listviews/Mine/results")["records"]
    assert [one["columns"][0]["value"] for one in listed] == names
    described = org.get("/sobjects/Account/listviews/Mine/describe")
    assert [one["Name"] for one in org.records(described["query"])] == names


def test_the_logic_of_a_list_view_is_kept_in_its_query(org: Tool) -> None:
    """Numbers of filters become their conditions."""
    filters = tuple(Filter("Name", "equals", name) for name in ("Acme", "Umbrella", "Nobody"))
    view = ListView("Account", "Some", "Some", ("Name",), filters, "Mine", "(1 OR 2) AND NOT 3", shared={})
    save_list_view(org.session.org, view)
    query = org.get("/sobjects/Account/listviews/Some/describe")["query"]
    assert " USING SCOPE mine WHERE ( Name = 'Acme' OR Name = 'Umbrella' ) AND NOT Name = 'Nobody'" in query
    assert len(org.records(query)) == 2


def test_what_belongs_to_no_list_is_not_found(org: Tool) -> None:
    """An id that no list view has, and objects that are none."""
    for path in (
        "/sobjects/Account/listviews/00B000000000000",
        "/sobjects/Planet/listviews",
        "/ui-api/list-ui/x",
    ):
        assert org.call("GET", path).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/sobjects/Account/describe/layouts",
        f"/sobjects/Account/describe/layouts/{MASTER}",
        "/sobjects/Account/describe/compactLayouts",
        "/sobjects/Account/describe/compactLayouts/primary",
        "/sobjects/Account/describe/approvalLayouts",
        "/compactLayouts?q=Account,Contact",
        "/quickActions",
        "/sobjects/Account/quickActions",
        "/tabs",
        "/theme",
        "/appMenu/AppSwitcher",
        "/appMenu/Salesforce1",
        "/process/approvals",
        "/process/rules",
        "/process/rules/Account",
        "/limits",
        "/limits/recordCount?sObjects=Account,Contact",
        "/ui-api/apps",
        "/ui-api/layout/Account",
        "/ui-api/object-info",
        "/ui-api/object-info/batch/Account,Contact",
        "/ui-api/record-defaults/create/Account",
    ],
)
def test_a_resource_of_pages_is_answered(org: Tool, path: str) -> None:
    """Tools that draw pages find what they ask for."""
    assert org.call("GET", path).status_code == 200


def test_a_layout_has_the_sections_of_the_page(org: Tool) -> None:
    """Sections have headings and rows; an address is one item of several fields."""
    (layout,) = org.get("/sobjects/Account/describe/layouts")["layouts"]
    sections = {one["heading"]: one for one in layout["detailLayoutSections"]}
    billing = sections["Address Information"]["layoutRows"][0]["layoutItems"][0]["layoutComponents"]
    assert [one["value"] for one in billing][:2] == ["BillingStreet", "BillingCity"]
    assert "Contacts" in [one["name"] for one in layout["relatedLists"]]


def test_limits_count_what_is_used(org: Tool) -> None:
    """Calls and records leave less of what may be used."""
    first = org.get("/limits")["DailyApiRequests"]["Remaining"]
    assert org.get("/limits")["DailyApiRequests"]["Remaining"] == first - 1
    assert org.get("/limits/recordCount", params={"sObjects": "Account"})["sObjects"] == [
        {"count": 2, "name": "Account"}
    ]


def test_active_approval_processes_and_rules_are_listed(org: Tool) -> None:
    """Those that are not active are left out."""
    org.session.org.put_component("ApprovalProcess", "Account.Big", {"active": True, "label": "Big"})
    org.session.org.put_component("ApprovalProcess", "Account.Old", {"active": False, "label": "Old"})
    assert [one["name"] for one in org.get("/process/approvals")["approvals"]["Account"]] == ["Big"]


def test_records_are_read_and_written_as_pages_do(org: Tool, acme: str) -> None:
    """A record has the values of fields and what they look like; parents are records in it."""
    asked = {
        "fields": "Account.Name,Account.Owner.Name,Account.AnnualRevenue",
        "optionalFields": "Account.Nothing",
    }
    told = org.get(f"/ui-api/records/{acme}", params=asked)
    assert told["fields"]["AnnualRevenue"] == {"displayValue": "$1,200", "value": 1200}
    assert told["fields"]["Owner"]["value"]["fields"]["Name"]["value"] == "Ada Byron"
    made = org.call("POST", "/ui-api/records", json={"apiName": "Account", "fields": {"Name": "New"}})
    path = f"/ui-api/records/{made.json()['id']}"
    changed = org.call("PATCH", path, json={"fields": {"Site": "East"}}).json()
    assert changed["fields"]["Site"]["value"] == "East"
    assert changed["eTag"] != made.json()["eTag"]
    assert org.call("DELETE", path).status_code == 204
    assert org.call("GET", path, params={"layoutTypes": "Full"}).status_code == 404
    both = org.get(f"/ui-api/records/batch/{acme},{made.json()['id']}", params={"fields": "Account.Name"})
    assert (both["hasErrors"], [one["statusCode"] for one in both["results"]]) == (True, [200, 404])


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("GET", "/ui-api/records/{acme}", None, "ILLEGAL_QUERY_PARAMETER_VALUE"),
        ("GET", "/ui-api/records/{acme}?fields=Contact.Name", None, "ILLEGAL_QUERY_PARAMETER_VALUE"),
        ("GET", "/ui-api/records/{acme}?fields=Account.Colour", None, "INVALID_FIELD"),
        ("POST", "/ui-api/records", {"apiName": "Account"}, "JSON_PARSER_ERROR"),
        ("POST", "/ui-api/records", {"apiName": "Account", "fields": {}}, "REQUIRED_FIELD_MISSING"),
    ],
)
def test_a_record_that_cannot_be_had_is_refused(
    org: Tool, acme: str, method: str, path: str, body: Any, code: str
) -> None:
    """Nothing asked for, another object's field, a field or a record that is none."""
    response = org.call(method, path.replace("{acme}", acme), json=body)
    assert (response.status_code, response.json()[0]["errorCode"]) == (400, code)


def test_a_page_of_a_record_comes_in_one_call(org: Tool, acme: str) -> None:
    """record-ui has the record, its object and its layout."""
    told = org.get(f"/ui-api/record-ui/{acme}")
    assert told["records"][acme]["fields"]["Name"]["value"] == "Acme"
    assert told["objectInfos"]["Account"]["fields"]["BillingAddress"]["compound"] is True
    assert told["layouts"]["Account"][MASTER]["Full"]["View"]["sections"]


def test_picklists_are_listed_by_record_type(org: Tool) -> None:
    """All picklists of an object or one of them; a field that is none is not found."""
    start = f"/ui-api/object-info/Account/picklist-values/{MASTER}"
    whole = org.get(start)["picklistFieldValues"]
    assert whole["SLA__c"] == org.get(f"{start}/SLA__c")
    assert [one["value"] for one in whole["SLA__c"]["values"]] == ["Gold", "Silver", "Platinum", "Bronze"]
    assert org.call("GET", f"{start}/Name").status_code == 404


def test_a_record_type_has_values_of_its_own(org: Tool) -> None:
    """Picklists, defaults and the record itself are told with the record type that is asked for."""
    values = [{"fullName": "Gold", "default": True}, {"fullName": "Silver", "default": False}]
    tree = {"active": True, "label": "Vip", "picklistValues": [{"picklist": "SLA__c", "values": values}]}
    components.replace(org.session.org, TYPES["RecordType"], "Account.Vip", tree)
    (row,) = org.records("SELECT Id FROM RecordType WHERE SobjectType = 'Account'")
    told = org.get(f"/ui-api/object-info/Account/picklist-values/{row['Id'][:15]}/SLA__c")
    assert ([one["value"] for one in told["values"]], told["defaultValue"]["value"]) == (
        ["Gold", "Silver"],
        "Gold",
    )
    path = "/ui-api/record-defaults/create/Account"
    begun = org.get(path, params={"recordTypeId": row["Id"]})["record"]
    assert (begun["recordTypeId"], begun["fields"]["SLA__c"]["value"]) == (row["Id"], "Gold")
    assert org.call("GET", f"{path}?recordTypeId=012000000000001AAA").status_code == 404
    account = org.session.org.one("Account", Name="Acme")["Id"]
    with org.session.org.unchecked():
        org.session.org.update(account, RecordTypeId=row["Id"])
    told = org.get(f"/ui-api/records/{account}", params={"fields": "Account.Name"})
    assert (told["recordTypeId"], told["recordTypeInfo"]["name"]) == (row["Id"], "Vip")


def test_a_list_is_a_page_of_records(org: Tool) -> None:
    """list-ui by id or by name has columns and records, a page at a time."""
    save_list_view(org.session.org, ListView("Account", "Every", "Every", ("Name", "OwnerId"), shared={}))
    (listed,) = org.get("/ui-api/list-ui/Account")["lists"]
    told = org.get(f"/ui-api/list-ui/{listed['id']}", params={"pageSize": "1"})
    assert (
        told["info"]
        == org.get("/ui-api/list-ui/Account/Every")["info"]
        == org.get(f"/ui-api/list-info/{listed['id']}")
    )
    assert (told["records"]["count"], told["records"]["nextPageToken"]) == (1, "1")
    rest = org.get(f"/ui-api/list-records/{listed['id']}", params={"pageToken": "1"})
    assert [one["fields"]["Name"]["value"] for one in rest["records"]] == ["Umbrella"]


def test_what_has_not_changed_is_not_sent_again(org: Tool, acme: str) -> None:
    """A record and a description have a mark and a date; what has changed since is not overwritten."""
    for path in (f"/sobjects/Account/{acme}", "/sobjects/Account/describe"):
        first = org.call("GET", path)
        for header, name in (("if-none-match", "etag"), ("if-modified-since", "last-modified")):
            assert org.call("GET", path, headers={header: first.headers[name]}).status_code == 304
    org.session.org.update(acme, Site="East")
    path, old = f"/sobjects/Account/{acme}", {"if-unmodified-since": "Mon, 01 Jan 2024 00:00:00 GMT"}
    assert org.call("GET", path, headers={"if-match": first.headers["etag"]}).status_code == 412
    assert org.call("PATCH", path, json={"Site": "West"}, headers=old).status_code == 412
    assert org.call("DELETE", path, headers=old).status_code == 412
    assert org.session.org.record(acme)[1]["Site"] == "East"


def test_an_address_is_read_as_a_whole(org: Tool, acme: str) -> None:
    """REST and SOQL have it; it is empty where all its parts are, and can be neither filtered nor written."""
    org.session.org.update(acme, BillingCity="Rome")
    rows = org.records("SELECT BillingAddress, ShippingAddress FROM Account WHERE Name = 'Acme'")
    assert (rows[0]["BillingAddress"]["city"], rows[0]["ShippingAddress"]) == ("Rome", None)
    assert org.get(f"/sobjects/Account/{acme}")["BillingAddress"] == rows[0]["BillingAddress"]
    fields = {one["name"]: one for one in org.get("/sobjects/Account/describe")["fields"]}
    assert (fields["BillingAddress"]["type"], fields["BillingCity"]["compoundFieldName"]) == (
        "address",
        "BillingAddress",
    )
    filtered = {"q": "SELECT Id FROM Account WHERE BillingAddress = 'x'"}
    assert org.call("GET", "/query", params=filtered).json()[0]["errorCode"] == "INVALID_FIELD"
    written = org.call("PATCH", f"/sobjects/Account/{acme}", json={"BillingAddress": {"city": "Oslo"}})
    assert written.status_code == 400


def test_a_connected_app_learns_whether_a_token_is_active(org: Tool) -> None:
    """Introspection tells it of tokens of its own org until they are revoked."""
    form = {"client_id": org.keys["client_key"], "client_secret": org.keys["client_secret"]}
    form["token"] = org.keys["access_token"]
    told = org.http.post("/services/oauth2/introspect", data=form).json()
    assert (told["active"], told["client_id"]) == (True, org.keys["client_key"])
    org.http.post("/services/oauth2/revoke", data={"token": org.keys["access_token"]})
    assert org.http.post("/services/oauth2/introspect", data=form).json() == {"active": False}
