"""What lambdas of task records do with plain data; every bit of work is counted before it is done.

Sizes are known before anything is built, values are compared and written piece by piece, so that a list that holds
itself many times over costs what it costs to walk it. A meter is for a whole record: its lambdas share it.
"""

from __future__ import annotations

import operator
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice, repeat
from typing import Any

MAX_STEPS = 3_000_000  # for all lambdas of a record together: about a second
MAX_SECONDS = 1.5  # of the processor's time, should the steps be slower than they are here
MAX_SIZE = 1_000_000  # items of a list, characters of a text
MAX_BITS = 1_024  # of a whole number
_LOOK = 20_000  # steps between two looks at the clock
_CHARACTERS = 16  # that are copied in one step
_ITEMS = 4  # that are copied in one step
_COMPARED = 64  # characters that are compared in one step
_WALKED = 3  # steps that it takes to compare or write one item
_WIDTH = 1_000  # of a formatted value


class Failed(Exception):
    """What Python would have raised: a key that is not there, a text compared with a number."""


class Refused(Exception):
    """A limit was reached, or something was asked that no published record asks."""


class Meter:
    """How much work is left for the lambdas of one record.

    Args:
        today: The day that the published use of `datetime` means.
    """

    def __init__(
        self, today: date | None = None, *, steps: int = MAX_STEPS, seconds: float = MAX_SECONDS
    ) -> None:
        self.today = today
        self._left = steps
        self._until = time.thread_time() + seconds
        self._look = steps

    def spend(self, steps: int) -> None:
        """Count steps that are about to be taken.

        Raises:
            Refused: There are not so many left.
        """
        self._left -= steps
        if self._left < self._look:
            if self._left < 0 or time.thread_time() > self._until:
                raise Refused("the record's lambdas take too long")
            self._look = self._left - _LOOK

    @property
    def seconds(self) -> float:
        """How long the processor may still work."""
        return max(0.05, self._until - time.thread_time())

    def make(self, size: int, together: int = _CHARACTERS) -> None:
        """Count what it takes to build something of this size, of which so many parts are copied in one step.

        Raises:
            Refused: It is too large.
        """
        if size > MAX_SIZE:
            raise Refused(f"the lambda makes something of more than {MAX_SIZE} items")
        self.spend(size // together + 1)


# Comparing


def equal(a: Any, b: Any, meter: Meter) -> bool:
    """Return whether two values are equal, as Python says."""
    if isinstance(a, str) and isinstance(b, str):
        meter.spend(len(a) // _COMPARED + 1)
        return a == b
    meter.spend(_WALKED)
    if isinstance(a, list | tuple) and type(a) is type(b):
        return len(a) == len(b) and all(map(_same, a, b, repeat(meter)))
    if isinstance(a, dict) and isinstance(b, dict):
        return len(a) == len(b) and all(key in b and _same(a[key], b[key], meter) for key in a)
    if _plain(a) and _plain(b):
        return bool(a == b)
    return a is b


def _same(a: Any, b: Any, meter: Meter) -> bool:
    """Return whether two items are equal; within lists a thing is equal to itself, even what is not a number."""
    return a is b or equal(a, b, meter)


def less(a: Any, b: Any, meter: Meter) -> bool:
    """Return whether a value is less than another.

    Raises:
        TypeError: They have no order.
    """
    meter.spend(_WALKED)
    if isinstance(a, str) and isinstance(b, str):
        meter.spend(min(len(a), len(b)) // _COMPARED)
        return a < b
    if isinstance(a, list | tuple) and type(a) is type(b):
        differ = ((x, y) for x, y in zip(a, b, strict=False) if not _same(x, y, meter))
        pair = next(differ, None)
        return len(a) < len(b) if pair is None else less(*pair, meter)
    if not numbers(a, b):
        raise TypeError("these have no order")
    return bool(a < b)


def holds(where: Any, what: Any, meter: Meter) -> bool:
    """Return whether a text, a list or an object has something in it.

    Raises:
        TypeError: It cannot.
    """
    if isinstance(where, str):
        if not isinstance(what, str):
            raise TypeError("only a text is in a text")
        meter.spend(_searching(where, what))
        return what in where
    if isinstance(where, dict):
        return key_of(what, meter) in where
    return any(_same(item, what, meter) for item in items(where, meter))


def _searching(text: str, what: str) -> int:
    """Return the steps of a search at its worst: short texts are searched naively, long ones are not."""
    long, short = len(text), len(what)
    return long * short // 512 if long < 30_000 else (long + short) // 4


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | complex)


def numbers(*values: Any) -> bool:
    """Return whether all of these are numbers."""
    return all(isinstance(value, int | float | complex) for value in values)


# Looking into values


def items(value: Any, meter: Meter) -> Iterable[Any]:
    """Return what a loop over a value goes through.

    Raises:
        TypeError: Nobody can loop over it.
    """
    if not isinstance(value, str | list | tuple | dict):
        raise TypeError("this cannot be looped over")
    meter.spend(len(value) // _ITEMS)
    return value


def key_of(value: Any, meter: Meter) -> Any:
    """Return what may be a key of an object.

    Raises:
        TypeError: It may not.
    """
    if isinstance(value, tuple):
        raise Refused("keys are texts and numbers")
    if not _plain(value):
        raise TypeError("this is no key")
    meter.spend(len(value) // _COMPARED + 1 if isinstance(value, str) else 1)
    return value


def item(value: Any, index: Any, meter: Meter) -> Any:
    """Return `value[index]`."""
    if isinstance(value, dict):
        return value[key_of(index, meter)]
    if not isinstance(value, str | list | tuple):
        raise TypeError("this has no items")
    return value[index]


def part(value: Any, wanted: slice, meter: Meter) -> Any:
    """Return `value[lower:upper:step]`."""
    if not isinstance(value, str | list | tuple):
        raise TypeError("this has no parts")
    meter.make(len(range(*wanted.indices(len(value)))), _ITEMS)
    return value[wanted]


# Arithmetic


def plus(a: Any, b: Any, meter: Meter) -> Any:
    """Return a sum of numbers, or two texts or lists one after the other."""
    if type(a) is type(b) and isinstance(a, str | list | tuple):
        meter.make(len(a) + len(b), _CHARACTERS if isinstance(a, str) else _ITEMS)
        return a + b
    return _calculated(operator.add, a, b, max)


def minus(a: Any, b: Any, meter: Meter) -> Any:
    """Return a difference."""
    return _calculated(operator.sub, a, b, max)


def times(a: Any, b: Any, meter: Meter) -> Any:
    """Return a product; a text or a list times a number is that often repeated."""
    if isinstance(a, int) and isinstance(b, str | list | tuple):
        a, b = b, a
    if isinstance(a, str | list | tuple) and isinstance(b, int):
        meter.make(len(a) * max(b, 0), _CHARACTERS if isinstance(a, str) else _ITEMS)
        return a * b
    return _calculated(operator.mul, a, b, operator.add)


def over(a: Any, b: Any, meter: Meter) -> Any:
    """Return a quotient."""
    return _calculated(operator.truediv, a, b, min)


def modulo(a: Any, b: Any, meter: Meter) -> Any:
    """Return a remainder; of a text and a value, the text with the value in it."""
    return _formatted(a, b, meter) if isinstance(a, str) else _calculated(operator.mod, a, b, min)


def power(a: Any, b: Any, meter: Meter) -> Any:
    """Return a power."""
    if isinstance(a, int) and isinstance(b, int) and abs(a) > 1 and b > 0:
        _bits(a.bit_length() * b)
    return _calculated(operator.pow, a, b, min)


def negative(a: Any) -> Any:
    """Return the negative of a number."""
    if not numbers(a):
        raise TypeError("only numbers have a sign")
    return -a


def _calculated(kind: Callable[[Any, Any], Any], a: Any, b: Any, bits: Callable[[int, int], int]) -> Any:
    if not numbers(a, b):
        raise TypeError("this takes numbers")
    if isinstance(a, int) and isinstance(b, int):
        _bits(bits(a.bit_length(), b.bit_length()))
    return kind(a, b)


def _bits(count: int) -> None:
    if count > MAX_BITS:
        raise Refused("the lambda makes too large a number")


_CONVERSION = re.compile(
    r"%(?P<key>\([^()]*\))?[-#0 +]*(?P<width>\d*)(?:\.(?P<digits>\d*))?[hlL]?(?P<kind>.?)", re.DOTALL
)


def _formatted(text: str, values: Any, meter: Meter) -> str:
    """Return `text % values`, where all values are plain and nothing is made wide.

    Raises:
        TypeError, ValueError: Python would have raised it.
        Refused: It is wider, or writes lists.
    """
    meter.make(len(text), 1)
    given = values if isinstance(values, tuple) else values.values() if isinstance(values, dict) else [values]
    asked = list(_CONVERSION.finditer(text))
    if "%" not in text:
        return text % (values if isinstance(values, tuple | dict) else [] if isinstance(values, list) else 0)
    whole = isinstance(values, dict) and any(not match["key"] for match in asked if match["kind"] != "%")
    if whole or not all(map(_plain, given)) or any("*" in match["kind"] for match in asked):
        raise Refused("only plain values are written into a text")
    widest = max(
        (int(n[:9] or 0) for match in asked for n in (match["width"], match["digits"] or "")), default=0
    )
    if widest > _WIDTH:
        raise Refused(f"no value is made wider than {_WIDTH}")
    longest = max((len(value) for value in given if isinstance(value, str)), default=0)
    meter.make(len(text) + len(asked) * (_WIDTH + longest))
    return str(text % values)


# Texts


def split(text: str, meter: Meter, separator: Any = None, most: Any = -1) -> list[str]:
    """Return the parts of a text."""
    if isinstance(separator, str) and separator:
        meter.spend(_searching(text, separator) + len(text) // _CHARACTERS)
        meter.make(text.count(separator) + 1, 1)
    else:
        meter.make(len(text), 2)
    return text.split(separator, most)


def join(text: str, meter: Meter, parts: Any) -> str:
    """Return texts with another one between them."""
    given = list(items(parts, meter))
    if not all(isinstance(one, str) for one in given):
        raise TypeError("only texts are joined")
    meter.spend(len(given))
    meter.make(sum(map(len, given)) + len(text) * max(0, len(given) - 1))
    return text.join(given)


def strip(text: str, meter: Meter, characters: Any = None) -> str:
    """Return a text without these characters at its ends."""
    each = len(characters) // 256 if isinstance(characters, str) else 0
    meter.make(len(text))
    meter.spend(len(text) * each)
    return text.strip(characters)


def lower(text: str, meter: Meter) -> str:
    """Return a text in small letters."""
    meter.make(3 * len(text))
    return text.lower()


def starts(text: str, meter: Meter, what: Any) -> bool:
    """Return whether a text starts with another, or with one of some."""
    meter.spend(_ends(what))
    return text.startswith(what)


def ends(text: str, meter: Meter, what: Any) -> bool:
    """Return whether a text ends with another, or with one of some."""
    meter.spend(_ends(what))
    return text.endswith(what)


def _ends(what: Any) -> int:
    found = what if isinstance(what, tuple) else (what,)
    return sum(len(one) // _COMPARED + 1 if isinstance(one, str) else 1 for one in found)


# Making values


def listed(*bounds: Any, meter: Meter) -> list[int]:
    """Return the numbers of a range."""
    wanted = range(*bounds)
    try:
        meter.make(len(wanted), 1)
    except OverflowError:
        raise Refused(f"no range may have more than {MAX_SIZE} numbers") from None
    return list(wanted)


def paired(pairs: Any, meter: Meter) -> dict[Any, Any]:
    """Return an object of a list of pairs."""
    if isinstance(pairs, dict):
        meter.make(len(pairs), 1)
        return dict(pairs)
    made: dict[Any, Any] = {}
    for pair in items(pairs, meter):
        meter.spend(1)
        if not isinstance(pair, str | list | tuple | dict) or len(pair) != 2:
            raise TypeError("an object is made of pairs")
        key, value = tuple(pair)
        made[key_of(key, meter)] = value
    return made


def told(value: Any, meter: Meter) -> str:
    """Return a value as Python's `str` writes it."""
    if isinstance(value, str):
        return value
    pieces, size = [], 0
    for piece in written(value):
        size += len(piece)
        meter.spend(_WALKED)
        meter.make(size, MAX_SIZE)
        pieces.append(piece)
    return "".join(pieces)


def written(value: Any) -> Iterator[str]:
    """Yield what Python's `repr` writes of plain data, piece by piece, so that one can stop anywhere."""
    if isinstance(value, dict):
        yield "{"
        for number, (key, inner) in enumerate(value.items()):
            yield ", " if number else ""
            yield from written(key)
            yield ": "
            yield from written(inner)
        yield "}"
    elif isinstance(value, list | tuple):
        yield "[" if isinstance(value, list) else "("
        for number, inner in enumerate(value):
            yield ", " if number else ""
            yield from written(inner)
        yield "]" if isinstance(value, list) else ",)" if len(value) == 1 else ")"
    elif isinstance(value, int) and value.bit_length() > MAX_BITS:
        yield f"a number of {value.bit_length()} bits"
    else:
        yield repr(value)


def shortened(value: Any, limit: int) -> str:
    """Return the beginning of what a value is written as."""
    text = "".join(_up_to(limit + 1, written(value)))
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _up_to(limit: int, pieces: Iterator[str]) -> Iterator[str]:
    for piece in islice(pieces, 4 * limit):
        yield piece
        limit -= len(piece)
        if limit <= 0:
            return


METHODS: Mapping[str, Callable[..., Any]] = {
    "endswith": ends,
    "startswith": starts,
    "split": split,
    "join": join,
    "strip": strip,
    "lower": lower,
}


def method(value: Any, name: str, arguments: Sequence[Any], meter: Meter) -> Any:
    """Return what a method of a text makes, or `get` of an object.

    Raises:
        TypeError: It has no such method.
    """
    if name == "get" and isinstance(value, dict) and 1 <= len(arguments) <= 2:
        return value.get(key_of(arguments[0], meter), *arguments[1:])
    if name not in METHODS or not isinstance(value, str):
        raise TypeError(f"this has no method {name}")
    return METHODS[name](value, meter, *arguments)
