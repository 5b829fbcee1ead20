"""KAlgebra's expressions: read as KAlgebra reads them, calculated as it calculates, compared as what they draw."""

from __future__ import annotations

import math
import shutil
import subprocess
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped import shipped

shipped("scienceboard")  # its code is then importable

from cuabench_suite_scienceboard.kalgebra import comparing  # type: ignore[import-not-found]  # noqa: E402
from cuabench_suite_scienceboard.kalgebra.evaluation import Evaluator  # type: ignore[import-not-found]  # noqa: E402
from cuabench_suite_scienceboard.kalgebra.syntax import (  # type: ignore[import-not-found]  # noqa: E402
    MAX_READINGS,
    Apply,
    Call,
    Name,
    NotUnderstood,
    Number,
    parse,
    readings,
)

CALGEBRA = shutil.which("calgebra")


def value(text: str, **variables: Any) -> Any:
    """Return what an expression comes to."""
    return Evaluator(variables).meaning(parse(text))({})


# Reading


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2^3^2", 64),
        ("-2^2", -4),
        ("2^-1^2", 0.5),
        ("8/2/2", 2),
        ("8/2*2", 8),
        ("2-3-4", -5),
        ("1-2*3", -5),
        ("2(3)^2", 36),
        ("6/2(3)", 1),
        ("2--3", 5),
        ("sin 0", 0),
        (".5", 0.5),
        ("1e-05*1e5", 1),
        ("sum(n^2 : n=1..4)", 30),
        ("product(n : n=1..4)", 24),
        ("(diff(y^3 : y))(2)", 12),
        ("(x->x^2)(3)", 9),
        ("((a,b)->a-b)(5, 3)", 2),
        ("(a->b->a*b)(2)", None),
        ("piecewise { 1>2 ? 3, 2>1 ? 4, ? 5 }", 4),
        ("piecewise { 1>2 ? 3 }", math.nan),
        ("conjugate(2-3*i)", 2 + 3j),
        ("(1+2*i)*(3-i)", 5 + 5j),
        ("abs(3+4*i)", 5),
        ("ln(-1)", math.nan),
        ("1/0", math.nan),
        ("sum(1 : n=2..1)", math.nan),
        ("rem(-7, 3)", -1),
        ("factorial(3.5)", 6),
        ("piecewise { and(1<2, not(2<1)) ? 3, ? 4 }", 3),
        ("selector(2, vector { 5, 6 })", 6),
        ("2*vector { 1, 2 }", (2, 4)),
        ("gcd(8, 12, 20)", 4),
        ("factorial(5)", 120),
        ("root(8, 3)", 2),
        ("quotient(-7, 2)", -4),
        ("5=5", True),
        ("vector { 1, 2 }", (1, 2)),
    ],
)
def test_values(text: str, number: Any) -> None:
    """An expression comes to what KAlgebra's console shows for it."""
    found = value(text)
    if number is None:
        assert found(3.0) == 6
    elif isinstance(number, float) and math.isnan(number):
        assert math.isnan(found)
    else:
        assert found == pytest.approx(number, rel=1e-9)


def test_a_number_beside_something_binds_tightest() -> None:
    """`2x^2` is the square of 2x, and `1/2x` is one half of 1/x."""
    assert value("2x^2", x=3.0) == 36
    assert value("1/2x", x=3.0) == pytest.approx(1 / 6)
    assert value("2*x^2", x=3.0) == 18


def test_variables_hide_constants() -> None:
    """A variable of one's own counts before a constant of the same name."""
    assert value("pi+e", pi=1.0) == pytest.approx(3.718281828)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        "1..2",
        "sum(x : x=1)",
        "x y z",
        "2 $ 3",
        "vector {",
        "foo { 1 }",
        "(1)(2)(3)",
        "x->",
        ":=3",
        "1 2 3",
    ],
)
def test_what_is_no_expression(text: str) -> None:
    """Text that is no expression is told to be none."""
    with pytest.raises(NotUnderstood):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 500,
        "-" * 500,
        "x+" * 500 + "x",
        "a-" * 119 + "b",
        "x->" * 500,
        "sin(" * 70,
        "2^" * 119 + "2",
        "☃" * 9,
    ],
)
def test_hostile_text(text: str) -> None:
    """However long or deep a text is, reading it ends soon."""
    try:
        assert 1 <= len(readings(text)) <= MAX_READINGS
    except NotUnderstood:
        return


