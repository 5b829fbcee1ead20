"""Fields of list views as the metadata calls them (`OPPORTUNITY.STAGE_NAME`), and back to the names of layouts.

Layouts show a reference as such (`AccountId`), where list views name the parent's field (`Account.Name`).
"""

from __future__ import annotations

from salesforce_org.list_views import column_name, field_path
from salesforce_org.store import SObject


def token(kind: SObject, name: str) -> str:
    """Return what the metadata calls a field of a list view."""
    found = kind.field(name)
    if found is None or not found.relationship:
        return column_name(kind.name, name)
    path = f"{found.relationship}.Name"
    column = column_name(kind.name, path)
    return name if column == path else column


def field_name(kind: SObject, told: str) -> str:
    """Return the name that a layout uses for what the metadata calls a field; itself where it is one."""
    path = field_path(kind.name, told)
    first, _, rest = path.partition(".")
    reference = kind.parent(first) if rest == "Name" else None
    found = reference or kind.field(path)
    return found.name if found else path
