"""How somebody who knows Salesforce does the tasks of service."""

from __future__ import annotations

from .caring import service_003, service_004, service_005, service_010, service_011
from .groundwork import service_001, service_006
from .responding import service_013, service_014

__all__ = [
    "service_001",
    "service_003",
    "service_004",
    "service_005",
    "service_006",
    "service_010",
    "service_011",
    "service_013",
    "service_014",
]
