"""Records that an approval process locks are not changed; what describes approvals is computed when it is asked for."""

from __future__ import annotations

from salesforce_org.approvals import tables
from salesforce_org.approvals.locks import guard
from salesforce_org.rules.registry import RULES

__all__ = ["tables"]

RULES.guards.append(guard)
