"""The book of a small workshop, as GnuCash writes it, and settings of its dialogs in the form of `toolkit/dialogs.py`.

`menu` opens the dialog, which is `window`, on a `page` if there are several, and the button `close` applies it; then the
book is saved. `apart` says that it is a setting of the user, which GnuCash keeps by itself.
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
_NAMESPACES = "gnc act book cd cmdty price slot split sx trn ts fs bgt recurrence lot addr billterm bt-days cust employee taxtable tte vendor"
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
_COMPANIES = ("Fennel Pottery", "Larch Ceramics", "Tansy Studio", "Sorrel Kilns")
_PEOPLE = ("Ida Marsh", "Owen Pike", "Nora Field", "Emil Brook")


def setup(random: Random) -> Steps:
    """Open the book, with names and amounts of this seed."""
    yield {"do": "write", "path": PATH, "text": _book(random)}
    yield {"do": "open", "path": PATH}


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and say how the dialog is opened and closed."""
    filled = dialogs.case(state, random, values)
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
    return f"""<?xml version="1.0" encoding="utf-8" ?>
<gnc-v2 {" ".join(f'xmlns:{one}="http://www.gnucash.org/XML/{one}"' for one in _NAMESPACES.split())}>
<gnc:count-data cd:type="book">1</gnc:count-data>
<gnc:book version="2.0.0">
<book:id type="guid">{_id("book")}</book:id>
<book:slots>{_slot("options", "frame", _slot("Business", "frame", _slot("Company Name", "string", company)))}</book:slots>
<gnc:commodity version="2.0.0"><cmdty:space>CURRENCY</cmdty:space><cmdty:id>USD</cmdty:id></gnc:commodity>
<gnc:commodity version="2.0.0"><cmdty:space>NYSE</cmdty:space><cmdty:id>ALDR</cmdty:id><cmdty:name>Alder Mills</cmdty:name><cmdty:fraction>1</cmdty:fraction></gnc:commodity>
<gnc:pricedb version="1"><price><price:id type="guid">{_id("price")}</price:id>{_commodity("price", "NYSE", "ALDR")}{_commodity("price", "CURRENCY", "USD", "currency")}<price:time><ts:date>2026-01-30 00:00:00 +0000</ts:date></price:time><price:source>user:price-editor</price:source><price:type>last</price:type><price:value>{random.randrange(3000, 6000)}/100</price:value></price></gnc:pricedb>
<gnc:account version="2.0.0"><act:name>Root Account</act:name><act:id type="guid">{_id("")}</act:id><act:type>ROOT</act:type></gnc:account>
{"".join(_account(*one) for one in _ACCOUNTS)}
{"".join(_transaction(*one, cents) for one, cents in _with_amounts(random))}
{_person("cust", "GncCustomer", "000001", customer)}
{_person("vendor", "GncVendor", "000001", vendor)}
{_person("employee", "GncEmployee", "000001", employee)}
</gnc:book>
</gnc-v2>
"""


def _with_amounts(random: Random) -> Iterator[tuple[tuple[str, ...], int]]:
    for one in _TRANSACTIONS:
        yield one, random.randrange(4000, 60000) + (1000000 if one[2] == "Opening balance" else 0)


def _id(name: str) -> str:
    return md5(name.encode()).hexdigest()  # noqa: S324 - a name for what has to have one


def _slot(key: str, kind: str, value: str) -> str:
    return f'<slot><slot:key>{key}</slot:key><slot:value type="{kind}">{value}</slot:value></slot>'


def _commodity(of: str, space: str, name: str, tag: str = "commodity") -> str:
    return f"<{of}:{tag}><cmdty:space>{space}</cmdty:space><cmdty:id>{name}</cmdty:id></{of}:{tag}>"


def _account(kind: str, code: str, name: str) -> str:
    above, _, own = name.rpartition(":")
    commodity = ("NYSE", "ALDR") if kind == "STOCK" else ("CURRENCY", "USD")
    fraction = 1 if kind == "STOCK" else 100
    return f"""<gnc:account version="2.0.0"><act:name>{own}</act:name><act:id type="guid">{_id(name)}</act:id><act:type>{kind}</act:type>{_commodity("act", *commodity)}<act:commodity-scu>{fraction}</act:commodity-scu>{f"<act:code>{code}</act:code>" if code else ""}<act:description>{own}</act:description><act:parent type="guid">{_id(above)}</act:parent></gnc:account>
"""


def _transaction(day: str, number: str, description: str, source: str, target: str, cents: int) -> str:
    splits = "".join(
        f"""<trn:split><split:id type="guid">{_id(day + account)}</split:id><split:reconciled-state>n</split:reconciled-state><split:value>{value}/100</split:value><split:quantity>{value}/100</split:quantity><split:account type="guid">{_id(account)}</split:account></trn:split>"""
        for account, value in ((target, cents), (source, -cents))
    )
    return f"""<gnc:transaction version="2.0.0"><trn:id type="guid">{_id(day)}</trn:id>{_commodity("trn", "CURRENCY", "USD", "currency")}{f"<trn:num>{number}</trn:num>" if number else ""}<trn:date-posted><ts:date>{day} 10:59:00 +0000</ts:date></trn:date-posted><trn:date-entered><ts:date>{day} 10:59:00 +0000</ts:date></trn:date-entered><trn:description>{description}</trn:description><trn:slots><slot><slot:key>date-posted</slot:key><slot:value type="gdate"><gdate>{day}</gdate></slot:value></slot></trn:slots><trn:splits>{splits}</trn:splits></gnc:transaction>
"""


def _person(kind: str, tag: str, number: str, name: str) -> str:
    about = f'<{kind}:guid type="guid">{_id(kind)}</{kind}:guid>'
    address = f'<{kind}:addr version="2.0.0"><addr:name>{name}</addr:name><addr:addr1>Mill Lane 4</addr:addr1></{kind}:addr>'
    zero = f"<{kind}:active>1</{kind}:active>"
    currency = _commodity(kind, "CURRENCY", "USD", "currency")
    match kind:
        case "cust":
            return f"<gnc:{tag} version=\"2.0.0\">{about}<cust:name>{name}</cust:name><cust:id>{number}</cust:id>{address}{address.replace('cust:addr', 'cust:shipaddr')}<cust:taxincluded>USEGLOBAL</cust:taxincluded>{zero}<cust:discount>0/1</cust:discount><cust:credit>0/1</cust:credit>{currency}<cust:use-tt>0</cust:use-tt></gnc:{tag}>"
        case "vendor":
            return f"<gnc:{tag} version=\"2.0.0\">{about}<vendor:name>{name}</vendor:name><vendor:id>{number}</vendor:id>{address}<vendor:taxincluded>USEGLOBAL</vendor:taxincluded>{zero}{currency}<vendor:use-tt>0</vendor:use-tt></gnc:{tag}>"
    return f"<gnc:{tag} version=\"2.0.0\">{about}<employee:username>{name.split()[0].lower()}</employee:username><employee:id>{number}</employee:id>{address}{zero}<employee:workday>8/1</employee:workday><employee:rate>25/1</employee:rate>{currency}</gnc:{tag}>"
