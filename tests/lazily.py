"""Modules that are imported when a test asks for something of them: each worker collects all test files."""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from typing import Any


def lazily(name: str) -> Any:
    """Return a module that is imported at the first look at one of its attributes; makers' SDKs take seconds."""
    if name not in sys.modules:
        spec = find_spec(name)
        assert spec is not None, name
        assert spec.loader is not None, name
        spec.loader = LazyLoader(spec.loader)
        sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
