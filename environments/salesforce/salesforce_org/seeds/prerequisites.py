"""Records that single templates of tasks need, entered into an org that is in use."""

from __future__ import annotations

from pathlib import Path

from salesforce_org.seeds.reading import Book, Fixtures
from salesforce_org.store import Org


def install(org: Org, folder: Path, template: str) -> None:
    """Enter what `prerequisites.toml` holds for a template; nothing where it holds nothing.

    Raises:
        ValueError: The fixtures refer to something that is not there.
    """
    fixtures = Fixtures.read(folder)
    book = Book(org, fixtures, org.now)
    for object in org.schema.objects.values():
        for row in org.rows(object.name):
            name = org.name_of(row["Id"])
            if name is not None:
                book.ids.setdefault((object.name, name), row["Id"])
    book.enter_all(fixtures["prerequisites"].get(template, {}))
