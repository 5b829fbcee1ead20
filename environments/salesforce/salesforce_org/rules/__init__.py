"""What the org's objects do beside storing; each module registers its rules here."""

from salesforce_org.store.org import Rules

RULES = Rules()
