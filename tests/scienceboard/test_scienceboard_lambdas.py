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
from breadth import some
from cuabench_suite_scienceboard.upstream.lambda_grammar import METHODS
from cuabench_suite_scienceboard.upstream.lambdas import Failed, Forbidden, Meter, Refused, expression
from hypothesis import example, given
from hypothesis import strategies as st

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
    assert expression(source)(meter=Meter(date(2025, 11, 21))) == "2025-11-21"
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
        "lambda d: 1 / 0",
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
    some(
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
            "lambda: (lambda __class__: 1)(2)",
            "lambda: (lambda x=1: x)()",
            "lambda: (lambda *x: x)(1)",
            "lambda x: (lambda str: str)(x)",
            "lambda d: isinstance(d, object)",
            "lambda d: isinstance(d, (dict, list))",
            "lambda d: isinstance(d)",
            "lambda d: d.items()",
            "lambda: __import__('inspect').currentframe()",
            "lambda: (lambda f: f)(__import__('inspect').currentframe().f_back.f_back)",
            "lambda: (lambda f: True if f is None or f else f)(__import__('inspect').currentframe().f_back.f_back)",
            "lambda: 0x" + "f" * 3_900,
            "lambda: " + "9" * 3_900,
            "lambda: " + "-" * 3_900 + "1",
            "lambda abs: abs(1)",
            "lambda d: (abs := d)",
            "lambda d: [abs for abs in d]",
            "lambda d: [(y := x) for x in d]",
            "lambda d: [x async for x in d]",
            "lambda d: {x for x in d}",
            "lambda d: (x for x in d)",
            "lambda d: {'a': 1}",
            "lambda d: d if d else d",
            "lambda d: not d",
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
        ]
    ),
)
def test_nothing_outside_the_whitelist_is_accepted(source: str) -> None:
    """Attribute walks, dunders, other names, other operators, other shapes are refused before anything runs."""
    with pytest.raises(Forbidden):
        expression(source)


DOUBLED = "(a := [1]), (b := [1]), " + "(a := [a, a]), (b := [b, b]), " * 60
NESTED = "(a := ['%']), " + "(a := [a, a]), " * 60
LONG = "(t := 'ab' * 500000), "


@pytest.mark.parametrize(
    "source",
    some(
        [
            "lambda: 9**9**9",
            "lambda: 9**-9 ** 9**9**9",
            "lambda: range(10**7)",
            "lambda: range(10**30)",
            "lambda: 'x' * 10**9",
            "lambda: 10**9 * [1]",
            "lambda: (1, 2) * 10**9",
            "lambda: '%9999999d' % 1",
            "lambda: '%.9999999f' % 1",
            "lambda: '%*d' % (99999999, 1)",
            "lambda: '%s' % [[1]]",
            "lambda: ('%s' * 2000) % dict([[1, 'x']])",
            "lambda: ('%s' * 3000) % ('x' * 999999)",
            "lambda: " + " * ".join(["2**64"] * 17),
            "lambda: [[[0 for a in range(1000)] for b in range(1000)] for c in range(1000)]",
            "lambda: [[b for b in range(3000)] for a in range(3000)]",
            "lambda: [1 for a in range(999999) for b in range(999999)]",
            "lambda: {a: {b: b for b in range(9999)} for a in range(9999)}",
            f"lambda: ({DOUBLED} a == b)",
            f"lambda: ({DOUBLED} a != b)",
            f"lambda: ({DOUBLED} a < b)",
            f"lambda: ({DOUBLED} a > b)",
            f"lambda: ({DOUBLED} a in [b])",
            f"lambda: ({DOUBLED} a not in (b, 1))",
            f"lambda: ({NESTED} str(a))",
            f"lambda: ({NESTED} '%s' % a)",
            f"lambda: ({DOUBLED} dict([[1, a]]) == dict([[1, b]]))",
            "lambda: ''.join(['x' * 327000 for n in range(300000)])",
            "lambda: ('x' * 327000).join(['' for n in range(300000)])",
            f"lambda: ({LONG} [t.split('a') for n in range(9999)])",
            f"lambda: ({LONG} [t.split() for n in range(999999)])",
            f"lambda: ({LONG} [t.strip(t) for n in range(999999)])",
            f"lambda: ({LONG} [t.lower() for n in range(999999)])",
            f"lambda: ({LONG} [t + 'x' for n in range(999999)])",
            f"lambda: ({LONG} [t[1:] for n in range(999999)])",
            f"lambda: ({LONG} [t[::-1] for n in range(999999)])",
            f"lambda: ({LONG} [t == t + '' for n in range(999999)])",
            f"lambda: ({LONG} [t < t + '' for n in range(999999)])",
            "lambda: (s := 'a' * 29999, n := 'a' * 9999 + 'b' + 'a' * 5000, [n in s for i in range(99999)])",
            "lambda: (s := 'a' * 29999, n := 'a' * 9999 + 'b' + 'a' * 5000, [s.split(n) for i in range(99999)])",
            "lambda: (r := range(999999), [all(r[1:]) for i in r])",
            "lambda: (r := range(999999), [999999 in r for i in r])",
            "lambda: (r := range(999999), [r == r + [] for i in r])",
            "lambda: (lambda f: f(f))(lambda f: f(f))",
            "lambda: (lambda f: f(f))(lambda f: [f(f) for i in range(9)])",
            "lambda: (lambda f: [f, f])(lambda f: f)",
            "lambda: (lambda f: f)(lambda f: f)",
            "lambda: [1] in {n: n for n in [(1, 2)]}",
        ]
    ),
)
def test_nothing_takes_long_or_grows(source: str) -> None:
    """Whatever a lambda builds, compares, searches or writes is counted before it is done, and ends at a limit."""
    with pytest.raises(Refused):
        expression(source)(meter=Meter(steps=300_000, seconds=60))


