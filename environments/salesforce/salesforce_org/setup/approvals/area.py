"""The node of approval processes, to which every module of this package adds its pages."""

from __future__ import annotations

from salesforce_org.setup.area import Area

APPROVALS = Area("ApprovalProcesses", "approval")
