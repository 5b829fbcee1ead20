"""The approval processes that metadata describes: their ids, their steps, and the one that a record enters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from salesforce_org.approvals.people import may_submit
from salesforce_org.criteria import fits
from salesforce_org.store import Org, Record, ids
from salesforce_org.store.org import Tree

KIND = "ApprovalProcess"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a process; `number` begins with 0."""

    process: str
    number: int
    tree: Tree

    @property
    def id(self) -> str:
        """The id of its ProcessNode."""
        return ids.named("04b", f"ApprovalStep/{self.process}.{self.tree['name']}")


@dataclass(frozen=True, slots=True)
class Process:
    """One process; `full` is its full name, such as `Opportunity.Discounts`."""

    full: str
    tree: Tree

    @property
    def id(self) -> str:
        """The id of its ProcessDefinition, which is that of the component."""
        return ids.named("04a", f"{KIND}/{self.full}")

    @property
    def object(self) -> str:
        """The name of the object whose records it approves."""
        return self.full.partition(".")[0]

    @property
    def name(self) -> str:
        """Its unique name."""
        return self.full.partition(".")[2]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Its steps in order."""
        return tuple(Step(self.full, at, tree) for at, tree in enumerate(self.tree.get("approvalStep", ())))

    def lets_in(self, org: Org, row: Record, tree: Tree) -> bool:
        """Whether a record meets the entry criteria of the process or of one of its steps."""
        return fits(org, self.object, row, tree.get("entryCriteria", {}))


def objects(org: Org) -> tuple[str, ...]:
    """Return the names of the objects whose records can be approved."""
    field = org.schema["ProcessInstance"].field("TargetObjectId")
    return tuple(name for name in (field.to if field else ()) if name in org.schema.objects)


def processes(org: Org, object: str) -> list[Process]:
    """Return the processes of an object in their order."""
    found = [one for one in all_processes(org) if one.object == object]
    return sorted(found, key=lambda one: (int(one.tree.get("processOrder", 0)), one.tree["label"]))


def all_processes(org: Org) -> Iterator[Process]:
    """Yield all processes of an org."""
    return (Process(full, tree) for full, tree in org.components(KIND).items())


def active(org: Org, object: str) -> list[Process]:
    """Return the active processes of an object in their order."""
    return [one for one in processes(org, object) if one.tree["active"]]


def process_of(org: Org, instance: Record) -> Process | None:
    """Return the process that a request runs through; None where it was deleted or renamed."""
    return next((one for one in all_processes(org) if one.id == instance["ProcessDefinitionId"]), None)


def applicable(
    org: Org, object: str, row: Record, name: str = "", *, skip_criteria: bool = False
) -> Process | None:
    """Return the first active process that the acting user may submit a record to, or the one of a name or id."""
    id = ids.full(name) if len(name) == 15 and name.isalnum() else name
    for one in active(org, object):
        if name and not {name, id} & {one.name, one.full, one.id}:
            continue
        enters = (bool(name) and skip_criteria) or one.lets_in(org, row, one.tree)
        if enters and may_submit(org, one.tree, row):
            return one
    return None
