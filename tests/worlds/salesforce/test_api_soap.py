"""SOAP: envelopes, login, records, leads and the recycle bin."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from pytest_cuabench.drivers.salesforce.errors import OrgError
from pytest_cuabench.drivers.salesforce.soap import read_reply
from salesforce_org.api import soap

from .small_org import ADMIN, Tool, tool

PARTNER = "urn:partner.soap.sforce.com"
URL = "/services/Soap/u/62.0"


@pytest.fixture
def org() -> Tool:
    """A client of an org of its own."""
    return tool()


def envelope(body: str, session_id: str = "", headers: str = "") -> bytes:
    """Return a request."""
    session = (
        f"<p:SessionHeader><p:sessionId>{session_id}</p:sessionId></p:SessionHeader>" if session_id else ""
    )
    return (
        f'<s:Envelope xmlns:s="{soap.ENVELOPE}" xmlns:p="{PARTNER}" xmlns:xsi="{soap.INSTANCE}">'
        f"<s:Header>{session}{headers}</s:Header><s:Body>{body}</s:Body></s:Envelope>"
    ).encode()


def called(org: Tool, body: str, headers: str = "", url: str = URL) -> list[Element]:
    """Call an operation and return its results."""
    response = org.http.post(url, content=envelope(body, org.keys["access_token"], headers))
    assert response.status_code == 200, response.text
    return [one for one in fromstring(response.content).iter() if soap.local(one.tag) == "result"]


def fault(org: Tool, content: bytes, url: str = URL) -> str:
    """Send a request that is refused and return the fault's code."""
    response = org.http.post(url, content=content)
    assert response.status_code == 500
    root = fromstring(response.content)
    return next(one.text or "" for one in root.iter() if soap.local(one.tag) == "faultcode")


def test_a_fault_is_one_of_soap_1_1(org: Tool) -> None:
    """The elements of a fault are in no namespace, and its detail is a fault of Salesforce's own type."""
    for letter, namespace in (("u", "partner"), ("c", "enterprise"), ("T", "tooling")):
        login = "<p:login><p:username>x</p:username><p:password>y</p:password></p:login>"
        response = org.http.post(f"/services/Soap/{letter}/62.0", content=envelope(login))
        (found,) = fromstring(response.content).iter(f"{{{soap.ENVELOPE}}}Fault")
        assert [one.tag for one in found] == ["faultcode", "faultstring", "detail"]
        assert found.findtext("faultstring", "").startswith(
            "INVALID_LOGIN: Invalid username, password, security token"
        )
        assert (
            next(found.iter(f"{{urn:fault.{namespace}.soap.sforce.com}}exceptionCode")).text
            == "INVALID_LOGIN"
        )


def test_a_version_that_is_not_spoken_is_a_fault(org: Tool) -> None:
    """Versions from 30.0 on are spoken, with or without their decimal place."""
    request = envelope("<p:getServerTimestamp/>", org.keys["access_token"])
    assert fault(org, request, "/services/Soap/u/29.0") == "sf:UNSUPPORTED_API_VERSION"
    for version in ("30.0", "58"):
        assert org.http.post(f"/services/Soap/u/{version}", content=request).status_code == 200


def test_duplicates_are_merged(org: Tool) -> None:
    """What points to a merged record points to the master afterwards, and the merged one is deleted."""
    kernel = org.session.org
    acme, umbrella = (kernel.one("Account", Name=name)["Id"] for name in ("Acme", "Umbrella"))
    contact = next(kernel.rows("Contact"))["Id"]
    master = f"<masterRecord><type>Account</type><Id>{umbrella}</Id><Site>North</Site></masterRecord>"
    request = f"<p:merge><p:request>{master}<recordToMergeIds>{acme}</recordToMergeIds></p:request></p:merge>"
    (done,) = called(org, request)
    assert soap.text(done, "updatedRelatedIds") == contact
    assert kernel.record(contact)[1]["AccountId"] == umbrella
    assert (kernel.get("Account", acme), kernel.record(umbrella)[1]["Site"]) == (None, "North")
    assert status(called(org, request)[0]) == "ENTITY_IS_DELETED"


