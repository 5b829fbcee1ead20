"""Objects of Apex and its logs: known and empty, since no code is kept or run here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salesforce_org.soql.virtual import described, table
from salesforce_org.store import Org, Record

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
                "LogUserId:User",
                "Operation",
            ),
            *("Request", "StartTime:datetime", "Status"),
        ),
    ),
    "ApexTestQueueItem": (
        "709",
        False,
        ("ApexClassId:ApexClass", "Status", "ExtendedStatus", "ParentJobId:AsyncApexJob"),
    ),
    "ApexTestResult": (
        "07M",
        False,
        (
            "ApexClassId:ApexClass",
            "AsyncApexJobId:AsyncApexJob",
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
            *(
                "ApexClassId:ApexClass",
                "CompletedDate:datetime",
                "ExtendedStatus",
                "JobItemsProcessed:int",
                "JobType",
            ),
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
        ("ApexClassOrTriggerId:ApexClass", "NumLinesCovered:int", "NumLinesUncovered:int"),
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
        (
            "DebugLevelId:DebugLevel",
            "ExpirationDate:datetime",
            "LogType",
            "StartDate:datetime",
            "TracedEntityId:User",
        ),
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
    fields: dict[str, Mapping[str, Any]] = {"Id": {"type": "id"}}
    fields |= dict(_field(*name.partition(":")[::2]) for name in names)
    fields |= {name: {"type": "datetime"} for name in ("CreatedDate", "LastModifiedDate", "SystemModstamp")}
    return fields | dict(_field(name, "User") for name in ("CreatedById", "LastModifiedById"))


def _field(name: str, kind: str) -> tuple[str, Mapping[str, Any]]:
    """Return a field by its name and its type, or the object that it refers to."""
    if not kind[:1].isupper():
        return name, {"type": kind or "string"}
    return name, {"type": "reference", "to": [kind], "relationship": name.removesuffix("Id")}


for _name, (_prefix, _tooling, _names) in _OBJECTS.items():
    table(described(_name, _prefix, _fields(_names)), tooling=_tooling)(_none)
