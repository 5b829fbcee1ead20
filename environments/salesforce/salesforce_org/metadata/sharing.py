"""Organization-wide defaults: what every user may do with the records of an object, told by its sharing models."""

from __future__ import annotations

from salesforce_org.metadata.errors import unfit

INTERNAL, EXTERNAL = "sharingModel", "externalSharingModel"
# From the narrowest to the widest; what follows a parent is as wide as the parent.
MODELS = {
    "ControlledByParent": "Controlled by Parent",
    "Private": "Private",
    "Read": "Public Read Only",
    "ReadWrite": "Public Read/Write",
    "ReadWriteTransfer": "Public Read/Write/Transfer",
    "FullAccess": "Public Full Access",
}
PLAIN = ("Private", "Read", "ReadWrite")
_CHILD = ("ControlledByParent", *PLAIN)
# Of standard objects: the models that they may have, and the two that a new org has.
STANDARD: dict[str, tuple[tuple[str, ...], str, str]] = {
    "Account": (PLAIN, "ReadWrite", "Private"),
    "Asset": (_CHILD, "ControlledByParent", "ControlledByParent"),
    "Campaign": ((*PLAIN, "FullAccess"), "FullAccess", "Private"),
    "Case": ((*PLAIN, "ReadWriteTransfer"), "ReadWriteTransfer", "Private"),
    "ChangeRequest": (PLAIN, "ReadWrite", "Private"),
    "Contact": (_CHILD, "ControlledByParent", "ControlledByParent"),
    "Incident": (PLAIN, "ReadWrite", "Private"),
    "Individual": (PLAIN, "ReadWrite", "Private"),
    "Lead": ((*PLAIN, "ReadWriteTransfer"), "ReadWriteTransfer", "Private"),
    "Opportunity": (PLAIN, "ReadWrite", "Private"),
    "Order": (_CHILD, "ControlledByParent", "ControlledByParent"),
    "Problem": (PLAIN, "ReadWrite", "Private"),
    "Product2": (PLAIN, "ReadWrite", "Private"),
    "ServiceContract": (PLAIN, "Private", "Private"),
    "User": (PLAIN[:2], "Read", "Private"),
}
CUSTOM = (PLAIN, "ReadWrite", "Private")


def check(internal: str, external: str) -> None:
    """Make sure that external users may not do more than internal ones.

    Raises:
        MetadataError: They may.
    """
    order = list(MODELS)
    follows = "ControlledByParent" in (internal, external)
    if order.index(external) > order.index(internal) or (follows and internal != external):
        raise unfit(
            "Default External Access must be the same as Default Internal Access or more restrictive",
            EXTERNAL,
        )
