"""What a record's page shows: its layout, or the Lightning page that is active for its object in the open app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from salesforce_org import flexipages
from salesforce_org.pages.layout import Layout, layout_of
from salesforce_org.pages.shell import Shell
from salesforce_org.pages.visit import Visit
from salesforce_org.store import SObject


@dataclass(frozen=True, slots=True)
class Arranged:
    """The layout of a record, and which parts of its page are shown."""

    layout: Layout
    highlights: bool = True
    path: bool = True
    related: bool = True
    details: bool = True
    activity: bool = True


def arranged(visit: Visit, kind: SObject, row: Mapping[str, Any]) -> Arranged:
    """Return how a record is shown."""
    layout = layout_of(kind)
    page = flexipages.active(visit.org, kind.name, Shell(visit).app.name)
    if page is None:
        return Arranged(layout, path=bool(layout.path), activity=layout.activity)
    names, sections = flexipages.shown_parts(visit.org, kind, row, page)
    if flexipages.DETAIL not in names:
        layout = replace(layout, sections=sections)
    return Arranged(
        layout,
        highlights=flexipages.HIGHLIGHTS in names,
        path=bool(layout.path) and flexipages.PATH in names,
        related=flexipages.RELATED in names,
        details=bool(layout.sections),
        activity=layout.activity and flexipages.ACTIVITIES in names,
    )