@pytest.mark.parametrize(
    "text",
    [
        "sum(sum(sum(x : x=1..2000) : x=1..2000) : x=1..2000)",
        "sum(1 : n=1..10^9)",
        "unknown(3)",
        "x",
        "sin(1, 2)",
        "(x->x)(1, 2)",
        "5(3)(2)",
        "sin+1",
        "3[1]",
    ],
)
def test_what_is_not_calculated(text: str) -> None:
    """What is unknown or too much work is told, and nothing is guessed."""
    with pytest.raises(NotUnderstood):
        value(text)


def shown(tree: Any) -> str:
    """Return a tree as KAlgebra's lists show it, without the parentheses that they leave out."""
    match tree:
        case Number(number):
            return f"{number:g}"
        case Name(name):
            return str(name)
        case Call(function, arguments):
            return f"{shown(function)}({', '.join(shown(argument) for argument in arguments)})"
        case Apply("-", (only,)):
            inner = shown(only)
            return f"-({inner})" if isinstance(only, Apply) and only.operator == "+" else f"-{inner}"
    left, right = (shown(part) for part in tree.arguments)
    return f"{_in(tree, 0, left)}{tree.operator}{_in(tree, 1, right)}"


def _in(tree: Any, place: int, text: str) -> str:
    """Put parentheses around an operand as KAlgebra does: tried on 22.12."""
    part = tree.arguments[place]
    if not isinstance(part, Apply):
        return text
    unary = len(part.arguments) == 1
    match tree.operator:
        case "-":
            bare = unary or part.operator in "*/^-" or place == 0
        case "*":
            bare = unary or part.operator in "^*" or (part.operator == "/" and place == 1)
        case "/":
            bare = unary or part.operator == "^" or (part.operator in "*/" and place == 0)
        case "^":
            bare = unary or (part.operator == "^" and place == 0)
        case _:
            bare = True
    return text if bare else f"({text})"


_NAMES = st.sampled_from([Name("x"), Name("y"), Number(2.0), Number(3.0), Call(Name("sin"), (Name("x"),))])
_TREES = st.recursive(
    _NAMES,
    lambda parts: st.one_of(
        st.builds(lambda a, b, o: Apply(o, (a, b)), parts, parts, st.sampled_from("+-*/^")),
        st.builds(lambda a: Apply("-", (a,)), _NAMES),
    ),
    max_leaves=5,
)


@settings(deadline=None)  # a busy machine is no failure
@given(_TREES)
def test_one_of_the_readings_is_what_was_meant(tree: Any) -> None:
    """Whatever a person meant, it is among the readings of what KAlgebra shows for it."""
    scope = {"x": 0.7, "y": 1.9}
    meant = Evaluator(scope).meaning(tree)({})
    found = [Evaluator(scope).meaning(reading)({}) for reading in readings(shown(tree))]
    assert any(_alike(number, meant) for number in found)


def _alike(one: Any, other: Any) -> bool:
    both_none = math.isnan(abs(one)) and math.isnan(abs(other))
    return both_none or one == other or abs(one - other) <= 1e-9 * max(1.0, abs(other))


def test_readings_are_few() -> None:
    """What can be read in one way only has one reading, and the plain one comes first."""
    assert len(readings("x->x^2+3*x+1")) == 1
    assert [value_at(reading, 3.0) for reading in readings("x->x-1-2")] == [0.0, 4.0]
    assert [value_at(reading, 3.0) for reading in readings("x->-x^2")] == [-9.0, 9.0]


def value_at(tree: Any, x: float) -> Any:
    """Return a function's value."""
    return Evaluator().meaning(tree)({})(x)  # type: ignore[operator]


# Against the program


