"""The book of a small workshop, as GnuCash writes it, and settings of its dialogs in the form of `toolkit/dialogs.py`.

`menu` opens the dialog, which is `window`, on a `page` if there are several; for a transaction, after the `row` of the
`register` of an account was clicked. The button `close` applies it, then the book is saved. `apart` says that it is a
setting of the user, which GnuCash keeps by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import md5
from random import Random
from typing import Any

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from ..toolkit.steps import Steps

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

PATH = ".local/share/books/workshop.gnucash"
_NAMESPACES = (
    "gnc act book cmdty price slot split trn ts cust vendor employee addr sx fs bgt recurrence lot "
    "billterm bt-days bt-prox taxtable tte"
)
_ACCOUNTS = (  # type, code, full name
    ("ASSET", "1000", "Assets"),
    ("BANK", "1100", "Assets:Checking"),
    ("BANK", "1200", "Assets:Savings"),
    ("CASH", "1300", "Assets:Cash"),
    ("RECEIVABLE", "1400", "Assets:Customers"),
    ("ASSET", "1500", "Assets:Investments"),
    ("STOCK", "1510", "Assets:Investments:Alder Shares"),
    ("LIABILITY", "2000", "Liabilities"),
    ("CREDIT", "2100", "Liabilities:Card"),
    ("PAYABLE", "2200", "Liabilities:Suppliers"),
    ("LIABILITY", "2300", "Liabilities:Sales Tax"),
    ("EQUITY", "3000", "Equity"),
    ("EQUITY", "3100", "Equity:Opening Balances"),
    ("INCOME", "4000", "Income"),
    ("INCOME", "4100", "Income:Sales"),
    ("INCOME", "4200", "Income:Courses"),
    ("INCOME", "4300", "Income:Interest"),
    ("EXPENSE", "5000", "Expenses"),
    ("EXPENSE", "5100", "Expenses:Rent"),
    ("EXPENSE", "5200", "Expenses:Materials"),
    ("EXPENSE", "", "Expenses:Materials:Clay"),
    ("EXPENSE", "", "Expenses:Materials:Glaze"),
    ("EXPENSE", "", "Expenses:Materials:Tools"),
    ("EXPENSE", "5300", "Expenses:Utilities"),
    ("EXPENSE", "5400", "Expenses:Insurance"),
    ("EXPENSE", "5500", "Expenses:Uncategorised"),
)
_TRANSACTIONS = (  # day, number, description, from, to; the amounts differ by seed
    ("2025-12-31", "", "Opening balance", "Equity:Opening Balances", "Assets:Checking"),
    ("2026-01-05", "101", "Rent for January", "Assets:Checking", "Expenses:Rent"),
    ("2026-01-12", "102", "Clay in bags", "Assets:Checking", "Expenses:Materials:Clay"),
    ("2026-01-20", "", "Market stall", "Income:Sales", "Assets:Checking"),
    ("2026-02-02", "103", "Rent for February", "Assets:Checking", "Expenses:Rent"),
    ("2026-02-09", "", "Glaze, two buckets", "Liabilities:Card", "Expenses:Materials:Glaze"),
    ("2026-02-16", "104", "Kiln insurance", "Assets:Checking", "Expenses:Insurance"),
    ("2026-02-23", "", "Evening course", "Income:Courses", "Assets:Checking"),
    ("2026-03-02", "105", "Rent for March", "Assets:Checking", "Expenses:Rent"),
    ("2026-03-10", "", "Electricity", "Assets:Checking", "Expenses:Utilities"),
)
_DOLLARS, _SHARES = ("CURRENCY", "USD"), ("NYSE", "ALDR")
_COMPANIES = ("Fennel Pottery", "Larch Ceramics", "Tansy Studio", "Sorrel Kilns")
_PEOPLE = ("Ida Marsh", "Owen Pike", "Nora Field", "Emil Brook")


def setup(random: Random) -> Steps:
    """Open the book, with names and amounts of this seed."""
    yield {"do": "write", "path": PATH, "text": _book(random)}
    yield {"do": "open", "path": PATH}


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and say how the dialog is opened and closed."""
    paid = state.collections["book"]["transaction/2026-02-16 Kiln insurance"]["Expenses/Insurance.value"]
    filled = dialogs.case(
        state, random, {**values, "choices": {**values.get("choices", {}), "insurance": [paid]}}
    )
    window, page, button = (str(filled.get(name, "")) for name in ("window", "page", "close"))
    opening: list[dict[str, Any]] = []
    if "register" in filled:
        row = (79 + 24 * int(filled["row"])) / 936
        opening += [
            {"double": f'table-cell[name="{filled["register"]}"]'},
            {"click": f"page-tab-list@0.25,{row:.4f}"},
        ]
    opening += [{"menu": filled["menu"]}] if "menu" in filled else []
    closing = [{"click": f'{window} >> push-button[name="{button}"]'}] if button else []
    closing += filled.get("closing", [])
    return filled | {
        "opening": [
            *opening,
            *filled.get("opening", []),
            *([{"click": f'{window} >> page-tab[name="{page}"]'}] if page else []),
        ],
        "closing": closing if filled.get("apart") else [*closing, {"press": "ctrl+s"}],
        "unsaved": closing,
    }


