"""Report types: the standard ones of `standard.toml`, one for each other object, and the org's own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from salesforce_org.pages import fields
from salesforce_org.pages.layout import layout_of
from salesforce_org.reports.columns import DATES, Column, Row, reached
from salesforce_org.store import Field, Org, Record, SObject

FILE = Path(__file__).with_name("standard.toml")
CATEGORIES = (
    "Accounts & Contacts",
    "Opportunities",
    "Customer Support Reports",
    "Leads",
    "Campaigns",
    "Activities",
    "Contracts and Orders",
    "Price Books, Products and Assets",
    "Administrative Reports",
    "Other Reports",
)
# Metadata's categories of custom report types, where they are not called like ours.
_CATEGORIES = {
    "accounts": "Accounts & Contacts",
    "opportunities": "Opportunities",
    "cases": "Customer Support Reports",
    "leads": "Leads",
    "campaigns": "Campaigns",
    "activities": "Activities",
    "busop": "Contracts and Orders",
    "products": "Price Books, Products and Assets",
    "admin": "Administrative Reports",
}
SCOPES = {"organization": "All {}", "user": "My {}"}
_HIDDEN = ("IsDeleted", "SystemModstamp")


@dataclass(frozen=True, slots=True)
class Related:
    """An object of cross filters: `joins` are its fields that lead to the report's records."""

    name: str
    label: str
    kinds: tuple[SObject, ...]
    joins: tuple[str, ...]

    @property
    def join(self) -> str:
        """What metadata calls the field that leads back."""
        return self.joins[0].removesuffix("Id")

    def field(self, name: str) -> Field | None:
        """Return a field of its records."""
        return next((found for kind in self.kinds if (found := kind.field(name))), None)

    def fields(self) -> list[tuple[str, str]]:
        """Return names and labels of its fields, by label."""
        named = {one.name: one.label for kind in reversed(self.kinds) for one in kind.fields}
        return sorted(
            ((name, label) for name, label in named.items() if name not in _HIDDEN),
            key=lambda pair: pair[1].casefold(),
        )


@dataclass(frozen=True, slots=True)
class Join:
    """A table below another: its alias, object, the field that leads up, and whether rows without one stay."""

    alias: str
    kind: SObject
    reference: str
    outer: bool


@dataclass(frozen=True)
class ReportType:
    """What reports of one kind can show.

    Attributes:
        name: Its name in reports, such as `AccountList`; `label` is what people see.
        objects: The objects whose records are its rows; several where rows are of different kinds.
        columns: By key, in the order of builders.
        dates: Keys that standard date filters offer, the usual one first.
        shows: Keys of the columns with which a new report begins.
        scope: Whose records a new report shows: `organization` or `user`.
        owner: Path to the owner of a row; empty where nobody owns it.
        params: Further standard filters: name, label and values with their labels.
        key: The column with the record's id, by which cross filters join.
    """

    name: str
    label: str
    category: str
    objects: tuple[SObject, ...]
    columns: Mapping[str, Column]
    dates: tuple[str, ...]
    shows: tuple[str, ...]
    scope: str = "organization"
    owner: str = ""
    params: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    key: str = ""
    table: str = ""
    joins: tuple[Join, ...] = ()

    @property
    def plural(self) -> str:
        """What its records are called in filters, such as `opportunities`."""
        return self.label.lower() if self.label != "Tasks and Events" else "activities"

    def column(self, key: str) -> Column | None:
        """Return a column by its name in metadata or in the Analytics API."""
        return self.columns.get(key) or next(
            (one for one in self.columns.values() if one.api_key.casefold() == key.casefold()), None
        )

    def sections(self) -> dict[str, list[Column]]:
        """Return the columns by heading."""
        found: dict[str, list[Column]] = {}
        for one in self.columns.values():
            found.setdefault(one.section, []).append(one)
        return found

    def rows(self, org: Org) -> Iterator[Row]:
        """Yield every row before filters."""
        base = ({self.table: row} for kind in self.objects for row in org.rows(kind.name))
        found: Iterator[Row] = iter(base)
        above = self.table
        for join in self.joins:
            found = _joined(org, found, above, join)
            above = join.alias
        return found

    def owned_by(self, org: Org, row: Row) -> str | None:
        """Return the id of the user who owns a row."""
        path = self.owner or "OwnerId"
        found = reached(org, self.objects[0], path)
        return Column("", "", "", path, found, self.table).value(org, row) if found else None

    def related(self, org: Org) -> dict[str, Related]:
        """Return the objects that cross filters offer, by name."""
        kind = self.objects[0]
        found = {
            child.name: Related(child.name, child.plural, (child,), (reference.name,))
            for child, reference in org.schema.children.get(kind.name, ())
            if reference.children and child.name not in ("Task", "Event", "ProcessInstance")
        }
        activities = [
            (org.schema[name], one.name)
            for name in ("Task", "Event")
            for child, one in org.schema.children.get(kind.name, ())
            if child.name == name
        ]
        if activities:
            kinds, joins = zip(*activities, strict=True)
            found["Activity"] = Related("Activity", "Activities", kinds, joins)
        if kind.name in ("Account", "Lead", "Opportunity"):
            territories = org.schema["ObjectTerritory2Association"]
            name = "ObjectTerritory2Association-Territory2"
            found[name] = Related(name, "Territories", (territories,), ("ObjectId",))
        return dict(sorted(found.items(), key=lambda pair: pair[1].label.casefold()))


