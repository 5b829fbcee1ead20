"""Objects of the Tooling API that are metadata components: columns of their trees, beside the tree itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from salesforce_org.metadata import components
from salesforce_org.metadata.listing import identity, properties
from salesforce_org.metadata.registry import TYPES
from salesforce_org.soql.definitions import durable
from salesforce_org.soql.virtual import described, table
from salesforce_org.store import Org, Record
from salesforce_org.store.values import moment, read_moment


@dataclass(frozen=True, slots=True)
class Projection:
    """How an object of the Tooling API shows components of a metadata type.

    Attributes:
        name: The column that holds the component's own name, without its object's.
        object: The column that holds the object that it belongs to, beside `EntityDefinitionId`.
        columns: Elements of the tree by column; flags are elements of the type boolean.
        own_only: Whether only what the org has defined is shown.
    """

    kind: str
    name: str = "DeveloperName"
    object: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)
    called: str = ""
    separator: str = "."
    own_only: bool = False


PROJECTIONS = (
    Projection(
        "CustomObject",
        columns={
            "Description": "description",
            "SharingModel": "sharingModel",
            "ExternalSharingModel": "externalSharingModel",
            "DeploymentStatus": "deploymentStatus",
        },
        own_only=True,
    ),
    Projection(
        "CustomField",
        object="TableEnumOrId",
        columns={
            "Description": "description",
            "InlineHelpText": "inlineHelpText",
            "RelationshipLabel": "relationshipLabel",
            "SummaryOperation": "summaryOperation",
        },
        own_only=True,
    ),
    Projection(
        "ValidationRule",
        name="ValidationName",
        object="EntityDefinitionId",
        columns={
            "Description": "description",
            "ErrorDisplayField": "errorDisplayField",
            "ErrorMessage": "errorMessage",
        },
        flags={"Active": "active"},
    ),
    Projection(
        "BusinessProcess",
        name="Name",
        object="EntityDefinitionId",
        columns={"Description": "description"},
        flags={"IsActive": "isActive"},
    ),
    Projection("CompactLayout", object="SobjectType", columns={"MasterLabel": "label"}),
    Projection(
        "WebLink",
        name="Name",
        object="EntityDefinitionId",
        columns={"MasterLabel": "masterLabel", "Url": "url"},
    ),
    Projection("Layout", name="Name", object="TableEnumOrId", separator="-"),
    Projection("CustomTab", columns={"MotifName": "motif", "Url": "url", "Description": "description"}),
    Projection(
        "CustomApplication",
        columns={
            "Label": "label",
            "Description": "description",
            "NavType": "navType",
            "UiType": "uiType",
        },
    ),
    Projection(
        "FlexiPage",
        columns={
            "MasterLabel": "masterLabel",
            "Description": "description",
            "Type": "type",
            "EntityDefinitionId": "sobjectType",
        },
    ),
    Projection("GlobalValueSet", columns={"MasterLabel": "masterLabel", "Description": "description"}),
    Projection("StandardValueSet", name="MasterLabel"),
    Projection(
        "QuickAction",
        object="SobjectType",
        columns={"MasterLabel": "label", "Type": "type", "TargetSobjectType": "targetObject"},
        called="QuickActionDefinition",
    ),
    Projection("WorkflowRule", name="Name", object="TableEnumOrId", columns={"Description": "description"}),
    Projection(
        "WorkflowFieldUpdate",
        name="Name",
        object="EntityDefinitionId",
        columns={"Field": "field", "LiteralValue": "literalValue", "Formula": "formula"},
    ),
    Projection("WorkflowAlert", object="EntityDefinitionId", columns={"Description": "description"}),
    Projection("PathAssistant", columns={"MasterLabel": "masterLabel", "SobjectType": "entityName"}),
    Projection(
        "RemoteSiteSetting",
        name="SiteName",
        columns={"EndpointUrl": "url", "Description": "description"},
        flags={"IsActive": "isActive"},
        called="RemoteProxy",
    ),
)


def _described(one: Projection) -> dict[str, Mapping[str, Any]]:
    text: dict[str, Any] = {}
    user = {"to": ["User"], "type": "reference"}
    columns: dict[str, Mapping[str, Any]] = {"Id": {"type": "id"}, one.name: text, "NamespacePrefix": text}
    if one.object:
        columns[one.object] = text
        columns["EntityDefinitionId"] = {
            "to": ["EntityDefinition"],
            "relationship": "EntityDefinition",
            "children": f"{one.called or one.kind}s",
        }
    columns |= dict.fromkeys(one.columns, text) | {name: {"type": "boolean"} for name in one.flags}
    return columns | {
        "FullName": text,
        "Metadata": {"type": "textarea"},
        "ManageableState": text,
        "CreatedDate": {"type": "datetime"},
        "CreatedById": {**user, "relationship": "CreatedBy"},
        "LastModifiedDate": {"type": "datetime"},
        "LastModifiedById": {**user, "relationship": "LastModifiedBy"},
    }


def _rows(one: Projection) -> Callable[[Org], Iterable[Record]]:
    def rows(org: Org) -> Iterator[Record]:
        for full_name in components.names(org, TYPES[one.kind]):
            if not one.own_only or full_name.endswith("__c"):
                yield _row(org, one, full_name)

    return rows


def _row(org: Org, one: Projection, full_name: str) -> Record:
    type = TYPES[one.kind]
    tree = components.read(org, type, full_name) or {}
    object, _, own = full_name.partition(one.separator) if one.object else ("", "", full_name)
    told = properties(org, type, full_name)
    found: dict[str, Any] = {name: tree.get(element) for name, element in one.columns.items()}
    found |= {name: bool(tree.get(element)) for name, element in one.flags.items()}
    if one.object:
        found |= dict.fromkeys((one.object, "EntityDefinitionId"), _entity(org, object))
    return found | {
        "Id": identity(org, type, full_name),
        one.name: own.removesuffix("__c"),
        "FullName": full_name,
        "Metadata": tree,
        "ManageableState": "unmanaged",
        "CreatedDate": moment(read_moment(told["createdDate"])),
        "CreatedById": told["createdById"] or None,
        "LastModifiedDate": moment(read_moment(told["lastModifiedDate"])),
        "LastModifiedById": told["lastModifiedById"] or None,
    }


def _entity(org: Org, object: str) -> str:
    known = org.schema.objects.get(object)
    return durable(org, known) if known else object


for _one in PROJECTIONS:
    _object = described(_one.called or _one.kind, TYPES[_one.kind].prefix, _described(_one), written=True)
    table(_object, tooling=True)(_rows(_one))
