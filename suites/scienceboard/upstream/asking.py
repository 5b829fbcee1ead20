"""Asking an upstream machine what a record is judged by."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from pytest_cuabench.errors import EnvironmentFailure

from .clients.chimerax import notes, succeeded
from .machine import Machine
from .probes import Probe

_FOLDER = "/tmp"  # noqa: S108 - within the guest, where ChimeraX writes its state


async def ask(machine: Machine, probes: Iterable[Probe]) -> dict[str, Any]:
    """Return the replies to all probes by their keys, as plain data.

    Raises:
        EnvironmentFailure: One of them could not be asked; that is never an answer.
    """
    return {probe.key: await _asked(machine, probe) for probe in probes}


async def _asked(machine: Machine, probe: Probe) -> Any:
    about: Mapping[str, Any] = probe.about
    match probe.question:
        case "celestia.dump":
            return await machine.celestia.dump(about["query"])
        case "grass.dump":
            return await machine.grass.dump()
        case "grass.gcmd":
            return await machine.grass.module(about["cmd"], about["kwargs"])
        case "kalgebra.vars":
            return await machine.kalgebra.variables()
        case "kalgebra.points":
            return await machine.kalgebra.points(about["points"])
        case "chimerax.info":
            return notes(await machine.chimerax.run(f"info {about['key']}"))
        case "chimerax.states":
            return await _states(machine)
        case _:
            return await _asked_of_guest(machine, probe)


async def _asked_of_guest(machine: Machine, probe: Probe) -> Any:
    about: Mapping[str, Any] = probe.about
    match probe.question:
        case "file":
            content = await machine.guest.read(about["path"])
            return None if content is None else content.decode("utf-8", "backslashreplace")
        case "tex.check":
            passed = await machine.guest.tex_check(about["path"], about["file"], bibtex=about["bibtex"])
            return {"pass": passed}
        case "lean.check":
            return {"pass": await machine.guest.lean_check(about["header"])}
        case "today":
            return date.today().isoformat()  # of the one who judges, as upstream
    raise EnvironmentFailure(f"an upstream machine cannot be asked {probe.question}")


async def _states(machine: Machine) -> dict[str, Any]:
    """Let ChimeraX write its flattened state, and read it.

    Raises:
        EnvironmentFailure: The command is not there (chimerax-states is not installed), or wrote nothing.
    """
    name = f"cuabench-{uuid.uuid4().hex}"
    command = f"states {_FOLDER} {name}"
    succeeded(await machine.chimerax.run(command), command)
    content = await machine.guest.read(f"{_FOLDER}/{name}.json")
    if content is None:
        raise EnvironmentFailure(f"ChimeraX did not write {_FOLDER}/{name}.json after {command!r}")
    await machine.guest.execute(
        ["rm", "-f", f"{_FOLDER}/{name}.json", f"{_FOLDER}/{name}.raw.json"], shell=False
    )
    try:
        flat = json.loads(content)
    except ValueError:
        raise EnvironmentFailure(f"ChimeraX wrote no JSON after {command!r}") from None
    if not isinstance(flat, dict):
        raise EnvironmentFailure(f"ChimeraX wrote {type(flat).__name__} after {command!r}, not an object")
    return flat
