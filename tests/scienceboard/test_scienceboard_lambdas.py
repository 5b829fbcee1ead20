"""Lambdas of records: what the published ones mean, and that nothing else runs."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_cuabench.scienceboard.lambda_grammar import METHODS
from pytest_cuabench.scienceboard.lambdas import Failed, Forbidden, Refused, expression

VECTORS = (
    "lambda d: (s := d['s'], e := d['e'], m := d['m'], mv := [m[i] - e[i] for i in range(3)], "
    "sv := [s[i] - e[i] for i in range(3)], dp := mv[0] * sv[0] + mv[1] * sv[1] + mv[2] * sv[2], "
    "_m := __import__('math').sqrt(mv[0]**2 + mv[1]**2 + mv[2]**2), "
    "_s := __import__('math').sqrt(sv[0]**2 + sv[1]**2 + sv[2]**2), dp / (_m * _s))[-1]"
)


def published_lambdas(data: Any) -> Iterator[str]:
    """Yield every text in a record that begins as a lambda."""
    if isinstance(data, str) and data.lstrip().startswith("lambda"):
        yield data
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from published_lambdas(inner)


def test_every_published_lambda_is_accepted(published: Path) -> None:
    """N of N lambdas of the records pass the grammar."""
    found = {
        source
        for file in published.rglob("*.json")
        for source in published_lambdas(json.loads(file.read_text(encoding="utf-8")))
    }
    assert len(found) >= 90
    refused = []
    for source in sorted(found):
        try:
            expression(source)
        except Forbidden as error:
            refused.append(f"{source}: {error}")
    assert refused == []


@pytest.mark.parametrize(
    ("source", "values", "result"),
    [
        ("lambda d: d['a']['b']", [{"a": {"b": 3}}], 3),
        ("lambda key, value: abs(key - value) < 0.1", [2.05, 2], True),
        ("lambda key, value: key > value[0] and key < value[1]", [0.5, [0.4, 0.6]], True),
        ("lambda key, value: any([item['n'] == value for item in key])", [[{"n": 1}, {"n": 2}], 2], True),
        (
            "lambda key, value: all([v in key[0]['w'] for v in value])",
            [[{"w": "a = yes"}], ["a", "yes"]],
            True,
        ),
        ("lambda key: '.'.join(key.split('.')[:-1] + ['_ticks'])", ["a.b._name"], "a.b._ticks"),
        ("lambda key, value: key.endswith('_name') and value == 'c'", ["x_name", "c"], True),
        ("lambda d: [i for i in d if i['k'] == 1]", [[{"k": 1}, {"k": 2}]], [{"k": 1}]),
        ("lambda out: out.strip()", ["  x\n"], "x"),
        ("lambda a: -a % 3 + 7 / 2 - 2**3", [4], -2.5),
        ("lambda a: 1 < a < 3", [2], True),
        (VECTORS, [{"s": [0, 0, 0], "e": [1, 0, 0], "m": [0.5, 0, 0]}], 1.0),
    ],
)
def test_what_the_published_constructs_mean(source: str, values: list[Any], result: Any) -> None:
    """Each construct of the published lambdas means what it means in Python."""
    assert expression(source)(*values) == result


def test_the_published_use_of_datetime_is_the_day_that_is_given() -> None:
    """No clock is read: the day comes from outside, and without one nothing is guessed."""
    source = "lambda: __import__('datetime').datetime.today().strftime('%Y-%m-%d')"
    assert expression(source)(today=date(2025, 11, 21)) == "2025-11-21"
    with pytest.raises(Refused, match="which day"):
        expression(source)()


@pytest.mark.parametrize(
    "source",
    [
        "lambda d: d['missing']",
        "lambda d: d[0]",
        "lambda d: abs('x')",
        "lambda d: d < 3",
        "lambda d: unknown",
        "lambda d: d / 0",
        "lambda d: [1][5]",
        "lambda d: d.split('.')",
        "lambda d: __import__('math').sqrt(-1)",
        "lambda a, b: a",
    ],
)
def test_what_python_would_raise_is_told_apart(source: str) -> None:
    """A key that is not there is `Failed`, which upstream counts as false."""
    with pytest.raises(Failed):
        expression(source)({})


@pytest.mark.parametrize(
    "source",
    [
        "1 + 1",
        "lambda: (1).__class__",
        "lambda: ().__class__.__bases__[0].__subclasses__()",
        "lambda d: d.keys()",
        "lambda d: d.__len__()",
        "lambda d: ''.format(d)",
        "lambda d: f'{d}'",
        "lambda d: 'x'.join.__self__",
        "lambda: __import__('os').system('id')",
        "lambda: __import__('math')",
        "lambda: __import__('math').pow(2, 3)",
        "lambda: __import__('math').sqrt",
        "lambda: __import__('datetime').datetime.today()",
        "lambda: __import__('datetime').datetime.today().strftime('%999999999d')",
        "lambda: __builtins__",
        "lambda: __import__",
        "lambda: eval('1')",
        "lambda: open('/etc/passwd')",
        "lambda: (lambda: 1)()",
        "lambda: (lambda x: x)",
        "lambda abs: abs(1)",
        "lambda d: (abs := d)",
        "lambda d: [abs for abs in d]",
        "lambda d: [(y := x) for x in d]",
        "lambda d: [x for x in d for y in d]",
        "lambda d: [x async for x in d]",
        "lambda d: {x for x in d}",
        "lambda d: {x: x for x in d}",
        "lambda d: (x for x in d)",
        "lambda d: {'a': 1}",
        "lambda d: d if d else d",
        "lambda d: d or d",
        "lambda d: not d",
        "lambda d: d is None",
        "lambda d: d not in d",
        "lambda d: d >= 1",
        "lambda d: d // 1",
        "lambda d: d << 1",
        "lambda d: d @ d",
        "lambda d: +d",
        "lambda d: ~d",
        "lambda d: [*d]",
        "lambda d: range(*d)",
        "lambda d: range(stop=1)",
        "lambda *d: d",
        "lambda **d: d",
        "lambda d=1: d",
        "lambda d, /: d",
        "lambda d: (yield d)",
        "lambda d: await d",
        "lambda d: b'x'",
        "lambda d: ...",
        "lambda d: 1j",
        "lambda d: d.a",
        "lambda __class__: 1",
        "lambda d: " + "(" * 60 + "d" + "+1)" * 60,
        "lambda d: '" + "x" * 5_000 + "'",
        "lambda d: \0",
        "lambda d: " + "[" * 3_000,
        "import os",
        "",
    ],
)
def test_nothing_outside_the_whitelist_is_accepted(source: str) -> None:
    """Attribute walks, dunders, other names, other operators, other shapes are refused before anything runs."""
    with pytest.raises(Forbidden):
        expression(source)


@pytest.mark.parametrize(
    "source",
    [
        "lambda: 9**9**9",
        "lambda: 9.0**9999",
        "lambda: range(10**7)",
        "lambda: 'x' * 10**9",
        "lambda: [1] * 10**9",
        "lambda: '%9999999d' % 1",
        "lambda: 2**64 * 2**64 * 2**64 * 2**64 * 2**64 * 2**64 * 2**64 * 2**64 * 2**64 * 2**64 * 2**64 * 2**64 * 2**64 "
        "* 2**64 * 2**64 * 2**64 * 2**64",
        "lambda: [[[0 for a in range(1000)] for b in range(1000)] for c in range(1000)]",
        "lambda: [[b for b in range(3000)] for a in range(3000)]",
    ],
)
def test_nothing_takes_long_or_grows(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Powers, ranges, repetitions, format strings and loops in loops stop at a limit."""
    monkeypatch.setattr("pytest_cuabench.scienceboard.lambdas.MAX_STEPS", 100_000)
    with pytest.raises(Refused):
        expression(source)()


