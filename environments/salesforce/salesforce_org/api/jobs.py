"""What the two Bulk interfaces share: jobs, and the writing of one record after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from salesforce_org.api import dml
from salesforce_org.api.call import ApiError, Call
from salesforce_org.api.collections import attempt
from salesforce_org.api.objects import in_bin
from salesforce_org.store import Org, SObject, ids
from salesforce_org.store.errors import OrgError
from salesforce_org.store.values import moment

WRITES = ("insert", "update", "upsert", "delete", "hardDelete")
QUERIES = ("query", "queryAll")


@dataclass
class Job:
    """A job of either interface.

    Attributes:
        told: What the tool said when it made the job.
        kind: What it writes; None for a query.
        key: Name of the field that an upsert finds records by.
        sent: The records that were sent, in order; `results` what became of each.
        batches: Ids of the batches of a job of the older interface.
    """

    id: str
    told: Mapping[str, Any]
    operation: str
    kind: SObject | None
    user_id: str
    created: str
    state: str = "Open"
    problem: str = ""
    sent: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    table: tuple[list[str], list[list[str]]] = field(default_factory=lambda: ([], []))
    batches: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        """The field by which an upsert finds records."""
        return str(self.told.get("externalIdFieldName") or "Id")

    @property
    def failed(self) -> int:
        """How many records were refused."""
        return sum(not one["success"] for one in self.results)


@dataclass
class Jobs:
    """All jobs of a session by id."""

    made: int = 0
    open: dict[str, Job] = field(default_factory=dict)

    def add(self, call: Call, told: Mapping[str, Any], allowed: Iterable[str]) -> Job:
        """Make a job.

        Raises:
            ApiError: It says what no job can do.
        """
        operation = str(told.get("operation"))
        if operation not in allowed:
            raise ApiError(400, "INVALIDJOB", f"operation must be one of: {', '.join(allowed)}")
        kind = None if operation in QUERIES and "object" not in told else _kind(call.org, told)
        if operation == "upsert" and kind is not None:
            dml.external_key(kind, str(told.get("externalIdFieldName", "")))
        self.made += 1
        id = ids.make("750", self.made)
        self.open[id] = Job(id, dict(told), operation, kind, call.user_id, moment(call.org.now))
        return self.open[id]

    def find(self, id: str) -> Job:
        """Return a job by its id of 15 or 18 characters.

        Raises:
            ApiError: No job has this id.
        """
        found = next((job for key, job in self.open.items() if id in (key, key[:15])), None)
        if found is None:
            raise ApiError(404, "NOT_FOUND", "The requested resource does not exist")
        return found


def unknown_column(job: Job, records: Iterable[Mapping[str, Any]]) -> str:
    """Return why records cannot be looked at because a column is no field of the job's object; else nothing."""
    assert job.kind is not None
    for name in dict.fromkeys(name for one in records for name in one if name not in ("attributes", "type")):
        head = name.partition(".")[0].partition(":")[0]
        if job.kind.field(name) is None and job.kind.parent(head) is None:
            return f"InvalidBatch : Field name not found : {name[:80]}"
    return ""


def write(org: Org, job: Job, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Do what a job says with each record, each wholly or not at all, and return what became of them."""
    return [attempt(org, lambda table=table: _one(org, job, table)) for table in records]  # type: ignore[misc]


def _kind(org: Org, told: Mapping[str, Any]) -> SObject:
    found = org.schema.get(str(told.get("object")))
    if found is None:
        raise ApiError(400, "INVALIDENTITY", f"The object {str(told.get('object'))[:80]} does not exist")
    return found


def _one(org: Org, job: Job, table: dict[str, Any]) -> dict[str, Any]:
    assert job.kind is not None
    id = next((str(value) for name, value in table.items() if name.casefold() == "id" and value), "")
    rest = {name: value for name, value in table.items() if name.casefold() != "id"}
    if job.operation == "insert":
        return _done(dml.create(org, job.kind, table if id else rest), created=True)
    if job.operation == "upsert":
        return _upserted(org, job, table)
    if not id:
        raise OrgError("MISSING_ARGUMENT", f"Id not specified in an {job.operation} call", ("Id",))
    _check_id(org, job, id)
    if job.operation == "update":
        dml.change(org, job.kind, id, rest)
    else:
        dml.remove(org, job.kind, id)
        if job.operation == "hardDelete":
            org.purge(ids.full(id))
    return _done(ids.full(id), created=False)


def _check_id(org: Org, job: Job, id: str) -> None:
    """Refuse an id as DML does, which has other words for it than a resource's address."""
    assert job.kind is not None
    try:
        whole = ids.full(id)
    except ValueError:
        wrong = f"{job.kind.label} ID: id value of incorrect type: {id[:40]}"
        told = wrong if job.operation == "update" else f"bad id {id[:40]}"
        raise OrgError("MALFORMED_ID", told, ("Id",)) from None
    if org.get(job.kind.name, whole) is None and not in_bin(org, whole):
        raise OrgError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id")


def _upserted(org: Org, job: Job, table: dict[str, Any]) -> dict[str, Any]:
    assert job.kind is not None
    key = dml.external_key(job.kind, job.key)
    value = next(
        (str(one) for name, one in table.items() if name.casefold() == key.name.casefold() and one), ""
    )
    if not value and key.name != "Id":
        raise OrgError("MISSING_ARGUMENT", f"{key.name} not specified", (key.name,))
    id, created = dml.upsert(org, job.kind, key, value, table)
    return _done(id, created=created)


def _done(id: str, *, created: bool) -> dict[str, Any]:
    return {"success": True, "created": created, "id": id, "errors": []}
