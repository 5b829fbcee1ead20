"""What the org does by itself in service: cases, entitlements, incidents, knowledge, activities, duplicates."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.duplicates import find_duplicates
from salesforce_org.rules.knowledge import archive_article, edit_as_draft, publish_article, url_name
from salesforce_org.store import DmlError, Org
from salesforce_org.store.errors import NotThere

from .org_building import fresh, id_of


@pytest.fixture
def org() -> Org:
    """An org of its own for every test."""
    return fresh()


def refused(code: str, work: Any, *given: Any, **named: Any) -> None:
    """Check that it is refused with the code."""
    with pytest.raises(DmlError) as problem:
        work(*given, **named)
    assert problem.value.code == code


def value(org: Org, id: str, field: str) -> Any:
    """Return a field's value, computed or stored."""
    object, row = org.record(id)
    found = object.field(field)
    assert found is not None
    return org.value(object, row, found)


def test_a_case_closes_with_its_status(org: Org) -> None:
    """Closing notes the moment, opening forgets it."""
    id = org.insert("Case", Subject="Fan", ContactId=id_of(org, "Contact", "David Kim"))
    assert [value(org, id, name) for name in ("Status", "Priority", "IsClosed")] == ["New", "Medium", False]
    assert value(org, id, "CaseNumber").isdigit()
    org.update(id, Status="Closed")
    assert value(org, id, "IsClosed") is True
    assert value(org, id, "ClosedDate")
    org.update(id, Status="Working")
    assert (value(org, id, "IsClosed"), value(org, id, "ClosedDate")) == (False, None)


def test_a_case_is_of_its_contacts_account(org: Org) -> None:
    """Account and addresses come from the contact; an account that is given stays."""
    contact, other = id_of(org, "Contact", "David Kim"), id_of(org, "Account", "Tech Giants")
    id = org.insert("Case", Subject="Fan", ContactId=contact)
    assert org.name_of(value(org, id, "AccountId")) == "Green Solutions"
    assert value(org, id, "ContactEmail") == "david.kim@greensolutions.example"
    assert value(org, org.insert("Case", ContactId=contact, AccountId=other), "AccountId") == other
    assert org.name_of(value(org, id, "BusinessHoursId")) == "Default"


@pytest.mark.parametrize(
    ("start", "end", "status"),
    [
        ("2026-03-10", "2027-03-10", "Inactive"),
        ("2026-03-03", "2026-03-03", "Active"),
        ("2026-01-01", None, "Active"),
        ("2025-01-01", "2026-03-02", "Expired"),
        (None, None, "Inactive"),
    ],
)
def test_an_entitlement_runs_between_its_dates(
    org: Org, start: str | None, end: str | None, status: str
) -> None:
    """Its status is computed from today."""
    account = id_of(org, "Account", "White Industries")
    id = org.insert("Entitlement", Name="Support", AccountId=account, StartDate=start, EndDate=end)
    assert value(org, id, "Status") == status


def test_an_entitlement_is_checked(org: Org) -> None:
    """It needs an account and does not end before it starts; its cases are counted down from all of them."""
    refused("REQUIRED_FIELD_MISSING", org.insert, "Entitlement", Name="Support")
    account = id_of(org, "Account", "White Industries")
    dates = {"StartDate": "2026-03-10", "EndDate": "2026-03-09"}
    refused(
        "FIELD_INTEGRITY_EXCEPTION", org.insert, "Entitlement", Name="Support", AccountId=account, **dates
    )
    id = org.insert(
        "Entitlement", Name="Support", AccountId=account, IsPerIncident=True, CasesPerEntitlement=5
    )
    assert value(org, id, "RemainingCases") == 5


def test_milestones_have_one_name_each(org: Org) -> None:
    """Recurrence is none at first and one of three kinds."""
    id = org.insert("MilestoneType", Name="analysis")
    assert value(org, id, "RecurrenceType") == "none"
    refused("DUPLICATE_VALUE", org.insert, "MilestoneType", Name="Analysis")
    refused(
        "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
        org.insert,
        "MilestoneType",
        Name="other",
        RecurrenceType="daily",
    )


@pytest.mark.parametrize(
    ("urgency", "impact", "priority"),
    [
        ("High", "High", "Critical"),
        ("Low", "Low", "Low"),
        ("Medium", "Low", "Low"),
        ("High", "Low", "Moderate"),
    ],
)
def test_urgency_and_impact_suggest_a_priority(org: Org, urgency: str, impact: str, priority: str) -> None:
    """A priority that is given stays as it is."""
    id = org.insert("Incident", Subject="Outage", Urgency=urgency, Impact=impact)
    assert value(org, id, "Priority") == priority
    assert value(org, id, "IncidentNumber").startswith("INC-0000")
    given = org.insert("Incident", Subject="Outage", Urgency=urgency, Impact=impact, Priority="Moderate")
    assert value(org, given, "Priority") == "Moderate"


def test_incidents_are_resolved_with_their_status(org: Org) -> None:
    """Closing notes the moment."""
    id = org.insert("Incident", Subject="Outage")
    org.update(id, Status="Closed")
    assert (value(org, id, "IsClosed"), bool(value(org, id, "ResolutionDateTime"))) == (True, True)


def test_a_change_request_knows_what_its_issues_are(org: Org) -> None:
    """The object of an issue is noted, and an issue is linked once."""
    incident = id_of(org, "Incident", "database performance degradation in reporting systems", "Subject")
    change = org.insert("ChangeRequest", Subject="Indexes")
    link = org.insert("ChangeRequestRelatedIssue", ChangeRequestId=change, RelatedIssueId=incident)
    assert value(org, link, "RelatedEntityType") == "Incident"
    refused(
        "DUPLICATE_VALUE",
        org.insert,
        "ChangeRequestRelatedIssue",
        ChangeRequestId=change,
        RelatedIssueId=incident,
    )