def test_the_clock_is_a_second_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where steps are slower than they should be, the processor's time ends the work."""
    clock = iter(range(1_000_000))
    monkeypatch.setattr(
        "cuabench_suite_scienceboard.upstream.lambda_work.time.thread_time", lambda: next(clock)
    )
    with pytest.raises(Refused, match="too long"):
        expression("lambda: [b for a in range(900) for b in range(900)]")(meter=Meter(seconds=2))


def test_a_meter_is_for_all_lambdas_of_a_record() -> None:
    """What one lambda took the next one does not have."""
    meter, counting = Meter(steps=150_000), expression("lambda: len([a for a in range(30000)])")
    assert counting(meter=meter) == 30_000
    with pytest.raises(Refused):
        [counting(meter=meter) for _ in range(5)]


@pytest.mark.parametrize(
    "source",
    [
        "lambda: 'abc' % 3",
        "lambda: 'abc' % ''",
        "lambda: '%d' % 'x'",
        "lambda: '%d %d' % 1",
        "lambda: '%z' % 1",
        "lambda: '%' % 1",
        "lambda: '%(a)s' % 1",
        "lambda: 3 % 'abc'",
        "lambda: [1] % 3",
        "lambda: [1] * [2]",
        "lambda: [1] * 1.5",
        "lambda: 'a' + 1",
        "lambda: [1] + (2,)",
        "lambda: 9.0**9999",
        "lambda: 0**-1",
        "lambda: 1 < 'a'",
        "lambda: [1] < ['a']",
        "lambda: 1 in 2",
        "lambda: 1 in 'a'",
        "lambda: [1] in dict([])",
        "lambda: dict([])[[1]]",
        "lambda: dict([[1]])",
        "lambda: dict([1])",
        "lambda: [[1][n] for n in [1.5]]",
        "lambda: ['abc'[n] for n in 'a']",
        "lambda: [1, 2][::0]",
        "lambda: [n[0] for n in [5]]",
        "lambda: len(5)",
        "lambda: any(5)",
        "lambda: ''.join([1])",
        "lambda: ''.join(5)",
        "lambda: 'a'.split('')",
        "lambda: 'a'.split(5)",
        "lambda: 'a'.get('a')",
        "lambda: dict([]).split()",
        "lambda: (lambda x: x)()",
        "lambda x: x(1)",
        "lambda: range(1, 2, 0)",
        "lambda: range('a')",
        "lambda: -'a'",
    ],
)
def test_what_python_raises_is_what_a_lambda_raises(source: str) -> None:
    """Python itself raises on each of these (an error that upstream counts as false), so the reader adds no limit."""
    arguments = [1] if source.startswith("lambda x") else []
    with pytest.raises((TypeError, ValueError, LookupError, ArithmeticError, AttributeError)):
        eval(compile(source, "test", "eval"))(*arguments)
    with pytest.raises(Failed):
        expression(source)(*arguments)


SAME_AS_PYTHON = (
    "lambda: ['abc' % [1], '%s!' % 'x', '%d%%' % 5, '%(a)s' % dict([['a', 1]]), '%5.2f|%-4s' % (2.5, 'x')]",
    "lambda: [str(x) for x in [1, 1.5, None, True, 'x', [1, 'a'], (1,), (1, 2), dict([['a', [None]]])]]",
    "lambda: [1, [2, 3]] == [1, [2, 3]] != [1]",
    "lambda: [[1, 2] < [1, 3], [1] < [1, 0], 'a' < 'b', (1, 2) > (1, 1), True < 2]",
    "lambda: [1 in [1.0], [1] in [[1]], 'b' in 'abc', 'a' in dict([['a', 1]]), 3 not in [1]]",
    "lambda: [x + y for x in 'ab' if x in 'b' for y in ['1', '2']]",
    "lambda: {x: len(x) for x in ['a', 'bb'] if isinstance(x, str)}",
    "lambda: (lambda f, x: f(f(x)))(lambda x: x + [x[-1] * 2], [1])",
    "lambda: (y := 5, (lambda x: x + y)(1))",
    "lambda: [dict([['a', 1]]).get('a'), dict([]).get('b'), dict([]).get('b', 3), 'a' or 'b', '' or 'b', [] or 0]",
    "lambda: [None is None, [] is not True, 'x' is not None]",
    "lambda: 'A=b=C'.lower().split('=', 1)[1].strip('c')",
    "lambda: [[1, 2] * 2, 2 * 'ab', (1,) + (2,), 'ab'[::-1], [1, 2, 3][-2:], range(5, 0, -2)[1]]",
    "lambda: [7 % -3, 2**10, 2**-1, 7 / 2, -3 - 4 * 2, abs(-2.5), True + 1]",
)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("source", SAME_AS_PYTHON)
def test_a_lambda_is_what_python_makes_of_it(source: str) -> None:
    """Every construct that is allowed gives what Python gives."""
    assert expression(source)() == eval(compile(source, "test", "eval"))()


def test_a_look_at_upstreams_own_process_is_false() -> None:
    """A lambda that reads its evaluator's frames says false where there are none, and the rest of it counts."""
    source = (
        "lambda d: (lambda out: 'n: 5' in out or (lambda frame: False if frame is None or 'self' not in frame.f_locals "
        "else frame.f_locals['self'].look())(__import__('inspect').currentframe().f_back.f_back))(d.get('output', ''))"
    )
    assert expression(source)({"output": "n: 5"}) is True
    assert expression(source)({"output": "n: 6"}) is False


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
