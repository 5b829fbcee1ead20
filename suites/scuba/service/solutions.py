"""How somebody who knows Salesforce does the tasks of service."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from .caring import service_003, service_004, service_005, service_010, service_011
from .responding import service_013, service_014

__all__ = [
    "service_003",
    "service_004",
    "service_005",
    "service_010",
    "service_011",
    "service_013",
    "service_014",
]


async def service_001(hand: Hand, case: Case) -> None: ...
async def service_006(hand: Hand, case: Case) -> None: ...
