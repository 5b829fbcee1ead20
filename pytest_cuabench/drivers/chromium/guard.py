"""Every wait for the browser is bounded, and every way it breaks becomes one plain sentence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from pytest_cuabench.errors import EnvironmentFailure

T = TypeVar("T")

_CLOSED = ("has been closed", "crashed", "Target closed", "Connection closed", "disconnected")


@asynccontextmanager
async def bounded(what: str, seconds: float) -> AsyncIterator[None]:
    """Run a block that talks to the browser.

    Raises:
        EnvironmentFailure: The browser broke, or did not answer in time.
    """
    from playwright.async_api import Error

    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise EnvironmentFailure(
            f"The browser did not answer within {seconds:g} s when asked to {what}."
        ) from None
    except Error as error:
        raise EnvironmentFailure(_sentence(what, error)) from error


def _sentence(what: str, error: Exception) -> str:
    first = str(error).strip().splitlines()[0]
    if any(word in first for word in _CLOSED):
        return f"The browser or its page closed or crashed when asked to {what}."
    return f"The browser failed when asked to {what}: {first}."


class Interrupts:
    """Tells waiting calls that the page cannot answer now: a dialog is open, or something broke."""

    def __init__(self) -> None:
        self.broken: str | None = None
        self._raised = asyncio.Event()
        self._stuck: set[asyncio.Task[Any]] = set()

    @property
    def stopped(self) -> bool:
        """Whether a dialog holds the page up, so that it answers nothing."""
        return self._raised.is_set()

    def interrupt(self, broken: str | None = None) -> None:
        """Let `race` return at once; `broken` makes every later call fail with this sentence."""
        self.broken = self.broken or broken
        self._raised.set()

    def resume(self) -> None:
        """The dialog is gone."""
        if self.broken is None:
            self._raised.clear()

    def check(self) -> None:
        """Raise `EnvironmentFailure` when something broke."""
        if self.broken is not None:
            raise EnvironmentFailure(self.broken)

    async def race(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Return the work's result, or None when a dialog held the page up; the work then goes on later.

        Raises:
            EnvironmentFailure: Something broke meanwhile.
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

    def abandon(self) -> None:
        """Drop what is still held up."""
        for task in list(self._stuck):
            task.cancel()

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._stuck.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._stuck.discard(task)
        if not task.cancelled():
            task.exception()  # seen: an input held up by a dialog may fail when the page has gone meanwhile
