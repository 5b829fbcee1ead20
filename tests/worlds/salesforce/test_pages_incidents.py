"""Incidents on their pages: the products they hit, and the change requests that mend them."""

from __future__ import annotations

import pytest

from .pages_client import PageBrowser, signed_in, words

INCIDENT = "security breach in user authentication system"
PRODUCT = "SecureAuth Pro"


@pytest.fixture
def browser() -> PageBrowser:
    """The administrator, on an org of its own."""
    return signed_in()


@pytest.fixture
def incident(browser: PageBrowser) -> str:
    """An incident's id."""
    return browser.id("Incident", INCIDENT, by="Subject")


def test_a_product_is_related(browser: PageBrowser, incident: str) -> None:
    """The related list's form knows the incident, and begins with the impact that is most urgent."""
    form = browser.part("/lightning/o/IncidentRelatedItem/new", defaultFieldValues=f"IncidentId={incident}")
    assert browser.org.name_of(incident) in form
    assert 'name="ImpactType" value="Business-Blocking"' in form
    given = {"Product2Id": browser.id("Product2", PRODUCT), "ImpactType": "Not Business-Blocking"}
    browser.goes("/lightning/o/IncidentRelatedItem/new", IncidentId=incident, **given)
    item = browser.org.one("IncidentRelatedItem", IncidentId=incident)
    assert {name: item[name] for name in given} == given
    shown = words(browser.page(f"/lightning/r/Incident/{incident}/view"))
    assert "Incident Related Items (1)" in shown
    assert PRODUCT in shown


def test_a_related_item_needs_an_impact_type(browser: PageBrowser, incident: str) -> None:
    """Without the impact type there is no related item."""
    answered = browser.send("/lightning/o/IncidentRelatedItem/new", IncidentId=incident, ImpactType="")
    assert "Complete this field." in answered.text
    assert not list(browser.org.rows("IncidentRelatedItem", IncidentId=incident))


def test_what_is_related_stays_the_same(browser: PageBrowser, incident: str) -> None:
    """A related item's product cannot be exchanged, its impact can."""
    given = {"Product2Id": browser.id("Product2", PRODUCT), "ImpactType": "Business-Blocking"}
    item = browser.org.insert("IncidentRelatedItem", IncidentId=incident, **given)
    form = browser.part(f"/lightning/r/IncidentRelatedItem/{item}/edit")
    assert 'name="Product2Id"' not in form
    assert 'name="ImpactType"' in form


@pytest.mark.parametrize("opened", ["Incident", "ChangeRequest"])
def test_a_change_request_is_linked(browser: PageBrowser, incident: str, opened: str) -> None:
    """Both records offer the link, and show it; it says of itself what it links."""
    change = browser.org.insert("ChangeRequest", Subject="second factor")
    record = incident if opened == "Incident" else change
    page = browser.page(f"/lightning/r/{opened}/{record}/view")
    assert "/lightning/o/ChangeRequestRelatedIssue/new?" in page
    given = {"RelatedIssueId": incident, "ChangeRequestId": change, "RelationshipType": "Fixed By"}
    browser.goes("/lightning/o/ChangeRequestRelatedIssue/new", **given)
    link = browser.org.one("ChangeRequestRelatedIssue", ChangeRequestId=change)
    assert (link["RelatedIssueId"], link["RelatedEntityType"]) == (incident, "Incident")
    shown = words(browser.page(f"/lightning/r/{opened}/{record}/view"))
    assert "Change Request Related Issues (1)" in shown
    assert browser.org.name_of(change if opened == "Incident" else incident) in shown
    assert "They are linked already" in words(
        browser.send("/lightning/o/ChangeRequestRelatedIssue/new", **given).text
    )


def test_a_link_begins_as_a_cause(browser: PageBrowser, incident: str) -> None:
    """The relationship type of a link is chosen already, and a change request can be made on the way."""
    form = browser.part(
        "/lightning/o/ChangeRequestRelatedIssue/new", defaultFieldValues=f"RelatedIssueId={incident}"
    )
    assert 'name="RelationshipType" value="Caused By"' in form
    offered = browser.part("/lightning/lookup", object="ChangeRequest", q="x", id="f")
    assert "New Change Request" in words(offered)
