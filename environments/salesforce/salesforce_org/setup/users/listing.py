"""The list of users."""

from __future__ import annotations

from starlette.responses import Response

from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.shown import full_name, moment, profile_link, role_link
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, letters, listing, show_list
from salesforce_org.store import Org, Record

USERS = Area("ManageUsers", "user")
VIEWS = (
    ("all", "All Users"),
    ("active", "Active Users"),
    ("admins", "Admin Users"),
    ("inactive", "Inactive Users"),
)
INTRO = "On this page you can create, view, and manage users. Licenses are in Company Information."


def columns(page: SetupVisit) -> tuple[Column, ...]:
    """Return the columns of a list of users."""
    org = page.org
    return (
        Column("Full Name", lambda user: Cell(full_name(user), page.link(f"/{user['Id']}"))),
        Column("Alias", lambda user: user["Alias"]),
        Column("Username", lambda user: Cell(user["Username"], page.link(f"/{user['Id']}"))),
        Column("Last Login", lambda user: moment(org, user["LastLoginDate"])),
        Column("Role", lambda user: role_link(org, user["UserRoleId"])),
        Column("Active", lambda user: bool(user["IsActive"])),
        Column("Profile", lambda user: profile_link(org, user["ProfileId"])),
    )


@USERS.get("/home")
def users(page: SetupVisit) -> Response:
    """Show the users of a view."""
    view = page.query.get("view", "all")
    found = [user for user in page.org.rows("User") if _in_view(page.org, user, view)]
    table = listing(page, "Users", columns(page), found, lambda user: _actions(page, user))
    buttons = (
        Action("New User", page.link("/new")),
        Action("Reset Password(s)", page.link("/reset"), post=True),
    )
    title = dict(VIEWS).get(view, "All Users")
    told = ListPage(title, table, INTRO, buttons, VIEWS, view, letters(page), "users")
    return show_list(page, told)


@USERS.post("/reset")
def reset_passwords(page: SetupVisit) -> Response:
    """Send new passwords to the ticked users; passwords are no data of the org, that they were sent is."""
    known = [id for id in page.fields("users") if page.org.get("User", id)]
    if not known:
        page.visit.toast("Select at least one user.", "error")
        return page.go()
    for id in known:
        page.org.note("PasswordReset", {"UserId": id})
    return page.go(toast=f"An email with a link to a new password was sent to {len(known)} user(s).")


def _in_view(org: Org, user: Record, view: str) -> bool:
    if view == "admins":
        return org.name_of(user["ProfileId"]) == "System Administrator"
    return view not in ("active", "inactive") or user["IsActive"] == (view == "active")


def _actions(page: SetupVisit, user: Record) -> list[Action]:
    return [Action("Edit", page.link(f"/{user['Id']}/e", back="list"))]
