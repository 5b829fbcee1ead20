"""Values of fields as people in the org read and write them (English, United States)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from salesforce_org import rich_text
from salesforce_org.store import Field, Org
from salesforce_org.store.values import read_moment

Kind = Literal["text", "lines", "rich", "link", "checkbox", "email", "phone", "url"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A value on a page.

    Attributes:
        sort: What tables order by; values of one field can be compared.
        rich: A rich text as it is stored; `text` is what is to be read of it.
    """

    text: str = ""
    kind: Kind = "text"
    href: str = ""
    sort: Any = ""
    rich: str = ""

    def __str__(self) -> str:
        return self.text


EMPTY = Shown()


def show(org: Org, field: Field, value: Any) -> Shown:
    """Return how a page shows a field's value."""
    if field.type == "boolean":
        return Shown("True" if value else "False", "checkbox", sort=bool(value))
    if value is None:
        return EMPTY
    if field.type in ("reference", "id"):
        return link(org, str(value))
    if field.type in ("email", "phone", "url"):
        return _reachable(field.type, str(value))
    if field.rich:
        words = rich_text.plain(str(value))
        return Shown(words, "rich", sort=words.casefold(), rich=str(value))
    kind: Kind = "lines" if field.type == "textarea" else "text"
    text = plain(org, field, value)
    return Shown(
        text, kind, sort=value if isinstance(value, int | float) else _order(org, field, value, text)
    )


def link(org: Org, id: str) -> Shown:
    """Return a link to a record by its name; a role's group or a record without a page is only named."""
    found = org.schema.of_id(id)
    name = org.name_of(id)
    if found is None or name is None:
        return Shown(name or "")
    href = (
        ""
        if found.name in ("Group", "RecordType", "Profile", "UserRole", "BusinessHours")
        else record_href(found.name, id)
    )
    return Shown(name, "link" if href else "text", href, sort=name.casefold())


def record_href(object: str, id: str) -> str:
    """Return the address of a record's page."""
    return f"/lightning/r/{object}/{id}/view"


def plain(org: Org, field: Field, value: Any) -> str:
    """Return a value as text."""
    match field.type:
        case "currency":
            return ("-" if value < 0 else "") + f"${abs(value):,.{field.scale}f}"
        case "percent":
            return f"{value:,.{field.scale}f}%"
        case "int" | "double":
            return f"{value:,.{field.scale}f}"
        case "date":
            return day(date.fromisoformat(value))
        case "datetime":
            return moment(read_moment(value), org.zone)
        case "picklist":
            return label_of(org, field, str(value))
        case "multipicklist":
            return "; ".join(label_of(org, field, one) for one in str(value).split(";"))
        case "boolean":
            return "True" if value else "False"
        case _:
            return str(value)


def label_of(org: Org, field: Field, value: str) -> str:
    """Return what a picklist calls one of its values."""
    return next((entry.label for entry in org.picklist(field) if entry.value == value), value)


def day(when: date) -> str:
    """Return a date as the org's people write it."""
    return f"{when.month}/{when.day}/{when.year}"


def time_of(when: datetime) -> str:
    """Return a time of day as the org's people write it."""
    return f"{(when.hour + 11) % 12 + 1}:{when.minute:02} {'AM' if when.hour < 12 else 'PM'}"


def moment(when: datetime, zone: ZoneInfo) -> str:
    """Return a moment as the org's people write it, in their zone."""
    local = when.astimezone(zone)
    return f"{day(local.date())}, {time_of(local)}"


def read_day(text: str) -> date:
    """Read a date as people write it.

    Raises:
        ValueError: The text is not a date.
    """
    return datetime.strptime(text.strip(), "%m/%d/%Y").date()


def read_time(text: str) -> tuple[int, int]:
    """Read a time of day such as `2:30 PM` into hour and minute.

    Raises:
        ValueError: The text is not a time of day.
    """
    found = datetime.strptime(text.strip().upper().replace(".", ""), "%I:%M %p")
    return found.hour, found.minute


def _reachable(kind: str, value: str) -> Shown:
    if kind == "email":
        return Shown(value, "email", f"mailto:{value}", value.casefold())
    if kind == "phone":
        return Shown(value, "phone", f"tel:{value}", value)
    return Shown(value, "url", value if "://" in value else f"https://{value}", value.casefold())


def _order(org: Org, field: Field, value: Any, text: str) -> Any:
    if field.type in ("date", "datetime"):
        return str(value)
    if field.type == "picklist":
        values = [entry.value for entry in org.picklist(field)]
        return (values.index(value) if value in values else len(values), "")
    return text.casefold()
