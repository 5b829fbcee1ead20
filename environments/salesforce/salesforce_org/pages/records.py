"""Pages of records: highlights, path, details, related lists, and changes in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.responses import RedirectResponse, Response

from salesforce_org.approvals.locks import is_locked, may_edit
from salesforce_org.pages import approvals, fields
from salesforce_org.pages.activities import panel
from salesforce_org.pages.arranging import arranged
from salesforce_org.pages.dialogs import found
from salesforce_org.pages.formats import Shown, record_href
from salesforce_org.pages.forms import Form
from salesforce_org.pages.layout import Layout, Section, holds, layout_of
from salesforce_org.pages.path import path_of
from salesforce_org.pages.related import related_lists
from salesforce_org.pages.routing import page
from salesforce_org.pages.shell import Shell
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Org, Record, SObject
from salesforce_org.store.errors import OrgError

RECENT = 50
BUTTONS = 3


@dataclass(frozen=True, slots=True)
class Detail:
    """A field of a record as its page shows it."""

    name: str
    label: str
    shown: Shown
    editable: bool


@dataclass(frozen=True, slots=True)
class DetailSection:
    """A section of the details; rows are pairs, of which one may be missing."""

    title: str
    rows: tuple[tuple[Detail | None, Detail | None], ...]
    wide: tuple[Detail, ...]


@page("GET", "/lightning/r/{object}/{id}/view")
def view(visit: Visit) -> Response:
    """Show a record."""
    kind, row = found(visit)
    shown = arranged(visit, kind, row)
    layout = shown.layout
    seen(visit, row["Id"])
    context = _frame(visit, kind, row) | _details(visit.org, layout, row)
    buttons, more = _actions(visit.org, layout, row)
    context |= {
        "buttons": buttons,
        "more": more,
        "compact": [
            (fields.label(layout, one), fields.shown(visit.org, kind, row, one)) for one in layout.compact
        ],
        "lists": [
            *related_lists(visit.org, layout, row, limit=6),
            *approvals.approval_history(visit.org, kind, row, limit=6),
        ]
        if shown.related
        else [],
        "locked": is_locked(visit.org, row["Id"]),
        "path": path_of(visit.org, layout, row) if shown.path else None,
        "highlights": shown.highlights,
        "activity": shown.activity,
        "texts": shown.texts,
        "form": None,
    }
    context |= panel(visit.org, kind, row) if shown.activity else {}
    tabs = [("related", "Related")] if context["lists"] else []
    tabs += [("details", "Details")] if shown.details or not tabs else []
    wanted = visit.query.get("tab", "")
    context |= {"tabs": tabs, "tab": wanted if wanted in dict(tabs) else _first_tab(layout, tabs)}
    return visit.render("record/view.html", **context)


@page("GET", "/lightning/r/{id}/view")
def view_by_id(visit: Visit) -> Response:
    """Go to the page of a record of whatever object."""
    try:
        kind, row = visit.org.record(visit.params["id"])
    except OrgError:
        raise NotHere from None
    return RedirectResponse(record_href(kind.name, row["Id"]), 303)


@page("GET", "/{id}")
def view_short(visit: Visit) -> Response:
    """Go to a record by the short address that is only its id."""
    if not visit.params["id"].isalnum():
        raise NotHere
    return view_by_id(visit)


@page("GET", "/lightning/r/{object}/{id}/details")
def details(visit: Visit) -> Response:
    """Show the fields of a record, or with `edit` the form in their place."""
    kind, row = found(visit)
    layout = arranged(visit, kind, row).layout
    if visit.fragment is None:
        return visit.go(record_href(kind.name, row["Id"]) + "?tab=details")
    focus = visit.query.get("edit", "")
    form = Form(visit.org, layout, row, False) if focus else None
    context = _frame(visit, kind, row) | _details(visit.org, layout, row)
    return visit.render("record/details.html", **context, form=form, focus=focus)


@page("POST", "/lightning/r/{object}/{id}/details")
def change_details(visit: Visit) -> Response:
    """Save what was changed in place."""
    kind, row = found(visit)
    form = Form(visit.org, arranged(visit, kind, row).layout, row, False)
    given = form.submit(visit.form)
    if not form.errors:
        try:
            with visit.org.transaction():
                visit.org.update(row["Id"], **given)
        except OrgError as problem:
            form.refused(problem)
        else:
            name = visit.org.name_of(row["Id"])
            sentence = f'{kind.label} "{name}" was saved.'
            return visit.go(record_href(kind.name, row["Id"]) + "?tab=details", sentence)
    context = _frame(visit, kind, row) | _details(visit.org, form.layout, row)
    return visit.render("record/details.html", **context, form=form, focus="")


def seen(visit: Visit, id: str) -> None:
    """Note that somebody looked at a record; in a console app it is open as a tab."""
    if visit.login is not None:
        kept = [one for one in visit.login.recent if one != id]
        visit.login.recent = [id, *kept][:RECENT]
        if (app := Shell(visit).app).console:
            tabs = visit.login.workspace.setdefault(app.name, [])
            tabs += [] if id in tabs else [id]


def detail_sections(org: Org, layout: Layout, row: Record) -> list[DetailSection]:
    """Return everything that the layout shows of a record."""
    return [_section(org, layout, row, one) for one in layout.sections]


def _first_tab(layout: Layout, tabs: list[tuple[str, str]]) -> str:
    return layout.first if layout.first in dict(tabs) else tabs[0][0]


def _frame(visit: Visit, kind: SObject, row: Record) -> dict[str, Any]:
    layout = layout_of(kind)
    name = (row.get(layout.title) if layout.title else None) or visit.org.name_of(row["Id"]) or kind.label
    return {"kind": kind, "row": row, "layout": layout, "name": name, "object": kind.name}


def _details(org: Org, layout: Layout, row: Record) -> dict[str, Any]:
    return {"sections": detail_sections(org, layout, row)}


def _section(org: Org, layout: Layout, row: Record, section: Section) -> DetailSection:
    def made(names: tuple[str, ...]) -> list[Detail]:
        known = [one for one in names if fields.parts(layout.object, one) or "." in one]
        return [_detail(org, layout, row, one) for one in known]

    left, right = made(section.left), made(section.right)
    rows = tuple(
        (left[at] if at < len(left) else None, right[at] if at < len(right) else None)
        for at in range(max(len(left), len(right)))
    )
    return DetailSection(section.title, rows, tuple(made(section.wide)))


def _detail(org: Org, layout: Layout, row: Record, name: str) -> Detail:
    kind = layout.object
    found_fields = fields.parts(kind, name)
    may = kind.updateable and name not in layout.fixed and _open(org, layout, row)
    open_ones = [
        one for one in found_fields if one.updateable and one.stored and one.name not in layout.fixed
    ]
    shown = fields.shown(org, kind, row, name)
    if name in (kind.name_field, layout.title) or fields.person(kind, name):
        shown = Shown(shown.text)
    if fields.person(kind, name) and row.get("Salutation"):
        shown = Shown(f"{row['Salutation']} {shown.text}")
    if name in ("CreatedById", "LastModifiedById"):
        stamp = kind.field(name.removesuffix("ById") + "Date")
        when = fields.shown(org, kind, row, stamp.name) if stamp else None
        shown = Shown(f"{shown.text}, {when}" if shown.text else str(when or ""))
    return Detail(name, fields.label(layout, name), shown, bool(open_ones) and may)


def _open(org: Org, layout: Layout, row: Record) -> bool:
    """Whether the acting user may change a record, as far as its state goes."""
    return holds(layout.open, row) and may_edit(org, layout.object, row)


def _actions(org: Org, layout: Layout, row: Record) -> tuple[list[dict[str, str]], list[dict[str, Any]]]:
    """The first few actions are buttons, the rest is in the menu beside them."""
    kind = layout.object
    base = f"/lightning/r/{kind.name}/{row['Id']}"
    given = [
        {"label": one.label, "opens": f"{base}/{one.flow}"} for one in layout.actions if one.offered(row)
    ]
    editable = _open(org, layout, row)
    if kind.updateable and editable:
        given.append({"label": "Edit", "opens": f"{base}/edit"})
    if kind.deletable and editable:
        given.append({"label": "Delete", "opens": f"{base}/delete"})
    if kind.createable and layout.create:
        given.append({"label": "Clone", "opens": f"{base}/clone"})
    owner = kind.field("OwnerId")
    if owner and owner.updateable and may_edit(org, kind, row):
        given.append({"label": "Change Owner", "opens": f"{base}/owner"})
    given += [*approvals.submits(org, kind, row), *approvals.locking(org, kind, row)]
    return given[:BUTTONS], [*given[BUTTONS:]]
