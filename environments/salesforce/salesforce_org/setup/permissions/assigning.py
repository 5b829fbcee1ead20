"""Manage Assignments of a permission set or a group: who has it, and the steps to give it to users."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from starlette.responses import Response

from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.permissions.access import bearer
from salesforce_org.setup.shown import full_name, moment, named, profile_link, role_link, user_link
from salesforce_org.setup.tables import Cell, Column, Table, related
from salesforce_org.setup.wizard import Draft, Step, Wizard
from salesforce_org.store import DmlError, Org, Record
from salesforce_org.store.errors import OrgError
from salesforce_org.store.values import moment as as_moment

TERMS = (Choice("1", "1 Day"), Choice("7", "1 Week"), Choice("30", "30 Days"), Choice("60", "60 Days"))
CUSTOM = Choice("custom", "Custom Date")


@dataclass(frozen=True, slots=True)
class Assigning:
    """The pages, at `/{id}/assignments` and `/{id}/assign` of an area.

    Attributes:
        object: What is assigned, and `reference` the field of an assignment that points to it.
    """

    object: str
    reference: str
    name_field: str

    def register(self, area: Area) -> None:
        """Put the pages at their addresses."""
        area.get("/{id}/assignments")(self.show)
        area.post("/{id}/assignments/remove")(self.remove)
        area.get("/{id}/assign/summary")(self.summary)
        steps = (
            Step("Select Users to Assign", "setup/assign_users.html", _take_users, self._users),
            Step(
                "Select an Expiration Option For Assigned Users",
                "setup/assign_until.html",
                _take_until,
                _terms,
                "Assign",
            ),
        )
        Wizard(
            "Manage Assignments",
            "/{id}/assign",
            steps,
            self._begin,
            self._finish,
            self._back,
        ).register(area)

    def show(self, page: SetupVisit) -> Response:
        """Show who has it."""
        owner = bearer(page, self.object)
        return page.render(
            "setup/assignments.html",
            owner=owner,
            name=owner[self.name_field],
            table=self._table(page, owner),
        )

    def remove(self, page: SetupVisit) -> Response:
        """Take it away from the ticked users."""
        owner = bearer(page, self.object)
        ticked = [page.find("PermissionSetAssignment", id) for id in page.fields("assignments")]
        mine = [row for row in ticked if row[self.reference] == owner["Id"]]
        for row in mine:
            page.org.delete(row["Id"])
        told = f"{len(mine)} assignment(s) removed." if mine else "Select at least one assignment."
        page.visit.toast(told, "success" if mine else "error")
        return page.go(f"/{owner['Id']}/assignments")

    def summary(self, page: SetupVisit) -> Response:
        """Say what became of every user of the last assignment."""
        owner = bearer(page, self.object)
        results = page.drafts.get(f"/{owner['Id']}/assign/summary", {})
        columns = (
            Column("Full Name", lambda result: user_link(page.org, result[0])),
            Column("Status", lambda result: "Failed" if result[1] else "Success"),
            Column("Message", lambda result: result[1] or "Assigned"),
        )
        table = related("Assignment Summary", columns, results.items())
        return page.render("setup/assign_summary.html", owner=owner, name=owner[self.name_field], table=table)

    def _begin(self, page: SetupVisit) -> Draft:
        bearer(page, self.object)
        return {"users": [], "until": "never", "term": TERMS[2].value, "date": ""}

    def _users(self, page: SetupVisit, draft: Draft) -> dict[str, Any]:
        owner = bearer(page, self.object)
        columns = (
            Column("Full Name", lambda user: full_name(user)),
            Column("Alias", lambda user: user["Alias"]),
            Column("Username", lambda user: user["Username"]),
            Column("Role", lambda user: named(page.org, user["UserRoleId"])),
            Column("Active", lambda user: bool(user["IsActive"])),
            Column("Profile", lambda user: named(page.org, user["ProfileId"])),
        )
        users = sorted(page.org.rows("User", IsActive=True), key=lambda user: full_name(user).casefold())
        return {"name": owner[self.name_field], "table": related("Users", columns, users)}

    def _finish(self, page: SetupVisit, draft: Draft) -> Response:
        owner = bearer(page, self.object)
        until = expiration(page.org, draft)
        results = {id: self._assign(page.org, owner, id, until) for id in draft["users"]}
        page.drafts[f"/{owner['Id']}/assign/summary"] = results
        return page.go(f"/{owner['Id']}/assign/summary")

    def _assign(self, org: Org, owner: Record, user_id: str, until: str | None) -> str:
        """Give it to a user; return what went wrong, or nothing."""
        wanted = {self.reference: owner["Id"], "AssigneeId": user_id}
        if next(org.rows("PermissionSetAssignment", **wanted), None):
            return "This user has the assignment already."
        try:
            org.insert("PermissionSetAssignment", **wanted, ExpirationDate=until)
        except OrgError as refused:
            return refused.message
        return ""

    def _back(self, page: SetupVisit) -> str:
        return f"/{page.params['id']}/assignments"

    def _table(self, page: SetupVisit, owner: Record) -> Table:
        org = page.org
        rows = list(org.rows("PermissionSetAssignment", **{self.reference: owner["Id"]}))

        def user(row: Record) -> Record:
            return org.get("User", row["AssigneeId"]) or {}

        columns = (
            Column("Full Name", lambda row: user_link(org, row["AssigneeId"])),
            Column("Username", lambda row: Cell(user(row)["Username"])),
            Column("Active", lambda row: bool(user(row)["IsActive"])),
            Column("Role", lambda row: role_link(org, user(row)["UserRoleId"])),
            Column("Profile", lambda row: profile_link(org, user(row)["ProfileId"])),
            Column("Expires On", lambda row: moment(org, row["ExpirationDate"]) or "Never Expires"),
        )
        return related("Current Assignments", columns, rows)


def _take_users(page: SetupVisit, draft: Draft) -> str:
    draft["users"] = [id for id in page.fields("users") if page.org.get("User", id)]
    return "" if draft["users"] else "Select at least one user."


def _terms(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    return {"terms": (*TERMS, CUSTOM), "name": "", "today": page.org.today().isoformat()}


def _take_until(page: SetupVisit, draft: Draft) -> str:
    draft |= {name: page.field(name) for name in ("until", "term", "date")}
    try:
        expiration(page.org, draft)
    except DmlError as refused:
        return refused.message
    return ""


def expiration(org: Org, draft: Draft) -> str | None:
    """Return the moment until which an assignment holds: the end of a day; None for ever.

    Raises:
        DmlError: The day is none, or is past.
    """
    if draft["until"] != "on":
        return None
    if draft["term"] in {choice.value for choice in TERMS}:
        day = org.today() + timedelta(days=int(draft["term"]))
    else:
        try:
            day = date.fromisoformat(draft["date"])
        except ValueError:
            raise DmlError("INVALID_DATE", "Enter the expiration date.") from None
    if day <= org.today():
        raise DmlError("INVALID_DATE", "The expiration date must be in the future.")
    end = datetime.combine(day, time(23, 59), org.zone)
    return as_moment(end.astimezone(UTC))
