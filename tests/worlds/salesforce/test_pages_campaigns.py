"""Adding leads and contacts to a campaign from its members."""

from __future__ import annotations

import re

import pytest

from salesforce_org.rules.leads import convert_lead

from .pages_client import PageBrowser, signed_in, words


@pytest.fixture
def browser() -> PageBrowser:
    """The administrator, on an org of its own."""
    return signed_in()


@pytest.fixture
def flow(browser: PageBrowser) -> str:
    """Where leads are added to a new campaign."""
    return f"/lightning/r/Campaign/{browser.org.insert('Campaign', Name='Open Day')}/add-leads"


def statuses(browser: PageBrowser) -> dict[str, str]:
    """Return the members of the new campaign with their statuses."""
    campaign = browser.id("Campaign", "Open Day")
    rows = browser.org.rows("CampaignMember", CampaignId=campaign)
    return {str(browser.org.name_of(row["LeadId"] or row["ContactId"])): row["Status"] for row in rows}


def leads(browser: PageBrowser, *names: str) -> list[str]:
    """Return the ids of leads."""
    return [next(row["Id"] for row in browser.org.rows("Lead") if row["Name"] == name) for name in names]


def test_a_new_campaign_offers_to_add_members(browser: PageBrowser, flow: str) -> None:
    """The members' related list has a button for leads and one for contacts, and none for a new member."""
    page = browser.page(flow.replace("add-leads", "view"))
    card = re.search(r'<article[^>]*aria-label="Campaign Members".*?</article>', page, re.DOTALL)
    assert card
    assert re.findall(r"<button[^>]*>([^<]+)</button>", card[0]) == ["Add Leads", "Add Contacts"]


def test_who_is_chosen_stays_while_one_searches_on(browser: PageBrowser, flow: str) -> None:
    """Results of another search begin with whoever is ticked, still ticked."""
    ali, leo = leads(browser, "Ali Alaba", "Leo Messi")
    found = browser.part(flow, q="leo messi", ids=ali)
    assert re.findall(r'value="(\w{18})"[^>]*checked', found) == [ali]
    assert leo in found
    assert "1 item selected" in words(found)


def test_the_chosen_become_members(browser: PageBrowser, flow: str) -> None:
    """After the leads the status is asked for, begun with the campaign's usual one; Submit adds them, and says so."""
    ids = leads(browser, "Ali Alaba", "Leo Messi")
    asked = browser.send(flow, ids=ids, step="next").text
    assert "Member Status" in words(asked)
    assert not statuses(browser)
    assert re.search(r'name="Status" value="Sent"', asked)
    browser.goes(flow, ids=ids, step="submit", Status="Responded")
    assert statuses(browser) == {"Ali Alaba": "Responded", "Leo Messi": "Responded"}
    assert browser.toasts() == ["2 leads added to Open Day."]


def test_members_keep_their_status_unless_told_otherwise(browser: PageBrowser, flow: str) -> None:
    """Who is a member already is left alone, or gets the new status."""
    ids = leads(browser, "Ali Alaba")
    browser.goes(flow, ids=ids, step="submit", Status="Sent")
    browser.goes(flow, ids=ids, step="submit", Status="Responded")
    assert statuses(browser) == {"Ali Alaba": "Sent"}
    browser.goes(flow, ids=ids, step="submit", Status="Responded", again="overwrite")
    assert statuses(browser) == {"Ali Alaba": "Responded"}


def test_somebody_must_be_chosen(browser: PageBrowser, flow: str) -> None:
    """Nobody, or what is no lead, is refused in words; Back leads to the choice again."""
    account = browser.org.insert("Account", Name="No lead")
    for ids in ([], [account], ["<b>"]):
        assert "Select at least one record." in browser.send(flow, ids=ids, step="next").text
    back = browser.send(flow, ids=leads(browser, "Leo Messi"), step="back").text
    assert "1 item selected" in words(back)


def test_contacts_are_added_too(browser: PageBrowser, flow: str) -> None:
    """The other button adds contacts."""
    contact = browser.org.insert("Contact", FirstName="Ida", LastName="Ek")
    browser.goes(flow.replace("leads", "contacts"), ids=[contact], step="submit", Status="Sent")
    assert statuses(browser) == {"Ida Ek": "Sent"}


def test_a_converted_lead_is_not_offered(browser: PageBrowser, flow: str) -> None:
    """A lead that was converted is found no more."""
    assert "Leo Messi" in words(browser.part(flow, q="Leo Messi"))
    convert_lead(browser.org, leads(browser, "Leo Messi")[0], None, status="Closed - Converted")
    assert "No leads match" in words(browser.part(flow, q="Leo Messi"))


def test_one_lead_is_added_from_its_own_page(browser: PageBrowser, flow: str) -> None:
    """Campaign History asks for the campaign, then for the status as the campaign's page does."""
    lead = leads(browser, "Ali Alaba")[0]
    own = f"/lightning/r/Lead/{lead}/add-to-campaign"
    assert own in browser.page(f"/lightning/r/Lead/{lead}/view")
    assert "Search Campaigns" in browser.part(own)
    assert "Complete this field." in browser.send(own, CampaignId="").text
    asked = browser.send(own, CampaignId=browser.id("Campaign", "Open Day")).text
    assert f'hx-post="{flow}"' in asked
    assert re.findall(r'name="ids" value="(\w+)"', asked) == [lead]
