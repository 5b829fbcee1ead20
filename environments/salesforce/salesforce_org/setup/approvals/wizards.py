"""New approval processes: the Jump Start Wizard on one page, and six steps that make a process or change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.responses import Response

from salesforce_org.metadata.records import said
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.approvals import approvers
from salesforce_org.setup.approvals.area import APPROVALS
from salesforce_org.setup.approvals.components import (
    address,
    claim,
    criteria_of,
    criteria_tree,
    new_process,
    objects,
    process_of,
    put,
    templates,
)
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.criteria import Criteria, fields, label
from salesforce_org.setup.forms import Form, Input, Section, submit
from salesforce_org.setup.wizard import Draft, Step, Wizard
from salesforce_org.store import Org
from salesforce_org.store.org import Tree

_PEOPLE = (Choice("owner", "Record Owner"), Choice("creator", "Record Creator"))
_EVERYBODY = Choice("allInternalUsers", "All Internal Users")
_EDITABLE = (
    Choice("AdminOnly", "Administrators ONLY can edit records during the approval process."),
    Choice(
        "AdminOrCurrentApprover",
        "Administrators OR the currently assigned approver can edit records during the approval process.",
    ),
)


# The Jump Start Wizard


@APPROVALS.get("/jump/{object}")
def jump_start(page: SetupVisit) -> Response:
    """Ask for all that a simple process needs."""
    return _jump_form(page).show(page)


@APPROVALS.post("/jump/{object}")
def jump(page: SetupVisit) -> Response:
    """Store a process with one step."""
    object = _object(page)

    def write(given: Mapping[str, Any]) -> str:
        full = claim(page.org, object, given)
        assigned = approvers.tree_of(given)
        step = {"allowDelegate": False, "assignedApprover": assigned, "label": "Step 1", "name": "Step_1"}
        made = new_process(given["label"], approvalStep=[step], emailTemplate=given["emailTemplate"] or None)
        if page.org.schema[object].field("OwnerId") is None:
            made |= {"allowedSubmitters": [{"type": "creator"}], "approvalPageFields": {"field": ["Name"]}}
        made |= criteria_tree(page.org, given["criteria"])
        if given["how"] == approvers.BY_HIERARCHY:
            made |= _next_approver(approvers.HIERARCHY, by_owner=False)
        put(page.org, full, made)
        return address(full)

    return submit(page, _jump_form(page), write)


def _jump_form(page: SetupVisit) -> Form:
    org, object = page.org, _object(page)
    sections = (
        Section(
            "Approval Process Information",
            (
                Input("label", "Name", required=True, length=80, fills="unique"),
                Input("unique", "Unique Name", required=True, length=80),
                Input(
                    "emailTemplate", "Approval Assignment Email Template", "picklist", choices=templates(org)
                ),
            ),
        ),
        Section("Specify Entry Criteria", (_criteria(org, object),)),
        Section("Select Approver", approvers.inputs(org)),
    )
    values = {"criteria": Criteria(), "how": approvers.MANUAL, "when": "FirstResponse"}
    intro = (
        "The wizard makes an approval process with one approval step in a few clicks. Records are locked while "
        "they are being approved and stay so when they are; the submitter is the owner of the record."
    )
    title = f"{org.schema[object].label}: Approval Process Jump Start Wizard"
    return Form(title, "Approval Process", sections, values, intro=intro)


# The standard wizard, and its steps for a process that is there


def _about(page: SetupVisit, draft: Draft) -> Form:
    inputs = (
        Input("label", "Process Name", required=True, length=80, fills="unique"),
        Input("unique", "Unique Name", required=True, length=80),
        Input("description", "Description", "textarea", length=1000),
    )
    return _form("Enter Name and Description", inputs, draft)


def _entry(page: SetupVisit, draft: Draft) -> Form:
    return _form("Specify Entry Criteria", (_criteria(page.org, draft["object"]),), draft)


def _properties(page: SetupVisit, draft: Draft) -> Form:
    manager = (Choice(approvers.HIERARCHY, approvers.HIERARCHY),)
    inputs = (
        Input("next", "Next Automated Approver Determined By", "picklist", choices=manager),
        Input("by_owner", "Use Approver Field of Record Owner", "checkbox"),
        Input("editable", "Record Editability Properties", "radio", True, _EDITABLE),
    )
    return _form("Specify Approver Field and Record Editability Properties", inputs, draft)


def _notification(page: SetupVisit, draft: Draft) -> Form:
    text = "Which template approvers are sent; without one they get the default text."
    inputs = (
        Input(
            "emailTemplate",
            "Approval Assignment Email Template",
            "picklist",
            choices=templates(page.org),
            help=text,
        ),
    )
    return _form("Select Notification Templates", inputs, draft)


def _page_layout(page: SetupVisit, draft: Draft) -> Form:
    kind = page.org.schema[draft["object"]]
    offered = tuple(
        Choice(one.name.removesuffix("Id") if one.type == "reference" else one.name, label(one.label))
        for one in kind.fields
        if one.name not in ("Id", "IsDeleted", "SystemModstamp")
    )
    inputs = (
        Input("fields", "Fields", "dual", True, offered, titles=("Available Fields", "Selected Fields")),
        Input(
            "history", "Display approval history information in addition to the fields selected", "checkbox"
        ),
        Input("mobile", "Allow approvers to access the approval page from a mobile device", "checkbox"),
    )
    return _form("Select Fields to Display on Approval Page Layout", inputs, draft)


def _submitters(page: SetupVisit, draft: Draft) -> Form:
    org = page.org
    users = [Choice(f"user:{row['Username']}", f"User: {org.name_of(row['Id'])}") for row in org.rows("User")]
    roles = [Choice(f"role:{row['DeveloperName']}", f"Role: {row['Name']}") for row in org.rows("UserRole")]
    groups = [
        Choice(f"group:{row['DeveloperName']}", f"Group: {row['Name']}")
        for row in org.rows("Group", Type="Regular")
    ]
    owned = _PEOPLE if org.schema[draft["object"]].field("OwnerId") else _PEOPLE[1:]
    offered = (*owned, _EVERYBODY, *users, *roles, *groups)
    inputs = (
        Input(
            "submitters",
            "Initial Submitters",
            "dual",
            True,
            offered,
            titles=("Available Submitters", "Allowed Submitters"),
        ),
        Input("allowRecall", "Allow submitters to recall approval requests", "checkbox"),
    )
    return _form("Specify Initial Submitters", inputs, draft)


def _form(title: str, inputs: tuple[Input, ...], draft: Draft) -> Form:
    return Form(title, "Approval Process", (Section(title, inputs),), dict(draft))


def _step(title: str, build: Callable[[SetupVisit, Draft], Form], next: str = "Next") -> Step:
    def take(page: SetupVisit, draft: Draft) -> str:
        form = build(page, draft).read(page)
        draft.update(form.given)
        draft["errors"] = {} if form.check(page.org) else form.errors
        return "Invalid Data. Review all error messages below to correct your data." if form.errors else ""

    def prepare(page: SetupVisit, draft: Draft) -> dict[str, Any]:
        form = build(page, draft)
        form.errors = draft.pop("errors", {})
        return {"form": form}

    return Step(title, "setup/wizard_form.html", take, prepare, next)


def _begin(page: SetupVisit) -> Draft:
    object = _object(page)
    return {
        "object": object,
        "criteria": Criteria(),
        "editable": "AdminOnly",
        "fields": ["Name", "Owner"] if page.org.schema[object].field("OwnerId") else ["Name"],
        "history": True,
        "submitters": ["owner" if page.org.schema[object].field("OwnerId") else "creator"],
    }


def _store(page: SetupVisit, draft: Draft) -> Response:
    full = claim(page.org, draft["object"], draft, old := str(draft.get("full", "")))
    kept = dict(page.org.component("ApprovalProcess", old) or {}) if old else {}
    for name in ("entryCriteria", "nextAutomatedApprover", "emailTemplate", "description"):
        kept.pop(name, None)
    made = {
        **(kept or new_process(draft["label"])),
        "label": draft["label"],
        "allowRecall": bool(draft.get("allowRecall")),
        "allowedSubmitters": [_submitter(one) for one in draft["submitters"]],
        "approvalPageFields": {"field": draft["fields"]},
        "enableMobileDeviceAccess": bool(draft.get("mobile")),
        "recordEditability": draft["editable"],
        "showApprovalHistory": bool(draft.get("history")),
        **criteria_tree(page.org, draft["criteria"]),
        **said(
            emailTemplate=draft.get("emailTemplate") or None, description=draft.get("description") or None
        ),
    }
    if draft.get("next"):
        made |= _next_approver(draft["next"], by_owner=bool(draft.get("by_owner")))
    if old and old != full:
        page.org.put_component("ApprovalProcess", old, None)
    put(page.org, full, made)
    return page.go(address(full))


def _begin_edit(page: SetupVisit) -> Draft:
    full, tree = process_of(page)
    object, _, unique = full.partition(".")
    following = tree.get("nextAutomatedApprover", {})
    return {
        "full": full,
        "object": object,
        "label": tree["label"],
        "unique": unique,
        "description": tree.get("description", ""),
        "criteria": criteria_of(tree),
        "next": following.get("userHierarchyField", ""),
        "by_owner": bool(following.get("useApproverFieldOfRecordOwner")),
        "editable": tree["recordEditability"],
        "emailTemplate": tree.get("emailTemplate", ""),
        "fields": list(tree.get("approvalPageFields", {}).get("field", ())),
        "history": bool(tree.get("showApprovalHistory")),
        "mobile": bool(tree.get("enableMobileDeviceAccess")),
        "submitters": [_submitter_value(one) for one in tree.get("allowedSubmitters", ())],
        "allowRecall": bool(tree.get("allowRecall")),
    }


_STEPS = (
    _step("Enter Name and Description", _about),
    _step("Specify Entry Criteria", _entry),
    _step("Specify Approver Field and Record Editability Properties", _properties),
    _step("Select Notification Templates", _notification),
    _step("Select Fields to Display on Approval Page Layout", _page_layout),
    _step("Specify Initial Submitters", _submitters, "Save"),
)
Wizard("New Approval Process", "/standard/{object}", _STEPS, _begin, _store, lambda page: "/home").register(
    APPROVALS
)
Wizard(
    "Edit Approval Process",
    "/process/{process}/e",
    _STEPS,
    _begin_edit,
    _store,
    lambda page: address(process_of(page)[0]),
).register(APPROVALS)


def _object(page: SetupVisit) -> str:
    object = page.params["object"]
    if object not in {one.name for one in objects(page.org)}:
        raise NotHere
    return object


def _criteria(org: Org, object: str) -> Input:
    return Input(
        "criteria",
        "Entry Criteria",
        "criteria",
        choices=fields(org, object, "User"),
        help="Use this approval process if the following criteria are met; without any, all records enter it:",
    )


def _next_approver(field: str, *, by_owner: bool) -> dict[str, Any]:
    return {"nextAutomatedApprover": {"useApproverFieldOfRecordOwner": by_owner, "userHierarchyField": field}}


def _submitter(value: str) -> dict[str, str]:
    kind, _, name = value.partition(":")
    return said(submitter=name or None, type=kind)


def _submitter_value(one: Tree) -> str:
    return f"{one['type']}:{one['submitter']}" if "submitter" in one else str(one["type"])
