"""Reads what programs of the desktop have written, out of their reach and within limits.

A file that an agent may have written is read as a copy, by a process that ends afterwards:

* `parse`: text, XML and the like, by our own readers (`applications/formats.py`);
* `run_reader`: what only an application's own library or command reads. It runs without any folder that the desktop's
  programs write to, so without HOME, settings, plug-ins, buses and display, and as another user where users separate.

Whatever such a file holds, the answer is rows or a sentence: a reader is stopped by its processor time, its memory and
the length of its answer. Only what does not depend on the file, a reader that does not start or a machine that is too
slow, is a `DesktopFailure`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guest import processes
from guest.box import Box
from guest.bubblewrap import roots
from guest.errors import DesktopFailure
from guest.places import APPLICATIONS, applications, program_path
from guest.timeouts import scaled

READY = "ready\n"  # what a reader prints before it reads its input
PROCESSOR = 5  # seconds of a reader's processor time
_WALL = scaled(14.0)  # seconds until a reader is stopped
_BUSY = scaled(
    2.0
)  # seconds of processor time by then that tell a reader with much to do from a slow machine
_MEMORY = 2 * 2**30  # bytes of address space
_ANSWER = 8 * 2**20  # bytes
_FILE = 256 * 2**20  # bytes of a file that a reader writes
_WORDS = 2_000  # bytes of complaints
_KNOWN = 32  # answers that are kept
_XCPU, _KILL = 24, 9
_NOBODY = "65534"
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", "TZ": "UTC"}
_KEPT = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/sys/devices/system/cpu")

Rows = dict[str, dict[str, Any]]  # key -> row
Collections = dict[str, Rows]

_known: OrderedDict[bytes, tuple[bytes, str | None]] = OrderedDict()


class Unread(Exception):
    """A reader cannot make sense of what it was given; the message says why."""


@dataclass(frozen=True, slots=True)
class Job:
    """One file to parse.

    Attributes:
        collection: Of its rows; empty for a form whose rows are named `COLLECTION/KEY`.
        name: What its rows are named after; `COLLECTION/NAME` if there is no collection.
        form: One of `applications/formats.py`.
        without: Patterns of rows and fields (`KEY:FIELD`) to leave out.
    """

    collection: str
    name: str
    form: str
    content: bytes
    without: tuple[str, ...] = ()


async def collections(jobs: Sequence[Job], processor: int = PROCESSOR) -> Collections:
    """Return the rows of files by their collections.

    Raises:
        DesktopFailure: The reader does not start, or the machine is too slow.
    """
    found: Collections = {}
    for job, rows in zip(jobs, await parse(jobs, processor), strict=True):
        for key, row in rows.items():
            collection, name = (job.collection, key) if job.collection else key.split("/", 1)
            found.setdefault(collection, {})[name] = row
    return found


async def parse(jobs: Sequence[Job], processor: int = PROCESSOR) -> list[Rows]:
    """Return the rows of each file; what cannot be read in time is a row that says so.

    Raises:
        DesktopFailure: The reader does not start, or the machine is too slow.
    """
    about = [[job.name, job.form, len(job.content), job.without] for job in jobs]
    stdin = b"".join((json.dumps(about).encode() + b"\n", *(job.content for job in jobs)))
    argv = [sys.executable, "-m", "guest.parsing"]
    out, fault = await _answer(argv, stdin, processor, cwd=Path(__file__).parents[1], env=None)
    *whole, _ = out.split(b"\n")  # what follows the last line end is cut
    told = [json.loads(line) for line in whole]
    return told + [{job.name: {"unreadable": fault}} for job in jobs[len(told) :]]


async def run_reader(
    box: Box,
    argv: Sequence[str],
    stdin: bytes,
    env: Mapping[str, str] | None = None,
    processor: int = PROCESSOR,
) -> bytes:
    """Run a program that reads its standard input, away from the desktop's programs; return what it prints after READY.

    Raises:
        Unread: It failed after READY, took too much time, memory or space, or printed too much.
        DesktopFailure: It does not start, or the machine is too slow.
    """
    away = [*_away(box), *argv]
    out, fault = await _answer(away, stdin, processor, cwd=Path("/"), env={**_ENVIRONMENT, **(env or {})})
    if fault is not None:
        raise Unread(fault)
    return out


def _away(box: Box) -> list[str]:
    """Return what comes before a command that is to see and meet nothing of the desktop's programs."""
    match box.name:
        case "bwrap":
            kept = [part for path in _KEPT for part in ("--ro-bind-try", path, path)]
            return [
                *(
                    program_path("bwrap", "bubblewrap"),
                    "--unshare-all",
                    "--cap-drop",
                    "ALL",
                    "--die-with-parent",
                ),
                *("--new-session", "--ro-bind", "/usr", "/usr", *roots(), *kept),
                *("--ro-bind-try", str(applications()), APPLICATIONS, "--proc", "/proc", "--dev", "/dev"),
                *("--tmpfs", "/tmp", "--chdir", "/", "--"),  # noqa: S108 - its own
            ]
        case "user":
            return [
                *(program_path("setpriv", "util-linux"), f"--reuid={_NOBODY}", f"--regid={_NOBODY}"),
                *("--clear-groups", "--no-new-privs", "--inh-caps=-all", "--pdeathsig=KILL"),
            ]
    return []


