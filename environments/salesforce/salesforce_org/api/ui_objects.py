"""`/ui-api`: what a page needs to know of objects, layouts, picklists, lists and apps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salesforce_org.api import list_views
from salesforce_org.api.call import Call, Reply
from salesforce_org.api.describe import described, record_types
from salesforce_org.api.layouts import layouts
from salesforce_org.api.objects import object_named
from salesforce_org.api.presentation import tab_sets
from salesforce_org.api.routing import resource
from salesforce_org.api.ui_records import layout_fields, record, record_type_of
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.lists.definition import RECENT, ListDefinition, all_lists
from salesforce_org.record_types import FIELD, begin, default, entries
from salesforce_org.store import Field, Org, SObject
from salesforce_org.store.errors import NotThere

_FLAGS = ("createable", "custom", "deletable", "feedEnabled", "layoutable", "mruEnabled", "queryable")
_OF_FIELDS = (
    *(
        "calculated",
        "compoundFieldName",
        "controllerName",
        "createable",
        "custom",
        "externalId",
        "extraTypeInfo",
    ),
    *("filterable", "highScaleNumber", "htmlFormatted", "inlineHelpText", "label", "length", "nameField"),
    *("polymorphicForeignKey", "precision", "relationshipName", "scale", "searchPrefilterable", "sortable"),
    *("unique", "updateable"),
)
_LISTED = 50


@resource("GET", "/ui-api/object-info")
def directory(call: Call) -> Reply:
    """List the objects that have pages."""
    kinds = [one for one in call.org.schema.objects.values() if layout_of(one).tab]
    told = {one.name: _in_short(call, one) for one in kinds}
    return Reply({"objects": told})


@resource("GET", "/ui-api/object-info/batch/{names}")
def object_infos(call: Call) -> Reply:
    """Describe several objects."""
    kinds = [object_named(call.org, name) for name in call.params["names"].split(",")]
    return Reply({"results": [{"result": info(call, one), "statusCode": 200} for one in kinds]})


@resource("GET", "/ui-api/object-info/{object}")
def object_info(call: Call) -> Reply:
    """Describe an object."""
    return Reply(info(call, object_named(call.org, call.params["object"])))


@resource("GET", "/ui-api/object-info/{object}/picklist-values/{record_type}")
def all_values(call: Call) -> Reply:
    """List the values of all picklists of an object."""
    kind = object_named(call.org, call.params["object"])
    row = _typed(call, kind, call.params["record_type"])
    told = {one.name: _values(call, kind, one, row) for one in kind.fields if "picklist" in one.type}
    return Reply({"picklistFieldValues": told})


@resource("GET", "/ui-api/object-info/{object}/picklist-values/{record_type}/{field}")
def values(call: Call) -> Reply:
    """List the values of a picklist."""
    kind = object_named(call.org, call.params["object"])
    row = _typed(call, kind, call.params["record_type"])
    one = kind.field(call.params["field"])
    if one is None or "picklist" not in one.type:
        raise NotThere
    return Reply(_values(call, kind, one, row))


@resource("GET", "/ui-api/layout/{object}")
def layout(call: Call) -> Reply:
    """Describe the layout of an object's records."""
    return Reply(
        _layout(call.org, object_named(call.org, call.params["object"]), call.query.get("mode") or "View")
    )


@resource("GET", "/ui-api/record-defaults/create/{object}")
def defaults(call: Call) -> Reply:
    """Return the layout of a new record and what its fields begin with."""
    kind = object_named(call.org, call.params["object"])
    fields = [one for one in kind.fields if one.createable]
    given = call.query.get("recordTypeId")
    type = _typed(call, kind, given)[FIELD] if given else default(call.org, kind.name)
    begins = begin(call.org, kind, type)
    told = {one.name: {"displayValue": None, "value": begins[one.name]} for one in fields}
    begun = {"apiName": kind.name, "childRelationships": {}, "fields": told, "id": None, "recordTypeId": type}
    return Reply(
        {
            "layout": _layout(call.org, kind, "Create"),
            "objectInfos": {kind.name: info(call, kind)},
            "record": begun,
        }
    )


