"""Nothing is its own ancestor."""

from __future__ import annotations

from salesforce_org.rules.registry import RULES
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change

PARENTS = {
    "Account": "ParentId",
    "Asset": "ParentId",
    "Campaign": "ParentId",
    "Case": "ParentId",
    "Contact": "ReportsToId",
    "Incident": "ParentIncidentId",
    "Problem": "ParentProblemId",
    "Territory2": "ParentTerritory2Id",
    "User": "ManagerId",
    "UserRole": "ParentRoleId",
}


@RULES.on("before", *PARENTS)
def no_loop(change: Change) -> None:
    """A record whose chain of parents leads back to itself is refused."""
    org, object, field = change.org, change.object, PARENTS[change.object.name]
    above = change.new[field] if change.turned(field) else None
    seen = {change.id}
    while above:
        if above in seen:
            label = object.by_name[field.casefold()].label
            raise DmlError(
                "CIRCULAR_DEPENDENCY",
                f"{label.removesuffix(' ID')}: this would make {object.label} its own parent, directly or "
                "through others",
                (field,),
            )
        seen.add(above)
        above = (org.get(object.name, above) or {}).get(field)
