"""Performs actions: screenshots, waits and code here, mouse and keyboard in the guest."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from pytest_cuabench.drivers.desktop.client import GuestClient
from pytest_cuabench.drivers.paint import zoomed
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Point, Size
from pytest_cuabench.task.observation import ActionResult, Mark, RunResult

CODE_SECONDS = 30.0  # timeout of an agent's program


async def carry_out(
    action: Action, guest: GuestClient, screen: Size, marks: tuple[Mark, ...]
) -> ActionResult:
    """Carry out one action and return when the screen has settled.

    Raises:
        ActionError: The action names an unknown mark.
        EnvironmentFailure: The desktop failed.
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
            return ActionResult(text=run_text(ran), ran=ran)
    results = await guest.perform(tuple(_without_marks(action, screen, marks)))
    return next((result for result in results if result.error), results[-1] if results else ActionResult())


def run_text(ran: RunResult) -> str:
    """Return a program's exit code and output as text for the agent."""
    parts = [f"exit code {ran.code}", ran.out.rstrip()]
    parts += [f"stderr:\n{ran.err.rstrip()}"] if ran.err.strip() else []
    return "\n".join(part for part in parts if part)


def arguments_of(call: act.CallApi) -> dict[str, Any]:
    """Parse the arguments of an API call.

    Raises:
        ActionError: They are not a JSON object.
    """
    try:
        given = json.loads(call.arguments)
    except (ValueError, RecursionError) as error:
        raise ActionError(f"call_api: the arguments of {call.name} are no JSON: {error}") from None
    if not isinstance(given, dict):
        raise ActionError(f"call_api: the arguments of {call.name} must be an object")
    return given


def _without_marks(action: Action, screen: Size, marks: tuple[Mark, ...]) -> tuple[Action, ...]:
    match action:
        case act.ClickElement():
            x, y = _mark_point(action.kind, action.mark, screen, marks)
            return (act.Click(x, y, button=action.button, count=action.count),)
        case act.FillElement():
            x, y = _mark_point(action.kind, action.mark, screen, marks)
            emptied = (act.Click(x, y), act.Key(("ctrl", "a")), act.Key(("delete",)))
            return (*emptied, act.Type(action.text)) if action.text else emptied
    return (action,)


def _mark_point(kind: str, number: int, screen: Size, marks: tuple[Mark, ...]) -> Point:
    mark = next((mark for mark in marks if mark.number == number), None)
    if mark is None:
        known = f"1 to {len(marks)}" if marks else "none; ask for an observation with marks"
        raise ActionError(f"{kind}: mark {number} is not on the last observation ({known})")
    x, y = mark.box.middle
    return Point(min(max(0, x), screen.width - 1), min(max(0, y), screen.height - 1))