@resource("GET", "/ui-api/record-ui/{ids}")
def record_ui(call: Call) -> Reply:
    """Return records with their layouts and objects."""
    told: dict[str, dict[str, Any]] = {"layouts": {}, "objectInfos": {}, "records": {}}
    mode = call.query.get("modes") or "View"
    for id in call.params["ids"].split(","):
        kind = call.org.schema.of_id(id)
        row = call.org.get(kind.name, id) if kind else None
        if kind is None or row is None:
            raise NotThere
        made = _layout(call.org, kind, mode)
        told["layouts"].setdefault(kind.name, {})[record_type_of(row)] = {"Full": {mode: made}}
        told["objectInfos"][kind.name] = info(call, kind)
        told["records"][row["Id"]] = record(call.org, kind, row, layout_fields(kind))
    return Reply({"layoutUserStates": {}, **told})


@resource("GET", "/ui-api/list-ui/{object}")
def lists(call: Call) -> Reply:
    """List the list views of an object; with an id in place of it, return that list view with its records."""
    kind = call.org.schema.get(call.params["object"])
    if kind is None:
        return Reply(_list_ui(call, _of_id(call, call.params["object"])))
    found = [one for one in all_lists(call.org, kind) if one.id != RECENT]
    told = [
        {"apiName": one.developer, "id": one.id, "label": one.name, "listUiUrl": _url(call, one)}
        for one in found
    ]
    return Reply({"count": len(told), "lists": told, "objectApiName": kind.name, "pageSize": _LISTED})


@resource("GET", "/ui-api/list-ui/{object}/{name}")
def list_ui(call: Call) -> Reply:
    """Return a list view with its records."""
    return Reply(
        _list_ui(
            call,
            list_views.named(call.org, object_named(call.org, call.params["object"]), call.params["name"]),
        )
    )


@resource("GET", "/ui-api/list-info/{id}")
def list_info(call: Call) -> Reply:
    """Describe a list view."""
    return Reply(_list_info(_of_id(call, call.params["id"])))


@resource("GET", "/ui-api/list-records/{id}")
def list_records(call: Call) -> Reply:
    """Return the records of a list view."""
    return Reply(_list_records(call, _of_id(call, call.params["id"])))


@resource("GET", "/ui-api/apps")
def all_apps(call: Call) -> Reply:
    """List the apps and their tabs."""
    told = [
        {
            "appId": one["tabSetId"],
            "description": one["description"],
            "developerName": one["tabSetId"],
            "label": one["label"],
            "navItems": [
                {"developerName": tab["name"], "label": tab["label"], "objectApiName": tab["sobjectName"]}
                for tab in one["tabs"]
            ],
            "selected": one["selected"],
        }
        for one in tab_sets(call.org, call.origin)
    ]
    return Reply({"apps": told})


def info(call: Call, kind: SObject) -> dict[str, Any]:
    """Describe an object as pages need it."""
    told = described(call.org, kind, call.root)
    names = [name for name in ("FirstName", "LastName") if kind.field(name)] or [kind.name_field or "Id"]
    return {
        "apiName": kind.name,
        **{name: told[name] for name in _FLAGS},
        "childRelationships": [
            {
                "childObjectApiName": one["childSObject"],
                "fieldName": one["field"],
                "relationshipName": one["relationshipName"],
            }
            for one in told["childRelationships"]
        ],
        "defaultRecordTypeId": next(
            one["recordTypeId"]
            for one in told["recordTypeInfos"]
            if one["defaultRecordTypeMapping"] or one["master"]
        ),
        "dependentFields": {},
        "fields": {one["name"]: _field(one, kind) for one in told["fields"]},
        "keyPrefix": kind.prefix,
        "label": kind.label,
        "labelPlural": kind.plural,
        "nameFields": names,
        "recordTypeInfos": {one["recordTypeId"]: one | {"urls": None} for one in told["recordTypeInfos"]},
        "searchable": kind.searchable,
        "themeInfo": {"color": "747474", "iconUrl": None},
        "updateable": kind.updateable,
    }


def _field(told: dict[str, Any], kind: SObject) -> dict[str, Any]:
    targets = [{"apiName": name, "nameFields": ["Name"]} for name in told["referenceTo"]]
    shared = {name: told[name] for name in _OF_FIELDS}
    return {
        "apiName": told["name"],
        **shared,
        "compound": told["type"] == "address",
        "controllingFields": [],
        "dataType": {"textarea": "TextArea", "datetime": "DateTime"}.get(
            told["type"], told["type"].capitalize()
        ),
        "reference": bool(targets),
        "referenceToInfos": targets,
        "required": not told["nillable"] and told["createable"] and not told["defaultedOnCreate"],
    }


