"""Approval processes at work: who submits and approves, in which steps, what is done, and what is locked meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org import soql
from salesforce_org.approvals import running
from salesforce_org.approvals.locks import is_locked, items
from salesforce_org.metadata.objects import Objects
from salesforce_org.store import DmlError, Org

from .small_org import ADMIN, SALES, build, tool

FULL = "Account.Big_ones"
Tree = dict[str, Any]


def step(*approvers: str | Tree, name: str = "One", **more: Any) -> Tree:
    """Return a step that users of some usernames approve."""
    told = [one if isinstance(one, dict) else {"type": "user", "name": one} for one in approvers]
    routing = more.pop("when", "FirstResponse")
    assigned = {"approver": told, "whenMultipleApprovers": routing}
    return {"allowDelegate": False, "assignedApprover": assigned, "label": name, "name": name, **more}


def criteria(field: str, operation: str, value: str) -> Tree:
    """Return entry criteria of one row."""
    return {"entryCriteria": {"criteriaItems": [{"field": field, "operation": operation, "value": value}]}}


class Deal:
    """An account of a seller, who has a boss, and an approval process for it.

    Attributes:
        org: The org, in which the seller acts.
    """

    def __init__(self, *steps: Tree, org: Org | None = None, **process: Any) -> None:
        self.org = org or build(0).copy()
        self.admin = self.org.one("User", Username=ADMIN)["Id"]
        self.seller = self.org.one("User", Username=SALES)["Id"]
        self.org.user_id = self.admin
        self.boss, self.other = self._user("bob"), self._user("eve")
        self.org.update(self.seller, ManagerId=self.boss)
        self.record = self.org.insert("Account", Name="Big", OwnerId=self.seller, AnnualRevenue=5000)
        self.put(approvalStep=list(steps) or [step("bob@cloud.example")], **process)
        self.org.user_id = self.seller

    def put(self, **process: Any) -> None:
        """Store the process."""
        told = {
            "active": True,
            "allowRecall": True,
            "allowedSubmitters": [{"type": "owner"}],
            "label": "Big ones",
        }
        told |= {
            "finalApprovalRecordLock": True,
            "finalRejectionRecordLock": False,
            "recordEditability": "AdminOnly",
        }
        self.org.put_component("ApprovalProcess", FULL, {**told, **process})

    def actions(self, **workflow: Any) -> None:
        """Store actions of accounts."""
        self.org.put_component("Workflow", "Account", workflow)

    def _user(self, first: str) -> str:
        profile = self.org.get("User", self.seller)["ProfileId"]  # type: ignore[index]
        names = {"FirstName": first, "LastName": "X", "Alias": first, "CommunityNickname": first}
        mail = f"{first}@cloud.example"
        with self.org.unchecked():
            return self.org.insert("User", **names, Username=mail, Email=mail, ProfileId=profile)

    def submit(self, *approvers: str, **more: Any) -> str:
        """Submit the account, and return the request's status."""
        return str(running.submit(self.org, self.record, "please", approvers, **more)["Status"])

    def decide(self, by: str, approve: bool, *approvers: str, nth: int = 0) -> str:
        """Answer a work item, and return the request's status."""
        with self.org.acting(by):
            return str(
                running.decide(self.org, self.waiting[nth]["Id"], approve, "so be it", approvers)["Status"]
            )

    @property
    def waiting(self) -> list[Any]:
        """The work items of the account's request."""
        (instance,) = self.org.rows("ProcessInstance", TargetObjectId=self.record)
        return items(self.org, instance)

    @property
    def assigned(self) -> list[str]:
        """Whose answer is waited for."""
        return [one["ActorId"] for one in self.waiting]

    @property
    def history(self) -> list[str]:
        """The statuses of what was done, oldest first."""
        return [one["StepStatus"] for one in self.org.rows("ProcessInstanceStep")]

    @property
    def site(self) -> str | None:
        """A field of the account that actions set."""
        return self.org.get("Account", self.record)["Site"]  # type: ignore[index]


