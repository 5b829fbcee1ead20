"""Records on Lightning's pages: made, seen, changed, copied, given away and deleted."""

from __future__ import annotations

import pytest

from .pages_client import PageBrowser, signed_in, words


@pytest.fixture
def browser() -> PageBrowser:
    """The administrator, on an org of its own."""
    return signed_in()


def test_a_record_is_made(browser: PageBrowser) -> None:
    """Save makes the record, leads to its page and says so."""
    there = browser.goes(
        "/lightning/o/Account/new", Name="Blue Fern", AnnualRevenue="$1,250,000", then="record"
    )
    row = browser.org.one("Account", Name="Blue Fern")
    assert there == f"/lightning/r/Account/{row['Id']}/view"
    assert row["AnnualRevenue"] == 1_250_000
    assert browser.toasts() == ['Account "Blue Fern" was created.']


def test_save_and_new_opens_another_form(browser: PageBrowser) -> None:
    """Save & New makes the record and asks for the next."""
    assert (
        browser.goes("/lightning/o/Account/new", Name="Blue Fern", then="new") == "/lightning/o/Account/new"
    )
    assert browser.org.one("Account", Name="Blue Fern")


def test_what_is_missing_is_marked(browser: PageBrowser) -> None:
    """A form without a required field comes back with the field marked and named, and nothing is made."""
    count = len(list(browser.org.rows("Opportunity")))
    form = words(browser.send("/lightning/o/Opportunity/new", Name="Deal", Amount="12").text)
    assert "We hit a snag." in form
    assert "Complete this field." in form
    assert "Close Date" in form
    assert len(list(browser.org.rows("Opportunity"))) == count


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("CloseDate", "2026-13-40", "does not match the allowed format"),
        ("Amount", "a lot", "Enter a valid value."),
        ("AccountId:text", "nobody", "Select an option from the picklist or remove the search term."),
    ],
)
def test_what_is_no_value_is_refused(browser: PageBrowser, field: str, text: str, sentence: str) -> None:
    """Each kind of field says in its own words what it does not take, and keeps what was typed."""
    given = {"Name": "Deal", "StageName": "Prospecting", "CloseDate": "3/31/2027", field: text}
    form = browser.send("/lightning/o/Opportunity/new", **given).text
    assert sentence in words(form)
    assert text in form


def test_values_are_shown_as_people_write_them(browser: PageBrowser) -> None:
    """Amounts, dates and percentages stand on a record's page in the user's form."""
    id = browser.org.insert(
        "Opportunity", Name="Deal", StageName="Prospecting", CloseDate="2027-03-09", Amount=1234.5
    )
    page = words(browser.page(f"/lightning/r/Opportunity/{id}/view"))
    assert "$1,234.50" in page
    assert "3/9/2027" in page
    assert "10%" in page


def test_fields_are_changed_in_place(browser: PageBrowser) -> None:
    """A pencil brings the form of all details, with their values; saving it changes the record."""
    id = browser.id("Account", "Knight LLC")
    row = browser.org.get("Account", id)
    assert row is not None
    form = browser.part(f"/lightning/r/Account/{id}/details", edit="Phone")
    assert 'name="Phone"' in form
    assert "Knight LLC" in form
    browser.goes(f"/lightning/r/Account/{id}/details", Name="Knight LLC", Phone="555-0100", Industry="Energy")
    changed = browser.org.get("Account", id)
    assert changed is not None
    assert (changed["Phone"], changed["Industry"]) == ("555-0100", "Energy")


def test_an_edited_record_keeps_what_was_not_touched(browser: PageBrowser) -> None:
    """Sending a form back as it came changes nothing of the record."""
    import re

    id = browser.id("Opportunity", "Cloud Software Deal")
    before = browser.org.get("Opportunity", id)
    form = browser.part(f"/lightning/r/Opportunity/{id}/edit")
    values = dict(re.findall(r'<input[^>]*name="([A-Za-z_:]+)"[^>]*value="([^"]*)"', form))
    values |= {"Description": re.findall(r"<textarea[^>]*name=\"Description\"[^>]*>\n([^<]*)", form)[0]}
    browser.goes(
        f"/lightning/r/Opportunity/{id}/edit", **{k: v for k, v in values.items() if k != "IsPrivate"}
    )
    assert browser.org.get("Opportunity", id) == before