def _book(random: Random) -> str:
    company = random.choice(_COMPANIES)
    customer, vendor, employee = random.sample(_PEOPLE, 3)
    name = _slot("Company Name", "string", company)
    share = random.randrange(3000, 6000)
    parts = [
        _guid("book:id", "book"),
        _e("book:slots", _slot("options", "frame", _slot("Business", "frame", name))),
        _e("gnc:commodity", _commodity(*_DOLLARS), version="2.0.0"),
        _e(
            "gnc:commodity",
            _commodity(*_SHARES),
            _e("cmdty:name", "Alder Mills"),
            _e("cmdty:fraction", "1"),
            version="2.0.0",
        ),
        _e("gnc:pricedb", _price("2026-01-30", share), version="1"),
        _e(
            "gnc:account",
            _e("act:name", "Root Account"),
            _guid("act:id", ""),
            _e("act:type", "ROOT"),
            version="2.0.0",
        ),
        *(_account(*one) for one in _ACCOUNTS),
        *(_transaction(*one, cents) for one, cents in _with_amounts(random)),
        _customer(customer),
        _vendor(vendor),
        _employee(employee),
    ]
    spaces = " ".join(f'xmlns:{one}="http://www.gnucash.org/XML/{one}"' for one in _NAMESPACES.split())
    head = '<?xml version="1.0" encoding="utf-8" ?>'
    return f"{head}\n<gnc-v2 {spaces}>\n{_e('gnc:book', *parts, version='2.0.0')}\n</gnc-v2>\n"


def _with_amounts(random: Random) -> Iterator[tuple[tuple[str, str, str, str, str], int]]:
    for one in _TRANSACTIONS:
        yield one, random.randrange(4000, 60000) + (1000000 if one[2] == "Opening balance" else 0)


def _e(tag: str, *content: str, **attributes: str) -> str:
    about = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{tag}{about}>{''.join(content)}</{tag}>"


def _guid(tag: str, name: str) -> str:
    return _e(tag, md5(name.encode()).hexdigest(), type="guid")  # noqa: S324 - what has to have one


def _slot(key: str, kind: str, value: str) -> str:
    return _e("slot", _e("slot:key", key), _e("slot:value", value, type=kind))


def _commodity(space: str, name: str) -> str:
    return _e("cmdty:space", space) + _e("cmdty:id", name)


def _date(tag: str, day: str) -> str:
    return _e(tag, _e("ts:date", f"{day} 10:59:00 +0000"))


def _price(day: str, cents: int) -> str:
    return _e(
        "price",
        _guid("price:id", "price"),
        _e("price:commodity", _commodity(*_SHARES)),
        _e("price:currency", _commodity(*_DOLLARS)),
        _date("price:time", day),
        _e("price:source", "user:price-editor"),
        _e("price:type", "last"),
        _e("price:value", f"{cents}/100"),
    )


def _account(kind: str, code: str, name: str) -> str:
    above, _, own = name.rpartition(":")
    return _e(
        "gnc:account",
        _e("act:name", own),
        _guid("act:id", name),
        _e("act:type", kind),
        _e("act:commodity", _commodity(*(_SHARES if kind == "STOCK" else _DOLLARS))),
        _e("act:commodity-scu", "1" if kind == "STOCK" else "100"),
        _e("act:code", code) if code else "",
        _e("act:description", own),
        _guid("act:parent", above),
        version="2.0.0",
    )


def _transaction(day: str, number: str, description: str, source: str, target: str, cents: int) -> str:
    splits = (
        _e(
            "trn:split",
            _guid("split:id", day + account),
            _e("split:reconciled-state", "n"),
            _e("split:value", f"{value}/100"),
            _e("split:quantity", f"{value}/100"),
            _guid("split:account", account),
        )
        for account, value in ((target, cents), (source, -cents))
    )
    return _e(
        "gnc:transaction",
        _guid("trn:id", day),
        _e("trn:currency", _commodity(*_DOLLARS)),
        _e("trn:num", number) if number else "",
        _date("trn:date-posted", day),
        _date("trn:date-entered", day),
        _e("trn:description", description),
        _e("trn:slots", _slot("date-posted", "gdate", _e("gdate", day))),
        _e("trn:splits", *splits),
        version="2.0.0",
    )


def _customer(name: str) -> str:
    return _e(
        "gnc:GncCustomer",
        *_person("cust", name),
        _e("cust:name", name),
        _e("cust:shipaddr", version="2.0.0"),
        _e("cust:taxincluded", "USEGLOBAL"),
        _e("cust:discount", "0/1"),
        _e("cust:credit", "0/1"),
        _e("cust:use-tt", "0"),
        version="2.0.0",
    )


def _vendor(name: str) -> str:
    return _e(
        "gnc:GncVendor",
        *_person("vendor", name),
        _e("vendor:name", name),
        _e("vendor:taxincluded", "USEGLOBAL"),
        _e("vendor:use-tt", "0"),
        version="2.0.0",
    )


def _employee(name: str) -> str:
    return _e(
        "gnc:GncEmployee",
        *_person("employee", name),
        _e("employee:username", name.split()[0].lower()),
        _e("employee:workday", "8/1"),
        _e("employee:rate", "25/1"),
        version="2.0.0",
    )


def _person(kind: str, name: str) -> Iterator[str]:
    yield _guid(f"{kind}:guid", kind)
    yield _e(f"{kind}:id", "000001")
    yield _e(f"{kind}:addr", _e("addr:name", name), _e("addr:addr1", "Mill Lane 4"), version="2.0.0")
    yield _e(f"{kind}:active", "1")
    yield _e(f"{kind}:currency", _commodity(*_DOLLARS))