def update(name: str, **more: Any) -> Tree:
    """Return a field update that sets the site to its name, or to something else."""
    return {
        "fullName": name,
        "name": name,
        "field": "Site",
        "operation": "Literal",
        "literalValue": name,
        **more,
    }


def does(*names: str, type: str = "FieldUpdate") -> Tree:
    """Return a block of actions."""
    return {"action": [{"name": name, "type": type} for name in names]}


def refused(code: str) -> Any:
    """Expect a refusal."""
    return pytest.raises(DmlError, match=code)


def test_a_submitted_record_waits_and_is_locked() -> None:
    """A request has a node and a work item of its step, and a first entry of its history."""
    deal = Deal()
    assert deal.submit() == "Pending"
    assert deal.assigned == [deal.boss]
    assert deal.history == ["Started"]
    assert is_locked(deal.org, deal.record)
    (node,) = deal.org.rows("ProcessInstanceNode")
    assert (node["ProcessNodeName"], node["NodeStatus"]) == ("One", "Pending")


@pytest.mark.parametrize(
    ("process", "code"),
    [
        ({"active": False}, "NO_APPLICABLE_PROCESS"),
        (criteria("Account.AnnualRevenue", "greaterThan", "9000"), "NO_APPLICABLE_PROCESS"),
        ({"entryCriteria": {"formula": "AnnualRevenue > 9000"}}, "NO_APPLICABLE_PROCESS"),
        ({"allowedSubmitters": [{"type": "creator"}]}, "NO_APPLICABLE_PROCESS"),
        ({"allowedSubmitters": [{"type": "user", "submitter": ADMIN}]}, "NO_APPLICABLE_PROCESS"),
    ],
)
def test_records_that_no_process_takes(process: Tree, code: str) -> None:
    """Processes that are inactive, whose criteria the record does not meet, or that let others submit do not apply."""
    deal = Deal(**process)
    with refused(code):
        deal.submit()
    assert not list(deal.org.rows("ProcessInstance"))


@pytest.mark.parametrize("submitter", ["owner", "user", "role", "group", "allInternalUsers"])
def test_submitters(submitter: str) -> None:
    """Owners, named users, those of a role, of a group, and all internal users may be let in."""
    names = {"user": SALES, "role": "Sales", "group": "Sellers"}
    told = {"type": submitter, **({"submitter": names[submitter]} if submitter in names else {})}
    deal = Deal(allowedSubmitters=[told])
    with deal.org.acting(deal.admin):
        deal.org.update(deal.seller, UserRoleId=deal.org.insert("UserRole", Name="Sales"))
        group = deal.org.insert("Group", Name="Sellers", Type="Regular")
        deal.org.insert("GroupMember", GroupId=group, UserOrGroupId=deal.seller)
    assert deal.submit() == "Pending"


def test_a_record_is_submitted_once_at_a_time() -> None:
    """What is in a process already is refused; once it was rejected it can be submitted again."""
    deal = Deal()
    deal.submit()
    with refused("ALREADY_IN_PROCESS"):
        deal.submit()
    deal.decide(deal.boss, False)
    assert running.submit(deal.org, deal.record)["Status"] == "Pending"


def test_the_first_process_in_order_takes_a_record() -> None:
    """Of several processes the first in their order does; a name chooses one, if need be without its criteria."""
    deal = Deal(processOrder="2")
    first = {**(deal.org.component("ApprovalProcess", FULL) or {}), "processOrder": "1", "label": "First"}
    first["entryCriteria"] = {"formula": "AnnualRevenue < 10"}
    deal.org.put_component("ApprovalProcess", "Account.First", first)
    with refused("NO_APPLICABLE_PROCESS"):
        deal.submit(process="First")
    made = running.submit(deal.org, deal.record, process="First", skip_criteria=True)
    named = soql.query(
        deal.org, f"SELECT ProcessDefinition.DeveloperName FROM ProcessInstance WHERE Id = '{made['Id']}'"
    )
    assert named.records[0]["ProcessDefinition"]["DeveloperName"] == "First"


