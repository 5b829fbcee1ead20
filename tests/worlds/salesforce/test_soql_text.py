"""A query's text and its tree are two forms of the same."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from salesforce_org.soql.parser import parse
from salesforce_org.soql.tree import (
    Call,
    Column,
    Comparison,
    FieldSet,
    Grouping,
    Literal,
    Order,
    Query,
    Source,
    TypeOf,
)
from salesforce_org.soql.tree import Path as Names
from salesforce_org.soql.unparse import condition as written
from salesforce_org.soql.unparse import unparse

from .soql_trees import trees

TAKEN = (
    "select from where with group having order limit offset for update all as using typeof fields not in like"
)
words = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda word: word.lower() not in TAKEN.split()
)
paths = st.lists(words, min_size=1, max_size=3).map(lambda names: Names(tuple(names)))
calls = st.builds(Call, words.map(str.upper), st.none() | paths)
expressions = paths | calls
texts = st.text(st.characters(codec="utf-8"), max_size=12)
patterns = st.lists(st.sampled_from(["a", "%", "_", "'", "\\%", "\\_", "\\\\", "\n", "ß"]), max_size=8).map(
    "".join
)
literals = st.one_of(
    texts.map(lambda text: Literal("text", text)),
    st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-1e6, max_value=1e6).map(
        lambda number: Literal("number", str(number))
    ),
    st.sampled_from(["true", "false"]).map(lambda text: Literal("boolean", text)),
    st.just(Literal("null", "null")),
    st.dates().map(lambda day: Literal("date", day.isoformat())),
    st.datetimes(timezones=st.just(None)).map(
        lambda when: Literal("datetime", when.isoformat(timespec="seconds") + "Z")
    ),
    st.sampled_from(["TODAY", "LAST_WEEK", "NEXT_90_DAYS", "THIS_FISCAL_YEAR"]).map(
        lambda word: Literal("word", word)
    ),
    st.integers(0, 999).map(lambda count: Literal("word", "LAST_N_DAYS", count)),
    st.integers(0, 99).map(lambda count: Literal("word", "N_FISCAL_QUARTERS_AGO", count)),
)
lists = st.lists(literals, min_size=1, max_size=3).map(tuple)


def compared(inner: st.SearchStrategy[Query] | None = None) -> st.SearchStrategy[Comparison]:
    """Return a strategy of comparisons, with sub-queries if there is one of queries."""
    several = lists if inner is None else lists | inner
    return st.one_of(
        st.builds(
            Comparison,
            expressions,
            st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
            literals.map(lambda one: (one,)),
        ),
        st.builds(Comparison, expressions, st.just("LIKE"), patterns.map(lambda p: (Literal("pattern", p),))),
        st.builds(Comparison, expressions, st.sampled_from(["IN", "NOT IN"]), several),
        st.builds(Comparison, expressions, st.sampled_from(["INCLUDES", "EXCLUDES"]), lists),
    )


def queries(inner: st.SearchStrategy[Query] | None = None) -> st.SearchStrategy[Query]:
    """Return a strategy of queries, with sub-queries if there is one of these."""
    columns = st.builds(Column, expressions, st.none() | words)
    several_paths = st.lists(paths, min_size=1, max_size=2).map(tuple)
    items: st.SearchStrategy[Any] = st.one_of(
        columns,
        st.sampled_from(["ALL", "STANDARD", "CUSTOM"]).map(FieldSet),
        st.builds(
            TypeOf,
            paths,
            st.lists(st.tuples(words, several_paths), min_size=1, max_size=2).map(tuple),
            st.just(()) | several_paths,
        ),
        *([] if inner is None else [inner]),
    )
    conditions = st.none() | trees(compared(inner))
    return st.builds(
        Query,
        st.lists(items, min_size=1, max_size=3).map(tuple),
        st.lists(st.builds(Source, paths, st.none() | words), min_size=1, max_size=2).map(tuple),
        scope=st.none() | words.map(str.lower),
        where=conditions,
        mode=st.sampled_from([None, "USER_MODE", "SECURITY_ENFORCED"]),
        group=st.none()
        | st.builds(
            Grouping,
            st.lists(expressions, min_size=1, max_size=2).map(tuple),
            st.sampled_from(["plain", "rollup", "cube"]),
        ),
        having=conditions,
        order=st.lists(st.builds(Order, expressions, st.booleans(), st.booleans()), max_size=2).map(tuple),
        limit=st.none() | st.integers(0, 2000),
        offset=st.none() | st.integers(0, 2000),
        purpose=st.sampled_from([None, "VIEW", "UPDATE", "VIEW, REFERENCE"]),
        all_rows=st.booleans(),
    )


@settings(max_examples=50)
@given(queries(queries()))
def test_a_tree_comes_back_from_its_text(tree: Query) -> None:
    """Parsing what a tree is written as gives the same tree."""
    assert parse(unparse(tree)) == tree


@settings(max_examples=60)
@given(st.text(max_size=40), st.sampled_from(["Name", "Industry", "Description"]))
def test_any_text_can_be_looked_for(text: str, name: str) -> None:
    """A quoted text is one literal, whatever is in it."""
    tree = parse(
        f"SELECT Id FROM Account WHERE {written(Comparison(Names((name,)), '=', (Literal('text', text),)))}"
    )
    assert isinstance(tree.where, Comparison)
    assert tree.where.right == (Literal("text", text),)