def test_a_copy_begins_with_the_values(browser: PageBrowser) -> None:
    """Clone opens a new record's form that holds what the other one has."""
    id = browser.id("Opportunity", "Cloud Software Deal")
    form = browser.part(f"/lightning/r/Opportunity/{id}/clone")
    assert "New Opportunity" in form
    assert 'value="Cloud Software Deal"' in form


def test_a_related_record_points_back(browser: PageBrowser) -> None:
    """New in a related list fills in the record that it is on, and comes back to it."""
    account = browser.id("Account", "Knight LLC")
    here = f"/lightning/r/Account/{account}/view"
    query = {"defaultFieldValues": f"AccountId={account}", "then": "stay"}
    form = browser.part("/lightning/o/Contact/new", **query)
    assert "Knight LLC" in form
    there = browser.goes(
        "/lightning/o/Contact/new", LastName="Fern", AccountId=account, then="stay", back=here
    )
    assert there == here
    assert "Fern" in words(browser.page(f"/lightning/r/Account/{account}/related/Contacts/view"))


def test_a_likely_duplicate_is_told_once(browser: PageBrowser) -> None:
    """A record that looks like another is not saved before the warning was seen; then it is."""
    given = {
        "FirstName": "Frank",
        "LastName": "Knight",
        "Company": "Knight LLC",
        "Status": "Open - Not Contacted",
    }
    lead = browser.org.one("Lead", Name="Frank Knight")
    given["Email"] = lead["Email"] or ""
    form = browser.send("/lightning/o/Lead/new", **given).text
    assert "This record looks like an existing record" in words(form)
    assert "View Duplicates" in form
    shown = words(browser.part("/lightning/duplicates", ids=lead["Id"]))
    assert "Frank Knight" in shown
    assert browser.goes("/lightning/o/Lead/new", **given, **{"duplicates:seen": "true"})


def test_a_lookup_offers_and_makes(browser: PageBrowser) -> None:
    """What fits is offered first by the beginning of its name; a new record made there goes back to the field."""
    offered = words(browser.part("/lightning/lookup", object="Account", q="knight", id="f"))
    assert "Knight LLC" in offered
    assert 'Show more results for "knight"' in offered
    assert "New Account" in offered
    answered = browser.send("/lightning/o/Account/new", Name="Fern Valley", lookup="true")
    assert "lookup-chosen" in answered.headers["hx-trigger"]
    assert browser.id("Account", "Fern Valley") in answered.headers["hx-trigger"]


def test_a_lookup_offers_active_people_only(browser: PageBrowser) -> None:
    """Users that were deactivated are not offered."""
    user = browser.org.one("User", Name="John Doe")
    assert "John Doe" in browser.part("/lightning/lookup", object="User", q="john doe", id="f")
    browser.org.update(user["Id"], IsActive=False)
    assert "John Doe<" not in browser.part("/lightning/lookup", object="User", q="john doe", id="f")


def test_a_record_is_deleted_after_a_question(browser: PageBrowser) -> None:
    """Delete asks, deletes, leads to the list and says so."""
    id = browser.org.insert("Account", Name="Short Lived")
    assert "Are you sure you want to delete this account?" in browser.part(
        f"/lightning/r/Account/{id}/delete"
    )
    assert browser.goes(f"/lightning/r/Account/{id}/delete") == "/lightning/o/Account/list"
    assert browser.org.get("Account", id) is None
    assert browser.toasts() == ['Account "Short Lived" was deleted.']


def test_a_record_is_given_to_somebody_else(browser: PageBrowser) -> None:
    """Change Owner needs a new owner and gives the record to it."""
    id, to = browser.id("Account", "Knight LLC"), browser.id("User", "John Doe")
    assert "Complete this field." in words(browser.send(f"/lightning/r/Account/{id}/owner").text)
    browser.goes(f"/lightning/r/Account/{id}/owner", OwnerId=to)
    row = browser.org.get("Account", id)
    assert row is not None
    assert row["OwnerId"] == to


def test_the_path_moves_a_record_on(browser: PageBrowser) -> None:
    """Complete goes to the next stage, a selected stage can be made the current one."""
    id = browser.id("Opportunity", "Cloud Software Deal")
    assert "Mark Stage as Complete" in browser.page(f"/lightning/r/Opportunity/{id}/view")
    part = browser.part(f"/lightning/r/Opportunity/{id}/path", stage="Value Proposition")
    assert "Mark as Current Stage" in part
    browser.goes(f"/lightning/r/Opportunity/{id}/path", stage="Value Proposition")
    row = browser.org.get("Opportunity", id)
    assert row is not None
    assert row["StageName"] == "Value Proposition"


