"""`/sobjects/<Object>/listviews`: list views, what they show, and the records in them."""

from __future__ import annotations

from typing import Any

from salesforce_org.api.call import Call, Reply
from salesforce_org.api.objects import object_named
from salesforce_org.api.routing import resource
from salesforce_org.list_views import Filter
from salesforce_org.pages import fields
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.lists.conditions import NUMBERS, fitting, span
from salesforce_org.pages.lists.definition import RECENT, ListDefinition, all_lists
from salesforce_org.store import Field, Org, Record, SObject
from salesforce_org.store.errors import NotThere

_SHOWN = 25
_SIGNS = {
    "equals": "=",
    "notEqual": "!=",
    "lessThan": "<",
    "greaterThan": ">",
    "lessOrEqual": "<=",
    "greaterOrEqual": ">=",
}


@resource("GET", "/sobjects/{object}/listviews")
def listed(call: Call) -> Reply:
    """List the list views of an object that the acting user may see."""
    kind = object_named(call.org, call.params["object"])
    told = [_in_short(call, one) for one in _seen(call.org, kind)]
    return Reply(
        {"done": True, "listviews": told, "nextRecordsUrl": None, "size": len(told), "sobjectType": kind.name}
    )


@resource("GET", "/sobjects/{object}/listviews/{id}")
def one_list(call: Call) -> Reply:
    """Tell where to find what a list view shows."""
    return Reply(_in_short(call, named(call.org, _kind(call), call.params["id"])))


@resource("GET", "/sobjects/{object}/listviews/{id}/describe")
def describe(call: Call) -> Reply:
    """Describe a list view: its columns, and a query that finds its records."""
    one = named(call.org, _kind(call), call.params["id"])
    told: dict[str, Any] = {
        "columns": columns(one),
        "id": one.id,
        "orderBy": [],
        "query": query(call.org, one),
    }
    told |= {"relatedEntityId": None, "scope": one.scope.casefold(), "scopeEntityId": None}
    return Reply({**told, "sobjectType": one.object.name, "transientQuery": None, "whereCondition": {}})


@resource("GET", "/sobjects/{object}/listviews/{id}/results")
def results(call: Call) -> Reply:
    """Return the records of a list view, some at a time."""
    one = named(call.org, _kind(call), call.params["id"])
    start, most = call.number("offset", 0), call.number("limit", _SHOWN)
    found = rows(call.org, one)
    part = found[start : start + most]
    records = [{"columns": _cells(call.org, one, row)} for row in part]
    told = {
        "columns": columns(one),
        "developerName": one.developer,
        "done": start + most >= len(found),
        "id": one.id,
    }
    return Reply({**told, "label": one.name, "records": records, "size": len(part)})


def named(org: Org, kind: SObject, id: str) -> ListDefinition:
    """Return the list view of an id or a developer name.

    Raises:
        NotThere: The object has no list view of this id or name.
    """
    found = next((one for one in _seen(org, kind) if id in (one.id, one.id[:15], one.developer)), None)
    if found is None:
        raise NotThere
    return found


def rows(org: Org, one: ListDefinition) -> list[Record]:
    """Return the records of a list view, by name."""
    fits, field = fitting(org, one), one.object.name_field or "Id"
    return sorted(
        filter(fits, org.rows(one.object.name)), key=lambda row: str(row.get(field) or "").casefold()
    )


def columns(one: ListDefinition) -> list[dict[str, Any]]:
    """Describe the columns of a list view, with those that every list has and does not show."""
    layout = layout_of(one.object)
    shown = [
        _column(path, fields.label(layout, name), one.object.field(path), hidden=False)
        for name, path in zip(one.columns, _paths(one), strict=True)
    ]
    rest = ("Id", "CreatedDate", "LastModifiedDate", "SystemModstamp")
    hidden = [_column(name, name, one.object.field(name), hidden=True) for name in rest]
    return [*shown, *(column for column in hidden if column["fieldNameOrPath"] not in _paths(one))]


def query(org: Org, one: ListDefinition) -> str:
    """Return the query that finds the records of a list view."""
    selected = ", ".join(column["fieldNameOrPath"] for column in columns(one))
    scope = " USING SCOPE mine" if one.scope == "Mine" else ""
    terms = [_condition(org, one.object, condition) for condition in one.filters]
    pattern = one.logic or " AND ".join(str(number) for number in range(1, len(terms) + 1))
    where = "".join(terms[int(word) - 1] if word.isdecimal() else word for word in _words(pattern))
    order = f"{one.object.name_field or 'Id'} ASC NULLS FIRST"
    return f"SELECT {selected} FROM {one.object.name}{scope}{f' WHERE {where}' if where else ''} ORDER BY {order}"  # noqa: S608


