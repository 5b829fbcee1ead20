"""Objects: standard ones with what can be set of them, custom ones that come and go while the org is at work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from salesforce_org.metadata.errors import MetadataError, missing, unfit
from salesforce_org.metadata.overlay import difference, over
from salesforce_org.metadata.records import api_name, drop
from salesforce_org.metadata.sharing import CUSTOM, EXTERNAL, INTERNAL, MODELS, STANDARD, check
from salesforce_org.metadata.trees import Tree, ordered
from salesforce_org.store import Org, Record, Schema, SObject
from salesforce_org.store.schema import make_object, read_field

KIND = "CustomObject"
# Objects that describe the org itself; nobody customizes them.
SETUP = frozenset(
    [
        "BusinessHours",
        "CaseMilestone",
        "CustomPermission",
        "Dashboard",
        "DuplicateRule",
        "FieldPermissions",
        "Folder",
        "Group",
        "GroupMember",
        "ListView",
        "ListViewChart",
        "ListViewChartInstance",
        "MatchingRule",
        "MilestoneType",
        "ObjectPermissions",
        "ObjectTerritory2AssignmentRule",
        "ObjectTerritory2AssignmentRuleItem",
        "Organization",
        "PermissionSet",
        "PermissionSetAssignment",
        "PermissionSetGroup",
        "PermissionSetGroupComponent",
        "PermissionSetLicense",
        "ProcessInstance",
        "ProcessInstanceNode",
        "ProcessInstanceStep",
        "ProcessInstanceWorkitem",
        "Profile",
        "QueueSobject",
        "RecordType",
        "Report",
        "RuleTerritory2Association",
        "SetupEntityAccess",
        "SlaProcess",
        "Territory2Type",
        "UserLicense",
        "UserLogin",
        "UserRole",
        "CaseStatus",
        "LeadStatus",
        "OpportunityStage",
        "CampaignMemberStatus",
        "UserTerritory2Association",
    ]
)
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Objects:
    """The settings of objects; their fields, list views and so on are components of their own."""

    def names(self, org: Org) -> Iterable[str]:
        """Return the objects that can be customized."""
        return sorted(org.schema.objects.keys() - SETUP)

    def read(self, org: Org, name: str) -> Tree | None:
        """Return an object without its children."""
        if name in SETUP or name not in org.schema.objects:
            return None
        known = name in org.built_in.objects
        built = self._built(org, name) if known else described(org.schema[name])
        return over(KIND, built, org.component(KIND, name))

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store the settings of an object; a custom one that is not there is made."""
        now = self.read(org, name)
        if now is not None and dict(now) == dict(tree):
            return
        if name in SETUP or (now is None and not name.endswith("__c")):
            raise missing(KIND, name)
        if now is not None:
            tree = ordered(KIND, {**{one: now.get(one) for one in (INTERNAL, EXTERNAL)}, **tree})
        if tree.get(INTERNAL) in MODELS and tree.get(EXTERNAL) in MODELS:
            check(tree[INTERNAL], tree[EXTERNAL])
        if name.endswith("__c"):
            org.extend(_approved(org.schema.with_object(_shaped(org, name, tree)), name, True))
        kept = difference(self._built(org, name), tree)
        org.put_component(KIND, name, kept)

    def delete(self, org: Org, name: str) -> None:
        """Delete a custom object with its records, fields, and all that hangs on it."""
        if self.read(org, name) is None:
            raise missing(KIND, name)
        if not name.endswith("__c"):
            raise MetadataError("INVALID_TYPE", f"{name} is a standard object and cannot be deleted")
        _refuse_where_used(org, name)
        for row in list(org.rows(name)):
            drop(org, row["Id"])
        for table in ("FieldPermissions", "ObjectPermissions", "QueueSobject", "RecordType"):
            for row in list(org.rows(table, SobjectType=name)):
                drop(org, row["Id"])
        org.extend(_approved(org.schema.without_object(name), name, False))
        _forget(org, name)

    def record(self, org: Org, name: str) -> Record | None:
        """They are no records."""
        return None

    def _built(self, org: Org, name: str) -> dict[str, Any]:
        kind = org.built_in.objects.get(name)
        return described(kind) if kind else {}


