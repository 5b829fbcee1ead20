"""`/services/async`: the older Bulk API, in JSON. Batches are done as soon as they are sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from salesforce_org import soql
from salesforce_org.api import query
from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.api.jobs import QUERIES, WRITES, Job, Jobs, write
from salesforce_org.api.routing import resource
from salesforce_org.store import ids
from salesforce_org.store.errors import OrgError

MOST_RECORDS = 10_000


@dataclass
class Batch:
    """One part of a job and what became of it; `answer` is what its result is."""

    id: str
    job: Job
    request: Any
    answer: list[Any] = field(default_factory=list)
    problem: str = ""


@dataclass
class AsyncJobs(Jobs):
    """Jobs and their batches by id."""

    batches: dict[str, Batch] = field(default_factory=dict)


@resource("POST", "/async/job")
def make(call: Call) -> Reply:
    """Make a job."""
    told = call.table()
    if str(told.get("contentType") or "JSON") != "JSON":
        raise ApiError(400, "InvalidJob", "contentType must be JSON")
    job = call.session.part(AsyncJobs).add(call, told, WRITES + QUERIES)
    return Reply(_info(call, job), 201)


@resource("POST", "/async/job/{id}")
def close(call: Call) -> Reply:
    """Close a job, or give it up."""
    job = call.session.part(AsyncJobs).find(call.params["id"])
    wanted = call.table().get("state")
    if wanted not in ("Closed", "Aborted"):
        raise ApiError(400, "InvalidJobState", "state must be Closed or Aborted")
    job.state = str(wanted)
    return Reply(_info(call, job))


@resource("GET", "/async/job/{id}")
def show(call: Call) -> Reply:
    """Tell how a job is getting on."""
    return Reply(_info(call, call.session.part(AsyncJobs).find(call.params["id"])))


@resource("POST", "/async/job/{id}/batch")
def add(call: Call) -> Reply:
    """Take a batch and do it."""
    jobs = call.session.part(AsyncJobs)
    job = jobs.find(call.params["id"])
    if job.state != "Open":
        raise ApiError(400, "InvalidJobState", f"A batch cannot be added to a job in the state {job.state}")
    jobs.made += 1
    batch = Batch(ids.make("751", jobs.made), job, None)
    if job.operation in QUERIES:
        _query(call, batch)
    else:
        _write(call, batch)
    jobs.batches[batch.id] = batch
    job.batches.append(batch.id)
    return Reply(_batch_info(call, batch), 201)


@resource("GET", "/async/job/{id}/batch")
def batches(call: Call) -> Reply:
    """List the batches of a job."""
    jobs = call.session.part(AsyncJobs)
    found = [_batch_info(call, jobs.batches[id]) for id in jobs.find(call.params["id"]).batches]
    return Reply({"batchInfo": found})


@resource("GET", "/async/job/{id}/batch/{batch}")
def batch_state(call: Call) -> Reply:
    """Tell how a batch is getting on."""
    return Reply(_batch_info(call, _batch(call)))


@resource("GET", "/async/job/{id}/batch/{batch}/request")
def batch_request(call: Call) -> Reply:
    """Return what was sent."""
    return Reply(_batch(call).request)


@resource("GET", "/async/job/{id}/batch/{batch}/result")
def batch_result(call: Call) -> Reply:
    """Return what became of each record, or the ids of a query's results."""
    batch = _batch(call)
    return Reply([_result_id(batch)] if batch.job.operation in QUERIES else batch.answer)


@resource("GET", "/async/job/{id}/batch/{batch}/result/{result}")
def query_result(call: Call) -> Reply:
    """Return the records that a query found."""
    batch = _batch(call)
    if call.params["result"] != _result_id(batch):
        raise ApiError(404, "InvalidResult", "There is no such result")
    return Reply(batch.answer)


def _query(call: Call, batch: Batch) -> None:
    batch.request = call.body.decode("utf-8", "replace")
    try:
        result = soql.query(call.org, batch.request, all_rows=batch.job.operation == "queryAll")
        batch.answer = query.plain(result, call.root)
    except OrgError as problem:
        batch.problem = f"InvalidBatch : {problem.code}: {problem.message}"


def _write(call: Call, batch: Batch) -> None:
    records = call.json()
    if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
        raise ApiError(400, "InvalidBatch", "A batch must be a list of JSON objects")
    if len(records) > MOST_RECORDS:
        raise ApiError(400, "ExceededQuota", f"A batch may have {MOST_RECORDS} records")
    batch.request = records
    batch.answer = [_outcome(one) for one in write(call.org, batch.job, records)]
    batch.job.results += batch.answer


def _outcome(one: dict[str, Any]) -> dict[str, Any]:
    errors = [{**error, "extendedErrorDetails": None} for error in one["errors"]]
    return {
        "success": one["success"],
        "created": one.get("created", False),
        "id": one.get("id"),
        "errors": errors,
    }


def _batch(call: Call) -> Batch:
    jobs = call.session.part(AsyncJobs)
    job = jobs.find(call.params["id"])
    found = next((id for id in job.batches if call.params["batch"] in (id, id[:15])), None)
    if found is None:
        raise ApiError(404, "InvalidBatch", "There is no such batch")
    return jobs.batches[found]


def _result_id(batch: Batch) -> str:
    return ids.full("752" + batch.id[3:15])


def _info(call: Call, job: Job) -> dict[str, Any]:
    done = len(job.batches)
    counts = {
        "numberBatchesQueued": 0,
        "numberBatchesInProgress": 0,
        "numberBatchesCompleted": done,
        "numberBatchesFailed": 0,
        "numberBatchesTotal": done,
        "numberRecordsProcessed": len(job.results),
        "numberRecordsFailed": job.failed,
        "numberRetries": 0,
    }
    return {
        "id": job.id,
        "operation": job.operation,
        "object": job.kind.name if job.kind else None,
        "createdById": job.user_id,
        "createdDate": job.created,
        "systemModstamp": job.created,
        "state": job.state,
        "externalIdFieldName": job.told.get("externalIdFieldName"),
        "concurrencyMode": "Parallel",
        "contentType": "JSON",
        "apiVersion": float(call.version),
        "totalProcessingTime": 0,
        **counts,
    }


def _batch_info(call: Call, batch: Batch) -> dict[str, Any]:
    writes = batch.job.operation in WRITES
    return {
        "id": batch.id,
        "jobId": batch.job.id,
        "state": "Failed" if batch.problem else "Completed",
        "stateMessage": batch.problem or None,
        "createdDate": batch.job.created,
        "systemModstamp": batch.job.created,
        "numberRecordsProcessed": len(batch.answer),
        "numberRecordsFailed": sum(not one["success"] for one in batch.answer) if writes else 0,
        "totalProcessingTime": 0,
        "apiActiveProcessingTime": 0,
        "apexProcessingTime": 0,
    }
