"""The actions of an approval process: on submission, on each step, on final approval and rejection, and on recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.approvals.area import APPROVALS
from salesforce_org.setup.approvals.components import address, process_of, put
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Form, Input, Section, form_at
from salesforce_org.setup.tables import Action, Cell, Column, Table, related
from salesforce_org.setup.workflow_actions import KINDS, Kind, ask, save
from salesforce_org.store.org import Tree

_LOCK = "Lock the record from being edited"
_UNLOCK = "Unlock the record for editing"


@dataclass(frozen=True, slots=True)
class Block:
    """Actions that are done together.

    Attributes:
        place: What addresses call it: an element of the process, or of a step as `1-approvalActions`.
        lock: The element that says whether the record is locked; empty where that is fixed.
        fixed: What is done to the record's lock where nobody can choose.
    """

    place: str
    title: str
    lock: str = ""
    fixed: str = ""

    def adds(self, page: SetupVisit) -> list[tuple[str, str]]:
        """Return the kinds of actions that can be added, with their addresses."""
        return [
            (kind.label, page.link(f"{page.path}/new/{self.place}/{kind.name}")) for kind in KINDS.values()
        ]

    def actions(self, tree: Tree) -> list[Tree]:
        """Return the references to its actions."""
        step, _, element = self.place.rpartition("-")
        holder = tree["approvalStep"][int(step) - 1] if step else tree
        return list(holder.get(element, {}).get("action", ()))

    def put(self, tree: Tree, actions: list[Tree]) -> dict[str, Any]:
        """Return a process whose block has these actions."""
        step, _, element = self.place.rpartition("-")
        if not step:
            return _with(tree, element, actions)
        steps = [
            _with(one, element, actions) if number == int(step) else one
            for number, one in enumerate(tree["approvalStep"], 1)
        ]
        return {**tree, "approvalStep": steps}


def blocks(tree: Tree) -> tuple[Block, ...]:
    """Return the blocks of a process, those of its steps between submission and final approval."""
    steps = [
        Block(f"{number}-{element}", f"{step['label']}: {title}")
        for number, step in enumerate(tree.get("approvalStep", ()), 1)
        for element, title in (
            ("approvalActions", "Approval Actions"),
            ("rejectionActions", "Rejection Actions"),
        )
    ]
    return (
        Block("initialSubmissionActions", "Initial Submission Actions", fixed=_LOCK),
        *steps,
        Block("finalApprovalActions", "Final Approval Actions", "finalApprovalRecordLock"),
        Block("finalRejectionActions", "Final Rejection Actions", "finalRejectionRecordLock"),
        Block("recallActions", "Recall Actions", fixed=_UNLOCK),
    )


def listed(page: SetupVisit, full: str, tree: Tree, block: Block) -> Table:
    """Return the actions of a block, what is done to the record's lock first."""
    object, here = full.partition(".")[0], address(full)
    rows: list[tuple[str, Cell, list[Action]]] = []
    if block.lock:
        text = _LOCK if tree.get(block.lock) else _UNLOCK
        rows.append(("Record Lock", Cell(text), [Action("Edit", page.link(f"{here}/lock/{block.lock}"))]))
    elif block.fixed:
        rows.append(("Record Lock", Cell(block.fixed), []))
    for number, one in enumerate(block.actions(tree)):
        kind = KINDS.get(one["type"])
        entry = kind.entry(page.org, object, one["name"]) if kind else None
        text = kind.called(entry) if kind and entry else str(one["name"])
        gone = page.link(f"{here}/remove/{block.place}/{number}")
        does = [Action("Remove", gone, post=True)]
        if kind and entry:
            does.insert(0, Action("Edit", kind.address(object, one["name"])))
        rows.append((kind.label if kind else str(one["type"]), Cell(text), does))
    columns = (Column("Type", lambda row: row[0]), Column("Description", lambda row: row[1]))
    return related(block.title, columns, rows, lambda row: row[2])


