"""How models write their actions: one module per notation, found by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from pytest_cuabench.agents.action_spaces.base import COORDINATES, Dialect, Notation, Reply, ToolCall, place
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.names import unknown_name

__all__ = ["COORDINATES", "DIALECTS", "Dialect", "Notation", "Reply", "ToolCall", "find_dialect", "place"]

_HERE = __name__
DIALECTS: Mapping[str, str] = {
    "browser-use": f"{_HERE}.browser_use:BrowserUse",
    "browsergym": f"{_HERE}.browsergym:BrowserGym",
    "computer_13": f"{_HERE}.computer13:Computer13",
    "opencua": f"{_HERE}.opencua:OpenCua",
    "pyautogui": f"{_HERE}.pyautogui:PyAutoGui",
    "qwen": f"{_HERE}.qwen:Qwen",
    "qwen2.5": f"{_HERE}.qwen:Qwen25",
    "scienceboard": f"{_HERE}.scienceboard:ScienceBoard",
    "ui-tars": f"{_HERE}.ui_tars:UiTars",
    "ui-tars-2": f"{_HERE}.ui_tars:UiTars2",
}


def find_dialect(name: str, coordinates: str | None = None) -> Dialect:
    """Return the notation of a name, one of `DIALECTS` or `module:Class`, with other coordinates where they are given.

    Raises:
        SettingError: The notation or the coordinates are unknown.
    """
    if coordinates is not None and coordinates not in COORDINATES:
        raise SettingError(unknown_name("coordinates", coordinates, COORDINATES))
    if name not in DIALECTS and ":" not in name:
        raise SettingError(unknown_name("dialect", name, DIALECTS))
    module, _, attribute = DIALECTS.get(name, name).partition(":")
    try:
        made = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise SettingError(f"cannot import the dialect {name!r}: {error}") from error
    dialect: Dialect = made(COORDINATES[coordinates] if coordinates else None)
    return dialect
