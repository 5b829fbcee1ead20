"""Whether two formulas mean the same: they are computed for sample records, and must agree on each.

    samples = records({"AccountNumber": ["", "1234567", "12345678"]})
    alike("LEN(AccountNumber) != 8", "NOT(LEN(AccountNumber) = 8)", samples)

A record holds a text, a number, a date, a moment (`2026-03-01T12:00:00Z`), a truth value, or None under each name. What
uses functions that are not in `_FUNCTIONS`, or fields that no sample has, is the same only where it reads alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from itertools import product
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Kind
from pytest_cuabench.task.kinds.base import Spellings

Sample = Mapping[str, Any]
Value = Callable[[Sample], Any]
TODAY = date(2026, 3, 15)
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>\d+\.?\d*|\.\d+)|(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    r"""|(?P<name>\$?[^\W\d][\w.:]*)|(?P<mark><=|>=|<>|!=|==|&&|\|\||[-+*/^&=<>!(),]))""",
    re.S,
)
_BLANK = re.compile(r"(?:\s|/\*.*?\*/)*", re.S)
_SAME = {"!=": "<>", "==": "="}
_LEVELS = (("||",), ("&&",), ("=", "<>"), ("<", ">", "<=", ">="), ("+", "-", "&"), ("*", "/"), ("^",))
_WORDS = {"true": True, "false": False, "null": None}


class _Unclear(Exception):
    """A formula that cannot be computed here."""


def alike(one: str, other: str, samples: Sequence[Sample], *, zero: bool = False) -> bool:
    """Whether two formulas have the same value for each sample; without samples, whether they read alike.

    Args:
        zero: Whether numbers that are blank count as zero.
    """
    try:
        if not samples:
            raise _Unclear(one)
        return all(_value(one, sample, zero) == _value(other, sample, zero) for sample in samples)
    except (_Unclear, ArithmeticError, TypeError, ValueError, IndexError, RecursionError):
        return _plain(one) == _plain(other)


class Formula(Kind):
    """A formula, by its values for samples.

    Args:
        samples: Records, as `records` makes them.
        zero: Whether numbers that are blank count as zero.
    """

    def __init__(self, samples: list[Sample], *, zero: bool = False) -> None:
        self._samples, self._zero = samples, zero

    def meaning(self, value: Any) -> str:
        return str(value)

    def equal(self, one: str, other: str) -> bool:
        return alike(one, other, self._samples, zero=self._zero)

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "in brackets", f"({value})"
        yield "spaces around", f"  {value}\n"
        yield "a comment", f"/* as asked */ {value}"
        quoted = re.split(r"(\"[^\"]*\"|'[^']*')", value)
        yield "small letters", "".join(one if at % 2 else one.lower() for at, one in enumerate(quoted))
        if all(one in ("+", "-", "*", "/", "&", "<", ">", "=") for one in re.findall(r"[-+*/&<>=]+", value)):
            yield (
                "no spaces",
                "".join(one if at % 2 else one.replace(" ", "") for at, one in enumerate(quoted)),
            )
        if "<>" in value:
            yield "another sign", value.replace("<>", "!=")
        if found := re.fullmatch(r"([\w.]+|\w+\([\w.]+\)) (<|>|<=|>=|=|<>) ([\w.()]+)", value):
            turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(found[2], found[2])
            yield "the other way round", f"{found[3]} {turned} {found[1]}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield f"{value} + 1"
        yield f"NOT({value})"
        if digit := re.search(r"\d(?=\D*$)", value):
            yield f"{value[: digit.start()]}{(int(digit[0]) + 3) % 10}{value[digit.end() :]}"


def records(fields: Mapping[str, list[Any]]) -> list[Sample]:
    """Return a record for each combination of values; among numbers an empty text is a number that is blank."""
    names = [name.casefold() for name in fields]
    read = [
        [None if value == "" and _numeric(values) else _read(value) for value in values]
        for values in fields.values()
    ]
    return [dict(zip(names, values, strict=True)) for values in product(*read)]


def _numeric(values: list[Any]) -> bool:
    return any(isinstance(value, int | float) for value in values)


def _read(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    if not isinstance(value, str):
        return Decimal(str(value))
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return date.fromisoformat(value)
    moment = re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]+Z", value)
    return datetime.fromisoformat(value.replace("Z", "+00:00")) if moment else value


def _plain(text: str) -> list[str]:
    return [_SAME.get(token, token if token[:1] in "'\"" else token.casefold()) for _, token in _tokens(text)]


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = _blank_end(text, 0)
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            yield "other", text[at:]
            return
        yield str(found.lastgroup), found[str(found.lastgroup)]
        at = _blank_end(text, found.end())


def _blank_end(text: str, at: int) -> int:
    """Return where spaces and comments end that begin at a place."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _value(text: str, sample: Sample, zero: bool) -> Any:
    reader = _Reader(text)
    value = reader.expression(0)
    if reader.now[1]:
        raise _Unclear(reader.now[1])
    return _blank(value({**sample, "": zero}))


def _blank(value: Any) -> Any:
    return None if value == "" else value