def test_locked_records_are_edited_by_administrators_only() -> None:
    """Neither the owner nor the approver changes or deletes the record, an administrator does."""
    deal = Deal()
    deal.submit()
    for user in (deal.seller, deal.boss):
        with deal.org.acting(user), refused("ENTITY_IS_LOCKED"):
            deal.org.update(deal.record, Site="here")
        with deal.org.acting(user), refused("ENTITY_IS_LOCKED"):
            deal.org.delete(deal.record)
    with deal.org.acting(deal.admin):
        deal.org.update(deal.record, Site="here")
    assert deal.site == "here"


def test_the_approver_edits_where_the_process_says_so() -> None:
    """The assigned approver may then change the record, its owner not."""
    deal = Deal(recordEditability="AdminOrCurrentApprover")
    deal.submit()
    with deal.org.acting(deal.boss):
        deal.org.update(deal.record, Site="here")
    with refused("ENTITY_IS_LOCKED"):
        deal.org.update(deal.record, Site="there")


def test_records_of_custom_objects_are_approved() -> None:
    """An object that the org defined has approvals as others, and takes them along when it is deleted."""
    deal, told = Deal(), {"type": "Text", "label": "Name"}
    org, shoe = deal.org, {"label": "Shoe", "pluralLabel": "Shoes", "nameField": told}
    with org.acting(deal.admin):
        Objects().write(org, "Shoe__c", {**shoe, "deploymentStatus": "Deployed", "sharingModel": "ReadWrite"})
        org.put_component("ApprovalProcess", "Shoe__c.Shoes", org.component("ApprovalProcess", FULL))
        record = org.insert("Shoe__c", Name="Left", OwnerId=deal.seller)
    assert running.submit(org, record)["Status"] == "Pending"
    with org.acting(deal.admin):
        Objects().delete(org, "Shoe__c")
    assert not list(org.rows("ProcessInstance"))


@pytest.mark.parametrize(("approve", "status"), [(True, "Approved"), (False, "Rejected")])
@pytest.mark.parametrize("locks", [True, False])
def test_the_lock_at_the_end(approve: bool, status: str, locks: bool) -> None:
    """The process says whether approved and rejected records stay locked."""
    element = "finalApprovalRecordLock" if approve else "finalRejectionRecordLock"
    deal = Deal(**{element: locks})
    deal.submit()
    assert deal.decide(deal.boss, approve) == status
    assert is_locked(deal.org, deal.record) is locks
    assert not list(deal.org.rows("ProcessInstanceWorkitem"))


def test_only_approvers_answer() -> None:
    """Neither the submitter nor somebody else approves; an administrator may, and so may a delegate who is let."""
    deal = Deal(step("bob@cloud.example", allowDelegate=True))
    deal.submit()
    for user in (deal.seller, deal.other):
        with refused("INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY"):
            deal.decide(user, True)
    with deal.org.acting(deal.admin):
        deal.org.update(deal.boss, DelegatedApproverId=deal.other)
    assert deal.decide(deal.other, True) == "Approved"


@pytest.mark.parametrize("unanimous", [True, False])
def test_several_approvers(unanimous: bool) -> None:
    """The first answer counts, or all must approve; who was not asked any more gave no response."""
    routing = "Unanimous" if unanimous else "FirstResponse"
    deal = Deal(step("bob@cloud.example", "eve@cloud.example", when=routing))
    deal.submit()
    assert deal.assigned == [deal.boss, deal.other]
    assert deal.decide(deal.boss, True) == ("Pending" if unanimous else "Approved")
    if unanimous:
        assert deal.decide(deal.other, False) == "Rejected"
    assert deal.history == ["Started", "Approved", "Rejected" if unanimous else "NoResponse"]


def test_a_queue_approves() -> None:
    """Its members answer for it."""
    deal = Deal(step({"type": "queue", "name": "Desk"}))
    with deal.org.acting(deal.admin):
        queue = deal.org.insert("Group", Name="Desk", Type="Queue")
        deal.org.insert("GroupMember", GroupId=queue, UserOrGroupId=deal.other)
    deal.submit()
    assert deal.assigned == [queue]
    assert deal.decide(deal.other, True) == "Approved"


