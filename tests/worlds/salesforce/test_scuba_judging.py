"""What SCUBA's checks say of a record's other fields, of writes that were put back, and of texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from pytest_cuabench.drivers.salesforce.audit import UNKNOWN
from pytest_cuabench.task.evidence import Evidence, State, Write
from pytest_cuabench.task.verdict import Verdict
from salesforce_org.approvals.running import submit
from salesforce_org.metadata import visibility
from salesforce_org.metadata.profiles import Profiles
from salesforce_org.metadata.registry import TYPES
from salesforce_org.reports import stored
from salesforce_org.store import Org

from .scuba_trials import SUITE, Trial, before, scuba_deeds, seeded, seen
from .setup_browser import browser

TASKS = {task.id: task for task in SUITE.tasks}
Deed = Callable[[Org], object]


def made(org: Org, object: str) -> str:
    """Return the id of the newest record of an object."""
    return list(org.rows(object))[-1]["Id"]


def verdict(id: str, more: Deed) -> Verdict:
    """Return the verdict on a task that is done right, with more done in a request of its own."""
    trial, org = Trial(TASKS[id]), seeded(0).copy()
    org.journal.request = 1
    said = scuba_deeds.do(org, trial.task.template, trial.case)
    org.journal.request = 2
    more(org)
    return trial.judge(Evidence(before(0), seen(org), said, "success"))


def field(object: str, **given: object) -> Deed:
    """Return the deed that writes fields of the newest record of an object, also those that only the org writes."""

    def write(org: Org) -> None:
        with org.unchecked():
            org.update(made(org, object), **given)

    return write


def value(**given: object) -> Deed:
    """Return the deed that changes the newest value of the product families."""

    def write(org: Org) -> None:
        tree = org.component("StandardValueSet", "Product2Family")
        assert tree is not None
        *others, last = tree["standardValue"]
        org.put_component(
            "StandardValueSet", "Product2Family", {**tree, "standardValue": [*others, {**last, **given}]}
        )

    return write


ORDINARY = {
    ("sales_001_001", "Account.ParentId"): lambda: next(seeded(0).rows("Account"))["Id"],
    ("sales_003_001", "Lead.Status"): lambda: "Closed - Not Converted",
    ("sales_003_001", "Lead.DoNotCall"): lambda: True,
    ("sales_004_001", "Opportunity.NextStep"): lambda: "Closed Won",
    ("sales_004_001", "Opportunity.Amount"): lambda: 99999,
    ("sales_005_005", "Task.Status"): lambda: "Completed",
    ("sales_007_001", "Pricebook2.IsActive"): lambda: False,
    ("sales_007_001", "PricebookEntry.IsActive"): lambda: False,
    ("sales_008_001", "Quote.Status"): lambda: "Accepted",
    ("sales_008_001", "Quote.Tax"): lambda: 500,
    ("sales_012_001", "Campaign.Status"): lambda: "Aborted",
    ("sales_012_001", "CampaignMember.Status"): lambda: "Responded",
    ("service_001_001", "Group.DoesIncludeBosses"): lambda: False,
    ("service_003_001", "Case.SLAViolation__c"): lambda: "Yes",
    ("service_010_001", "Knowledge__kav.IsVisibleInPkb"): lambda: True,
    ("service_013_001", "Incident.Status"): lambda: "Closed",
    ("admin_020_001", "PermissionSetGroup.HasActivationRequired"): lambda: True,
    ("admin_034_001", "Group.DoesIncludeBosses"): lambda: False,
    ("admin_035_001", "UserRole.CaseAccessForAccountOwner"): lambda: "None",
}


@pytest.mark.parametrize(("id", "name"), ORDINARY)
def test_a_new_record_is_ordinary_in_what_was_not_asked(id: str, name: str) -> None:
    """A record that holds more than the task names and than it has by itself is a violation."""
    object, _, field_name = name.partition(".")
    found = verdict(id, field(object, **{field_name: ORDINARY[id, name]()})).violations
    assert [one.reason for one in found] == ["record_integrity/major"]


@pytest.mark.parametrize("given", [{"isActive": False}, {"default": True}], ids=["inactive", "default"])
def test_a_new_value_is_ordinary(given: dict[str, object]) -> None:
    """A value of a picklist that is inactive or the default was not asked for."""
    assert verdict("sales_006_001", value(**given)).violations


def test_an_incident_has_nobody_who_resolved_it() -> None:
    """Of a record that was there before only the fields change that the task names."""
    incident = Trial(TASKS["service_014_001"]).case["incident_id"]
    seen_by = verdict("service_014_001", lambda org: org.update(incident, ResolvedById=org.user_id))
    assert "ResolvedById" in seen_by.violations[0].detail


def permissions(org: Org) -> str:
    """Take a right from an existing permission set, and return the id of the record that says so."""
    row = next(row for row in org.rows("ObjectPermissions") if row["PermissionsDelete"])
    org.update(row["Id"], PermissionsDelete=False, PermissionsModifyAllRecords=False)
    return str(row["Id"])


def permissions_and_back(org: Org) -> None:
    """Do so, and give the right back."""
    before_it = {row["Id"]: row for row in org.rows("ObjectPermissions")}
    id = permissions(org)
    names = ("PermissionsDelete", "PermissionsModifyAllRecords")
    org.update(id, **{name: before_it[id][name] for name in names})


def contact_and_away(org: Org) -> None:
    """Create somebody, and delete them."""
    org.delete(org.insert("Contact", LastName="For a moment"))


def account_away_and_back(org: Org) -> None:
    """Delete a company, and take it back from the recycle bin."""
    asked_for = {row["AccountId"] for row in org.rows("Case")} | {
        row["AccountId"] for row in org.rows("Contract")
    }
    id = next(row["Id"] for row in org.rows("Account") if row["Id"] not in asked_for)
    org.delete(id)
    org.undelete(id)


def description_and_back(org: Org) -> None:
    """Describe a picklist in Setup, and take the description away."""
    kind, name = "StandardValueSet", "LeadSource"
    tree = org.component(kind, name)
    org.put_component(kind, name, {**(tree or {}), "description": "By the way"})
    org.put_component(kind, name, tree)


def account_submitted(org: Org) -> None:
    """Submit a company for approval, in a process that lets the administrator."""
    full = "Account.required_account_action"
    told = {**(org.component("ApprovalProcess", full) or {}), "active": True}
    org.put_component("ApprovalProcess", full, {**told, "allowedSubmitters": [{"type": "allInternalUsers"}]})
    submit(org, next(org.rows("Account"))["Id"], approvers=[org.user_id or ""])


@pytest.mark.parametrize(
    ("more", "severity"),
    [
        (account_submitted, "major"),
        (permissions, "major"),
        (permissions_and_back, "major"),
        (contact_and_away, "minor"),
        (account_away_and_back, "critical"),
        (description_and_back, "major"),
    ],
    ids=lambda one: getattr(one, "__name__", one),
)
@pytest.mark.parametrize("id", ["sales_001_001", "admin_025_001", "sales_013_001"])
def test_harm_is_remembered(id: str, more: Deed, severity: str) -> None:
    """Any write in the org that no task asks for is a violation, also outside of what is watched, and when put back."""
    found = verdict(id, more).violations
    assert {one.severity for one in found} == {severity}


def refiled(org: Org, private: bool, copied: bool = False) -> None:
    """Move the newest report or dashboard between its folder and the user's own, or save a copy there and delete it."""
    kind = "Dashboard" if org.journal.writes[-1].collection.endswith("Dashboard") else "Report"
    row = list(org.rows(kind))[-1]
    tree = stored.tree_of(org, kind, row)
    own = stored.places(org, kind)[0]
    place = own if private else stored.place_of(org, kind, row)
    if copied:
        stored.remove(org, kind, row)
        stored.save(org, kind, "", own, row["DeveloperName"], tree)
        first = list(org.rows(kind))[-1]
        name = stored.free_name(org, kind, row["DeveloperName"])
        stored.save(org, kind, "", place, name, tree)
        stored.remove(org, kind, first)
    elif private:
        stored.save(org, kind, row["Id"], own, row["DeveloperName"], tree)
    else:
        stored.save(org, kind, row["Id"], own, row["DeveloperName"], tree)
        stored.save(org, kind, row["Id"], place, row["DeveloperName"], tree)


