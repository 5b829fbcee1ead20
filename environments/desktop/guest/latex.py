"""Compiles LaTeX documents in a copy of their folder inside the box, without side effects on the desktop."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from guest.applications.base import Desk
from guest.errors import DesktopFailure
from guest.places import Place
from guest.program import Done

_CPU_SECONDS = 2  # of one program; our documents need 0.2
_SECONDS = 15.0  # of one program on a busy machine
_LARGEST = 32 * 1024 * 1024  # bytes of an output file
_MOST_RUNS = 4
_LIMITS = ("prlimit", f"--cpu={_CPU_SECONDS}", f"--fsize={_LARGEST}")
_PDFLATEX = ("pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "-file-line-error")
_ENVIRONMENT = {
    "max_print_line": "10000",
    "openin_any": "p",
    "openout_any": "p",
    # No formats and settings but the system's: those of a document's folder or of HOME could say anything.
    "TEXFORMATS": "/var/lib/texmf/web2c//",
    **dict.fromkeys(("HOME", "TEXMFHOME", "TEXMFVAR", "TEXMFCONFIG"), "/nonexistent"),
}
_OUT_OF_TIME = 9, 24, 25  # SIGKILL, SIGXCPU, SIGXFSZ

_ERROR = re.compile(r"^(?:\./)?(\S+:\d+: .+|! .+)$", re.MULTILINE)
_PAGES = re.compile(r"^Output written on .+ \((\d+) pages?", re.MULTILINE)
_UNKNOWN = re.compile(r"^LaTeX Warning: (?:Citation|Reference) `([^']*)' .*undefined", re.MULTILINE)
_AGAIN = re.compile(r"Rerun to get|undefined references", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Build:
    """The result of compiling a document.

    Attributes:
        error: The first error of the log, if any.
        undefined: Undefined citations and references.
    """

    ok: bool
    pages: int
    error: str | None
    undefined: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {**asdict(self), "undefined": list(self.undefined)}


class Builder:
    """Builds documents; unchanged ones are cached."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], Build] = {}

    async def build(self, desktop: Desk, main: str, files: Mapping[str, Mapping[str, Any]]) -> Build:
        """Compile `main` (a path below HOME); `files` are the current files.

        Raises:
            DesktopFailure: The machine is too slow, or a program is missing.
        """
        folder = str(PurePosixPath(main).parent)
        beside = sorted(path for path in files if path.startswith(f"{folder}/"))
        key = (main, *(f"{path}={files[path].get('sha256')}" for path in beside))
        if key not in self._known:
            self._known[key] = await _build(desktop, main, str(files[main].get("text", "")))
        return self._known[key]


async def _build(desktop: Desk, main: str, text: str) -> Build:
    folder, name = PurePosixPath(main).parent, PurePosixPath(main).stem
    apart = Path(tempfile.mkdtemp(prefix="build-", dir=desktop.store))
    desktop.box.own(apart)
    run = _Apart(desktop, apart)
    made = await run(".", "mktemp", "-d", "/tmp/build-XXXXXX")  # noqa: S108 - inside, /tmp is this build's own
    scratch = made.out.decode().strip()
    if made.code or not scratch:
        return Build(False, 0, "there is no room left to build it in")
    try:
        await run(str(folder), "cp", "-R", "--no-dereference", ".", scratch)
        await run(scratch, "find", ".", "(", "-type", "p", "-o", "-type", "s", ")", "-delete")
        stale = (f"{name}.{suffix}" for suffix in ("aux", "bbl", "out", "toc", "pdf"))
        await run(scratch, "rm", "-f", *stale)
        return await _compile(run, scratch, name, bibliography=r"\bibliography{" in text)
    finally:
        await run(".", "rm", "-rf", scratch)
        shutil.rmtree(apart, ignore_errors=True)


async def _compile(run: _Apart, scratch: str, name: str, *, bibliography: bool) -> Build:
    done = await run(scratch, *_PDFLATEX, name)
    if bibliography and done.code == 0:
        await run(scratch, "bibtex", name)
        done = await run(scratch, *_PDFLATEX, name)
    for _ in range(_MOST_RUNS):
        if done.code or not _AGAIN.search(_text(done)):
            break
        before, done = done, await run(scratch, *_PDFLATEX, name)
        if _text(done) == _text(before):
            break
    return _read(done)


def _read(done: Done) -> Build:
    """Parse the output of the last LaTeX run."""
    text = _text(done)
    error = _ERROR.search(text)
    pages = next(iter([*_PAGES.finditer(text)][-1:]), None)  # LaTeX's own: those before may be a document's
    if done.code:
        endless = -done.code in _OUT_OF_TIME or done.code - 128 in _OUT_OF_TIME
        said = (
            error[1] if error else "LaTeX did not come to an end" if endless else f"it ended with {done.code}"
        )
        return Build(False, 0, said)
    if pages is None:
        return Build(False, 0, "no page was made")
    return Build(True, int(pages[1]), None, tuple(dict.fromkeys(_UNKNOWN.findall(text))))


def _text(done: Done) -> str:
    return done.out.decode("utf-8", errors="replace")


@dataclass(frozen=True, slots=True)
class _Apart:
    """Runs programs with a /tmp that no other programs of the desktop see."""

    desktop: Desk
    tmp: Path

    async def __call__(self, folder: str, *argv: str) -> Done:
        binds = [Place(self.tmp, self.desktop.box.places.tmp.inside)]
        try:
            return await self.desktop.run(
                (*_LIMITS, *argv), folder, seconds=_SECONDS, env=_ENVIRONMENT, binds=binds
            )
        except TimeoutError:
            raise DesktopFailure(f"{argv[0]} did not end within {_SECONDS:g} s") from None
