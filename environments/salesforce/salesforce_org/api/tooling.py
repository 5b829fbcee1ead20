"""`/tooling`: objects of the Tooling API beside its queries.

What can be queried can be described and read here; components are written by `tooling_components`.
"""

from __future__ import annotations

from salesforce_org import soql
from salesforce_org.api import dml, query
from salesforce_org.api.apex import NOT_COMPILED
from salesforce_org.api.call import NOTHING, Call, Reply
from salesforce_org.api.describe import described, in_short
from salesforce_org.api.objects import all_objects as every_object
from salesforce_org.api.objects import any_object, names_in
from salesforce_org.api.routing import resource
from salesforce_org.store import SObject, ids
from salesforce_org.store.errors import NotThere


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
    id = dml.create(call.org, _kind(call), call.table())
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
    dml.change(call.org, _kind(call), _id(call), call.table())
    return NOTHING


@resource("DELETE", "/tooling/sobjects/{object}/{id}")
def delete(call: Call) -> Reply:
    """Delete a record or a component."""
    dml.remove(call.org, _kind(call), _id(call))
    return NOTHING


@resource("GET POST", "/tooling/executeAnonymous")
def execute(call: Call) -> Reply:
    """Answer that the code does not compile: there is no Apex here."""
    return Reply(NOT_COMPILED)


def _kind(call: Call) -> SObject:
    return any_object(call.org, call.params["object"], tooling=True)


def _id(call: Call) -> str:
    try:
        return ids.full(call.params["id"])
    except ValueError:
        raise NotThere(
            f"Provided external ID field does not exist or is not accessible: {call.params['id'][:80]}"
        ) from None
