"""Computer-use-agent benchmarks as pytest suites.

The names that suites, agents, drivers and exporters of others need; docs/api.md says what is stable. Each is imported
when it is first used, so that an installed but unused plugin costs nothing. Modules that others import by a shorter or
an older name are found by that, too.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from pytest_cuabench.agents.base import Agent, Briefing, Decision
    from pytest_cuabench.agents.builtin.oracle import Lost, Pilot
    from pytest_cuabench.agents.profile import Profile
    from pytest_cuabench.drivers.base import Environment
    from pytest_cuabench.drivers.driver import Driver, DriverContext, Place, PlannedSuite
    from pytest_cuabench.drivers.worlds import World, WorldSession, find_world
    from pytest_cuabench.errors import (
        ActionError,
        BudgetSpent,
        CheckerFailure,
        CuabenchError,
        EnvironmentFailure,
        ProviderFailure,
        SettingError,
    )
    from pytest_cuabench.ledger.attempt import Attempt
    from pytest_cuabench.ledger.record import Run
    from pytest_cuabench.task.case import Case, Values, also, wrong
    from pytest_cuabench.task.evidence import Activity, Change, Evidence, State, Write
    from pytest_cuabench.task.model import Instance, SuiteInfo, Task
    from pytest_cuabench.task.observation import ActionResult, Box, Mark, Node, Observation, Tab
    from pytest_cuabench.task.outcome import Outcome
    from pytest_cuabench.task.usage import Usage
    from pytest_cuabench.task.verdict import Findings, Milestone, Verdict, Violation

_PLACES = {
    "agents.oracle": ("Lost", "Pilot"),
    "agents.base": ("Agent", "Briefing", "Decision"),
    "drivers.base": ("Environment",),
    "drivers.driver": ("Driver", "DriverContext", "Place", "PlannedSuite"),
    "drivers.worlds": ("World", "WorldSession", "find_world"),
    "errors": (
        "ActionError", "BudgetSpent", "CheckerFailure", "CuabenchError", "EnvironmentFailure",
        "ProviderFailure", "SettingError",
    ),
    "ledger.attempt": ("Attempt",),
    "ledger.record": ("Run",),
    "task.evidence": ("Activity", "Change", "Evidence", "State", "Write"),
    "task.observation": ("ActionResult", "Box", "Mark", "Node", "Observation", "Tab"),
    "task.outcome": ("Outcome",),
    "agents.profile": ("Profile",),
    "task.case": ("Case", "Values", "also", "wrong"),
    "task.model": ("Instance", "SuiteInfo", "Task"),
    "task.usage": ("Usage",),
    "task.verdict": ("Findings", "Milestone", "Verdict", "Violation"),
}  # fmt: skip
_ALIASES = {
    "cli": "commands.cli",
    "client": "serving.client",
    "gym": "serving.gym",
    "drivers.chromium.executable": "drivers.chromium.browser.executable",
    **{
        f"agents.{name}": f"agents.builtin.{name}"
        for name in ("human", "noop", "ocr", "oracle", "random", "replay", "solution_steps", "spam")
    },
    **{f"agents.{name}": f"agents.makers.{name}.agent" for name in ("anthropic", "chat", "gemini", "openai")},
    "agents.action_spaces": "agents.makers.chat.action_spaces",
    "agents.planner": "agents.makers.chat.planner",
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [
    "ActionError",
    "ActionResult",
    "Activity",
    "Agent",
    "Attempt",
    "Box",
    "Briefing",
    "BudgetSpent",
    "Case",
    "Change",
    "CheckerFailure",
    "CuabenchError",
    "Decision",
    "Driver",
    "DriverContext",
    "Environment",
    "EnvironmentFailure",
    "Evidence",
    "Findings",
    "Instance",
    "Lost",
    "Mark",
    "Milestone",
    "Node",
    "Observation",
    "Outcome",
    "Pilot",
    "Place",
    "PlannedSuite",
    "Profile",
    "ProviderFailure",
    "Run",
    "SettingError",
    "State",
    "SuiteInfo",
    "Tab",
    "Task",
    "Usage",
    "Values",
    "Verdict",
    "Violation",
    "World",
    "WorldSession",
    "Write",
    "__version__",
    "also",
    "find_world",
    "wrong",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("pytest-cuabench")
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Aliases:
    """Finds modules by the names of `_ALIASES`; without the base classes of `importlib.abc`, which import much more."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        loader: Any = self
        return ModuleSpec(fullname, loader) if fullname.removeprefix(f"{__name__}.") in _ALIASES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(f"{__name__}.{_ALIASES[spec.name.removeprefix(f'{__name__}.')]}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state  # it keeps its own name


sys.meta_path.append(_Aliases())
