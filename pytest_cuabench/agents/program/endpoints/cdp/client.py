"""One connection of a program by the Chrome DevTools Protocol: its messages, its tabs, and what it looks at."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import math
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from PIL import Image
from starlette.websockets import WebSocket, WebSocketDisconnect

from pytest_cuabench.agents.program.endpoints.cdp import rules
from pytest_cuabench.agents.program.endpoints.cdp.episode import CdpEpisode, Ended, Json, Refused
from pytest_cuabench.agents.program.endpoints.cdp.steps import (
    REFUSALS,
    STEPS,
    Steps,
    View,
    sent,
)

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.session.tab import Tab

_MOST_WAITING = 256  # calls of a connection that are not answered yet
_MOST_UNREAD = 20_000  # messages that a program has not read yet
_MOST_SESSIONS = 64  # of a connection
_MOST_PIXELS = 40_000_000  # of a picture
_WORLD = "program:"  # begins the names of the worlds that programs make
_BROWSER = "browser"


class Client:
    """One connection of a program."""

    def __init__(self, episode: CdpEpisode, socket: WebSocket) -> None:
        self._episode, self._socket = episode, socket
        self._views: dict[str, View] = {}
        self._known: dict[str, Json] = {}  # targets that the program was told of
        self._attaching = self._discovering = False
        self._sent: asyncio.Queue[str] = asyncio.Queue(_MOST_UNREAD)
        self._waiting = asyncio.Semaphore(_MOST_WAITING)
        self._steps = Steps(episode, self._event)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._looking = asyncio.Lock()
        self._reason = (1000, "the connection is over")
        self._over = asyncio.Event()

    async def serve(self) -> None:
        """Answer until the program leaves or the episode ends."""
        serving = [
            asyncio.create_task(each)
            for each in (
                self._receive(),
                self._send(),
                self._steps.perform(),
                self._over.wait(),
                self._until_end(),
            )
        ]
        try:
            await asyncio.wait(serving, return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = [*serving, *self._tasks]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            views, self._views = list(self._views.values()), {}
            await asyncio.gather(*(view.cdp.detach() for view in views), return_exceptions=True)
            with suppress(RuntimeError, WebSocketDisconnect):
                await self._socket.close(*self._reason)

    def look_for_tabs(self) -> None:
        """Tell the program of tabs that opened, closed or changed."""
        self._spawn(self._tell_of_tabs())

    # Messages

    async def _receive(self) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                message = await self._socket.receive()
                if message["type"] != "websocket.receive":
                    return
                # Before the next message is read: a program that floods fills its own socket, not this process.
                await self._waiting.acquire()
                text = message.get("text") or message.get("bytes") or ""
                self._spawn(self._answer(text)).add_done_callback(self._answered)

    def _answered(self, task: asyncio.Task[None]) -> None:
        self._waiting.release()
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._reason = (1011, f"a fault of this door: {fault!r:.60}")
            self._over.set()

    async def _send(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._socket.send_text(await self._sent.get())

    async def _until_end(self) -> None:
        await self._episode.exchange.ended.wait()
        self._reason = (1000, "the episode has ended")

    def _put(self, message: Json) -> None:
        try:
            self._sent.put_nowait(json.dumps(message))
        except asyncio.QueueFull:
            self._reason = (1008, "the program does not read what it asked for")
            self._over.set()

    def _event(self, method: str, parameters: Json, view: View | None = None) -> None:
        self._put({"method": method, "params": parameters, **({"sessionId": view.id} if view else {})})

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _answer(self, text: str | bytes) -> None:
        number, session = None, None
        try:
            number, session, method, parameters = _read(text)
            answer: Json = {"result": await self._call(session, method, parameters)}
        except Ended:
            return  # the connection ends with the episode
        except REFUSALS as error:
            answer = {"error": {"code": getattr(error, "code", -32000), "message": str(error)}}
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
            answer = {
                "error": {
                    "code": -32600,
                    "message": "this call cannot be answered: its parameters are malformed",
                }
            }
        self._put({"id": number, **answer, **({"sessionId": session} if session else {})})

    async def _call(self, session: str | None, method: str, parameters: Json) -> Json:
        view = self._views.get(session) if session is not None else None
        if session is not None and view is None:
            raise Refused("Session with given id not found.", -32001)
        if method in rules.ACCEPTED:
            return {}
        if (own := _OWN.get(method)) is not None:
            return await own(self, view, parameters)
        if view is not None:
            if method in rules.INPUT:
                return await self._steps.input(view, method, parameters)
            if method in STEPS:
                return await self._steps.make(view, method, parameters)
            if method in self._episode.passed:
                return await self._pass(view, method, parameters)
        elif method in self._episode.passed or method in rules.INPUT or method in STEPS:
            raise Refused(f"{method} needs the sessionId of a tab; see Target.attachToTarget")
        raise Refused(rules.refusal(method), -32601)

    # Looking

    async def _pass(self, view: View, method: str, parameters: Json) -> Json:
        """Pass a call on to the browser, once the steps before are carried out."""
        parameters = _allowed(view, method, parameters)
        await self._steps.over()
        await self._turn()
        if method in rules.SCRIPTS:
            self._episode.note(method, parameters)
        if method != "Page.captureScreenshot":
            return self._learned(view, method, await sent(view, method, parameters))
        _check_clip(parameters.get("clip"))
        if self._episode.session.asked is not None or view.tab.drawn.there:
            return await self._picture_as_shown(parameters)
        async with self._episode.alone:
            return await sent(view, method, parameters)

    async def _turn(self) -> None:
        """Wait until the episode waits for the program."""
        if await self._episode.exchange.observe() is None:
            raise Ended

    async def _picture_as_shown(self, parameters: Json) -> Json:
        """Return the screen as the judge sees it: with a list, or a dialog, while which a page answers nothing."""
        seen = await self._episode.exchange.observe()
        if seen is None:
            raise Ended
        if not seen.screenshot:
            raise Refused(
                f"a dialog or a list is open ({self._episode.session.asked or 'a list'}); answer it first"
            )
        kind = parameters.get("format", "png")
        picture = seen.screenshot
        if kind in ("jpeg", "webp"):
            buffer = io.BytesIO()
            Image.open(io.BytesIO(picture)).convert("RGB").save(buffer, kind)
            picture = buffer.getvalue()
        return {"data": base64.b64encode(picture).decode()}

    def _learned(self, view: View, method: str, result: Json) -> Json:
        if method == "Page.createIsolatedWorld":
            view.contexts.add(result["executionContextId"])
        if method == "Runtime.getProperties":  # they lead into the closures of functions, such as a probe's
            return {name: each for name, each in result.items() if name != "internalProperties"}
        return result

    def _forward(self, view: View, event: str, parameters: Json) -> None:
        """Pass an event on, unless it is of a context that is not the program's."""
        if event == "Runtime.executionContextCreated":
            context = parameters["context"]
            if context["name"].startswith(_WORLD):
                context = {**context, "name": context["name"].removeprefix(_WORLD)}
            elif not (context.get("auxData") or {}).get("isDefault"):
                return
            # Calls name a context by either.
            view.contexts |= {context["id"], context.get("uniqueId", context["id"])}
            view.unique[context["id"]] = context.get("uniqueId", "")
            parameters = {"context": context}
        elif event == "Runtime.executionContextDestroyed":
            if parameters["executionContextId"] not in view.contexts:
                return
            view.contexts -= {
                parameters["executionContextId"],
                view.unique.pop(parameters["executionContextId"], ""),
            }
        elif event == "Runtime.executionContextsCleared":
            view.contexts.clear()
            view.unique.clear()
        elif event in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            of = parameters.get("exceptionDetails", parameters).get("executionContextId")
            if of not in view.contexts:
                return
        self._event(event, rules.cleaned(event, parameters), view)

    # Targets

    async def _tell_of_tabs(self) -> None:
        async with self._looking:  # in order, and each tab once
            tabs = {tab.main: tab for tab in self._episode.session.front.tabs}
            for target, tab in tabs.items():
                info = self._episode.describe(tab)
                before = self._known.get(target)
                self._known[target] = info
                if self._discovering and before != info:
                    self._event(
                        f"Target.target{'InfoChanged' if before else 'Created'}", {"targetInfo": info}
                    )
                if self._attaching and not any(view.tab is tab for view in self._views.values()):
                    await self._attach(tab)
            for view in [view for view in self._views.values() if view.tab.main not in tabs]:
                await self._detach(view)
            for target in [target for target in self._known if target not in tabs]:
                del self._known[target]
                if self._discovering:
                    self._event("Target.targetDestroyed", {"targetId": target})

    async def _attach(self, tab: Tab) -> View | None:
        from playwright.async_api import Error

        if len(self._views) >= _MOST_SESSIONS:
            raise Refused(f"a connection has at most {_MOST_SESSIONS} sessions")
        try:
            cdp = await tab.page.context.new_cdp_session(tab.page)
            info = (await cdp.send("Target.getTargetInfo"))["targetInfo"]
        except Error:
            return None  # it has closed
        opener = {"openerId": info["openerId"]} if info.get("openerId") in self._known else {}
        view = View(secrets.token_hex(16), tab, cdp, {**self._episode.describe(tab), **opener})
        self._views[view.id] = view
        for event in rules.EVENTS:
            cdp.on(event, self._listener(view, event))
        self._event(
            "Target.attachedToTarget",
            {"sessionId": view.id, "targetInfo": view.info, "waitingForDebugger": False},
        )
        return view

    def _listener(self, view: View, event: str) -> Callable[[Json], None]:
        return lambda parameters: self._forward(view, event, parameters)

    async def _detach(self, view: View) -> None:
        from playwright.async_api import Error

        if self._views.pop(view.id, None) is not None:
            self._event("Target.detachedFromTarget", {"sessionId": view.id, "targetId": view.tab.main})
            with suppress(Error):
                await view.cdp.detach()

    def _tab(self, target: object) -> Tab:
        tab = next((tab for tab in self._episode.session.front.tabs if tab.main == target), None)
        if tab is None:
            raise Refused("No target with given id found", -32602)
        return tab

    async def _auto_attach(self, view: View | None, parameters: Json) -> Json:
        if view is None:  # frames and workers of a tab have no targets here
            self._attaching = parameters.get("autoAttach") is True
            await self._tell_of_tabs()
        return {}

    async def _discover(self, view: View | None, parameters: Json) -> Json:
        self._discovering = parameters.get("discover") is True
        self._known = {} if self._discovering else self._known
        await self._tell_of_tabs()
        return {}

    async def _targets(self, view: View | None, parameters: Json) -> Json:
        return {"targetInfos": [self._episode.describe(tab) for tab in self._episode.session.front.tabs]}

    async def _target(self, view: View | None, parameters: Json) -> Json:
        target = parameters.get("targetId", view.tab.main if view else _BROWSER)
        if target == _BROWSER:
            info = {"type": _BROWSER, "title": "", "url": "", "attached": True, "canAccessOpener": False}
            return {"targetInfo": {"targetId": _BROWSER, **info}}
        return {"targetInfo": self._episode.describe(self._tab(target))}

    async def _attach_to(self, view: View | None, parameters: Json) -> Json:
        if parameters.get("flatten") is not True:
            raise Refused("Target.attachToTarget needs flatten: true")
        async with self._looking:
            found = await self._attach(self._tab(parameters.get("targetId")))
        if found is None:
            raise Refused("No target with given id found", -32602)
        return {"sessionId": found.id}

    async def _detach_from(self, view: View | None, parameters: Json) -> Json:
        found = self._views.get(str(parameters.get("sessionId", view.id if view else "")))
        if found is None:
            raise Refused("No session with given id", -32602)
        await self._detach(found)
        return {}

    async def _hear_of_drags(self, view: View | None, parameters: Json) -> Json:
        if view is not None:
            view.drags = parameters.get("enabled") is True
        return {}

    async def _version(self, view: View | None, parameters: Json) -> Json:
        return await self._episode.version()

    async def _contexts(self, view: View | None, parameters: Json) -> Json:
        return {"browserContextIds": []}

    async def _window(self, view: View | None, parameters: Json) -> Json:
        width, height = self._episode.session.spec.screen
        bounds = {"left": 0, "top": 0, "width": width, "height": height, "windowState": "normal"}
        return {"windowId": 1, "bounds": bounds}

    async def _step_of_target(self, method: str, parameters: Json) -> Json:
        """Make a step of a call that names a tab by its target."""
        tab = self._tab(parameters.get("targetId"))
        view = next((view for view in self._views.values() if view.tab is tab), None)
        if view is None:
            raise Refused("attach to this target first")
        return await self._steps.make(view, method, {})


