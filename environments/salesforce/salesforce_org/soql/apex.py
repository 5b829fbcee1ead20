"""Objects of Apex and its logs: known and empty, since no code is kept or run here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salesforce_org.soql.virtual import described, table
from salesforce_org.store import Org, Record

_USER = {"type": "reference", "to": ["User"]}
_CODE = (
    "NamespacePrefix",
    "Name",
    "ApiVersion:double",
    "Status",
    "LengthWithoutComments:int",
    "Body:textarea",
)
_OBJECTS: dict[str, tuple[str, bool, tuple[str, ...]]] = {
    "ApexClass": ("01p", False, (*_CODE, "IsValid:boolean", "BodyCrc:double", "SymbolTable:textarea")),
    "ApexTrigger": ("01q", False, (*_CODE, "IsValid:boolean", "BodyCrc:double", "TableEnumOrId")),
    "ApexPage": (
        "066",
        False,
        ("NamespacePrefix", "Name", "ApiVersion:double", "MasterLabel", "Markup:textarea"),
    ),
    "ApexComponent": (
        "099",
        False,
        ("NamespacePrefix", "Name", "ApiVersion:double", "MasterLabel", "Markup:textarea"),
    ),
    "ApexLog": (
        "07L",
        False,
        (
            *(
                "Application",
                "DurationMilliseconds:int",
                "Location",
                "LogLength:int",
                "LogUserId",
                "Operation",
            ),
            *("Request", "StartTime:datetime", "Status"),
        ),
    ),
    "ApexTestQueueItem": ("709", False, ("ApexClassId", "Status", "ExtendedStatus", "ParentJobId")),
    "ApexTestResult": (
        "07M",
        False,
        (
            "ApexClassId",
            "AsyncApexJobId",
            "MethodName",
            "Outcome",
            "Message",
            "StackTrace",
            "TestTimestamp:datetime",
        ),
    ),
    "AsyncApexJob": (
        "707",
        False,
        (
            *("ApexClassId", "CompletedDate:datetime", "ExtendedStatus", "JobItemsProcessed:int", "JobType"),
            *("MethodName", "NumberOfErrors:int", "Status", "TotalJobItems:int"),
        ),
    ),
    "StaticResource": (
        "081",
        False,
        ("NamespacePrefix", "Name", "ContentType", "BodyLength:int", "Description"),
    ),
    "ApexCodeCoverageAggregate": (
        "715",
        True,
        ("ApexClassOrTriggerId", "NumLinesCovered:int", "NumLinesUncovered:int"),
    ),
    "ApexOrgWideCoverage": ("716", True, ("PercentCovered:int",)),
    "AuraDefinitionBundle": (
        "0Ab",
        True,
        ("DeveloperName", "MasterLabel", "ApiVersion:double", "Description"),
    ),
    "LightningComponentBundle": (
        "0Rb",
        True,
        ("DeveloperName", "MasterLabel", "ApiVersion:double", "Description"),
    ),
    "TraceFlag": (
        "7tf",
        True,
        ("DebugLevelId", "ExpirationDate:datetime", "LogType", "StartDate:datetime", "TracedEntityId"),
    ),
    "DebugLevel": (
        "7dl",
        True,
        ("DeveloperName", "MasterLabel", "ApexCode", "System", "Visualforce", "Workflow"),
    ),
}


def _none(org: Org) -> Iterable[Record]:
    return ()


def _fields(names: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    own = (name.partition(":")[::2] for name in names)
    fields: dict[str, Mapping[str, Any]] = {"Id": {"type": "id"}}
    fields |= {name: {"type": type or "string"} for name, type in own}
    fields |= {name: {"type": "datetime"} for name in ("CreatedDate", "LastModifiedDate", "SystemModstamp")}
    return fields | {f"{name}Id": {**_USER, "relationship": name} for name in ("CreatedBy", "LastModifiedBy")}


for _name, (_prefix, _tooling, _names) in _OBJECTS.items():
    table(described(_name, _prefix, _fields(_names)), tooling=_tooling)(_none)
