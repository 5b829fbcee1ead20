"""The metadata types that the org speaks: how their files are called, and where their components are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from salesforce_org.metadata.entries import Entries
from salesforce_org.metadata.fields import Fields
from salesforce_org.metadata.filed import Filed
from salesforce_org.metadata.groups import PublicGroups, Queues, Roles
from salesforce_org.metadata.listviews import ListViews
from salesforce_org.metadata.objects import Objects
from salesforce_org.metadata.permissions import PermissionSetGroups, PermissionSets
from salesforce_org.metadata.profiles import Profiles
from salesforce_org.metadata.shapes import shapes
from salesforce_org.metadata.sources import Components, Settings, Source
from salesforce_org.metadata.twins import Twins
from salesforce_org.metadata.validation import ValidationRules
from salesforce_org.metadata.valuesets import ValueSets
from salesforce_org.store.errors import OrgError


@dataclass(frozen=True, slots=True, eq=False)
class Type:
    """A metadata type.

    Attributes:
        folder: The folder of its files in a package; a child has none of its own.
        suffix: The ending of its files.
        in_folders: Whether full names are `folder/name`; `folders` is then the type of the folders.
        content: Whether a file holds the content itself, beside a `-meta.xml` that describes it.
        children: Types of the components in a file by the element that holds them.
        gathered: Whether the children are kept apart from it; else they are entries of its own tree.
        parent: The type in whose files a child stands.
        renamed: The field of its records that holds the name; empty where a name is for life.
        prefix: Key prefix of the ids of components that are no records.
    """

    name: str
    folder: str
    suffix: str
    source: Source
    prefix: str
    in_folders: bool = False
    folders: str = ""
    content: bool = False
    children: Mapping[str, str] = field(default_factory=dict)
    gathered: bool = False
    parent: str = ""
    renamed: str = ""

    @property
    def is_folder(self) -> bool:
        """Whether its components are folders of others."""
        return self.name.endswith("Folder")

    def shape(self, full_name: str) -> str:
        """Return the type of a component's tree; each area of settings has its own."""
        return f"{full_name}Settings" if self.name == "Settings" else self.name


_OF_OBJECTS = {
    "businessProcesses": "BusinessProcess",
    "compactLayouts": "CompactLayout",
    "fieldSets": "FieldSet",
    "fields": "CustomField",
    "indexes": "Index",
    "listViews": "ListView",
    "recordTypes": "RecordType",
    "sharingReasons": "SharingReason",
    "validationRules": "ValidationRule",
    "webLinks": "WebLink",
}


def _plain(name: str, folder: str, suffix: str, prefix: str) -> Type:
    return Type(name, folder, suffix, Components(name), prefix)


def _child(name: str, source: Source, prefix: str, *, renamed: str = "") -> Type:
    return Type(name, "objects", "object", source, prefix, parent="CustomObject", renamed=renamed)


def _with_entries(name: str, folder: str, suffix: str, prefix: str, **entries: str) -> list[Type]:
    whole = Type(name, folder, suffix, Components(name), prefix, children=entries)
    inside = (
        Type(kind, folder, suffix, Entries(kind, name, element), prefix, parent=name)
        for element, kind in entries.items()
    )
    return [whole, *inside]


def _filed(name: str, folder: str, suffix: str, prefix: str, folders: str, *, content: bool = False) -> Type:
    return Type(name, folder, suffix, Components(name), prefix, True, folders, content)


_RECORD_TYPES = Twins(
    "RecordType",
    "RecordType",
    {"active": "IsActive", "description": "Description", "label": "Name"},
    owned=True,
)
_MILESTONES = Twins(
    "MilestoneType",
    "MilestoneType",
    {"description": "Description", "recurrenceType": "RecurrenceType"},
    named="Name",
)
_PERMISSIONS = Twins(
    "CustomPermission",
    "CustomPermission",
    {"description": "Description", "isLicensed": "IsLicensed", "label": "MasterLabel"},
)


def _folders(kind: str) -> Twins:
    told = {"accessType": "AccessType", "name": "Name"}
    return Twins(f"{kind}Folder", "Folder", told, only={"Type": kind})