_OWN: dict[str, Callable[[Client, View | None, Json], Awaitable[Json]]] = {
    "Browser.getVersion": Client._version,
    "Browser.getWindowForTarget": Client._window,
    "Input.setInterceptDrags": Client._hear_of_drags,
    "Target.activateTarget": lambda client, _, given: client._step_of_target("Page.bringToFront", given),
    "Target.attachToTarget": Client._attach_to,
    "Target.closeTarget": lambda client, _, given: client._step_of_target("Page.close", given),
    "Target.detachFromTarget": Client._detach_from,
    "Target.getBrowserContexts": Client._contexts,
    "Target.getTargetInfo": Client._target,
    "Target.getTargets": Client._targets,
    "Target.setAutoAttach": Client._auto_attach,
    "Target.setDiscoverTargets": Client._discover,
}


def _read(text: str | bytes) -> tuple[int, str | None, str, Json]:
    """Return number, session, method and parameters of a message."""
    try:
        message = json.loads(text, parse_constant=_number, parse_float=_number)
    except (ValueError, RecursionError):
        raise Refused("Message must be a valid JSON", -32700) from None
    if not isinstance(message, dict):
        raise Refused("Message must be an object", -32600)
    number, session, method = message.get("id"), message.get("sessionId"), message.get("method")
    parameters = message.get("params") or {}
    if not isinstance(number, int) or isinstance(number, bool):
        raise Refused("Message must have integer 'id' property", -32600)
    if not isinstance(method, str) or not isinstance(parameters, dict) or not isinstance(session, str | None):
        raise Refused("Message must have 'method', and 'params' is an object", -32600)
    return number, session, method, parameters


def _allowed(view: View, method: str, given: Json) -> Json:
    """Return the parameters that are passed on; worlds and contexts are the program's own."""
    parameters = {name: value for name, value in given.items() if name in rules.PASSED[method]}
    for name in ("contextId", "uniqueContextId", "executionContextId"):
        context = parameters.get(name)
        if context is not None and (not isinstance(context, int | str) or context not in view.contexts):
            raise Refused(f"Cannot find context with specified id ({name} does not belong to this session)")
    if method == "Page.createIsolatedWorld" or parameters.get("worldName"):
        parameters["worldName"] = f"{_WORLD}{parameters.get('worldName', '')}"
    return parameters


def _check_clip(clip: object) -> None:
    """Refuse a picture that would take the browser's memory."""
    if isinstance(clip, dict):
        width, height, scale = (clip.get(name, 1) for name in ("width", "height", "scale"))
        numbers = all(isinstance(each, int | float) for each in (width, height, scale))
        if not numbers or not 0 < width * height * scale * scale <= _MOST_PIXELS:
            raise Refused(f"clip has at most {_MOST_PIXELS} pixels: width * height * scale * scale")


def _number(text: str) -> float:
    """Return a number that JSON can say again.

    Raises:
        ValueError: It cannot.
    """
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number
