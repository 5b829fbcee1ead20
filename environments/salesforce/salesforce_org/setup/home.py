"""Setup Home: where to begin, and what was changed last."""

from __future__ import annotations

from starlette.responses import Response

from salesforce_org.setup.area import Area, SetupVisit, link
from salesforce_org.setup.tables import Cell, Column, related
from salesforce_org.store import Org

HOME = Area("SetupOneHome")
RECENT = 10
# Where the records of setup objects have their pages.
_NODES = {
    "User": "ManageUsers",
    "PermissionSet": "PermSets",
    "PermissionSetGroup": "PermSetGroups",
    "UserRole": "Roles",
    "MilestoneType": "MilestoneTypes",
}
_GROUPS = {"Regular": "PublicGroups", "Queue": "Queues"}
STARTS = (
    ("Users", "ManageUsers", "Add people, and say what they may do."),
    ("Object Manager", "ObjectManager", "See the objects of the org, their fields and picklists."),
    ("Permission Set Groups", "PermSetGroups", "Bundle permission sets for a job."),
    ("Roles", "Roles", "Say who sees whose records."),
    ("Company Information", "CompanyProfileInfo", "See the organization's name, locale and licenses."),
)


@HOME.get("/home")
def home(page: SetupVisit) -> Response:
    """Show where to begin and what was used last."""
    columns = (
        Column("Name", lambda one: Cell(one[0], one[2])),
        Column("Type", lambda one: one[1]),
    )
    table = related("Most Recently Used", columns, recent(page.org), empty="Nothing has been changed yet")
    starts = [(label, link(node), text) for label, node, text in STARTS]
    return page.render("setup/home.html", table=table, starts=starts)


def recent(org: Org) -> list[tuple[str, str, str]]:
    """Return name, kind and address of the setup records that were changed last, newest first."""
    found: dict[str, tuple[str, str, str]] = {}
    for write in reversed(org.journal.writes):
        row = org.get(write.collection, write.key) if write.collection in org.schema.objects else None
        node = (
            _GROUPS.get(row["Type"]) if row and write.collection == "Group" else _NODES.get(write.collection)
        )
        if row and node and write.key not in found:
            kind = {"PublicGroups": "Public Group", "Queues": "Queue"}.get(
                node, org.schema[write.collection].label
            )
            found[write.key] = (str(org.name_of(write.key)), kind, link(node, f"/{write.key}"))
        if len(found) == RECENT:
            break
    return list(found.values())