def test_passwords_are_set_and_made_anew(org: Tool) -> None:
    """setPassword and resetPassword change what a user signs in with, which a reset sees; a short one is refused."""
    before = org.session.mark()
    user = f"<p:userId>{org.keys['user_id']}</p:userId>"
    called(org, f"<p:setPassword>{user}<p:password>long enough 1</p:password></p:setPassword>")
    assert org.session.access.password_of(org.keys["user_id"]) == "long enough 1"
    (made,) = called(org, f"<p:resetPassword>{user}</p:resetPassword>")
    assert org.session.access.password_of(org.keys["user_id"]) == soap.text(made, "password")
    assert org.session.mark() != before
    short = envelope(
        f"<p:setPassword>{user}<p:password>x</p:password></p:setPassword>", org.keys["access_token"]
    )
    assert fault(org, short) == "sf:INVALID_NEW_PASSWORD"


def test_objects_layouts_and_tabs_are_described(org: Tool) -> None:
    """What REST describes SOAP describes, too; an object that is none is a fault."""
    (known,) = called(org, "<p:describeGlobal/>")
    assert "Account" in [soap.text(one, "name") for one in soap.children(known, "sobjects")]
    (account,) = called(org, "<p:describeSObject><p:sObjectType>account</p:sObjectType></p:describeSObject>")
    assert "BillingAddress" in [soap.text(one, "name") for one in soap.children(account, "fields")]
    (layout,) = called(org, "<p:describeLayout><p:sObjectType>Account</p:sObjectType></p:describeLayout>")
    assert next(layout.iter(f"{{{PARTNER}}}heading")).text == "Account Information"
    assert called(org, "<p:describeTabs/>")
    wrong = envelope(
        "<p:describeSObject><p:sObjectType>X</p:sObjectType></p:describeSObject>", org.keys["access_token"]
    )
    assert fault(org, wrong) == "sf:INVALID_TYPE"


def test_a_long_result_comes_in_batches(org: Tool) -> None:
    """QueryOptions says how many records a batch has, and queryMore returns the next one."""
    for number in range(250):
        org.session.org.insert("Lead", LastName=f"L{number}", Company="C")
    options = "<p:QueryOptions><p:batchSize>200</p:batchSize></p:QueryOptions>"
    ask = "<p:query><p:queryString>SELECT Id FROM Lead</p:queryString></p:query>"
    (first,) = called(org, ask, options)
    assert (soap.text(first, "done"), len(list(soap.children(first, "records")))) == ("false", 200)
    locator = soap.text(first, "queryLocator")
    more = f"<p:queryMore><p:queryLocator>{locator}</p:queryLocator></p:queryMore>"
    (rest,) = called(org, more, options)
    assert (soap.text(rest, "done"), len(list(soap.children(rest, "records")))) == ("true", 50)


def test_records_are_retrieved_in_the_order_of_their_ids(org: Tool) -> None:
    """retrieve returns nil where there is no record."""
    acme = org.session.org.one("Account", Name="Acme")["Id"]
    ids = f"<p:ids>001000000000000AAA</p:ids><p:ids>{acme}</p:ids>"
    ask = (
        f"<p:retrieve><p:fieldList>Name</p:fieldList><p:sObjectType>Account</p:sObjectType>{ids}</p:retrieve>"
    )
    none, found = called(org, ask)
    assert (soap.text(none, "Name"), soap.text(found, "Name")) == ("", "Acme")


def test_changes_of_a_time_are_listed(org: Tool) -> None:
    """getUpdated and getDeleted name the records that changed or went between two moments."""
    acme = org.session.org.one("Account", Name="Umbrella")["Id"]
    org.session.org.delete(acme)
    span = "<p:startDate>2026-03-03T00:00:00Z</p:startDate><p:endDate>2026-03-04T00:00:00Z</p:endDate>"
    told = f"<p:sObjectType>Account</p:sObjectType>{span}"
    (gone,) = called(org, f"<p:getDeleted>{told}</p:getDeleted>")
    assert [soap.text(one, "id") for one in soap.children(gone, "deletedRecords")] == [acme]
    (changed,) = called(org, f"<p:getUpdated>{told}</p:getUpdated>")
    assert acme not in [one.text for one in soap.children(changed, "ids")]


