"""A workbook of four sheets, as LibreOffice itself would have saved it, with names and numbers that differ by seed.

Orders holds what customers ordered, sorted by customer; Loan a small calculation with a list of rates below it; Stock
goods with codes of three parts; Archive is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from ..toolkit.steps import Steps, file

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

PATH = "work/shop.fods"
DOCUMENT = "document/shop.fods"

_CUSTOMERS = ("Alder", "Birch", "Cedar", "Hazel", "Larch", "Rowan")
_GOODS = {"Brushes": 4.75, "Ink": 19.9, "Paper": 6.25, "Pens": 1.5, "Rulers": 2.35, "Tape": 3.15}
_COLOURS = ("amber", "blue", "green", "red", "white")
_RANGE = re.compile(r"\b([A-Z]{1,2})(\d*)\.\.([A-Z]{1,2})(\d*)")
_END = "  </office:spreadsheet>\n"

Rows = Sequence[Sequence[str | float | tuple[str, float]]]  # a formula stands beside its result


def setup(random: Random) -> Steps:
    """Open the workbook."""
    customers, goods = sorted(random.sample(_CUSTOMERS, 3)), random.sample(sorted(_GOODS), 2)
    head, tail = Path(__file__).with_name("workbook.fods").read_text(encoding="utf-8").split(_END)
    sheets = (
        _sheet("Orders", _orders(random, customers, goods)),
        _sheet("Loan", _loan(random)),
        _sheet("Stock", _stock(random)),
        _sheet("Archive", [["Year", "Orders"], [2024, random.randint(200, 400)]], style="ta2"),
    )
    yield from file(PATH, f"{head}{''.join(sheets)}{_END}{tail}")


def _orders(random: Random, customers: list[str], goods: list[str]) -> Rows:
    rows: list[list[str | float | tuple[str, float]]] = [
        ["Order", "Customer", "Goods", "Quantity", "Price", "Amount"]
    ]
    for number in range(6):
        one, quantity = goods[number % 2], random.randint(2, 20)
        line, price = number + 2, _GOODS[one]
        amount = (f"[.D{line}]*[.E{line}]", round(quantity * price, 2))
        rows.append([1001 + number, customers[number // 2], one, quantity, price, amount])
    return rows


def _loan(random: Random) -> Rows:
    loan, rate, years = (
        random.randrange(9, 20) * 1000,
        random.choice([0.02, 0.025, 0.05]),
        random.choice([4, 8]),
    )
    interest = round(loan * rate * years, 2)
    return [
        ["Loan", loan],
        ["Rate", rate],
        ["Years", years],
        ["Interest", ("[.B1]*[.B2]*[.B3]", interest)],
        ["Total", ("[.B1]+[.B4]", loan + interest)],
        [],
        ["Rate", "Interest"],
        *([one] for one in (0.03, 0.04, 0.06)),
    ]


def _stock(random: Random) -> Rows:
    codes = [f"{letter}-{random.randint(10, 99)}-{random.choice(_COLOURS)}" for letter in "KMR"]
    shelves = random.sample(["North", "South", "East", "West"], 3)
    counts = random.sample(range(3, 30), 3)
    return [["Shelf", "Count", "Code"], *([list(one) for one in zip(shelves, counts, codes, strict=True)])]


def _sheet(name: str, rows: Rows, style: str = "ta1") -> str:
    columns = max(map(len, rows))
    return (
        f'   <table:table table:name="{name}" table:style-name="{style}">\n'
        f'    <table:table-column table:style-name="co1" table:number-columns-repeated="{columns}"'
        ' table:default-cell-style-name="Default"/>\n'
        + "".join(
            f'    <table:table-row table:style-name="ro1">{"".join(map(_cell, row)) or "<table:table-cell/>"}'
            "</table:table-row>\n"
            for row in rows
        )
        + "   </table:table>\n"
    )


def _cell(content: str | float | tuple[str, float]) -> str:
    if isinstance(content, str):
        kind, value, formula = "string", "", ""
    else:
        formula, content = content if isinstance(content, tuple) else ("", content)
        content = f"{content:g}" if content < 1e6 else str(content)
        kind, value = "float", f' office:value="{content}"'
        formula = f' table:formula="of:={formula}"' if formula else ""
    return (
        f'<table:table-cell{formula} office:value-type="{kind}"{value} calcext:value-type="{kind}">'
        f"<text:p>{content}</text:p></table:table-cell>"
    )


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and say how the dialog is opened and closed.

    `cells` are selected first, by the name box; `menu` leads to the dialog `window`, which OK closes unless there is a
    `closing`, and `page` is one of the options. What was done is in the document, which has to be saved, or
    `saved_in` the settings.
    """
    filled = dialogs.case(state, random, values)
    window = filled.get("window", "dialog")
    select = [{"press": "ctrl+shift+t"}, {"type": filled["cells"] + "\n"}] if "cells" in filled else []
    menu = [{"menu": filled["menu"]}] if "menu" in filled else []
    page = _page(filled["page"]) if "page" in filled else []
    ok, cancel = ([{"click": f'{window} >> push-button[name="{name}"]'}] for name in ("OK", "Cancel"))
    closing = filled.get("closing", ok)
    settings = filled.get("saved_in") == "settings"
    return filled | {
        "opening": [*select, *menu, *page, *filled.get("opening", ())],
        "window": window,
        "closing": [*closing, {"wait": 2} if settings else {"press": "ctrl+s"}],  # settings are written later
        "unsaved": cancel if settings else closing,
        "settings": [_expanded(one) for one in filled["settings"]],
        "along": [
            *(part for one in filled.get("along", ()) for part in _along(one)),
            {"place": f"files/{PATH}", "why": "it is judged by its content"},
        ],
    }


def _page(name: str) -> list[dict[str, Any]]:
    """Return what opens a page of the options that has this name, below those of LibreOffice Calc."""
    again = name in ("General", "View")  # pages of LibreOffice as well
    return [
        {"menu": ["Tools", "Options..."]},
        {"double": 'dialog >> table-cell[name="LibreOffice Calc"]'},
        {"click": f'dialog >> table-cell[name="{name}"]:nth({1 if again else 0})'},
    ]


def _expanded(one: dict[str, Any]) -> dict[str, Any]:
    """Return an action with the places of its ranges: `/Orders/D2..D7:p` is that field of six cells of the document."""
    if "fits" in one:
        return one | {"place": f"{DOCUMENT}{one['place']}"}
    saves = one.get("saves", {}) | ({one["place"]: one.get("is")} if "place" in one else {})
    places = {place: value for given, value in saves.items() for place in _places(given)}
    return {name: value for name, value in one.items() if name not in ("place", "is")} | {"saves": places}


def _along(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what goes along with its places in full; where no value is given, each of them is open."""
    if "why" not in one:
        yield _expanded(one)
        return
    yield from ({"place": place, "why": one["why"]} for place in _places(one["place"]))


def _places(given: str) -> Iterator[str]:
    place = f"{DOCUMENT}{given}" if given.startswith("/") else given
    if not (found := _RANGE.search(place)):
        yield place
        return
    for column in range(_number(found[1]), _number(found[3]) + 1):
        for line in range(int(found[2]), int(found[4]) + 1) if found[2] else [""]:
            name = (chr(64 + column // 26) if column >= 26 else "") + chr(65 + column % 26)
            yield f"{place[: found.start()]}{name}{line}{place[found.end() :]}"


def _number(letters: str) -> int:
    *first, last = letters
    return (ord(first[0]) - 64) * 26 + ord(last) - 65 if first else ord(last) - 65
