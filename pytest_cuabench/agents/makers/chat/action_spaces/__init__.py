"""Action spaces: how models write their actions, one module each."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    COORDINATES,
    ActionSpace,
    BaseActionSpace,
    Reply,
    ToolCall,
    place,
)
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.names import unknown_name

__all__ = [
    "ACTION_SPACES", "COORDINATES", "ActionSpace", "BaseActionSpace", "Reply", "ToolCall", "find_action_space", "place",
]  # fmt: skip

_HERE = __name__
ACTION_SPACES: Mapping[str, str] = {
    "browser-use": f"{_HERE}.browser_use:BrowserUse",
    "browsergym": f"{_HERE}.browsergym:BrowserGym",
    "computer_13": f"{_HERE}.computer13:Computer13",
    "evocua": f"{_HERE}.qwen:EvoCua",
    "fara": f"{_HERE}.qwen:Fara",
    "glm": f"{_HERE}.glm:Glm",
    "holo": f"{_HERE}.holo:Holo",
    "kimi": f"{_HERE}.opencua:Kimi",
    "mai-ui": f"{_HERE}.qwen:MaiUi",
    "mano": f"{_HERE}.ui_tars:Mano",
    "opencua": f"{_HERE}.opencua:OpenCua",
    "opencua-72b": f"{_HERE}.opencua:OpenCua72B",
    "pyautogui": f"{_HERE}.pyautogui:PyAutoGui",
    "qwen": f"{_HERE}.qwen:Qwen",
    "qwen2.5": f"{_HERE}.qwen:Qwen25",
    "scienceboard": f"{_HERE}.scienceboard:ScienceBoard",
    "step-gui": f"{_HERE}.step_gui:StepGui",
    "ui-tars": f"{_HERE}.ui_tars:UiTars",
    "ui-tars-2": f"{_HERE}.ui_tars:UiTars2",
}


def find_action_space(name: str, coordinates: str | None = None) -> ActionSpace:
    """Return the action space of a name (one of `ACTION_SPACES`, or `module:Class`), optionally with other coordinates.

    Raises:
        SettingError: The action space or the coordinates are unknown.
    """
    if coordinates is not None and coordinates not in COORDINATES:
        raise SettingError(unknown_name("coordinates", coordinates, COORDINATES))
    if name not in ACTION_SPACES and ":" not in name:
        raise SettingError(unknown_name("dialect", name, ACTION_SPACES))
    module, _, attribute = ACTION_SPACES.get(name, name).partition(":")
    try:
        made = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise SettingError(f"cannot import the dialect {name!r}: {error}") from error
    dialect: ActionSpace = made(COORDINATES[coordinates] if coordinates else None)
    return dialect
