"""ChimeraX: what the command `info` notes, the flattened state of the session, and files that were written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from pytest_cuabench.errors import CheckerFailure

from ..items import ChimeraInfo, Contains, States, describe, is_lambda
from ..lambda_work import equal
from ..lambdas import Failed, Meter, Refused, expression
from .finding import Finding, applied, fits


def info(item: ChimeraInfo, notes: Sequence[str]) -> Finding:
    """Return whether the lines that were noted are the wanted ones, in any order."""
    lines = {line.strip() for note in notes for line in note.strip().split("\n")}
    return Finding(lines == set(item.value), describe(sorted(item.value)), describe(sorted(lines)))


def states(item: States, flat: Mapping[str, Any], *, meter: Meter) -> Finding:
    """Return whether the value at the path that the item finds is the wanted one.

    A null value says that there is no such path; together with `find` upstream never reaches that, and nor do we.
    """
    wants = f"{item.key} {'~ ' + item.pattern if item.pattern else '= ' + describe(item.value)}"
    try:
        path = _path(item, flat, meter)
    except Failed as error:
        return Finding(False, wants, str(error))
    if item.pattern is None and item.value is None:
        return Finding(path is None and item.find is None, wants, f"the path {path}")
    if path is None or path not in flat:
        return Finding(False, wants, f"there is no path {path or item.key}")
    return Finding(_fits(item, flat[path], meter), wants, describe(flat[path]))


def contains(item: Contains, content: str | None, today: str | None) -> Finding:
    """Return whether a file is there and holds the text."""
    text = item.value
    if is_lambda(text):
        text = _dated(text, today)
    if content is None:
        return Finding(False, f"{item.key} with {describe(text)}", "there is no such file")
    return Finding(text in content, f"{item.key} with {describe(text)}", f"{len(content)} characters")


def _dated(source: str, today: str | None) -> str:
    try:
        return str(expression(source)(meter=Meter(date.fromisoformat(today) if today else None)))
    except (Failed, Refused) as error:
        raise CheckerFailure(f"the record's lambda {source}: {error}") from error


def _path(item: States, flat: Mapping[str, Any], meter: Meter) -> str | None:
    if item.find is not None:
        first = next(
            (path for path, value in flat.items() if applied(item.find, path, value, meter=meter)), None
        )
        return None if first is None else str(applied(item.key, first, meter=meter))
    if not is_lambda(item.key):
        return item.key if item.key in flat else None
    both = len(expression(item.key).parameters) == 2
    return next(
        (
            path
            for path, value in flat.items()
            if applied(item.key, *((path, value) if both else (path,)), meter=meter)
        ),
        None,
    )


def _fits(item: States, value: Any, meter: Meter) -> bool:
    if item.pattern is None:
        return equal(value, item.value, meter)
    text = value if isinstance(value, str) else json.dumps(value)
    return fits(item.pattern, text, meter)
