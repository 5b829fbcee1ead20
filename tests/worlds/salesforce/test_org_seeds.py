"""Seeded orgs: whole, repeatable, different, and with what tasks are about."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib

import pytest

from salesforce_org.list_views import list_views
from salesforce_org.sessions import fingerprint
from salesforce_org.store import Org

from .org_building import FIXTURES, ROOT, fresh, seeder

SEEDS = (0, 1, 7)
PRINT = """
import sys
from pathlib import Path
from salesforce_org.seeding import Seeder
from salesforce_org.sessions import fingerprint
print(fingerprint(Seeder(Path(sys.argv[1])).build(5)))
"""
NAMED = {
    "User": """Alice Bob, Foo Bar, John Doe, Sofia Bennett, Sample User, Hello World, Maria Rodriguez, Auditor,
        Accountant, Controller, Security User, Integration User""",
    "Account": """Knight LLC, Lee Services, Green Solutions, Tech Giants, Black Enterprises, White Industries,
        Innovate Ltd, Old Balance, Greentrail Logistics, Next Horizon Technologies""",
    "Lead": """Frank Knight, Jane Smith, Alice Johnson, David Lee, Grace King, Ali Alaba, Leo Messi, Amanda Klein,
        Priya Sharma, Lucas Chen, Jordan Hayes, Charlie Green, Emily White""",
    "Contact": "David Kim, Ronny Chen, Alice Bob, Ethan Parker, Emily Johnson",
    "Opportunity": """Cloud Software Deal, Enterprise Software Sale, Product Development, Consulting Service,
        Security Solutions, Maintenance Contract, IT Outsourcing, Digital Marketing, Supply Chain Project,
        QuantumLeap Integration Opportunity, Quantum Dynamics EDA Integration,
        Innovative EDA Partnership with FutureTech, EcoEnergy Solutions - Advanced EDA Integration,
        DigitalWave-TechPulse Strategic Partnership""",
    "Product2": """ThermalMax Pro, CoolBreeze Elite, Smart Fitness Tracker, Organic Skincare Set,
        Titanium Pro Laptop, PowerCell X1, EnergyBoost Max, StorageMax Pro, SecureAuth Pro, AccessGuard, DataFlow X2,
        ProcessEngine Max""",
}
ABSENT = {
    "Account": """TechFlow Solutions, Global Manufacturing Corp,
        King Innovations, NovaAxis Corp – Global, MegaCorp Financial - Parent""",
    "Contact": "Marcus Roth, Jordan Lee, Emily Zhao, Sarah Mitchell, Michael Chen",
    "Lead": "John Doe, Maya Patel, Kevin Tran, David Rodriguez, Marcus Thompson",
    "Product2": "ChillRun, MonsterRun, BrightEase, CityCruze, SmartLock Pro, BrewMaster Elite",
    "Pricebook2": "Holiday Sale, Year End Special, Summer Special, Winter Deal, Bulk Sale, Starter Sale",
    "UserRole": "CTO, Chief Procurement Officer, Associate Sales Representative, Customer Service Agent",
    "Group": "Reviewer, Finance Team, ProjectReviewers, Sales Team, Marketing Team, Shoe Case Support, VIP Support",
}


def split(text: str) -> list[str]:
    """Return the names of a list with commas."""
    return [" ".join(name.split()) for name in text.split(",")]


@pytest.fixture(params=SEEDS)
def org(request: pytest.FixtureRequest) -> Org:
    """An org of one of several seeds."""
    return fresh(request.param)


@pytest.mark.slow
def test_a_seed_gives_the_same_org_in_every_process() -> None:
    """Another process with other hashes of text builds the same records and components."""
    found = {
        subprocess.run(
            [sys.executable, "-c", PRINT, str(FIXTURES)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hashed, "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout.strip()
        for hashed in ("1", "2")
    }
    assert found == {fingerprint(fresh(5))}


def test_seeds_differ_in_people_day_and_filler() -> None:
    """Two seeds have another administrator, another day, other companies, and the same facts."""
    one, other = fresh(0), fresh(1)
    assert one.today() != other.today()
    assert one.name_of(one.user_id) != other.name_of(other.user_id)
    names = [{row["Name"] for row in org.rows("Account")} for org in (one, other)]
    assert names[0] - names[1]
    assert set(split(NAMED["Account"])) <= names[0] & names[1]


def test_an_org_begins_on_a_working_day(org: Org) -> None:
    """The org's day is no Saturday or Sunday, and nothing is of the future."""
    assert org.today().weekday() < 5
    now = org.now.strftime("%Y-%m-%dT%H:%M:%S")
    assert (
        max(
            row["LastModifiedDate"]
            for rows in org.collections().values()
            for row in rows.values()
            if "Id" in row
        )
        < now
    )


