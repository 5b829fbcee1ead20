"""Adding leads and contacts to a campaign from its members."""

from __future__ import annotations

import re

import pytest

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
