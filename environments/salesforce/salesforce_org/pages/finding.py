"""Finding records by what people type: names first, then what else identifies a record."""

from __future__ import annotations

from collections.abc import Iterable

from salesforce_org.pages.fields import shown
from salesforce_org.pages.formats import Shown
from salesforce_org.pages.layout import layout_of
from salesforce_org.soql import terms
from salesforce_org.store import Org, Record, SObject

BESIDE = {
    "Account": ("Phone", "BillingCity"),
    "Case": ("Subject",),
    "Contact": ("Email", "Phone"),
    "Lead": ("Company", "Email"),
    "Product2": ("ProductCode",),
    "User": ("Username", "Email", "Alias"),
    "Incident": ("Subject",),
    "Problem": ("Subject",),
    "ChangeRequest": ("Subject",),
    "Knowledge__kav": ("ArticleNumber",),
    "Task": ("Description",),
    "Event": ("Description",),
}


def find(org: Org, kind: SObject, text: str, limit: int) -> list[Record]:
    """Return the records of which every word begins a word of what identifies them; names that begin so first."""
    holds, begins = terms.plain(text), text.casefold().strip()
    found = []
    for row in candidates(org, kind):
        name = (org.name_of(row["Id"]) or "").casefold()
        beside = (terms.words(str(row.get(one) or "")) for one in BESIDE.get(kind.name, ()))
        if holds([terms.words(name), *beside]):
            rank = 0 if name.startswith(begins) else 1 if holds([terms.words(name)]) else 2
            found.append((rank, name, row))
    found.sort(key=lambda one: one[:2])
    return [row for _, _, row in found[:limit]]


def candidates(org: Org, kind: SObject) -> Iterable[Record]:
    """Return the records that may be chosen or found: active users, queues, leads that are not converted."""
    match kind.name:
        case "User":
            return org.rows("User", IsActive=True)
        case "Group":
            return org.rows("Group", Type="Queue")
        case "Lead":
            return org.rows("Lead", IsConverted=False)
        case _:
            return org.rows(kind.name)


def recent(org: Org, kind: SObject, ids: Iterable[str], limit: int) -> list[Record]:
    """Return the records of an object that somebody looked at last, then those changed last."""
    known = [row for id in ids if (row := org.get(kind.name, id)) is not None]
    if len(known) < limit:
        seen = {row["Id"] for row in known}
        others = [row for row in candidates(org, kind) if row["Id"] not in seen]
        known += sorted(others, key=lambda row: str(row["LastModifiedDate"]), reverse=True)
    return known[:limit]


def subtitle(org: Org, kind: SObject, row: Record) -> str:
    """Return what stands below a record's name where it is offered."""
    names = [one for one in layout_of(kind).columns if one != kind.name_field]
    values = (shown(org, kind, row, name) for name in (*names, *BESIDE.get(kind.name, ())))
    return next((_plain(one) for one in values if one.text and one.kind != "checkbox"), "")


def _plain(one: Shown) -> str:
    return one.text.partition("\n")[0]
