"""One value of one field: brought into its stored form, or refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from typing import Any

from salesforce_org.store import ids
from salesforce_org.store.errors import DmlError
from salesforce_org.store.schema import Field, PicklistValue

_EMAIL = re.compile(r"[^@\s,;<>()\[\]\"]+@[^@\s,;<>()\[\]\"]+\.[A-Za-z]{2,}")
_TEXTS = ("string", "textarea", "url", "phone", "combobox", "encryptedstring", "time")
_NUMBERS = ("double", "currency", "percent")


def coerced(field: Field, value: Any, entries: Iterable[PicklistValue] = ()) -> Any:
    """Return a value as records hold it; empty text is no value.

    Dates are `YYYY-MM-DD`, moments `YYYY-MM-DDTHH:MM:SS.000+0000` (UTC), numbers int or float.

    Raises:
        DmlError: The field cannot hold it.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return False if field.type == "boolean" else None
    return _COERCE[field.type](field, value, entries)


def moment(when: datetime) -> str:
    """Return a moment as records hold it."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1000:03}+0000"


def read_moment(text: str) -> datetime:
    """Read a moment as records hold it, or in any other ISO form.

    Raises:
        ValueError: The text is not a moment.
    """
    found = datetime.fromisoformat(re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", text))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _wrong(field: Field, value: Any) -> DmlError:
    return DmlError(
        "INVALID_TYPE_ON_FIELD_IN_RECORD",
        f"{field.label}: value not of required type: {str(value)[:80]}",
        (field.name,),
    )


def _text(field: Field, value: Any, entries: Iterable[PicklistValue]) -> str:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise _wrong(field, value)
    text = str(value) if field.type == "textarea" else str(value).strip()
    if len(text) > field.length:
        raise DmlError(
            "STRING_TOO_LONG",
            f"{field.label}: data value too large: {text[:80]} (max length={field.length})",
            (field.name,),
        )
    return text


def _email(field: Field, value: Any, entries: Iterable[PicklistValue]) -> str:
    text = _text(field, value, entries)
    if not _EMAIL.fullmatch(text):
        raise DmlError(
            "INVALID_EMAIL_ADDRESS", f"{field.label}: invalid email address: {text[:80]}", (field.name,)
        )
    return text


def _boolean(field: Field, value: Any, entries: Iterable[PicklistValue]) -> bool:
    known = {"true": True, "false": False, "1": True, "0": False}
    if isinstance(value, bool):
        return value
    if str(value).casefold() not in known:
        raise _wrong(field, value)
    return known[str(value).casefold()]


def _number(field: Field, value: Any, entries: Iterable[PicklistValue]) -> int | float:
    try:
        found = float(str(value).replace(",", "")) if not isinstance(value, bool) else math.nan
    except ValueError:
        raise _wrong(field, value) from None
    if not math.isfinite(found):
        raise _wrong(field, value)
    if abs(found) >= 10 ** (field.precision - field.scale):
        raise DmlError(
            "NUMBER_OUTSIDE_VALID_RANGE",
            f"{field.label}: value outside of valid range on numeric field: {value}",
            (field.name,),
        )
    return round(found) if field.type == "int" else round(found, field.scale) + 0.0


def _date(field: Field, value: Any, entries: Iterable[PicklistValue]) -> str:
    try:
        return date.fromisoformat(str(value)[:10]).isoformat()
    except ValueError:
        raise _wrong(field, value) from None


def _datetime(field: Field, value: Any, entries: Iterable[PicklistValue]) -> str:
    try:
        return moment(value if isinstance(value, datetime) else read_moment(str(value)))
    except ValueError:
        raise _wrong(field, value) from None


def _reference(field: Field, value: Any, entries: Iterable[PicklistValue]) -> str:
    try:
        return ids.full(str(value))
    except ValueError:
        raise DmlError(
            "MALFORMED_ID", f"{field.label}: id value of incorrect type: {str(value)[:40]}", (field.name,)
        ) from None


def _picklist(field: Field, value: Any, entries: Iterable[PicklistValue]) -> str:
    text = _text(field, value, entries)
    if field.restricted and text not in {entry.value for entry in entries if entry.active}:
        raise DmlError(
            "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
            f"{field.label}: bad value for restricted picklist field: {text}",
            (field.name,),
        )
    return text


def _several(field: Field, value: Any, entries: Iterable[PicklistValue]) -> str:
    parts = value if isinstance(value, list) else str(value).split(";")
    chosen = [_picklist(field, part.strip(), entries) for part in parts if part.strip()]
    order = [entry.value for entry in entries]
    return ";".join(sorted(set(chosen), key=lambda text: order.index(text) if text in order else len(order)))


_COERCE: dict[str, Callable[[Field, Any, Iterable[PicklistValue]], Any]] = {
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(_NUMBERS, _number),
    "int": _number,
    "email": _email,
    "boolean": _boolean,
    "date": _date,
    "datetime": _datetime,
    "id": _reference,
    "reference": _reference,
    "picklist": _picklist,
    "multipicklist": _several,
}
