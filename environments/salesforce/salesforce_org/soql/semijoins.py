"""What sub-queries of IN and NOT IN may be."""

from __future__ import annotations

from salesforce_org.soql.binding import Bound
from salesforce_org.soql.errors import malformed
from salesforce_org.soql.operands import IDS
from salesforce_org.soql.tree import Both, Column, Comparison, Condition, Not, Path, Query
from salesforce_org.store import SObject

MOST = 2


def check(condition: Condition) -> None:
    """Refuse sub-queries beside OR, within each other, and too many of them.

    Raises:
        SoqlError: There is such a one.
    """
    found = _found(condition, False)
    if len(found) > MOST:
        raise malformed(f"Maximum {MOST} semi join sub-selects are allowed", found[MOST].at)
    for one in found:
        if isinstance(one.right, Query) and one.right.where and _found(one.right.where, False):
            raise malformed("Nesting of semi join sub-selects is not supported", one.at)


def _found(condition: Condition, either: bool) -> list[Comparison]:
    if isinstance(condition, Not):
        return _found(condition.condition, either)
    if isinstance(condition, Both):
        either = either or condition.word == "OR"
        return [one for part in condition.conditions for one in _found(part, either)]
    if not isinstance(condition.right, Query):
        return []
    if either:
        raise malformed("Semi join sub-selects are not allowed with the 'OR' operator", condition.at)
    return [condition]


def selected(inner: Query) -> Path:
    """Return the one field that a sub-query selects.

    Raises:
        SoqlError: It selects something else.
    """
    first = inner.items[0]
    if len(inner.items) != 1 or not isinstance(first, Column) or not isinstance(first.expression, Path):
        raise malformed("A semi join sub-select must select exactly one field", inner.at)
    if inner.group is not None:
        raise malformed("A semi join sub-select cannot group", inner.at)
    return first.expression


def check_types(outer_object: SObject, outer: Bound, object: SObject, inner: Bound, path: Path) -> None:
    """Refuse sub-queries whose ids are none of the kind that is looked for.

    Raises:
        SoqlError: They are not.
    """
    if outer.type in IDS and inner.type not in IDS:
        raise malformed(f"The inner select field '{inner.name}' must be of type reference", path.at)
    if object == outer_object and inner.name == outer.name == "Id":
        raise malformed("The inner and outer selects should not be on the same object type", path.at)
    if _kinds(outer) and _kinds(inner) and not _kinds(outer) & _kinds(inner):
        raise malformed(
            f"The selected field '{inner.name}' in the subquery and the left operand field '{outer.name}' in the "
            "where expression in the outer query should point to the same object type",
            path.at,
        )


def _kinds(bound: Bound) -> frozenset[str]:
    if bound.field is None or bound.object is None:
        return frozenset()
    return frozenset((bound.object.name,) if bound.type == "id" else bound.field.to)