def _words(logic: str) -> list[str]:
    return [word for part in logic.replace("(", " ( ").replace(")", " ) ").split() for word in (part, " ")][
        :-1
    ]


def _condition(org: Org, kind: SObject, one: Filter) -> str:
    field, path = kind.field(one.field), _path(kind, one.field)
    if field is not None and field.type in ("date", "datetime"):
        return _dated(org, path, field, one)
    values = [part.strip() for part in one.value.split(",")] or [""]
    literals = [_literal(field, value) for value in values]
    if one.operation in ("includes", "excludes"):
        return f"{path} {one.operation.upper()} ({', '.join(literals)})"
    if one.operation in _SIGNS:
        joined = " AND " if one.operation == "notEqual" else " OR "
        terms = [f"{path} {_SIGNS[one.operation]} {literal}" for literal in literals]
    else:
        start = "" if one.operation == "startsWith" else "%"
        joined = " AND " if one.operation == "notContain" else " OR "
        like = [f"{path} LIKE {_literal(None, start + value + '%')}" for value in values]
        terms = [f"(NOT {term})" for term in like] if one.operation == "notContain" else like
    return terms[0] if len(terms) == 1 else f"({joined.join(terms)})"


def _dated(org: Org, path: str, field: Field, one: Filter) -> str:
    first, after = span(org, one.value)
    if first is None or after is None:
        return f"{path} {_SIGNS.get(one.operation, '=')} null"
    time = "T00:00:00Z" if field.type == "datetime" else ""
    low, high = f"{first.isoformat()}{time}", f"{after.isoformat()}{time}"
    terms = {
        "equals": f"({path} >= {low} AND {path} < {high})",
        "notEqual": f"({path} < {low} OR {path} >= {high})",
        "lessThan": f"{path} < {low}",
        "greaterThan": f"{path} >= {high}",
        "lessOrEqual": f"{path} < {high}",
    }
    return terms.get(one.operation, f"{path} >= {low}")


def _literal(field: Field | None, value: str) -> str:
    if not value:
        return "null"
    if field is not None and field.type == "boolean":
        return str(value.casefold() in ("true", "1")).lower()
    if field is not None and field.type in NUMBERS:
        return value.replace("$", "").replace("%", "")
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _kind(call: Call) -> SObject:
    return object_named(call.org, call.params["object"])


def _seen(org: Org, kind: SObject) -> list[ListDefinition]:
    return [one for one in all_lists(org, kind) if one.id != RECENT]


def _in_short(call: Call, one: ListDefinition) -> dict[str, Any]:
    url = f"{call.root}/sobjects/{one.object.name}/listviews/{one.id}"
    links = {"describeUrl": f"{url}/describe", "resultsUrl": f"{url}/results", "url": url}
    return {"developerName": one.developer, "id": one.id, "label": one.name, "soqlCompatible": True, **links}


def _paths(one: ListDefinition) -> list[str]:
    return [_path(one.object, name) for name in one.columns]


def _path(kind: SObject, name: str) -> str:
    """Return the path by which a query reaches what a list shows: the name behind a reference."""
    field = kind.field(name)
    return f"{field.relationship}.Name" if field is not None and field.relationship else name


def _column(path: str, label: str, field: Field | None, *, hidden: bool) -> dict[str, Any]:
    sortable = field is None or field.type not in ("textarea", "multipicklist")
    return {
        "ascendingLabel": "Z-A" if sortable else None,
        "descendingLabel": "A-Z" if sortable else None,
        "fieldNameOrPath": path,
        "hidden": hidden,
        "label": label,
        "searchable": field is not None and field.type in ("string", "picklist"),
        "selectListItem": path,
        "sortDirection": None,
        "sortIndex": None,
        "sortable": sortable,
        "type": field.type if field else "string",
    }


def _cells(org: Org, one: ListDefinition, row: Record) -> list[dict[str, Any]]:
    shown = [
        {"fieldNameOrPath": path, "value": fields.shown(org, one.object, row, name).text or None}
        for name, path in zip(one.columns, _paths(one), strict=True)
    ]
    rest = [column["fieldNameOrPath"] for column in columns(one)[len(shown) :]]
    return [*shown, *({"fieldNameOrPath": name, "value": row.get(name)} for name in rest)]
