"""Approvals on pages: dialogs that submit, answer and recall, the Approval History, and what waits for somebody."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from starlette.responses import Response

from salesforce_org.approvals import running
from salesforce_org.approvals.locks import items, last, pending, turn, turns
from salesforce_org.approvals.people import CHOSEN, acts_as, may_decide
from salesforce_org.approvals.processes import active, all_processes
from salesforce_org.approvals.tables import of_instance
from salesforce_org.pages.dialogs import back, dialog, found
from salesforce_org.pages.formats import Shown, link, moment, record_href
from salesforce_org.pages.related import RelatedList
from salesforce_org.pages.routing import page
from salesforce_org.pages.tables import Header, Line, Table
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Org, Record, SObject
from salesforce_org.store.errors import OrgError
from salesforce_org.store.values import read_moment

NONE_APPLIES = (
    "This record does not meet the entry criteria or initial submitters of any active approval processes. Please "
    "contact your administrator for assistance."
)
ITEM = "ProcessInstanceWorkitem"
_TITLES = {"approve": "Approve", "reject": "Reject", "reassign": "Reassign"}
_DONE = {"approve": "approved", "reject": "rejected", "reassign": "reassigned"}
_STATUS = {"NoResponse": "No Response", "Removed": "Recalled", "Started": "Submitted"}
ON_CARD = 4  # columns; all of them are on the page of the list
_COLUMNS = ("Step Name", "Date", "Status", "Assigned To", "Actual Approver", "Comments")


@page("GET", "/lightning/r/{object}/{id}/submit")
@page("POST", "/lightning/r/{object}/{id}/submit")
def submit(visit: Visit) -> Response:
    """Submit a record for approval."""
    kind, row = found(visit)
    work = partial(running.submit, visit.org, row["Id"])
    return _answer(visit, kind, row, "Submit for Approval", "Submit", work, "submitted for approval")


@page("GET", "/lightning/r/{object}/{id}/recall")
@page("POST", "/lightning/r/{object}/{id}/recall")
def recall(visit: Visit) -> Response:
    """Take back a record's request for approval."""
    kind, row = found(visit)

    def work(comments: str, approvers: tuple[str, ...]) -> Record:
        return running.recall(visit.org, row["Id"], comments)

    return _answer(visit, kind, row, "Recall Approval Request", "Recall", work, "recalled from approval")


@page("GET", "/lightning/r/{object}/{id}/lock")
def ask_lock(visit: Visit) -> Response:
    """Ask whether a record shall be unlocked, or locked again."""
    kind, _, what = _locked(visit)
    return dialog(visit, kind, "record/lock.html", f"{what} Record", what=what, action=visit.path)


@page("POST", "/lightning/r/{object}/{id}/lock")
def lock(visit: Visit) -> Response:
    """Unlock a record that an approval locks, or lock it again."""
    kind, row, what = _locked(visit)
    turn(visit.org, row["Id"])
    return visit.go(record_href(kind.name, row["Id"]), f"{kind.label} was {what.lower()}ed.")


def _locked(visit: Visit) -> tuple[SObject, Record, str]:
    kind, row = found(visit)
    what = turns(visit.org, row["Id"])
    if what is None:
        raise NotHere
    return kind, row, what


@page("GET", "/lightning/r/ProcessInstanceWorkitem/{id}/{what}")
@page("POST", "/lightning/r/ProcessInstanceWorkitem/{id}/{what}")
def decide(visit: Visit) -> Response:
    """Approve, reject or reassign a request."""
    item, what = _item(visit), visit.params["what"]
    kind, row = _target(visit.org, item)
    if what not in _TITLES:
        raise NotHere

    def work(comments: str, approvers: tuple[str, ...]) -> Record:
        if what == "reassign":
            return running.reassign(visit.org, item["Id"], (*approvers, "")[0], comments)
        return running.decide(visit.org, item["Id"], what == "approve", comments, approvers)

    title = "Reassign Approval Request" if what == "reassign" else f"{_TITLES[what]} {kind.label}"
    return _answer(visit, kind, row, title, _TITLES[what], work, _DONE[what])


@page("GET", "/lightning/r/ProcessInstanceWorkitem/{id}/view")
def view(visit: Visit) -> Response:
    """Go to the record that a request is about."""
    kind, row = _target(visit.org, _item(visit))
    return visit.go(record_href(kind.name, row["Id"]))


def _item(visit: Visit) -> Record:
    item = visit.org.get(ITEM, visit.params["id"])
    if item is None:
        raise NotHere
    return item


def _target(org: Org, item: Record) -> tuple[SObject, Record]:
    _, instance = org.record(item["ProcessInstanceId"])
    return org.record(instance["TargetObjectId"])


def _answer(
    visit: Visit,
    kind: SObject,
    row: Record,
    title: str,
    button: str,
    work: Callable[[str, tuple[str, ...]], Record],
    done: str,
) -> Response:
    """Do what was asked for, or ask for comments and, where one is missing, for the next approver."""
    came, chosen = visit.field("back") or back(visit), visit.field("approver")
    approvers, sent = (chosen,) if chosen else (), bool(visit.form)
    problem = running.rehearse(visit.org, lambda: work(visit.field("comments"), approvers))
    if sent and problem is None:
        work(visit.field("comments"), approvers)
        return visit.go(came or record_href(kind.name, row["Id"]), f"{kind.label} was {done}.")
    asks = "chosen" in visit.form or (problem is not None and CHOSEN in problem.fields)
    told = [] if problem is None or (asks and not chosen) else [_sentence(problem)]
    context = {
        "button": button,
        "action": visit.path,
        "back": came,
        "asks": asks,
        "label": "Reassign To" if button == "Reassign" else "Choose Approver",
        "approver": chosen,
        "approver_name": visit.org.name_of(chosen) or "",
        "comments": visit.field("comments"),
        "error": "Complete this field." if asks and sent and not chosen else "",
        "problems": told,
        "possible": problem is None or asks or sent,
    }
    return dialog(visit, kind, "record/approval.html", title, **context)


