"""The fields of a form: what they show, and what comes back from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from salesforce_org import record_types, rich_text
from salesforce_org.pages import formats
from salesforce_org.pages.layout import Layout, layout_of
from salesforce_org.store import Field, Org
from salesforce_org.store.values import moment, read_moment

Texts = Mapping[str, str]
NO_MATCH = "Select an option from the picklist or remove the search term."
CALLED = {"Group": "Queues"}
KINDS = {
    "boolean": "checkbox",
    "picklist": "picklist",
    "multipicklist": "multi",
    "reference": "lookup",
    "date": "date",
    "datetime": "moment",
    "textarea": "textarea",
    "combobox": "suggest",
}


class NotEntered(Exception):
    """What was typed is no value of the field; the text stands below the field."""


@dataclass(frozen=True, slots=True)
class Input:
    """One field of a form.

    Attributes:
        kind: text, textarea, rich, checkbox, picklist, multi, lookup, date, moment, suggest, output, group or hidden.
        value: What is submitted; `text` what a lookup shows for it, or the time of a moment.
        options: Pairs of value and label.
        objects: The objects that a lookup may point to, as pairs of name and plural.
        parts: The fields of a group.
        suggests: The name of an empty field that is filled with an address made of this one.
    """

    name: str
    label: str
    kind: str
    value: str = ""
    text: str = ""
    options: tuple[tuple[str, str], ...] = ()
    required: bool = False
    error: str = ""
    help: str = ""
    objects: tuple[tuple[str, str], ...] = ()
    icon: str = ""
    parts: tuple[Input, ...] = ()
    shown: formats.Shown = formats.EMPTY
    address: bool = False
    suggests: str = ""

    @property
    def chosen(self) -> list[str]:
        """The values of a multiple choice."""
        return [one for one in self.value.split(";") if one]


def of_field(
    org: Org,
    layout: Layout,
    field: Field,
    texts: Texts,
    error: str = "",
    required: bool = False,
    row: Mapping[str, Any] = {},
) -> Input:
    """Return a form's field with the texts that were typed or stored; `row` says of which record type the record is."""
    kind = "rich" if field.rich else KINDS.get(field.type, "text")
    value = texts.get(field.name, "")
    icon, objects, text, options = "", _targets(org, field), "", _options(org, layout, field, value, row)
    if kind == "lookup":
        target = org.schema.of_id(value) if value else None
        text = (org.name_of(value) if target else None) or texts.get(f"{field.name}:text", "")
        if target and len(objects) > 1:
            objects = tuple(sorted(objects, key=lambda one: one[0] != target.name))
        icon = layout_of(org.schema[objects[0][0]]).icon if objects else ""
    if kind == "moment":
        text = texts.get(f"{field.name}:time", "")
    return Input(
        field.name,
        layout.label(field),
        kind,
        value,
        text,
        options,
        required or (field.required and field.type != "boolean"),
        error,
        field.help,
        objects,
        icon,
        suggests=layout.suggests.get(field.name, ""),
    )


def texts_of(org: Org, fields: Iterable[Field], row: Mapping[str, Any]) -> dict[str, str]:
    """Return what a form's fields show for a record."""
    texts: dict[str, str] = {}
    for field in fields:
        value = row.get(field.name)
        if field.type == "datetime" and value:
            local = read_moment(value).astimezone(org.zone)
            texts[field.name] = formats.day(local.date())
            texts[f"{field.name}:time"] = formats.time_of(local)
        else:
            texts[field.name] = _text(org, field, value)
    return texts


def read(org: Org, field: Field, texts: Texts) -> Any:
    """Return the value that was entered; None where nothing was.

    Raises:
        NotEntered: It is no value of the field.
    """
    text = texts.get(field.name, "").strip()
    reader = _READ.get(field.type)
    if reader is not None:
        return reader(org, field, text, texts)
    if field.rich:
        return rich_text.entered(text)
    return text or None


def _text(org: Org, field: Field, value: Any) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "true"
    if field.type == "percent":
        return f"{value:.{field.scale}f}"
    if field.type in ("picklist", "multipicklist", "reference"):
        return str(value)
    if field.type in ("currency", "int", "double"):
        return f"{value:,.{field.scale}f}"
    return formats.plain(org, field, value)


def _options(
    org: Org, layout: Layout, field: Field, value: str, row: Mapping[str, Any]
) -> tuple[tuple[str, str], ...]:
    entries = tuple(
        (one.value, one.label) for one in record_types.entries(org, layout.object.name, field, row)
    )
    strange = [one for one in value.split(";") if one and one not in {pair[0] for pair in entries}]
    return entries + tuple((one, one) for one in strange if field.type in ("picklist", "multipicklist"))


def _targets(org: Org, field: Field) -> tuple[tuple[str, str], ...]:
    known = (org.schema.get(name) for name in field.to)
    return tuple((one.name, CALLED.get(one.name, one.plural)) for one in known if one)


def _flag(org: Org, field: Field, text: str, texts: Texts) -> bool:
    return text == "true"


def _number(org: Org, field: Field, text: str, texts: Texts) -> float | None:
    cleaned = text.replace("$", "").replace(",", "").replace("%", "").strip()
    if not cleaned:
        return None
    shorthand = {"k": 1e3, "m": 1e6, "b": 1e9}.get(cleaned[-1].casefold())
    try:
        return float(cleaned[:-1]) * shorthand if shorthand else float(cleaned)
    except ValueError:
        raise NotEntered("Enter a valid value.") from None


def _day(org: Org, field: Field, text: str, texts: Texts) -> str | None:
    if not text:
        return None
    try:
        return formats.read_day(text).isoformat()
    except ValueError:
        raise NotEntered(f"Your entry does not match the allowed format {_pattern(org)}.") from None


def _moment(org: Org, field: Field, text: str, texts: Texts) -> str | None:
    time = texts.get(f"{field.name}:time", "").strip()
    if not text and not time:
        return None
    try:
        day = formats.read_day(text)
        hour, minute = formats.read_time(time or "12:00 PM")
    except ValueError:
        raise NotEntered(f"Enter a date ({_pattern(org)}) and a time.") from None
    return moment(datetime(day.year, day.month, day.day, hour, minute, tzinfo=org.zone))


def _pattern(org: Org) -> str:
    return f"M/D/YYYY, such as {formats.day(org.today())}"


def _reference(org: Org, field: Field, text: str, texts: Texts) -> str | None:
    if not text and texts.get(f"{field.name}:text", "").strip():
        raise NotEntered(NO_MATCH)
    return text or None


_READ: dict[str, Callable[[Org, Field, str, Texts], Any]] = {
    "boolean": _flag,
    "date": _day,
    "datetime": _moment,
    "reference": _reference,
    **dict.fromkeys(("int", "double", "currency", "percent"), _number),
}


def renamed(one: Input, label: str) -> Input:
    """Return the same field under another label."""
    return replace(one, label=label)
