"""Books of GnuCash, as rows."""

from __future__ import annotations

import pytest

from guest.applications.formats import FORMATS, read

BANK, SALES, ROOT, PLAN, TEMPLATE = (letter * 32 for letter in "abcde")


def _slot(key: str, value: str) -> str:
    return f"<slot><key>{key}</key><value>{value}</value></slot>"


def _account(guid: str, name: str, above: str) -> str:
    return (
        f"<account><name>{name}</name><id type='guid'>{guid}</id>"
        f"<type>BANK</type><parent>{above}</parent></account>"
    )


def _split(account: str, amount: str, slots: str = "") -> str:
    return (
        f"<split><id type='guid'>{'1' * 32}</id><value>{amount}</value><account>{account}</account>"
        f"<slots>{slots}</slots></split>"
    )


def _transaction(guid: str, *splits: str) -> str:
    return (
        f"<transaction><id type='guid'>{guid}</id>"
        "<date-posted><date>2026-01-20 10:59:00 +0000</date></date-posted>"
        "<date-entered><date>2026-01-21 08:00:00 +0000</date></date-entered>"
        f"<description>Stall: pots</description><splits>{''.join(splits)}</splits></transaction>"
    )


BOOK = f"""<gnc-v2><count-data>1</count-data><book>
    <id type="guid">{"f" * 32}</id>
    <slots>
        {_slot("options", _slot("Business", _slot("Company ID", "7:b")))}
        {_slot("features", _slot("x", "y"))}
    </slots>
    <commodity><space>CURRENCY</space><id>USD</id></commodity>
    <pricedb><price>
        <id type="guid">{"3" * 32}</id><commodity><space>NYSE</space><id>ALDR</id></commodity>
        <time><date>2026-01-30 00:00:00 +0000</date></time><value>165/4</value>
    </price></pricedb>
    <account><name>Root</name><id type="guid">{ROOT}</id><type>ROOT</type></account>
    {_account(BANK, "Bank", ROOT)}{_account(SALES, "Sales", BANK)}
    {_transaction("4" * 32, _split(SALES, "-1250/100"), _split(BANK, "1250/100"))}
    {_transaction("5" * 32, _split(BANK, "1/3"), _split(SALES, "-1/3"))}
    <template-transactions>
        {_account(TEMPLATE, "t", "")}
        {_transaction("6" * 32, _split(TEMPLATE, "0/100", _slot("sched-xaction", _slot("account", SALES))))}
    </template-transactions>
    <schedxaction>
        <id type="guid">{PLAN}</id><name>Rent</name>
        <start><gdate>2026-02-01</gdate></start><templ-acct>{TEMPLATE}</templ-acct>
    </schedxaction>
    <budget>
        <id type="guid">{"7" * 32}</id><name>Plan</name>
        <slots>{_slot(SALES, _slot("0", "40000/100"))}</slots>
    </budget>
</book></gnc-v2>"""


def test_rows() -> None:
    """Names stand for identifiers and decimal numbers for fractions; what changes by itself is left out."""
    transaction = {"date-posted": "2026-01-20", "description": "Stall: pots"}
    account = {"type": "BANK", "parent": ""}
    assert dict(FORMATS["gnucash"]("a.gnucash", BOOK)) == {
        "options": {"Business.Company ID": "7:b"},
        "price/ALDR 2026-01-30": {
            "commodity.space": "NYSE", "commodity.id": "ALDR", "time": "2026-01-30", "value": "41.25",
        },
        "account/Bank": {**account, "name": "Bank"},
        "account/Bank/Sales": {**account, "name": "Sales", "parent": "Bank"},
        "transaction/2026-01-20 Stall: pots": {**transaction, "Bank.value": "12.5", "Bank/Sales.value": "-12.5"},
        "transaction/2026-01-20 Stall: pots#2": {**transaction, "Bank.value": "1/3", "Bank/Sales.value": "-1/3"},
        "template/Rent": {"description": "Stall: pots", "Bank/Sales.value": "0"},
        "schedule/Rent": {"name": "Rent", "start": "2026-02-01"},
        "budget/Plan": {"name": "Plan", "Bank/Sales.0": "400"},
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<gnc-v2/>",
        "<a><b></a>",
        "\x1f\x8b",
        "<book>" * 3000,
        f"<g><book><budget><a>{'9' * 9999}/1</a></budget></book></g>",
    ],
)
def test_broken(text: str) -> None:
    """A broken or compressed file is a row that says so."""
    (row,) = read("a.gnucash", "gnucash", text.encode()).values()
    assert list(row) == ["unreadable"]


def test_parts_without_names() -> None:
    """Accounts that lie within each other, and rows without names, are read all the same."""
    loop = _account(BANK, "A", SALES) + _account(SALES, "B", BANK)
    text = f"<g><book>{loop}<transaction/><schedxaction/><slots><slot/></slots></book></g>"
    assert len(dict(FORMATS["gnucash"]("a.gnucash", text))) == 5
