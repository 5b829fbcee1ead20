"""GRASS's own modules, run in the desktop's box beside its window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from guest.errors import Trouble

if TYPE_CHECKING:
    from guest.desk import Desk
    from guest.program import Done

GISBASE = "/usr/lib/grass82"
DATABASE = "grassdata"  # relative to HOME
MAPSET = "PERMANENT"
_SECONDS = 60.0


class ModuleFailed(Trouble):
    """A GRASS module ended with an error; the sentence has its last line."""


@dataclass(frozen=True, slots=True)
class Modules:
    """Runs modules in the mapset PERMANENT of one location, whose lock the window may hold."""

    desk: Desk
    location: str

    async def __call__(
        self, module: str, *flags: str, options: Mapping[str, object] | None = None, stdin: bytes = b""
    ) -> str:
        """Run a module and return what it prints.

        Raises:
            ModuleFailed: It ended with an error.
        """
        session = f"{DATABASE}/.session-{self.location}"
        where = f"GISDBASE: {self.desk.inside(DATABASE)}\nLOCATION_NAME: {self.location}\nMAPSET: {MAPSET}\n"
        self.desk.write(session, where)
        argv = [
            f"{GISBASE}/bin/{module}",
            *flags,
            *(f"{name}={value}" for name, value in (options or {}).items()),
        ]
        env = environment(self.desk.inside(session))
        done = await self.desk.run(argv, stdin=stdin, env=env, seconds=_SECONDS)
        return _output(done, f"{module} in {self.location}")


async def create(desk: Desk, location: str, code: str) -> None:
    """Make a location with a coordinate reference system such as EPSG:4326.

    Raises:
        ModuleFailed: GRASS could not.
    """
    argv = ["grass", "-c", code, desk.inside(f"{DATABASE}/{location}"), "-e"]
    _output(await desk.run(argv, seconds=_SECONDS), f"creating {location}")


def _output(done: Done, what: str) -> str:
    if done.code:
        said = (done.err.strip() or done.out.strip() or b"it said nothing").decode(errors="replace")
        raise ModuleFailed(f"{what}: {said.splitlines()[-1]}")
    return done.out.decode(errors="replace")


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
