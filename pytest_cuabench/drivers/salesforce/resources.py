"""The declared resources of a task in an org: objects, metadata types, or everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pytest_cuabench.drivers.salesforce.snapshot import METADATA
from pytest_cuabench.errors import SettingError

EXCLUSIVE = "exclusive"
# Metadata types whose components are listed for whatever the task is: what is created is seen and deleted, what is
# changed or deleted is seen by its stamp or absence only. Types whose components are records above are not among them.
SETUP = (
    "ApprovalProcess",
    "AssignmentRules",
    "CompactLayout",
    "CustomApplication",
    "CustomField",
    "CustomObject",
    "CustomPermission",
    "CustomTab",
    "DuplicateRule",
    "EntitlementProcess",
    "EscalationRules",
    "FieldSet",
    "FlexiPage",
    "Flow",
    "GlobalValueSet",
    "Layout",
    "ListView",
    "MatchingRules",
    "Profile",
    "QuickAction",
    "RecordType",
    "Settings",
    "SharingRules",
    "StandardValueSet",
    "Territory2Model",
    "ValidationRule",
    "WebLink",
    "Workflow",
)
# Watched for whatever the task is, so that what an agent does elsewhere is seen and taken back.
BUSINESS = (
    "Account",
    "AccountContactRelation",
    "Asset",
    "Campaign",
    "CampaignMember",
    "Case",
    "CaseComment",
    "CaseRelatedIssue",
    "ChangeRequest",
    "ChangeRequestRelatedIssue",
    "ChangeRequestRelatedItem",
    "Contact",
    "Contract",
    "Entitlement",
    "Event",
    "Group",
    "GroupMember",
    "Incident",
    "IncidentRelatedItem",
    "Knowledge__ka",
    "Knowledge__kav",
    "Lead",
    "ListView",
    "ListViewChart",
    "MilestoneType",
    "Note",
    "Opportunity",
    "OpportunityCompetitor",
    "OpportunityContactRole",
    "OpportunityLineItem",
    "Order",
    "OrderItem",
    "PermissionSet",
    "PermissionSetAssignment",
    "PermissionSetGroup",
    "PermissionSetGroupComponent",
    "Pricebook2",
    "PricebookEntry",
    "Problem",
    "Product2",
    "QueueSobject",
    "Quote",
    "QuoteLineItem",
    "ServiceContract",
    "Task",
    "User",
    "UserLogin",
    "UserRole",
)


@dataclass(frozen=True, slots=True)
class Watched:
    """What is read and brought back.

    Attributes:
        objects: Names of objects.
        components: Metadata types, each with full names; no names mean all of the type.
        listed: Metadata types of which only names and stamps are read.
        exclusive: Nothing else may run in the org meanwhile.
        required: The objects that the org must have.
    """

    objects: frozenset[str] = frozenset()
    components: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclusive: bool = False
    required: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, resources: Iterable[str]) -> Watched:
        """Read what a task declares: `Account`, `metadata/Layout`, `metadata/StandardValueSet/LeadStatus`, `exclusive`.

        Raises:
            SettingError: One of them says nothing.
        """
        told = list(resources)
        objects = frozenset(one for one in told if one != EXCLUSIVE and not one.startswith(METADATA))
        components: dict[str, tuple[str, ...]] = {}
        for one in told:
            if one.startswith(METADATA):
                kind, _, name = one.removeprefix(METADATA).partition("/")
                if not kind:
                    raise SettingError(f"invalid resource {one!r}: it has no metadata type")
                components[kind] = (*components.get(kind, ()), *((name,) if name else ()))
        return cls(objects, components, EXCLUSIVE in told, objects)

    @property
    def collections(self) -> frozenset[str]:
        """The names of the collections that this is."""
        return self.objects | {METADATA + kind for kind in (*self.components, *self.listed)}

    def with_business(self) -> Watched:
        """Return it with the objects of everyday business beside."""
        return replace(self, objects=self.objects | frozenset(BUSINESS))

    def with_setup(self) -> Watched:
        """Return it with the components of Setup beside, by name and stamp."""
        return replace(self, listed=frozenset(SETUP))
