"""Salesforce's interfaces for tools: OAuth, REST, Tooling, Bulk, SOAP."""

from salesforce_org.api.entrance import answer

__all__ = ["answer"]
