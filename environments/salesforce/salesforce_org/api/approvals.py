"""Approvals for tools: REST's `/process/approvals` and SOAP's `process` submit, approve, reject and recall records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.api.collections import attempt
from salesforce_org.api.presentation import listed_by_object
from salesforce_org.api.routing import resource
from salesforce_org.api.soap import INSTANCE, SoapCall, children, text
from salesforce_org.api.soap_partner import full_id, operation
from salesforce_org.approvals import running
from salesforce_org.approvals.locks import items
from salesforce_org.store import DmlError, Org, Record

Request = Mapping[str, Any]


@resource("GET", "/process/approvals")
def approvals(call: Call) -> Reply:
    """List the active approval processes by object."""
    return Reply({"approvals": listed_by_object(call.org, "ApprovalProcess")})


@resource("POST", "/process/approvals")
def approve(call: Call) -> Reply:
    """Submit, approve, reject or recall records, each wholly or not at all."""
    requests = call.table().get("requests")
    if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
        raise ApiError(400, "JSON_PARSER_ERROR", "requests must be a list of JSON objects")
    return Reply([processed(call.org, one) for one in requests])


@operation("process")
def process(call: SoapCall) -> str:
    """Do the same for SOAP, whose results leave out what is empty."""
    results = []
    for action in children(call.envelope.body, "actions"):
        submits = action.get(f"{{{INSTANCE}}}type", "").rpartition(":")[2] == "ProcessSubmitRequest"
        request = {
            "actionType": "Submit" if submits else text(action, "action"),
            "contextId": text(action, "objectId" if submits else "workitemId"),
            "contextActorId": text(action, "submitterId"),
            "comments": text(action, "comments"),
            "nextApproverIds": [one.text or "" for one in children(action, "nextApproverIds")],
            "processDefinitionNameOrId": text(action, "processDefinitionNameOrId"),
            "skipEntryCriteria": text(action, "skipEntryCriteria"),
        }
        told = processed(call.org, request)
        errors = [dict(sorted(one.items())) for one in told["errors"] or ()]
        waits = {name: told[name] or [] for name in ("actorIds", "newWorkitemIds")}
        results.append({**told, **waits, "errors": errors})
    return call.result(*results)


def processed(org: Org, request: Request) -> dict[str, Any]:
    """Return the result of one request, in the order of SOAP's type."""
    found: list[Record] = []

    def step() -> dict[str, Any]:
        found.append(_done(org, request))
        return {"success": True}

    told = attempt(org, step)
    instance = found[0] if found else {}
    waits = items(org, instance) if instance else []
    submitted = request.get("contextId") if request.get("actionType") == "Submit" else None
    return {
        "actorIds": [one["ActorId"] for one in waits] if instance else None,
        "entityId": instance.get("TargetObjectId") or submitted,
        "errors": told.get("errors"),
        "instanceId": instance.get("Id"),
        "instanceStatus": instance.get("Status"),
        "newWorkitemIds": [one["Id"] for one in waits] if instance else None,
        "success": told["success"],
    }


def _done(org: Org, request: Request) -> Record:
    id, comments = full_id(str(request.get("contextId") or "")), str(request.get("comments") or "")
    chosen = [full_id(str(one)) for one in request.get("nextApproverIds") or ()]
    match request.get("actionType"):
        case "Submit":
            actor = request.get("contextActorId")
            return running.submit(
                org,
                id,
                comments,
                chosen,
                submitter=full_id(str(actor)) if actor else None,
                process=str(request.get("processDefinitionNameOrId") or ""),
                skip_criteria=str(request.get("skipEntryCriteria")).casefold() == "true",
            )
        case "Approve" | "Reject":
            return running.decide(org, id, request["actionType"] == "Approve", comments, chosen)
        case "Removed":
            item = org.get("ProcessInstanceWorkitem", id) or {}
            instance = org.get("ProcessInstance", item.get("ProcessInstanceId")) or {}
            return running.recall(org, str(instance.get("TargetObjectId") or ""), comments)
        case other:
            raise DmlError("INVALID_OPERATION", f"Invalid action type: {str(other)[:40]}")
