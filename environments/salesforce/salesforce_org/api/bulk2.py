"""`/jobs/ingest` and `/jobs/query`: Bulk API 2.0. Jobs are done as soon as they are complete."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from salesforce_org import soql
from salesforce_org.api import tables
from salesforce_org.api.call import NOTHING, ApiError, Call, Reply
from salesforce_org.api.jobs import QUERIES, WRITES, Job, Jobs, unknown_column, write
from salesforce_org.api.routing import resource

CSV = "text/csv;charset=UTF-8"
MOST_RECORDS = 50_000


class Ingests(Jobs):
    """The jobs that write."""


class Extracts(Jobs):
    """The jobs that query."""


@resource("POST", "/jobs/ingest")
def make_ingest(call: Call) -> Reply:
    """Make a job that writes."""
    told = call.table()
    if str(told.get("contentType") or "CSV") != "CSV":
        raise ApiError(400, "INVALIDJOB", "contentType must be CSV")
    tables.delimiter(told)
    return Reply(_ingest_info(call, call.session.part(Ingests).add(call, told, WRITES)))


@resource("GET", "/jobs/ingest")
def ingests(call: Call) -> Reply:
    """List the jobs that write."""
    return _listed(_ingest_info(call, job) for job in call.session.part(Ingests).open.values())


@resource("PUT", "/jobs/ingest/{id}/batches")
def upload(call: Call) -> Reply:
    """Take the records of a job."""
    job = _ingest(call)
    if job.state != "Open" or job.sent:
        raise ApiError(400, "INVALIDJOBSTATE", f"Data cannot be added to a job in the state {job.state}")
    job.sent = tables.read(call.body, tables.delimiter(job.told))
    return Reply(status=201)


@resource("PATCH", "/jobs/ingest/{id}")
def close_ingest(call: Call) -> Reply:
    """Do the job, or give it up."""
    job = _ingest(call)
    wanted = call.table().get("state")
    if wanted not in ("UploadComplete", "Aborted") or job.state != "Open":
        raise ApiError(400, "INVALIDJOBSTATE", f"A job in the state {job.state} cannot become {wanted}")
    if wanted == "UploadComplete":
        job.problem = unknown_column(job, job.sent)
        records = [] if job.problem else job.sent
        job.results = write(call.org, job, [tables.given(record) for record in records])
    job.state = str(wanted)
    told = _ingest_info(call, job)
    done = "Failed" if job.problem else "JobComplete"
    job.state = done if wanted == "UploadComplete" else "Aborted"
    return Reply(told)


@resource("GET", "/jobs/ingest/{id}")
def ingest(call: Call) -> Reply:
    """Tell how a job is getting on."""
    job = _ingest(call)
    counts = {"numberRecordsProcessed": len(job.results), "numberRecordsFailed": job.failed}
    times = dict.fromkeys(
        ("retries", "totalProcessingTime", "apiActiveProcessingTime", "apexProcessingTime"), 0
    )
    return Reply({**_ingest_info(call, job), **times, **counts, "jobType": "V2Ingest"})


@resource("DELETE", "/jobs/ingest/{id}")
def forget_ingest(call: Call) -> Reply:
    """Forget a job."""
    job = _ingest(call)
    if job.state == "Open":
        raise ApiError(400, "INVALIDJOBSTATE", "A job that is still open cannot be deleted")
    del call.session.part(Ingests).open[job.id]
    return NOTHING


@resource("GET", "/jobs/ingest/{id}/successfulResults")
def successful(call: Call) -> Reply:
    """Return the records that were written."""
    job = _ingest(call)
    pairs = (
        [(one, sent) for one, sent in zip(job.results, job.sent, strict=True) if one["success"]]
        if job.results
        else []
    )
    rows = [[one["id"], str(one["created"]).lower(), *sent.values()] for one, sent in pairs]
    return Reply(tables.text(["sf__Id", "sf__Created", *_header(job)], rows, job.told), media_type=CSV)


@resource("GET", "/jobs/ingest/{id}/failedResults")
def failed(call: Call) -> Reply:
    """Return the records that were refused, and why."""
    job = _ingest(call)
    pairs = (
        [(one, sent) for one, sent in zip(job.results, job.sent, strict=True) if not one["success"]]
        if job.results
        else []
    )
    rows = [[str(sent.get("Id", "")), _told(one), *sent.values()] for one, sent in pairs]
    return Reply(tables.text(["sf__Id", "sf__Error", *_header(job)], rows, job.told), media_type=CSV)


@resource("GET", "/jobs/ingest/{id}/unprocessedrecords")
@resource("GET", "/jobs/ingest/{id}/unprocessedRecords")
def unprocessed(call: Call) -> Reply:
    """Return the records that were never looked at: those of an aborted job."""
    job = _ingest(call)
    rows = [list(sent.values()) for sent in job.sent] if not job.results else []
    return Reply(tables.text(_header(job), rows, job.told), media_type=CSV)


@resource("POST", "/jobs/query")
def make_query(call: Call) -> Reply:
    """Make a job that queries, and do it."""
    told = call.table()
    if not isinstance(told.get("query"), str):
        raise ApiError(400, "API_ERROR", "A query must be given")
    tables.delimiter(told)
    result = soql.query(call.org, told["query"], all_rows=told.get("operation") == "queryAll")
    job = call.session.part(Extracts).add(call, {**told, "object": result.object}, QUERIES)
    job.table = tables.flat(result)
    job.state = "UploadComplete"
    info = _query_info(call, job)
    job.state = "JobComplete"
    return Reply(info)


@resource("GET", "/jobs/query")
def queries(call: Call) -> Reply:
    """List the jobs that query."""
    return _listed(_query_info(call, job) for job in call.session.part(Extracts).open.values())


@resource("GET", "/jobs/query/{id}")
def query(call: Call) -> Reply:
    """Tell how a job is getting on."""
    job = _query(call)
    told = {
        "jobType": "V2Query",
        "numberRecordsProcessed": len(job.table[1]),
        "retries": 0,
        "totalProcessingTime": 0,
    }
    return Reply({**_query_info(call, job), **told})


@resource("PATCH", "/jobs/query/{id}")
def abort_query(call: Call) -> Reply:
    """Give a job up; here it is done by then."""
    raise ApiError(400, "INVALIDJOBSTATE", f"A job in the state {_query(call).state} cannot be aborted")


@resource("DELETE", "/jobs/query/{id}")
def forget_query(call: Call) -> Reply:
    """Forget a job."""
    del call.session.part(Extracts).open[_query(call).id]
    return NOTHING


@resource("GET", "/jobs/query/{id}/results")
def results(call: Call) -> Reply:
    """Return what a query found, a part at a time."""
    job = _query(call)
    header, rows = job.table
    start, most = call.number("locator", 0), call.number("maxRecords", MOST_RECORDS)
    part = rows[start : start + most]
    rest = str(start + most) if start + most < len(rows) else "null"
    headers = {"Sforce-Locator": rest, "Sforce-NumberOfRecords": str(len(part))}
    return Reply(tables.text(header, part, job.told), 200, headers, CSV)


def _ingest(call: Call) -> Job:
    return call.session.part(Ingests).find(call.params["id"])


def _query(call: Call) -> Job:
    return call.session.part(Extracts).find(call.params["id"])


def _listed(infos: Iterable[dict[str, Any]]) -> Reply:
    return Reply({"done": True, "records": list(infos), "nextRecordsUrl": None})


def _info(call: Call, job: Job) -> dict[str, Any]:
    return {
        "id": job.id,
        "operation": job.operation,
        "object": job.kind.name if job.kind else None,
        "createdById": job.user_id,
        "createdDate": job.created,
        "systemModstamp": job.created,
        "state": job.state,
        "concurrencyMode": "Parallel",
        "contentType": "CSV",
        "apiVersion": float(call.version),
        "lineEnding": str(job.told.get("lineEnding") or "LF"),
        "columnDelimiter": str(job.told.get("columnDelimiter") or "COMMA"),
    }


def _ingest_info(call: Call, job: Job) -> dict[str, Any]:
    told = _info(call, job)
    if job.operation == "upsert":
        told["externalIdFieldName"] = job.key
    if job.problem:
        told["errorMessage"] = job.problem
    return {**told, "contentUrl": f"{call.root[1:]}/jobs/ingest/{job.id}/batches"}


def _query_info(call: Call, job: Job) -> dict[str, Any]:
    return _info(call, job)


def _header(job: Job) -> list[str]:
    return list(job.sent[0]) if job.sent else []


def _told(one: dict[str, Any]) -> str:
    problem = one["errors"][0]
    return f"{problem['statusCode']}:{problem['message']}:{','.join(problem['fields'])} --"
