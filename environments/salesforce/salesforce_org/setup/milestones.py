"""Milestones: the steps of support that entitlement processes measure."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import of_picklist
from salesforce_org.setup.forms import (
    CANCEL,
    SAVE,
    SAVE_AND_NEW,
    Form,
    Input,
    Section,
    put_record,
    record_form,
)
from salesforce_org.setup.shown import stamps
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, letters, listing, show_list
from salesforce_org.store import Org, Record
from salesforce_org.store.errors import OrgError

MILESTONES = Area("MilestoneTypes", "entitlement")
INTRO = (
    "Milestones are required steps in your support process, such as first response. Create them here, then add them to "
    "entitlement processes."
)


@MILESTONES.get("/home")
def milestones(page: SetupVisit) -> Response:
    """Show all milestones."""
    labels = _labels(page.org)
    columns = (
        Column("Milestone Name", lambda row: Cell(row["Name"], page.link(f"/{row['Id']}"))),
        Column("Description", lambda row: row["Description"]),
        Column("Recurrence Type", lambda row: labels.get(row["RecurrenceType"], "")),
    )
    table = listing(
        page, "Milestones", columns, page.org.rows("MilestoneType"), lambda row: _actions(page, row)
    )
    new = Action("New Milestone", page.link("/new"))
    return show_list(page, ListPage("Milestones", table, INTRO, (new,), letters=letters(page)))


@record_form(
    MILESTONES,
    lambda page: page.record("MilestoneType"),
    lambda page, row: _form(page.org, row),
    again="/new",
)
def save(page: SetupVisit, row: Record | None, values: dict[str, Any]) -> str:
    """Store a milestone."""
    return f"/{put_record(page.org, 'MilestoneType', row, values)}"


@MILESTONES.post("/{id}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a milestone, unless something needs it."""
    try:
        page.org.delete(page.record("MilestoneType")["Id"])
    except OrgError as refused:
        page.visit.toast(refused.message, "error")
    return page.go()


@MILESTONES.get("/{id}")
def detail(page: SetupVisit) -> Response:
    """Show a milestone."""
    row = page.record("MilestoneType")
    pairs = [
        ("Name", Cell(row["Name"])),
        ("Recurrence Type", Cell(_labels(page.org).get(row["RecurrenceType"], ""))),
        ("Description", Cell(row["Description"] or "")),
        ("", Cell()),
        *stamps(page.org, row),
    ]
    return page.render("setup/detail.html", kind="Milestone", row=row, name=row["Name"], pairs=pairs)


def _labels(org: Org) -> dict[str, str]:
    return {choice.value: choice.label for choice in of_picklist(org, "MilestoneType", "RecurrenceType")}


def _actions(page: SetupVisit, row: Record) -> list[Action]:
    ask = f"Are you sure you want to delete the milestone {row['Name']}?"
    return [
        Action("Edit", page.link(f"/{row['Id']}/e")),
        Action("Del", page.link(f"/{row['Id']}/delete"), post=True, confirm=ask),
    ]


def _form(org: Org, row: Record | None) -> Form:
    offered = of_picklist(org, "MilestoneType", "RecurrenceType")
    inputs = (
        Input("Name", "Name", required=True, length=80),
        Input("Description", "Description", "textarea"),
        Input("RecurrenceType", "Recurrence Type", "picklist", True, offered, none=False),
    )
    values = dict(row) if row else {"RecurrenceType": "none"}
    title = row["Name"] if row else "New Milestone"
    return Form(
        title, "Milestone", (Section("Milestone Information", inputs),), values, (SAVE, SAVE_AND_NEW, CANCEL)
    )
