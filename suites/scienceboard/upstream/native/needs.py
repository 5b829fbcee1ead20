"""What a record needs of a desktop that has just been prepared for it: maps, columns, LaTeX packages.

It is read off the record's own evaluation and looked up in the state before the agent begins, so that nobody is asked
for what cannot be done there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..items import Compile, Db, Info, Item
from ..lambdas import expression
from ..records import Record
from ..steps import Map
from .words import Collections, below_home

_MAP = re.compile(r"\b(\w+)@PERMANENT\b")
_CONDITION = re.compile(r"(\w+)\s*=\s*'")  # of SQL
_COLUMN = "attribute_column"
_MISSING = re.compile(r"File `([^']+\.(?:sty|cls|clo|def|fd|ldf))' not found|Font \S+=(\S+) .*not loadable")


def maps(record: Record, told: Collections) -> str | None:
    """Return which map or column of a record is in none of the locations, in a sentence; None where all are there."""
    location = next((step.location for step in record.begin if isinstance(step, Map)), None)
    for item in record.judged:
        named = sorted({name for text in _texts(item) for name in _MAP.findall(text)})
        absent = [name for name in named if not _is_there(name, location, told)]
        if absent:
            return f"the maps of this desktop do not have {' and '.join(absent)}, which the record is about"
        for column in _columns(item):
            if not _has_column(column, named, told):
                return f"no table of {' or '.join(named) or 'this desktop'} has the column {column} on this desktop"
    return None


def styles(record: Record, told: Collections) -> str | None:
    """Return which file of LaTeX a record's document needs and the desktop does not have; None where all are there."""
    for item in record.judged:
        if isinstance(item, Compile):
            main = f"{below_home(item.path)}/{item.file}.tex"
            error = str(told.get("builds", {}).get(main, {}).get("error") or "")
            if found := _MISSING.search(error):
                absent = found[1] or found[2]
                return f"the LaTeX of this desktop does not have {absent}, which the record's document uses"
    return None


def _is_there(name: str, location: str | None, told: Collections) -> bool:
    where = re.escape(location) if location else "[^/]+"
    held = re.compile(rf"grassdata/{where}/PERMANENT/(?:cellhd|vector)/{re.escape(name)}(?:/|$)")
    return any(held.match(path) for path in told.get("files", {}))


def _has_column(column: str, named: list[str], told: Collections) -> bool:
    rows = told.get("columns", {}).values()
    return any(row["name"] == column and (not named or row["map"] in named) for row in rows)


def _texts(item: Item) -> Iterator[str]:
    """Yield the texts in what an item is judged by."""
    match item:
        case Info(key=key, pred=pred, value=value):
            yield from (*_constants(key), *_constants(pred), *_strings(value))
        case Db(key=key, pred=pred, value=value, kwargs=kwargs):
            yield from (*_constants(key), *_constants(pred), *_strings(value), *kwargs.values())


def _columns(item: Item) -> Iterator[str]:
    """Yield the columns that an item wants to be used: as a label, in a condition, or to be removed."""
    match item:
        case Info(key=key, value=value):
            named = set(_constants(key))
            if _COLUMN in named:
                yield from [value] if isinstance(value, str) else _compared(key)
            if "where" in named:
                yield from list(_strings(value))[:1] if isinstance(value, list) else []
                yield from (name for text in named for name in _CONDITION.findall(text))
        case Db(cmd="v.db.select", value=str(column)) if column.isidentifier():
            yield column


def _compared(source: str) -> Iterator[str]:
    """Yield the texts that the column of labels is compared with."""
    for node in ast.walk(expression(source).body):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=str(text))]):
                if any(
                    isinstance(inner, ast.Constant) and inner.value == _COLUMN for inner in ast.walk(left)
                ):
                    yield text


def _constants(source: str | None) -> Iterator[str]:
    for node in ast.walk(expression(source).body) if source else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(inner)


def figures(item: Item) -> bool:
    """Whether an item looks in the console for a figure, which is a fact of the data."""
    if not isinstance(item, Info) or "output" not in set(_constants(item.key)):
        return False
    return any(re.search(r"\d", text) for text in (*_constants(item.key), *_strings(item.value)))
