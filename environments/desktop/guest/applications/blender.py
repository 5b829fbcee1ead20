"""Blender 3.4 from Debian, unmodified, in software rendering.

Its state is what it has saved: the files of the setup and the preferences, read by another Blender without a window,
and kept by their digests, so that files that did not change cost nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from guest import safe_files, steps
from guest.applications.base import Collections, Launch, SetupError, Step
from guest.program import Done
from guest.timeouts import scaled

if TYPE_CHECKING:
    from guest.desktop import Desktop
    from guest.nodes import Box

_VERBS: dict[str, dict[str, Any]] = {"build": {"path": str, "script": str}}
_SCRIPTS = Path(__file__).parents[1] / "blender"
_CONFIG = ".config/blender/3.4/config"
_FIRST = ("userpref.blend", "startup.blend")
_WORK = ".cache/blender"
_DRAWN, _ASKED, _ANSWERED = (f"{_WORK}/{name}" for name in ("drawn", "asked", "answered"))
_CACHE = ".cache/shaders"  # compiled ones; compiling takes most of a first start
_SHADERS = "blender-shaders"  # the same in the store
_QUIET = ("blender", "--background", "--factory-startup", "--disable-autoexec", "-noaudio")
_NOBODY = {"BLENDER_USER_SCRIPTS": "/nonexistent"}  # what reads a file runs nothing that was put beside it
_SECONDS = 60.0
_ANSWER_SECONDS = scaled(10.0)
_MARK = b"state: "


class Blender:
    """The application."""

    name = "blender"
    packages = ("blender",)
    programs = ("/usr/bin/blender",)

    def __init__(self) -> None:
        self._known: dict[str, Collections] = {}
        self._number = 0

    async def prepare(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Write the files of the first start, and build those of the setup.

        Raises:
            SetupError: A step is not understood, or its script fails.
        """
        desktop.write(_ASKED, "")
        for file in desktop.store.glob(f"{_SHADERS}-*"):
            desktop.write(
                f"{_CACHE}/{file.name.removeprefix(f'{_SHADERS}-').replace('+', '/')}", file.read_bytes()
            )
        for name in _FIRST:
            await self._kept(desktop, _source("first_start.py"), f"{_CONFIG}/{name}", ("first_start.py",))
        for step in steps.own(setup, _VERBS):
            desktop.write(f"{_WORK}/setup.py", step["script"])
            inside = (desktop.inside(f"{_WORK}/setup.py"), desktop.inside(step["path"]))
            digest = _source("first_start.py") + _source("build.py") + step["script"].encode()
            await self._kept(desktop, digest, step["path"], ("build.py", "--", *inside))
            await desktop.run(["rm", f"{_WORK}/setup.py"])

    async def _kept(self, desktop: Desktop, source: bytes, path: str, command: Sequence[str]) -> None:
        """Write a file that Blender makes of a source, made once."""
        kept = desktop.store / f"blender-{_digest(source)}-{Path(path).name}"
        if not kept.is_file():
            desktop.write(path, "")
            desktop.box.own(desktop.home)
            script, *rest = command
            flags = _QUIET if script == "first_start.py" else [one for one in _QUIET if "factory" not in one]
            done = await desktop.run(
                [*flags, "-P", f"{desktop.box.guest}/blender/{script}", *rest], seconds=_SECONDS
            )
            if not (content := desktop.read(path)):
                raise SetupError(f"Blender did not write {path}: {_end(done)}")
            kept.write_bytes(content)
        desktop.write(path, kept.read_bytes())

    def launch(self, desktop: Desktop, setup: Sequence[Step]) -> Launch:
        """Return the command with the file to open."""
        files = [desktop.inside(step["path"]) for step in setup if step["do"] == "build"][:1]
        drawn = ("-P", f"{desktop.box.guest}/blender/drawn.py", "--", desktop.inside(_WORK))
        environment = {
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "MESA_SHADER_CACHE_DIR": desktop.inside(_CACHE),
            "MESA_DISK_CACHE_SINGLE_FILE": "1",
        }
        return Launch(("blender", "-noaudio", *files, *drawn), environment)

    async def ready(self, desktop: Desktop) -> str | None:
        """Return what is missing: the first picture."""
        try:
            desktop.read(_DRAWN)
        except OSError:
            return "nothing is drawn yet"
        return None

    async def arrange(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Ask Blender itself whether input was handled; keep what is slow to compute for later starts."""
        desktop.input.answered = partial(self._answered, desktop)
        for path in _paths(setup):
            await self._read(desktop, path)
        if any(desktop.store.glob(f"{_SHADERS}-*")):
            return
        await desktop.settle(_SECONDS, quiet=2.0)
        for file in sorted(path for path in (desktop.home / _CACHE).rglob("*") if path.is_file()):
            relative = file.relative_to(desktop.home / _CACHE)
            content = desktop.read(str(file.relative_to(desktop.home)))
            (desktop.store / f"{_SHADERS}-{str(relative).replace('/', '+')}").write_bytes(content)

    async def state(self, desktop: Desktop) -> Collections:
        """Return what the files and the preferences hold, as they are saved."""
        found: Collections = {}
        for path in _paths(desktop.episode.setup if desktop.episode else ()):
            for name, rows in (await self._read(desktop, path)).items():
                found.setdefault(name, {}).update(rows)
        return found

    async def _answered(self, desktop: Desktop) -> bool:
        """Ask Blender by a file; its answer is a file after all input was handled and drawn."""
        self._number += 1
        number = str(self._number)
        safe_files.write(desktop.home, _ASKED, number.encode())
        end = time.monotonic() + _ANSWER_SECONDS
        while time.monotonic() < end and all(program.alive for program in desktop.session.programs):
            with suppress(OSError):
                if desktop.read(_ANSWERED).decode() == number:
                    return True
            await asyncio.sleep(0.01)
        return False

    async def _read(self, desktop: Desktop, path: str) -> Collections:
        try:
            content = desktop.read(path)
        except OSError as error:
            return {"unreadable": {path: {"error": error.strerror or str(error)}}}
        digest = _digest(content)
        if digest not in self._known:
            self._known[digest] = await _dumped(desktop, path, content)
        return self._known[digest]

    async def place(self, desktop: Desktop, name: str) -> Box | None:
        """Return the pixel `X,Y` of the screen: the first layout is always the same, and has no other names."""
        point = re.fullmatch(r"(\d{1,5}),(\d{1,5})", name)
        return (int(point[1]), int(point[2]), 1, 1) if point else None


async def _dumped(desktop: Desktop, path: str, content: bytes) -> Collections:
    """Read a copy in a Blender without a window; preferences are read as those of this Blender."""
    folder = f"{_WORK}/read"
    preferences = Path(path).name == "userpref.blend"
    copy = f"{folder}/{'userpref' if preferences else 'file'}.blend"
    desktop.write(copy, content)
    desktop.box.own(desktop.home)
    flags = (
        [one for one in _QUIET if "factory" not in one] if preferences else [*_QUIET, desktop.inside(copy)]
    )
    environment = {**_NOBODY, "BLENDER_USER_CONFIG": desktop.inside(folder)}
    try:
        done = await desktop.run(
            [
                *flags,
                "-P",
                f"{desktop.box.guest}/blender/dump.py",
                "--",
                "preferences" if preferences else "file",
            ],
            seconds=_SECONDS,
            env=environment,
        )
    finally:
        await desktop.run(["rm", "-rf", folder])
    for line in done.out.splitlines():
        if line.startswith(_MARK):
            found: Collections = json.loads(line.removeprefix(_MARK))
            return found
    return {"unreadable": {path: {"error": _end(done)}}}


def _paths(setup: Sequence[Step]) -> list[str]:
    """Return the files that the state is read from."""
    return [f"{_CONFIG}/userpref.blend", *(step["path"] for step in setup if step["do"] == "build")]


def _end(done: Done) -> str:
    return (done.out + done.err).decode(errors="replace").strip()[-300:]


def _source(name: str) -> bytes:
    return (_SCRIPTS / name).read_bytes()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:24]


APPLICATION = Blender()