def test_managers_approve() -> None:
    """First the submitter's manager, then the manager of who approved; without one there is no way on."""
    steps = [step({"type": "userHierarchyField", "name": "Manager"}, name=name) for name in ("One", "Two")]
    deal = Deal(*steps)
    deal.submit()
    assert deal.assigned == [deal.boss]
    with refused("MANAGER_NOT_DEFINED"):
        deal.decide(deal.boss, True)
    with deal.org.acting(deal.admin):
        deal.org.update(deal.boss, ManagerId=deal.other)
    assert deal.decide(deal.boss, True) == "Pending"
    assert deal.assigned == [deal.other]


def test_a_field_of_the_record_names_the_approver() -> None:
    """A related user field is that of the record."""
    deal = Deal(step({"type": "relatedUserField", "name": "Owner"}))
    deal.submit()
    assert deal.assigned == [deal.seller]


def test_the_submitter_chooses() -> None:
    """Where approvers are chosen one must be given, for every step."""
    deal = Deal(step({"type": "adhoc"}, name="One"), step({"type": "adhoc"}, name="Two"))
    with refused("nextApproverIds"):
        deal.submit()
    deal.submit(deal.boss)
    with refused("nextApproverIds"):
        deal.decide(deal.boss, True)
    assert deal.decide(deal.boss, True, deal.other) == "Pending"
    assert deal.assigned == [deal.other]


@pytest.mark.parametrize(
    ("otherwise", "status"),
    [("ApproveRecord", "Approved"), ("RejectRecord", "Rejected"), ("GotoNextStep", "Pending")],
)
def test_steps_that_a_record_does_not_enter(otherwise: str, status: str) -> None:
    """It is approved, rejected, or goes to the next step."""
    unmet = criteria("Account.AnnualRevenue", "greaterThan", "9000")
    deal = Deal(
        step("bob@cloud.example", ifCriteriaNotMet=otherwise, **unmet), step("eve@cloud.example", name="Two")
    )
    assert deal.submit() == status
    assert deal.assigned == ([deal.other] if status == "Pending" else [])


def test_a_rejection_goes_back() -> None:
    """Where a step says so, its rejection asks the approvers of the step before again, and the request goes on."""
    back = {"rejectBehavior": {"type": "BackToPrevious"}}
    deal = Deal(step("bob@cloud.example"), step("eve@cloud.example", name="Two", **back))
    deal.submit()
    deal.decide(deal.boss, True)
    assert deal.decide(deal.other, False) == "Pending"
    assert deal.assigned == [deal.boss]
    deal.decide(deal.boss, True)
    assert deal.decide(deal.other, True) == "Approved"


def test_a_request_is_recalled() -> None:
    """The submitter takes it back where the process allows it, and the record is free."""
    deal = Deal(recallActions=does("recalled"))
    deal.actions(fieldUpdates=[update("recalled")])
    deal.submit()
    with deal.org.acting(deal.other), refused("INSUFFICIENT_ACCESS"):
        running.recall(deal.org, deal.record)
    assert running.recall(deal.org, deal.record, "not yet")["Status"] == "Removed"
    assert (is_locked(deal.org, deal.record), deal.site) == (False, "recalled")
    assert deal.history == ["Started", "Removed"]


def test_a_request_is_reassigned() -> None:
    """Another user answers then; the history keeps who was asked at first."""
    deal = Deal()
    deal.submit()
    with deal.org.acting(deal.boss):
        running.reassign(deal.org, deal.waiting[0]["Id"], deal.other)
    with refused("INSUFFICIENT_ACCESS"):
        deal.decide(deal.boss, True)
    assert deal.decide(deal.other, True) == "Approved"
    last = list(deal.org.rows("ProcessInstanceStep"))[-1]
    assert (last["OriginalActorId"], last["ActorId"]) == (deal.boss, deal.other)