def _numbers() -> st.SearchStrategy[str]:
    leaf = st.integers(1, 9).map(str)
    both = st.sampled_from(
        ["{}+{}", "{}-{}", "{}*{}", "({})/({})", "({})-({})", "({})^2", "-({})", "abs({})"]
    )
    one = st.sampled_from(
        ["sin({})", "cos({})", "arctan({})", "sqrt(abs({}))", "floor({})", "2({})", "exp(sin({}))"]
    )
    return st.recursive(
        leaf,
        lambda part: st.one_of(
            st.builds(lambda form, a, b: form.format(*[a, b][: form.count("{}")]), both, part, part),
            st.builds(lambda form, a: form.format(a), one, part),
        ),
        max_leaves=6,
    )


@pytest.mark.skipif(CALGEBRA is None, reason="KAlgebra is not installed; type: scripts/install-scienceboard")
def test_as_kalgebra_calculates() -> None:
    """A hundred expressions come to what KAlgebra's own calculator on the command line says."""
    texts: list[str] = []

    @settings(max_examples=300)  # enough that differ
    @given(_numbers())
    def gather(text: str) -> None:
        if len(text) < 60 and text not in texts:
            texts.append(text)

    gather()
    told = _calgebra(texts)
    differing = {text: (told[text], found) for text in told if not _as_told(found := value(text), told[text])}
    assert len(told) > 50
    assert not differing


def _calgebra(texts: list[str]) -> dict[str, str]:
    """Return what calgebra answers, leaving out what it answers with an error."""
    assert CALGEBRA is not None
    entered = "".join(f"{text}\n" for text in texts)
    done = subprocess.run(
        [CALGEBRA],
        input=entered,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=True,
    )
    answers = done.stdout.split(">>> ")[1:]
    lines = [answer.splitlines() for answer in answers]
    answered = {line[0]: line[1] for line in lines if len(line) == 2 and line[0] in texts}
    return {text: told for text, told in answered.items() if not told.startswith("Error")}


def _as_told(found: Any, told: str) -> bool:
    if told == "nan":
        return math.isnan(abs(found))
    try:
        shown = readings(told)
    except NotUnderstood:
        return True  # it is left as it was entered
    expected = [Evaluator().meaning(reading)({}) for reading in shown]  # it shows -(a-b) as -a-b
    return math.isnan(abs(found)) or any(abs(found - one) <= 1e-9 * max(1.0, abs(one)) for one in expected)


# Drawing

SAME_CURVES = [
    ("diff((ln(x^2+1)+x^2)-x:x)", "y=2*x/(x^2+1)+2*x-1"),  # as KAlgebra's list writes it
    ("diff(y^2:y)", "x=2*y"),
    ("(diff(x^3:x))(x)", "x->3*x^2"),
    ("x->(diff(a^3:a))(x)", "x->3*x^2"),
    ("y=(diff(x^2:x))(x)", "x->2*x"),
    ("(x, y)->(x^2+y^2)-4", "x^2+y^2=4"),
    ("(x^2+y^2)-4", "x^2+y^2=4"),
    ("x*y-1", "y=1/x"),
    ("vector { cos(t), sin(t) }", "x^2+y^2=1"),
    ("t->2*vector { cos(t), sin(t) }", "x^2+y^2=4"),
    ("g:=x->x^3", "y=x^3"),
    ("sum(x^n:n=1..3)", "x->x+x^2+x^3"),
    ("abs(y)", "x=abs(y)"),
    ("x->piecewise { or(x>0, x=0) ? x, ? -x }", "y=abs(x)"),
    ("x->selector(1, vector { x, 2 })", "y=x"),
    ("x->ln(x)^2", "ln(x)*ln(x)"),
    ("y=ln(x)^2", "x->ln(x)^2"),
    ("x^2/16+y^2/9=1", "9*x^2+16*y^2=144"),
    ("t->vector { 4*cos(t), 3*sin(t) }", "x^2/16+y^2/9=1"),
    ("q->2", "x^2+y^2=4"),
    ("x*y=1", "x->1/x"),
    ("x=1/y", "x->1/x"),
    ("y->y^2", "y^2=x"),
    ("x->-x^2-3*x", "x->x^2-3*x"),  # (-x)^2-3*x is shown like this
    ("x->x^2-3*x-1", "x->x^2-(3*x-1)"),
    ("x->piecewise { x<=0 ? -x, ? x }", "x->abs(x)"),
    ("f:=x->2*x", "y=2*x"),
]
OTHER_CURVES = [
    ("x->ln(abs(x))^2", "x->ln(x)^2"),
    ("x->ln(x^2)", "x->ln(x)^2"),
    ("x^2/16+y^2/9=1", "x^2/9+y^2/16=1"),
    ("q->-6*sin(3*q)", "q->6*cos(3*q)"),
    ("x->sqrt(x)", "y^2=x"),
    ("x->1.001*x", "x->x"),
    ("x->x+0.001", "x->x"),
    ("x->2*x^2", "x->-2*x^2"),
    ("x->x^2-(3*x+1)", "x->x^2-3*x+1"),
    ("x->x*sin(100*x)/x", "x->0*x"),
    ("x=3", "y=3"),
    ("(x, y)->x", "x->x"),
    ("diff(x^3 : x)", "x->x^3"),
    ("diff(y^2 : y)", "x->2*x"),
    ("x^2+y^2-4", "x^2+y^2=5"),
    ("x->" + "+".join(["x"] * 130), "x->130*x"),  # nobody writes that by hand
    ("sum(x : n=1..5000)", "x->5000*x"),
]


