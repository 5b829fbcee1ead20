"""What belongs to no object: the list of resources, limits, what was looked at last, the apps."""

from __future__ import annotations

from typing import Any

from salesforce_org.api.call import Call, Reply
from salesforce_org.api.limits import CALLS_A_DAY
from salesforce_org.api.objects import attributes
from salesforce_org.api.routing import resource
from salesforce_org.store import SObject

_NAMES = (
    *("analytics", "appMenu", "compactLayouts", "composite", "jobs", "limits", "parameterizedSearch"),
    *(
        "process",
        "query",
        "queryAll",
        "quickActions",
        "recent",
        "search",
        "sobjects",
        "tabs",
        "theme",
        "tooling",
    ),
    "ui-api",
)
_LIMITS = {
    "AnalyticsExternalDataSizeMB": 40_960,
    "ConcurrentAsyncGetReportInstances": 200,
    "ConcurrentSyncReportRuns": 20,
    "DailyAnalyticsDataflowJobExecutions": 60,
    "DailyAsyncApexExecutions": 250_000,
    "DailyAsyncApexTests": 500,
    "DailyBulkApiBatches": 15_000,
    "DailyBulkV2QueryFileStorageMB": 976_562,
    "DailyBulkV2QueryJobs": 10_000,
    "DailyDurableGenericStreamingApiEvents": 10_000,
    "DailyDurableStreamingApiEvents": 10_000,
    "DailyGenericStreamingApiEvents": 10_000,
    "DailyScratchOrgs": 6,
    "DailyStandardVolumePlatformEvents": 10_000,
    "DailyStreamingApiEvents": 10_000,
    "DailyWorkflowEmails": 100_000,
    "DurableStreamingApiConcurrentClients": 20,
    "FileStorageMB": 20_480,
    "HourlyAsyncReportRuns": 1_200,
    "HourlyDashboardRefreshes": 200,
    "HourlyDashboardResults": 5_000,
    "HourlyDashboardStatuses": 999_999_999,
    "HourlyODataCallout": 1_000,
    "HourlySyncReportRuns": 500,
    "HourlyTimeBasedWorkflow": 1_000,
    "MassEmail": 5_000,
    "MonthlyPlatformEventsUsageEntitlement": 0,
    "Package2VersionCreates": 6,
    "PermissionSets": 1_500,
    "SingleEmail": 5_000,
    "StreamingApiConcurrentClients": 20,
}
STORAGE_MB, KILOBYTES_A_RECORD = 5_120, 2


@resource("GET", "")
def resources(call: Call) -> Reply:
    """List the resources of a version."""
    about = {"identity": f"{call.origin}/id/{call.session.org_id}/{call.user_id}"}
    return Reply({name: f"{call.root}/{name}" for name in _NAMES} | about)


@resource("GET", "/limits")
def limits(call: Call) -> Reply:
    """Tell how much of what may be used, and how much is left."""
    left = CALLS_A_DAY - len(call.session.calls.entries)
    stored = sum(
        len(rows) for name, rows in call.org.collections().items() if name in call.org.schema.objects
    )
    told = {name: {"Max": most, "Remaining": most} for name, most in _LIMITS.items()}
    told["DailyApiRequests"] = {"Max": CALLS_A_DAY, "Remaining": max(left, 0)}
    told["DataStorageMB"] = {"Max": STORAGE_MB, "Remaining": STORAGE_MB - stored * KILOBYTES_A_RECORD // 1024}
    sets = sum(1 for _ in call.org.rows("PermissionSet"))
    told["PermissionSets"] = {
        "Max": told["PermissionSets"]["Max"],
        "Remaining": told["PermissionSets"]["Max"] - sets,
    }
    return Reply(dict(sorted(told.items())))


@resource("GET", "/limits/recordCount")
def record_count(call: Call) -> Reply:
    """Tell how many records objects have: those of `?sObjects=Account,Contact`, or all."""
    asked = [one.strip() for one in call.query.get("sObjects", "").split(",") if one.strip()]
    kinds = (
        [one for name in asked if (one := call.org.schema.get(name))]
        if asked
        else call.org.schema.objects.values()
    )
    told = [{"count": sum(1 for _ in call.org.rows(one.name)), "name": one.name} for one in kinds]
    return Reply({"sObjects": told})


@resource("GET", "/recent")
def recent(call: Call) -> Reply:
    """List the records that the acting user looked at last in a browser, newest first."""
    logins = [one for one in call.session.logins.values() if one.user_id == call.user_id]
    seen = list(dict.fromkeys(id for one in logins for id in one.recent))
    shown = [told for id in seen if (told := _short(call, id))]
    return Reply(shown[: call.number("limit", len(shown))])


def _short(call: Call, id: str) -> dict[str, Any] | None:
    kind: SObject | None = call.org.schema.of_id(id)
    if kind is None or call.org.get(kind.name, id) is None:
        return None
    return {"attributes": attributes(kind, id, call.root), "Id": id, "Name": call.org.name_of(id)}