def _joined(org: Org, rows: Iterator[Row], above: str, join: Join) -> Iterator[Row]:
    children: dict[str, list[Record]] = {}
    for child in org.rows(join.kind.name):
        children.setdefault(str(child.get(join.reference)), []).append(child)
    for row in rows:
        parent = row[above]
        below = children.get(parent["Id"], []) if parent else []
        yield from ({**row, join.alias: child} for child in below)
        if not below and join.outer:
            yield {**row, join.alias: None}


def report_types(org: Org) -> dict[str, ReportType]:
    """Return all report types by name; the org's own only where they are deployed."""
    known = _standard(org)
    covered = {kind.name for one in known.values() for kind in one.objects}
    others = {
        made.name: made
        for kind in org.schema.objects.values()
        if kind.name not in covered and (kind.custom or layout_of(kind).tab)
        for made in [_plain(org, kind)]
    }
    own = {
        f"{name}__c": _custom(org, f"{name}__c", tree)
        for name, tree in org.components("ReportType").items()
        if tree.get("deployed") and tree["baseObject"] in org.schema.objects
    }
    return known | others | own


def report_type(org: Org, name: str) -> ReportType | None:
    """Return a report type by its name."""
    told = _told().get(name)
    return _of(org, name, told) if told else report_types(org).get(name)


@cache
def _told() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _standard(org: Org) -> dict[str, ReportType]:
    return {name: _of(org, name, told) for name, told in _told().items()}


def _of(org: Org, name: str, told: Mapping[str, Any]) -> ReportType:
    kind = org.schema[told["object"]]
    columns = {}
    for section, entries in told["sections"].items():
        for key, text in entries.items():
            path, _, label = (part.strip() for part in text.partition("|"))
            found = reached(org, kind, path)
            if found is not None:
                columns[key] = Column(key, label or found.label, section, path, found)
    for other, prefix in told["custom"].items():
        columns |= _own_fields(org.schema[other], prefix)
    return ReportType(
        name,
        told["label"],
        told["category"],
        (kind, *(org.schema[one] for one in told.get("also", ()))),
        columns,
        tuple(told["dates"]),
        tuple(told["shows"]),
        told.get("scope", "organization"),
        told.get("owner", "OwnerId" if kind.field("OwnerId") else ""),
        told.get("params", {}),
        told["key"],
    )


