"""How records and moments are written in Setup."""

from __future__ import annotations

from salesforce_org.metadata.listing import properties
from salesforce_org.metadata.registry import TYPES
from salesforce_org.pages.formats import day
from salesforce_org.setup.area import link
from salesforce_org.setup.tables import Cell
from salesforce_org.store import Org, Record
from salesforce_org.store.values import read_moment


def full_name(user: Record) -> str:
    """Return a user's name as lists have it: `Last, First`."""
    return ", ".join(part for part in (user["LastName"], user["FirstName"]) if part)


def moment(org: Org, text: str | None) -> str:
    """Return a moment in the org's zone, as `3/3/2026, 9:05 AM`; nothing for nothing."""
    if not text:
        return ""
    when = read_moment(text).astimezone(org.zone)
    hour, half = (when.hour + 11) % 12 + 1, "AM" if when.hour < 12 else "PM"
    return f"{when.month}/{when.day}/{when.year}, {hour}:{when.minute:02} {half}"


def modified(org: Org, kind: str, name: str) -> str:
    """Return the day on which a component was changed last."""
    stamp = str(properties(org, TYPES[kind], name)["lastModifiedDate"])
    return day(read_moment(stamp).astimezone(org.zone).date())


def named(org: Org, id: str | None) -> str:
    """Return what a record is called; nothing for nothing."""
    return org.name_of(id) or "" if id else ""


def user_link(org: Org, id: str | None) -> Cell:
    """Return a user's name, leading to the user's page."""
    return Cell(named(org, id), link("ManageUsers", f"/{id}")) if id else Cell()


def role_link(org: Org, id: str | None) -> Cell:
    """Return a role's name, leading to the role's page."""
    return Cell(named(org, id), link("Roles", f"/{id}")) if id else Cell()


def profile_link(org: Org, id: str | None) -> Cell:
    """Return a profile's name, leading to the profile's page."""
    return Cell(named(org, id), link("EnhancedProfiles", f"/{id}")) if id else Cell()


def stamped(org: Org, row: Record, by: str, at: str) -> Cell:
    """Return who did something to a record, and when."""
    return Cell(", ".join(part for part in (named(org, row.get(by)), moment(org, row.get(at))) if part))


def stamps(org: Org, row: Record) -> list[tuple[str, Cell]]:
    """Return who made a record and who changed it last."""
    return [
        ("Created By", stamped(org, row, "CreatedById", "CreatedDate")),
        ("Last Modified By", stamped(org, row, "LastModifiedById", "LastModifiedDate")),
    ]