def article(org: Org, title: str = "Headlight Replacement") -> str:
    """Return a new draft."""
    return org.insert(
        "Knowledge__kav", Title=title, UrlName=url_name(title), Question__c="How?", Answer__c="So."
    )


def test_an_article_is_drafted_published_revised_and_archived(org: Org) -> None:
    """Versions belong to one article with one number; one of them is published."""
    first = article(org)
    assert [value(org, first, name) for name in ("PublishStatus", "UrlName")] == [
        "Draft",
        "Headlight-Replacement",
    ]
    publish_article(org, first)
    assert [value(org, first, name) for name in ("PublishStatus", "VersionNumber")] == ["Online", 1]
    refused("CANNOT_EDIT_PUBLISHED_ARTICLE", org.update, first, Title="Other")
    refused("DELETE_FAILED", org.delete, first)
    second = edit_as_draft(org, first)
    assert value(org, second, "ArticleNumber") == value(org, first, "ArticleNumber")
    refused("FIELD_INTEGRITY_EXCEPTION", edit_as_draft, org, first)
    org.update(second, Answer__c="Otherwise.")
    publish_article(org, second)
    assert (value(org, first, "PublishStatus"), value(org, second, "VersionNumber")) == ("Archived", 2)
    archive_article(org, second)
    assert value(org, second, "ArchivedById") == org.user_id
    refused("FIELD_INTEGRITY_EXCEPTION", publish_article, org, second)
    with pytest.raises(NotThere):
        publish_article(org, "ka0Kj00000000zzzAA")


def test_a_url_name_is_one_articles_own(org: Org) -> None:
    """It has letters, digits and hyphens; versions of one article share it."""
    article(org)
    refused("DUPLICATE_VALUE", org.insert, "Knowledge__kav", Title="Another", UrlName="headlight-replacement")
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "Knowledge__kav", Title="Another", UrlName="two words")
    refused("REQUIRED_FIELD_MISSING", org.insert, "Knowledge__kav", Title="Another")
    refused(
        "FIELD_INTEGRITY_EXCEPTION",
        org.insert,
        "Knowledge__kav",
        Title="A",
        UrlName="A",
        PublishStatus="Online",
    )


def test_a_task_is_closed_with_its_status(org: Org) -> None:
    """Priority and end are noted, and the account behind is known."""
    sold = id_of(org, "Opportunity", "Security Solutions")
    id = org.insert("Task", Subject="Call", WhatId=sold, Priority="High")
    assert [value(org, id, name) for name in ("Status", "TaskSubtype", "IsHighPriority")] == [
        "Not Started",
        "Task",
        True,
    ]
    assert org.name_of(value(org, id, "AccountId")) == "White Industries"
    org.update(id, Status="Completed", ActivityDate="2026-03-02")
    assert (value(org, id, "IsClosed"), bool(value(org, id, "CompletedDateTime"))) == (True, True)
    assert value(org, sold, "LastActivityDate") == "2026-03-02"


def test_an_activity_with_a_lead_is_about_nothing_else(org: Org) -> None:
    """Who is a lead has no account yet."""
    lead, sold = id_of(org, "Lead", "Leo Messi"), id_of(org, "Opportunity", "Security Solutions")
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "Task", Subject="Call", WhoId=lead, WhatId=sold)


def test_an_event_has_a_start_and_an_end(org: Org) -> None:
    """Either of end and duration gives the other, and the day is the org's own."""
    refused("REQUIRED_FIELD_MISSING", org.insert, "Event", Subject="Meeting")
    start = "2026-03-06T02:30:00.000+0000"
    id = org.insert("Event", Subject="Meeting", StartDateTime=start, DurationInMinutes=90)
    assert value(org, id, "EndDateTime") == "2026-03-06T04:00:00.000+0000"
    assert value(org, id, "ActivityDate") == "2026-03-05"
    org.update(id, EndDateTime="2026-03-06T03:00:00.000+0000")
    assert value(org, id, "DurationInMinutes") == 30
    org.update(id, StartDateTime="2026-03-07T02:30:00.000+0000")
    assert value(org, id, "EndDateTime") == "2026-03-07T03:00:00.000+0000"
    refused("FIELD_INTEGRITY_EXCEPTION", org.update, id, EndDateTime="2026-03-01T00:00:00.000+0000")


@pytest.mark.parametrize(
    ("object", "given", "found"),
    [
        ("Account", {"Name": "tech giants, Inc."}, ["Tech Giants"]),
        ("Account", {"Name": "Tech Giant Tools"}, []),
        ("Contact", {"FirstName": "Alice", "LastName": "Johnson"}, ["Alice Johnson"]),
        ("Lead", {"FirstName": "david", "LastName": "KIM", "Company": "Green Solutions"}, ["David Kim"]),
        ("Lead", {"FirstName": "David", "LastName": "Kim", "Company": "Elsewhere"}, []),
        ("Contact", {"FirstName": "David", "LastName": "Kim", "Email": "other@elsewhere.example"}, []),
        ("Product2", {"Name": "AccessGuard"}, []),
    ],
)
def test_likely_duplicates_are_found(org: Org, object: str, given: dict[str, str], found: list[str]) -> None:
    """Companies are compared without their legal form, people by name and email or company."""
    hits = find_duplicates(org, object, given)
    assert [row["Name"] for row in (hits.records if hits else ())] == found


def test_a_record_is_no_duplicate_of_itself(org: Org) -> None:
    """The record that is edited is left out."""
    old = org.one("Account", Id=id_of(org, "Account", "Tech Giants"))
    assert find_duplicates(org, "Account", {"Name": "Tech Giants, Inc."}, old) is None