def _own_fields(kind: SObject, prefix: str) -> dict[str, Column]:
    """Return the columns of an object's custom fields."""
    section = f"{kind.label}: Custom Fields"
    return {
        f"{kind.name}.{one.name}": Column(
            f"{kind.name}.{one.name}",
            one.label,
            section,
            ".".join(filter(None, (prefix, (one.relationship and f"{one.relationship}.Name") or one.name))),
            one if not one.relationship else Field(one.name, one.label, "string"),
        )
        for one in kind.fields
        if one.custom
    }


def _plain(org: Org, kind: SObject) -> ReportType:
    """Return the type of an object that has none of its own: its fields, and the names of what it refers to."""
    layout = layout_of(kind)
    columns = {}
    for one in kind.fields:
        if one.name in _HIDDEN:
            continue
        path = f"{one.relationship}.Name" if one.relationship else one.name
        found = reached(org, kind, path)
        key = f"{kind.name}.{one.name}" if one.custom or not kind.custom else _custom_key(one.name)
        if found is not None:
            label = fields.label(layout, one.name)
            columns[key] = Column(key, label, f"{kind.label}: General", path, found)
    prefix = "CustomEntity$" if kind.custom else ""
    named = next((key for key, one in columns.items() if one.path == (kind.name_field or "Id")), "")
    made = next(key for key, one in columns.items() if one.path == "CreatedDate")
    key = next(key for key, one in columns.items() if one.path == "Id")
    rest = [key for key, one in columns.items() if one.field.custom][:5]
    owner = "OwnerId" if kind.field("OwnerId") else ""
    shows = tuple(dict.fromkeys(filter(None, (named, *rest, made))))
    dates = (made, *(name for name, one in columns.items() if one.type in DATES and name != made))
    return ReportType(
        prefix + kind.name,
        kind.plural,
        "Other Reports",
        (kind,),
        columns,
        dates,
        shows,
        owner=owner,
        key=key,
    )


def _custom_key(name: str) -> str:
    known = {"Name": "CUST_NAME", "Id": "CUST_ID", "OwnerId": "CUST_OWNER_NAME"}
    return known.get(name, f"CUST_{name.removesuffix('Id')}".upper().replace("DATE", "_DATE"))


def _custom(org: Org, name: str, tree: Mapping[str, Any]) -> ReportType:
    """Return the org's own report type: a base object, up to three below it, and the columns of its layout."""
    base = org.schema[tree["baseObject"]]
    tables, joins = {base.name: base}, []
    above, told = base.name, tree.get("join")
    while told:
        pair = org.schema.child(tables[above].name, told["relationship"])
        if pair is None:
            break
        above = f"{above}.{told['relationship']}"
        tables[above] = pair[0]
        joins.append(Join(above, pair[0], pair[1].name, bool(told.get("outerJoin"))))
        told = told.get("join")
    columns, shows = {}, []
    for section in tree.get("sections", ()):
        for entry in section.get("columns", ()):
            kind = tables.get(entry["table"])
            found = reached(org, kind, entry["field"]) if kind else None
            if kind is None or found is None:
                continue
            if found.relationship:
                found = Field(found.name, found.label, "string")
                path = f"{entry['field'].removesuffix('Id')}.Name"
            else:
                path = entry["field"]
            key = f"{entry['table']}${entry['field']}"
            label = entry.get("displayNameOverride") or fields.label(layout_of(kind), entry["field"])
            columns[key] = Column(key, label, section["masterLabel"], path, found, entry["table"])
            shows += [key] if entry.get("checkedByDefault") else []
    dates = tuple(key for key, one in columns.items() if one.type in DATES)
    made = ReportType(
        name,
        tree["label"],
        _CATEGORIES.get(tree.get("category", ""), "Other Reports"),
        (base,),
        columns,
        dates,
        tuple(shows) or tuple(columns)[:1],
        owner="OwnerId" if base.field("OwnerId") else "",
        table=base.name,
        joins=tuple(joins),
    )
    key = next((key for key, one in columns.items() if one.path == "Id"), f"{base.name}$Id")
    return replace(made, key=key)
