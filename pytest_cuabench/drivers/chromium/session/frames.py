"""Evaluates expressions in a world of their own beside the page's scripts, in frames of every origin."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_cuabench.drivers.chromium.session.scripts import BINDING

if TYPE_CHECKING:
    from playwright import async_api as playwright

_WORLD = "screen"
_STOPPED = (
    "Internal error",
    "Execution was terminated",
)  # what the browser says of a script that it has stopped


class ScriptError(Exception):
    """A script of this package failed in a page; the message is the exception's first line."""


class Teller(NamedTuple):
    """The world beside a page's scripts that tells something, and the id of its frame."""

    cdp: playwright.CDPSession
    context: int
    frame: str


class Frames:
    """The frames of one tab, and the worlds that were made in them.

    Args:
        source: What runs in these worlds from the beginning of each document; see `scripts.beside`.
        heard: Is given what it tells: who, of what kind, and a JSON value.
    """

    def __init__(self, source: str, heard: Callable[[Teller, str, object], None]) -> None:
        self._source, self._heard = source, heard
        self._worlds: dict[tuple[playwright.CDPSession, str], int] = {}
        self._sessions: dict[playwright.Frame, playwright.CDPSession] = {}

    async def listen(self, cdp: playwright.CDPSession) -> None:
        """Have the scripts run in the frames of a session, and hear them."""
        frames: dict[int, str] = {}

        def made(event: dict[str, Any]) -> None:
            if event["context"]["name"] == _WORLD:
                frames[event["context"]["id"]] = event["context"]["auxData"]["frameId"]

        def told(event: dict[str, Any]) -> None:
            if event["name"] == BINDING:
                kind, value = json.loads(event["payload"])
                context = event["executionContextId"]
                self._heard(Teller(cdp, context, frames.get(context, "")), kind, value)

        cdp.on("Runtime.executionContextCreated", made)
        cdp.on("Runtime.bindingCalled", told)
        await cdp.send("Runtime.enable")
        await cdp.send("Runtime.addBinding", {"name": BINDING, "executionContextName": _WORLD})
        # `runImmediately`: in the document that is there already, too.
        options = {"source": self._source, "worldName": _WORLD, "runImmediately": True}
        await cdp.send("Page.addScriptToEvaluateOnNewDocument", options)

    async def reach(self, frame: playwright.Frame) -> None:
        """Have the scripts run in a frame that is in a process of its own, too."""
        if frame not in self._sessions and (session := await self._session(frame)) is not None:
            await self.listen(session)

    async def evaluate(
        self,
        cdp: playwright.CDPSession,
        frame: str,
        expression: str,
        group: str | None = None,
        limit: float | None = None,
    ) -> Any:
        """Return the JSON value of an expression in a frame of a session; promises are awaited.

        Args:
            group: Return a remote object of this group instead.
            limit: Seconds after which the browser stops the script.

        Raises:
            Error: The document was replaced, or the frame is gone.
            ScriptError: The expression raised an exception.
            TimeoutError: It was stopped.
        """
        from playwright.async_api import Error

        options: dict[str, Any] = {"returnByValue": False, "objectGroup": group} if group else {}
        if limit is not None:
            options["timeout"] = round(limit * 1000)
        known = self._worlds.get((cdp, frame))
        if known is not None:
            try:
                return await in_context(cdp, known, expression, **options)
            except Error as error:
                del self._worlds[cdp, frame]
                # The world was of the document before; the present one is given its own below.
                if "Cannot find context" not in str(error):
                    raise
        made = await cdp.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": _WORLD})
        self._worlds[cdp, frame] = made["executionContextId"]
        return await in_context(cdp, made["executionContextId"], expression, **options)

    async def elsewhere(
        self, page: playwright.Page, cdp: playwright.CDPSession, expression: str
    ) -> list[Any]:
        """Return the values of an expression in all frames but the main one, also of other processes."""
        work = [self._evaluate_if_there(cdp, each, expression) for each in (await _frames_of(cdp))[1:]]
        for frame in page.frames[1:]:
            session = await self._session(frame)
            inner = await _frames_of(session) if session else []
            if not inner:
                self._sessions.pop(frame, None)  # perhaps it has moved to another process
            work += [self._evaluate_if_there(session, each, expression) for each in inner if session]
        return await asyncio.gather(*work)

    async def _evaluate_if_there(self, cdp: playwright.CDPSession, frame: str, expression: str) -> Any:
        from playwright.async_api import Error

        with suppress(Error, ScriptError):
            return await self.evaluate(cdp, frame, expression)
        return None

    async def _session(self, frame: playwright.Frame) -> playwright.CDPSession | None:
        """Return the session of a frame in a process of its own."""
        from playwright.async_api import Error

        session = self._sessions.get(frame)
        try:
            if session is None:
                session = self._sessions[frame] = await frame.page.context.new_cdp_session(frame)
        except Error:  # it is in the process of the frame around it
            return None
        return session


async def in_context(cdp: playwright.CDPSession, world: int, expression: str, **options: Any) -> Any:
    """Return the JSON value of an expression in an execution context; see `Frames.evaluate`.

    Raises:
        TimeoutError: It took longer than the `timeout` that was given.
    """
    from playwright.async_api import Error

    options = {
        "expression": expression,
        "contextId": world,
        "awaitPromise": True,
        "returnByValue": True,
        **options,
    }
    try:
        answer = await cdp.send("Runtime.evaluate", options)
    except Error as error:
        if "timeout" in options and any(one in str(error) for one in _STOPPED):
            raise TimeoutError("the script took too long") from None
        raise
    if "exceptionDetails" in answer:
        details = answer["exceptionDetails"]
        said = details.get("exception", {}).get("description") or details.get("text", "")
        raise ScriptError(str(said).splitlines()[0] if said else "an exception")
    result = answer.get("result", {})
    return result if options.get("objectGroup") else result.get("value")


async def _frames_of(cdp: playwright.CDPSession) -> list[str]:
    """Return the ids of the frames of a session, outer ones first."""
    from playwright.async_api import Error

    with suppress(Error):  # it has just moved to another process
        tree = await cdp.send("Page.getFrameTree")
        return [frame["id"] for frame in _descendants(tree["frameTree"])]
    return []


def _descendants(tree: dict[str, Any]) -> list[dict[str, Any]]:
    return [tree["frame"], *(frame for child in tree.get("childFrames", ()) for frame in _descendants(child))]
