"""Applications that need no code: `NAME.toml` says how one is started, when it is ready, and where it keeps its state.

    packages = ["geany"]                     the Debian packages that it needs
    programs = ["/usr/bin/geany"]            files that must exist for it to run
    command = ["geany", "--new-instance"]    the program and its arguments; the files of `open` steps follow
    ready = 'frame[name$="Geany"]'           a selector that matches when a person could work

    late = 1.5                               seconds after which it writes what was set (optional)
    unfinished = ["work/lu*.tmp"]            files that are there only while it saves (optional)

    [env]                                    variables beside those of the session (optional)

    [state.settings]                         a collection of the state, by its name
    files = [".config/geany/geany.conf"]     paths below HOME, or patterns such as ".config/geany/filedefs/*"; or
                                             whole paths of files that came with the program
    format = "ini"                           one of `formats.py`
    without = ["geany.conf/files:*"]         rows and fields that change by themselves, as patterns (optional)

Files of the first start lie in the folder `NAME/`, as they do below HOME. A setup may name the files to open:
`{"do": "open", "path": ...}`. A row is keyed by the file's name, and in `ini` by file and section. Files that are
missing or broken have a row that says so, since programs may write anything there.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from guest import reading, steps
from guest.applications.base import Desk
from guest.data import Collections, Launch, Step
from guest.reading import Job

_VERBS: dict[str, dict[str, Any]] = {"open": {"path": str}}
_LONGEST = 1024 * 1024  # bytes of a file of the state
_TOGETHER = 16 * 1024 * 1024  # bytes of all of them
_MOST_FILES = 200  # that a pattern fits


@dataclass
class Declared:
    """An application as its TOML file declares it; the attributes are those of the file, and the folder beside it."""

    name: str
    packages: tuple[str, ...]
    programs: tuple[str, ...]
    command: tuple[str, ...]
    window: str
    collections: Mapping[str, Mapping[str, Any]]
    env: Mapping[str, str] = field(default_factory=dict)
    seed: Path | None = None
    late: float = 0.0
    unfinished: tuple[str, ...] = ()

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Write the files of the first start.

        Raises:
            SetupError: A step is not understood.
        """
        steps.own(setup, _VERBS)
        if self.seed is not None:
            for file in filter(Path.is_file, sorted(self.seed.rglob("*"))):
                desktop.write(str(file.relative_to(self.seed)), file.read_bytes())

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command with the files to open."""
        files = [desktop.inside(step["path"]) for step in setup if step["do"] == "open"]
        return Launch((*self.command, *files), self.env)

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is missing: the window."""
        return None if await desktop.find(self.window) else f"there is no {self.window} yet"

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Do nothing: what is to be there is in files."""

    async def state(self, desktop: Desk) -> Collections:
        """Return what the application has saved."""
        found = await asyncio.to_thread(jobs, desktop, self.collections)
        return {name: {} for name in self.collections} | await reading.collections(found)


def read(file: Path) -> Declared:
    """Return the application that a file declares."""
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return Declared(
        file.stem,
        tuple(data["packages"]),
        tuple(data["programs"]),
        tuple(data["command"]),
        data["ready"],
        data["state"],
        data.get("env", {}),
        seed if (seed := file.with_suffix("")).is_dir() else None,
        data.get("late", 0.0),
        tuple(data.get("unfinished", ())),
    )


def jobs(desktop: Desk, tables: Mapping[str, Mapping[str, Any]]) -> list[Job]:
    """Return what is to be read for tables of the state, as a file declares them."""
    room = _TOGETHER
    found = []
    for collection, table in tables.items():
        for pattern in table["files"]:
            paths = desktop.matching(pattern, _MOST_FILES + 1) if "*" in pattern else [pattern]
            for path in paths[:_MOST_FILES]:
                without = tuple(table.get("without", ()))
                job = job_of(desktop, path, table["format"], collection, without, min(_LONGEST, room))
                room -= len(job.content)
                found.append(job)
            if len(paths) > _MOST_FILES:
                found.append(Job(collection, pattern, "unreadable", b"more files fit it than are read"))
    return found


def job_of(
    desktop: Desk,
    path: str,
    form: str,
    collection: str,
    without: tuple[str, ...] = (),
    longest: int = _LONGEST,
) -> Job:
    """Return what is to be read of a file: its content, or why it cannot be read."""
    name, longest = PurePosixPath(path).name, max(0, longest)
    try:
        shipped = path.startswith("/")
        content = Path(path).read_bytes() if shipped else desktop.read(path, longest + 1)
    except OSError as error:
        form, content = "unreadable", (error.strerror or str(error)).encode()
    if len(content) > longest:
        form, content = "unreadable", f"it is longer than {longest} bytes".encode()
    return Job(collection, name, form, content, without)
