"""ScienceBoard's guest server: OSWorld's, and what was added for the applications."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from pytest_cuabench.errors import EnvironmentFailure

from .chimerax import checked
from .service import Application

_PROGRAM = 130.0  # seconds: the server ends a program after 120
_BUILD = 900.0  # seconds: Lean builds with Mathlib behind it


class ScienceGuest(Application):
    """The guest's server of an upstream machine."""

    async def version(self) -> str:
        """Return the name of the platform; an OSWorld server tells no version."""
        return (await self.get("/platform", 5)).decode("utf-8", "replace").strip()

    async def launch(self, command: str | Sequence[str], *, shell: bool) -> None:
        """Start a program and leave it alone."""
        await self.post("/setup/launch", {"command": _plain(command), "shell": shell})

    async def execute(self, command: str | Sequence[str], *, shell: bool) -> dict[str, Any]:
        """Run a program to its end; its exit code is told, and is no trouble."""
        path = "/setup/execute"
        told = self.json(
            await self.post(path, {"command": _plain(command), "shell": shell}, _PROGRAM), path, dict
        )
        if told.get("status") != "success" or not isinstance(told.get("returncode"), int):
            raise EnvironmentFailure(f"{self.name} at {self.url} could not run {str(command)[:200]!r}")
        return dict(told)

    async def read(self, path: str) -> bytes | None:
        """Return a file, None where there is none."""
        return await self.post_form("/file", {"file_path": path})

    async def write(self, path: str, content: bytes) -> None:
        """Write a file, and the folder it lies in."""
        folder = str(PurePosixPath(path).parent)
        await self.execute(["mkdir", "-p", folder], shell=False)
        if await self.post_form("/setup/upload", {"file_path": path}, {"file_data": content}) is None:
            raise EnvironmentFailure(f"{self.name} at {self.url} has no /setup/upload")

    async def append(self, path: str, content: str) -> None:
        """Add to the end of a file."""
        await self.post("/append", {"path": path, "content": content})

    async def depth(self, levels: int) -> None:
        """Limit how deep the accessibility tree is walked."""
        await self.post("/opt", {"depth": levels})

    async def download(self, url: str, path: str) -> None:
        """Let the machine fetch a file itself, so that a record reaches no address of ours."""
        await self.post("/setup/download_file", {"url": url, "path": path}, _PROGRAM)

    async def chimerax(self, command: str) -> dict[str, Any]:
        """Run a command of ChimeraX by way of the guest."""
        reply = await self.post("/chimerax/run", {"command": command}, _PROGRAM)
        return dict(checked(self, self.json(reply, "/chimerax/run", dict)))

    async def lean_check(self, header: str) -> bool:
        """Return whether the project builds with this statement in it."""
        return self._passed(await self.post("/lean/check", {"header": header}, _BUILD), "/lean/check")

    async def tex_check(self, folder: str, file: str, *, bibtex: bool) -> bool:
        """Return whether a document compiles."""
        body = {"path": folder, "file": file, "bibtex": bibtex}
        return self._passed(await self.post("/tex/check", body, _PROGRAM), "/tex/check")

    def _passed(self, reply: bytes, path: str) -> bool:
        passed = self.json(reply, path, dict).get("pass")
        if not isinstance(passed, bool):
            raise EnvironmentFailure(f"{self.name} at {self.url} replies to {path} without pass")
        return passed


def _plain(command: str | Sequence[str]) -> str | list[str]:
    return command if isinstance(command, str) else list(command)
