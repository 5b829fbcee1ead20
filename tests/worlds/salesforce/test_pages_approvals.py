"""Approvals on pages: submitting a record, its Approval History, and answering what waits for one."""

from __future__ import annotations

import pytest

from salesforce_org.approvals.running import submit
from salesforce_org.sessions import Login
from salesforce_org.store import DmlError

from .pages_client import PageBrowser, signed_in, words

HOME = "/lightning/page/home"
TABLE = "Items to Approve"


@pytest.fixture
def browser() -> PageBrowser:
    """The administrator, in an org with an active process for accounts whose submitter chooses the approver."""
    one = signed_in()
    full = "Account.required_account_action"
    tree = {**(one.org.component("ApprovalProcess", full) or {}), "active": True, "allowRecall": True}
    one.org.put_component("ApprovalProcess", full, tree)
    return one


@pytest.fixture
def account(browser: PageBrowser) -> str:
    """An account of the administrator's."""
    return browser.org.insert("Account", Name="Lookout")


def seller(browser: PageBrowser) -> str:
    """Return the id of somebody who is no administrator."""
    administrators = browser.org.one("Profile", Name="System Administrator")["Id"]
    return next(
        row["Id"] for row in browser.org.rows("User", IsActive=True) if row["ProfileId"] != administrators
    )


def sign_in(browser: PageBrowser, user: str) -> None:
    """Let somebody else sit down at the browser."""
    browser.login = browser.session.logins["cookie"] = Login(user)


def page(account: str, more: str = "view") -> str:
    """Return an address of the account."""
    return f"/lightning/r/Account/{account}/{more}"


def item(browser: PageBrowser) -> str:
    """Return the address of the one request that waits."""
    return f"/lightning/r/ProcessInstanceWorkitem/{next(browser.org.rows('ProcessInstanceWorkitem'))['Id']}"


def submitted(browser: PageBrowser, account: str, to: str) -> None:
    """Submit the account to an approver."""
    browser.goes(page(account, "submit"), chosen="true", approver=to, comments="please", back="")


def test_a_record_is_submitted(browser: PageBrowser, account: str) -> None:
    """The dialog asks for comments and the approver; the page then shows a lock and who is waited for."""
    assert "Submit for Approval" in browser.page(page(account))
    dialog = browser.part(page(account, "submit"))
    assert "Choose Approver" in dialog
    asked = browser.send(page(account, "submit"), chosen="true", approver="", comments="please", back="")
    assert "Complete this field." in asked.text
    assert not list(browser.org.rows("ProcessInstance"))
    submitted(browser, account, seller(browser))
    assert browser.toasts() == ["Account was submitted for approval."]
    shown = words(browser.page(page(account)))
    assert "This record is locked." in shown
    assert "Approval History (2)" in shown
    assert all(text in shown for text in ("Step 1", "Pending", "Submitted"))


def test_objects_without_an_active_process_offer_nothing(browser: PageBrowser) -> None:
    """Neither button nor history are on the page of a contact."""
    contact = next(browser.org.rows("Contact"))["Id"]
    shown = browser.page(f"/lightning/r/Contact/{contact}/view")
    assert "Submit for Approval" not in shown
    assert "Approval History" not in shown


def test_a_record_that_no_process_takes(browser: PageBrowser) -> None:
    """The dialog says why, and nothing can be sent."""
    other = browser.org.insert("Account", Name="Hers", OwnerId=seller(browser))
    dialog = browser.part(page(other, "submit"))
    assert "does not meet the entry criteria or initial submitters of any active approval processes" in dialog
    assert "<form" not in dialog


