"""GRASS's own modules, run in the desktop's box beside its window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guest.desk import Desk

GISBASE = "/usr/lib/grass82"
DATABASE = "grassdata"  # relative to HOME
MAPSET = "PERMANENT"
_SECONDS = 60.0


class ModuleFailed(Exception):
    """A GRASS module ended with an error; the sentence has its last line."""


@dataclass(frozen=True, slots=True)
class Modules:
    """Runs modules in the mapset PERMANENT of one location, whose lock the window may hold."""

    desk: Desk
    location: str

    async def __call__(self, module: str, *flags: str, stdin: bytes = b"", **options: object) -> str:
        """Run a module and return what it prints.

        Raises:
            ModuleFailed: It ended with an error.
        """
        session = self.desk.home / DATABASE / f".session-{self.location}"
        inside = f"{self.desk.inside}/{DATABASE}"
        session.write_text(f"GISDBASE: {inside}\nLOCATION_NAME: {self.location}\nMAPSET: {MAPSET}\n")
        argv = [f"{GISBASE}/bin/{module}", *flags, *(f"{name}={value}" for name, value in options.items())]
        env = environment(f"{inside}/.session-{self.location}")
        done = await self.desk.run(argv, stdin=stdin, env=env, seconds=_SECONDS)
        if done.code:
            last = (done.err.strip() or done.out.strip() or "no message").splitlines()[-1]
            raise ModuleFailed(f"{module} in {self.location}: {last}")
        return str(done.out)


def environment(session: str) -> Mapping[str, str]:
    """Return what a module needs to know, given its session's file."""
    return {
        "GISBASE": GISBASE,
        "GISRC": session,
        "PATH": f"{GISBASE}/bin:{GISBASE}/scripts:/usr/bin:/bin",
        "LD_LIBRARY_PATH": f"{GISBASE}/lib",
        "PYTHONPATH": f"{GISBASE}/etc/python",
        "GRASS_OVERWRITE": "1",
        "GRASS_MESSAGE_FORMAT": "plain",
    }
