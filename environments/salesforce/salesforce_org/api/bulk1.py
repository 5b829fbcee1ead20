"""`/services/async`: the older Bulk API, in XML, CSV and JSON. Batches are done as soon as they are sent.

Jobs and batches are told in JSON where the request is in JSON, else in XML; records are in the job's content type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from salesforce_org import soql
from salesforce_org.api import async_xml, query, tables
from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.api.jobs import QUERIES, WRITES, Job, Jobs, unknown_column, write
from salesforce_org.api.routing import resource
from salesforce_org.metadata.listing import zulu
from salesforce_org.soql.result import Result
from salesforce_org.store import ids
from salesforce_org.store.errors import OrgError

MOST_RECORDS = 10_000
CONTENT_TYPES = {
    "XML": "application/xml",
    "CSV": "text/csv",
    "JSON": "application/json",
}  # as they are, no charset
NO_RECORDS = "Records not found for this query"


@dataclass
class Batch:
    """One part of a job and what became of it: the outcomes of records, or what a query found."""

    id: str
    job: Job
    request: bytes
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    found: Result | None = None
    problem: str = ""


@dataclass
class AsyncJobs(Jobs):
    """Jobs and their batches by id."""

    batches: dict[str, Batch] = field(default_factory=dict)


@resource("POST", "/async/job")
def make(call: Call) -> Reply:
    """Make a job."""
    told = _told_job(call)
    content = str(told.get("contentType") or "XML").upper()
    if content.startswith("ZIP_"):
        raise ApiError(400, "FeatureNotEnabled", "Binary attachments are not supported")
    if content not in CONTENT_TYPES:
        raise ApiError(400, "InvalidJob", f"Unsupported content type: {content}")
    if told.get("operation") == "upsert" and not told.get("externalIdFieldName"):
        raise ApiError(400, "InvalidJob", "External ID was blank for Upsert job")
    if not told.get("object"):
        raise ApiError(400, "InvalidJob", "Object is required")
    job = call.session.part(AsyncJobs).add(call, {**told, "contentType": content}, WRITES + QUERIES)
    return _reply(call.headers, "jobInfo", _info(call, job), 201)


@resource("POST", "/async/job/{id}")
def close(call: Call) -> Reply:
    """Close a job, or give it up."""
    job = _job(call)
    wanted = _told_job(call).get("state")
    if wanted not in ("Closed", "Aborted"):
        raise ApiError(400, "InvalidJobState", "state must be Closed or Aborted")
    if job.state != "Open":
        raise ApiError(400, "InvalidJobState", f"Closing already {job.state.lower()} Job not allowed")
    job.state = str(wanted)
    return _reply(call.headers, "jobInfo", _info(call, job))


@resource("GET", "/async/job/{id}")
def show(call: Call) -> Reply:
    """Tell how a job is getting on."""
    job = _job(call)
    return _reply(call.headers, "jobInfo", _info(call, job), job=job)


@resource("POST", "/async/job/{id}/batch")
def add(call: Call) -> Reply:
    """Take a batch and do it."""
    jobs, job = call.session.part(AsyncJobs), _job(call)
    if job.state != "Open":
        raise ApiError(400, "InvalidJobState", f"Unable to create batch: Job is in the state {job.state}")
    _check_type(call, job)
    jobs.made += 1
    batch = Batch(ids.make("751", jobs.made), job, call.body)
    if job.operation in QUERIES:
        _query(call, batch)
    else:
        _write(call, batch)
    jobs.batches[batch.id] = batch
    job.batches.append(batch.id)
    return _reply(call.headers, "batchInfo", _batch_info(batch), 201, job=job)


@resource("GET", "/async/job/{id}/batch")
def batches(call: Call) -> Reply:
    """List the batches of a job."""
    jobs, job = call.session.part(AsyncJobs), _job(call)
    found = [_batch_info(jobs.batches[id]) for id in job.batches]
    return _reply(call.headers, "batchInfoList", {"batchInfo": found}, job=job)


@resource("GET", "/async/job/{id}/batch/{batch}")
def batch_state(call: Call) -> Reply:
    """Tell how a batch is getting on."""
    batch = _batch(call)
    return _reply(call.headers, "batchInfo", _batch_info(batch), job=batch.job)


@resource("GET", "/async/job/{id}/batch/{batch}/request")
def batch_request(call: Call) -> Reply:
    """Return what was sent."""
    batch = _batch(call)
    return _typed(batch.request, _content(batch.job))


@resource("GET", "/async/job/{id}/batch/{batch}/result")
def batch_result(call: Call) -> Reply:
    """Return what became of each record, or the ids of a query's results."""
    batch = _batch(call)
    content = _content(batch.job)
    if batch.job.operation in QUERIES:
        if batch.problem:
            raise ApiError(400, "InvalidBatch", batch.problem)
        wanted = [_result_id(batch)]
        return _typed(wanted, "JSON") if content == "JSON" else _typed(async_xml.result_list(wanted), "XML")
    if batch.problem:
        raise ApiError(400, "InvalidBatch", "Records not processed")
    if content == "JSON":
        return _typed(batch.outcomes, content)
    if content == "XML":
        return _typed(async_xml.outcomes(batch.outcomes), content)
    rows = [
        [one["id"] or "", *(str(one[name]).lower() for name in ("success", "created")), _error(one)]
        for one in batch.outcomes
    ]
    return _typed(tables.text(["Id", "Success", "Created", "Error"], rows, {}), content)


