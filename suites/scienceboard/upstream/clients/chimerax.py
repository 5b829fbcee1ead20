"""ChimeraX by its own REST server, and ScienceBoard's `states` command in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.errors import EnvironmentFailure

from .service import Application

_SLOW = 120.0  # seconds: structures are fetched, surfaces computed


class ChimeraX(Application):
    """A ChimeraX."""

    async def version(self) -> str:
        """Return what the command `version` notes."""
        return "\n".join(notes(await self.run("version", 5)))

    async def run(self, command: str, seconds: float = _SLOW) -> dict[str, Any]:
        """Return the reply to a command: `error` and `log messages`."""
        return dict(checked(self, self.json(await self.get("/run", seconds, command=command), "/run", dict)))


def checked(service: Application, reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a reply that has the shape of ChimeraX's.

    Raises:
        EnvironmentFailure: It has not.
    """
    log = reply.get("log messages")
    lists = isinstance(log, dict) and all(isinstance(lines, list) for lines in log.values())
    if "error" not in reply or not lists:
        raise EnvironmentFailure(
            f"{service.name} at {service.url} replies to a command without error and log messages"
        )
    return reply


def notes(reply: Mapping[str, Any]) -> list[str]:
    """Return the notes of a reply."""
    return [str(note) for note in reply["log messages"].get("note", ())]


def succeeded(reply: Mapping[str, Any], command: str) -> None:
    """Demand that a command worked.

    Raises:
        EnvironmentFailure: It did not.
    """
    if reply["error"] is not None:
        raise EnvironmentFailure(f"ChimeraX refuses {command!r}: {str(reply['error'])[:200]}")
