"""Profiles: list, and a page that shows what each lets users do."""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response

from salesforce_org.setup.area import Area, SetupVisit, link
from salesforce_org.setup.permissions.access import RIGHTS, access, governed, set_of_profile
from salesforce_org.setup.permissions.settings import ObjectSettings
from salesforce_org.setup.permissions.system import system_permissions
from salesforce_org.setup.shown import named, stamps
from salesforce_org.setup.tables import Cell, Column, ListPage, Table, letters, listing, related, show_list
from salesforce_org.setup.users.listing import columns as user_columns
from salesforce_org.store import Org, Record, SObject

PROFILES = Area("EnhancedProfiles", "user")


def parents(org: Org, profile: Record) -> list[str]:
    """Return the permission set behind a profile, as a list of one or none."""
    found = set_of_profile(org, profile["Id"])
    return [found] if found else []


ObjectSettings("Profile", "Profile", "Name", parents, False).register(PROFILES)
INTRO = "Every user has one profile. It says what the user may see and do; permission sets add to it."


@PROFILES.get("/home")
def profiles(page: SetupVisit) -> Response:
    """Show all profiles."""
    columns = (
        Column("Profile Name", lambda row: Cell(row["Name"], page.link(f"/{row['Id']}"))),
        Column("User License", lambda row: named(page.org, row["UserLicenseId"])),
        Column("Custom", lambda row: is_custom(row)),
    )
    table = listing(page, "Profiles", columns, page.org.rows("Profile"))
    told = ListPage("Profiles", table, INTRO, (), (("all", "All Profiles"),), "all", letters(page))
    return show_list(page, told)


@PROFILES.get("/{id}")
def detail(page: SetupVisit) -> Response:
    """Show a profile with its rights on objects."""
    row = page.record("Profile")
    org = page.org
    pairs = [
        ("Name", Cell(row["Name"])),
        ("User License", Cell(named(org, row["UserLicenseId"]))),
        ("Description", Cell(row["Description"] or "")),
        ("Custom Profile", Cell(checked=is_custom(row))),
        *stamps(org, row),
    ]
    standard = [one for one in governed(org) if not one.custom]
    own = [one for one in governed(org) if one.custom]
    return page.render(
        "setup/profile.html",
        row=row,
        pairs=pairs,
        permissions=[
            (one.label, Cell(checked=bool(row[one.name])))
            for one in system_permissions(org.schema["Profile"])
        ],
        standard=_rights(page, row, "Standard Object Permissions", standard),
        custom=_rights(page, row, "Custom Object Permissions", own),
    )


@PROFILES.get("/{id}/users")
def users(page: SetupVisit) -> Response:
    """Show who has a profile."""
    row = page.record("Profile")
    found = page.org.rows("User", ProfileId=row["Id"])
    table = listing(page, "Assigned Users", user_columns(_users_page(page)), found)
    return show_list(page, ListPage(f"Assigned Users: {row['Name']}", table, letters=letters(page)))


def is_custom(row: Record) -> bool:
    """Whether people made the profile: those of Salesforce's own that can be changed carry the word in their name."""
    return str(row["Name"]).startswith("Custom: ")


def _users_page(page: SetupVisit) -> SetupVisit:
    return SetupVisit(page.visit, "ManageUsers", page.path, page.query, page.params)


def _rights(page: SetupVisit, row: Record, name: str, kinds: list[SObject]) -> Table:
    found = parents(page.org, row)
    given = {kind.name: access(page.org, found, kind.name).rights for kind in kinds}
    columns = (
        Column(
            "Object",
            lambda kind: Cell(kind.plural, link("EnhancedProfiles", f"/{row['Id']}/objects/{kind.name}")),
        ),
        *(Column(label, _right(given, right)) for right, label in RIGHTS),
    )
    return related(name, columns, kinds)


def _right(given: dict[str, frozenset[str]], right: str) -> Callable[[SObject], bool]:
    return lambda kind: right in given[kind.name]
