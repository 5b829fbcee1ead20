"""Finds the applications: every folder of clinic.applications that declares one."""

import importlib
import pkgutil
from collections.abc import Sequence

from clinic import applications as shelf
from clinic.application import Application


class UnknownApplication(Exception):
    """A name was asked for that no folder provides."""

    def __init__(self, name: object, known: Sequence[str]) -> None:
        super().__init__(f"unknown application {name!r}; this world has: {', '.join(known)}")


def discover(wanted: Sequence[str] | None = None) -> dict[str, Application]:
    """Import the wanted applications (all when none are named), sorted by name."""
    known = sorted(module.name for module in pkgutil.iter_modules(shelf.__path__))
    for name in wanted or ():
        if name not in known:
            raise UnknownApplication(name, known)
    return {name: _load(name) for name in known if not wanted or name in wanted}


def _load(name: str) -> Application:
    application = importlib.import_module(f"{shelf.__name__}.{name}").APPLICATION
    if not isinstance(application, Application) or application.name != name:
        raise TypeError(f"clinic.applications.{name}.APPLICATION must be an Application named {name!r}")
    return application