@pytest.mark.parametrize(("text", "expected"), SAME_CURVES)
def test_same_curves(text: str, expected: str) -> None:
    """A curve is known again however it is written."""
    assert comparing.same_curve(text, expected)


@pytest.mark.parametrize(("text", "expected"), OTHER_CURVES)
def test_other_curves(text: str, expected: str) -> None:
    """A near miss is another curve, and so is what is longer than anybody writes."""
    assert comparing.same_curve(text, expected) is False


@pytest.mark.parametrize(
    "text",
    [
        "nonsense(",
        "x->g(x)",
        "x->a*x",
        "x->sum(n : n@list { 1, x })",
        "x->map(n->n, list { x })",
        "(u, v)->u",
        "t->vector { t }",
    ],
)
def test_what_is_not_understood_is_neither(text: str) -> None:
    """Of unknown names, loops over lists and other kinds of plot nothing is said."""
    assert comparing.same_curve(text, "x->x") is None
    assert comparing.same_surface(text, "z=x") is None


@pytest.mark.parametrize(
    ("text", "expected", "same"),
    [
        ("x^2+y^2-z^2=1", "x^2+y^2=1+z^2", True),
        ("3x+y-z=2", "(x,y)->3*x+y-2", True),
        ("x^2-y^2=2", "(x,y)->x^2-y^2-2", True),
        ("(r,p)->r^2", "z=x^2+y^2", True),
        ("(t,p)->2", "x^2+y^2+z^2=4", True),
        ("x^2+y^2+z^2+2*x*z=1", "(x+z)^2+y^2=1", True),
        ("x^2+y^2+z^2=8", "x^2+y^2+z^2=2", False),
        ("(x,y)->root(x^2+y^2-1,2)", "x^2+y^2-z^2=1", False),
        ("x^2-y^2-(3-1)=0", "(x,y)->x^2-y^2-2", True),
        ("x^2-y^2-3-1=0", "(x,y)->x^2-y^2-2", False),  # as typed: nothing was left out
        ("z=", "z=x", None),
    ],
)
def test_surfaces(text: str, expected: str, same: bool | None) -> None:
    """A surface is known again however it is written, and a near miss is another."""
    assert comparing.same_surface(text, expected) is same


def test_functions_of_one_s_own() -> None:
    """A curve may be plotted by a function that was defined before."""
    variables = (("f", "x->x^2"), ("r", "a->q->a*q"), ("two", "2"))
    assert comparing.same_curve("x->f(x)+two", "y=x^2+2", variables)
    assert comparing.same_curve("q->(r(2))(q)", "q->2*q", variables)
    assert comparing.same_curve("g", "y=x^2+2", (*variables, ("g", "x->f(x)+two")))
    assert comparing.same_curve("diff(f(x):x)", "y=2*x", variables)
    assert comparing.same_curve("x->h(x)", "y=x^2", (("h", "x->h(x)"),)) is False  # it never ends
    chain = tuple((f"f{n}", f"x->f{n - 1}(f{n - 1}(x))") for n in range(1, 60))
    assert comparing.same_curve("x->f59(x)", "y=x", (*chain, ("f0", "x->x"))) is False  # nor does this
