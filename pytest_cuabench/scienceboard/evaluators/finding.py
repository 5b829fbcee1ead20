"""What an evaluator says of one item, and how it calls the lambdas of a record."""

from __future__ import annotations

from typing import Any, NamedTuple

import regex

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.scienceboard.items import describe
from pytest_cuabench.scienceboard.lambdas import Failed, Refused, expression

_SEARCH_SECONDS = 5.0


class Finding(NamedTuple):
    """Whether an item holds, what it takes, and what was found."""

    reached: bool
    expected: str
    seen: str


def compared(key: str, pred: str | None, value: Any, found: Any) -> Finding:
    """Return whether `pred(key(found), value)` holds; without `pred` the two must be equal.

    What Python would raise (a key that is not there) is false, as it is upstream.

    Raises:
        CheckerFailure: A lambda takes too long or grows too large.
    """
    expected = f"{pred or '=='} {describe(value)} of {key}"
    try:
        got = expression(key)(found)
        reached = got == value if pred is None else bool(expression(pred)(got, value))
    except Failed as error:
        return Finding(False, expected, str(error))
    except Refused as error:
        raise CheckerFailure(f"the record's lambda {key} / {pred}: {error}") from error
    return Finding(reached, expected, describe(got))


def applied(source: str, *values: Any) -> Any:
    """Return what a lambda of a record makes of values.

    Raises:
        Failed: Python would have raised.
        CheckerFailure: It takes too long or grows too large.
    """
    try:
        return expression(source)(*values)
    except Refused as error:
        raise CheckerFailure(f"the record's lambda {source}: {error}") from error


def fits(pattern: str, text: str) -> bool:
    """Return whether a pattern of a record fits somewhere in a text.

    Raises:
        CheckerFailure: It takes too long, as patterns can be made to.
    """
    try:
        return regex.search(pattern, text, timeout=_SEARCH_SECONDS) is not None
    except TimeoutError:
        raise CheckerFailure(
            f"the record's pattern {pattern} takes more than {_SEARCH_SECONDS:g} s"
        ) from None
