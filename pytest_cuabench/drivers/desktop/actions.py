"""Performs actions: screenshots, waits and code here, mouse and keyboard in the guest."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from pytest_cuabench.drivers.desktop.client import GuestClient
from pytest_cuabench.drivers.marking import point_of
from pytest_cuabench.drivers.paint import zoomed
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Size
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
        case act.ClickElement() | act.FillElement():
            results = await guest.perform(action.at(point_of(action, marks, screen)))
        case _:
            results = await guest.perform((action,))
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