def test_the_journal_is_empty_at_the_start(org: Org) -> None:
    """What a seed wrote is nobody's deed."""
    assert not seeder().build(3).journal.writes
    assert not org.journal.writes


def test_every_reference_leads_to_a_record(org: Org) -> None:
    """No seeded record points into nothing."""
    for object in org.schema.objects.values():
        for row in org.rows(object.name):
            for field in object.fields:
                if field.type == "reference" and field.stored and row[field.name]:
                    found = org.schema.of_id(row[field.name])
                    assert found is not None, (object.name, field.name)
                    assert org.get(found.name, row[field.name]) is not None, (object.name, field.name)


def test_every_picklist_value_is_an_entry(org: Org) -> None:
    """Seeded records have values that their picklists offer."""
    for object in org.schema.objects.values():
        for field in object.fields:
            entries = {entry.value for entry in org.picklist(field)}
            if field.type != "picklist" or not entries or not field.stored:
                continue
            used = {row[field.name] for row in org.rows(object.name)} - {None}
            assert used <= entries, (object.name, field.name)


@pytest.mark.parametrize("object", NAMED)
def test_what_tasks_name_is_there_once(org: Org, object: str) -> None:
    """Every record that a task names is in every seed's org, and no other has its name."""
    names = [row["Name"] for row in org.rows(object)]
    assert [name for name in split(NAMED[object]) if names.count(name) != 1] == []


@pytest.mark.parametrize("object", ABSENT)
def test_what_tasks_make_is_not_there(org: Org, object: str) -> None:
    """Nothing that a task asks for exists before."""
    names = {str(row["Name"]).casefold() for row in org.rows(object)}
    assert [name for name in split(ABSENT[object]) if name.casefold() in names] == []


def test_goals_are_not_reached_at_the_start(org: Org) -> None:
    """Stages, statuses and flags that tasks set are set otherwise."""
    stages = {
        "Cloud Software Deal": "Value Proposition",
        "Enterprise Software Sale": "Perception Analysis",
        "Product Development": "Negotiation/Review",
        "Consulting Service": "Proposal/Price Quote",
        "Security Solutions": "Needs Analysis",
    }
    assert all(org.one("Opportunity", Name=name)["StageName"] != stage for name, stage in stages.items())
    cases = {
        "Login Issues with Mobile Application": "Working",
        "Feature Request: Dark Mode Support": "Pending",
        "Payment Processing Error": "Working",
        "Data Synchronization Issue": "Escalated",
        "Account Billing Discrepancy": "Escalated",
    }
    for subject, status in cases.items():
        row = org.one("Case", Subject=subject)
        assert row["Status"] != status
        assert (row["SLAViolation__c"], row["PotentialLiability__c"]) == ("No", "No")
    assert {row["Status"] for row in org.rows("Incident")} == {"New"}
    assert not any(row["IsFrozen"] for row in org.rows("UserLogin"))


def test_a_role_tree_stands_as_tasks_expect_it(org: Org) -> None:
    """CEO is on top, and what a task moves is elsewhere."""
    parents = {row["Name"]: org.name_of(row["ParentRoleId"]) for row in org.rows("UserRole")}
    assert parents["CEO"] is None
    assert parents["Customer Support, North America"] == "SVP, Customer Service & Support"
    assert parents["Vice President of Sales"] != "CEO"
    assert parents["Sales Manager"] != "Vice President of Sales"


def allowed(org: Org, parent: str, object: str) -> set[str]:
    """Return what a permission set allows with an object."""
    rows = org.rows("ObjectPermissions", ParentId=parent, SobjectType=object)
    return {
        name.removeprefix("Permissions")
        for row in rows
        for name, on in row.items()
        if name.startswith("Perm") and on
    }


