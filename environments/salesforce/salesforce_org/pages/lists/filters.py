"""The filters of a list view, in the panel beside it: what is changed there is stored with Save, all at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from starlette.responses import Response

from salesforce_org.list_views import Filter
from salesforce_org.pages import fields
from salesforce_org.pages.apps import object_href
from salesforce_org.pages.layout import Layout, layout_of
from salesforce_org.pages.lists import definition
from salesforce_org.pages.lists.board import displayed
from salesforce_org.pages.lists.conditions import NUMBERS, OPERATORS, operators, span
from salesforce_org.pages.lists.controls import found
from salesforce_org.pages.lists.definition import ListDefinition
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import Visit
from salesforce_org.store import Field, Org

SCOPES = (("Everything", "All"), ("Mine", "My"))


@dataclass(frozen=True, slots=True)
class Described:
    """A condition as the panel shows it."""

    number: int
    filter: Filter
    label: str
    operator: str
    value: str


@dataclass
class Draft:
    """What the panel holds before it is saved.

    Attributes:
        editing: What the popover is open for: `scope`, the number of a condition as text, or nothing.
        focus: The id of the field that is entered first.
        problem: What is wrong with the condition in the popover; `unread` with the filter logic.
    """

    one: ListDefinition
    changed: bool = False
    editing: str = ""
    filter: Filter = field(default_factory=lambda: Filter("", "equals", ""))
    focus: str = "filter-field"
    problem: str = ""
    unread: str = ""


def panel(visit: Visit, draft: Draft) -> dict[str, Any]:
    """Return what the panel's template shows of a draft."""
    kind, layout = draft.one.object, layout_of(draft.one.object)
    choices = [(name, fields.label(layout, name)) for name in fields.columns(layout)]
    edited = replace(draft.filter, field=draft.filter.field or choices[0][0])
    known = kind.field(edited.field)
    return {
        "one": draft.one,
        "kind": kind,
        "draft": draft,
        "filters": described(visit.org, draft.one),
        "scopes": [(value, f"{word} {kind.plural.lower()}") for value, word in SCOPES],
        "filter": edited,
        "choices": choices,
        "operators": operators(known),
        "options": _values(visit.org, known),
        "display": displayed(visit).get("display", ""),
    }


def described(org: Org, one: ListDefinition) -> list[Described]:
    """Return the conditions of a list view in words."""
    layout = layout_of(one.object)
    return [_described(org, layout, number, each) for number, each in enumerate(one.filters, 1)]


@page("POST", "/lightning/o/{object}/views/{id}/filters")
def change(visit: Visit) -> Response:
    """Do what a button of the panel says: with the draft, or at last with the list view."""
    draft = _read(visit, found(visit))
    do, _, rest = visit.field("do").partition("-")
    match do:
        case "scope" | "edit" | "add" | "field":
            _open(visit, draft, do, rest)
        case "done":
            _done(visit, draft)
        case "remove" | "clear" | "logic" | "plain":
            _alter(draft, do, rest)
        case "save":
            return _save(visit, draft)
    return visit.render("list/filters.html", **panel(visit, draft))


def _read(visit: Visit, stored: ListDefinition) -> Draft:
    names, operations, values = (
        [str(one) for one in visit.form.getlist(key)] for key in ("filters", "operations", "values")
    )
    filters = tuple(Filter(*each) for each in zip(names, operations, values, strict=False))
    scope = visit.field("scope")
    one = replace(
        stored,
        filters=filters,
        scope=scope if scope in dict(SCOPES) else stored.scope,
        logic=visit.field("logic").upper(),
    )
    return Draft(one, visit.field("changed") == "true")


def _open(visit: Visit, draft: Draft, do: str, rest: str) -> None:
    draft.editing = {"scope": "scope", "add": str(len(draft.one.filters) + 1)}.get(do, rest)
    if do == "edit" and (known := _at(draft, rest)) is not None:
        draft.filter = draft.one.filters[known]
    elif do == "field":
        draft.editing = visit.field("number")
        draft.filter, draft.focus = Filter(visit.field("field"), "equals", ""), "filter-operation"


def _done(visit: Visit, draft: Draft) -> None:
    number = visit.field("number")
    if number == "scope":
        draft.one = replace(draft.one, scope=_offered(visit.field("chosen")))
        draft.changed = True
        return
    given = [str(value).strip() for value in visit.form.getlist("value")]
    made = _plain(
        draft.one,
        Filter(visit.field("field"), visit.field("operation"), ",".join(one for one in given if one)),
    )
    if problem := _problem(visit.org, draft.one, made):
        draft.editing, draft.filter, draft.problem = number, made, problem
        return
    filters, at = list(draft.one.filters), _at(draft, number)
    logic = draft.one.logic
    if at is None:
        filters.append(made)
        logic = f"{_bracketed(logic)} AND {len(filters)}" if logic else ""
    else:
        filters[at] = made
    draft.one = replace(draft.one, filters=tuple(filters), logic=logic)
    draft.changed = True


def _alter(draft: Draft, do: str, rest: str) -> None:
    filters = list(draft.one.filters)
    logic = ""
    if do == "logic":
        logic = " AND ".join(str(number) for number in range(1, len(filters) + 1))
    elif do == "clear":
        filters = []
    elif do == "remove" and (at := _at(draft, rest)) is not None:
        del filters[at]
    draft.one = replace(draft.one, filters=tuple(filters), logic=logic)
    draft.changed = True


def _save(visit: Visit, draft: Draft) -> Response:
    if draft.one.logic:
        try:
            parsed(draft.one.logic, len(draft.one.filters))
        except LogicError as problem:
            draft.unread = str(problem)
            return visit.render("list/filters.html", **panel(visit, draft))
    definition.save(visit.org, draft.one)
    there = object_href(draft.one.object.name, filterName=draft.one.id, panel="filters", **displayed(visit))
    return visit.go(there, "List view updated.")


def _at(draft: Draft, number: str) -> int | None:
    """Return where a condition stands that the panel calls by a number; None for a new one."""
    known = number.isdecimal() and 1 <= int(number) <= len(draft.one.filters)
    return int(number) - 1 if known else None


def _offered(scope: str) -> str:
    return scope if scope in dict(SCOPES) else "Everything"


def _bracketed(logic: str) -> str:
    return f"({logic})" if " OR " in logic else logic


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
