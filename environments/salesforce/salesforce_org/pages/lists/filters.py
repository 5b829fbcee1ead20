"""The filters of a list view, in the panel beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import Response

from salesforce_org.list_views import Filter
from salesforce_org.pages import fields
from salesforce_org.pages.apps import object_href
from salesforce_org.pages.dialogs import of_object
from salesforce_org.pages.layout import Layout, layout_of
from salesforce_org.pages.lists import definition
from salesforce_org.pages.lists.conditions import NUMBERS, OPERATORS, operators, span
from salesforce_org.pages.lists.definition import ListDefinition, of_record
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Field, Org

SCOPES = (("Everything", "All {plural}"), ("Mine", "My {plural}"))


@dataclass(frozen=True, slots=True)
class Described:
    """A condition as the panel shows it."""

    number: int
    filter: Filter
    label: str
    operator: str
    value: str


def described(org: Org, one: ListDefinition) -> list[Described]:
    """Return the conditions of a list view in words."""
    layout = layout_of(one.object)
    return [_described(org, layout, number, each) for number, each in enumerate(one.filters, 1)]


@page("GET", "/lightning/o/{object}/views/{id}/filter")
def ask(visit: Visit) -> Response:
    """Show one condition (`number`, or a new one) in the panel; its operators and values depend on the field."""
    one = _found(visit)
    return _editor(visit, one, _number(visit.query.get("number", "")), visit.query.get("field", ""))


@page("POST", "/lightning/o/{object}/views/{id}/filter")
def save(visit: Visit) -> Response:
    """Add, change or remove a condition."""
    one = _found(visit)
    number = _number(visit.field("number"))
    filters = list(one.filters)
    if visit.field("do") == "remove":
        if 1 <= number <= len(filters):
            del filters[number - 1]
        return _saved(visit, replace(one, filters=tuple(filters), logic=""))
    values = ",".join(str(value).strip() for value in visit.form.getlist("value") if str(value).strip())
    made = _plain(one, Filter(visit.field("field"), visit.field("operation"), values))
    problem = _problem(visit.org, one, made)
    if problem:
        return _editor(visit, one, number, made.field, made, problem)
    if 1 <= number <= len(filters):
        filters[number - 1] = made
    else:
        filters.append(made)
    logic = (
        f"({one.logic}) AND {len(filters)}" if one.logic and len(filters) > len(one.filters) else one.logic
    )
    return _saved(visit, replace(one, filters=tuple(filters), logic=logic))


@page("POST", "/lightning/o/{object}/views/{id}/scope")
def scope(visit: Visit) -> Response:
    """Show all records or only one's own."""
    wanted = visit.field("scope")
    return _saved(visit, replace(_found(visit), scope=wanted if wanted in dict(SCOPES) else "Everything"))


@page("POST", "/lightning/o/{object}/views/{id}/logic")
def logic(visit: Visit) -> Response:
    """Combine the conditions in another way."""
    one = _found(visit)
    text = visit.field("logic").upper()
    if text:
        try:
            parsed(text, len(one.filters))
        except LogicError as problem:
            return visit.render(
                "list/logic.html", one=replace(one, logic=text), error=str(problem), kind=one.object
            )
    return _saved(visit, replace(one, logic=text))


def _found(visit: Visit) -> ListDefinition:
    kind = of_object(visit)
    row = visit.org.get("ListView", visit.params["id"])
    if row is None or row["SobjectType"] != kind.name:
        raise NotHere
    return of_record(visit.org, row)


def _saved(visit: Visit, one: ListDefinition) -> Response:
    definition.save(visit.org, one)
    return visit.go(object_href(one.object.name, filterName=one.id, panel="filters"))


def _editor(
    visit: Visit, one: ListDefinition, number: int, field: str, made: Filter | None = None, problem: str = ""
) -> Response:
    layout = layout_of(one.object)
    known = one.filters[number - 1] if 1 <= number <= len(one.filters) else None
    shown = made or known or Filter("", "equals", "")
    if field and field != shown.field:
        shown = Filter(field, "equals", "")
    choices = [(name, fields.label(layout, name)) for name in fields.columns(layout)]
    first = shown.field or choices[0][0]
    found = one.object.field(first)
    context: dict[str, Any] = {
        "one": one,
        "kind": one.object,
        "number": number if known else 0,
        "filter": replace(shown, field=first),
        "choices": choices,
        "operators": operators(found),
        "options": _values(visit.org, found),
        "problem": problem,
    }
    return visit.render("list/filter.html", **context)


def _values(org: Org, field: Field | None) -> list[tuple[str, str]]:
    if field is None:
        return []
    if field.type == "boolean":
        return [("1", "True"), ("0", "False")]
    return [(entry.value, entry.label) for entry in org.picklist(field) if entry.active]


def _plain(one: ListDefinition, made: Filter) -> Filter:
    """Numbers are kept without what people write around them."""
    field = one.object.field(made.field)
    if field is None or field.type not in NUMBERS:
        return made
    return replace(made, value="".join(sign for sign in made.value if sign not in "$%, "))


def _problem(org: Org, one: ListDefinition, made: Filter) -> str:
    field = one.object.field(made.field)
    if field is None:
        return "Select a field."
    if made.operation not in dict(operators(field)):
        return "Select an operator."
    if field.type in ("date", "datetime") and made.value and span(org, made.value)[0] is None:
        return "Enter a date such as 3/31/2026, or a relative one such as TODAY, LAST WEEK or NEXT 30 DAYS."
    if field.type in NUMBERS and made.value and not _numeric(made.value):
        return "Enter a number."
    return ""


def _numeric(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdecimal()


def _described(org: Org, layout: Layout, number: int, one: Filter) -> Described:
    field = layout.object.field(one.field)
    labels = dict(_values(org, field))
    value = ", ".join(labels.get(part, part) for part in one.value.split(","))
    return Described(
        number, one, fields.label(layout, one.field), OPERATORS.get(one.operation, one.operation), value
    )


def _number(text: str) -> int:
    return int(text) if text.isdigit() and len(text) < 4 else 0
