"""Drivers by name: entry points of installed packages, or `module:name` within the suite that needs one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.driver import Driver, OpenFunction
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.functions import read_functions
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.suite import code_package
from pytest_cuabench.task.tracebacks import told

if TYPE_CHECKING:
    from pytest_cuabench.task.model import SuiteInfo

GROUP = "pytest_cuabench.drivers"


def find_driver(name: str, suite: SuiteInfo) -> Driver:
    """Return the driver that a suite names.

    Raises:
        SettingError: No driver has this name, or it cannot be imported.
    """
    module, separator, inner = name.partition(":")
    try:
        if not separator:
            return installed_driver(name)
        file = suite.folder / f"{module.replace('.', '/')}.py"
        found = read_functions(file, f"{code_package(suite.folder)}.{module}").get(inner)
    except SettingError as error:
        raise SettingError(f"suite {suite.name}: {error}") from error
    return _named(name, found)


def installed_driver(name: str) -> Driver:
    """Return an installed driver.

    Raises:
        SettingError: No driver has this name, or it cannot be imported.
    """
    installed = _installed()
    if name not in installed:
        raise SettingError(unknown_name("driver", name, installed))
    try:
        return _named(name, installed[name].load())
    except Exception as error:
        raise SettingError(f"the driver {name} cannot be imported: {told(error)}") from error


def relatives(driver: Driver) -> Iterator[Driver]:
    """Yield the other installed drivers of a driver's family."""
    for name in _installed() if driver.family else ():
        try:
            other = installed_driver(name)
        except SettingError:
            continue  # another package's broken driver is reported where a suite or a user names it
        if other.family == driver.family and other.name != driver.name:
            yield other


@cache
def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}


def _named(name: str, found: object) -> Driver:
    if isinstance(found, type) and issubclass(found, Driver):
        driver = found()
    elif callable(found):
        driver = OpenFunction(found)
    else:
        raise SettingError(f"the driver {name} is neither a subclass of Driver nor a function")
    driver.name = name
    return driver