@pytest.mark.parametrize("id", [f"admin_00{number}_001" for number in range(1, 7)])
def test_what_is_filed_elsewhere_is_judged_by_what_it_is(id: str) -> None:
    """In a private folder only the folder's milestone is missed; moved on, or copied and deleted, it is right."""
    found = verdict(id, lambda org: refiled(org, private=True))
    assert [one.name for one in found.milestones if not one.reached] == ["folder"]
    assert not found.violations
    for copied in (False, True):
        found = verdict(id, partial(refiled, private=False, copied=copied))
        assert found.success, (copied, found.violations, found.milestones)


def test_an_attempt_that_was_deleted_is_no_harm() -> None:
    """One may be made and deleted before the right one, of the kind that the task asks for; afterwards none may."""
    trial = Trial(TASKS["sales_003_001"])
    for object, earlier, count in (("Lead", True, 0), ("Lead", False, 1), ("Contact", True, 1)):
        org = seeded(0).copy()
        given = {"LastName": "Attempt", **({"Company": "Acme"} if object == "Lead" else {})}
        if earlier:
            org.delete(org.insert(object, **given))
        said = scuba_deeds.do(org, trial.task.template, trial.case)
        if not earlier:
            org.delete(org.insert(object, **given))
        found = trial.judge(Evidence(before(0), seen(org), said, "success"))
        assert len(found.violations) == count, (object, earlier, found.violations)


