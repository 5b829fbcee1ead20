"""What an evaluator says of one item, and how it calls the lambdas of a record."""

from __future__ import annotations

from typing import Any, NamedTuple

import regex

from pytest_cuabench.errors import CheckerFailure

from ..items import describe
from ..lambda_work import equal
from ..lambdas import Failed, Meter, Refused, expression, guarded


class Limit(CheckerFailure):
    """A limit was reached: the record asks too much, or what it is asked of is too large."""


class Finding(NamedTuple):
    """Whether an item holds, what it takes, and what was found."""

    reached: bool
    expected: str
    seen: str
    unread: bool = False  # what was found is not understood, and may be what was expected


def compared(key: str, pred: str | None, value: Any, found: Any, meter: Meter) -> Finding:
    """Return whether `pred(key(found), value)` holds; without `pred` the two must be equal.

    What Python would raise (a key that is not there) is false, as it is upstream.

    Raises:
        Limit: A lambda takes too long or grows too large.
    """
    expected = f"{pred or '=='} {describe(value)} of {key}"
    try:
        got = expression(key)(found, meter=meter)
        with guarded():
            reached = (
                equal(got, value, meter) if pred is None else bool(expression(pred)(got, value, meter=meter))
            )
    except Failed as error:
        return Finding(False, expected, str(error))
    except Refused as error:
        raise Limit(f"the record's lambda {describe(key)} / {describe(pred)}: {error}") from error
    return Finding(reached, expected, describe(got))


def applied(source: str, *values: Any, meter: Meter) -> Any:
    """Return what a lambda of a record makes of values.

    Raises:
        Failed: Python would have raised.
        Limit: It takes too long or grows too large.
    """
    try:
        return expression(source)(*values, meter=meter)
    except Refused as error:
        raise Limit(f"the record's lambda {describe(source)}: {error}") from error


def fits(pattern: str, text: str, meter: Meter) -> bool:
    """Return whether a pattern of a record fits somewhere in a text.

    Raises:
        Limit: It takes too long, as patterns can be made to.
    """
    try:
        return regex.search(pattern, text, timeout=meter.seconds) is not None
    except TimeoutError:
        raise Limit(f"the record's pattern {describe(pattern)} takes too long") from None
