"""Computer-use-agent benchmarks as pytest suites.

The names that suites, agents, drivers and exporters of others need; docs/api.md says what is stable. Each is imported
when it is first used, so that an installed but unused plugin costs nothing. Modules that others import by a shorter or
an older name are found by that, too.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

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


@cache
def _modules() -> dict[str, str]:
    """Return the module of each exported name, as type checkers read it in `__init__.pyi`."""
    import ast
    from pathlib import Path

    stub = ast.parse(Path(__file__).with_name("__init__.pyi").read_bytes())
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {name.name: str(node.module) for node in imports for name in node.names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("pytest-cuabench")
    if name == "__all__":
        return sorted([*_modules(), "__version__"])
    if name in _modules():
        return getattr(import_module(_modules()[name]), name)
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