async def _answer(
    argv: Sequence[str], stdin: bytes, processor: int, cwd: Path, env: Mapping[str, str] | None
) -> tuple[bytes, str | None]:
    """Return what a reader printed and, if it failed, why; one that was given the same lately is not started again."""
    seconds = round(scaled(processor))
    limits = [f"--cpu={seconds}:{seconds + 2}", f"--as={_MEMORY}", f"--fsize={_FILE}", "--core=0"]
    command = [program_path("prlimit", "util-linux"), *limits, "--", *argv]
    question = hashlib.sha256("\0".join(command).encode() + b"\0\0" + stdin).digest()
    if question in _known:
        _known.move_to_end(question)
        return _known[question]
    code, out, err = await _run(command, stdin, cwd, env)
    words = err.decode(errors="replace").strip().splitlines()[-1:] or [f"its reader ended with code {code}"]
    fault = None if code == 0 else words[0][:300]
    if len(out) > _ANSWER:
        fault = f"it is longer than {_ANSWER} bytes when it is read"
    elif code in (-_XCPU, 128 + _XCPU):
        fault = f"it takes more than {seconds} s to read"
    elif not out.startswith(READY.encode()) or code in (-_KILL, 128 + _KILL):  # by the system, not by a limit
        raise DesktopFailure(f"what programs have written cannot be read: {words[0][:300]}")
    _known[question] = out[len(READY) : _ANSWER], fault
    if len(_known) > _KNOWN:
        _known.popitem(last=False)
    return _known[question]


async def _run(
    command: Sequence[str], stdin: bytes, cwd: Path, env: Mapping[str, str] | None
) -> tuple[int, bytes, bytes]:
    """Return the exit code of a reader, and what it printed, up to the longest answer."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=cwd,
        env=env,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None

    def kill() -> None:
        processes.kill([process.pid, *processes.descendants(process.pid)])

    feeding = asyncio.ensure_future(_feed(process.stdin, stdin))
    told = [
        asyncio.ensure_future(_beginning(pipe, longest, kill))
        for pipe, longest in ((process.stdout, _ANSWER + 1), (process.stderr, _WORDS))
    ]
    busy = 0.0
    try:
        late = (await asyncio.wait([feeding, *told], timeout=_WALL))[1]
        if late:
            busy = processes.processor_seconds([process.pid, *processes.descendants(process.pid)])
    finally:
        if process.returncode is None:
            kill()
        out, err = await asyncio.gather(*told)  # to the end, which the process waits for
        await process.wait()
        feeding.cancel()
    if late and busy < _BUSY:
        raise DesktopFailure(f"what programs have written was not read within {_WALL:g} s")
    return -_XCPU if late else process.returncode or 0, out, err


async def _feed(pipe: asyncio.StreamWriter, content: bytes) -> None:
    with suppress(ConnectionError):  # it has ended already
        pipe.write(content)
        await pipe.drain()
    pipe.close()


async def _beginning(pipe: asyncio.StreamReader, longest: int, kill: Callable[[], None]) -> bytes:
    """Read to the end, and return the beginning; a process that prints more is killed."""
    kept = bytearray()
    while chunk := await pipe.read(65_536):
        if len(kept) >= longest:
            kill()
        kept += chunk[: longest - len(kept)]
    return bytes(kept)