@resource("GET", "/async/job/{id}/batch/{batch}/result/{result}")
def query_result(call: Call) -> Reply:
    """Return the records that a query found."""
    batch = _batch(call)
    if batch.found is None or call.params["result"] not in (_result_id(batch), _result_id(batch)[:15]):
        raise ApiError(400, "InvalidBatch", f"Result not found: {call.params['result'][:18]}")
    content = _content(batch.job)
    if content == "JSON":
        return _typed(query.plain(batch.found, f"/services/data/v{call.version}"), content)
    if content == "XML":
        return _typed(async_xml.records(batch.found), content)
    header, rows = tables.flat(batch.found)
    return _typed(tables.text(header, rows, {}) if rows else NO_RECORDS, content)


def _typed(body: Any, content: str, status: int = 200) -> Reply:
    return Reply(body, status, {"Content-Type": CONTENT_TYPES[content]})


def refused(headers: Mapping[str, str], problem: OrgError, status: int) -> Reply:
    """Return a refusal in this interface's words, as JSON or XML."""
    message = "Invalid session id" if problem.code == "INVALID_SESSION_ID" else problem.message
    told = {"exceptionCode": _CODES.get(problem.code, problem.code), "exceptionMessage": message}
    return _reply(headers, "error", told, status)


_CODES = {
    "INVALID_SESSION_ID": "InvalidSessionId",
    "INVALIDBATCH": "InvalidBatch",
    "INVALIDENTITY": "InvalidEntity",
    "INVALIDJOB": "InvalidJob",
    "JSON_PARSER_ERROR": "InvalidBatch",
    "METHOD_NOT_ALLOWED": "InvalidUrl",
    "NOT_FOUND": "InvalidUrl",
    "UNKNOWN_EXCEPTION": "Unknown",
}


def _reply(
    headers: Mapping[str, str], name: str, told: dict[str, Any], status: int = 200, job: Job | None = None
) -> Reply:
    asked = headers.get("content-type") or headers.get("accept", "")
    if "json" in asked or ("xml" not in asked and job is not None and _content(job) == "JSON"):
        return _typed(told, "JSON", status)
    return _typed(async_xml.document(name, told), "XML", status)


def _told_job(call: Call) -> dict[str, Any]:
    return (
        call.table()
        if "json" in call.headers.get("content-type", "")
        else async_xml.table(call.body, "jobInfo")
    )


def _content(job: Job) -> str:
    return str(job.told["contentType"])


def _check_type(call: Call, job: Job) -> None:
    """Refuse a batch that says that it is something else than its job."""
    told = call.headers.get("content-type", "").casefold()
    wrong = {"XML": ("csv", "json"), "CSV": ("xml", "json"), "JSON": ("csv", "xml")}[_content(job)]
    if any(name in told for name in wrong):
        message = f"Unable to create batch: content type {told} does not match the job's {_content(job)}"
        raise ApiError(400, "InvalidBatch", message)