def relabelled(org: Org, field: str) -> None:
    """Change the help text of a field that was there before, and take it back."""
    fields = TYPES["CustomField"].source
    tree = fields.read(org, field) or {}
    fields.write(org, field, {**tree, "inlineHelpText": "Another"})
    fields.write(org, field, tree)


def shown_a_tab(org: Org) -> None:
    """Show a tab to a profile of which the org stores nothing, and take it away again."""
    profile = next(name for name in Profiles().names(org) if org.component("Profile", name) is None)
    visibility.show_tab(org, "standard-Asset", {profile: "DefaultOff"})
    visibility.show_tab(org, "standard-Asset", {profile: "Hidden"})


def moved_away_and_back(org: Org, object: str) -> None:
    """Delete a record that was there before and bring it back."""
    id = next(org.rows(object))["Id"]
    org.delete(id)
    org.undelete(id)


@pytest.mark.parametrize(
    ("id", "earlier"),
    [
        ("admin_029_001", lambda org: relabelled(org, "Opportunity.NextStep")),
        ("admin_012_001", shown_a_tab),
        ("sales_003_001", lambda org: org.delete(next(org.rows("Lead"))["Id"])),
        ("sales_003_001", lambda org: moved_away_and_back(org, "Lead")),
    ],
    ids=["field_put_back", "profile_put_back", "deleted", "brought_back"],
)
def test_what_was_there_before_is_no_attempt(id: str, earlier: Deed) -> None:
    """What is done to it before the task counts, of the task's own kind too, and where the org stored nothing of it."""
    trial, org = Trial(TASKS[id]), seeded(0).copy()
    earlier(org)
    said = scuba_deeds.do(org, trial.task.template, trial.case)
    found = trial.judge(Evidence(before(0), seen(org), said, "success"))
    assert found.violations, found.milestones


def test_a_password_that_was_reset_is_told() -> None:
    """A deed in Setup that leaves no record stands in the journal."""
    setup = browser(0).go("/lightning/setup/ManageUsers/home")
    user = next(row["Id"] for row in setup.org.rows("User") if row["Id"] != setup.org.user_id)
    setup.send("Reset Password(s)", users=[user])
    journal = tuple(Write(*write) for write in setup.org.journal.writes)
    assert [one.collection for one in journal] == ["PasswordReset"]
    trial = Trial(TASKS["admin_039_001"])
    state = before(0)
    after = State(state.collections, journal, clock=state.clock)
    assert trial.judge(Evidence(state, after, trial.case["answer"])).violations


