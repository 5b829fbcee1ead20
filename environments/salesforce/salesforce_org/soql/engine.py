"""Answers queries: what is read, filtered, grouped, sorted, cut and shaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from salesforce_org.soql import semijoins, virtual
from salesforce_org.soql.binding import Bound
from salesforce_org.soql.catalog import Catalog
from salesforce_org.soql.errors import SoqlError, malformed, no_relationship, no_type
from salesforce_org.soql.filters import Filters, Test
from salesforce_org.soql.functions import apply
from salesforce_org.soql.grouping import Groups, groups
from salesforce_org.soql.ordering import sorter
from salesforce_org.soql.parser import parse
from salesforce_org.soql.result import ColumnInfo, Result, Row
from salesforce_org.soql.scope import Scope
from salesforce_org.soql.shapes import Shape, column
from salesforce_org.soql.tree import Call, Column, Comparison, FieldSet, Path, Query, TypeOf
from salesforce_org.store import Org, Record, SObject

MOST_FIELDS_ROWS = 200
MOST_OFFSET = 2000
MOST_LEVELS = 5
_TOO_WHOLE = (
    "When retrieving results with Metadata or FullName fields, the query qualifications must specify no more than "
    "one row for retrieval. Result size: "
)
_COUNT = (Column(Call("COUNT", None)),)


def query(org: Org, text: str, *, all_rows: bool = False, tooling: bool = False) -> Result:
    """Answer a query of an org.

    Args:
        all_rows: Whether records in the recycle bin are found, too.
        tooling: Whether the objects of the Tooling API are known.

    Raises:
        SoqlError: The query is refused.
    """
    try:
        tree = parse(text)
        catalog = Catalog(org, tooling=tooling, all_rows=all_rows or tree.all_rows)
        return answer(catalog, tree)
    except SoqlError as error:
        raise error.placed(text) from None


def answer(catalog: Catalog, tree: Query) -> Result:
    """Answer a parsed query."""
    path = tree.source.path
    object = catalog.object(path.names[0]) if len(path.names) == 1 else None
    if object is None:
        raise no_type(str(path), path.at)
    plan = Plan(catalog, tree, object)
    return plan.finish(plan.kept(catalog.rows(object)))


class Plan:
    """One query of one object, its names understood, ready to be applied to records."""

    def __init__(self, catalog: Catalog, tree: Query, object: SObject, depth: int = 0) -> None:
        self.catalog = catalog
        self.tree = tree
        self.object = object
        self._depth = depth
        self.scope = Scope(catalog, object, tree.sources)
        self._check()
        self._tests = list(self._conditions())
        self._finish = self._finisher()

    def kept(self, rows: Iterable[Record]) -> list[Record]:
        """Return the records that the query is about."""
        for test in self._tests:
            rows = filter(test, rows)
        return list(rows)

    def finish(self, rows: list[Record]) -> Result:
        """Return the result that those records give."""
        return self._finish(rows)

    def _check(self) -> None:
        tree = self.tree
        if tree.having is not None and tree.group is None:
            raise malformed("HAVING can be used with GROUP BY only", tree.at)
        if (tree.offset or 0) > MOST_OFFSET:
            raise SoqlError("NUMBER_OUTSIDE_VALID_RANGE", f"Maximum SOQL offset allowed is {MOST_OFFSET}")
        for one in tree.items:
            unbounded = isinstance(one, FieldSet) and one.which != "STANDARD"
            if unbounded and (tree.limit is None or tree.limit > MOST_FIELDS_ROWS):
                sentence = f"The SOQL FIELDS function must have a LIMIT of at most {MOST_FIELDS_ROWS}"
                raise malformed(sentence, tree.at)

    def _conditions(self) -> Iterable[Test]:
        if self.tree.scope is not None:
            yield self._owned(self.tree.scope)
        if self.tree.where is not None:
            semijoins.check(self.tree.where)
            yield Filters(self.catalog, self.scope.bind, self._members).test(self.tree.where)

    def _owned(self, scope: str) -> Test:
        if scope == "everything":
            return lambda row: True
        user = self.catalog.org.user_id
        tests: dict[str, Test] = {
            "mine": lambda row: row.get("OwnerId") == user,
            "queue_owned": lambda row: str(row.get("OwnerId")).startswith("00G"),
        }
        if scope not in tests or self.object.field("OwnerId") is None:
            raise malformed(f"Scope '{scope[:80]}' is not supported for {self.object.name}", self.tree.at)
        return tests[scope]

    def _members(self, comparison: Comparison, outer: Bound) -> frozenset[Any]:
        inner = comparison.right
        assert isinstance(inner, Query)
        selected = semijoins.selected(inner)
        path = inner.source.path
        object = self.catalog.object(path.names[0]) if len(path.names) == 1 else None
        if object is None:
            raise no_type(str(path), path.at)
        plan = Plan(self.catalog, inner, object)
        bound = plan.scope.bind(selected)
        semijoins.check_types(self.object, outer, object, bound, selected)
        ordered = sorter(self.catalog, plan.scope.bind, inner.order)
        rows = plan.page(ordered(plan.kept(self.catalog.rows(object))))
        return frozenset(value for row in rows if (value := bound.get(row)) is not None)

    def _finisher(self) -> Callable[[list[Record]], Result]:
        if self.tree.items == _COUNT and self.tree.group is None:
            return self._counted
        return self._grouped() if groups(self.tree) else self._listed()

    def _counted(self, rows: list[Record]) -> Result:
        return Result(self.object.name, [], (), len(self.page(rows)), self.object.prefix)

    # Records

    def _listed(self) -> Callable[[list[Record]], Result]:
        shape = Shape(self.catalog, self.object)
        seen: set[str] = set()
        for item in self.tree.items:
            self._select(shape, item, seen)
        whole = self.catalog.computed(self.object) and virtual.WHOLE & shape.gets.keys()
        ordered = sorter(self.catalog, self.scope.bind, self.tree.order)
        columns = shape.columns()

        def finish(rows: list[Record]) -> Result:
            kept = self.page(ordered(rows))
            if whole and len(kept) > 1:
                raise malformed(_TOO_WHOLE + str(len(kept)), self.tree.at)
            found = [shape.make(row) for row in kept]
            return Result(self.object.name, found, columns, len(found), self.object.prefix)

        return finish

    def page(self, rows: list[Any]) -> list[Any]:
        """Return what OFFSET and LIMIT leave."""
        start = self.tree.offset or 0
        return rows[start:] if self.tree.limit is None else rows[start : start + self.tree.limit]

    def _select(self, shape: Shape, item: Column | FieldSet | TypeOf | Query, seen: set[str]) -> None:
        if isinstance(item, Query):
            self._select_children(shape, item, seen)
        elif isinstance(item, FieldSet):
            for one in self.object.fields:
                if item.which == "ALL" or one.custom == (item.which == "CUSTOM"):
                    _once(seen, one.name, item.at)
                    shape.add((one.name,), item.at)
        elif isinstance(item, TypeOf):
            names = self.scope.plain(item.relation).names
            _once(seen, str(item.relation), item.relation.at)
            shape.add_typeof(item, names)
        else:
            self._select_column(shape, item, seen)

    def _select_column(self, shape: Shape, item: Column, seen: set[str]) -> None:
        bound = self.scope.bind(item.expression)
        _once(seen, item.alias or bound.name, item.expression.at)
        expression = item.expression
        if isinstance(expression, Path):
            if item.alias:
                raise malformed("only aggregate expressions use field aliasing", expression.at)
            shape.add(self.scope.plain(expression).names, expression.at)
        elif isinstance(expression.argument, Path) and expression.function in ("TOLABEL", "FORMAT"):
            self._select_function(shape, expression, expression.argument, item.alias)
        else:
            raise malformed(f"Field must be grouped or aggregated: {bound.name}", expression.at)

    def _select_function(self, shape: Shape, call: Call, path: Path, alias: str | None) -> None:
        def wrap(bound: Bound) -> Bound:
            return apply(self.catalog, lambda _: bound, call)

        names = self.scope.plain(path).names
        if alias:
            bound = self.scope.bind(call)
            shape.put(alias, bound.get, ColumnInfo(alias, "string", custom=True))
        else:
            shape.add(names, path.at, wrap)

    def _select_children(self, shape: Shape, inner: Query, seen: set[str]) -> None:
        path = inner.source.path
        pair = self.catalog.child(self.object, path.names[-1])
        if pair is None:
            raise no_relationship(path.names[-1], "FROM part of query call", path.at)
        object, reference = pair
        key = str(reference.children)
        _once(seen, key, path.at)
        if self._depth == MOST_LEVELS - 1:
            raise malformed(f"Sub-queries can be nested at most {MOST_LEVELS} levels deep", inner.at)
        plan = Plan(self.catalog, inner, object, self._depth + 1)
        if groups(inner) or inner.items == _COUNT:
            raise malformed("Only root queries support aggregate expressions", inner.at)
        found: dict[str, list[Record]] = {}
        for row in plan.kept(self.catalog.rows(object)):
            found.setdefault(row.get(reference.name) or "", []).append(row)
        info = ColumnInfo(key, columns=plan.finish([]).columns, aggregate=True)
        shape.put(key, lambda row: plan.finish(found.get(self.catalog.key(self.object, row), [])), info)

    # Groups

    def _grouped(self) -> Callable[[list[Record]], Result]:
        found = Groups(self.scope, self.tree.group)
        gets: dict[str, Bound] = {}
        infos = []
        for item in self.tree.items:
            if not isinstance(item, Column):
                raise malformed("Grouped queries select fields and functions only", self.tree.at)
            bound = found.bind(item.expression)
            key = item.alias or self._unnamed(item, bound, gets)
            if key in gets:
                raise malformed(f"duplicate alias: {key}", item.expression.at)
            gets[key] = bound
            infos.append(_group_column(key, item, bound))
        return self._group_finisher(found, gets, tuple(infos))

    def _unnamed(self, item: Column, bound: Bound, gets: dict[str, Bound]) -> str:
        if isinstance(item.expression, Path):
            return bound.name.rpartition(".")[2]
        return f"expr{sum(key.startswith('expr') for key in gets)}"

    def _group_finisher(
        self, found: Groups, gets: dict[str, Bound], columns: tuple[ColumnInfo, ...]
    ) -> Callable[[list[Record]], Result]:
        having = self.tree.having
        filters = Filters(self.catalog, found.bind, self._members)
        test = filters.test(having) if having is not None else None
        ordered = sorter(self.catalog, found.bind, self.tree.order)

        def finish(rows: list[Record]) -> Result:
            kept = [group for group in found.of(rows) if test is None or test(group)]
            kept = self.page(ordered(kept))
            made = [
                Row("AggregateResult", None, [(key, one.get(group)) for key, one in gets.items()])
                for group in kept
            ]
            return Result(self.object.name, made, columns, len(made), self.object.prefix, True)

        return finish


def _group_column(key: str, item: Column, bound: Bound) -> ColumnInfo:
    if isinstance(item.expression, Path):
        return column(key, bound)
    display = None if item.alias else bound.name  # what the command line heads the column with
    return ColumnInfo(key, bound.type, aggregate=True, custom=item.alias is not None, display=display)


def _once(seen: set[str], name: str, at: int) -> None:
    if name.casefold() in seen:
        raise SoqlError("INVALID_FIELD", f"duplicate field selected: {name}", at)
    seen.add(name.casefold())