def test_a_record_is_closed_in_a_stage_that_is_asked_for(browser: PageBrowser) -> None:
    """The path of an open record ends in Closed, which asks for one of the closed stages; that one is shown then."""
    id = browser.id("Opportunity", "Cloud Software Deal")
    record = f"/lightning/r/Opportunity/{id}"
    part = browser.part(f"{record}/path", stage="__Closed")
    assert "Closed Won" not in part
    assert f'hx-get="{record}/close"' in part
    assert "Select Closed Stage" in part
    asked = browser.part(f"{record}/close")
    assert "Closed Won" in asked
    assert "Negotiation/Review" not in asked
    assert "Complete this field." in browser.send(f"{record}/close").text
    browser.goes(f"{record}/close", stage="Closed Lost")
    part = browser.part(f"{record}/path")
    assert (browser.org.get("Opportunity", id) or {})["StageName"] == "Closed Lost"
    assert "slds-is-lost" in part
    assert "Change Closed Stage" in part


def test_a_lead_reaches_its_end_by_conversion(browser: PageBrowser) -> None:
    """The path of a lead offers the conversion dialog at a converted status, and marks the others."""
    id = browser.id("Lead", "Frank Knight")
    part = browser.part(f"/lightning/r/Lead/{id}/path", stage="Closed - Converted")
    assert f"/lightning/r/Lead/{id}/convert" in part
    assert "Mark as Current Status" in browser.part(
        f"/lightning/r/Lead/{id}/path", stage="Working - Contacted"
    )


def test_forms_from_elsewhere_are_refused(browser: PageBrowser) -> None:
    """A form that another site sends changes nothing."""
    answered = browser.client.post(
        "/lightning/o/Account/new", data={"Name": "Forged"}, headers={"origin": "http://evil.example"}
    )
    assert answered.status_code == 403
    assert not list(browser.org.rows("Account", Name="Forged"))


def _assigned(one: PageBrowser) -> None:
    """Let the active rule give cases about bills to a queue."""
    condition = {"field": "Case.Description", "operation": "contains", "value": "bill"}
    entry = {
        "assignedTo": "billing_support_queue",
        "assignedToType": "Queue",
        "criteriaItems": [condition],
    }
    rule = {"fullName": "Billing", "active": True, "ruleEntry": [entry]}
    one.org.put_component("AssignmentRules", "Case", {"assignmentRule": [rule]})


@pytest.mark.parametrize(
    ("text", "box", "owner"),
    [
        ("A wrong bill", "true", "Billing Support Queue"),
        ("A wrong bill", "", None),
        ("A broken lamp", "true", None),
    ],
)
def test_the_active_rule_assigns_a_new_case(text: str, box: str, owner: str | None) -> None:
    """With the box ticked a new case goes to whom the first fitting entry names, else to its creator."""
    one = signed_in()
    assert "active assignment rule" not in one.part("/lightning/o/Case/new")
    _assigned(one)
    assert "Assign using active assignment rule" in one.part("/lightning/o/Case/new")
    one.goes(
        "/lightning/o/Case/new", Subject="Help", Status="New", Origin="Web", Description=text, assign=box
    )
    (case,) = one.org.rows("Case", Subject="Help")
    assert one.org.name_of(case["OwnerId"]) == (owner or one.org.name_of(one.org.user_id))


def test_the_active_rule_assigns_a_changed_case() -> None:
    """With the box ticked a changed case is assigned anew."""
    one = signed_in()
    _assigned(one)
    id = one.org.insert("Case", Subject="Help", Status="New", Origin="Web", Description="A bill")
    one.goes(f"/lightning/r/Case/{id}/edit", Subject="Help", Status="New", Origin="Web", Description="A bill")
    assert one.org.name_of(one.org.one("Case", Id=id)["OwnerId"]) == one.org.name_of(one.org.user_id)
    one.goes(
        f"/lightning/r/Case/{id}/edit",
        Subject="Help",
        Status="New",
        Origin="Web",
        Description="A bill",
        assign="true",
    )
    assert one.org.name_of(one.org.one("Case", Id=id)["OwnerId"]) == "Billing Support Queue"
