"""What the org's objects do beside storing; each module registers its rules at `RULES`."""

from salesforce_org.rules import (
    activities,
    campaigns,
    cases,
    contracts,
    deletions,
    groups,
    hierarchies,
    incidents,
    knowledge,
    leads,
    mirrors,
    opportunities,
    people,
    permissions,
    prices,
    quotes,
    references,
)
from salesforce_org.rules.registry import RULES

__all__ = [
    "RULES",
    "activities",
    "campaigns",
    "cases",
    "contracts",
    "deletions",
    "groups",
    "hierarchies",
    "incidents",
    "knowledge",
    "leads",
    "mirrors",
    "opportunities",
    "people",
    "permissions",
    "prices",
    "quotes",
    "references",
]