@pytest.mark.parametrize(("what", "status"), [("approve", "Approved"), ("reject", "Rejected")])
def test_an_approver_answers(browser: PageBrowser, account: str, what: str, status: str) -> None:
    """What waits for somebody is on the home page and in a list of its own; the answer stands in the history."""
    user = seller(browser)
    submitted(browser, account, user)
    assert TABLE not in browser.page(HOME)
    sign_in(browser, user)
    for address in (HOME, "/lightning/o/ProcessInstanceWorkitem/home"):
        shown = words(browser.page(address))
        assert TABLE in shown
        assert "Lookout" in shown
    assert f"{what.capitalize()} Account" in browser.part(f"{item(browser)}/{what}")
    browser.goes(f"{item(browser)}/{what}", comments="so be it", back=HOME)
    assert browser.toasts() == [f"Account was {status.lower()}."]
    shown = words(browser.page(page(account, "related/ProcessSteps/view")))
    assert all(text in shown for text in (status, "so be it", "Submitted"))
    assert "Nothing waits" in browser.page("/lightning/o/ProcessInstanceWorkitem/home")


def test_a_locked_record_is_not_edited(browser: PageBrowser, account: str) -> None:
    """Its page offers no way to those who may not, and a form that is sent all the same is refused."""
    user = seller(browser)
    submitted(browser, account, browser.org.user_id or "")
    sign_in(browser, user)
    shown = browser.page(page(account))
    assert page(account, "edit") not in shown
    assert 'aria-label="Edit Account Name"' not in shown
    refused = browser.send(page(account, "edit"), Name="Mine")
    assert "This record is locked. If you need to edit it, contact your admin." in words(refused.text)
    assert browser.org.get("Account", account)["Name"] == "Lookout"  # type: ignore[index]


def test_an_administrator_unlocks_a_record(browser: PageBrowser, account: str) -> None:
    """Others change it then, until it is locked again or submitted anew; they have no such button."""
    user, org = seller(browser), browser.org
    assert "Unlock Record" not in browser.page(page(account))
    submitted(browser, account, org.user_id or "")
    assert "Unlock Record" in browser.page(page(account))
    assert "Unlock Record" in browser.part(page(account, "lock"))
    browser.goes(page(account, "lock"))
    assert "This record is locked." not in browser.page(page(account))
    with org.acting(user):
        org.update(account, Site="North")
    browser.goes(page(account, "lock"))
    assert browser.toasts() == ["Account was locked."]
    sign_in(browser, user)
    assert "Unlock Record" not in browser.page(page(account))
    with org.acting(user), pytest.raises(DmlError, match="ENTITY_IS_LOCKED"):
        org.update(account, Site="South")


def test_unlocking_is_forgotten_with_its_request(browser: PageBrowser, account: str) -> None:
    """When a request for approval is deleted, nothing is left of it."""
    before = browser.session.mark()
    submitted(browser, account, browser.org.user_id or "")
    browser.goes(page(account, "lock"))
    (request,) = browser.org.rows("ProcessInstance")
    browser.org.delete(request["Id"])
    browser.org.purge(request["Id"])
    assert browser.session.mark() == before


def test_lines_are_locked_with_what_they_are_part_of(browser: PageBrowser) -> None:
    """The products of an opportunity that waits for approval are not changed by those who may not change it."""
    org, user = browser.org, seller(browser)
    tree = org.component("ApprovalProcess", "Account.required_account_action") or {}
    everybody = {**tree, "allowedSubmitters": [{"type": "allInternalUsers"}]}
    org.put_component("ApprovalProcess", "Opportunity.Deals", everybody)
    line = next(org.rows("OpportunityLineItem"))
    submit(org, line["OpportunityId"], approvers=[user])
    with org.acting(user), pytest.raises(DmlError, match="ENTITY_IS_LOCKED"):
        org.update(line["Id"], Quantity=77)
    org.update(line["Id"], Quantity=77)


def test_a_request_is_reassigned_and_recalled(browser: PageBrowser, account: str) -> None:
    """The history has buttons for both, and tells them."""
    submitted(browser, account, browser.org.user_id or "")
    browser.goes(f"{item(browser)}/reassign", chosen="true", approver=seller(browser), comments="", back="")
    browser.goes(page(account, "recall"), comments="not yet", back="")
    assert "This record is locked." not in browser.page(page(account))
    shown = words(browser.page(page(account, "related/ProcessSteps/view")))
    assert all(text in shown for text in ("Reassigned", "Recalled", "not yet"))