def test_texts_do_not_double_without_end() -> None:
    """Adding a text to itself again and again ends at the limit of size."""
    doubling = ", ".join(f"a := a + a + '{n}'" for n in range(40))
    with pytest.raises(Refused):
        expression(f"lambda a: ({doubling})")("x" * 64)


NAMES = st.sampled_from(["a", "b", "abs", "any", "range", "__import__", "__class__", "eval", "x"])
ATTRIBUTES = st.sampled_from(
    ["split", "join", "strip", "__class__", "format", "mro", "append", "sqrt", "today"]
)
LEAVES = st.one_of(
    NAMES, st.sampled_from(["1", "2.5", "'x.y'", "'%s'", "None", "True", "[1, 2]", "'math'", "'os'"])
)


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(inner, inner)
    operators = st.sampled_from(
        ["+", "-", "*", "/", "%", "**", "//", "==", "<", "in", "and", "or", "is", "if 1 else"]
    )
    return st.one_of(
        st.tuples(inner, operators, inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        pairs.map(lambda p: f"{p[0]}({p[1]})"),
        pairs.map(lambda p: f"{p[0]}[{p[1]}]"),
        pairs.map(lambda p: f"[{p[0]} for x in {p[1]}]"),
        st.tuples(inner, ATTRIBUTES, inner).map(lambda p: f"{p[0]}.{p[1]}({p[2]})"),
        st.tuples(inner, ATTRIBUTES).map(lambda p: f"{p[0]}.{p[1]}"),
        pairs.map(lambda p: f"(x := {p[0]}, {p[1]})"),
        inner.map(lambda text: f"(lambda: {text})"),
    )


PLAIN = (type(None), bool, int, float, complex, str, list, tuple, dict)


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return type(value) in PLAIN


@given(st.recursive(LEAVES, _grown, max_leaves=12))
@example("__import__('math').sqrt(2)")
def test_whatever_is_accepted_gives_plain_data_and_touches_nothing(text: str) -> None:
    """Random programs either are refused, or end in plain data: no function, class or module ever comes out."""
    try:
        accepted = expression(f"lambda a, b: {text}")
    except Forbidden:
        return
    for node in ast.walk(accepted.body):
        if isinstance(node, ast.Attribute):
            assert node.attr in {*METHODS, "sqrt", "datetime", "today", "strftime"}
    with suppress(Failed, Refused):
        assert _is_plain(accepted({"k": [1, "v"]}, "a.b"))


@given(st.text(max_size=60))
def test_any_text_is_accepted_or_forbidden(text: str) -> None:
    """No text makes the reader fall over."""
    with suppress(Forbidden):
        expression(text)
