"""Books of GnuCash (uncompressed XML), read into rows that do not depend on identifiers and times of writing.

    options                             of the book: `Business.Company Name`
    account/Assets/Checking             an account by its full name
    transaction/2026-03-02 Rent         a transaction by its day and description; its splits by their accounts
    template/Rent                       what a scheduled transaction enters
    schedule/Rent, budget/2026, price/ALDR 2026-01-30, commodity/NYSE ALDR
    customer/NAME, vendor/NAME, employee/NAME, job/NAME, invoice/NUMBER, terms/NAME, taxes/NAME

Fields are named by the path of tags and keys. What refers to something else has its name; amounts are decimal numbers.
Of several rows alike, the second ends in `#2`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

Rows = Iterator[tuple[str, dict[str, Any]]]

_KINDS = {
    "account": "account",
    "transaction": "transaction",
    "schedxaction": "schedule",
    "budget": "budget",
    "commodity": "commodity",
    "GncCustomer": "customer",
    "GncVendor": "vendor",
    "GncEmployee": "employee",
    "GncJob": "job",
    "GncInvoice": "invoice",
    "GncEntry": "entry",
    "GncBillTerm": "terms",
    "GncTaxTable": "taxes",
}
_NAMES = ("name", "username", "description", "desc", "id")  # tags that name something, the best one first
_OWN = {  # tags that identify, are counted by the program, or follow from the rest
    "guid", "date-entered", "entered", "refcount", "invisible", "instanceCount", "templ-acct", "non-standard-scu",
    "features", "last-num", "void-time",
}  # fmt: skip
_GUID = re.compile(r"[0-9a-f]{32}")
_FRACTION = re.compile(r"(-?\d+)/([1-9]\d*)")


def rows(name: str, text: str) -> Rows:
    """Yield the rows of a book; what it does not have yields none."""
    root = ElementTree.fromstring(text)  # noqa: S314 - files are cut to a length
    if (book := next((one for one in root if _tag(one) == "book"), None)) is None:
        raise ValueError("it has no book")
    seen: Counter[str] = Counter()
    for key, fields in _Book(book).rows():
        seen[key] += 1
        yield (f"{key}#{seen[key]}" if seen[key] > 1 else key), fields


class _Book:
    def __init__(self, book: Element) -> None:
        self._book = book
        self._names: dict[str, str] = {}
        parts = [*book, *(one for part in book if _tag(part) == "template-transactions" for one in part)]
        for part in parts:
            for tag in ("id", "guid"):
                if guid := _guid_of(part, tag):
                    self._names[guid] = _named(part)
        accounts = {_text(one, "id"): one for one in parts if _tag(one) == "account"}
        self._names |= {guid: _full_name(guid, accounts) for guid in accounts}
        for one in book:
            if _tag(one) == "schedxaction":
                self._names[_text(one, "templ-acct")] = _text(one, "name")

    def rows(self) -> Rows:
        """Yield the rows as they are written."""
        for part in self._book:
            match _tag(part):
                case "slots":
                    yield (
                        "options",
                        {key.removeprefix("options."): value for key, value in self._fields(part).items()},
                    )
                case "template-transactions":
                    for one in part:
                        if _tag(one) == "transaction":
                            fields = self._transaction(one)
                            fields.pop("date-posted", None)  # the day on which it was made
                            yield f"template/{self._template(one)}", fields
                case "pricedb":
                    for one in part:
                        day = _text(one, "time/date")[:10]
                        yield f"price/{_text(one, 'commodity/id')} {day}", self._fields(one)
                case "transaction":
                    yield f"transaction/{_named(part)}", self._transaction(part)
                case "account" if _text(part, "type") == "ROOT":
                    pass
                case "account":
                    yield f"account/{self._names[_text(part, 'id')]}", self._fields(part)
                case "commodity" if _text(part, "space") in ("CURRENCY", "template"):
                    pass
                case tag if tag in _KINDS:
                    yield f"{_KINDS[tag]}/{_named(part)}", self._fields(part)

    def _template(self, transaction: Element) -> str:
        guids = [_text(one, "account") for part in transaction if _tag(part) == "splits" for one in part]
        return next((self._names[guid] for guid in guids if guid in self._names), _named(transaction))

    def _transaction(self, transaction: Element) -> dict[str, Any]:
        """Return the fields of a transaction, with those of its splits by the name of the account and a number."""
        fields: dict[str, Any] = {}
        self._add(transaction, "", fields, without="splits")
        splits = [one for part in transaction if _tag(part) == "splits" for one in part]
        parts = [self._fields(one) for one in splits]
        parts.sort(key=lambda part: sorted((name, str(value)) for name, value in part.items()))
        seen: Counter[str] = Counter()
        for part in parts:
            account = str(part.pop("sched-xaction.account", None) or part.get("account"))
            part.pop("account", None)
            seen[account] += 1
            label = f"{account}#{seen[account]}" if seen[account] > 1 else account
            fields |= {f"{label}.{name}": value for name, value in part.items()}
        return fields

    def _fields(self, element: Element) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        self._add(element, "", fields)
        return fields

    def _add(self, element: Element, path: str, fields: dict[str, Any], without: str = "") -> None:
        seen: Counter[str] = Counter()
        for child in element:
            tag = _tag(child)
            if tag in _OWN or tag == without or (tag == "id" and child.get("type") == "guid"):
                continue
            if tag == "slots":
                self._add(child, path, fields)
                continue
            if tag == "slot":
                key, value = self._readable(_text(child, "key")), next(iter(child.findall("*")[1:]), None)
                if value is not None and key not in _OWN:
                    self._place(value, _joined(path, key), fields)
                continue
            seen[tag] += 1
            self._place(child, _joined(path, f"{tag}#{seen[tag]}" if seen[tag] > 1 else tag), fields)

    def _place(self, element: Element, path: str, fields: dict[str, Any]) -> None:
        inner = [one for one in element if _tag(one) not in ("gdate", "date")]
        if inner:
            self._add(element, path, fields)
        elif len(element):
            fields[path] = (element[0].text or "")[:10]  # a day
        elif element.get("type") != "frame":
            fields[path] = self._readable((element.text or "").strip())

    def _readable(self, text: str) -> str:
        """Return the name of what an identifier stands for, the decimal number of a fraction, or else the text."""
        if _GUID.fullmatch(text):
            return self._names.get(text, "something")
        if found := _FRACTION.fullmatch(text):
            number = Decimal(found[1]) / Decimal(found[2])
            return f"{number.normalize() + 0:f}" if number * int(found[2]) == int(found[1]) else text
        return text


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _named(element: Element) -> str:
    if _tag(element) == "commodity":
        return f"{_text(element, 'space')} {_text(element, 'id')}"
    words = next((text for name in _NAMES if (text := _text(element, name))), "nothing")
    day = _text(element, "date-posted/date")[:10]
    return f"{day} {words}" if day else words


def _full_name(guid: str, accounts: dict[str, Element]) -> str:
    names: list[str] = []
    while (account := accounts.get(guid)) is not None and len(names) < 50:
        if _text(account, "type") != "ROOT":
            names.append(_text(account, "name"))
        guid = _text(account, "parent")
    return "/".join(reversed(names))


def _text(element: Element, path: str) -> str:
    """Return the text of the first element of a path of tags."""
    for tag in path.split("/"):
        found = next((one for one in element if _tag(one) == tag), None)
        if found is None:
            return ""
        element = found
    return element.text or ""


def _guid_of(element: Element, tag: str) -> str:
    return next((one.text or "" for one in element if _tag(one) == tag and one.get("type") == "guid"), "")


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]