def test_actions_are_done() -> None:
    """Those of submission, of the step and of the end change the record in turn."""
    deal = Deal(
        step("bob@cloud.example", approvalActions=does("step")),
        initialSubmissionActions=does("asked"),
        finalApprovalActions=does("end"),
    )
    appended = {"operation": "Formula", "formula": 'Site & "-"'}
    deal.actions(
        fieldUpdates=[
            update("asked"),
            update("step", **appended),
            update("end", formula='Site & "end"', operation="Formula"),
        ]
    )
    deal.submit()
    assert deal.site == "asked"
    deal.decide(deal.boss, True)
    assert deal.site == "asked-end"


@pytest.mark.parametrize(
    ("told", "value"),
    [
        ({"operation": "Null"}, None),
        ({"field": "Rating", "operation": "NextValue"}, "Warm"),
        ({"field": "Rating", "operation": "PreviousValue"}, "Hot"),
        (
            {"field": "Owner", "operation": "LookupValue", "lookupValue": ADMIN, "lookupValueType": "User"},
            ADMIN,
        ),
    ],
)
def test_field_updates(told: Tree, value: str | None) -> None:
    """A field is emptied, a picklist goes up or down, an owner is set."""
    deal = Deal(initialSubmissionActions=does("set"))
    deal.actions(fieldUpdates=[update("set", **told)])
    with deal.org.acting(deal.admin):
        entries = [{"value": one} for one in ("Hot", "Warm", "Cold")]
        deal.org.put_component("StandardValueSet", "AccountRating", {"standardValue": entries})
        deal.org.update(deal.record, Rating="Hot", Site="x")
    deal.submit()
    row = deal.org.get("Account", deal.record) or {}
    field = told.get("field", "Site")
    assert row["OwnerId" if field == "Owner" else field] == (deal.admin if value == ADMIN else value)


def test_field_updates_ask_no_validation_rule() -> None:
    """A value that nobody may enter can be set by an approval."""
    deal = Deal(initialSubmissionActions=does("asked"))
    deal.actions(fieldUpdates=[update("asked")])
    rule = {"active": True, "errorConditionFormula": 'Site = "asked"', "errorMessage": "no"}
    deal.org.put_component("ValidationRule", "Account.Never", rule)
    with refused("FIELD_CUSTOM_VALIDATION_EXCEPTION"):
        deal.org.update(deal.record, Site="asked")
    deal.submit()
    assert deal.site == "asked"


def test_tasks_are_made_and_alerts_noted() -> None:
    """A task is a record of the owner's; an alert leaves a note in the journal only."""
    deal = Deal(
        finalRejectionActions={
            "action": [*does("call", type="Task")["action"], *does("mail", type="Alert")["action"]]
        }
    )
    call = {
        "fullName": "call",
        "subject": "Call",
        "assignedToType": "owner",
        "dueDateOffset": "2",
        "status": "Open",
        "priority": "Low",
    }
    deal.actions(tasks=[call], alerts=[{"fullName": "mail", "description": "Mail", "template": "a/b"}])
    deal.submit()
    deal.decide(deal.boss, False)
    (task,) = deal.org.rows("Task")
    assert (task["WhatId"], task["OwnerId"], task["ActivityDate"]) == (deal.record, deal.seller, "2026-03-05")
    assert [one.after["name"] for one in deal.org.journal.writes if one.collection == "WorkflowAction"] == [
        "mail"
    ]  # type: ignore[index]


def test_a_refused_answer_changes_nothing() -> None:
    """Where an action fails, neither the answer nor what came before it stays."""
    deal = Deal(finalApprovalActions=does("bad"))
    deal.actions(fieldUpdates=[update("bad", field="Name", operation="Null")])
    deal.submit()
    with refused("REQUIRED_FIELD_MISSING"):
        deal.decide(deal.boss, True)
    assert (deal.history, deal.assigned) == (["Started"], [deal.boss])


def test_requests_go_with_their_record() -> None:
    """A deleted record takes its requests along, and brings them back."""
    deal = Deal()
    deal.submit()
    with deal.org.acting(deal.admin):
        deal.org.delete(deal.record)
        assert not list(deal.org.rows("ProcessInstanceWorkitem"))
        deal.org.undelete(deal.record)
    assert deal.assigned == [deal.boss]


