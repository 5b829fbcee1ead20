"""What is kept because of what it is part of."""

from __future__ import annotations

from collections.abc import Iterator

from salesforce_org.rules.registry import RULES
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org, Record

NAMED = 5  # so many of the records that stand in the way are named


@RULES.on("deleting", "Account")
def account_with_history(change: Change) -> None:
    """An account with cases or opportunities that were won stays."""
    _unless(change, "cases", change.org.rows("Case", AccountId=change.id))
    won = change.org.rows("Opportunity", AccountId=change.id, IsWon=True)
    _unless(change, "opportunities, which were closed won", won)


@RULES.on("deleting", "Contact")
def contact_with_cases(change: Change) -> None:
    """A contact with cases stays."""
    _unless(change, "cases", change.org.rows("Case", ContactId=change.id))


@RULES.on("deleting", "Pricebook2")
def book_in_use(change: Change) -> None:
    """A price book in which something was sold stays; it can be deactivated."""
    if change.new["IsStandard"]:
        return  # it stays for another reason
    for object in ("Opportunity", "Quote", "Order"):
        plural = change.org.schema[object].plural.lower()
        _unless(change, plural, change.org.rows(object, Pricebook2Id=change.id))


def _unless(change: Change, what: str, rows: Iterator[Record]) -> None:
    found = [_called(change.org, row["Id"]) for row, _ in zip(rows, range(NAMED), strict=False)]
    if found:
        raise DmlError(
            "DELETE_FAILED",
            f"Your attempt to delete {_called(change.org, change.id)} could not be completed because it is "
            f"associated with the following {what}: {', '.join(found)}",
        )


def _called(org: Org, id: str) -> str:
    return org.name_of(id) or id
