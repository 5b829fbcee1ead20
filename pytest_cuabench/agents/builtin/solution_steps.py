"""Solutions whose steps are data, as in the TOML files of templates: the actions that a `Pilot` does in their order.

    { click = SELECTOR }    { double = SELECTOR }    { right = SELECTOR }    (a click with the right button)
    { fill = SELECTOR, to = TEXT }      { pick = SELECTOR, item = NAME }     (of a list; `role` if not menu-item, `nth`)
    { menu = [NAME, ..., ITEM] }        { press = CHORD }       { type = TEXT }       { wait = SECONDS }

Within a window, if one is named, elements are looked for unless their selectors begin with a dialog or frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_cuabench.agents.builtin.oracle import Pilot
from pytest_cuabench.task.action import Wait

Actions = Iterable[Mapping[str, Any]]

_WINDOWS = ("dialog", "frame")


async def do(pilot: Pilot, actions: Actions, window: str = "") -> None:
    """Do the actions in their order, within a window if one is named."""

    def inside(target: str) -> str:
        return f"{window} >> {target}" if window and not target.startswith(_WINDOWS) else target

    for one in actions:
        match one:
            case {"click": target}:
                await pilot.click(inside(target))
            case {"double": target}:
                await pilot.click(inside(target), count=2)
            case {"right": target}:
                await pilot.click(inside(target), button="right")
            case {"fill": target, "to": text}:
                await pilot.fill(inside(target), str(text))
            case {"pick": target, "item": item}:
                await pilot.click(inside(target))
                await pilot.click(f'{one.get("role", "menu-item")}[name="{item}"]:nth({one.get("nth", 0)})')
            case {"menu": [*menus, item]}:
                for menu in menus:
                    await pilot.click(f'menu[name="{menu}"]:nth(0)')
                await pilot.click(f'menu-item[name="{item}"]:nth(0)')
            case {"press": chord}:
                await pilot.press(chord.lower())
            case {"type": text}:
                await pilot.type(str(text))
            case {"wait": seconds}:
                await pilot.act(Wait(seconds), thought="Wait until it is written")
