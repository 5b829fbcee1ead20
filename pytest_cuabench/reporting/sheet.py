"""CSV that a spreadsheet may open: no cell is taken for a formula, whatever a page or a model wrote into it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Any, TextIO

_STARTS = "=+-@\uff1d\uff0b\uff0d\uff20"  # also in full width, which some programs read alike
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def write_rows(stream: TextIO, rows: Iterable[Iterable[Any]]) -> None:
    """Write rows; texts are quoted, so that no other separator splits them."""
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([safe_cell(value) for value in row] for row in rows)


def safe_cell(value: Any) -> Any:
    """Return a value that no spreadsheet takes for a formula: a text that could be one gets an apostrophe."""
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    return f"'{value}" if value.lstrip()[:1] in tuple(_STARTS) or value[:1] in ("\t", "\r", "\n") else value