def _sentence(problem: OrgError) -> str:
    return NONE_APPLIES if problem.code == "NO_APPLICABLE_PROCESS" else problem.message


# On a record's page


def locking(org: Org, kind: SObject, row: Record) -> list[dict[str, str]]:
    """Return the button by which an administrator unlocks a record, or locks it again."""
    what = turns(org, row["Id"])
    return (
        [{"label": f"{what} Record", "opens": f"/lightning/r/{kind.name}/{row['Id']}/lock"}] if what else []
    )


def submits(org: Org, kind: SObject, row: Record) -> list[dict[str, str]]:
    """Return the button that submits a record, where its object has an active process and it waits in none."""
    offered = pending(org, row["Id"]) is None and active(org, kind.name)
    address = f"/lightning/r/{kind.name}/{row['Id']}/submit"
    return [{"label": "Submit for Approval", "opens": address}] if offered else []


def _actions(org: Org, kind: SObject, row: Record) -> list[dict[str, str]]:
    """Return the buttons of the Approval History: to submit the record, or to answer and recall its request."""
    base, instance = f"/lightning/r/{kind.name}/{row['Id']}", pending(org, row["Id"])
    if instance is None:
        return submits(org, kind, row)
    waits = sorted(items(org, instance), key=lambda one: not acts_as(org, org.user_id, one["ActorId"]))
    answers = next((buttons for one in waits if (buttons := _answers(org, instance, one))), [])
    recalls = [{"label": "Recall", "opens": f"{base}/recall"}] if running.may_recall(org, instance) else []
    return [*answers, *recalls]


def _answers(org: Org, instance: Record, item: Record) -> list[dict[str, str]]:
    step = running.step_of(org, instance)
    if step is None or not may_decide(org, item, step.tree):
        return []
    return [
        {"label": label, "opens": f"/lightning/r/{ITEM}/{item['Id']}/{what}"}
        for what, label in _TITLES.items()
    ]


def approval_history(
    org: Org, kind: SObject, row: Record, limit: int, columns: int = ON_CARD
) -> list[RelatedList]:
    """Return the Approval History of a record, if it has one or may get one."""
    if last(org, row["Id"]) is None and not active(org, kind.name):
        return []
    names = {step.id: str(step.tree["label"]) for one in all_processes(org) for step in one.steps}
    lines = [
        _line(org, instance, entry, names, columns)
        for instance in org.rows("ProcessInstance", TargetObjectId=row["Id"])
        for entry in of_instance(org, instance)
    ][::-1]
    headers = tuple(Header(one, one) for one in _COLUMNS[:columns])
    return [
        RelatedList(
            "Approval History",
            "standard:approval",
            f"/lightning/r/{kind.name}/{row['Id']}/related/ProcessSteps/view",
            f"{limit}+" if len(lines) > limit else str(len(lines)),
            tuple(_actions(org, kind, row)),
            Table(headers, tuple(lines[:limit])),
        )
    ]


def _line(org: Org, instance: Record, entry: Record, names: dict[str, str], columns: int) -> Line:
    step = names.get(entry["ProcessNodeId"], "Approval Request Submitted")
    status = str(entry["StepStatus"])
    cells = (
        Shown(step),
        Shown(moment(read_moment(entry["CreatedDate"]), org.zone)),
        Shown(_STATUS.get(status, status)),
        link(org, entry["OriginalActorId"]),
        link(org, entry["ActorId"]),
        Shown(entry["Comments"] or ""),
    )
    answers = _answers(org, instance, entry) if entry["IsPending"] else []
    return Line(entry["Id"], step, cells[:columns], tuple(answers))


@page("GET", "/lightning/r/{object}/{id}/related/ProcessSteps/view")
def whole_history(visit: Visit) -> Response:
    """Show the whole Approval History of a record."""
    kind, row = found(visit)
    one = next(iter(approval_history(visit.org, kind, row, 2000, len(_COLUMNS))), None)
    if one is None:
        raise NotHere
    name = visit.org.name_of(row["Id"])
    return visit.render("record/related.html", one=one, kind=kind, row=row, name=name, object=kind.name)


# What waits for somebody


def items_to_approve(org: Org) -> Table:
    """Return the requests that wait for the acting user, newest first."""
    names = ("Related To", "Type", "Submitted By", "Date Submitted", "Assigned To")
    rows = [one for one in org.rows(ITEM) if acts_as(org, org.user_id, one["ActorId"])][::-1]
    return Table(tuple(Header(one, one) for one in names), tuple(_waiting(org, one) for one in rows))


def _waiting(org: Org, item: Record) -> Line:
    _, instance = org.record(item["ProcessInstanceId"])
    kind, row = _target(org, item)
    name = org.name_of(row["Id"]) or kind.label
    cells = (
        Shown(name, "link", record_href(kind.name, row["Id"])),
        Shown(kind.label),
        link(org, instance["SubmittedById"]),
        Shown(moment(read_moment(instance["CreatedDate"]), org.zone)),
        link(org, item["ActorId"]),
    )
    return Line(item["Id"], name, cells, tuple(_answers(org, instance, item)))


@page("GET", "/lightning/o/ProcessInstanceWorkitem/home")
@page("GET", "/lightning/o/ProcessInstanceWorkitem/list")
def home(visit: Visit) -> Response:
    """Show the requests that wait for the acting user."""
    return visit.render("home/approvals.html", table=items_to_approve(visit.org), object=ITEM)