def described(kind: SObject) -> dict[str, Any]:
    """Return an object of the schema as metadata has it; of a standard one there is little that it does not share."""
    actions = [{"actionName": "View", "type": "Default"}]
    actions += [{**actions[0], "formFactor": factor} for factor in ("Large", "Small")]
    if not kind.custom:
        _, *models = STANDARD.get(kind.name, ((), None, None))
        shared = dict(zip((INTERNAL, EXTERNAL), models, strict=True))
        return ordered(KIND, {"actionOverrides": actions, **shared})
    named = kind.field("Name")
    field: dict[str, Any] = {"label": named.label if named else "Name", "type": "Text"}
    if named is not None and named.auto is not None:
        field |= {"type": "AutoNumber", "displayFormat": named.auto}
    told = {
        "actionOverrides": actions,
        "deploymentStatus": "Deployed",
        "description": kind.description or None,
        "enableActivities": False,
        "enableReports": True,
        "enableSearch": kind.searchable,
        EXTERNAL: CUSTOM[2],
        "label": kind.label,
        "nameField": field,
        "pluralLabel": kind.plural,
        INTERNAL: CUSTOM[1],
        "visibility": "Public",
    }
    return ordered(KIND, told)


def _shaped(org: Org, name: str, tree: Tree) -> SObject:
    for needed in ("label", "pluralLabel", "nameField", "deploymentStatus", "sharingModel"):
        if needed not in tree:
            raise MetadataError(
                "REQUIRED_FIELD_MISSING", f"Must specify a {needed} for a CustomObject", (needed,)
            )
    old = org.schema.objects.get(name)
    if old is None:
        api_name(name.removesuffix("__c"))
        fields = [read_field("Name", {"label": "Name", "length": 80})]
        old = make_object(fields, owned=True, name=name, label="", plural="", prefix=_prefix(org, name))
    shaped = replace(
        old,
        label=tree["label"],
        plural=tree["pluralLabel"],
        description=tree.get("description", ""),
        searchable=tree.get("enableSearch", False),
    )
    return _named(shaped, tree["nameField"])


def _approved(schema: Schema, name: str, there: bool) -> Schema:
    """Return the schema with a custom object among those whose records can be approved, or without it."""
    field = schema["ProcessInstance"].by_name["targetobjectid"]
    to = (*(one for one in field.to if one != name), *((name,) if there else ()))
    return schema if set(to) == set(field.to) else schema.with_field("ProcessInstance", replace(field, to=to))


def _named(kind: SObject, name: Tree) -> SObject:
    old = kind.field("Name")
    auto = name.get("displayFormat") if name.get("type") == "AutoNumber" else None
    if old is None or name.get("type") not in ("Text", "AutoNumber"):
        raise unfit("The name of a custom object is of type Text or AutoNumber", "nameField")
    new = replace(
        old,
        label=name.get("label", "Name"),
        auto=auto,
        required=auto is None,
        createable=auto is None,
        updateable=auto is None,
    )
    return replace(kind, fields=tuple(new if one is old else one for one in kind.fields))


def _prefix(org: Org, name: str) -> str:
    """Return a key prefix that no object has; an object that comes back has its own again."""
    if name in org.built_in.objects:
        return org.built_in[name].prefix
    taken = {one.prefix for one in (*org.schema.objects.values(), *org.built_in.objects.values())}
    free = (f"a{first}{second}" for first in _DIGITS for second in _DIGITS)
    return next(prefix for prefix in free if prefix not in taken)


def _refuse_where_used(org: Org, name: str) -> None:
    for kind, field in org.schema.children.get(name, ()):
        if kind.name not in (name, "ProcessInstance"):
            raise MetadataError(
                "DEPENDENCY_EXISTS",
                "This custom object is referenced elsewhere in salesforce.com. Remove the usage and try again. : "
                f"Custom Field - {kind.name}.{field.name}",
            )


def _forget(org: Org, name: str) -> None:
    org.put_component(KIND, name, None)
    org.put_component("CustomTab", name, None)
    for child in (
        "BusinessProcess",
        "CompactLayout",
        "CustomField",
        "FieldSet",
        "Index",
        "ListView",
        "RecordType",
    ):
        _clear(org, child, f"{name}.")
    for child in ("SharingReason", "ValidationRule", "WebLink"):
        _clear(org, child, f"{name}.")
    _clear(org, "Layout", f"{name}-")


def _clear(org: Org, kind: str, start: str) -> None:
    for full in [one for one in org.components(kind) if one.startswith(start)]:
        org.put_component(kind, full, None)
