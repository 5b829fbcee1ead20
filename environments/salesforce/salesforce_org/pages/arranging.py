"""What a record's page shows: its layout, or the Lightning page that is active for its object in the open app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from salesforce_org import flexipages
from salesforce_org.metadata.profiles import full_name, layout_for, layouts_of
from salesforce_org.pages import fields
from salesforce_org.pages.layout import Layout, layout_of
from salesforce_org.pages.shell import Shell
from salesforce_org.pages.visit import Visit
from salesforce_org.record_types import FIELD, KIND, full_name_of
from salesforce_org.store import Org, SObject


@dataclass(frozen=True, slots=True)
class Arranged:
    """The layout of a record, which parts of its page are shown, and the texts that stand in its regions."""

    layout: Layout
    highlights: bool = True
    path: bool = True
    related: bool = True
    details: bool = True
    activity: bool = True
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def arranged(visit: Visit, kind: SObject, row: Mapping[str, Any]) -> Arranged:
    """Return how a record is shown."""
    layout = layout_of(_assigned(visit.org, kind, row))
    page = flexipages.active(visit.org, kind.name, Shell(visit).app.name)
    if page is None:
        return Arranged(layout, path=bool(layout.path), activity=layout.activity)
    parts = flexipages.shown_parts(visit.org, kind, row, page)
    if flexipages.DETAIL not in parts.components:
        layout = _behaving(replace(layout, sections=parts.sections), parts.behaviors)
    return Arranged(
        layout,
        highlights=flexipages.HIGHLIGHTS in parts.components,
        path=bool(layout.path) and flexipages.PATH in parts.components,
        related=flexipages.RELATED in parts.components,
        details=bool(layout.sections),
        activity=layout.activity and flexipages.ACTIVITIES in parts.components,
        texts=parts.texts,
    )


def _behaving(layout: Layout, behaviors: Mapping[str, str]) -> Layout:
    """Return the layout with the fields that the page asks for, and those that it only shows."""

    def named(behavior: str) -> frozenset[str]:
        names = (name for name, one in behaviors.items() if one == behavior)
        return frozenset(one.name for name in names for one in fields.parts(layout.object, name))

    return replace(
        layout, required=layout.required | named("required"), fixed=layout.fixed | named("readonly")
    )


def _assigned(org: Org, kind: SObject, row: Mapping[str, Any]) -> SObject:
    """Return the object with the page layout that the acting user's profile gives to records of the type."""
    several, user = layouts_of(org, kind.name), org.get("User", org.user_id)
    if len(several) < 2 or user is None:
        return kind
    profile = org.component("Profile", full_name(org.name_of(user["ProfileId"]) or "")) or {}
    type = org.get(KIND, row.get(FIELD))
    name = layout_for(org, profile, kind.name, full_name_of(type) if type else None)
    if name == several[0]:  # what an object has by itself
        return kind
    tree, key = org.component("Layout", name), ("layout", kind.name, name)
    known = org.schema.memo.get(key)
    if known is None or known.layout is not tree:
        known = org.schema.memo[key] = replace(kind, layout=tree)
    assert isinstance(known, SObject)
    return known
