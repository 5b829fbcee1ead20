"""The first step of adding products: a table of what there is, narrowed down by words, from which some are chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.pages.dialogs import dialog
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.tables import table
from salesforce_org.pages.visit import Visit
from salesforce_org.store import Record, SObject

LISTED = 50
NOTHING = "Select at least one product."


@dataclass(frozen=True, slots=True)
class Choice:
    """What can be chosen, and how it is shown.

    Attributes:
        kind: Whose records they are.
        columns: Names of fields, the product's name first.
        tagline: What stands below the dialog's title.
    """

    kind: SObject
    columns: Sequence[str]
    rows: Sequence[Record]
    tagline: str


def chosen(visit: Visit, choice: Choice) -> list[Record]:
    """Return the records that are ticked, in the order of the table."""
    wanted = {*visit.form.getlist("chosen"), *visit.query.getlist("chosen")}
    return [row for row in choice.rows if row["Id"] in wanted]


def choose(visit: Visit, choice: Choice, keep: dict[str, str], problem: str = "") -> Response:
    """Answer with the dialog, or with its rows alone while somebody types."""
    ticked = {row["Id"] for row in chosen(visit, choice)}
    rows = _found(choice.rows, visit.query.get("q", ""), ticked)
    context: dict[str, Any] = {
        "found": table(visit.org, layout_of(choice.kind), choice.columns, rows[:LISTED]),
        "ticked": ticked,
        "more": max(0, len(rows) - LISTED),
        "address": visit.path,
        "keep": keep,
        "problem": problem,
        "tagline": choice.tagline,
    }
    if visit.fragment == "offered":
        return visit.render("flows/offered_products.html", **context)
    return dialog(visit, choice.kind, "flows/choose_products.html", "Add Products", **context)


def _found(rows: Iterable[Record], text: str, ticked: set[str]) -> list[Record]:
    """Return what is ticked already, then what has all the words in its name or code."""
    words = text.casefold().split()

    def fits(row: Record) -> bool:
        whole = f"{row['Name']} {row['ProductCode'] or ''}".casefold()
        return all(word in whole for word in words)

    by_name = sorted(rows, key=lambda row: str(row["Name"]).casefold())
    first = [row for row in by_name if row["Id"] in ticked]
    return first + [row for row in by_name if row["Id"] not in ticked and fits(row)]
