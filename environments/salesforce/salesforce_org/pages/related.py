"""Related lists: the records that point to a record, as cards on its page and as pages of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.responses import Response

from salesforce_org.pages.dialogs import found
from salesforce_org.pages.layout import Layout, Related, layout_of
from salesforce_org.pages.routing import page
from salesforce_org.pages.tables import Table, table
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Field, Org, Record, SObject


@dataclass(frozen=True, slots=True)
class RelatedList:
    """A related list of one record; `count` is a number, or `6+` where not all are shown."""

    title: str
    icon: str
    href: str
    count: str
    actions: tuple[dict[str, str], ...]
    table: Table


def related_lists(org: Org, layout: Layout, row: Record, limit: int) -> list[RelatedList]:
    """Return the related lists of a record."""
    found_lists = [_list(org, layout, row, one, limit) for one in _told(org, layout)]
    return [one for one in found_lists if one is not None]


@page("GET", "/lightning/r/{object}/{id}/related/{name}/view")
def whole_list(visit: Visit) -> Response:
    """Show all records of a related list."""
    kind, row = found(visit)
    layout = layout_of(kind)
    told = next((one for one in _told(visit.org, layout) if one.name == visit.params["name"]), None)
    one = _list(visit.org, layout, row, told, 2000) if told else None
    if one is None:
        raise NotHere
    name = visit.org.name_of(row["Id"])
    return visit.render("record/related.html", one=one, kind=kind, row=row, name=name, object=kind.name)


def _told(org: Org, layout: Layout) -> Iterator[Related]:
    """Yield the related lists of a layout, and those of relationships that the org has defined.

    Where the object has a page layout of the org's own, only those that it lists.
    """
    yield from layout.related
    own = layout.object.layout
    shown = None if own is None else {one["relatedList"] for one in own.get("relatedLists", ())}
    for other, reference in org.schema.children.get(layout.object.name, ()):
        built = org.built_in.objects.get(other.name)
        new = built is None or built.field(reference.name) is None
        listed = shown is None or f"{other.name}.{reference.name}" in shown
        if reference.custom and reference.children and new and listed:
            tree = org.component("CustomField", f"{other.name}.{reference.name}") or {}
            yield Related(reference.children, title=tree.get("relationshipLabel", ""))


def _list(org: Org, layout: Layout, row: Record, told: Related, limit: int) -> RelatedList | None:
    behind = org.schema.child(layout.object.name, told.name)
    if behind is None:
        return None
    other, reference = behind
    child = layout_of(other)
    rows = sorted(
        org.rows(other.name, **{reference.name: row["Id"]}), key=lambda one: one["CreatedDate"], reverse=True
    )
    names = told.columns or tuple(one for one in child.columns if one != reference.name)
    href = f"/lightning/r/{layout.object.name}/{row['Id']}/related/{told.name}/view"
    count = f"{limit}+" if len(rows) > limit else str(len(rows))
    shown = table(org, child, names, rows[:limit])
    return RelatedList(
        told.title or other.plural,
        child.icon,
        href,
        count,
        _actions(layout, row, told, other, reference),
        shown,
    )


def _actions(
    layout: Layout, row: Record, told: Related, other: SObject, reference: Field
) -> tuple[dict[str, str], ...]:
    base = f"/lightning/r/{layout.object.name}/{row['Id']}"
    own = tuple(
        {"label": one.label, "opens": f"{base}/{one.flow}"} for one in told.actions if one.offered(row)
    )
    if not told.new or not layout_of(other).create:
        return own
    presets = [
        f"{reference.name}={row['Id']}",
        *(f"{name}={row[field]}" for name, field in told.presets if row.get(field)),
    ]
    query = urlencode({"defaultFieldValues": ",".join(presets), "then": "stay"})
    return ({"label": told.label, "opens": f"/lightning/o/{other.name}/new?{query}"}, *own)
