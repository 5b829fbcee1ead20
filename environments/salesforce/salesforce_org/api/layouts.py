"""Layouts as a tool may ask for them: the sections, fields and related lists of the pages."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from salesforce_org.api.call import Call, Reply
from salesforce_org.api.describe import field, record_types
from salesforce_org.api.objects import object_named
from salesforce_org.api.routing import resource
from salesforce_org.pages.layout import Layout, Section, layout_of
from salesforce_org.record_types import MASTER
from salesforce_org.store import Field, Org, SObject


@resource("GET", "/sobjects/{object}/describe/layouts")
@resource("GET", "/sobjects/{object}/describe/layouts/{record_type}")
@resource("GET", "/sobjects/{object}/describe/namedLayouts/{name}")
def describe_layouts(call: Call) -> Reply:
    """Describe the layout of an object."""
    found = layouts(call.org, object_named(call.org, call.params["object"]), call.root)
    return Reply(found["layouts"][0] if "record_type" in call.params else found)


@resource("GET", "/sobjects/{object}/describe/approvalLayouts")
@resource("GET", "/sobjects/{object}/describe/approvalLayouts/{name}")
def approval_layouts(call: Call) -> Reply:
    """List the layouts of approval requests: there are none."""
    object_named(call.org, call.params["object"])
    return Reply({"approvalLayouts": []})


@resource("GET", "/sobjects/{object}/describe/compactLayouts")
def compact_layouts(call: Call) -> Reply:
    """Describe the compact layout of an object."""
    kind = object_named(call.org, call.params["object"])
    told = compact(call.org, kind)
    kinds = (one["recordTypeId"] for one in record_types(call.org, kind, call.root))
    mappings = [
        {"available": True, "compactLayoutId": None, "compactLayoutName": "SYSTEM", "recordTypeId": one}
        for one in kinds
    ]
    return Reply(
        {
            "compactLayouts": [told],
            "defaultCompactLayoutId": None,
            "recordTypeCompactLayoutMappings": mappings,
        }
    )


@resource("GET", "/sobjects/{object}/describe/compactLayouts/primary")
def primary_compact_layout(call: Call) -> Reply:
    """Describe the compact layout that records of an object have."""
    return Reply(compact(call.org, object_named(call.org, call.params["object"])))


@resource("GET", "/compactLayouts")
def all_compact_layouts(call: Call) -> Reply:
    """Describe the compact layouts of several objects, `?q=Account,Contact`."""
    names = [name.strip() for name in call.query.get("q", "").split(",") if name.strip()]
    return Reply({name: compact(call.org, object_named(call.org, name)) for name in names})


def compact(org: Org, kind: SObject) -> dict[str, Any]:
    """Describe the fields of an object that stand above its records."""
    names = [name for name in (kind.name_field, *layout_of(kind).compact) if name]
    return {
        "actions": [],
        "fieldItems": [_item(org, layout_of(kind), name) for name in names if kind.readable(name)],
        "id": None,
        "imageItems": [],
        "label": "System Default",
        "name": "SYSTEM",
        "objectType": kind.name,
    }


def layouts(org: Org, kind: SObject, root: str) -> dict[str, Any]:
    """Describe the one layout of an object."""
    layout = layout_of(kind)
    related = [_related(org, kind, one.name, one.columns) for one in layout.related]
    sections = [_section(org, layout, one) for one in layout.sections]
    edit = [_section(org, layout, one, editable=True) for one in layout.sections]
    told: dict[str, Any] = {
        "buttonLayoutSection": {"detailButtons": []},
        "detailLayoutSections": sections,
        "editLayoutSections": [one for one in edit if one["rows"]],
        "id": None,
        "multirowEditLayoutSections": [],
        "offlineLinks": [],
        "quickActionList": {"quickActionListItems": []},
        "relatedContent": None,
        "relatedLists": [one for one in related if one],
        "saveOptions": [],
    }
    kinds = record_types(org, kind, root)
    mappings = [
        {
            "available": one["available"],
            "layoutId": None,
            "name": one["name"],
            "recordTypeId": one["recordTypeId"],
        }
        | {
            "defaultRecordTypeMapping": one["defaultRecordTypeMapping"],
            "master": one["recordTypeId"] == MASTER,
        }
        for one in kinds
    ]
    return {
        "layouts": [told],
        "recordTypeMappings": mappings,
        "recordTypeSelectorRequired": [sum(one["available"] for one in kinds) > 2],
    }


def _section(org: Org, layout: Layout, one: Section, *, editable: bool = False) -> dict[str, Any]:
    left, right, wide = (
        [name for name in names if _shown(layout.object, name, editable)]
        for names in (one.left, one.right, one.wide)
    )
    rows = [*zip_longest(left, right), *((name,) for name in wide)]
    told = [[_item(org, layout, name) for name in row] for row in rows]
    return {
        "collapsed": False,
        "columns": 2 if one.right else 1,
        "heading": one.title,
        "layoutRows": [{"layoutItems": items, "numItems": len(items)} for items in told],
        "rows": len(rows),
        "tabOrder": "TopToBottom",
        "useCollapsibleSection": False,
        "useHeading": True,
    }


def _shown(kind: SObject, name: str, editable: bool) -> bool:
    found = kind.readable(name)
    return found is not None and (
        not editable or any(one.createable or one.updateable for one in _parts(kind, found))
    )


def _parts(kind: SObject, one: Field) -> Iterable[Field]:
    """Return a field, or the parts of an address or of a person's name."""
    start = one.name.removesuffix("Address")
    if one.type == "address":
        return [
            part
            for part in kind.fields
            if part.name.startswith(start) and part.type in ("string", "textarea")
        ]
    names = ("Salutation", "FirstName", "LastName") if one.name == "Name" and kind.field("LastName") else ()
    return [part for part in map(kind.field, names) if part] or [one]


def _item(org: Org, layout: Layout, name: str | None) -> dict[str, Any]:
    one = layout.object.readable(name) if name else None
    if one is None:
        empty = {"editableForNew": False, "editableForUpdate": False, "label": "", "layoutComponents": []}
        return {**empty, "placeholder": True, "required": False}
    parts = list(_parts(layout.object, one))
    return {
        "editableForNew": any(part.createable for part in parts),
        "editableForUpdate": any(part.updateable for part in parts),
        "label": layout.label(one),
        "layoutComponents": [
            {
                "details": field(org, layout.object, one),
                "displayLines": 1,
                "tabOrder": place,
                "type": "Field",
                "value": part.name,
            }
            for place, part in enumerate(parts, 1)
        ],
        "placeholder": False,
        "required": any(part.required or part.name in layout.required for part in parts),
    }


def _related(org: Org, kind: SObject, name: str, columns: Iterable[str]) -> dict[str, Any] | None:
    found = org.schema.child(kind.name, name)
    if found is None:
        return None
    child, reference = found
    shown = [one for one in map(child.field, columns) if one]
    return {
        "columns": [
            {
                "field": f"{child.name}.{one.name}",
                "fieldApiName": one.name,
                "format": None,
                "label": one.label,
            }
            | {"lookupId": None, "name": one.name, "sortable": True}
            for one in shown
        ],
        "custom": child.custom,
        "field": reference.name,
        "label": child.plural,
        "limitRows": 0,
        "name": name,
        "sobject": child.name,
        "sort": [],
    }
