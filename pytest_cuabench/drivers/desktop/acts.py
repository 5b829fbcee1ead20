"""Carries out what an agent decided: what concerns our side here, everything else in the guest."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from pytest_cuabench.drivers.desktop.client import GuestClient, Ran
from pytest_cuabench.drivers.paint import zoomed
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Point, Size
from pytest_cuabench.task.observation import ActionResult, Mark

CODE_SECONDS = 30.0  # that a program of the agent's may run


async def carry_out(
    action: Action, guest: GuestClient, screen: Size, marks: tuple[Mark, ...]
) -> ActionResult:
    """Carry out one action and return when the screen has settled.

    Raises:
        ActionError: It names a mark that was not shown.
        EnvironmentFailure: The desktop broke.
    """
    match action:
        case act.Screenshot():
            return ActionResult(image=await guest.screenshot())
        case act.Zoom():
            return ActionResult(image=zoomed(await guest.screenshot(), action.region, screen))
        case act.CursorPosition():
            return ActionResult(text="{},{}".format(*await guest.cursor()))
        case act.Wait():
            await asyncio.sleep(action.seconds)
            return ActionResult()
        case act.RunCode():
            ran = await guest.run_code(action.code, action.language, CODE_SECONDS)
            await guest.settle()
            return ActionResult(text=told(ran))
    results = await guest.perform(tuple(_in_the_guest(action, screen, marks)))
    return next((result for result in results if result.error), results[-1] if results else ActionResult())


def told(ran: Ran) -> str:
    """Return what a program gave back, as an agent is told it."""
    parts = [f"exit code {ran.code}", ran.out.rstrip()]
    parts += [f"stderr:\n{ran.err.rstrip()}"] if ran.err.strip() else []
    return "\n".join(part for part in parts if part)


def arguments_of(call: act.CallApi) -> dict[str, Any]:
    """Return the arguments of a call.

    Raises:
        ActionError: They are no JSON object.
    """
    try:
        given = json.loads(call.arguments)
    except (ValueError, RecursionError) as error:
        raise ActionError(f"call_api: the arguments of {call.name} are no JSON: {error}") from None
    if not isinstance(given, dict):
        raise ActionError(f"call_api: the arguments of {call.name} must be an object")
    return given


def _in_the_guest(action: Action, screen: Size, marks: tuple[Mark, ...]) -> tuple[Action, ...]:
    match action:
        case act.ClickElement():
            x, y = _place(action.kind, action.mark, screen, marks)
            return (act.Click(x, y, button=action.button, count=action.count),)
        case act.FillElement():
            x, y = _place(action.kind, action.mark, screen, marks)
            emptied = (act.Click(x, y), act.Key(("ctrl", "a")), act.Key(("delete",)))
            return (*emptied, act.Type(action.text)) if action.text else emptied
    return (action,)


def _place(kind: str, number: int, screen: Size, marks: tuple[Mark, ...]) -> Point:
    mark = next((mark for mark in marks if mark.number == number), None)
    if mark is None:
        known = f"1 to {len(marks)}" if marks else "none; ask for an observation with marks"
        raise ActionError(f"{kind}: mark {number} is not on the last observation ({known})")
    x, y = mark.box.middle
    return Point(min(max(0, x), screen.width - 1), min(max(0, y), screen.height - 1))
