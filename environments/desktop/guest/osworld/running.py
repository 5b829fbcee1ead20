"""Runs clients' commands in the box as the session's user, with the tools that OSWorld's clients expect."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from guest import tools
from guest.desktop import Desktop
from guest.osworld.replies import Refused
from guest.program import Done

MAX_OUTPUT = 16 * 2**20  # bytes of a command's output in the reply
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
_ABSENT = re.compile(r".*env: .?'?(.+?)'?.?: No such file.*\n?")


class TimedOut(Refused):
    """The error reply for a command that takes too long."""


async def ready(desktop: Desktop) -> None:
    """Start an empty desktop if none runs, since OSWorld's clients expect one."""
    async with desktop.lock:
        if desktop.live_session() is None:
            await desktop.restart()


async def run(
    desktop: Desktop, argv: Sequence[str], folder: str = ".", stdin: bytes = b"", seconds: float = 20
) -> Done:
    """Run a program in the box to its end.

    Raises:
        Refused: It takes too long, or is not installed.
    """
    await ready(desktop)
    desktop.touched()
    try:
        done = await desktop.run(
            argv, folder, stdin, seconds, tools.environment(desktop.box.name, desktop.environment)
        )
    except TimeoutError:
        raise TimedOut(500, f"Command {list(argv)} timed out after {seconds:g} seconds") from None
    if (absent := _absent(done)) is not None:
        raise Refused(500, f"[Errno 2] No such file or directory: {absent!r}")
    return done


async def exists(desktop: Desktop, program: str) -> bool:
    """Whether a program of this name or path is installed for the session's user."""
    return (await run(desktop, ["which", "--", program])).code == 0


def command_of(data: Mapping[str, Any], desktop: Desktop) -> list[str]:
    """Return the arguments of a client's command: a list, a line to split, or a line for a shell.

    Raises:
        Refused: The command is malformed.
    """
    command, shell = data.get("command", ""), data.get("shell", False)
    if not isinstance(shell, bool) or not _is_command(command):
        raise Refused(400, "command must be text or a list of texts, shell true or false")
    if isinstance(command, str):
        return ["/bin/sh", "-c", command] if shell else [_at_home(one, desktop) for one in _split(command)]
    arguments = [_at_home(one, desktop) for one in command]
    return ["/bin/sh", "-c", *arguments] if shell else arguments


def path_of(text: str, desktop: Desktop) -> str:
    """Expand `~` and variables of a path; relative paths are below HOME."""
    known = {**desktop.environment}
    filled = _VARIABLE.sub(lambda found: known.get(found[1] or found[2], found[0]), text)
    path = _at_home(filled, desktop)
    return path if path.startswith("/") else f"{known['HOME']}/{path}"


def _split(line: str) -> list[str]:
    try:
        parts = shlex.split(line)
    except ValueError as error:
        raise Refused(500, str(error)) from None
    if not parts:
        raise Refused(500, "the command is empty")
    return parts


def _is_command(command: object) -> bool:
    if isinstance(command, str):
        return "\0" not in command and bool(command.strip())
    if not isinstance(command, list) or not command:
        return False
    return all(isinstance(one, str) and "\0" not in one for one in command)


def _at_home(text: str, desktop: Desktop) -> str:
    home = desktop.box.places.home.inside
    return home + text[1:] if text == "~" or text.startswith("~/") else text


def _absent(done: Done) -> str | None:
    if done.code not in (1, 127) or done.out:
        return None
    found = _ABSENT.fullmatch(done.err.decode(errors="replace"))
    return found[1] if found else None