def test_components_are_written_over_the_tooling_interface(org: Tool) -> None:
    """A validation rule is created, found and deleted by its id."""
    url = "/services/Soap/T/62.0"
    formula = "<errorConditionFormula>false</errorConditionFormula>"
    metadata = f"<active>true</active>{formula}<errorMessage>no</errorMessage>"
    fields = f"<FullName>Account.Never</FullName><Metadata>{metadata}</Metadata>"
    (made,) = called(
        org, f'<p:create><p:sObjects xsi:type="p:ValidationRule">{fields}</p:sObjects></p:create>', url=url
    )
    ask = "<p:query><p:queryString>SELECT Id FROM ValidationRule</p:queryString></p:query>"
    (found,) = called(org, ask, url=url)
    id = soap.text(next(soap.children(found, "records")), "Id")
    assert id == soap.text(made, "id")
    (gone,) = called(org, f"<p:delete><p:ids>{id}</p:ids></p:delete>", url=url)
    assert soap.text(gone, "success") == "true"


def test_apex_does_not_compile(org: Tool) -> None:
    """executeAnonymous answers with a compile problem; compiling classes is not allowed."""
    url = "/services/Soap/s/62.0"
    run = "<p:executeAnonymous><p:String>x</p:String></p:executeAnonymous>"
    for address in (url, "/services/Soap/T/62.0"):
        (done,) = called(org, run, url=address)
        assert (soap.text(done, "compiled"), soap.text(done, "line")) == ("false", "1")
        assert soap.text(done, "compileProblem").startswith("Apex is not enabled")
    assert fault(org, envelope(run, org.keys["access_token"])) == "soapenv:Client"
    assert (
        fault(org, envelope("<p:compileClasses/>", org.keys["access_token"]), url) == "sf:INSUFFICIENT_ACCESS"
    )


def status(result: Element) -> str:
    """Return the code of the first error of a result."""
    return next(one.text or "" for one in result.iter() if soap.local(one.tag) == "statusCode")


def test_a_login_gives_a_session_id(org: Tool) -> None:
    """Username, password and security token give a session id and the addresses to use it at."""
    whole = org.keys["password"] + org.keys["security_token"]
    login = f"<p:login><p:username>{ADMIN}</p:username><p:password>{{}}</p:password></p:login>"
    (result,) = called(org, login.format(whole))
    assert soap.text(result, "serverUrl").startswith("http://127.0.0.1:8000/services/Soap/u/62.0/00D")
    bearer = {"authorization": f"Bearer {soap.text(result, 'sessionId')}"}
    assert org.call("GET", "/limits", headers=bearer).status_code == 200
    assert fault(org, envelope(login.format(org.keys["password"]))) == "sf:INVALID_LOGIN"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"<", "soapenv:Client"),
        (b"<a/>", "soapenv:Client"),
        (envelope(""), "soapenv:Client"),
        (envelope("<p:getUserInfo/>"), "sf:INVALID_SESSION_ID"),
        (envelope("<p:getUserInfo/>", "00D!x"), "sf:INVALID_SESSION_ID"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "soapenv:Client"),
    ],
)
def test_a_request_that_cannot_be_answered_is_a_fault(org: Tool, content: bytes, code: str) -> None:
    """What is no envelope, carries entities or has no session id is refused as SOAP refuses."""
    assert fault(org, content) == code


def test_an_unknown_operation_and_a_service_that_is_none(org: Tool) -> None:
    """Operations that are not there are faults; services that are not there are not found."""
    assert fault(org, envelope("<p:fly/>", org.keys["access_token"])) == "soapenv:Client"
    assert org.http.post("/services/Soap/x/62.0", content=b"").status_code == 404
    assert org.http.get(URL).status_code == 404


