"""What a new org has: picklists, licenses, profiles, roles, permission sets, list views, apps, the organization."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from salesforce_org.access import ADMINISTRATOR
from salesforce_org.list_views import EVERYBODY, Filter, ListView, save_list_view
from salesforce_org.metadata.components import replace
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import ordered
from salesforce_org.reports.definition import new
from salesforce_org.reports.ranges import ALL_TIME
from salesforce_org.reports.stored import place_named, save
from salesforce_org.reports.types import report_type
from salesforce_org.rules.permissions import editable, governed_fields
from salesforce_org.seeds.reading import Book, Table
from salesforce_org.store import ids

LETTERS = {
    "c": "PermissionsCreate",
    "r": "PermissionsRead",
    "u": "PermissionsEdit",
    "d": "PermissionsDelete",
    "v": "PermissionsViewAllRecords",
    "m": "PermissionsModifyAllRecords",
}


def fill(book: Book, chance: random.Random, seed: int) -> None:
    """Set up a new org; its first user is the one who made all of it."""
    book.org.user_id = ids.make(book.org.schema["User"].prefix, 1)
    for name, entries in book.fixtures["value_sets"].items():
        book.org.put_component("StandardValueSet", name, _value_set(entries))
    for kind, components in book.fixtures["components"].items():
        for name, tree in components.items():
            replace(book.org, TYPES[kind], name, ordered(TYPES[kind].shape(name), tree))
    tables = dict(book.fixtures["stock"])
    book.enter_all({"UserLicense": tables.pop("UserLicense")})
    permissions = book.fixtures["permissions"]
    for told in permissions["profile"]:
        _profile(book, told)
    _administrator(book, chance, seed)
    book.enter_all(tables)
    _permission_sets(book, permissions)
    _list_views(book)
    _apps(book)
    _approvals(book)
    book.org.put_component("Settings", "Territory2", {"enableTerritoryManagement2": False})


def _value_set(entries: list[str | Table]) -> dict[str, Any]:
    values: list[dict[str, Any]] = [{"value": one} if isinstance(one, str) else dict(one) for one in entries]
    for one in values:
        one.setdefault("label", one["value"])
        one.setdefault("default", False)
    return {"sorted": False, "standardValue": values}


def _profile(book: Book, told: Table) -> None:
    may = {f"Permissions{name}": True for name in told.get("may", ())}
    id = book.enter(
        "Profile",
        {
            "Name": told["name"],
            "Description": told.get("description"),
            "UserLicenseId": f"@UserLicense/{told['license']}",
            **may,
        },
    )
    owned = book.org.one("PermissionSet", ProfileId=id)["Id"]
    _objects(book, owned, told)
    if told["name"] == ADMINISTRATOR:
        _fields(book, owned, told["objects"])


def _objects(book: Book, parent: str, told: Table) -> None:
    for object, letters in told.get("objects", {}).items():
        allowed = {LETTERS[letter]: True for letter in letters}
        book.org.insert("ObjectPermissions", ParentId=parent, SobjectType=object, **allowed)


def _fields(book: Book, parent: str, objects: Iterable[str]) -> None:
    """Let a permission set give every right on the fields of objects."""
    for object in objects:
        for one in governed_fields(book.org.schema[object]):
            book.org.insert(
                "FieldPermissions",
                ParentId=parent,
                SobjectType=object,
                Field=f"{object}.{one.name}",
                PermissionsRead=True,
                PermissionsEdit=editable(one),
            )


def _administrator(book: Book, chance: random.Random, seed: int) -> None:
    pools, org = book.fixtures["people"], book.org
    company = chance.choice(pools["organization"]) if seed else pools["organization"][0]
    first, last = chance.choice(pools["first"]), chance.choice(pools["last"])
    domain = company.lower().replace(" & ", "").replace(" ", "") + ".example"
    book.enter(
        "User",
        {
            "FirstName": first,
            "LastName": last,
            "Username": f"{first}.{last}@{domain}".lower(),
            "Email": f"{first}.{last}@{domain}".lower(),
            "CompanyName": company,
            "ProfileId": f"@Profile/{ADMINISTRATOR}",
            "UserPermissionsMarketingUser": True,
            "UserPermissionsKnowledgeUser": True,
            "UserPermissionsSupportUser": True,
            "UserPermissionsInteractionUser": True,
        },
    )
    book.enter(
        "Organization",
        {
            "Name": company,
            "PrimaryContact": f"{first} {last}",
            "Country": "US",
            "InstanceName": "CLD01",
            "OrganizationType": "Developer Edition",
            "TimeZoneSidKey": str(org.zone),
        },
    )


def _permission_sets(book: Book, permissions: Table) -> None:
    for told in permissions["permission_set"]:
        id = book.enter(
            "PermissionSet",
            {"Label": told["label"], "Description": told["description"], "Name": told.get("name")},
        )
        _objects(book, id, told)
    for told in permissions["permission_set_group"]:
        id = book.enter(
            "PermissionSetGroup", {"MasterLabel": told["label"], "DeveloperName": told["developer_name"]}
        )
        for label in told["sets"]:
            book.enter(
                "PermissionSetGroupComponent",
                {"PermissionSetGroupId": id, "PermissionSetId": f"@PermissionSet/{label}"},
            )


def _list_views(book: Book) -> None:
    for object, views in book.fixtures["list_views"].items():
        for told in views:
            filters = tuple(Filter(*given) for given in told.get("filters", ()))
            view = ListView(
                object,
                told["developer_name"],
                told["label"],
                tuple(told["columns"]),
                filters,
                told.get("scope", "Everything"),
                shared=EVERYBODY,
            )
            save_list_view(book.org, view)


def fill_reports(book: Book) -> None:
    """Store the reports that are there from the start; they show everybody's records of all time."""
    org = book.org
    for folder, told in book.fixtures["reports"].items():
        place = place_named(org, "Report", folder)
        for one in told:
            type = report_type(org, one["type"])
            if place is None or type is None:
                raise ValueError(f"reports.toml: no folder {folder} or report type {one['type']}")
            tree = new(type) | {"name": one["name"], "format": "Summary", "scope": "organization"}
            tree["columns"] = [column for column in tree["columns"] if column["field"] != one["by"]]
            tree["timeFrameFilter"] = {**tree["timeFrameFilter"], "interval": ALL_TIME}
            tree["groupingsDown"] = [{"dateGranularity": "Day", "field": one["by"], "sortOrder": "Asc"}]
            save(org, "Report", "", place, one["unique"], tree)


