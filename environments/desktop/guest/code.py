"""Runs models' programs as the desktop's user, with limits."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from guest import processes, tools
from guest.control_group import make_control_group
from guest.errors import BadRequest
from guest.plain import plain

if TYPE_CHECKING:
    from guest.box import Box
    from guest.desktop import Desktop

LONGEST = 100_000  # bytes of a program; Linux limits an argument to 128 KiB
_LANGUAGES = {"python": ("python3", "-c"), "bash": ("bash", "-c")}
_WATCH = 0.1  # seconds between two checks of the limits
_AROUND = 4  # tasks: the reaper and the box
_REAP_SECONDS = 6.0
_PAGE = resource.getpagesize()
_CUT = "\n[cut: more than {} bytes]\n"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a program; beyond them it is killed or its system calls fail.

    Attributes:
        seconds: Wall-clock time of the process tree.
        processor: CPU seconds of each process.
        address: Bytes of address space of each process.
        memory: Resident bytes of the process tree.
        processes: Concurrent processes and threads.
        file: Bytes of each written file.
        output: Bytes kept of stdout and of stderr.
    """

    seconds: float = 30
    processor: int = 60
    address: int = 2 * 2**30
    memory: int = 2**30
    processes: int = 64
    file: int = 64 * 2**20
    output: int = 50_000


@dataclass(frozen=True, slots=True)
class Ran:
    """The exit code of a program (128 plus the signal number if a signal ended it) and its output."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """The result as one text for a model."""
        parts = (self.out.rstrip(), self.err.strip(), f"[exit code {self.code}]")
        return "\n".join(part for part in parts if part)


async def run_code(desktop: Desktop, code: str, language: str, limits: Limits = Limits()) -> Ran:
    """Run a program in HOME; none of its processes is left afterwards.

    Raises:
        BadRequest: The language is unknown, the program too long, or confinement is off.
    """
    if not desktop.box.confines:
        raise BadRequest(
            "no code is run on a desktop that confines nothing; start the guest with --confine bwrap"
        )
    if language not in _LANGUAGES:
        raise BadRequest(f"language is {language!r}, but must be one of {', '.join(_LANGUAGES)}")
    if len(plain(code).encode()) > LONGEST or "\0" in code or plain(code) != code:
        raise BadRequest(f"code must be at most {LONGEST} bytes of UTF-8 without a null byte")
    desktop.touched()
    argv = desktop.box.wrap([*_limited(limits, desktop.box), *_LANGUAGES[language], code])
    # Tasks of the reaper and the box, which start before the model's program.
    fence = make_control_group(limits.processes + _AROUND)
    await desktop.painting.others_begin()
    try:
        with desktop.painting.others():
            return await _run(
                argv,
                tools.environment(desktop.box.name, desktop.environment),
                limits,
                str(fence.gate) if fence else "-",
            )
    finally:
        if fence is not None:
            fence.remove()


def read_request(data: Mapping[str, Any]) -> tuple[str, str, Limits]:
    """Parse program, language and limits of a request.

    Raises:
        BadRequest: It is malformed.
    """
    code, language, seconds = data.get("code"), data.get("language", "python"), data.get("seconds", 30)
    if not isinstance(code, str) or not isinstance(language, str):
        raise BadRequest("code and language must be text")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= 600:
        raise BadRequest(f"seconds is {seconds!r}, but must be more than 0 and at most 600")
    return code, language, Limits(seconds=float(seconds))


def _limited(limits: Limits, box: Box) -> list[str]:
    """Return the command with resource limits, which children inherit and cannot raise."""
    # A user namespace counts its own processes; without one, those of the applications count as well.
    counted = box.name == "bwrap" and os.geteuid() != 0
    others = 0 if counted else _threads_of(box.uid)
    return [
        "prlimit", f"--cpu={limits.processor}", f"--as={limits.address}", f"--fsize={limits.file}",
        f"--nproc={limits.processes + others}", "--core=0", "--nofile=512", "--",
    ]  # fmt: skip


def _threads_of(uid: int) -> int:
    count = 0
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and entry.stat().st_uid == uid:
                count += len(os.listdir(entry / "task"))
        except OSError:  # it has just exited
            continue
    return count


async def _run(argv: list[str], environment: Mapping[str, str], limits: Limits, gate: str) -> Ran:
    """Run a command below a reaper."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "guest.reaper", gate, *argv),
        cwd=Path(__file__).parents[1],  # for importing the reaper; the box changes to HOME
        env=dict(environment),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    outputs = [asyncio.create_task(_kept(pipe, limits.output)) for pipe in (process.stdout, process.stderr)]
    try:
        why = await _watched(process, limits)
    finally:
        await _end(process)
    out, err = await asyncio.gather(*outputs)
    code = process.returncode or 0
    return Ran(128 - code if code < 0 else code, out, err + why)


async def _watched(process: asyncio.subprocess.Process, limits: Limits) -> str:
    """Wait for the end of a program; return the limit that it exceeds as a sentence, or None."""
    clock = asyncio.get_running_loop().time
    end = clock() + limits.seconds
    waiting = asyncio.ensure_future(process.wait())
    while clock() < end:
        await asyncio.wait({waiting}, timeout=min(_WATCH, max(0.0, end - clock())))
        if waiting.done():
            return ""
        if _memory(process.pid) > limits.memory:
            return f"\n[ended: it took more than {limits.memory // 2**20} MiB of memory]\n"
    return f"\n[ended: it ran longer than {limits.seconds:g} s]\n"


def _memory(pid: int) -> int:
    """Return the resident bytes of a process tree."""
    total = 0
    for one in processes.descendants(pid):
        with suppress(OSError):  # it has just exited
            total += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * _PAGE
    return total


async def _end(process: asyncio.subprocess.Process) -> None:
    """Have the reaper kill what is left of the process tree."""
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _REAP_SECONDS)
    if process.returncode is None:
        await processes.end(process)


async def _kept(pipe: asyncio.StreamReader, longest: int) -> str:
    """Read an output to its end, and return its beginning."""
    kept, cut = bytearray(), False
    while chunk := await pipe.read(65_536):
        cut = cut or len(kept) + len(chunk) > longest
        kept += chunk[: longest - len(kept)]
    return kept.decode(errors="replace") + (_CUT.format(longest) if cut else "")