def _in_short(call: Call, kind: SObject) -> dict[str, Any]:
    told = {"apiName": kind.name, "keyPrefix": kind.prefix, "label": kind.label, "labelPlural": kind.plural}
    return {
        **told,
        "nameFields": [kind.name_field or "Id"],
        "objectInfoUrl": f"{call.root}/ui-api/object-info/{kind.name}",
    }


def _typed(call: Call, kind: SObject, wanted: str) -> dict[str, str]:
    """Return a record that has nothing but the record type of an id."""
    known = (one["recordTypeId"] for one in record_types(call.org, kind, ""))
    id = next((one for one in known if wanted in (one, one[:15])), None)
    if id is None:
        raise NotThere
    return {FIELD: id}


def _values(call: Call, kind: SObject, one: Field, row: Mapping[str, Any]) -> dict[str, Any]:
    found = entries(call.org, kind.name, one, row)
    told: list[dict[str, Any]] = [
        {"attributes": None, "label": entry.label, "validFor": [], "value": entry.value} for entry in found
    ]
    start = f"{call.root}/ui-api/object-info/{kind.name}/picklist-values/{call.params['record_type']}"
    first = next((entry.value for entry in found if entry.default), None)
    usual = next((entry for entry in told if entry["value"] == first), None)
    return {"controllerValues": {}, "defaultValue": usual, "url": f"{start}/{one.name}", "values": told}


def _layout(org: Org, kind: SObject, mode: str) -> dict[str, Any]:
    part = "detailLayoutSections" if mode == "View" else "editLayoutSections"
    (whole,) = layouts(org, kind, "")["layouts"]
    sections = [
        {
            "collapsible": one["useCollapsibleSection"],
            "columns": one["columns"],
            "heading": one["heading"],
            "layoutRows": [
                {"layoutItems": [_item(item) for item in row["layoutItems"]]} for row in one["layoutRows"]
            ],
            "rows": one["rows"],
            "useHeading": one["useHeading"],
        }
        for one in whole[part]
    ]
    return {"id": None, "layoutType": "Full", "mode": mode, "objectApiName": kind.name, "sections": sections}


def _item(item: dict[str, Any]) -> dict[str, Any]:
    parts = [
        {"apiName": one["value"], "componentType": "Field", "label": one["details"]["label"]}
        for one in item["layoutComponents"]
    ]
    shared = {name: item[name] for name in ("editableForNew", "editableForUpdate", "label", "required")}
    return {**shared, "layoutComponents": parts, "sortable": False}


def _of_id(call: Call, id: str) -> ListDefinition:
    row = call.org.get("ListView", id)
    if row is None:
        raise NotThere
    return list_views.named(call.org, call.org.schema[row["SobjectType"]], row["Id"])


def _url(call: Call, one: ListDefinition) -> str:
    return f"{call.root}/ui-api/list-ui/{one.id}"


def _list_ui(call: Call, one: ListDefinition) -> dict[str, Any]:
    return {"info": _list_info(one), "records": _list_records(call, one)}


def _list_info(one: ListDefinition) -> dict[str, Any]:
    shown = [column for column in list_views.columns(one) if not column["hidden"]]
    columns = [
        {"fieldApiName": column["fieldNameOrPath"], "label": column["label"], "sortable": column["sortable"]}
        for column in shown
    ]
    filters = [
        {"fieldApiName": each.field, "operandLabels": each.value.split(","), "operator": each.operation}
        for each in one.filters
    ]
    reference = {
        "id": one.id,
        "listViewApiName": one.developer,
        "objectApiName": one.object.name,
        "type": "listView",
    }
    told = {"displayColumns": columns, "filterLogicString": one.logic or None, "filteredByInfo": filters}
    return {
        **told,
        "label": one.name,
        "listReference": reference,
        "visibility": "Private" if one.shared is None else "Public",
    }


def _list_records(call: Call, one: ListDefinition) -> dict[str, Any]:
    found = list_views.rows(call.org, one)
    start, size = call.number("pageToken", 0), call.number("pageSize", _LISTED)
    paths = [column["fieldNameOrPath"] for column in list_views.columns(one)]
    records = [record(call.org, one.object, row, tuple(paths)) for row in found[start : start + size]]
    after = str(start + size) if start + size < len(found) else None
    return {"count": len(records), "currentPageToken": str(start), "nextPageToken": after, "records": records}
