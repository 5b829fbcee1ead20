"""A desktop that somebody else started and will end: all we know is its address."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.errors import EnvironmentFailure

TOKEN = "CUABENCH_WORLD_TOKEN"  # noqa: S105 - the variable's name; a token on a command line could be read by anybody


class RemoteMachine:
    """Somebody else's machine; it is neither started nor ended here."""

    kind = "guest"
    boot = 15.0

    def __init__(self, where: str) -> None:
        token = os.environ.get(TOKEN)
        if where.startswith("unix:"):
            self._address = Address("http://desktop", Path(where.removeprefix("unix:")), token)
        else:
            self._address = Address(where, token=token)

    async def start(self) -> Address:
        """Return where it is."""
        return self._address

    async def alive(self) -> bool:
        """Return True: whether it answers is found out by asking it."""
        return True

    async def recreate(self) -> Address:
        """Refuse: it is not ours to throw away.

        Raises:
            EnvironmentFailure: Always.
        """
        raise EnvironmentFailure(
            f"the desktop at {self._address} failed twice in a row; start it anew, it is not ours"
        )

    async def why(self) -> str:
        """Return nothing: its words are not ours to read."""
        return ""

    async def close(self) -> None:
        """Leave it as it is."""
