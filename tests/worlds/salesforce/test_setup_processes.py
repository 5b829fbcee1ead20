"""Sales, lead and support processes, case assignment rules and entitlement processes in Setup."""

from __future__ import annotations

import pytest

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