TYPES: dict[str, Type] = {
    one.name: one
    for one in (
        Type("CustomObject", "objects", "object", Objects(), "01I", children=_OF_OBJECTS, gathered=True),
        _child("CustomField", Fields(), "00N"),
        _child("BusinessProcess", Components("BusinessProcess"), "019"),
        _child("CompactLayout", Components("CompactLayout"), "0AH"),
        _child("FieldSet", Components("FieldSet"), "0IX"),
        _child("Index", Components("Index"), "0Ac"),
        _child("ListView", ListViews(), "00B"),
        _child("RecordType", _RECORD_TYPES, "012", renamed="DeveloperName"),
        _child("SharingReason", Components("SharingReason"), "02c"),
        _child("ValidationRule", ValidationRules(), "03d"),
        _child("WebLink", Components("WebLink"), "00b"),
        Type("Settings", "settings", "settings", Settings(), "0C6"),
        Type(
            "StandardValueSet",
            "standardValueSets",
            "standardValueSet",
            ValueSets("StandardValueSet", "standardValue", fixed=True),
            "0Nt",
        ),
        Type(
            "GlobalValueSet",
            "globalValueSets",
            "globalValueSet",
            ValueSets("GlobalValueSet", "customValue", fixed=False),
            "0Nu",
        ),
        Type("Group", "groups", "group", PublicGroups(), "00G", renamed="DeveloperName"),
        Type("Queue", "queues", "queue", Queues(), "00G", renamed="DeveloperName"),
        Type("Role", "roles", "role", Roles(), "00E", renamed="DeveloperName"),
        Type("PermissionSet", "permissionsets", "permissionset", PermissionSets(), "0PS", renamed="Name"),
        _plain("MutingPermissionSet", "mutingpermissionsets", "mutingpermissionset", "0QM"),
        Type(
            "PermissionSetGroup",
            "permissionsetgroups",
            "permissionsetgroup",
            PermissionSetGroups(),
            "0PG",
            renamed="DeveloperName",
        ),
        Type("Profile", "profiles", "profile", Profiles(), "00e"),
        Type("MilestoneType", "milestoneTypes", "milestoneType", _MILESTONES, "557", renamed="Name"),
        Type(
            "CustomPermission",
            "customPermissions",
            "customPermission",
            _PERMISSIONS,
            "0CP",
            renamed="DeveloperName",
        ),
        _plain("CustomTab", "tabs", "tab", "01r"),
        _plain("CustomApplication", "applications", "app", "02u"),
        _plain("Layout", "layouts", "layout", "00h"),
        _plain("FlexiPage", "flexipages", "flexipage", "0M0"),
        _plain("QuickAction", "quickActions", "quickAction", "09D"),
        _plain("PathAssistant", "pathAssistants", "pathAssistant", "0F1"),
        *_with_entries("MatchingRules", "matchingRules", "matchingRule", "0JD", matchingRules="MatchingRule"),
        _plain("DuplicateRule", "duplicateRules", "duplicateRule", "0Bm"),
        *_with_entries(
            "AssignmentRules", "assignmentRules", "assignmentRules", "01Q", assignmentRule="AssignmentRule"
        ),
        *_with_entries(
            "AutoResponseRules",
            "autoResponseRules",
            "autoResponseRules",
            "01Q",
            autoResponseRule="AutoResponseRule",
        ),
        *_with_entries(
            "EscalationRules", "escalationRules", "escalationRules", "01Q", escalationRule="EscalationRule"
        ),
        *_with_entries(
            "SharingRules",
            "sharingRules",
            "sharingRules",
            "02Z",
            sharingCriteriaRules="SharingCriteriaRule",
            sharingOwnerRules="SharingOwnerRule",
        ),
        _plain("ApprovalProcess", "approvalProcesses", "approvalProcess", "04a"),
        *_with_entries(
            "Workflow",
            "workflows",
            "workflow",
            "01Q",
            alerts="WorkflowAlert",
            fieldUpdates="WorkflowFieldUpdate",
            outboundMessages="WorkflowOutboundMessage",
            rules="WorkflowRule",
            tasks="WorkflowTask",
        ),
        _plain("EntitlementProcess", "entitlementProcesses", "entitlementProcess", "552"),
        _plain("Territory2Type", "territory2Types", "territory2Type", "0M5"),
        _plain("Territory2Model", "territory2Models", "territory2Model", "0MA"),
        _plain("DataCategoryGroup", "datacategorygroups", "datacategorygroup", "02n"),
        _plain("CustomLabels", "labels", "labels", "101"),
        _plain("RemoteSiteSetting", "remoteSiteSettings", "remoteSite", "0rp"),
        _plain("ReportType", "reportTypes", "reportType", "070"),
        Type("Report", "reports", "report", Filed("Report"), "00O", True, "ReportFolder"),
        Type("Dashboard", "dashboards", "dashboard", Filed("Dashboard"), "01Z", True, "DashboardFolder"),
        _filed("EmailTemplate", "email", "email", "00X", "EmailFolder", content=True),
        Type("ReportFolder", "reports", "reportFolder", _folders("Report"), "00l"),
        Type("DashboardFolder", "dashboards", "dashboardFolder", _folders("Dashboard"), "00l"),
        _plain("EmailFolder", "email", "emailFolder", "00l"),
    )
}
FOLDERS = {one.folders: one for one in TYPES.values() if one.folders}


def type_named(name: str) -> Type:
    """Return the type of a name; `SecuritySettings` and its like are all settings.

    Raises:
        OrgError: The org has no metadata type of this name.
    """
    if name.endswith("Settings") and name in shapes():
        return TYPES["Settings"]
    if name not in TYPES:
        raise OrgError("INVALID_TYPE", f"Unknown type:{name[:80]}")
    return TYPES[name]
