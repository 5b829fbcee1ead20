"""Tables of Setup: columns over records, sorted by a click on a heading, narrowed by first letter, in pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from starlette.responses import Response

from salesforce_org.setup.area import SetupVisit

PAGE_SIZE = 100
OTHER = "Other"


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a table: text, perhaps as a link, or a checkbox that only shows."""

    text: str = ""
    href: str | None = None
    checked: bool | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A link or, with `post`, a button; `confirm` is asked before it sends what `sends` says."""

    label: str
    href: str
    post: bool = False
    confirm: str = ""
    sends: tuple[tuple[str, str], ...] = ()


Shown = Cell | str | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column over things of any kind."""

    label: str
    show: Callable[[Any], Shown]
    sortable: bool = True

    def cell(self, thing: Any) -> Cell:
        """Return what the column shows of a thing."""
        shown = self.show(thing)
        if isinstance(shown, Cell):
            return shown
        return Cell(checked=shown) if isinstance(shown, bool) else Cell(shown or "")


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's heading; `order` is ascending, descending, none, or empty where it cannot be sorted."""

    label: str
    href: str = ""
    order: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line; `id` is what its checkbox submits."""

    id: str
    name: str
    actions: tuple[Action, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table as the template shows it.

    Attributes:
        name: What it is called, by sight and by assistive technology.
        total: Number of all rows; `start` and `rows` are those of this page.
        has_actions: Whether there is a column of actions at the left.
    """

    name: str
    headings: tuple[Heading, ...]
    rows: tuple[Row, ...]
    total: int
    start: int = 0
    has_actions: bool = False
    empty: str = "No records to display"

    @property
    def sorted_by(self) -> str:
        """The label of the column by which the rows are sorted."""
        return next((one.label for one in self.headings if one.order in ("ascending", "descending")), "")


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page that is a list.

    Attributes:
        buttons: Above the table; those with `post` send the ticked rows, named by `choose`.
        views: Values and labels of the views; `view` is the chosen one.
        letters: Links of the alphabet, as `letters` returns them.
    """

    title: str
    table: Table
    intro: str = ""
    buttons: tuple[Action, ...] = ()
    views: tuple[tuple[str, str], ...] = ()
    view: str = ""
    letters: Sequence[tuple[str, str, bool]] = ()
    choose: str = ""


Actions = Callable[[Any], Sequence[Action]]


def related(
    name: str,
    columns: Sequence[Column],
    things: Iterable[Any],
    actions: Actions | None = None,
    empty: str = "",
) -> Table:
    """Return a table with all its rows, as they come."""
    rows = tuple(_row(columns, thing, actions) for thing in things)
    headings = tuple(Heading(column.label) for column in columns)
    return Table(name, headings, rows, len(rows), 0, actions is not None, empty or "No records to display")


def listing(
    page: SetupVisit,
    name: str,
    columns: Sequence[Column],
    things: Iterable[Any],
    actions: Actions | None = None,
) -> Table:
    """Return a table as the address asks for it: `sort` and `desc`, `letter`, `p` (page)."""
    label = page.query.get("sort") or next(column.label for column in columns if column.sortable)
    downwards = page.query.get("desc") == "1"
    chosen = next((column for column in columns if column.label == label), columns[0])
    found = sorted(
        (thing for thing in things if _begins(chosen.cell(thing).text, page.query.get("letter", ""))),
        key=lambda thing: _order(chosen.cell(thing)),
        reverse=downwards,
    )
    start = max(0, _number(page.query.get("p", "")) - 1) * PAGE_SIZE
    rows = tuple(_row(columns, thing, actions) for thing in found[start : start + PAGE_SIZE])
    headings = tuple(_heading(page, column, chosen, downwards) for column in columns)
    return Table(name, headings, rows, len(found), start, actions is not None)


def letters(page: SetupVisit) -> list[tuple[str, str, bool]]:
    """Return the links of the alphabet above a list: text, address, whether it is the chosen one."""
    now = page.query.get("letter", "")
    single = [(one, page.again(letter=one, p=""), one == now) for one in (*ascii_uppercase, OTHER)]
    return [*single, ("All", page.again(letter="", p=""), not now)]


def show_list(page: SetupVisit, told: ListPage, **context: Any) -> Response:
    """Answer with a list."""
    return page.render("setup/list.html", listing=told, **context)


def _row(columns: Sequence[Column], thing: Any, actions: Actions | None) -> Row:
    cells = tuple(column.cell(thing) for column in columns)
    id = str(thing["Id"]) if isinstance(thing, dict) and "Id" in thing else ""
    return Row(id, cells[0].text, tuple(actions(thing)) if actions else (), cells)


def _heading(page: SetupVisit, column: Column, chosen: Column, downwards: bool) -> Heading:
    if not column.sortable:
        return Heading(column.label)
    if column is not chosen:
        return Heading(column.label, page.again(sort=column.label, desc="", p=""), "none")
    order = "descending" if downwards else "ascending"
    return Heading(column.label, page.again(sort=column.label, desc="" if downwards else "1", p=""), order)


def _order(cell: Cell) -> tuple[bool, str]:
    return not cell.checked, cell.text.casefold()


def _begins(text: str, letter: str) -> bool:
    if letter == OTHER:
        return text[:1].upper() not in ascii_uppercase
    return text.upper().startswith(letter.upper())


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 6 else 1
