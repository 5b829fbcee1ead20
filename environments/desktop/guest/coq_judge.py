"""Judges theorems of Coq files: compiles a copy out of reach of the desktop's programs, and asks what a proof rests on.

The copy is required, never imported, by a module of our own that states the theorem again, so that neither notations
nor definitions of the file can change what the statement means. Only a proof without axioms counts.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from guest import program
from guest.applications.base import Desk
from guest.errors import DesktopFailure
from guest.places import Place
from guest.program import Done
from guest.timeouts import scaled

_CPU_SECONDS = 10  # of one compilation; ours need 0.5
_SECONDS = scaled(30.0)
_LIMITS = ("prlimit", f"--cpu={_CPU_SECONDS}", f"--as={2 * 2**30}", f"--fsize={32 * 2**20}", "--core=0", "--")
_COQC = ("coqc", "-q", "-noglob", "-w", "none")
_PLUGIN = re.compile(r"\bML\b")  # a plugin is native code: it could write any result
_CLOSED = "Closed under the global context"
_OUT_OF_TIME = 9, 24, 124, 137, 152


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem that a file has to prove; `given` are definitions of ours that the statement uses."""

    path: str
    name: str
    given: str
    statement: str

    def question(self) -> str:
        """Return the module that states it again, where `Submission.` names what the file defines."""
        return (
            f"Require Submission.\n{self.given}\nDefinition judged : {self.statement} := @Submission.{self.name}.\n"
            f"Print Assumptions judged.\n"
        )


class Judge:
    """Judges theorems; verdicts of known texts are cached."""

    def __init__(self) -> None:
        self._known: dict[tuple[Theorem, str], str] = {}

    async def verdict(self, desktop: Desk, theorem: Theorem, text: str) -> str:
        """Return `proved`, or why it is not.

        Raises:
            DesktopFailure: The machine is too slow.
        """
        key = (theorem, text)
        if key not in self._known:
            self._known[key] = await _judge(desktop, theorem, text)
        return self._known[key]


async def _judge(desktop: Desk, theorem: Theorem, text: str) -> str:
    if _PLUGIN.search(text):
        return "names a plugin (ML)"
    folder = Path(
        tempfile.mkdtemp(prefix="judge-", dir=None if desktop.box.name == "user" else desktop.store)
    )
    try:
        work = folder / "work"
        for name in ("work", "tmp", "shm", "run"):
            (folder / name).mkdir()
        (work / "Submission.v").write_text(text, encoding="utf-8")
        done = await _coqc(desktop, folder, "Submission.v")
        if done.code:
            return _failure(done, "does not compile")
        for left in work.iterdir():  # the file may have written more
            if left.name != "Submission.vo":
                shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
        (work / "Question.v").write_text(theorem.question(), encoding="utf-8")
        done = await _coqc(desktop, folder, "Question.v")
        if done.code:
            return _failure(done, "states something else")
        said = done.out.decode(errors="replace").strip()
        return "proved" if said == _CLOSED else f"rests on {' '.join(said.split()):.160}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _failure(done: Done, what: str) -> str:
    if abs(done.code) in _OUT_OF_TIME:
        return "does not come to an end"
    lines = (done.out + done.err).decode(errors="replace").split()
    return f"{what}: {' '.join(lines):.200}"


async def _coqc(desktop: Desk, folder: Path, name: str) -> Done:
    """Compile a file of the folder `work`; nothing that the desktop's programs can write is in sight."""
    places = desktop.box.places
    binds = [
        Place(folder / "work", places.home.inside), Place(folder / "tmp", places.tmp.inside),
        Place(folder / "shm", places.shm.inside), Place(folder / "run", places.runtime.inside),
    ]  # fmt: skip
    inside = places.home.inside if desktop.box.name == "bwrap" else str(folder / "work")
    desktop.box.own(folder)
    argv = (*_LIMITS, "env", "--chdir", inside, *_COQC, name)
    environment = {"HOME": inside, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TMPDIR": inside}
    try:
        return await program.run(desktop.box, argv, environment, seconds=_SECONDS, binds=binds)
    except TimeoutError:
        raise DesktopFailure(f"coqc did not end within {_SECONDS:g} s") from None
