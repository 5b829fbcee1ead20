"""What a world's pages report to the judge, by the world's probe and a channel that no script of a page can reach.

The probe runs in the page when a document begins. What it reports is heard in an isolated world of a secret name, where
alone a binding of the judge's own protocol session exists, and is passed on to the world's control socket. Neither an
address nor a function stands in the page.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.chromium.session.scripts import script
from pytest_cuabench.errors import EnvironmentFailure

if TYPE_CHECKING:
    from playwright import async_api as playwright

    from pytest_cuabench.drivers.chromium.session.tab import Tab

_LARGEST = 256 * 1024  # characters of a report
_MOST_WAITING = 1000  # reports that are not passed on yet; a page that reports more is not read any further
_PATIENCE = 2.0  # seconds for a page to say what it shows, and for the world to take it


class Reports:
    """The reports of one episode's pages.

    Args:
        probe: A JavaScript expression of a function. It is called with a function that reports a JSON value, and may
            return one that is called before the state is read, to report at once.
        take: Passes a report on to the world.
    """

    def __init__(self, probe: str, origin: str, take: Callable[[str], Awaitable[object]]) -> None:
        self._probe, self._origin, self._take = probe, origin, take
        self._event, self._asked, self._binding = (secrets.token_hex(16) for _ in range(3))
        self._waiting: asyncio.Queue[str] = asyncio.Queue(_MOST_WAITING)
        self._passing: asyncio.Task[None] | None = None

    def begin(self) -> str:
        """Begin to pass reports on; return the script that runs the probe in documents of the world's origin."""
        names = {"ORIGIN": self._origin, "NAME": self._event, "ASKED": self._asked}
        text = script("reports.js")
        for name, value in names.items():
            text = text.replace(name, json.dumps(value))
        self._passing = asyncio.create_task(self._pass_on())
        return text.replace("PROBE", self._probe)

    async def hear(self, cdp: playwright.CDPSession) -> None:
        """Listen to the pages of a tab; what they reported before is sent again."""
        cdp.on("Runtime.bindingCalled", self._heard)
        await cdp.send("Runtime.enable")
        world = {"name": f"b{self._binding}", "executionContextName": self._binding}
        await cdp.send("Runtime.addBinding", world)
        heard = f"{{ b{self._binding}(event.detail); event.preventDefault(); }}"
        source = f'addEventListener("{self._event}", (event) => {heard})'
        await cdp.send(
            "Page.addScriptToEvaluateOnNewDocument",
            {"source": source, "worldName": self._binding, "runImmediately": True},
        )

    async def taken(self, tabs: Iterable[Tab]) -> None:
        """Have the pages report what they show now, and wait until the world has taken all of it."""
        from playwright.async_api import Error

        with suppress(TimeoutError):  # a page that does not answer shows nothing new
            async with asyncio.timeout(_PATIENCE):
                for tab in list(tabs):
                    with suppress(Error):  # it is gone, or its document was replaced
                        await tab.evaluate(f'dispatchEvent(new Event("{self._asked}"))')
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await self._waiting.join()

    def close(self) -> None:
        """Stop passing on; may be called twice."""
        if self._passing is not None:
            self._passing.cancel()

    def _heard(self, event: dict[str, Any]) -> None:
        if event["name"] == f"b{self._binding}" and len(event["payload"]) <= _LARGEST:
            with suppress(asyncio.QueueFull):
                self._waiting.put_nowait(event["payload"])

    async def _pass_on(self) -> None:
        while True:
            said = await self._waiting.get()
            with suppress(EnvironmentFailure):  # a world that is gone is noticed when its state is read
                await self._take(said)
            self._waiting.task_done()