def _apps(book: Book) -> None:
    for told in book.fixtures["apps"]["app"]:
        tree = {
            "label": told["label"],
            "description": told["description"],
            "brand": {"headerColor": told["color"]},
            "formFactors": ["Large"],
            "navType": "Console" if told.get("console") else "Standard",
            "tabs": list(told["tabs"]),
            "uiType": "Lightning",
        }
        book.org.put_component("CustomApplication", told["developer_name"], tree)
    for object, motif in book.fixtures["apps"]["tabs"].items():
        book.org.put_component("CustomTab", object, {"customObject": True, "motif": motif})
    seen = [{"tab": object, "visibility": "DefaultOn"} for object in book.fixtures["apps"]["tabs"]]
    book.org.put_component("Profile", "Admin", {"tabVisibilities": seen})


def _approvals(book: Book) -> None:
    for told in book.fixtures["approvals"]["process"]:
        owner = "owner" if book.org.schema[told["object"]].field("OwnerId") else "creator"
        tree = {
            "active": False,
            "allowRecall": False,
            "allowedSubmitters": [{"type": owner}],
            "approvalPageFields": {"field": ["Name", *(["Owner"] if owner == "owner" else [])]},
            "approvalStep": [
                {
                    "allowDelegate": False,
                    "assignedApprover": {"approver": [{"type": "adhoc"}]},
                    "label": "Step 1",
                    "name": "Step_1",
                }
            ],
            "description": told["description"],
            "enableMobileDeviceAccess": False,
            "finalApprovalRecordLock": True,
            "finalRejectionRecordLock": False,
            "label": told["name"],
            "recordEditability": "AdminOnly",
            "showApprovalHistory": True,
        }
        book.org.put_component("ApprovalProcess", f"{told['object']}.{told['name']}", tree)
