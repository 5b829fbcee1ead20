"""Lean's REPL over its standard streams: JSON in, JSON out, an empty line behind each.

Tactics are programs and may do anything, so the REPL runs in a sandbox without network, in which nothing but
the toolchain and the libraries can be read.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import EnvironmentFailure, SettingError

VARIABLE = "LEAN_LIB_PATH"  # upstream's: where leanprover-community/repl v4.14.0 is built, with Mathlib in test/Mathlib
MAX_LINE = 16 * 2**20  # bytes of a line of a reply
_MAX_REPLY = 64 * 2**20


class TookTooLong(EnvironmentFailure):
    """The REPL did not reply in its time; who asked something endless has only themselves to blame."""


@dataclass(frozen=True, slots=True)
class Program:
    """How the REPL is started."""

    argv: tuple[str, ...]
    folder: Path


def find_repl() -> Program:
    """Return how to start the REPL that `LEAN_LIB_PATH` names.

    Raises:
        SettingError: There is none, or no sandbox to put it in.
    """
    place = os.environ.get(VARIABLE)
    folder = Path(place or "/nowhere") / "test" / "Mathlib"
    binary = folder.parent.parent / ".lake" / "build" / "bin" / "repl"
    if not place or not binary.is_file() or not folder.is_dir():
        raise SettingError(
            f"{VARIABLE}={place or ''} holds no REPL of Lean: build leanprover-community/repl v4.14.0 and its "
            "test/Mathlib there (docs/scienceboard.md says how), then set the variable"
        )
    if shutil.which("bwrap") is None:
        raise SettingError(
            "Lean's tactics are programs and run in a sandbox only; type: apt install bubblewrap"
        )
    return Program((*sandbox(folder.parent.parent), "lake", "env", str(binary)), folder)


def sandbox(library: Path) -> tuple[str, ...]:
    """Return the words before a program that may read the toolchain and a library, and reach nothing else."""
    toolchain = Path(os.environ.get("ELAN_HOME", Path.home() / ".elan"))
    bound = ["/usr", "/etc/ld.so.cache", "/etc/alternatives", str(library.resolve()), str(toolchain)]
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]  # noqa: S108 - the sandbox's own
    for name in ("bin", "sbin", "lib", "lib64"):
        words += ["--symlink", f"usr/{name}", f"/{name}"]
    for path in bound:
        words += ["--ro-bind-try", path, path]
    words += ["--setenv", "PATH", f"{toolchain}/bin:/usr/bin:/bin", "--setenv", "HOME", "/tmp"]  # noqa: S108
    words += ["--setenv", "ELAN_HOME", str(toolchain)]
    return (*words, "--chdir", str(library.resolve() / "test" / "Mathlib"), "--")


class Repl:
    """One process; what was imported and stated in it is gone with it."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start anew.

        Raises:
            EnvironmentFailure: The program cannot be started.
        """
        await self.close()
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._program.argv,
                cwd=self._program.folder,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=MAX_LINE,
                start_new_session=True,
            )
        except OSError as error:
            raise EnvironmentFailure(f"Lean's REPL cannot be started: {error}") from error

    async def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return the reply to a message.

        Raises:
            TookTooLong: It does not come in time.
            EnvironmentFailure: It is no JSON object, or the REPL is gone.
        """
        if self._process is None or self._process.stdin is None:
            raise EnvironmentFailure("Lean's REPL was not started")
        self._process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n\n")
        try:
            async with asyncio.timeout(seconds):
                await self._process.stdin.drain()
                text = await self._reply()
        except TimeoutError:
            raise TookTooLong(f"Lean's REPL did not reply within {seconds:g} s") from None
        except (ConnectionError, ValueError) as error:
            raise EnvironmentFailure(f"Lean's REPL is gone: {error}") from error
        try:
            data = json.loads(text)
        except ValueError:
            raise EnvironmentFailure(f"Lean's REPL replied what is no JSON: {text[:200]!r}") from None
        if not isinstance(data, dict):
            raise EnvironmentFailure(f"Lean's REPL replied {type(data).__name__}, not an object")
        return data

    async def _reply(self) -> bytes:
        """Return the lines up to an empty one."""
        assert self._process is not None
        assert self._process.stdout is not None
        lines: list[bytes] = []
        while line := await self._process.stdout.readline():
            if line.strip():
                lines.append(line)
            elif lines:
                return b"".join(lines)
            if sum(map(len, lines)) > _MAX_REPLY:
                raise ValueError(f"its reply has more than {_MAX_REPLY} bytes")
        raise ConnectionError("it ended")

    async def close(self) -> None:
        """End the process with all that it started."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()


def errors(reply: Mapping[str, Any]) -> Sequence[str]:
    """Return what a reply calls errors."""
    messages = reply.get("messages", ())
    found = [str(each.get("data", "")) for each in messages if each.get("severity") == "error"]
    return [*([str(reply["message"])] if "message" in reply else []), *found]
