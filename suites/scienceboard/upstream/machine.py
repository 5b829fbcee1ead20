"""An upstream machine: its guest's server and the server of the application that a task is about."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from pytest_cuabench.errors import SettingError

from .clients.celestia import Celestia
from .clients.chimerax import ChimeraX
from .clients.grass import Grass
from .clients.guest import ScienceGuest
from .clients.kalgebra import KAlgebra
from .clients.service import Application

PORT = 8000  # of the server within an application


@dataclass(slots=True)
class Machine:
    """The clients of one machine; one port serves whichever application runs."""

    guest: ScienceGuest
    celestia: Celestia
    chimerax: ChimeraX
    grass: Grass
    kalgebra: KAlgebra

    @classmethod
    def at(cls, guest: str, application: str | None = None) -> Machine:
        """Return the machine whose guest's server has this address; the application's port is on the same host.

        Raises:
            SettingError: The address names no host.
        """
        host = urlsplit(guest).hostname
        if not host:
            raise SettingError(f"{guest} is no address of a machine; give one such as http://host:5000")
        inner = application or f"http://{f'[{host}]' if ':' in host else host}:{PORT}"
        return cls(
            ScienceGuest(guest, "the guest's server"),
            Celestia(inner, "Celestia"),
            ChimeraX(inner, "ChimeraX"),
            Grass(inner, "GRASS"),
            KAlgebra(inner, "KAlgebra"),
        )

    def started_by(self, command: str) -> Application | None:
        """Return the server within the application that a command starts, None for one without."""
        servers: dict[str, Application] = {
            "celestia": self.celestia,
            "chimerax": self.chimerax,
            "grass": self.grass,
            "kalgebra": self.kalgebra,
        }
        return next((server for name, server in servers.items() if name in command), None)

    async def close(self) -> None:
        """Let go of all connections."""
        for service in (self.guest, self.celestia, self.chimerax, self.grass, self.kalgebra):
            await service.close()
