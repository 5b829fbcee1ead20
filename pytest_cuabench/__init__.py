"""Computer-use-agent benchmarks as pytest suites.

What suites, agents and drivers of others need is here; it is imported when first asked for, so that an
installed but unused plugin costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_cuabench.adapters.oracle import Hand
    from pytest_cuabench.agent import Agent, Briefing, Decision
    from pytest_cuabench.environment import Environment, Locatable
    from pytest_cuabench.errors import (
        ActionError,
        BudgetSpent,
        CheckerFailure,
        CuabenchError,
        EnvironmentFailure,
        ProviderFailure,
        SettingError,
    )
    from pytest_cuabench.evidence import Activity, Change, Evidence, State, Write
    from pytest_cuabench.observation import ActionResult, Box, Mark, Node, Observation, Tab
    from pytest_cuabench.outcome import Outcome
    from pytest_cuabench.profile import Profile
    from pytest_cuabench.task import Case, Instance, SuiteInfo, Task, wrong
    from pytest_cuabench.usage import Usage
    from pytest_cuabench.verdict import Milestone, Verdict, Violation

_PLACES = {
    "adapters.oracle": ("Hand",),
    "agent": ("Agent", "Briefing", "Decision"),
    "environment": ("Environment", "Locatable"),
    "errors": (
        "ActionError", "BudgetSpent", "CheckerFailure", "CuabenchError", "EnvironmentFailure",
        "ProviderFailure", "SettingError",
    ),
    "evidence": ("Activity", "Change", "Evidence", "State", "Write"),
    "observation": ("ActionResult", "Box", "Mark", "Node", "Observation", "Tab"),
    "outcome": ("Outcome",),
    "profile": ("Profile",),
    "task": ("Case", "Instance", "SuiteInfo", "Task", "wrong"),
    "usage": ("Usage",),
    "verdict": ("Milestone", "Verdict", "Violation"),
}  # fmt: skip
_MODULES = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [
    "ActionError",
    "ActionResult",
    "Activity",
    "Agent",
    "Box",
    "Briefing",
    "BudgetSpent",
    "Case",
    "Change",
    "CheckerFailure",
    "CuabenchError",
    "Decision",
    "Environment",
    "EnvironmentFailure",
    "Evidence",
    "Hand",
    "Instance",
    "Locatable",
    "Mark",
    "Milestone",
    "Node",
    "Observation",
    "Outcome",
    "Profile",
    "ProviderFailure",
    "SettingError",
    "State",
    "SuiteInfo",
    "Tab",
    "Task",
    "Usage",
    "Verdict",
    "Violation",
    "Write",
    "wrong",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
