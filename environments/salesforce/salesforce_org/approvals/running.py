"""Requests for approval from submission to their end: approved, rejected or recalled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from salesforce_org.access import is_administrator
from salesforce_org.approvals import people
from salesforce_org.approvals.actions import perform
from salesforce_org.approvals.locks import items, pending
from salesforce_org.approvals.processes import Process, Step, applicable, process_of
from salesforce_org.store import DmlError, Org, Record, values
from salesforce_org.store.errors import NotThere, OrgError

_DENIED = "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY"


class _Back(Exception):
    """Takes a rehearsal back."""


def rehearse(org: Org, work: Callable[[], object]) -> OrgError | None:
    """Return why something would be refused; whatever happens, nothing stays done."""
    try:
        with suppress(_Back), org.transaction():
            work()
            raise _Back
    except OrgError as problem:
        return problem
    return None


def submit(
    org: Org,
    id: str,
    comments: str = "",
    approvers: Sequence[str] = (),
    *,
    submitter: str | None = None,
    process: str = "",
    skip_criteria: bool = False,
) -> Record:
    """Submit a record for approval, and return its request.

    Args:
        approvers: The approvers of the first step, where its process lets the submitter choose.
        submitter: On whose behalf an administrator submits.
        process: The name or id of a process; `skip_criteria` leaves its entry criteria out.

    Raises:
        OrgError: It is in a process already, none applies, or an approver is missing.
    """
    kind, row = org.record(id)
    by = submitter or org.user_id
    if by != org.user_id and not is_administrator(org, org.user_id):
        raise DmlError(_DENIED, f"insufficient access rights on cross-reference id: {by}")
    if pending(org, row["Id"]):
        raise DmlError("ALREADY_IN_PROCESS", "Cannot submit object already in process.")
    with org.acting(by), org.transaction():
        found = applicable(org, kind.name, row, process, skip_criteria=skip_criteria)
        if found is None:
            raise DmlError("NO_APPLICABLE_PROCESS", "No applicable approval process was found.")
        about = {"ProcessDefinitionId": found.id, "TargetObjectId": row["Id"], "SubmittedById": by}
        made = _insert(org, "ProcessInstance", **about, Status="Pending")
        request = _Request(org, found, made)
        request.log("Started", by, comments=comments)
        request.act(found.tree, "initialSubmissionActions")
        request.enter(0, approvers)
    return request.instance


def decide(
    org: Org, item_id: str, approve: bool, comments: str = "", approvers: Sequence[str] = ()
) -> Record:
    """Approve or reject for a work item, and return the request.

    Args:
        approvers: The approvers of the next step, where its process lets this one choose.

    Raises:
        OrgError: The acting user may not, or the next approver is missing.
    """
    request, item = _of_item(org, item_id)
    step = request.step()
    if not people.may_decide(org, item, step.tree):
        raise DmlError(_DENIED, f"insufficient access rights on cross-reference id: {item['Id'][:15]}")
    with org.transaction():
        request.log("Approved" if approve else "Rejected", org.user_id, item, step, comments)
        request.drop(item)
        assigned = step.tree["assignedApprover"]
        unanimous = assigned.get("whenMultipleApprovers") == "Unanimous"
        if not (approve and unanimous and items(org, request.instance)):
            request.decided(step, approve, approvers)
    return request.instance


def recall(org: Org, id: str, comments: str = "") -> Record:
    """Take back the request for approval of a record, and return it.

    Raises:
        DmlError: There is none, or the acting user may not.
    """
    instance = pending(org, id)
    process = process_of(org, instance) if instance else None
    if instance is None or process is None:
        raise DmlError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id")
    if not may_recall(org, instance):
        raise DmlError(_DENIED, f"insufficient access rights on cross-reference id: {instance['Id'][:15]}")
    request = _Request(org, process, instance)
    with org.transaction():
        step = request.step()
        request.log("Removed", org.user_id, None, step, comments)
        request.close("Removed")
        request.finish("Removed", "recallActions")
    return request.instance


def may_recall(org: Org, instance: Record) -> bool:
    """Whether the acting user may take a request back: an administrator, or the submitter where the process allows."""
    process = process_of(org, instance)
    allowed = process is not None and bool(process.tree.get("allowRecall"))
    return is_administrator(org, org.user_id) or (allowed and instance["SubmittedById"] == org.user_id)


def reassign(org: Org, item_id: str, to: str, comments: str = "") -> Record:
    """Give a work item to another user or queue, and return the request.

    Raises:
        OrgError: There is no such work item or approver, or the acting user may not.
    """
    request, item = _of_item(org, item_id)
    step = request.step()
    if not people.may_decide(org, item, step.tree):
        raise DmlError(_DENIED, f"insufficient access rights on cross-reference id: {item['Id'][:15]}")
    with org.transaction():
        request.log("Reassigned", org.user_id, item, step, comments)
        with org.unchecked():
            org.update(item["Id"], ActorId=people.approver(org, to, people.CHOSEN)["Id"])
    return request.instance


def step_of(org: Org, instance: Record) -> Step | None:
    """Return the step that a request waits in."""
    node = next(org.rows("ProcessInstanceNode", ProcessInstanceId=instance["Id"], NodeStatus="Pending"), None)
    process, wanted = process_of(org, instance), node["ProcessNodeId"] if node else None
    return next((one for one in (process.steps if process else ()) if one.id == wanted), None)


def _of_item(org: Org, id: str) -> tuple[_Request, Record]:
    try:
        kind, item = org.record(id)
    except NotThere:
        kind, item = None, {}
    instance = org.get("ProcessInstance", item.get("ProcessInstanceId"))
    process = process_of(org, instance) if instance else None
    if kind is None or kind.name != "ProcessInstanceWorkitem" or instance is None or process is None:
        raise DmlError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id")
    return _Request(org, process, instance), item


class _Request:
    """A request that runs through a process."""

    def __init__(self, org: Org, process: Process, instance: Record) -> None:
        self.org, self.process, self._id = org, process, instance["Id"]
        self.target = str(instance["TargetObjectId"])

    @property
    def instance(self) -> Record:
        """Its record as it is now."""
        return self.org.get("ProcessInstance", self._id) or {}

    def step(self) -> Step:
        """Return the step that it waits in.

        Raises:
            DmlError: The step is no longer there.
        """
        found = step_of(self.org, self.instance)
        if found is None:
            raise DmlError(
                "INVALID_CROSS_REFERENCE_KEY", "The step of this approval request no longer exists."
            )
        return found

    def act(self, holder: Any, element: str) -> None:
        """Do the actions of an element of the process or a step."""
        perform(self.org, self.process.object, self.target, holder.get(element, {}))

    def enter(self, at: int, approvers: Sequence[str] = ()) -> None:
        """Wait in the next step that the record meets the criteria of; without one, the request is at its end."""
        for step in self.process.steps[at:]:
            row = self.org.get(self.process.object, self.target) or {}
            if self.process.lets_in(self.org, row, step.tree):
                previous = self._previous(row, first=at == 0)
                self.wait(step, people.approvers(self.org, step.tree, row, previous, approvers))
                return
            otherwise = step.tree.get("ifCriteriaNotMet", "ApproveRecord")
            if otherwise == "RejectRecord":
                self.finish("Rejected", "finalRejectionActions")
                return
            if otherwise == "ApproveRecord":
                break
        self.finish("Approved", "finalApprovalActions")

    def _previous(self, row: Record, *, first: bool) -> Record | None:
        """Return the user whose manager may approve: who submits or owns the record, later who approved before."""
        following = self.process.tree.get("nextAutomatedApprover", {})
        by_owner = first and following.get("useApproverFieldOfRecordOwner")
        return self.org.get("User", row.get("OwnerId") if by_owner else self.org.user_id)

    def wait(self, step: Step, actors: Sequence[str]) -> None:
        """Wait in a step for the answers of its approvers."""
        _insert(
            self.org,
            "ProcessInstanceNode",
            ProcessInstanceId=self._id,
            ProcessNodeId=step.id,
            ProcessNodeName=step.tree["label"],
            NodeStatus="Pending",
        )
        for actor in actors:
            _insert(
                self.org,
                "ProcessInstanceWorkitem",
                ProcessInstanceId=self._id,
                OriginalActorId=actor,
                ActorId=actor,
            )

    def decided(self, step: Step, approved: bool, approvers: Sequence[str]) -> None:
        """Go on after a step was approved, or back or to the end after it was rejected."""
        for item in items(self.org, self.instance):
            self.log("NoResponse", item["ActorId"], item, step)
        status = "Approved" if approved else "Rejected"
        self.close(status)
        self.act(step.tree, "approvalActions" if approved else "rejectionActions")
        before = self._before(step)
        if approved:
            self.enter(step.number + 1, approvers)
        elif before and step.tree.get("rejectBehavior", {}).get("type") == "BackToPrevious":
            self.wait(before, self._approved(before))
        else:
            self.finish("Rejected", "finalRejectionActions")

    def _before(self, step: Step) -> Step | None:
        """Return the step that was approved last before one."""
        nodes = list(self.org.rows("ProcessInstanceNode", ProcessInstanceId=self._id, NodeStatus="Approved"))
        entered = {node["ProcessNodeId"] for node in nodes}
        found = [one for one in self.process.steps[: step.number] if one.id in entered]
        return found[-1] if found else None

    def _approved(self, step: Step) -> list[str]:
        """Return who was asked in a step before."""
        rows = self.org.rows("ProcessInstanceStep", ProcessInstanceId=self._id, StepNodeId=step.id)
        asked = (row["OriginalActorId"] for row in rows if row["StepStatus"] in ("Approved", "NoResponse"))
        return list(dict.fromkeys(asked))

    def close(self, status: str) -> None:
        """End the step that it waits in."""
        for item in items(self.org, self.instance):
            self.drop(item)
        (node,) = self.org.rows("ProcessInstanceNode", ProcessInstanceId=self._id, NodeStatus="Pending")
        with self.org.unchecked():
            self.org.update(
                node["Id"], NodeStatus=status, **_ended(self.org, node), LastActorId=self.org.user_id
            )

    def finish(self, status: str, element: str) -> None:
        """End the request, and do the last actions of its process."""
        instance = self.instance
        with self.org.unchecked():
            self.org.update(
                self._id, Status=status, **_ended(self.org, instance), LastActorId=self.org.user_id
            )
        self.act(self.process.tree, element)

    def log(
        self,
        status: str,
        actor: str | None,
        item: Record | None = None,
        step: Step | None = None,
        comments: str = "",
    ) -> None:
        """Write down what was done, and by whom in whose place."""
        took = _elapsed(self.org, item) if item else {}
        _insert(
            self.org,
            "ProcessInstanceStep",
            ProcessInstanceId=self._id,
            StepStatus=status,
            ActorId=actor,
            OriginalActorId=item["OriginalActorId"] if item else actor,
            StepNodeId=step.id if step else None,
            Comments=comments or None,
            **took,
        )

    def drop(self, item: Record) -> None:
        """Remove a work item that was answered, or needs no answer any more."""
        with self.org.unchecked():
            self.org.delete(item["Id"])
            self.org.purge(item["Id"])


def _insert(org: Org, object: str, **given: Any) -> Record:
    with org.unchecked():
        id = org.insert(object, **given)
    return org.get(object, id) or {}


def _ended(org: Org, row: Record) -> dict[str, Any]:
    return {"CompletedDate": values.moment(org.now), **_elapsed(org, row)}


def _elapsed(org: Org, row: Record) -> dict[str, float]:
    minutes = (org.now - values.read_moment(row["CreatedDate"])).total_seconds() / 60
    parts = {"Minutes": minutes, "Hours": minutes / 60, "Days": minutes / 1440}
    return {f"ElapsedTimeIn{name}": value for name, value in parts.items()}
