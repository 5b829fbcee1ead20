"""Sales, lead and support processes, case assignment rules and entitlement processes in Setup."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from salesforce_org.store import Org
from salesforce_org.store.values import moment

from .setup_browser import Browser, browser, writes

SALES = "/lightning/setup/OpportunityProcess/home"


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def stages(one: Browser, name: str) -> list[str]:
    """Return the values of a sales process as metadata has them."""
    tree = one.org.component("BusinessProcess", f"Opportunity.{name}") or {}
    return [entry["fullName"] for entry in tree["values"]]


def test_a_new_sales_process_begins_with_all_stages(setup: Browser) -> None:
    """A process made from the master has every stage until some are taken out; metadata encodes their names."""
    setup.go(SALES).open("New").send("Save", name="B2B", description="Firms")
    assert len(stages(setup, "B2B")) == 10
    setup.send("Save", values=["Prospecting", "Negotiation/Review", "Closed Won"], default="Prospecting")
    assert stages(setup, "B2B") == ["Closed Won", "Negotiation%2FReview", "Prospecting"]
    assert [row[0] for row in setup.rows("Opportunity Stage")] == [
        "Prospecting",
        "Negotiation/Review",
        "Closed Won",
    ]
    assert {kind for kind, _ in writes(setup)} == {"metadata/BusinessProcess"}


def test_a_sales_process_is_copied_and_renamed(setup: Browser) -> None:
    """A process made from another has its stages; a rename keeps them."""
    setup.go(SALES).open("New").send("Save", name="B2B").send("Save", values=["Prospecting"])
    setup.go(SALES).open("New").send("Save", source="B2B", name="A/B v1.1").send("Save")
    assert stages(setup, "A%2FB v1%2E1") == ["Prospecting"]
    setup.go(SALES).open("Edit A/B v1.1").send("Save", name="Retail", active=None)
    assert stages(setup, "Retail") == ["Prospecting"]
    assert [row[1:4:2] for row in setup.go(SALES).rows("Sales Processes")] == [
        ["B2B", "True"],
        ["Retail", "False"],
    ]


@pytest.mark.parametrize("name", ["", "b2b"])
def test_sales_processes_have_distinct_names(setup: Browser, name: str) -> None:
    """A process without a name and one with a name that is taken are told in the form."""
    setup.go(SALES).open("New").send("Save", name="B2B").go(SALES).open("New").send("Save", name=name)
    assert "Another sales process has this name" in setup.text or "You must enter a value" in setup.text
    assert len(setup.org.components("BusinessProcess")) == 1


def test_a_sales_process_that_is_used_stays(setup: Browser) -> None:
    """A process goes, unless a record type has it."""
    setup.go(SALES).open("New").send("Save", name="B2B")
    setup.org.put_component("RecordType", "Opportunity.Big", {"businessProcess": "B2B"})
    setup.go(SALES).send("Del B2B")
    assert setup.org.component("BusinessProcess", "Opportunity.B2B")
    setup.org.put_component("RecordType", "Opportunity.Big", None)
    setup.go(SALES).send("Del B2B")
    assert not setup.org.components("BusinessProcess")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("node", "value"), [("LeadProcesses", "Open - Not Contacted"), ("CaseProcess", "Escalated")]
)
def test_lead_and_support_processes(setup: Browser, node: str, value: str) -> None:
    """Leads and cases have processes of their own, made the same way."""
    setup.go(f"/lightning/setup/{node}/home").open("New").send("Save", name="Short").send(
        "Save", values=[value]
    )
    (tree,) = setup.org.components("BusinessProcess").values()
    assert [entry["fullName"] for entry in tree["values"]] == [value]


RULES = "/lightning/setup/CaseRules/home"
QUEUE = "billing_support_queue"


def rules(one: Browser) -> list[dict[str, Any]]:
    """Return the case assignment rules as metadata has them."""
    return list((one.org.component("AssignmentRules", "Case") or {}).get("assignmentRule", ()))


def entry(one: Browser, *rows: tuple[str, str, str], logic: str = "", **more: str) -> Browser:
    """Fill in a rule entry and save it."""
    parts = {part: [row[at] for row in rows] for at, part in enumerate(("field", "operator", "value"))}
    given = {f"criteria:{part}": values for part, values in parts.items()}
    return one.send("Save", **{**given, "criteria:logic": logic, "assignee": QUEUE, **more})


BILLING = ("Case.Description", "contains", "billing")
FIVE = ("Case.CaseNumber", "startsWith", "5")


def test_a_case_assignment_rule(setup: Browser) -> None:
    """A rule is made first, then its entries: order, criteria with filter logic, and the queue."""
    setup.go(RULES).open("New").send("Save", name="Billing").open("Billing").open("New")
    entry(setup, BILLING, FIVE, logic="1 OR 2")
    assert rules(setup) == [
        {
            "fullName": "Billing",
            "active": False,
            "ruleEntry": [
                {
                    "assignedTo": QUEUE,
                    "assignedToType": "Queue",
                    "criteriaItems": [
                        {"field": "Case.Description", "operation": "contains", "value": "billing"},
                        {"field": "Case.CaseNumber", "operation": "startsWith", "value": "5"},
                    ],
                    "booleanFilter": "1 OR 2",
                }
            ],
        }
    ]
    told = "1. Case: Description contains billing, 2. Case: Case Number starts with 5 (1 OR 2)"
    assert setup.rows("Rule Entries")[0][1:] == ["1", told, "Billing Support Queue", ""]


def test_entries_are_put_in_order(setup: Browser) -> None:
    """A new entry takes the place that its sort order says; the others move on."""
    setup.go(RULES).open("New").send("Save", name="Billing").open("Billing").open("New")
    entry(setup, BILLING).open("New")
    entry(setup, FIVE, order="1")
    assert [row[2] for row in setup.rows("Rule Entries")] == [
        "Case: Case Number starts with 5",
        "Case: Description contains billing",
    ]
    setup.send("Del 1")
    assert [row[1] for row in setup.rows("Rule Entries")] == ["1"]


@pytest.mark.parametrize(
    ("rows", "more", "message"),
    [
        ((), {}, "You must enter a value"),
        ((BILLING,), {"order": "3"}, "from 1 to 1"),
        ((BILLING,), {"logic": "1 OR 2"}, "not referenced"),
        ((("Case.Description", "", "x"),), {}, "Select an operator"),
        ((("Case.IsClosed", "contains", "x"),), {}, "does not fit"),
        ((("Account.AnnualRevenue", "greaterThan", "lots"),), {}, "Invalid number"),
        ((BILLING,), {"assignee": ""}, "You must enter a value"),
    ],
)
def test_entries_that_do_not_do(
    setup: Browser, rows: tuple[tuple[str, str, str], ...], more: dict[str, str], message: str
) -> None:
    """What is wrong with an entry stands beside it, and nothing is stored."""
    setup.go(RULES).open("New").send("Save", name="Billing").open("Billing").open("New")
    entry(setup, *rows, **more)
    assert message in setup.text
    assert "ruleEntry" not in rules(setup)[0]


def test_one_rule_is_active(setup: Browser) -> None:
    """A rule that is made active takes the place of the one that was."""
    for name in ("First", "Second"):
        setup.go(RULES).open("New").send("Save", name=name, active="true")
    assert [(one["fullName"], one["active"]) for one in rules(setup)] == [("First", False), ("Second", True)]


PROCESSES = "/lightning/setup/EntitlementProcesses/home"


def made(one: Browser, type: str = "Case", **more: str) -> Browser:
    """Make an entitlement process."""
    one.go(PROCESSES).open("New Entitlement Process").send("Save", type=type)
    return one.send("Save", **{"name": "Gold", "active": "true", **more})


def rows(*found: tuple[str, str, str]) -> dict[str, list[str]]:
    """Return criteria as a form sends them."""
    parts = enumerate(("field", "operator", "value"))
    return {f"criteria:{part}": [row[at] for row in found] for at, part in parts}


def test_an_entitlement_process(setup: Browser) -> None:
    """A process says when cases enter and leave it; milestones stand in it in order, each with its minutes."""
    made(setup).open("New Milestone").send("Save", milestone="Escalate case", minutes="30")
    criteria = rows(("Contact.Email", "contains", "salesforce"))
    setup.open("New Milestone").send(
        "Save", milestone="close case", minutes="5", order="1", starts="criteria", **criteria
    )
    tree = dict(setup.org.component("EntitlementProcess", "gold") or {})
    assert tree["entryStartDateField"] == "Case.CreatedDate"
    assert tree["exitCriteriaFilterItems"] == [
        {"field": "Case.IsClosed", "operation": "equals", "value": "true"}
    ]
    assert [one["milestoneName"] for one in tree["milestones"]] == ["close case", "Escalate case"]
    assert tree["milestones"][0]["milestoneCriteriaFilterItems"][0]["field"] == "Contact.Email"
    assert setup.org.one("SlaProcess", Name="Gold")["IsActive"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"milestone": ""}, "You must enter a value"),
        ({"minutes": "soon"}, "a number of minutes"),
        ({"order": "2"}, "from 1 to 1"),
    ],
)
def test_milestones_that_do_not_do(setup: Browser, given: dict[str, str], message: str) -> None:
    """What is wrong with a milestone stands beside it, and nothing is stored."""
    whole = {"milestone": "close case", "minutes": "5", **given}
    made(setup).open("New Milestone").send("Save", **whole)
    assert message in setup.text
    assert "milestones" not in (setup.org.component("EntitlementProcess", "gold") or {})


@pytest.mark.slow
@pytest.mark.parametrize("type", ["WorkOrder", "Incident"])
def test_processes_of_other_records(setup: Browser, type: str) -> None:
    """Work orders and incidents have processes of their own; custom exit criteria take the place of closing."""
    made(setup, type, exits="custom", **rows(("User.Country", "startsWith", "U")))
    tree = setup.org.component("EntitlementProcess", "gold") or {}
    assert (tree["SObjectType"], tree["entryStartDateField"]) == (type, f"{type}.CreatedDate")
    assert tree["exitCriteriaFilterItems"][0]["field"] == "User.Country"


def test_a_new_version(setup: Browser) -> None:
    """A new version is a copy with the next number that is not active yet."""
    made(setup).send("Create New Version")
    second = setup.org.component("EntitlementProcess", "gold_v2") or {}
    assert (second["versionNumber"], second["active"], second["versionMaster"]) == ("2", False, "gold")


def test_formulas_take_the_place_of_criteria(setup: Browser) -> None:
    """A milestone begins, and a case leaves the process, where a formula is true of it; a wrong one is refused."""
    made(setup, exits="formula", formula='ISPICKVAL(Status, "Escalated")').open("New Milestone")
    told = {"milestone": "close case", "minutes": "5"}
    assert "Syntax error" in setup.send("Save", **told, formula="ISPICKVAL(").text
    setup.send("Save", **told, formula='ISPICKVAL(Priority, "Low")')
    setup.open("Edit 1").send("Save")
    org = setup.org
    tree = org.component("EntitlementProcess", "gold") or {}
    assert tree["milestones"][0]["milestoneCriteriaFormula"] == 'ISPICKVAL(Priority, "Low")'
    assert "exitCriteriaFilterItems" not in tree
    entitlement = next(org.rows("Entitlement"))
    org.update(entitlement["Id"], SlaProcessId=org.one("SlaProcess", Name="Gold")["Id"])
    told = {"Subject": "Late", "Status": "New", "Origin": "Web", "EntitlementId": entitlement["Id"]}
    case = org.insert("Case", **told, Priority="High")
    assert not list(org.rows("CaseMilestone", CaseId=case))
    org.update(case, Priority="Low")
    assert len(list(org.rows("CaseMilestone", CaseId=case))) == 1
    org.update(case, Status="Escalated")
    assert org.one("Case", Id=case)["SlaExitDate"]


def _let_milestones_escalate(org: Org) -> None:
    """Let success actions of the process give a case a high priority."""
    told = {
        "fullName": "Up",
        "name": "Up",
        "field": "Priority",
        "operation": "Literal",
        "literalValue": "High",
    }
    org.put_component("Workflow", "Case", {"fieldUpdates": [told]})
    tree = dict(org.component("EntitlementProcess", "gold") or {})
    actions = [{"name": "Up", "type": "FieldUpdate"}]
    tree["milestones"] = [{**one, "successActions": actions} for one in tree["milestones"]]
    org.put_component("EntitlementProcess", "gold", tree)


def test_cases_get_the_milestones_of_their_process(setup: Browser) -> None:
    """A case whose entitlement has the process gets the milestones it meets; late ones are violated.

    A completed one does its success actions, once.
    """
    made(setup).open("New Milestone").send("Save", milestone="Escalate case", minutes="1")
    setup.open("New Milestone").send(
        "Save", milestone="close case", minutes="5", **rows(("Case.Priority", "equals", "Low"))
    )
    org = setup.org
    entitlement = next(org.rows("Entitlement"))
    org.update(entitlement["Id"], SlaProcessId=org.one("SlaProcess", Name="Gold")["Id"])
    case = org.insert("Case", Subject="Late", Status="New", Origin="Web", EntitlementId=entitlement["Id"])
    (first,) = org.rows("CaseMilestone", CaseId=case)
    kind = org.schema["CaseMilestone"]
    late = kind.field("IsViolated")
    assert late
    assert not org.value(kind, first, late)
    org.now += timedelta(minutes=2)
    assert org.value(kind, first, late)
    org.update(case, Priority="Low")
    assert len(list(org.rows("CaseMilestone", CaseId=case))) == 2
    _let_milestones_escalate(org)
    org.update(first["Id"], CompletionDate=moment(org.now))
    assert org.one("Case", Id=case)["Priority"] == "High"
    org.update(case, Priority="Low")
    org.update(first["Id"], StartDate=moment(org.now))
    assert org.one("Case", Id=case)["Priority"] == "Low"
    org.update(case, Status="Closed")
    assert org.one("Case", Id=case)["SlaExitDate"]
