"""The names that are known in a query of one object."""

from __future__ import annotations

from dataclasses import replace

from salesforce_org.soql.binding import Bound, resolved
from salesforce_org.soql.catalog import Catalog
from salesforce_org.soql.errors import no_relationship
from salesforce_org.soql.functions import apply
from salesforce_org.soql.tree import Call, Expression, Path, Source
from salesforce_org.store import SObject

MOST_PARENTS = 5


class Scope:
    """Finds the meaning of names in a query; its sources may give parents an alias."""

    def __init__(self, catalog: Catalog, object: SObject, sources: tuple[Source, ...]) -> None:
        self.catalog = catalog
        self.object = object
        self._aliases: dict[str, tuple[str, ...]] = {}
        if sources[0].alias:
            self._aliases[sources[0].alias.casefold()] = ()
        for source in sources[1:]:
            names = self.plain(source.path).names
            self._aliases[(source.alias or names[-1]).casefold()] = names

    def bind(self, expression: Expression) -> Bound:
        """Return what an expression means.

        Raises:
            SoqlError: It means nothing here.
        """
        if isinstance(expression, Call):
            return apply(self.catalog, self.bind, expression)
        path = self.plain(expression)
        if len(path.names) - 1 > MOST_PARENTS:
            raise no_relationship(path.names[MOST_PARENTS], "field path", path.at)
        return resolved(self.catalog, self.object, path.names, path.at)

    def plain(self, path: Path) -> Path:
        """Return a path without the name or alias of the object that it may begin with."""
        first = path.names[0].casefold()
        if len(path.names) == 1:
            return path
        if first in self._aliases:
            return replace(path, names=(*self._aliases[first], *path.names[1:]))
        if first == self.object.name.casefold() and self.object.parent(first) is None:
            return replace(path, names=path.names[1:])
        return path
