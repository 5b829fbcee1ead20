"""What fields of a new record hold because of its other fields, as Salesforce fills them in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .kinds import EXACT
from .records import Records, Row, same


class _Any:
    """A value that is judged elsewhere."""

    def __repr__(self) -> str:
        return "anything"


class OneOf(tuple[Any, ...]):
    """Values of which a field may hold any."""


class Exactly(str):
    """A text that a field must hold character by character."""

    __slots__ = ()


ANY: Final = _Any()
Follow = Callable[[Row, Records], Mapping[str, Any]]


def agrees(value: Any, wanted: Any) -> bool:
    """Whether a field's value is what is wanted of it."""
    if wanted is ANY:
        return True
    if isinstance(wanted, OneOf):
        return any(agrees(value, one) for one in wanted)
    if isinstance(wanted, Exactly):
        return EXACT.matches(value, wanted)
    if value in (None, "") and wanted in (None, ""):
        return True
    return same(value, wanted)


def following(object: str, row: Row, org: Records) -> Mapping[str, Any]:
    """Return what a record's other fields say that it holds."""
    found = _FOLLOWING.get(object)
    return found(row, org) if found else {}


def of_stage(row: Row, org: Records) -> Mapping[str, Any]:
    """Return what the stage of an opportunity brings along."""
    stages = org.where("OpportunityStage", ApiName=row.get("StageName"))
    if not stages:
        raise LookupError(f"the state holds no OpportunityStage {row.get('StageName')!r}")
    stage = stages[0]
    return {
        "Probability": stage["DefaultProbability"],
        "ForecastCategoryName": stage["ForecastCategoryName"],
    }


def _case(row: Row, org: Records) -> Mapping[str, Any]:
    contact = org.get("Contact", row.get("ContactId"))
    hours = org.where("BusinessHours", IsDefault=True)
    return {
        "AccountId": OneOf((None, contact.get("AccountId") if contact else None)),
        "BusinessHoursId": OneOf((None, *(one["Id"] for one in hours))),
    }


_FOLLOWING: Mapping[str, Follow] = {"Opportunity": of_stage, "Case": _case}
