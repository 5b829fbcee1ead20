"""What a person does in a visible window, for measuring how people perform."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.chromium.scripts import script
from pytest_cuabench.environment import DEEDS, Deed

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


class Person:
    """Collects the deeds of a person in all pages of a context."""

    def __init__(self) -> None:
        self._clock = asyncio.get_running_loop().time
        self._start = self._clock()
        self._deeds: list[Deed] = []

    async def watch(self, context: BrowserContext) -> None:
        """Be told from now on, by every page that opens."""
        await context.expose_binding("cuabenchPerson", self._told)
        await context.add_init_script(script("person.js"))

    def deeds(self) -> tuple[Deed, ...]:
        """Return all deeds so far, in their order."""
        return tuple(self._deeds)

    def _told(self, source: Any, kind: object, x: object, y: object) -> None:
        if kind in DEEDS and isinstance(x, int) and isinstance(y, int):
            self._deeds.append(Deed(round(self._clock() - self._start, 3), str(kind), x, y))
