"""`/tooling`: objects of the Tooling API beside its queries.

What can be queried can be described and read here. Objects that are written as components register functions of
their own:

    @tooling.writer("ValidationRule")
    class Writer: create(call, table) -> id, change(call, id, table), remove(call, id)
"""

from __future__ import annotations

from typing import Any, Protocol

from salesforce_org import soql
from salesforce_org.api import dml, query
from salesforce_org.api.call import NOTHING, ApiError, Call, Reply
from salesforce_org.api.describe import described, in_short
from salesforce_org.api.objects import all_objects as every_object
from salesforce_org.api.objects import any_object, names_in
from salesforce_org.api.routing import resource
from salesforce_org.store import SObject, ids
from salesforce_org.store.errors import NotThere


class Writer(Protocol):
    """Writes an object of the Tooling API that is not stored as records."""

    def create(self, call: Call, table: dict[str, Any]) -> str:
        """Make one and return its id."""

    def change(self, call: Call, id: str, table: dict[str, Any]) -> None:
        """Change one."""

    def remove(self, call: Call, id: str) -> None:
        """Delete one."""


WRITERS: dict[str, Writer] = {}


@resource("GET", "/tooling")
def resources(call: Call) -> Reply:
    """List what there is."""
    root = f"{call.root}/tooling"
    names = ("query", "sobjects", "executeAnonymous")
    return Reply({name: f"{root}/{name}" for name in names})


@resource("GET", "/tooling/sobjects")
def all_objects(call: Call) -> Reply:
    """List the objects that can be queried."""
    root = f"{call.root}/tooling"
    kinds = every_object(call.org, tooling=True)
    return Reply(
        {"encoding": "UTF-8", "maxBatchSize": 200, "sobjects": [in_short(one, root) for one in kinds]}
    )


@resource("GET", "/tooling/sobjects/{object}")
def one_object(call: Call) -> Reply:
    """Tell what an object is."""
    return Reply({"objectDescribe": in_short(_kind(call), f"{call.root}/tooling"), "recentItems": []})


@resource("GET", "/tooling/sobjects/{object}/describe")
def describe(call: Call) -> Reply:
    """Describe an object in full."""
    return Reply(described(call.org, _kind(call), f"{call.root}/tooling"))


@resource("POST", "/tooling/sobjects/{object}")
def create(call: Call) -> Reply:
    """Make a record or a component."""
    kind, table = _kind(call), call.table()
    writer = WRITERS.get(kind.name)
    id = writer.create(call, table) if writer else dml.create(call.org, kind, table)
    return Reply({"id": id, "success": True, "errors": [], "warnings": [], "infos": []}, 201)


@resource("GET", "/tooling/sobjects/{object}/{id}")
def read(call: Call) -> Reply:
    """Show a record or a component."""
    kind, id = _kind(call), _id(call)
    names = names_in(call.query.get("fields")) or [one.name for one in kind.fields]
    text = f"SELECT {', '.join(names)} FROM {kind.name} WHERE Id = '{id}'"  # noqa: S608 - no SQL, and an id by its shape
    found = soql.query(call.org, text, tooling=True)
    if not found.records:
        raise NotThere
    return Reply(query.plain(found, f"{call.root}/tooling")[0])


@resource("PATCH", "/tooling/sobjects/{object}/{id}")
def update(call: Call) -> Reply:
    """Change a record or a component."""
    kind, id = _kind(call), _id(call)
    writer = WRITERS.get(kind.name)
    if writer:
        writer.change(call, id, call.table())
    else:
        dml.change(call.org, kind, id, call.table())
    return NOTHING


@resource("DELETE", "/tooling/sobjects/{object}/{id}")
def delete(call: Call) -> Reply:
    """Delete a record or a component."""
    kind, id = _kind(call), _id(call)
    writer = WRITERS.get(kind.name)
    if writer:
        writer.remove(call, id)
    else:
        dml.remove(call.org, kind, id)
    return NOTHING


@resource("GET POST", "/tooling/executeAnonymous")
def execute(call: Call) -> Reply:
    """Refuse to run Apex: there is none here."""
    raise ApiError(
        403, "FUNCTIONALITY_NOT_ENABLED", "This org does not run Apex, so there is no anonymous execution"
    )


def _kind(call: Call) -> SObject:
    return any_object(call.org, call.params["object"], tooling=True)


def _id(call: Call) -> str:
    try:
        return ids.full(call.params["id"])
    except ValueError:
        raise NotThere(
            f"Provided external ID field does not exist or is not accessible: {call.params['id'][:80]}"
        ) from None
