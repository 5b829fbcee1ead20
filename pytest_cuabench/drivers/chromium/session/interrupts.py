"""Timeouts for all calls to the browser, and messages for its failures."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from pytest_cuabench.errors import EnvironmentFailure

T = TypeVar("T")

# Parts of sentences, as Playwright's errors have no codes.
_CLOSED = ("has been closed", "crashed", "Target closed", "Connection closed", "disconnected")
_REPLACED = ("interrupted by another navigation", "Download is starting", "frame was detached")
_NO_PAGE = ("net::ERR_ABORTED", "net::ERR_HTTP_RESPONSE_CODE_FAILURE")


@asynccontextmanager
async def bounded(what: str, seconds: float) -> AsyncIterator[None]:
    """Run a block that calls the browser, with a timeout.

    Raises:
        EnvironmentFailure: The browser failed, or did not answer in time.
    """
    from playwright.async_api import Error

    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise EnvironmentFailure(f"Timeout of {seconds:g} s: the browser could not {what}.") from None
    except Error as error:
        raise EnvironmentFailure(_sentence(what, error)) from error


def refusal(message: str) -> str | None:
    """Return why the browser did not open a URL; None if the screen shows another valid result.

    Such as a download, an answer without a body, or a navigation that another one replaced.
    """
    code = re.search(r"net::ERR_\w+", message)
    if code is None:
        return None if any(word in message for word in _REPLACED) else message.strip().splitlines()[0]
    return None if code[0] in _NO_PAGE else code[0]


def shortened(url: str, most: int = 200) -> str:
    """Shorten a URL for a message."""
    return url if len(url) <= most else f"{url[:most]}... ({len(url)} characters)"


def closed(error: Exception) -> bool:
    """Whether an error means that the browser or its page is closed."""
    return any(word in str(error) for word in _CLOSED)


def _sentence(what: str, error: Exception) -> str:
    first = str(error).strip().splitlines()[0]
    if closed(error):
        return f"The browser or its page closed or crashed and could not {what}."
    return f"The browser could not {what}: {first}."


class NoTab(EnvironmentFailure):
    """Raised while no tab is open: the last one closed or crashed, and another is about to open."""


class Interrupts:
    """Interrupts waiting calls when the page cannot answer: a dialog is open, or the browser failed."""

    def __init__(self) -> None:
        self.broken: str | None = None
        self._raised = asyncio.Event()
        self._stuck: set[asyncio.Task[Any]] = set()

    @property
    def blocked(self) -> bool:
        """Whether a dialog blocks the page."""
        return self._raised.is_set()

    def interrupt(self, broken: str | None = None) -> None:
        """Interrupt waiting calls; with `broken` every later call fails with this message."""
        self.broken = self.broken or broken
        self._raised.set()

    def interrupt_once(self) -> None:
        """Interrupt the calls that wait now, because their page will never answer."""
        blocked = self.blocked
        self._raised.set()
        # `set` has woken the waiting calls already; cleared at once, it does not stop later ones.
        if not blocked:
            self._raised.clear()

    def resume(self) -> None:
        """End the interruption after the dialog is closed."""
        if self.broken is None:
            self._raised.clear()

    def check(self) -> None:
        """Raise `EnvironmentFailure` if the browser failed."""
        if self.broken is not None:
            raise EnvironmentFailure(self.broken)

    async def unless_interrupted(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Return the work's result, or None if a dialog blocks the page; the work then continues later.

        Raises:
            EnvironmentFailure: The browser failed meanwhile.
        """
        self.check()
        task = asyncio.ensure_future(work)
        raised = asyncio.ensure_future(self._raised.wait())
        try:
            await asyncio.wait({task, raised}, return_when=asyncio.FIRST_COMPLETED)
            self.check()
            if task.done():
                return task.result()
            self._keep(task)
            return None
        except BaseException:
            self._keep(task)
            task.cancel()
            raise
        finally:
            raised.cancel()

    def cancel(self) -> None:
        """Cancel the blocked work."""
        for task in list(self._stuck):
            task.cancel()

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._stuck.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._stuck.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved: an input blocked by a dialog may fail once the page is gone
