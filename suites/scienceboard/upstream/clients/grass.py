"""GRASS's graphical interface with ScienceBoard's server in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.errors import EnvironmentFailure

from .service import Application

_SLOW = 60.0  # seconds: the interface waits up to 10 s for its own thread, modules take what they take


class Grass(Application):
    """A GRASS."""

    async def dump(self) -> dict[str, Any]:
        """Return layers, windows, toolbars, status bar, region and console of the map display."""
        return dict(self.json(await self.get("/dump", _SLOW), "/dump", dict))

    async def module(self, command: str, arguments: Mapping[str, str]) -> dict[str, Any]:
        """Return exit code and output of a module: plain data where JSON was asked for, null after a failure."""
        reply = await self.post("/gcmd", {"cmd": command, "kwargs": dict(arguments)}, _SLOW)
        told = self.json(reply, "/gcmd", dict)
        code, printed = told.get("returncode"), told.get("stdout")
        if not isinstance(code, int) or not isinstance(printed, str | None):
            raise EnvironmentFailure(
                f"{self.name} at {self.url} replies to /gcmd without returncode and stdout"
            )
        return {"returncode": code, "output": self._output(code, printed or "", arguments)}

    def _output(self, code: int, printed: str, arguments: Mapping[str, str]) -> Any:
        if arguments.get("format") != "json":
            return printed
        return None if code else self.json(printed.encode(), "/gcmd", dict)

    async def begin(self, what: str, arguments: Mapping[str, Any] | None = None) -> None:
        """Go to a mapset (`map`), add a layer, set the scale, or take the console away (`cmd`).

        Raises:
            EnvironmentFailure: GRASS says that it could not.
        """
        path = f"/init/{what}"
        reply = await (
            self.get(path, _SLOW) if arguments is None else self.post(path, dict(arguments), _SLOW)
        )
        if reply.strip() != b"OK":
            raise EnvironmentFailure(f"{self.name} at {self.url} replies to {path}: {reply[:200]!r}")