def test_records_are_made_changed_queried_and_deleted(org: Tool) -> None:
    """sObjects with their type in a child (partner) or in an attribute (enterprise)."""
    partner = "<p:create><p:sObjects><type>Account</type><Name>A &amp; B</Name></p:sObjects></p:create>"
    id = soap.text(called(org, partner)[0], "id")
    enterprise = '<p:create><p:sObjects xsi:type="p:Account"><Site>x</Site></p:sObjects></p:create>'
    (bad,) = called(org, enterprise, url="/services/Soap/c/62.0")
    assert status(bad) == "REQUIRED_FIELD_MISSING"
    fields = f"<Id>{id}</Id><Site>North</Site><fieldsToNull>Phone</fieldsToNull>"
    called(org, f"<p:update><p:sObjects><type>Account</type>{fields}</p:sObjects></p:update>")
    text = f"SELECT Name, Site, Owner.Name FROM Account WHERE Id = '{id}'"
    (found,) = called(org, f"<p:query><p:queryString>{text}</p:queryString></p:query>")
    (record,) = list(soap.children(found, "records"))
    assert [soap.text(record, name) for name in ("type", "Id", "Name", "Site")] == [
        "Account",
        id,
        "A & B",
        "North",
    ]
    assert soap.text(next(soap.children(record, "Owner")), "Name") == "Ada Byron"
    ids = f"<p:ids>{id}</p:ids><p:ids>x</p:ids>"
    good, wrong = called(org, f"<p:delete>{ids}</p:delete>")
    assert (soap.text(good, "success"), status(wrong)) == ("true", "MALFORMED_ID")


def test_a_record_comes_back_from_the_recycle_bin_until_it_is_emptied(org: Tool) -> None:
    """undelete restores a record with what went with it; after emptyRecycleBin nothing can."""
    kernel = org.session.org
    acme = kernel.one("Account", Name="Acme")["Id"]
    before = kernel.collections()
    kernel.delete(acme)
    (back,) = called(org, f"<p:undelete><p:ids>{acme}</p:ids></p:undelete>")
    assert soap.text(back, "success") == "true"
    assert kernel.get("Account", acme) is not None
    assert kernel.collections().keys() == before.keys()
    kernel.delete(acme)
    called(org, f"<p:emptyRecycleBin><p:ids>{acme}</p:ids></p:emptyRecycleBin>")
    (gone,) = called(org, f"<p:undelete><p:ids>{acme}</p:ids></p:undelete>")
    assert status(gone) == "UNDELETE_FAILED"


def lead(org: Tool) -> str:
    """Make a lead and return its id."""
    given = {"Street": "1 Main", "Email": "m@x.example", "AnnualRevenue": 5, "Title": "Buyer"}
    return org.session.org.insert("Lead", FirstName="Mo", LastName="Li", Company="Tea House", **given)


def convert(org: Tool, inside: str) -> Element:
    """Convert a lead and return the result."""
    body = f"<p:convertLead><p:leadConverts>{inside}</p:leadConverts></p:convertLead>"
    return called(org, body)[0]


def test_a_lead_becomes_account_contact_and_opportunity(org: Tool) -> None:
    """A conversion fills what it makes from the lead, and the lead points to it."""
    id = lead(org)
    task = org.session.org.insert("Task", Subject="Call", WhoId=id, Status="Open", Priority="Normal")
    done = convert(org, f"<leadId>{id}</leadId><convertedStatus>Closed - Converted</convertedStatus>")
    kernel = org.session.org
    account = kernel.record(soap.text(done, "accountId"))[1]
    contact = kernel.record(soap.text(done, "contactId"))[1]
    opportunity = kernel.record(soap.text(done, "opportunityId"))[1]
    assert (account["Name"], account["BillingStreet"], account["AnnualRevenue"]) == ("Tea House", "1 Main", 5)
    assert (contact["LastName"], contact["Email"], contact["AccountId"]) == (
        "Li",
        "m@x.example",
        account["Id"],
    )
    assert (opportunity["Name"], opportunity["CloseDate"]) == ("Tea House-", "2026-03-31")
    row = kernel.record(id)[1]
    assert (row["IsConverted"], row["ConvertedDate"]) == (True, "2026-03-03")
    assert row["ConvertedOpportunityId"] == opportunity["Id"]
    assert kernel.record(task)[1]["WhoId"] == contact["Id"]
    assert kernel.one("OpportunityContactRole")["ContactId"] == contact["Id"]


