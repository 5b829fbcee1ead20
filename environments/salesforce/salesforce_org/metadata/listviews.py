"""List views, as children of objects. What only its maker sees is not part of the org's metadata."""

from __future__ import annotations

from collections.abc import Iterable

from salesforce_org.list_views import EVERYBODY, read_list_view, save_list_view
from salesforce_org.metadata.errors import missing, unfit
from salesforce_org.metadata.fields import split
from salesforce_org.metadata.records import api_name, find
from salesforce_org.metadata.sources import nameless
from salesforce_org.metadata.trees import Tree
from salesforce_org.store import Org, Record

KIND = "ListView"


class ListViews:
    """The list views that are shared with somebody."""

    def names(self, org: Org) -> Iterable[str]:
        """Return the full names."""
        return [name for name, tree in org.components(KIND).items() if tree.get("sharedTo") is not None]

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a list view."""
        tree = org.component(KIND, name)
        return None if tree is None or tree.get("sharedTo") is None else nameless(KIND, tree)

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a list view; all see it unless the tree says who."""
        if self.read(org, name) == dict(tree):
            return
        object, own = split(name)
        if object not in org.schema.objects:
            raise missing("CustomObject", object)
        if org.component(KIND, name) is None:
            api_name(own)
        view = read_list_view(object, own, {"sharedTo": EVERYBODY, **tree})
        kind = org.schema[object]
        for path in (*view.columns, *(one.field for one in view.filters)):
            if kind.field(path) is None and "." not in path:
                raise unfit(f"Could not resolve list view column: {path}", "columns")
        save_list_view(org, view)

    def delete(self, org: Org, name: str) -> None:
        """Delete a list view."""
        if org.component(KIND, name) is None:
            raise missing(KIND, name)
        org.put_component(KIND, name, None)

    def record(self, org: Org, name: str) -> Record | None:
        """Return the record that goes with a list view."""
        object, _, own = name.partition(".")
        return find(org, KIND, SobjectType=object, DeveloperName=own)
