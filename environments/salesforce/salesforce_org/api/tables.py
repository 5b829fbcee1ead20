"""Records as tables of text: the CSV of the Bulk interfaces."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from salesforce_org.api.call import ApiError
from salesforce_org.soql.result import ColumnInfo, Result

DELIMITERS = {"COMMA": ",", "TAB": "\t", "SEMICOLON": ";", "PIPE": "|", "CARET": "^", "BACKQUOTE": "`"}
ENDINGS = {"LF": "\n", "CRLF": "\r\n"}
NULL = "#N/A"


def delimiter(told: Mapping[str, Any]) -> str:
    """Return the character between columns that a job asks for.

    Raises:
        ApiError: There is no such character.
    """
    name = str(told.get("columnDelimiter") or "COMMA")
    if name not in DELIMITERS:
        raise ApiError(400, "INVALIDJOB", f"columnDelimiter must be one of: {', '.join(DELIMITERS)}")
    return DELIMITERS[name]


def ending(told: Mapping[str, Any]) -> str:
    """Return the end of a line that a job asks for."""
    return ENDINGS.get(str(told.get("lineEnding") or "LF"), "\n")


def read(raw: bytes, between: str) -> list[dict[str, Any]]:
    """Return the records of a table.

    Raises:
        ApiError: The bytes are not a CSV table.
    """
    try:
        lines = list(
            csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline=""), delimiter=between, strict=True)
        )
    except (UnicodeDecodeError, csv.Error) as error:
        raise ApiError(400, "INVALIDBATCH", f"The data is no CSV in UTF-8: {error}") from None
    rows = [line for line in lines if line]
    if not rows:
        return []
    if any(len(line) != len(rows[0]) for line in rows):
        raise ApiError(400, "INVALIDBATCH", "All rows must have as many columns as the header")
    return [dict(zip(rows[0], line, strict=True)) for line in rows[1:]]


def given(record: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields that a row gives: an empty cell says nothing, `#N/A` empties the field."""
    fields: dict[str, Any] = {}
    for name, value in record.items():
        if value == "":
            continue
        relationship, dot, key = name.partition(".")
        if dot:
            told, colon, target = relationship.partition(":")
            fields[told] = {key: value, **({"attributes": {"type": target}} if colon else {})}
        else:
            fields[name] = None if value == NULL else value
    return fields


def text(header: Sequence[str], rows: Iterable[Sequence[str]], told: Mapping[str, Any]) -> str:
    """Return a table as CSV, all cells quoted."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter(told), lineterminator=ending(told), quoting=csv.QUOTE_ALL)
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def flat(result: Result) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of a result; parents' fields become columns such as `Account.Name`."""
    paths = list(_paths(result.columns, ()))
    rows = [[_cell(_at(row, path)) for path in paths] for row in result.records]
    return [".".join(path) for path in paths], rows


def _paths(columns: Iterable[ColumnInfo], above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for one in columns:
        if one.columns:
            yield from _paths(one.columns, (*above, one.name))
        else:
            yield (*above, one.name)


def _at(row: Any, path: Sequence[str]) -> Any:
    for name in path:
        if not isinstance(row, Mapping):
            return None
        row = row.get(name)
    return row


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
