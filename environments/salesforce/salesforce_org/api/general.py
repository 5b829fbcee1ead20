"""What belongs to no object: the list of resources, limits, what was looked at last, the apps."""

from __future__ import annotations

from typing import Any

from salesforce_org.api.call import Call, Reply
from salesforce_org.api.limits import CALLS_A_DAY
from salesforce_org.api.objects import attributes
from salesforce_org.api.routing import resource
from salesforce_org.store import SObject

_NAMES = (
    *("analytics", "composite", "jobs", "limits", "parameterizedSearch", "query", "queryAll"),
    *("recent", "search", "sobjects", "tooling"),
)
_LIMITS = {
    "DailyBulkApiBatches": 15_000,
    "DailyBulkV2QueryJobs": 10_000,
    "DataStorageMB": 5_120,
    "FileStorageMB": 20_480,
    "HourlyODataCallout": 1_000,
    "MassEmail": 5_000,
    "SingleEmail": 5_000,
}


@resource("GET", "")
def resources(call: Call) -> Reply:
    """List the resources of a version."""
    about = {"identity": f"{call.origin}/id/{call.session.org_id}/{call.user_id}"}
    return Reply({name: f"{call.root}/{name}" for name in _NAMES} | about)


@resource("GET", "/limits")
def limits(call: Call) -> Reply:
    """Tell how much of what may be used, and how much is left."""
    left = CALLS_A_DAY - len(call.session.calls.entries)
    told = {name: {"Max": most, "Remaining": most} for name, most in _LIMITS.items()}
    return Reply({"DailyApiRequests": {"Max": CALLS_A_DAY, "Remaining": max(left, 0)}, **told})


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
