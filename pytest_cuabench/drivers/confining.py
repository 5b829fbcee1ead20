"""What the boxes of programs have in common with those of desktops, whose modules are loaded by their files.

The wheel of the engine holds these four modules of the guest, whether desktops are installed or not.

The guest of desktops imports nothing of this package, and this package nothing else of the guest.
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from pytest_cuabench.task import library


def _module(name: str) -> ModuleType:
    known = f"_cuabench_guest_{name}"
    if known not in sys.modules:
        spec = spec_from_file_location(known, library.ENVIRONMENTS / "desktop" / "guest" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[known] = module_from_spec(spec)  # dataclasses look for their module there
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


libraries, proc, seccomp, users = map(_module, ("libraries", "proc", "seccomp", "users"))