@APPROVALS.get("/process/{process}/new/{place}/{kind}")
def new(page: SetupVisit) -> Response:
    """Ask about an action that is made and added."""
    full, _, _ = _found(page)
    return ask(page, _kind(page), full.partition(".")[0])


@APPROVALS.post("/process/{process}/new/{place}/{kind}")
def create(page: SetupVisit) -> Response:
    """Store a new action and add it."""
    full, tree, block = _found(page)
    kind = _kind(page)

    def add(name: str) -> None:
        put(page.org, full, block.put(tree, [*block.actions(tree), {"name": name, "type": kind.name}]))

    return save(page, kind, full.partition(".")[0], "", address(full), add)


@form_at(
    APPROVALS,
    "/process/{process}/add/{place}",
    lambda page: _existing(page),
    back=lambda page: address(process_of(page)[0]),
)
def add_existing(page: SetupVisit, given: dict[str, Any]) -> str:
    """Store which of the object's actions are done."""
    full, tree, block = _found(page)
    parts = (one.partition(":") for one in given["actions"])
    put(page.org, full, block.put(tree, [{"name": name, "type": kind} for kind, _, name in parts]))
    return address(full)


@APPROVALS.post("/process/{process}/remove/{place}/{number}")
def remove(page: SetupVisit) -> Response:
    """Take an action out; it stays in the list of all actions."""
    full, tree, block = _found(page)
    kept = [one for number, one in enumerate(block.actions(tree)) if str(number) != page.params["number"]]
    put(page.org, full, block.put(tree, kept))
    return page.go(address(full))


@form_at(
    APPROVALS,
    "/process/{process}/lock/{element}",
    lambda page: _lock(page),
    back=lambda page: address(process_of(page)[0]),
)
def set_lock(page: SetupVisit, given: dict[str, Any]) -> str:
    """Store what is done to the record's lock."""
    full, tree = process_of(page)
    put(page.org, full, {**tree, page.params["element"]: given["lock"] == "lock"})
    return address(full)


def _found(page: SetupVisit) -> tuple[str, Tree, Block]:
    full, tree = process_of(page)
    block = next((one for one in blocks(tree) if one.place == page.params["place"]), None)
    if block is None:
        raise NotHere
    return full, tree, block


def _kind(page: SetupVisit) -> Kind:
    if page.params["kind"] not in KINDS:
        raise NotHere
    return KINDS[page.params["kind"]]


def _existing(page: SetupVisit) -> Form:
    full, tree, block = _found(page)
    object = full.partition(".")[0]
    offered = tuple(
        Choice(f"{kind.name}:{one['fullName']}", f"{kind.label}: {kind.called(one)}")
        for kind in KINDS.values()
        for one in kind.entries(page.org, object)
    )
    titles = ("Available Actions", "Selected Actions")
    inputs = (Input("actions", "Actions", "dual", choices=offered, titles=titles),)
    values = {"actions": [f"{one['type']}:{one['name']}" for one in block.actions(tree)]}
    return Form(
        f"{tree['label']}: {block.title}",
        "Existing Actions",
        (Section("Select Existing Actions", inputs),),
        values,
    )


def _lock(page: SetupVisit) -> Form:
    _, tree = process_of(page)
    element = page.params["element"]
    if element not in {one.lock for one in blocks(tree) if one.lock}:
        raise NotHere
    offered = (Choice("unlock", _UNLOCK), Choice("lock", _LOCK))
    inputs = (Input("lock", "Record Lock", "radio", True, offered),)
    values = {"lock": "lock" if tree.get(element) else "unlock"}
    return Form(tree["label"], "Record Lock", (Section("Record Lock", inputs),), values)


def _with(holder: Tree, element: str, actions: list[Tree]) -> dict[str, Any]:
    rest = {key: one for key, one in holder.items() if key != element}
    return {**rest, element: {"action": actions}} if actions else rest
