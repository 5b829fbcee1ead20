"""A desktop that was started elsewhere, known only by its address."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.errors import EnvironmentFailure

TOKEN = "CUABENCH_WORLD_TOKEN"  # noqa: S105 - the name of a variable


class RemoteMachine:
    """A machine that is neither started nor stopped here."""

    kind = "guest"
    boot = 15.0

    def __init__(self, where: str) -> None:
        token = os.environ.get(TOKEN)
        if where.startswith("unix:"):
            self._address = Address("http://desktop", Path(where.removeprefix("unix:")), token)
        else:
            self._address = Address(where, token=token)

    async def start(self) -> Address:
        """Return its address."""
        return self._address

    async def alive(self) -> bool:
        """Return True: whether it answers is checked when connecting."""
        return True

    async def recreate(self) -> Address:
        """Raise: a remote machine cannot be recreated.

        Raises:
            EnvironmentFailure: Always.
        """
        raise EnvironmentFailure(
            f"the desktop at {self._address} failed twice in a row; restart it: the plugin did not start it"
        )

    async def last_output(self) -> str:
        """Return an empty text: its output is not accessible."""
        return ""

    async def close(self) -> None:
        """Leave it running."""
