"""The activity composer and timeline, and the conversion of leads."""

from __future__ import annotations

import pytest

from .pages_client import PageBrowser, signed_in, words


@pytest.fixture
def browser() -> PageBrowser:
    """The administrator, on an org of its own."""
    return signed_in()


@pytest.fixture
def deal(browser: PageBrowser) -> str:
    """An opportunity's id."""
    return browser.id("Opportunity", "Cloud Software Deal")


def test_a_task_is_written(browser: PageBrowser, deal: str) -> None:
    """New Task writes an open task about the record."""
    given = {"Subject": "Look it up", "ActivityDate": "12/24/2026", "WhatId": deal, "Status": "Not Started"}
    browser.goes(f"/lightning/r/Opportunity/{deal}/activity/task", OwnerId=browser.login.user_id, **given)
    task = browser.org.one("Task", WhatId=deal, Subject="Look it up")
    assert (task["TaskSubtype"], task["ActivityDate"], task["Status"]) == (
        "Task",
        "2026-12-24",
        "Not Started",
    )


def test_a_call_is_logged(browser: PageBrowser, deal: str) -> None:
    """Log a Call writes a completed task with the comments in its description."""
    given = {"Subject": "Call", "Description": "They liked it.", "WhatId": deal}
    browser.goes(f"/lightning/r/Opportunity/{deal}/activity/call", **given)
    call = browser.org.one("Task", WhatId=deal, TaskSubtype="Call")
    assert (call["Description"], call["Status"]) == ("They liked it.", "Completed")


def test_an_event_is_scheduled(browser: PageBrowser, deal: str) -> None:
    """New Event writes an event at the moment that was typed, in the org's zone."""
    begin = {"StartDateTime": "3/4/2027", "StartDateTime:time": "2:00 PM"}
    end = {"EndDateTime": "3/4/2027", "EndDateTime:time": "3:30 PM"}
    given = {"Subject": "Kick-off", "WhatId": deal, "OwnerId": browser.login.user_id}
    browser.goes(f"/lightning/r/Opportunity/{deal}/activity/event", **given, **begin, **end)
    event = browser.org.one("Event", WhatId=deal, Subject="Kick-off")
    assert event["EventSubtype"] == "Event"
    assert event["StartDateTime"] == "2027-03-04T22:00:00.000+0000"
    assert "Kick-off" in words(browser.page(f"/lightning/r/Opportunity/{deal}/view"))


def test_an_email_is_sent(browser: PageBrowser, deal: str) -> None:
    """Email writes a message and a completed task that is called after it."""
    given = {"To": "ann@example.com", "Subject": "The offer", "Body": "Hello"}
    browser.goes(f"/lightning/r/Opportunity/{deal}/activity/email", **given)
    task = browser.org.one("Task", WhatId=deal, TaskSubtype="Email")
    assert (task["Subject"], task["Status"]) == ("Email: The offer", "Completed")
    assert browser.org.one("EmailMessage", Subject="The offer")["ToAddress"] == "ann@example.com"


def test_an_email_needs_somebody(browser: PageBrowser, deal: str) -> None:
    """An email without a recipient, or with a strange one, is not sent, and what was written stays."""
    for to, sentence in (("", "Enter at least one recipient."), ("ann", "Enter valid email addresses.")):
        answered = browser.send(f"/lightning/r/Opportunity/{deal}/activity/email", To=to, Subject="The offer")
        assert sentence in words(answered.text)
        assert "The offer" in answered.text
    assert not list(browser.org.rows("EmailMessage", Subject="The offer"))


def test_a_person_is_who_the_activity_is_with(browser: PageBrowser) -> None:
    """On a lead's page the composer fills in the name, not what it is about."""
    lead = browser.id("Lead", "Frank Knight")
    page = browser.page(f"/lightning/r/Lead/{lead}/view")
    assert f'name="WhoId" value="{lead}"' in page


def convert(browser: PageBrowser, **given: str) -> tuple[str, str]:
    """Fill the conversion dialog of a lead and return the lead's id and the answer's text."""
    lead = browser.org.one("Lead", Name="Frank Knight")
    begin = {
        "account_mode": "new",
        "account_name": lead["Company"],
        "contact_mode": "new",
        "FirstName": "Frank",
        "LastName": "Knight",
        "opportunity_mode": "new",
        "opportunity_name": "Fern Deal",
        "OwnerId": lead["OwnerId"],
        "Status": "Closed - Converted",
    }
    return lead["Id"], words(
        browser.send(f"/lightning/r/Lead/{lead['Id']}/convert", **{**begin, **given}).text
    )


def test_a_lead_becomes_part_of_an_account(browser: PageBrowser) -> None:
    """A chosen account is used, contact and opportunity are made on it."""
    account = browser.id("Account", "Knight LLC")
    id, text = convert(browser, account_mode="existing", AccountId=account)
    assert "Your lead has been converted" in text
    lead = browser.org.get("Lead", id)
    assert lead is not None
    assert lead["IsConverted"]
    assert lead["ConvertedAccountId"] == account
    assert browser.org.one("Opportunity", Name="Fern Deal")["AccountId"] == account


def test_the_dialog_offers_the_account_of_the_same_name(browser: PageBrowser) -> None:
    """An account that is called like the lead's company is offered as a match."""
    lead = browser.id("Lead", "Frank Knight")
    dialog = words(browser.part(f"/lightning/r/Lead/{lead}/convert"))
    assert "1 Account Match" in dialog


def test_a_conversion_says_what_is_missing(browser: PageBrowser) -> None:
    """Choosing an existing account without one, or no opportunity name, is refused in the dialog."""
    id, text = convert(browser, account_mode="existing", opportunity_name="")
    assert text.count("Complete this field.") == 2
    lead = browser.org.get("Lead", id)
    assert lead is not None
    assert not lead["IsConverted"]


def test_an_opportunity_is_optional(browser: PageBrowser) -> None:
    """A lead can be converted without an opportunity."""
    id, text = convert(browser, no_opportunity="true", opportunity_name="")
    lead = browser.org.get("Lead", id)
    assert lead is not None
    assert lead["IsConverted"], text
    assert lead["ConvertedOpportunityId"] is None
