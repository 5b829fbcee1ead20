"""Values, lines, texts, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from .matching import Pattern, Rule, Strict, fits, matches

Fault = str | None
_SHORT = 120


class Expected(Strict):
    """`{"expected": ...}`."""

    expected: Any


class Parts(Strict):
    """Texts that have to be there, and texts that may not."""

    include: list[str] = Field(default=[])
    exclude: list[str] = Field(default=[])


class Lines(Strict):
    """Patterns of which each fits a line, and patterns that fit none."""

    expect: list[Pattern] = Field(default=[])
    unexpect: list[Pattern] = Field(default=[])


class KeyRule(Rule):
    """A rule for the value at a path of keys."""

    key: list[str | int]


class KeyRules(Strict):
    """Rules that hold, and rules that do not."""

    expect: list[KeyRule] = Field(default=[])
    unexpect: list[KeyRule] = Field(default=[])


class RowRules(Strict):
    """Rows of which each is there, by some of their columns, and rows that are not."""

    expect: list[dict[str, Rule]] = Field(default=[])
    unexpect: list[dict[str, Rule]] = Field(default=[])


def exact_match(result: Any, rules: Expected) -> Fault:
    """The value is the expected one."""
    value = text_of(result) if isinstance(result, bytes) else result
    return None if value == rules.expected else f"it is {_short(value)}, not {_short(rules.expected)}"


def match_in_list(result: Any, rules: Expected) -> Fault:
    """The value is one of the expected ones."""
    return None if result in rules.expected else f"{_short(result)} is none of {_short(rules.expected)}"


def is_in_list(result: Any, rules: Expected) -> Fault:
    """The expected value is one of those that are there."""
    there = isinstance(result, list | str) and rules.expected in result
    return None if there else f"{_short(rules.expected)} is not in {_short(result)}"


def literal_match(
    result: Any, rules: Any, *, type: Literal["str", "list"] = "str", ignore_case: bool = False
) -> Fault:
    """The value reads like the expected one."""

    def read(value: Any) -> Any:
        words = [str(one) for one in value] if type == "list" and isinstance(value, list) else [str(value)]
        return [one.lower() for one in words] if ignore_case else words

    return None if read(result) == read(rules) else f"it is {_short(result)}, not {_short(rules)}"


def check_include_exclude(result: Any, rules: Parts) -> Fault:
    """Some texts are in it, and some are not."""
    text = text_of(result) if isinstance(result, bytes) else str(result or "")
    return _parts(text, rules)


def file_contains(result: bytes | None, rules: Expected) -> Fault:
    """All expected texts are in a file."""
    if result is None:
        return "there is no such file"
    return _parts(text_of(result), Parts(include=list(map(str, rules.expected))))


def _parts(text: str, rules: Parts) -> Fault:
    for part in rules.include:
        if part not in text:
            return f"{_short(part)} is missing"
    for part in rules.exclude:
        if part in text:
            return f"{_short(part)} is there"
    return None


def check_list(result: bytes | None, rules: Lines) -> Fault:
    """Each pattern fits a line, and others fit none."""
    if result is None:
        return "there is no such file"
    lines = text_of(result).splitlines()
    for pattern in rules.expect:
        if not any(matches(pattern, line) for line in lines):
            return f"no line is like {_short(pattern)}"
    for pattern in rules.unexpect:
        if any(matches(pattern, line) for line in lines):
            return f"a line is like {_short(pattern)}"
    return None


def compare_text_file(
    result: bytes | None, expected: bytes, *, ignore_blanks: bool = False, ignore_case: bool = False
) -> Fault:
    """Two text files are equal."""
    if result is None:
        return "there is no such file"

    def read(content: bytes) -> str:
        text = text_of(content)
        text = re.sub(r"[\t\n ]+", " ", text).strip() if ignore_blanks else text
        return text.lower() if ignore_case else text

    return None if read(result) == read(expected) else f"it reads {_short(read(result))}"


def diff_text_file(result: bytes | None, expected: bytes) -> Fault:
    """The lines of two text files are equal; OSWorld gives a share for those that are."""
    if result is None:
        return "there is no such file"
    same = text_of(result).splitlines() == text_of(expected).splitlines()
    return None if same else f"it reads {_short(text_of(result))}"


def compare_csv(result: bytes | None, expected: bytes) -> Fault:
    """Two files of comma-separated values have the same rows."""
    if result is None:
        return "there is no such file"
    rows = _cells(result)
    return None if rows == _cells(expected) else f"it begins with {_short(rows[:2])}"


def check_csv(result: bytes | None, rules: RowRules) -> Fault:
    """Rows with some values are there, and others are not."""
    if result is None:
        return "there is no such file"
    rows = list(csv.DictReader(io.StringIO(text_of(result))))

    def found(columns: Mapping[str, Rule]) -> bool:
        return any(all(fits(row.get(name), rule) for name, rule in columns.items()) for row in rows)

    for columns in rules.expect:
        if not found(columns):
            return f"no row has {_short({name: rule.ref for name, rule in columns.items()})}"
    for columns in rules.unexpect:
        if found(columns):
            return f"a row has {_short({name: rule.ref for name, rule in columns.items()})}"
    return None


def _parsed(result: bytes | None) -> tuple[Any, Fault]:
    """Return the data of a JSON file, or why there is none."""
    if result is None:
        return None, "there is no such file"
    try:
        return json.loads(result), None
    except (ValueError, RecursionError):
        return None, "it is no JSON"


def check_json(result: bytes | None, rules: KeyRules) -> Fault:
    """Values of a JSON file are as the rules say."""
    whole, fault = _parsed(result)
    if fault:
        return fault
    for rule in rules.expect:
        found, value = _at(whole, rule.key)
        if not found or not fits(value, rule):
            return f"{rule.key} is {_short(value)}"
    for rule in rules.unexpect:
        if fits(_at(whole, rule.key)[1], rule):
            return f"{rule.key} is {_short(rule.ref)}"
    return None


def check_json_settings(result: bytes | None, rules: Expected) -> Fault:
    """A JSON file of settings has all the expected ones."""
    whole, fault = _parsed(result)
    if fault:
        return fault
    for name, value in dict(rules.expected).items():
        if not isinstance(whole, dict) or name not in whole or whole[name] != value:
            return f"{name} is not {_short(value)}"
    return None


def text_of(content: bytes) -> str:
    """Return a file as text."""
    return content.decode("utf-8-sig", "replace")


def _at(data: Any, keys: list[str | int]) -> tuple[bool, Any]:
    for key in keys:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return False, None
    return True, data


def _cells(content: bytes) -> list[list[str]]:
    return [row for row in csv.reader(io.StringIO(text_of(content))) if any(row)]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"


EVALUATORS = {
    "check_csv": check_csv,
    "check_include_exclude": check_include_exclude,
    "check_json": check_json,
    "check_json_settings": check_json_settings,
    "check_list": check_list,
    "compare_csv": compare_csv,
    "compare_text_file": compare_text_file,
    "diff_text_file": diff_text_file,
    "exact_match": exact_match,
    "file_contains": file_contains,
    "is_in_list": is_in_list,
    "literal_match": literal_match,
    "match_in_list": match_in_list,
}
