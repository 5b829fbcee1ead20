"""ScienceBoard's API action: the calls that applications of an upstream machine take beside their screen.

The paper has the action, the published code has not, so an agent is told of calls only where a run asks for them.
Reading is not among them: what an application tells of its state is what tasks are judged by.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from pytest_cuabench.errors import ActionError

from .clients.chimerax import notes
from .clients.service import Refused
from .machine import Machine
from .records import Record


class Call(NamedTuple):
    """What an agent is told of a call, the arguments it takes, and what it does."""

    words: str
    arguments: Mapping[str, type[Any] | tuple[type[Any], ...]]
    make: Callable[[Machine, Mapping[str, Any]], Awaitable[str]]


async def _plot_curve(machine: Machine, given: Mapping[str, Any]) -> str:
    await machine.kalgebra.plot(2, given["expression"])
    return "OK"


async def _plot_surface(machine: Machine, given: Mapping[str, Any]) -> str:
    await machine.kalgebra.plot(3, given["expression"])
    return "OK"


async def _show_tab(machine: Machine, given: Mapping[str, Any]) -> str:
    await machine.kalgebra.tab(given["index"])
    return "OK"


async def _run_module(machine: Machine, given: Mapping[str, Any]) -> str:
    done = await machine.grass.module(given["module"], given["options"])
    return f"exit code {done['returncode']}\n{done['output'] or ''}".rstrip()


async def _run_command(machine: Machine, given: Mapping[str, Any]) -> str:
    reply = await machine.chimerax.run(given["command"])
    failed = reply["error"]
    return str(failed) if failed is not None else "\n".join(notes(reply)) or "OK"


_CALLS: Mapping[str, Mapping[str, Call]] = {
    "KAlgebra": {
        "plot_curve": Call('{"expression": text} plots a curve.', {"expression": str}, _plot_curve),
        "plot_surface": Call('{"expression": text} plots a surface.', {"expression": str}, _plot_surface),
        "show_tab": Call('{"index": 0 to 3} shows a tab.', {"index": int}, _show_tab),
    },
    "GrassGIS": {
        "run_module": Call(
            '{"module": name, "options": {name: text}} runs a module of GRASS.',
            {"module": str, "options": dict},
            _run_module,
        )
    },
    "ChimeraX": {
        "run_command": Call('{"command": text} runs a command.', {"command": str}, _run_command),
    },
}


def calls_of(record: Record) -> Mapping[str, Call]:
    """Return the calls that a record's application takes; none where only its graphical interface is to be used."""
    return {} if record.kind == "dual" else _CALLS.get(record.type, {})


async def make(record: Record, machine: Machine, name: str, arguments: Mapping[str, Any]) -> str:
    """Make a call and return what it gave back.

    Raises:
        ActionError: There is no such call, or it takes other arguments.
    """
    known = calls_of(record)
    if name not in known:
        raise ActionError(f"call_api: there is no {name}; known: {', '.join(known)}")
    wanted = known[name].arguments
    if set(arguments) != set(wanted) or not all(
        isinstance(arguments[key], kind) for key, kind in wanted.items()
    ):
        raise ActionError(f"call_api: write {name} {known[name].words}")
    try:
        return await known[name].make(machine, arguments)
    except Refused as refusal:
        raise ActionError(f"call_api: {refusal}") from None