def _query(call: Call, batch: Batch) -> None:
    text = batch.request.decode("utf-8", "replace")
    try:
        found = soql.query(call.org, text, all_rows=batch.job.operation == "queryAll")
        if any(one.type == "address" for one in found.columns):
            raise OrgError("FUNCTIONALITY_NOT_ENABLED", "Selecting compound data not supported in Bulk Query")
        kind = batch.job.kind
        if kind and found.object != kind.name:
            told = (
                f"The root entity of the requested query ({found.object}) does not match the entity of the "
                f"requested Bulk API Job ({kind.name})."
            )
            raise OrgError("INVALID_TYPE_FOR_OPERATION", told)
        batch.found = found
    except OrgError as problem:
        batch.problem = f"InvalidBatch : Failed to process query: {problem.code}: {problem.message}"


def _write(call: Call, batch: Batch) -> None:
    records = _sent(call, batch)
    if len(records) > MOST_RECORDS:
        raise ApiError(400, "ExceededQuota", f"A batch may have {MOST_RECORDS} records")
    batch.problem = unknown_column(batch.job, records)
    if batch.problem:
        return
    if _content(batch.job) == "CSV":
        records = [tables.given(one) for one in records]
    batch.outcomes = [_outcome(one) for one in write(call.org, batch.job, records)]
    batch.job.results += batch.outcomes


def _sent(call: Call, batch: Batch) -> list[dict[str, Any]]:
    content = _content(batch.job)
    if content == "CSV":
        return tables.read(batch.request, ",")
    if content == "XML":
        return async_xml.sent(batch.request)
    records = call.json()
    if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
        raise ApiError(400, "InvalidBatch", "A batch must be a list of JSON objects")
    return records


def _outcome(one: dict[str, Any]) -> dict[str, Any]:
    errors = [{**error, "extendedErrorDetails": None} for error in one["errors"]]
    return {
        "success": one["success"],
        "created": one.get("created", False),
        "id": one.get("id"),
        "errors": errors,
    }


def _error(one: dict[str, Any]) -> str:
    told = (f"{each['statusCode']}:{each['message']}:{','.join(each['fields'])} --" for each in one["errors"])
    return ";".join(told)


def _job(call: Call) -> Job:
    try:
        return call.session.part(AsyncJobs).find(call.params["id"])
    except ApiError:
        raise ApiError(400, "InvalidJob", f"Unable to find job with id: {call.params['id'][:18]}") from None


def _batch(call: Call) -> Batch:
    job = _job(call)
    found = next((id for id in job.batches if call.params["batch"] in (id, id[:15])), None)
    if found is None:
        raise ApiError(400, "InvalidBatch", f"Unable to find batch with id: {call.params['batch'][:18]}")
    return call.session.part(AsyncJobs).batches[found]


def _result_id(batch: Batch) -> str:
    return ids.full("752" + batch.id[3:15])


def _info(call: Call, job: Job) -> dict[str, Any]:
    made = call.session.part(AsyncJobs).batches
    done, failed = len(job.batches), sum(bool(made[id].problem) for id in job.batches)
    return {
        "id": job.id,
        "operation": job.operation,
        "object": job.kind.name if job.kind else None,
        "createdById": job.user_id,
        "createdDate": zulu(job.created),
        "systemModstamp": zulu(job.created),
        "state": job.state,
        "externalIdFieldName": job.told.get("externalIdFieldName"),
        "concurrencyMode": job.told.get("concurrencyMode") or "Parallel",
        "contentType": _content(job),
        "numberBatchesQueued": 0,
        "numberBatchesInProgress": 0,
        "numberBatchesCompleted": done - failed,
        "numberBatchesFailed": failed,
        "numberBatchesTotal": done,
        "numberRecordsProcessed": sum(_processed(made[id]) for id in job.batches),
        "numberRetries": 0,
        "apiVersion": float(call.version),
        "numberRecordsFailed": job.failed,
        **dict.fromkeys(("totalProcessingTime", "apiActiveProcessingTime", "apexProcessingTime"), 0),
    }


def _processed(batch: Batch) -> int:
    return len(batch.found.records) if batch.found else len(batch.outcomes)


def _batch_info(batch: Batch) -> dict[str, Any]:
    return {
        "id": batch.id,
        "jobId": batch.job.id,
        "state": "Failed" if batch.problem else "Completed",
        "stateMessage": batch.problem or None,
        "createdDate": zulu(batch.job.created),
        "systemModstamp": zulu(batch.job.created),
        "numberRecordsProcessed": _processed(batch),
        "numberRecordsFailed": sum(not one["success"] for one in batch.outcomes),
        **dict.fromkeys(("totalProcessingTime", "apiActiveProcessingTime", "apexProcessingTime"), 0),
    }
