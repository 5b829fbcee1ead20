"""Record types: those that an object has, those that a user may choose, and the picklist values that each offers.

A record type is a record and a component, `RecordType`. An object has the field `RecordTypeId` as long as it has record
types; a record without one is of the master type, which has all values. Profiles and permission sets say in their
`recordTypeVisibilities` which types their users may choose, and a profile which one a new record gets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote, unquote

from salesforce_org.metadata.profiles import full_name
from salesforce_org.store import Field, Org, PicklistValue, Record, SObject
from salesforce_org.store.org import Tree

KIND, FIELD = "RecordType", "RecordTypeId"
MASTER = "012000000000000AAA"
SECTION = "recordTypeVisibilities"
PROCESS = "BusinessProcess"
# The picklist whose values a process chooses, and what the process is called.
PROCESSES = {
    "Case": ("Status", "Support Process"),
    "Lead": ("Status", "Lead Process"),
    "Opportunity": ("StageName", "Sales Process"),
}
_STANDARD = frozenset(
    {
        "Account",
        "Asset",
        "Campaign",
        "Case",
        "ChangeRequest",
        "Contact",
        "Contract",
        "Entitlement",
        "Event",
        "Incident",
        "Knowledge__kav",
        "Lead",
        "Opportunity",
        "Order",
        "Pricebook2",
        "Problem",
        "Product2",
        "Quote",
        "ServiceContract",
        "Task",
    }
)


def supports(kind: SObject) -> bool:
    """Whether an object can have record types."""
    return kind.custom or kind.name in _STANDARD


def types(org: Org, object: str) -> list[Record]:
    """Return the record types of an object, by label."""
    return sorted(org.rows(KIND, SobjectType=object), key=lambda row: str(row["Name"]).casefold())


def full_name_of(row: Record) -> str:
    """Return the full name of a record type's component, such as `Account.Partner`."""
    return f"{row['SobjectType']}.{row['DeveloperName']}"


# What users may choose


def available(org: Org, object: str) -> list[Record]:
    """Return the active record types that the acting user may choose, by label; all where nobody acts."""
    seen = {str(one["recordType"]) for one in _entries(org) if one["visible"]}
    found = [row for row in types(org, object) if row["IsActive"]]
    return [row for row in found if org.user_id is None or full_name_of(row) in seen]


def default(org: Org, object: str) -> str | None:
    """Return the record type that new records of the acting user get; None is the master type."""
    usual = {str(one["recordType"]) for one in _entries(org) if one.get("default")}
    return next((str(row["Id"]) for row in available(org, object) if full_name_of(row) in usual), None)


def _entries(org: Org) -> Iterator[Tree]:
    """Yield what the acting user's profile and permission sets say of record types."""
    user = org.get("User", org.user_id)
    if user is None:
        return
    profile = org.name_of(user["ProfileId"]) or ""
    yield from (org.component("Profile", full_name(profile)) or {}).get(SECTION, ())
    for given in org.rows("PermissionSetAssignment", AssigneeId=user["Id"]):
        held = org.get("PermissionSet", given["PermissionSetId"])
        yield from (org.component("PermissionSet", held["Name"]) or {}).get(SECTION, ()) if held else ()


# What they offer


def encoded(text: str) -> str:
    """Return a name or value as metadata writes it, such as `Negotiation%2FReview`."""
    return quote(text, safe=" ").replace(".", "%2E").replace("~", "%7E")


def processes(org: Org, object: str) -> dict[str, Tree]:
    """Return the sales, lead or support processes of an object by name."""
    start = f"{object}."
    found = org.components(PROCESS).items()
    return {unquote(full.removeprefix(start)): tree for full, tree in found if full.startswith(start)}


def picklists(org: Org, kind: SObject) -> list[Field]:
    """Return the picklists whose values record types choose themselves, by label."""
    led = PROCESSES.get(kind.name, ("", ""))[0]
    found = (one for one in kind.fields if "picklist" in one.type and one.createable and one.name != led)
    return sorted(found, key=lambda one: one.label.casefold())


def chosen(org: Org, object: str, field: str, id: str | None) -> dict[str, bool] | None:
    """Return the values that a record type has of a picklist, and which is the default; None where it has all."""
    row = org.get(KIND, id)
    tree: Tree = (org.component(KIND, full_name_of(row)) if row else None) or {}
    process = unquote(tree.get("businessProcess", ""))
    if process and PROCESSES.get(object, ("",))[0] == field:
        values = processes(org, object).get(process, {}).get("values")
    else:
        values = next(
            (one["values"] for one in tree.get("picklistValues", ()) if one["picklist"] == field), None
        )
    return None if values is None else {unquote(one["fullName"]): bool(one["default"]) for one in values}


def entries(org: Org, object: str, field: Field, row: Mapping[str, Any]) -> tuple[PicklistValue, ...]:
    """Return the active entries of a picklist that a record may have."""
    active = tuple(one for one in org.picklist(field) if one.active)
    some = chosen(org, object, field.name, row.get(FIELD))
    if some is None:
        return active
    return tuple(replace(one, default=some[one.value]) for one in active if one.value in some)


def begin(org: Org, kind: SObject, id: str | None) -> dict[str, Any]:
    """Return what the fields of a new record of a type begin with."""
    found = (one for one in kind.fields if one.stored and one.createable)
    return {one.name: id if one.name == FIELD else begins_with(org, kind.name, one, id) for one in found}


def begins_with(org: Org, object: str, field: Field, id: str | None) -> Any:
    """Return what a field of a new record of a type begins with.

    A type without a default for a picklist leaves it empty; but the picklist that a process leads keeps its own default
    where the process has that value.
    """
    usual = org.default(field)
    some = chosen(org, object, field.name, id) if "picklist" in field.type else None
    if some is None:
        return usual
    led = PROCESSES.get(object, ("",))[0] == field.name
    return next((value for value, first in some.items() if first), usual if led and usual in some else None)


def move_value(org: Org, object: str, field: str, old: str, new: str | None) -> None:
    """Put another value, or none, in place of one in the record types and processes that have it."""

    def moved(values: Iterable[Tree]) -> list[Tree]:
        found = [
            one if unquote(one["fullName"]) != old else {**one, "fullName": encoded(new or "")}
            for one in values
        ]
        return list({one["fullName"]: one for one in found if one["fullName"]}.values())

    for full, tree in list(org.components(KIND).items()):
        if full.startswith(f"{object}.") and (told := tree.get("picklistValues")):
            whole = [
                {**one, "values": moved(one["values"])} if one["picklist"] == field else one for one in told
            ]
            org.put_component(KIND, full, {**tree, "picklistValues": whole})
    if PROCESSES.get(object, ("",))[0] == field:
        for name, tree in processes(org, object).items():
            org.put_component(
                PROCESS, f"{object}.{encoded(name)}", {**tree, "values": moved(tree.get("values", ()))}
            )


def without_lost(org: Org, object: str, told: Iterable[Tree]) -> list[Tree]:
    """Return the picklists of a record type with the values that they still have."""
    found: list[Tree] = []
    for one in told:
        field = org.schema[object].field(one["picklist"])
        known = {entry.value for entry in org.picklist(field)} if field else set()
        if field:
            found.append(
                {**one, "values": [each for each in one["values"] if unquote(each["fullName"]) in known]}
            )
    return found
