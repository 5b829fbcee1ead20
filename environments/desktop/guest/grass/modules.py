"""Runs GRASS's own modules in the desktop's box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from guest.applications.base import Desk
from guest.errors import DesktopFailure

if TYPE_CHECKING:
    from guest.program import Done

GISBASE = "/usr/lib/grass82"
DATABASE = "grassdata"  # relative to HOME
MAPSET = "PERMANENT"
_SECONDS = 60.0


class ModuleFailed(DesktopFailure):
    """Raised when a GRASS module fails; the message has its last line."""


@dataclass(frozen=True, slots=True)
class Modules:
    """Runs modules in the mapset PERMANENT of one location, even if the window has locked it."""

    desktop: Desk
    location: str

    async def __call__(
        self, module: str, *flags: str, options: Mapping[str, object] | None = None, stdin: bytes = b""
    ) -> str:
        """Run a module and return its output.

        Raises:
            ModuleFailed: The module failed.
        """
        session = f"{DATABASE}/.session-{self.location}"
        where = (
            f"GISDBASE: {self.desktop.inside(DATABASE)}\nLOCATION_NAME: {self.location}\nMAPSET: {MAPSET}\n"
        )
        self.desktop.write(session, where)
        argv = [
            f"{GISBASE}/bin/{module}",
            *flags,
            *(f"{name}={value}" for name, value in (options or {}).items()),
        ]
        env = environment(self.desktop.inside(session))
        done = await self.desktop.run(argv, stdin=stdin, env=env, seconds=_SECONDS)
        return _output(done, f"{module} in {self.location}")


async def create(desktop: Desk, location: str, code: str) -> None:
    """Create a location with a coordinate reference system such as EPSG:4326.

    Raises:
        ModuleFailed: GRASS could not.
    """
    argv = ["grass", "-c", code, desktop.inside(f"{DATABASE}/{location}"), "-e"]
    _output(await desktop.run(argv, seconds=_SECONDS), f"creating {location}")


def _output(done: Done, what: str) -> str:
    if done.code:
        said = (done.err.strip() or done.out.strip() or b"it said nothing").decode(errors="replace")
        raise ModuleFailed(f"{what}: {said.splitlines()[-1]}")
    return done.out.decode(errors="replace")


def environment(session: str) -> Mapping[str, str]:
    """Return the environment variables of a module with a session file."""
    return {
        "GISBASE": GISBASE,
        "GISRC": session,
        "PATH": f"{GISBASE}/bin:{GISBASE}/scripts:/usr/bin:/bin",
        "LD_LIBRARY_PATH": f"{GISBASE}/lib",
        "PYTHONPATH": f"{GISBASE}/etc/python",
        "GRASS_OVERWRITE": "1",
        "GRASS_MESSAGE_FORMAT": "plain",
    }