def test_requests_are_queried() -> None:
    """SOQL finds a request with its process, its target, and its history in one list."""
    deal = Deal()
    deal.submit()
    found = soql.query(
        deal.org,
        "SELECT Status, ProcessDefinition.Name, TargetObject.Name, (SELECT StepStatus, Actor.Name, ProcessNode.Name "
        "FROM StepsAndWorkitems), (SELECT Id FROM Workitems), (SELECT Comments FROM Steps) FROM ProcessInstance",
    ).records[0]
    assert (found["ProcessDefinition"]["Name"], found["TargetObject"]["Name"]) == ("Big ones", "Big")
    assert [one["StepStatus"] for one in found["StepsAndWorkitems"].records] == ["Started", "Pending"]
    assert found["StepsAndWorkitems"].records[1]["ProcessNode"]["Name"] == "One"
    assert len(found["Workitems"].records) == 1
    assert found["Steps"].records[0]["Comments"] == "please"
    steps = soql.query(
        deal.org, "SELECT Id, (SELECT IsPending FROM ProcessSteps) FROM Account WHERE Name = 'Big'"
    )
    assert [one["IsPending"] for one in steps.records[0]["ProcessSteps"].records] == [False, True]


# Interfaces


def test_rest_submits_and_approves() -> None:
    """Each request has a result of its own, with what waits next."""
    org = tool()
    deal = Deal(org=org.session.org, allowedSubmitters=[{"type": "creator"}])

    def post(**request: Any) -> Tree:
        told: list[Tree] = org.call("POST", "/process/approvals", json={"requests": [request]}).json()
        return told[0]

    made = post(actionType="Submit", contextId=deal.record, comments="please")
    assert (made["success"], made["instanceStatus"], made["actorIds"]) == (True, "Pending", [deal.boss])
    again = post(actionType="Submit", contextId=deal.record)
    assert (again["success"], again["errors"][0]["statusCode"]) == (False, "ALREADY_IN_PROCESS")
    done = post(actionType="Approve", contextId=made["newWorkitemIds"][0], comments="yes")
    assert (done["instanceId"], done["instanceStatus"], done["newWorkitemIds"]) == (
        made["instanceId"],
        "Approved",
        [],
    )


def test_rest_refuses_to_change_what_is_locked() -> None:
    """Whatever interface a user comes by, the record is locked for those who are no administrators."""
    org = tool()
    deal = Deal(org=org.session.org)
    deal.submit()
    with deal.org.acting(deal.admin):
        login = next(deal.org.rows("UserLogin", UserId=deal.seller))
        deal.org.update(login["Id"], IsFrozen=False)
    token = org.session.access.issue(org.session.org_id, deal.seller)
    org.http.headers["authorization"] = f"Bearer {token}"
    answer = org.call("PATCH", f"/sobjects/Account/{deal.record}", json={"Site": "here"})
    assert (answer.status_code, answer.json()[0]["errorCode"]) == (400, "ENTITY_IS_LOCKED")


def test_soap_processes() -> None:
    """The call `process` submits and recalls as REST does."""
    org = tool()
    deal = Deal(org=org.session.org, allowedSubmitters=[{"type": "creator"}])

    def send(type: str, inside: str) -> str:
        envelope = (
            '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns="urn:partner.soap.sforce.com" '
            'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><e:Header><SessionHeader><sessionId>'
            f"{org.keys['access_token']}</sessionId></SessionHeader></e:Header><e:Body><process><actions "
            f'xsi:type="{type}">{inside}</actions></process></e:Body></e:Envelope>'
        )
        return str(org.http.post("/services/Soap/u/62.0", content=envelope).text)

    told = send("ProcessSubmitRequest", f"<objectId>{deal.record}</objectId>")
    assert "<instanceStatus>Pending</instanceStatus>" in told
    assert f"<actorIds>{deal.boss}</actorIds>" in told
    item = f"<workitemId>{deal.waiting[0]['Id']}</workitemId>"
    told = send("ProcessWorkitemRequest", f"<action>Removed</action>{item}")
    assert "<instanceStatus>Removed</instanceStatus>" in told
