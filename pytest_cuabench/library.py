"""Where the shipped definitions lie: suites, worlds, world data and agent profiles."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
_SHIPPED = _PACKAGE / "_library"  # put there by the wheel build
ROOT = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent  # a checkout keeps them beside the package

SUITES = ROOT / "suites"
ENVIRONMENTS = ROOT / "environments"
FIXTURES = ROOT / "fixtures"
AGENTS = ROOT / "agents"