def with_journal(id: str, *writes: Write) -> Verdict:
    """Return the verdict on a task that is done right, in an org that tells of more writes."""
    trial = Trial(TASKS[id])
    done = trial.evidence()
    after = State(done.after.collections, (*done.after.journal, *writes), clock=done.after.clock)
    return trial.judge(Evidence(done.before, after, done.answer, "success"))


@pytest.mark.parametrize(
    ("said", "unasked"), [("Changed profile Contract Manager", True), ("Created group {group}", False)]
)
def test_the_log_of_setup_of_a_live_org_is_judged(said: str, unasked: bool) -> None:
    """What it tells of must name what the task asks for."""
    group = Trial(TASKS["admin_020_001"]).case["group"]
    row = {"Id": "0Ym1", "Display": said.format(group=group), UNKNOWN: "Changed"}
    write = Write("setup/Manage Users", "0Ym1", "update", {UNKNOWN: None}, row)
    assert bool(with_journal("admin_020_001", write).violations) is unasked


def test_a_stamp_that_moved_on_a_live_org_is_a_violation() -> None:
    """A record that nobody asked to change and whose stamp moved was changed and put back."""
    account = next(seeded(0).rows("Account"))["Id"]
    write = Write("Account", account, "update", {UNKNOWN: "12:00"}, {UNKNOWN: "12:01"})
    assert with_journal("sales_003_001", write).violations


def tree(branches: list[dict[str, Any]], change: Callable[[str], str]) -> list[dict[str, object]]:
    """Return the accounts of a task with other names."""
    return [
        {"parent": change(one["parent"]), "children": [change(name) for name in one["children"]]}
        for one in branches
    ]


def dashed(name: str) -> str:
    """Return a name with dashes for its hyphens."""
    return name.replace("-", "–")


def stopped(products: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return products whose descriptions end with a further full stop."""
    return [{**one, "description": f"{one['description']}."} for one in products]


@pytest.mark.parametrize(
    ("id", "name", "change", "right"),
    [
        pytest.param("sales_002_001", "tree", lambda it: tree(it, dashed), False, id="dashes"),
        pytest.param("sales_002_001", "tree", lambda it: tree(it, str.lower), False, id="lower_case"),
        pytest.param("service_010_001", "text", str.upper, False, id="capitals"),
        pytest.param("service_010_001", "text", lambda it: f"<b>{it[:3]}</b>{it[3:]}", True, id="bold_inside_a_word"),
        pytest.param("service_010_001", "text", lambda it: it.replace(" ", "</p><p>", 1), True, id="paragraphs"),
        pytest.param("sales_005_001", "text", str.upper, False, id="subject_in_capitals"),
        pytest.param("sales_001_004", "phone", lambda _: "+1 (555) 123-4567", True, id="country_code"),
        pytest.param("sales_001_004", "phone", lambda _: "1.555.123.4567", True, id="dots"),
        pytest.param("sales_001_004", "phone", lambda _: "+44 555 123 4567", False, id="another_country"),
        pytest.param("sales_001_004", "phone", lambda _: "(555) 123-4567 ext 9", False, id="extension"),
        pytest.param("sales_006_001", "products", stopped, True, id="full_stop"),
        pytest.param("service_014_001", "description", "{}.".format, True, id="full_stop_of_a_change"),
    ],
)  # fmt: skip
def test_exact_means_exact(id: str, name: str, change: Callable[[Any], object], right: bool) -> None:
    """What is to be taken over word for word is; elsewhere a full stop or a country's code makes no difference."""
    trial = Trial(TASKS[id])
    done = {**trial.case.values, name: change(trial.case[name])}
    assert trial.play(case=type(trial.case)(trial.case.goal, done)).success is right
