"""The applications that a desktop can start.

Each module of this package with an object `APPLICATION` is one, and each TOML file (`declared.py`); there is no other
registration.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from guest.applications import declared
from guest.applications.base import Application
from guest.errors import BadRequest, Conflict
from guest.places import APPLICATIONS, applications


@cache
def discover() -> dict[str, Application]:
    """Return all applications by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [import_module(f"{__name__}.{name}") for name in names if name != "base"]
    found: list[Application] = [module.APPLICATION for module in modules if hasattr(module, "APPLICATION")]
    found += [declared.read(file) for file in sorted(Path(__file__).parent.glob("*.toml"))]
    return {application.name: application for application in found}


def find(name: object) -> Application:
    """Return the application of a name.

    Raises:
        BadRequest: The application is unknown.
    """
    known = discover()
    if not isinstance(name, str) or name not in known:
        raise BadRequest(f"no application is named {name!r}; known: {', '.join(known)}")
    return known[name]


def missing(application: Application) -> list[str]:
    """Return the application's programs that are not installed."""
    here = str(applications())
    return [one for one in application.programs if not Path(one.replace(APPLICATIONS, here, 1)).exists()]


def require(application: Application) -> None:
    """Check that an application is installed.

    Raises:
        Conflict: It is not; the message has the command to type.
    """
    if absent := missing(application):
        packages = " ".join(application.packages)
        command = (
            f"apt-get install {packages}"
            if "pypi:" not in packages
            else f"scripts/install-docos {application.name}"
        )
        raise Conflict(f"{application.name} needs {absent[0]}; type: {command}")


def availability() -> dict[str, dict[str, Any]]:
    """Return for each application whether it is installed, and the packages to install if not."""
    return {
        name: {
            "available": not missing(application),
            "missing": missing(application),
            "packages": list(application.packages),
        }
        for name, application in discover().items()
    }
