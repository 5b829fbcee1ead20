"""The processes of a session of pytest: which there are, what each is, and what they left in their TMPDIR."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from pytest_cuabench.drivers.leases import Leases

_KEPT = ("pytest-of-", "_jinja2-cache-")  # folders that pytest and Jinja keep for their next start
_TYPES = {"gpu-process": "gpu", "utility": "utility", "renderer": "renderer", "zygote": "zygote"}


def of_session(folder: Path, pid: int) -> Iterator[psutil.Process]:
    """Yield the living processes of a session.

    Args:
        folder: The session's own TMPDIR; what it started has that, or a folder in it, in its environment, also after
            the death of its parent.
        pid: The session's process; its descendants belong to it, too.
    """
    tree = {process.pid for process in below(pid)}
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            ours = process.pid in tree or _belongs(process, folder)
            if ours and process.status() != psutil.STATUS_ZOMBIE:
                yield process


def below(pid: int) -> list[psutil.Process]:
    """Return a process and its descendants."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def files_left(folder: Path) -> Iterator[str]:
    """Yield the names of what sessions left in their TMPDIR, leases included."""
    for path in sorted(folder.glob("*")):
        if path.name == Leases().folder.name:
            yield from (lease.name for lease in path.glob("*.json"))
        elif not path.name.startswith(_KEPT):
            yield path.name


def _belongs(process: psutil.Process, folder: Path) -> bool:
    known = Path(process.environ().get("TMPDIR", "/"))
    return known == folder or folder in known.parents


def kind_of(process: psutil.Process, session: int) -> str:
    """Return what a process is.

    Args:
        session: The process that the user started.
    """
    words: list[str] = []
    with suppress(psutil.Error):
        words = process.cmdline()
    command = " ".join(words)
    program = Path(words[0].partition(" ")[0]).name if words else ""
    if process.pid == session:
        return "controller"
    if "--type=" in command:
        return _TYPES.get(command.split("--type=")[1].split()[0], "utility")
    if "chrom" in program:
        return "browser"
    if "run-driver" in command:
        return "Playwright"
    if program.startswith("python"):
        if "pytest_cuabench.reporting.watch.beside" in words:
            return "watching server"
        if any(word.startswith("/opt/agent/") for word in words):
            return "agent program"
        if "--until-eof" in words:
            return "world" if "--control" in words else "desktop guest"
        return "worker" if "exec(eval(sys.stdin" in command else "program"
    return "X server" if program == "Xvfb" else "program"
