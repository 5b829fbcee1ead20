"""Paths of definitions: those that are shipped, and those that installed packages bring."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from pytest_cuabench.errors import SettingError

_PACKAGE = Path(__file__).parents[1]
_SHIPPED = _PACKAGE / "_library"  # put there by the wheel build
ROOT = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent  # a checkout keeps them beside the package

SUITES = ROOT / "suites"
ENVIRONMENTS = ROOT / "environments"
FIXTURES = ROOT / "fixtures"
AGENTS = ROOT / "agents"


def entry_folders(group: str) -> Iterator[Path]:
    """Yield the folders that installed packages name by entry points: a package, or a variable with a path.

    Raises:
        SettingError: An entry point cannot be imported.
    """
    for entry in entry_points(group=group):
        try:
            found = entry.load()
        except Exception as error:
            package = entry.dist.name if entry.dist else "an installed package"
            raise SettingError(
                f"{package}: the entry point {group}: {entry.name} = {entry.value} cannot be imported: "
                f"{type(error).__name__}: {error}"
            ) from error
        yield Path(next(iter(found.__path__)) if isinstance(found, ModuleType) else str(found))
