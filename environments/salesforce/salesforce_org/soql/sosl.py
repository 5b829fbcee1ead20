"""The Salesforce Object Search Language: FIND {words} IN ALL FIELDS RETURNING Account(Id, Name WHERE ...)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from salesforce_org.soql import search, terms
from salesforce_org.soql.catalog import Catalog
from salesforce_org.soql.conditions import condition, literal, path
from salesforce_org.soql.engine import Plan
from salesforce_org.soql.errors import SoqlError, no_type
from salesforce_org.soql.grouping import groups
from salesforce_org.soql.lexer import LONGEST, Cursor
from salesforce_org.soql.parser import count, item, order, select
from salesforce_org.soql.result import Result
from salesforce_org.soql.tree import Column, Path, Query, Source
from salesforce_org.store import Org, SObject

MOST = 2000
_FIND = re.compile(r"\s*FIND\s*\{((?:\\.|[^{}\\])*)\}", re.IGNORECASE | re.DOTALL)
_SPECIAL = re.compile(r'[?&|!{}\[\]()^~*:\\"\'+-]')


@dataclass(frozen=True, slots=True)
class Search:
    """A parsed search: what for, in which fields, and what to give back of which objects."""

    text: str
    group: str
    returning: tuple[Query, ...]
    limit: int


def find(org: Org, text: str) -> list[Result]:
    """Answer a search in SOSL, one result for each object that is to be looked through.

    Raises:
        SoqlError: The search is refused.
    """
    try:
        return answer(org, parse(text))
    except SoqlError as error:
        placed = error.placed(text)
        code = "MALFORMED_SEARCH" if error.code == "MALFORMED_QUERY" else error.code
        raise SoqlError(code, placed.message) from None


def escaped(text: str) -> str:
    """Return a text as a search expression that means nothing but the text."""
    return _SPECIAL.sub(lambda found: "\\" + found[0], text)


def parse(text: str) -> Search:
    """Return a search as SOSL says it.

    Raises:
        SoqlError: It is no SOSL.
    """
    found = _FIND.match(text) if len(text) <= LONGEST else None
    if found is None:
        raise terms.malformed("A search begins with FIND {what to look for}")
    cursor = Cursor(" " * found.end() + text[found.end() :])
    group = _group(cursor)
    returning = _returning(cursor)
    while cursor.accept("WITH"):
        _modifier(cursor)
    limit = count(cursor, "LIMIT")
    if cursor.token.kind != "end":
        raise cursor.refusal()
    return Search(found[1], group, returning, MOST if limit is None else limit)


def _group(cursor: Cursor) -> str:
    if not cursor.accept("IN"):
        return "ALL"
    if cursor.token.word not in search.GROUPS:
        raise cursor.refusal()
    group = cursor.take().word
    cursor.expect("FIELDS")
    return group


def _returning(cursor: Cursor) -> tuple[Query, ...]:
    if not cursor.accept("RETURNING"):
        return ()
    found = [_specification(cursor)]
    while cursor.accept_mark(","):
        found.append(_specification(cursor))
    return tuple(found)


def _specification(cursor: Cursor) -> Query:
    named = path(cursor.expect_kind("name"))
    if not cursor.accept_mark("("):
        return Query((Column(Path(("Id",))),), (Source(named),))
    items = [item(cursor)]
    while cursor.accept_mark(","):
        items.append(item(cursor))
    found = Query(
        tuple(items),
        (Source(named),),
        where=condition(cursor, select) if cursor.accept("WHERE") else None,
        order=order(cursor),
        limit=count(cursor, "LIMIT"),
        offset=count(cursor, "OFFSET"),
        at=named.at,
    )
    cursor.expect_mark(")")
    if groups(found):
        raise terms.malformed("A search does not group what it finds")
    return found


def _modifier(cursor: Cursor) -> None:
    """Go past what only changes how texts are shown or corrected."""
    if cursor.token.word not in ("METADATA", "SNIPPET", "SPELL_CORRECTION", "HIGHLIGHT"):
        raise cursor.refusal()
    cursor.take()
    if cursor.accept_mark("="):
        literal(cursor)


def answer(org: Org, asked: Search) -> list[Result]:
    """Answer a parsed search; the limit counts the records of all objects together."""
    catalog, left = Catalog(org), asked.limit
    test = terms.expression(asked.text)
    results = []
    for tree, object in _wanted(catalog, asked):
        plan = Plan(catalog, tree, object)
        hits = search.matching(catalog, object, test, asked.group, asked.text)
        result = plan.finish(plan.kept(hit.record for hit in hits))
        kept = result.records[:left]
        left -= len(kept)
        results.append(replace(result, records=kept, total=len(kept)))
    return results


def _wanted(catalog: Catalog, asked: Search) -> list[tuple[Query, SObject]]:
    if not asked.returning:
        only = (Column(Path(("Id",))),)
        return [(Query(only, (Source(Path((one.name,))),)), one) for one in search.searchable(catalog)]
    found = []
    for tree in asked.returning:
        named = tree.source.path
        object = catalog.org.schema.get(str(named))
        if object is None or not object.searchable:
            raise no_type(str(named), named.at)
        found.append((tree, object))
    return found
