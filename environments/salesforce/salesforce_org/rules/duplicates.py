"""Records that are likely the same, as the standard matching rules find them; pages warn of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from salesforce_org.store.org import Org, Record

PEOPLE = ("Contact", "Lead")
_FORMS = re.compile(
    r"\b(inc|incorporated|llc|ltd|limited|corp|corporation|co|company|gmbh|plc)\b\.?", re.IGNORECASE
)


def find_duplicates(
    org: Org, object: str, given: Mapping[str, Any], exclude: str | None = None
) -> list[Record]:
    """Return the records that a new or changed one seems to repeat, those of its own object first.

    Args:
        object: Account, Contact or Lead; other objects have no matching rule.
        given: Its fields.
        exclude: Id of the record itself, where it exists.
    """
    active = {row["SobjectType"] for row in org.rows("DuplicateRule", IsActive=True)}
    if object not in active:
        return []
    found = _accounts(org, given) if object == "Account" else _people(org, object, given)
    return [row for row in found if row["Id"] != exclude]


def _accounts(org: Org, given: Mapping[str, Any]) -> Iterator[Record]:
    name = _company(given.get("Name"))
    yield from (row for row in org.rows("Account") if name and _company(row["Name"]) == name)


def _people(org: Org, object: str, given: Mapping[str, Any]) -> Iterator[Record]:
    for other in sorted(PEOPLE, key=lambda one: one != object):
        for row in org.rows(other):
            if not row.get("IsConverted") and _same_person(org, given, row):
                yield row


def _same_person(org: Org, given: Mapping[str, Any], row: Record) -> bool:
    if _plain(given.get("LastName")) != _plain(row["LastName"]):
        return False
    if _plain(given.get("FirstName")) != _plain(row["FirstName"]):
        return False
    emails = _plain(given.get("Email")), _plain(row["Email"])
    if all(emails):
        return emails[0] == emails[1]
    companies = _employer(org, given), _employer(org, row)
    return companies[0] == companies[1] or not all(companies)


def _employer(org: Org, row: Mapping[str, Any]) -> str:
    account = org.get("Account", row.get("AccountId"))
    return _company(row.get("Company") or (account["Name"] if account else None))


def _plain(text: Any) -> str:
    return " ".join(str(text or "").casefold().split())


def _company(text: Any) -> str:
    return _plain(re.sub(r"[^\w\s]", " ", _FORMS.sub(" ", str(text or ""))))
