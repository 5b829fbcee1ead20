"""Search through the texts of records: for the search box, for lookups, and for interfaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from salesforce_org.soql import terms
from salesforce_org.soql.binding import getter
from salesforce_org.soql.catalog import Catalog
from salesforce_org.store import Field, Org, Record, SObject

PERSONAL = frozenset({"FirstName", "LastName"})
# Types of the fields that a search looks into, by the name that SOSL has for the group.
GROUPS: dict[str, frozenset[str]] = {
    "ALL": frozenset({"string", "textarea", "email", "phone", "url", "combobox"}),
    "NAME": frozenset({"string", "textarea"}),
    "EMAIL": frozenset({"email"}),
    "PHONE": frozenset({"phone"}),
    "SIDEBAR": frozenset({"string", "email", "phone"}),
}


class Hit(NamedTuple):
    """A record that was found, with its object."""

    object: SObject
    record: Record


def search(
    org: Org, text: str, objects: Iterable[str] | None = None, limit: int = 50, *, group: str = "ALL"
) -> list[Hit]:
    """Return the records in which every word of a text begins a word, the likeliest first.

    Args:
        objects: Names of the objects to look through, in the order of the hits; all searchable ones if None.
        limit: Most hits for each object.
        group: Which fields: `ALL`, `NAME`, `EMAIL`, `PHONE` or `SIDEBAR`.
    """
    catalog = Catalog(org)
    test = terms.plain(text)
    known = searchable(catalog) if objects is None else [org.schema[name] for name in objects]
    return [hit for object in known for hit in matching(catalog, object, test, group, text)[:limit]]


def searchable(catalog: Catalog) -> list[SObject]:
    """Return the objects that a search looks through, by name."""
    found = (one for one in catalog.org.schema.objects.values() if one.searchable)
    return sorted(found, key=lambda one: one.name)


def matching(catalog: Catalog, object: SObject, test: terms.Test, group: str, text: str) -> list[Hit]:
    """Return the records of an object that pass a test, those whose name is most like the text first."""
    fields = Texts(catalog, object, group)
    found = [row for row in catalog.rows(object) if test(fields.of(row))]
    wanted = " ".join(terms.words(text))
    ranked = sorted(found, key=lambda row: _rank(fields.name(row), wanted))
    return [Hit(object, row) for row in ranked]


def _rank(name: str, wanted: str) -> tuple[int, str]:
    if name == wanted:
        return 0, name
    if name.startswith(wanted):
        return 1, name
    return (2 if all(part in name for part in wanted.split()) else 3), name


class Texts:
    """Gives the words of those fields of a record that a search looks into."""

    def __init__(self, catalog: Catalog, object: SObject, group: str) -> None:
        named = object.field(object.name_field) if object.name_field else None
        chosen = _chosen(object, named, group)
        self._gets = [(one.type == "phone", one.rich, getter(catalog, object, one)) for one in chosen]
        self._name = getter(catalog, object, named) if named else None

    def of(self, row: Record) -> Sequence[terms.Words]:
        """Return the words of each field of a record."""
        return [found for phone, rich, get in self._gets for found in _words(get(row), phone, rich)]

    def name(self, row: Record) -> str:
        """Return a record's name, its words in one case."""
        value: Any = self._name(row) if self._name else None
        return " ".join(terms.words(str(value or "")))


def _chosen(object: SObject, named: Field | None, group: str) -> list[Field]:
    if group == "NAME":
        return [one for one in object.fields if one is named or one.name in PERSONAL]
    types = GROUPS[group]
    return [one for one in object.fields if one is named or (one.stored and one.type in types)]


def _words(value: Any, phone: bool, rich: bool) -> Iterator[terms.Words]:
    if not value:
        return
    yield terms.words(str(value), rich=rich)
    if phone:
        yield (re.sub(r"\D", "", str(value)),)
