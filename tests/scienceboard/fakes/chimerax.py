"""ChimeraX's REST server, with the commands of chimerax-states."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from .serving import Fake, Refusal

MODELS = ("3ppd", "4tut", "251d", "1dns")


class FakeChimeraX(Fake):
    """Takes the commands that records use; `files` is the file system of the machine it runs in."""

    routes: ClassVar[dict[tuple[str, str], str]] = {("GET", "/run"): "run"}

    def __init__(self, files: dict[str, bytes], *, plugin: bool = True) -> None:
        super().__init__()
        self.files = files
        self.plugin = plugin
        self.commands: list[str] = []
        self.notes: dict[str, list[str]] = {}
        self.state: dict[str, Any] = {}

    async def run(self, request: Request) -> Response:
        """Run a command."""
        if list(request.query_params) != ["command"]:
            raise Refusal("one command")
        return JSONResponse(self.reply(request.query_params["command"]))

    def reply(self, command: str) -> dict[str, Any]:
        """Return what a command says."""
        self.commands.append(command)
        word, _, rest = command.partition(" ")
        match word:
            case "version":
                return _said(["UCSF ChimeraX version: 1.9"])
            case "info":
                return _said(self.notes.get(rest, []))
            case "open" if rest in MODELS:
                self.state["_state_containers.models._models.(1,)._name"] = rest
                return _said([f"{rest} title"])
            case "log" | "turn" | "alphafold" | "color" | "rainbow":
                return _said([])
            case "states" if self.plugin:
                folder, name = rest.split()
                self.files[f"{folder}/{name}.json"] = json.dumps(self.state).encode()
                self.files[f"{folder}/{name}.raw.json"] = b"{}"
                return _said([])
            case "destroy" | "clear" if self.plugin:
                return _said([])
        return {"error": {"type": "UserError", "message": f"Unknown command: {command}"}, **_log([])}


def _said(notes: list[str]) -> dict[str, Any]:
    return {"error": None, **_log(notes)}


def _log(notes: list[str]) -> dict[str, Any]:
    return {
        "json values": [],
        "python values": [],
        "log messages": {"note": notes, "warning": [], "error": []},
    }
