"""What a query says: its parsed form, frozen. Offsets into the text (`at`) do not count when trees are compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as OneOf

LiteralKind = OneOf["text", "pattern", "number", "boolean", "null", "date", "datetime", "time", "word"]
GroupKind = OneOf["plain", "rollup", "cube"]


@dataclass(frozen=True, slots=True)
class Path:
    """A field, possibly reached through parents: `Account.Owner.Name`."""

    names: tuple[str, ...]
    at: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return ".".join(self.names)


@dataclass(frozen=True, slots=True)
class Call:
    """A function of a field, its name in upper case; `COUNT()` alone has no argument."""

    function: str
    argument: Expression | None
    at: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.function}({'' if self.argument is None else self.argument})"


Expression = Path | Call


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as written; a pattern of LIKE keeps its backslashes, `count` is the n of `LAST_N_DAYS:n`."""

    kind: LiteralKind
    text: str
    count: int | None = None
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One test of a field: operators in upper case, one literal, several of a list, or a semi-join's query."""

    left: Expression
    operator: str
    right: tuple[Literal, ...] | Query
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """The contrary of a condition."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Both:
    """Conditions joined by AND or by OR."""

    word: OneOf["AND", "OR"]
    conditions: tuple[Condition, ...]


Condition = Comparison | Not | Both


@dataclass(frozen=True, slots=True)
class Column:
    """A field or function that is selected, with its alias."""

    expression: Expression
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class FieldSet:
    """`FIELDS(ALL)`, `FIELDS(STANDARD)` or `FIELDS(CUSTOM)`."""

    which: str
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class TypeOf:
    """Fields of a polymorphic parent by the object it is; `otherwise` for the rest."""

    relation: Path
    whens: tuple[tuple[str, tuple[Path, ...]], ...]
    otherwise: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """What is read: an object, or in a sub-query a child relationship; further ones name parents."""

    path: Path
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class Grouping:
    """GROUP BY, possibly with sub-totals."""

    by: tuple[Expression, ...]
    kind: GroupKind = "plain"


@dataclass(frozen=True, slots=True)
class Order:
    """One of ORDER BY's keys."""

    by: Expression
    descending: bool = False
    nulls_last: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query or sub-query."""

    items: tuple[Column | FieldSet | TypeOf | Query, ...]
    sources: tuple[Source, ...]
    scope: str | None = None
    where: Condition | None = None
    mode: str | None = None
    group: Grouping | None = None
    having: Condition | None = None
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int | None = None
    purpose: str | None = None
    all_rows: bool = False
    at: int = field(default=0, compare=False)

    @property
    def source(self) -> Source:
        """What it reads."""
        return self.sources[0]
