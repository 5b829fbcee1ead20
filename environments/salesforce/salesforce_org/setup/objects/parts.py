"""Parts of an object in Object Manager that are shown as the org's metadata has them: layouts, buttons, field sets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from salesforce_org.metadata.components import read
from salesforce_org.metadata.listing import listed
from salesforce_org.metadata.registry import TYPES
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.objects.layout_assignment import layout_label
from salesforce_org.setup.objects.manager import BUILT, PLAIN
from salesforce_org.setup.shown import stamped
from salesforce_org.setup.tables import Column, listing
from salesforce_org.store import Org, SObject

Properties = Mapping[str, Any]
# What the first column of a part is called, and the types of components in it.
PARTS = {
    "PageLayouts": ("Page Layout Name", ("Layout",)),
    "ButtonsLinksActions": ("Label", ("WebLink", "QuickAction")),
    "CompactLayouts": ("Label", ("CompactLayout",)),
    "FieldSets": ("Field Set Label", ("FieldSet",)),
}


def components(org: Org, kind: SObject, types: tuple[str, ...]) -> list[Properties]:
    """Return the properties of an object's components."""
    starts = (f"{kind.name}-", f"{kind.name}.")
    return [one for name in types for one in listed(org, name) if one["fullName"].startswith(starts)]


def _label(org: Org, one: Properties) -> str:
    if one["type"] == "Layout":
        return layout_label(one["fullName"])
    tree = read(org, TYPES[one["type"]], one["fullName"]) or {}
    return str(tree.get("masterLabel") or tree.get("label") or one["fullName"].partition(".")[2])


def _part(label: str, types: tuple[str, ...], page: SetupVisit, kind: SObject) -> dict[str, object]:
    columns = (
        Column(label, lambda one: _label(page.org, one)),
        Column("Modified By", lambda one: stamped(page.org, one, "lastModifiedById", "lastModifiedDate")),
    )
    return {"table": listing(page, label, columns, components(page.org, kind, types))}


BUILT.update({tab: partial(_part, *told) for tab, told in PARTS.items()})
PLAIN.update(PARTS)