def test_a_lead_can_join_what_is_there(org: Tool) -> None:
    """Existing account and contact are taken; without an opportunity none is made."""
    kernel = org.session.org
    account, contact = kernel.one("Account", Name="Acme")["Id"], kernel.one("Contact")["Id"]
    inside = f"<leadId>{lead(org)}</leadId><accountId>{account}</accountId><contactId>{contact}</contactId>"
    done = convert(
        org,
        f"{inside}<convertedStatus>Closed - Converted</convertedStatus>"
        "<doNotCreateOpportunity>true</doNotCreateOpportunity>",
    )
    assert soap.text(done, "success") == "true"
    assert soap.text(done, "contactId") == contact
    assert kernel.record(contact)[1]["Title"] == "Buyer"
    assert kernel.record(contact)[1]["LastName"] == "Lovelace"
    assert list(kernel.rows("Opportunity")) == []


def test_what_cannot_be_converted_is_refused_and_changes_nothing(org: Tool) -> None:
    """A status that does not convert, a record that is no lead, and a converted lead."""
    id = lead(org)
    before = org.session.org.collections()
    assert (
        status(convert(org, f"<leadId>{id}</leadId><convertedStatus>Open</convertedStatus>"))
        == "INVALID_STATUS"
    )
    acme = org.session.org.one("Account", Name="Acme")["Id"]
    assert status(convert(org, f"<leadId>{acme}</leadId>")) == "INVALID_ID_FIELD"
    assert org.session.org.collections() == before
    convert(org, f"<leadId>{id}</leadId>")
    assert status(convert(org, f"<leadId>{id}</leadId>")) == "CANNOT_UPDATE_CONVERTED_LEAD"


def test_all_or_none_takes_all_back(org: Tool) -> None:
    """With the header one refused record leaves nothing behind."""
    good = "<p:sObjects><type>Account</type><Name>New</Name></p:sObjects>"
    records = f"{good}<p:sObjects><type>Account</type></p:sObjects>"
    header = "<p:AllOrNoneHeader><p:allOrNone>true</p:allOrNone></p:AllOrNoneHeader>"
    content = envelope(f"<p:create>{records}</p:create>", org.keys["access_token"], header)
    assert fault(org, content) == "sf:ALL_OR_NONE_OPERATION_ROLLED_BACK"
    assert list(org.session.org.rows("Account", Name="New")) == []


def test_trees_become_elements() -> None:
    """Texts are escaped, lists repeat, None is nil, and a name that is none is refused."""
    told = soap.xml("a", {"@b": '"<', "c": ["1", True], "d": None, "e": {"f": "<&"}})
    assert told == '<a b=\'"&lt;\'><c>1</c><c>true</c><d xsi:nil="true"/><e><f>&lt;&amp;</f></e></a>'
    with pytest.raises(ValueError, match="no name"):
        soap.xml("a b", "x")


def test_the_projects_own_client_tells_a_fault_as_itself(org: Tool) -> None:
    """A refused sign-in is INVALID_LOGIN, and not an unknown exception."""
    login = "<p:login><p:username>x</p:username><p:password>y</p:password></p:login>"
    response = org.http.post(URL, content=envelope(login))
    with pytest.raises(OrgError, match="signing in: INVALID_LOGIN: Invalid username, password") as caught:
        read_reply(response.content, response.status_code, "signing in")
    assert caught.value.code == "INVALID_LOGIN"