def test_permissions_answer_what_is_asked_about_them(org: Org) -> None:
    """Every question about permissions has one right answer in the org."""
    sets = {row["Label"]: row["Id"] for row in org.rows("PermissionSet")}
    assert allowed(org, sets["Account Access"], "Account") == {"Read", "Create"}
    asked = """Agentforce Service Agent Secure Base, C360 High Scale Flow Integration User, Cases Admin,
        ConnectivityServiceCASCPermSet"""
    assert [name for name in split(asked) if "Edit" not in allowed(org, sets[name], "Case")] == [
        split(asked)[0]
    ]
    assert ["Delete" in allowed(org, sets["Buyer"], name) for name in ("Account", "Order")] == [False, True]
    profiles = {
        name: allowed(
            org, org.one("PermissionSet", ProfileId=org.one("Profile", Name=name)["Id"])["Id"], "Opportunity"
        )
        for name in ("Custom: Sales Profile", "Gold Partner User", "Analytics Cloud Integration User")
    }
    assert min(profiles, key=lambda name: len(profiles[name])) == "Analytics Cloud Integration User"
    assert (
        profiles["Analytics Cloud Integration User"]
        < profiles["Gold Partner User"]
        < profiles["Custom: Sales Profile"]
    )


def test_one_group_grants_the_deletion_of_accounts(org: Org) -> None:
    """Of the groups that are asked about, one allows to delete accounts; those that tasks make are not there."""
    deleting = []
    for label in ("Merchandising Team", "Commerce_Shopper", "LaLaLandUsers"):
        group = org.one("PermissionSetGroup", MasterLabel=label)
        parts = org.rows("PermissionSetGroupComponent", PermissionSetGroupId=group["Id"])
        if any("Delete" in allowed(org, part["PermissionSetId"], "Account") for part in parts):
            deleting.append(label)
    assert deleting == ["Merchandising Team"]
    made = {"Product Admin", "Trainee Analyst", "New Sales User", "FinanceTeamAccess"}
    assert not made & {row["MasterLabel"] for row in org.rows("PermissionSetGroup")}


def test_products_have_a_standard_price(org: Org) -> None:
    """Every product can be quoted."""
    priced = {row["Product2Id"] for row in org.rows("PricebookEntry")}
    assert {row["Id"] for row in org.rows("Product2")} == priced


def test_the_newest_call_of_a_lead_is_the_one_with_the_fact(org: Org) -> None:
    """Who sorts calls by their day finds the one that counts, and no call tells its fact in so many words."""
    told = tomllib.loads((FIXTURES / "calls.toml").read_text(encoding="utf-8"))["call"]
    facts = {one["name"]: one for one in told if "fact" in one}
    assert len(facts) == 10
    for lead in {row["LeadId__c"] for row in org.rows("VoiceCallTranscript__c")} - {None}:
        newest = max(
            org.rows("VoiceCallTranscript__c", LeadId__c=lead), key=lambda row: row["CreatedDate__c"]
        )
        assert newest["Name"] in facts


def test_articles_hold_their_facts_and_are_published(org: Org) -> None:
    """What is asked about articles stands in one published article each."""
    told = tomllib.loads((FIXTURES / "articles.toml").read_text(encoding="utf-8"))["article"]
    published = [row["Answer__c"] for row in org.rows("Knowledge__kav", PublishStatus="Online")]
    for fact in [one["fact"] for one in told if len(one.get("fact", "")) > 5]:
        assert sum(fact in text for text in published) == 1, fact


def test_list_views_name_fields_that_exist(org: Org) -> None:
    """Columns and filters of every list view lead to fields, and every view has its record."""
    for object in org.schema.objects.values():
        for view in list_views(org, object.name):
            for path in (*view.columns, *(one.field for one in view.filters)):
                first, _, rest = path.partition(".")
                found = object.parent(first) if rest else object.field(first)
                assert found is not None, (view.full_name, path)
    assert org.one("ListView", SobjectType="Order", Name="All Orders")


def test_apps_name_tabs_of_objects(org: Org) -> None:
    """Every tab of an app is a page or an object's."""
    pages = {"standard-home", "standard-report", "standard-Dashboard", "standard-Knowledge"}
    for app in org.components("CustomApplication").values():
        for tab in app["tabs"]:
            assert tab in pages or org.schema.get(tab.removeprefix("standard-")) is not None, tab


def test_nobody_but_the_project_wrote_the_texts() -> None:
    """Fixtures tell no upstream sentence but the answers themselves; names of records are facts."""
    folder = ROOT.parent / "shared" / "upstream" / "scuba"
    if not folder.is_dir():
        pytest.skip("../shared/upstream/scuba is not here")
    asked = (folder / "tasks.json").read_text(encoding="utf-8").casefold()
    for name in ("calls", "pipeline"):
        for line in (FIXTURES / f"{name}.toml").read_text(encoding="utf-8").splitlines():
            text = line.partition(": ")[2]
            assert len(text) < 40 or text.casefold() not in asked
