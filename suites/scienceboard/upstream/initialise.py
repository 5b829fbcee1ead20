"""Preparing an upstream machine as a record says: every function of its `initialize`, one after the other.

Upstream sleeps after each function. Here the next one begins when what the last one did is there to be seen: the
server within the application answers, the screen has come to rest.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from pytest_cuabench.errors import EnvironmentFailure

from . import steps
from .clients.chimerax import succeeded
from .clients.service import Application
from .machine import PORT, Machine
from .records import Record

PORTLIKE = "«PORTLIKE»"
_PROOF = "/home/user/sci/Sci/Basic.lean"
_START = 90.0  # seconds that an application may take to answer
_PAUSE = 0.1  # seconds between questions whether it does

Settle = Callable[[], Awaitable[None]]


async def initialise(record: Record, machine: Machine, settle: Settle) -> None:
    """Carry out all steps of a record, whose machine is as its snapshot left it.

    Args:
        settle: Returns when the screen has come to rest.

    Raises:
        EnvironmentFailure: A step could not be carried out.
    """
    lines: list[str] = []  # of Lean, written at once when the statement comes
    for step in record.begin:
        await _carry_out(step, machine, lines)
        if step.wait or isinstance(step, steps.Launch):
            await settle()


async def _carry_out(step: steps.Step, machine: Machine, lines: list[str]) -> None:
    match step:
        case steps.Launch():
            await _launch(step, machine)
        case steps.Execute():
            await machine.guest.execute(_with_port(step.command), shell=step.shell)
        case steps.Opt():
            await machine.guest.depth(step.depth)
        case steps.Touch():
            await machine.guest.write(step.path, step.text.encode())
        case steps.Append():
            await machine.guest.append(step.path, step.content)
        case steps.Download():
            await machine.guest.download(step.url, step.path)
        case steps.Import():
            lines += _opened(step)
        case steps.Statement():
            lines.append(step.expr)
            if step.func == "query":
                await machine.guest.append(_PROOF, "\n" + "\n".join(lines))
        case _:
            await _in_application(step, machine)


async def _in_application(step: steps.Step, machine: Machine) -> None:
    match step:
        case steps.Tab():
            await machine.kalgebra.tab(step.index)
        case steps.Plot():
            await _plot(step, machine)
        case steps.Map():
            await machine.grass.begin("map", step.model_dump(include={"grassdb", "location", "mapset"}))
        case steps.Layer():
            await machine.grass.begin("layer", {"query": step.query.model_dump()})
        case steps.Scale():
            await machine.grass.begin("scale", {"scale": step.scale})
        case steps.Cmd():
            await machine.grass.begin("cmd")
        case _:
            await _command(step, machine)


async def _launch(step: steps.Launch, machine: Machine) -> None:
    """Start a program; where it has a server, wait for it, and else the screen's rest must do."""
    command = step.command if isinstance(step.command, str) else " ".join(step.command)
    await machine.guest.launch(_with_port(step.command), shell=step.shell)
    if PORTLIKE in command or "FLASK_PORT" in command:
        await until_answering(machine.started_by(command))


async def until_answering(server: Application | None, seconds: float = _START) -> None:
    """Return when an application answers.

    Raises:
        EnvironmentFailure: It does not in time.
    """
    deadline = time.monotonic() + seconds
    while server is not None:
        try:
            await server.version()
        except EnvironmentFailure as failure:
            if time.monotonic() > deadline:
                raise EnvironmentFailure(
                    f"{server.name} did not answer within {seconds:g} s: {failure}"
                ) from failure
            await asyncio.sleep(_PAUSE)
        else:
            return


async def _plot(step: steps.Plot, machine: Machine) -> None:
    """Plot, and wait until the plot is there: the reply comes before it is drawn."""
    space = step.func == "func_3d"
    before = await machine.kalgebra.points([[0, 0, 0]] if space else [])
    await machine.kalgebra.plot(3 if space else 2, step.expr)
    deadline = time.monotonic() + _START
    while await machine.kalgebra.points([[0, 0, 0]] if space else []) == before:
        if time.monotonic() > deadline:
            raise EnvironmentFailure(f"KAlgebra did not plot {step.expr!r} within {_START:g} s")
        await asyncio.sleep(_PAUSE)


async def _command(step: steps.Step, machine: Machine) -> None:
    command, proxied = _chimerax(step)
    reply = await (machine.guest.chimerax(command) if proxied else machine.chimerax.run(command))
    succeeded(reply, command)


def _chimerax(step: steps.Step) -> tuple[str, bool]:
    """Return the command of ChimeraX that a step is, and whether it goes by way of the guest."""
    match step:
        case steps.ClearLog():
            return "log clear", step.func.startswith("chimerax_")
        case steps.Open():
            return f"open {step.name}", step.func.startswith("chimerax_")
        case steps.Turn():
            return f"turn {step.axis} {step.angle:g}", step.func.startswith("chimerax_")
        case steps.AlphafoldMatch():
            return f"alphafold match {step.name}", False
        case steps.Color():
            return (step.style if step.style == "rainbow" else f"color {step.style}"), False
        case steps.Destroy():
            return "destroy", False
    raise EnvironmentFailure(f"nobody knows how to carry out {type(step).__name__}")


def _opened(step: steps.Import) -> list[str]:
    """Return the lines that import or open; Mathlib is imported by the file that is there already."""
    if step.func == "open":
        return [f"open {' '.join(step.libs)}"]
    return [f"import {name}" for name in step.libs if name != "Mathlib"]


def _with_port(command: str | Sequence[str]) -> str | list[str]:
    if isinstance(command, str):
        return command.replace(PORTLIKE, str(PORT))
    return [part.replace(PORTLIKE, str(PORT)) for part in command]
