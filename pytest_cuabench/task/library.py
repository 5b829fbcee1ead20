"""Paths of definitions: those that are shipped, and those that installed packages bring.

In a checkout suites, worlds and their data lie beside the package. Installed, they come with packages of their own
(`wheels/`), which are found by entry points as those of others are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, entry_points, requires
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

GROUP = "pytest_cuabench.suites"


def suite_roots() -> list[Path]:
    """Return the folders that hold the shipped and installed suites.

    Raises:
        SettingError: An entry point cannot be imported.
    """
    return [SUITES, *entry_folders(GROUP)]


def more() -> str:
    """Return `; type: pip install ...` where suites of this project are not installed; empty if all are here."""
    if ROOT != _SHIPPED:
        return ""
    brought = [
        name for name in requires("pytest-cuabench") or () if 'extra == "suites"' in name.replace("'", '"')
    ]
    lacking = [name for name in brought if not installed(name)]
    return "; type: pip install 'pytest-cuabench[suites]'" if lacking else ""


def installed(requirement: str) -> bool:
    """Whether the package of a requirement, such as `starlette>=1.0`, is installed in any version."""
    try:
        distribution(re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0])
    except PackageNotFoundError:
        return False
    return True


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
