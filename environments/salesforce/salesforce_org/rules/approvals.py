"""Records that an approval process locks are not changed; what describes approvals is computed when it is asked for."""

from __future__ import annotations

from salesforce_org.approvals import tables
from salesforce_org.approvals.locks import UNLOCKED, guard
from salesforce_org.rules.registry import RULES
from salesforce_org.store.org import Change

__all__ = ["tables"]

RULES.guards.append(guard)


@RULES.on("deleting", "ProcessInstance")
def forget_unlocking(change: Change) -> None:
    """That its record was unlocked goes with a request."""
    change.org.put_component(UNLOCKED, change.new["Id"], None)
