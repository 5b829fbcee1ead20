"""`/query` and `/queryAll`: what a query finds, in batches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from salesforce_org import soql
from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.api.routing import resource
from salesforce_org.soql.result import Result, Row
from salesforce_org.store import ids

LARGEST_BATCH, SMALLEST_BATCH = 2000, 200
MOST_CURSORS = 10
_BATCH_SIZE = re.compile(r"batchSize\s*=\s*([0-9]{1,6})", re.IGNORECASE)
_LOCATOR = re.compile(r"(01g\w{15})-([0-9]{1,9})")


@dataclass
class Cursors:
    """Results of which a tool has not fetched the end, by id; the oldest go when there are too many."""

    made: int = 0
    open: dict[str, tuple[list[dict[str, Any]], int]] = field(default_factory=dict)

    def keep(self, records: list[dict[str, Any]], size: int) -> str:
        """Keep records to be fetched in batches of a size, and return the cursor's id."""
        self.made += 1
        id = ids.make("01g", self.made)
        self.open[id] = records, size
        while len(self.open) > MOST_CURSORS:
            del self.open[next(iter(self.open))]
        return id


@resource("GET", "/query")
def query(call: Call) -> Reply:
    """Answer a query."""
    return _asked(call, f"{call.root}/query", all_rows=False, tooling=False)


@resource("GET", "/queryAll")
def query_all(call: Call) -> Reply:
    """Answer a query that also finds what is in the recycle bin."""
    return _asked(call, f"{call.root}/queryAll", all_rows=True, tooling=False)


@resource("GET", "/tooling/query")
@resource("GET", "/tooling/queryAll")
def tooling_query(call: Call) -> Reply:
    """Answer a query for metadata."""
    return _asked(call, f"{call.root}/tooling/query", all_rows=False, tooling=True)


@resource("GET", "/query/{locator}")
@resource("GET", "/queryAll/{locator}")
@resource("GET", "/tooling/query/{locator}")
def further(call: Call) -> Reply:
    """Return the next batch of a result."""
    found = _LOCATOR.fullmatch(call.params["locator"])
    cursors = call.session.part(Cursors).open
    if found is None or found[1] not in cursors:
        raise ApiError(400, "INVALID_QUERY_LOCATOR", "invalid query locator")
    records, size = cursors[found[1]]
    parent = f"{call.root}{call.path.rpartition('/')[0]}"
    return Reply(_batch(records, found[1], int(found[2]), size, parent))


def plain(result: Result, root: str) -> list[dict[str, Any]]:
    """Return the records of a result as JSON."""
    return [_record(row, root) for row in result.records]


def found(result: Result, root: str) -> dict[str, Any]:
    """Return a result as JSON, all in one batch."""
    return {"totalSize": result.total, "done": True, "records": plain(result, root)}


def _asked(call: Call, address: str, *, all_rows: bool, tooling: bool) -> Reply:
    text = call.query.get("q")
    if not text:
        if call.query.get("explain"):
            raise ApiError(400, "UNSUPPORTED_QUERY", "Queries are not explained here")
        raise ApiError(400, "MALFORMED_QUERY", "A query string has to be specified")
    result = soql.query(call.org, text, all_rows=all_rows, tooling=tooling)
    if call.query.get("columns", "").casefold() == "true":
        return Reply(result.columns_to_json())
    root = f"{call.root}/tooling" if tooling else call.root
    records, size = plain(result, root), _batch_size(call)
    whole = {"size": len(records), "queryLocator": None, "entityTypeName": result.object} if tooling else {}
    if len(records) <= size:
        return Reply({**whole, "totalSize": result.total, "done": True, "records": records})
    return Reply(
        {**whole, **_batch(records, call.session.part(Cursors).keep(records, size), 0, size, address)}
    )


def _batch_size(call: Call) -> int:
    wanted = _BATCH_SIZE.search(call.headers.get("sforce-query-options", ""))
    return max(SMALLEST_BATCH, min(int(wanted[1]), LARGEST_BATCH)) if wanted else LARGEST_BATCH


def _batch(records: Sequence[dict[str, Any]], id: str, start: int, size: int, address: str) -> dict[str, Any]:
    end = start + size
    told: dict[str, Any] = {"totalSize": len(records), "done": end >= len(records)}
    if end < len(records):
        told["nextRecordsUrl"] = f"{address}/{id}-{end}"
    return {**told, "records": list(records[start:end])}


def _record(row: Row, root: str) -> dict[str, Any]:
    told: dict[str, Any] = {"type": row.object}
    if row.id:
        told["url"] = f"{root}/sobjects/{row.object}/{row.id}"
    return {"attributes": told, **{name: _value(value, root) for name, value in row.items()}}


def _value(value: Any, root: str) -> Any:
    if isinstance(value, Row):
        return _record(value, root)
    if isinstance(value, Result):
        return found(value, root) if value.records else None
    return value
