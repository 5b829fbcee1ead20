"""The declared resources of a task in an org: objects, metadata types, or everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pytest_cuabench.drivers.salesforce.snapshot import METADATA
from pytest_cuabench.errors import SettingError

EXCLUSIVE = "exclusive"
# Metadata types listed for every task: new components are detected and deleted; changed or deleted ones are only
# detected, by stamp. Types whose components are also records above are not included.
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
    "MutingPermissionSet",
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
# Objects watched for every task, so that changes outside of its resources are detected and reverted.
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
    """The objects and metadata types that a task watches and resets.

    Attributes:
        objects: Names of objects.
        components: Full names by metadata type; empty means all of the type.
        listed: Metadata types read by name and stamp only.
        exclusive: Whether no other task may run in the org meanwhile.
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
            SettingError: A resource is malformed.
        """
        declared = list(resources)
        objects = frozenset(one for one in declared if one != EXCLUSIVE and not one.startswith(METADATA))
        components: dict[str, tuple[str, ...]] = {}
        for one in declared:
            if one.startswith(METADATA):
                kind, _, name = one.removeprefix(METADATA).partition("/")
                if not kind:
                    raise SettingError(f"invalid resource {one!r}: it has no metadata type")
                components[kind] = (*components.get(kind, ()), *((name,) if name else ()))
        return cls(objects, components, EXCLUSIVE in declared, objects)

    @property
    def collections(self) -> frozenset[str]:
        """The names of the state's collections."""
        return self.objects | {METADATA + kind for kind in (*self.components, *self.listed)}

    def with_business(self) -> Watched:
        """Return a copy that also watches the standard business objects."""
        return replace(self, objects=self.objects | frozenset(BUSINESS))

    def with_setup(self) -> Watched:
        """Return a copy that also lists the Setup metadata types."""
        return replace(self, listed=frozenset(SETUP))