class _Reader:
    """Makes functions of a text, with the precedence of `_LEVELS`."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self.now = ("", "")
        self._next()

    def expression(self, loosest: int) -> Value:
        left = self._unary()
        while (level := self._level()) >= loosest:
            sign = _SAME.get(self._next(), self._last)
            left = _binary(sign, left, self.expression(level + 1))
        return left

    def _unary(self) -> Value:
        if self.now[1] in ("-", "+", "!"):
            sign, operand = self._next(), self._unary()
            if sign == "!":
                return lambda sample: not operand(sample)
            return lambda sample: None if (x := operand(sample)) is None else -x if sign == "-" else x
        kind, text = self.now[0], self._next()
        if text == "(":
            return self._closed(self.expression(0))
        if kind == "number":
            return lambda sample: Decimal(text)
        if kind == "text":
            plain = re.sub(r"\\(.)", r"\1", text[1:-1])
            return lambda sample: plain
        if kind != "name":
            raise _Unclear(text)
        if self.now[1] == "(":
            self._next()
            return self._call(text.upper())
        name = text.casefold()
        return (lambda sample: _WORDS[name]) if name in _WORDS else (lambda sample: _field(name, sample))

    def _call(self, function: str) -> Value:
        arguments: list[Value] = []
        while self.now[1] != ")":
            arguments.append(self.expression(0))
            if self.now[1] == ",":
                self._next()
        self._closed(None)
        if function not in _FUNCTIONS:
            raise _Unclear(function)
        act = _FUNCTIONS[function]
        if function in _LAZY:
            return lambda sample: act(sample, *arguments)
        return lambda sample: act(*(one(sample) for one in arguments))

    def _closed(self, value: Any) -> Any:
        if self._next() != ")":
            raise _Unclear(self._last)
        return value

    def _level(self) -> int:
        sign = _SAME.get(self.now[1], self.now[1]) if self.now[0] == "mark" else ""
        return next((at for at, signs in enumerate(_LEVELS) if sign in signs), -1)

    def _next(self) -> str:
        self._last = self.now[1]
        self.now = next(self._tokens, ("end", ""))
        return self._last


def _field(name: str, sample: Sample) -> Any:
    if name not in sample:
        raise _Unclear(name)
    value = sample[name]
    return Decimal(0) if value is None and sample[""] else value


def _binary(sign: str, left: Value, right: Value) -> Value:
    def apply(sample: Sample) -> Any:
        if sign in ("&&", "||"):
            one = bool(left(sample))
            return bool(right(sample)) if one == (sign == "&&") else one
        one, other = left(sample), right(sample)
        if sign in ("=", "<>"):
            return (_blank(one) == _blank(other)) == (sign == "=")
        if sign == "&" or isinstance(one, str):
            return f"{one or ''}{other or ''}"
        if one is None or other is None:
            return None if sign in "+-*/^" else False
        return _OPERATORS[sign](one, other)

    return apply


def _minus(one: Any, other: Any) -> Any:
    if isinstance(one, datetime) and isinstance(other, datetime):
        return Decimal((one - other).total_seconds()) / 86400
    if isinstance(one, date) and isinstance(other, date):
        return Decimal((one - other).days)
    return one - timedelta(days=float(other)) if isinstance(one, date) else one - other


def _plus(one: Any, other: Any) -> Any:
    return one + timedelta(days=float(other)) if isinstance(one, date) else one + other


_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": _plus,
    "-": _minus,
    "*": lambda one, other: one * other,
    "/": lambda one, other: one / other,
    "^": lambda one, other: one**other,
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "<=": lambda one, other: one <= other,
    ">=": lambda one, other: one >= other,
}


def _case(sample: Sample, value: Value, *rest: Value) -> Any:
    pairs, otherwise = rest[:-1], rest[-1]
    found = (
        then for when, then in zip(pairs[::2], pairs[1::2], strict=True) if when(sample) == value(sample)
    )
    return next(found, otherwise)(sample)


def _day(value: Any) -> Any:
    return value.date() if isinstance(value, datetime) else _read(value)


def _told(value: Any) -> str:
    if not isinstance(value, Decimal):
        return "" if value is None else str(value)
    plain = f"{value:f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _rounded(value: Any, digits: Decimal) -> Any:
    return None if value is None else value.quantize(Decimal(1).scaleb(-int(digits)), ROUND_HALF_UP)


_LAZY = ("AND", "OR", "IF", "CASE")
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "AND": lambda sample, *tests: all(test(sample) for test in tests),
    "OR": lambda sample, *tests: any(test(sample) for test in tests),
    "IF": lambda sample, test, then, otherwise: (then if test(sample) else otherwise)(sample),
    "CASE": _case,
    "NOT": lambda value: not value,
    "ISBLANK": lambda value: value in (None, ""),
    "ISNULL": lambda value: value is None,
    "BLANKVALUE": lambda value, instead: instead if value in (None, "") else value,
    "NULLVALUE": lambda value, instead: instead if value is None else value,
    "ABS": lambda value: value if value is None else abs(value),
    "BEGINS": lambda text, part: (text or "").startswith(part or ""),
    "CONTAINS": lambda text, part: (part or "") in (text or ""),
    "DATEVALUE": _day,
    "FIND": lambda part, text: Decimal((text or "").find(part) + 1 if text and part else 0),
    "INCLUDES": lambda chosen, one: one in (chosen or "").split(";"),
    "ISPICKVAL": lambda value, one: (value or "") == one,
    "LEFT": lambda text, number: (text or "")[: max(int(number), 0)],
    "LEN": lambda text: Decimal(len(text or "")),
    "LOWER": lambda text: (text or "").lower(),
    "MAX": lambda *values: max(values),
    "MIN": lambda *values: min(values),
    "NOW": lambda: datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC),
    "RIGHT": lambda text, number: (text or "")[max(len(text or "") - max(int(number), 0), 0) :],
    "ROUND": _rounded,
    "SUBSTITUTE": lambda text, old, new: (text or "").replace(old, new) if old else text,
    "TEXT": _told,
    "TODAY": lambda: TODAY,
    "TRIM": lambda text: (text or "").strip(),
    "UPPER": lambda text: (text or "").upper(),
    "VALUE": lambda text: Decimal(text) if text else None,
}
