"""The partner interface's reading of records: queries in batches, searches, ids, and what changed in a time."""

from __future__ import annotations

from salesforce_org import soql
from salesforce_org.api import changes
from salesforce_org.api.objects import names_in
from salesforce_org.api.query import Cursors
from salesforce_org.api.soap import SoapCall, text
from salesforce_org.api.soap_partner import full_id, operation
from salesforce_org.api.soap_records import batch, found, object_named, shown
from salesforce_org.metadata.listing import zulu
from salesforce_org.store import SObject
from salesforce_org.store.errors import OrgError


@operation("query")
def query(call: SoapCall) -> str:
    """Answer a query."""
    return call.result(found(call, soql.query(call.org, _text_of_query(call), tooling=call.letter == "T")))


@operation("queryAll")
def query_all(call: SoapCall) -> str:
    """Answer a query that also finds what is in the recycle bin."""
    tooling = call.letter == "T"
    return call.result(
        found(call, soql.query(call.org, _text_of_query(call), all_rows=not tooling, tooling=tooling))
    )


@operation("queryMore")
def query_more(call: SoapCall) -> str:
    """Return the next batch of a query's result."""
    id, _, start = text(call.envelope.body, "queryLocator").strip().partition("-")
    kept = call.session.part(Cursors).open.get(id)
    if kept is None or not start.isdecimal():
        raise OrgError("INVALID_QUERY_LOCATOR", "invalid query locator")
    return call.result(batch(call, kept[0], int(start), id))


@operation("search")
def search(call: SoapCall) -> str:
    """Answer a search in SOSL."""
    results = soql.find(call.org, text(call.envelope.body, "searchString"))
    return call.result(
        {"searchRecords": [{"record": shown(call, row)} for one in results for row in one.records]}
    )


@operation("retrieve")
def retrieve(call: SoapCall) -> str:
    """Return the records of ids in their order; nil for a missing one."""
    body = call.envelope.body
    kind = object_named(call, text(body, "sObjectType"))
    names = [
        "Id",
        *(name for name in (names_in(text(body, "fieldList")) or ()) if name.strip().casefold() != "id"),
    ]
    wanted = [full_id(one) for one in call.texts("ids")]
    asked = f"SELECT {', '.join(names)} FROM {kind.name} WHERE Id IN ({', '.join(map(repr, wanted))})"  # noqa: S608
    rows = (
        {row.id: row for row in soql.query(call.org, asked, tooling=call.letter == "T").records}
        if wanted
        else {}
    )
    return call.result(*(shown(call, rows[id]) if id in rows else None for id in wanted))


@operation("getUpdated")
def updated(call: SoapCall) -> str:
    """List the ids of records that changed in a time."""
    found, until = changes.updated(call.org, *_watched(call))
    return call.result({"ids": found, "latestDateCovered": zulu(until)})


@operation("getDeleted")
def deleted(call: SoapCall) -> str:
    """List the ids of records that were deleted in a time."""
    kind, start, end = _watched(call)
    found = [
        {"deletedDate": zulu(str(one["deletedDate"])), "id": one["id"]}
        for one in changes.deleted(call.org, kind, start, end)
    ]
    until = {"earliestDateAvailable": zulu(start), "latestDateCovered": zulu(end)}
    return call.result({"deletedRecords": found, **until})


def _watched(call: SoapCall) -> tuple[SObject, str, str]:
    body = call.envelope.body
    kind = object_named(call, text(body, "sObjectType"))
    return kind, *changes.span(text(body, "startDate"), text(body, "endDate"))


def _text_of_query(call: SoapCall) -> str:
    return text(call.envelope.body, "queryString")
