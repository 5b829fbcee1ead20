"""Functions of texts and picklists."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from urllib.parse import quote_plus

import regex

from salesforce_org.formulas.functions.catalog import Use, define
from salesforce_org.formulas.values import text_of
from salesforce_org.store import ids

_text = partial(define, "Text")
_LINKS = frozenset({Use.LINK})
_LONGEST = 100_000
_PATIENCE = 0.5  # seconds for a pattern that does not come to an end


def _address(target: str, id: str) -> str:
    return f"/{id or target}"


def _case_safe(id: str) -> str:
    try:
        return ids.full(id)
    except ValueError:
        return id


def _find(search: str, text: str, start: Decimal = Decimal(1)) -> Decimal:
    return Decimal(text.find(search, max(0, int(start) - 1)) + 1) if search and text else Decimal(0)


def _hyperlink(url: str, name: str, target: str = "_blank") -> str:
    return f'<a href="{html.escape(url)}" target="{html.escape(target)}">{html.escape(name, quote=False)}</a>'


def _image(url: str, text: str, height: Decimal | None = None, width: Decimal | None = None) -> str:
    sizes = ((name, size) for name, size in (("height", height), ("width", width)) if size is not None)
    style = "".join(f"{name}:{text_of(size)}px; " for name, size in sizes).strip()
    styled = f' style="{style}"' if style else ""
    return f'<img src="{html.escape(url)}" alt="{html.escape(text)}"{styled} border="0"/>'


def _js(text: str) -> str:
    return json.dumps(text)[1:-1].replace("'", "\\'").replace("/", "\\/")


def _pad(left: bool) -> Callable[..., str]:
    def apply(text: str, length: Decimal, pad: str = " ") -> str:
        wanted = min(max(0, int(length)), _LONGEST)
        lacking = wanted - len(text)
        if lacking <= 0 or not pad:
            return text[:wanted]
        filling = (pad * lacking)[:lacking]
        return filling + text if left else text + filling

    return apply


def _mid(text: str, start: Decimal, number: Decimal) -> str:
    first = max(0, int(start) - 1)
    return text[first : first + max(0, int(number))]


def _right(text: str, number: Decimal) -> str:
    return text[max(0, len(text) - max(0, int(number))) :]


def _substitute(text: str, old: str, new: str) -> str:
    return text.replace(old, new)[:_LONGEST] if old else text


def _value(text: str) -> Decimal | None:
    if not text.strip():
        return None
    found = Decimal(text.strip())
    if not found.is_finite():
        raise ValueError(text)
    return found


def is_number(text: str) -> bool:
    """Whether VALUE takes a text."""
    try:
        return _value(text) is not None
    except (ValueError, ArithmeticError):
        return False


def _matches(text: str, pattern: str) -> bool:
    try:
        return regex.fullmatch(pattern, text, timeout=_PATIENCE) is not None
    except (regex.error, TimeoutError):
        raise ValueError(pattern) from None


def _several(text: str) -> list[str]:
    return [one for one in text.split(";") if one]


_text(
    "ASCII(text: Text) -> Number",
    "Returns the code of the first character",
    lambda text: Decimal(ord(text[0])) if text else None,
)
_text(
    "BEGINS(text: Text, compare_text: Text) -> Boolean",
    "Checks if text begins with specified characters and returns TRUE if it does. Otherwise returns FALSE",
    str.startswith,
)
_text("BR() -> Text", "Inserts an HTML break tag in string", lambda: "<br>")
_text(
    "CASESAFEID(id: Text) -> Text",
    "Converts a 15 character ID to a case-insensitive 18 character ID",
    _case_safe,
)
_text(
    "CONTAINS(text: Text, compare_text: Text) -> Boolean",
    "Checks if text contains specified characters, and returns TRUE if it does. Otherwise, returns FALSE",
    lambda text, part: part in text,
)
_text(
    "FIND(search_text: Text, text: Text, [start_num: Number]) -> Number",
    "Returns the position of the search_text string in text",
    _find,
)
_text(
    "GETSESSIONID() -> Text",
    "Returns the user's session ID; where a formula is evaluated without a session, it is blank",
    lambda: "",
)
_text(
    "HTMLENCODE(text: Text) -> Text",
    "Encodes text for use in HTML",
    lambda text: html.escape(text),
    uses=_LINKS,
)
_text(
    "HYPERLINK(url: Text, friendly_name: Text, [target: Text]) -> Text",
    "Creates a hyperlink",
    _hyperlink,
)
_text(
    "IMAGE(image_url: Text, alternate_text: Text, [height: Number], [width: Number]) -> Text",
    "Inserts an image",
    _image,
    "blanks",
)
_text(
    "IMAGEPROXYURL(url: Text) -> Text",
    "Securely retrieves external images without unauthorized requests for user credentials",
    lambda url: url,
)
_text(
    "INCLUDES(multiselect_picklist_field: Multi, text_literal: Text) -> Boolean",
    "Determines if any value selected in a multi-select picklist field equals a text literal you specify",
    lambda chosen, one: one in _several(chosen),
)
_text(
    "INITCAP(text: Text) -> Text",
    "Returns the text as lowercase with the first character of each word made uppercase",
    lambda text: regex.sub(r"[^\W_]+", lambda found: found[0].capitalize(), text),
)
_text(
    "ISPICKVAL(picklist_field: Picklist, text_literal: Text) -> Boolean",
    "Checks whether the value of a picklist field is equal to a string literal",
    lambda value, one: value == one,
)
_text(
    "JUNCTIONIDLIST(id: Text...) -> Text",
    "Returns a list of IDs",
    lambda *told: ";".join(told),
    uses=_LINKS,
)
_text("JSENCODE(text: Text) -> Text", "Encodes text for use in JavaScript", _js, uses=_LINKS)
_text(
    "JSINHTMLENCODE(text: Text) -> Text",
    "Encodes text for use in JavaScript within HTML",
    lambda text: html.escape(_js(text)),
    uses=_LINKS,
)
_text(
    "LEFT(text: Text, num_chars: Number) -> Text",
    "Returns the specified number of characters from the start of a text string",
    lambda text, number: text[: max(0, int(number))],
)
_text(
    "LEN(text: Text) -> Number",
    "Returns the number of characters in a text string",
    lambda text: Decimal(len(text)),
)
_text(
    "LINKTO(label: Text, target: Text, id: Text) -> Text",
    "Creates a link to a record",
    lambda label, target, id: f'<a href="{html.escape(_address(target, id))}">{html.escape(label)}</a>',
    uses=_LINKS,
)
_text(
    "LOWER(text: Text, [locale: Text]) -> Text",
    "Converts all letters in the value to lowercase",
    lambda text, locale="": text.lower(),
)
_text(
    "LPAD(text: Text, padded_length: Number, [pad_string: Text]) -> Text",
    "Pads the left side of the value with spaces or the optional pad string so that the length is padded_length",
    _pad(True),
)
_text(
    "MID(text: Text, start_num: Number, num_chars: Number) -> Text",
    "Returns character from the middle of a text string, given a starting position and length",
    _mid,
)
_text(
    "PICKLISTCOUNT(multiselect_picklist_field: Multi) -> Number",
    "Returns the number of selected values in a multi-select picklist",
    lambda chosen: Decimal(len(_several(chosen))),
)
_text(
    "REQUIRESCRIPT(url: Text) -> Text",
    "Returns a script tag with the source of the given URL",
    lambda url: f'<script src="{html.escape(url)}"></script>',
    uses=_LINKS,
)
_text(
    "REVERSE(text: Text) -> Text",
    "Returns the characters of a text in reverse order",
    lambda text: text[::-1],
)
_text(
    "RIGHT(text: Text, num_chars: Number) -> Text",
    "Returns the specified number of characters from the end of a text string",
    _right,
)
_text(
    "RPAD(text: Text, padded_length: Number, [pad_string: Text]) -> Text",
    "Pads the right side of the value with spaces or the optional pad string so that the length is padded_length",
    _pad(False),
)
_text(
    "SUBSTITUTE(text: Text, old_text: Text, new_text: Text) -> Text",
    "Substitutes new_text for old_text in a text string",
    _substitute,
)
_text(
    "TEXT(value: Number|Date|DateTime|Time|Picklist) -> Text",
    "Converts a value to text using standard display format",
    text_of,
    "blanks",
)
_text("TRIM(text: Text) -> Text", "Removes spaces and tabs from the start and the end of a text", str.strip)
_text(
    "UPPER(text: Text, [locale: Text]) -> Text",
    "Converts all letters in the value to uppercase",
    lambda text, locale="": text.upper(),
)
_text(
    "URLFOR(target: Text, id: Text) -> Text",
    "Returns the address of a record",
    lambda target, id: _address(target, id),
    uses=_LINKS,
)
_text("URLENCODE(text: Text) -> Text", "Encodes text for use in URLs", quote_plus, uses=_LINKS)
_text("VALUE(text: Text) -> Number", "Converts a text string that represents a number to a number", _value)
define(
    "Advanced",
    "REGEX(text: Text, regex_text: Text) -> Boolean",
    "Returns TRUE if text matches the regular expression regex_text. Otherwise, it returns FALSE",
    _matches,
    uses=frozenset(Use) - {Use.FIELD},
)
