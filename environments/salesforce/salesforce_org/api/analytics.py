"""`/analytics`: descriptions of reports and dashboards.

What stands behind a report or a dashboard registers here; until then there is none to describe.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salesforce_org.api.call import NOTHING, ApiError, Call, Reply
from salesforce_org.api.routing import resource
from salesforce_org.store import Record, ids

Describe = Callable[[Call, Record], dict[str, Any]]
DESCRIBERS: dict[str, Describe] = {}
_OBJECTS = {"reports": "Report", "dashboards": "Dashboard"}


def describer(object: str) -> Callable[[Describe], Describe]:
    """Register the function that describes the records of `Report` or `Dashboard`."""

    def register(describe: Describe) -> Describe:
        DESCRIBERS[object] = describe
        return describe

    return register


@resource("GET", "/analytics/{which}")
def listed(call: Call) -> Reply:
    """List reports or dashboards."""
    object = _object(call)
    titled = "Title" if object == "Dashboard" else "Name"
    root = f"{call.root}/analytics/{call.params['which']}"
    return Reply(
        [
            {
                "id": row["Id"],
                "name": row.get(titled),
                "url": f"{root}/{row['Id']}",
                "describeUrl": f"{root}/{row['Id']}/describe",
            }
            for row in call.org.rows(object)
        ]
    )


@resource("GET", "/analytics/{which}/{id}/describe")
def describe(call: Call) -> Reply:
    """Describe one."""
    object = _object(call)
    row = _row(call, object)
    if object not in DESCRIBERS:
        raise _missing(call)
    return Reply(DESCRIBERS[object](call, row))


@resource("DELETE", "/analytics/{which}/{id}")
def delete(call: Call) -> Reply:
    """Delete one."""
    call.org.delete(_row(call, _object(call))["Id"])
    return NOTHING


def _object(call: Call) -> str:
    object = _OBJECTS.get(call.params["which"])
    if object is None or call.org.schema.get(object) is None:
        raise _missing(call)
    return object


def _row(call: Call, object: str) -> Record:
    try:
        row = call.org.get(object, ids.full(call.params["id"]))
    except ValueError:
        row = None
    if row is None:
        raise _missing(call)
    return row


def _missing(call: Call) -> ApiError:
    return ApiError(404, "NOT_FOUND", "The data you're trying to access is unavailable.")
