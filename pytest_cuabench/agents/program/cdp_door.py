"""The door by the Chrome DevTools Protocol: the tabs of the episode's browser, for programs such as Playwright's.

A program gets a protocol session of its own for each tab, and no other. Its input and navigation become steps; what it
looks at is free, and waits until its last step was carried out. What is offered is in `cdp_rules`; the origin policy
is enforced by the judge's own browser session, as for every agent. Needs the extra `cdp`.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PIL import Image
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.program import cdp_rules as rules
from pytest_cuabench.agents.program.cdp_input import Gathering
from pytest_cuabench.agents.program.exchange import Exchange, TooManyCalls
from pytest_cuabench.drivers.chromium.interrupts import NoTab
from pytest_cuabench.errors import ActionError, EnvironmentFailure
from pytest_cuabench.task.action import Action, Back, CloseTab, Forward, Key, Navigate, SwitchTab, Type
from pytest_cuabench.task.usage import Usage

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

    from pytest_cuabench.drivers.chromium.session import Session
    from pytest_cuabench.drivers.chromium.tab import Tab

PATH = "/cdp"
MOST_FRAME = 4_000_000  # bytes of one message; Playwright's own scripts have 300,000
_MOST_CLIENTS = 8  # connections at the same time
_MOST_WAITING = 256  # calls of a connection that are not answered yet
_MOST_UNREAD = 20_000  # messages that a program has not read yet
_MOST_SESSIONS = 64  # of a connection
_BURST = 0.03  # seconds in which the second press of a double click follows
_QUIET = 0.25  # seconds without input after which what is gathered is carried out
_MOST_NOTED, _NOTED = 20, 300  # scripts of a step in the record, and characters of each
_WORLD = "program:"  # begins the names of the worlds that programs make
_CONTEXT = "episode"
_BROWSER = "browser"
_DRAGGED = {"items": [], "dragOperationsMask": 1}

_Json = dict[str, Any]
_CALL = asyncio.Future[_Json]


class _Refused(Exception):
    """A call that is answered with an error."""

    def __init__(self, message: str, code: int = -32000) -> None:
        super().__init__(message)
        self.code = code


class _Ended(Exception):
    """The episode has ended."""


@dataclass
class CdpDoor:
    """The door of one episode.

    Attributes:
        address: The WebSocket's address, as programs reach it.
        scripts: Scripts that programs had evaluated so far.
    """

    exchange: Exchange
    session: Session
    address: str
    scripts: int = 0
    noted: list[str] = field(default_factory=list)  # since the last step
    alone: asyncio.Lock = field(default_factory=asyncio.Lock)  # a step, or a picture
    clients: set[_Client] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.session.changed = self._changed

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the protocol."""
        return [
            WebSocketRoute(PATH, self._connected),
            *(Route(f"{PATH}/json{path}", self._version) for path in ("/version", "/version/")),
            *(Route(f"{PATH}/json{path}", self._list) for path in ("", "/", "/list", "/list/")),
        ]

    async def _version(self, _: Request) -> Response:
        version = await self.version()
        return JSONResponse(
            {
                "Browser": version["product"],
                "Protocol-Version": version["protocolVersion"],
                "User-Agent": version["userAgent"],
                "webSocketDebuggerUrl": self.address,
            }
        )

    async def _list(self, _: Request) -> Response:
        found = [self.describe(tab) for tab in self.session.tabs]
        return JSONResponse(
            [
                {
                    "id": info["targetId"],
                    "type": "page",
                    "title": info["title"],
                    "url": info["url"],
                    "webSocketDebuggerUrl": self.address,
                }
                for info in found
            ]
        )

    async def version(self) -> _Json:
        """Return the browser's version."""
        browser = self.session.tabs[0].page.context.browser if self.session.tabs else None
        version = browser.version if browser else "0"
        return {
            "protocolVersion": "1.3",
            "product": f"HeadlessChrome/{version}",
            "revision": "",
            "userAgent": f"Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/{version}",
            "jsVersion": "",
        }

    def describe(self, tab: Tab) -> _Json:
        """Return what the protocol says of a tab."""
        return {
            "targetId": tab.main,
            "type": "page",
            "title": tab.title,
            "url": tab.page.url,
            "attached": True,
            "canAccessOpener": False,
            "browserContextId": _CONTEXT,
        }

    def note(self, method: str, parameters: _Json) -> None:
        """Count a script, and keep its beginning for the record."""
        self.scripts += 1
        if len(self.noted) < _MOST_NOTED:
            called = [
                each.get("value") for each in parameters.get("arguments") or () if isinstance(each, dict)
            ]
            own = [parameters.get(name) for name in ("expression", "functionDeclaration", "source")]
            # Playwright's own function evaluates a text, which is the longest of its arguments.
            given = [each for each in called if isinstance(each, str)] or [each for each in own if each]
            text = max(map(str, given), key=len, default="") or method
            self.noted.append(" ".join(text[: 4 * _NOTED].split())[:_NOTED])

    async def decide(self, actions: Sequence[Action]) -> None:
        """Make a step of actions.

        Raises:
            _Ended: The episode has ended.
            _Refused: An action could not be carried out.
        """
        noted, self.noted = self.noted, []
        decision = Decision(tuple(actions), usage=Usage(cost=None), raw={"scripts": noted} if noted else None)
        async with self.alone:
            try:
                seen = await self.exchange.act(decision)
            except TooManyCalls:
                raise _Refused("wait for the answer to a step before sending the next one") from None
        if seen is None:
            raise _Ended
        if error := next((each.error for each in seen.results if each.error), None):
            raise _Refused(error)

    def _changed(self) -> None:
        for client in self.clients:
            client.look_for_tabs()

    async def _connected(self, socket: WebSocket) -> None:
        await socket.accept()
        if len(self.clients) >= _MOST_CLIENTS:
            await socket.close(1013, f"an episode has at most {_MOST_CLIENTS} connections")
            return
        client = _Client(self, socket)
        self.clients.add(client)
        try:
            await client.serve()
        finally:
            self.clients.discard(client)


@dataclass(eq=False)
class _View:
    """A program's session of one tab.

    Attributes:
        contexts: Ids and unique ids of the script contexts that the program knows.
        drags: Whether the program wants to hear of drags, to continue them by events of its own.
    """

    id: str
    tab: Tab
    cdp: CDPSession
    info: _Json
    contexts: set[int | str] = field(default_factory=set)
    unique: dict[int, str] = field(default_factory=dict)
    drags: bool = False


@dataclass
class _Work:
    """What a connection's worker does next: input to gather, or a step after all input before it."""

    answer: _CALL
    view: _View | None = None
    method: str = ""
    parameters: _Json = field(default_factory=dict)
    step: Callable[[], Awaitable[_Json]] | None = None


class _Client:
    """One connection of a program."""

    def __init__(self, door: CdpDoor, socket: WebSocket) -> None:
        self._door, self._socket = door, socket
        self._views: dict[str, _View] = {}
        self._known: dict[str, _Json] = {}  # targets that the program was told of
        self._attaching = self._discovering = False
        self._sent: asyncio.Queue[str] = asyncio.Queue(_MOST_UNREAD)
        self._work: asyncio.Queue[_Work] = asyncio.Queue()
        self._working = False
        self._waiting = asyncio.Semaphore(_MOST_WAITING)
        self._gathering = Gathering()
        self._gathered: _View | None = None
        self._answers: list[_CALL] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._looking = asyncio.Lock()
        self._reason = (1000, "the connection is over")
        self._over = asyncio.Event()

    async def serve(self) -> None:
        """Answer until the program leaves or the episode ends."""
        serving = [
            asyncio.create_task(each)
            for each in (self._receive(), self._send(), self._perform(), self._over.wait(), self._until_end())
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
                await self._waiting.acquire()
                self._spawn(
                    self._answer(message.get("text") or message.get("bytes") or "")
                ).add_done_callback(lambda _: self._waiting.release())

    async def _send(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._socket.send_text(await self._sent.get())

    async def _until_end(self) -> None:
        await self._door.exchange.ended.wait()
        self._reason = (1000, "the episode has ended")

    def _put(self, message: _Json) -> None:
        try:
            self._sent.put_nowait(json.dumps(message))
        except asyncio.QueueFull:
            self._reason = (1008, "the program does not read what it asked for")
            self._over.set()

    def _event(self, method: str, parameters: _Json, view: _View | None = None) -> None:
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
            answer: _Json = {"result": await self._call(session, method, parameters)}
        except _Ended:
            return  # the connection ends with the episode
        except (_Refused, ActionError, EnvironmentFailure, NoTab) as error:
            answer = {"error": {"code": getattr(error, "code", -32000), "message": str(error)}}
        self._put({"id": number, **answer, **({"sessionId": session} if session else {})})

    async def _call(self, session: str | None, method: str, parameters: _Json) -> _Json:
        view = self._views.get(session) if session is not None else None
        if session is not None and view is None:
            raise _Refused("Session with given id not found.", -32001)
        if method in rules.ACCEPTED:
            return {}
        if (own := _OWN.get(method)) is not None:
            return await own(self, view, parameters)
        if view is not None:
            if method in rules.INPUT:
                return await self._asked(_Work(_future(), view, method, parameters))
            if (make := _STEPS.get(method)) is not None:
                found = view
                return await self._asked(_Work(_future(), step=lambda: make(self, found, parameters)))
            if method in rules.PASSED:
                return await self._pass(view, method, parameters)
        elif method in rules.PASSED or method in rules.INPUT or method in _STEPS:
            raise _Refused(f"{method} needs the sessionId of a tab; see Target.attachToTarget")
        raise _Refused(rules.refusal(method), -32601)

    # Looking

    async def _pass(self, view: _View, method: str, parameters: _Json) -> _Json:
        """Pass a call on to the browser, once the steps before are carried out."""
        parameters = _allowed(view, method, parameters)
        if self._working or self._answers or self._gathering.waiting or not self._work.empty():
            await self._asked(_Work(_future()))
        await self._turn()
        if method in rules.SCRIPTS:
            self._door.note(method, parameters)
        if method != "Page.captureScreenshot":
            return self._learned(view, method, await _sent(view, method, parameters))
        if (self._door.session.asked) is not None:
            return await self._picture_with_dialog(parameters)
        async with self._door.alone:
            return await _sent(view, method, parameters)

    async def _turn(self) -> None:
        """Wait until the episode waits for the program."""
        if await self._door.exchange.observe() is None:
            raise _Ended

    async def _picture_with_dialog(self, parameters: _Json) -> _Json:
        """Return the screen as the judge sees it: while a dialog is open, a page answers nothing."""
        seen = await self._door.exchange.observe()
        if seen is None:
            raise _Ended
        if not seen.screenshot:
            raise _Refused(f"a dialog is open ({self._door.session.asked}); answer it first")
        kind = parameters.get("format", "png")
        picture = seen.screenshot
        if kind in ("jpeg", "webp"):
            buffer = io.BytesIO()
            Image.open(io.BytesIO(picture)).convert("RGB").save(buffer, kind)
            picture = buffer.getvalue()
        return {"data": base64.b64encode(picture).decode()}

    def _learned(self, view: _View, method: str, result: _Json) -> _Json:
        if method == "Page.createIsolatedWorld":
            view.contexts.add(result["executionContextId"])
        return result

    def _forward(self, view: _View, event: str, parameters: _Json) -> None:
        """Pass an event on, unless it is of a context that is not the program's."""
        if event == "Runtime.executionContextCreated":
            context = parameters["context"]
            if context["name"].startswith(_WORLD):
                context = {**context, "name": context["name"].removeprefix(_WORLD)}
            elif not (context.get("auxData") or {}).get("isDefault"):
                return
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

    # Steps

    async def _asked(self, work: _Work) -> _Json:
        self._work.put_nowait(work)
        return await work.answer

    async def _perform(self) -> None:
        """Gather input and carry out steps, one after the other."""
        while True:
            patience = _BURST if self._answers else _QUIET if self._gathering.waiting else None
            try:
                async with asyncio.timeout(patience):
                    work = await self._work.get()
            except TimeoutError:
                work = _Work(_future())
            self._working = True
            try:
                await self._do(work)
            except _Ended as ended:
                _fail(work.answer, ended)
                await asyncio.Event().wait()  # the connection ends with the episode
            finally:
                self._working = False

    async def _do(self, work: _Work) -> None:
        if work.view is None or (work.view is not self._gathered and self._gathering.waiting):
            await self._carry_out()
        if work.view is not None:
            self._gathered = work.view
            try:
                self._gathering.take(work.method, work.parameters)
            except ActionError as error:
                _fail(work.answer, error)
                return
            if self._gathering.complete:
                self._answers.append(work.answer)
            else:
                _done(work.answer, {})
            return
        try:
            _done(work.answer, await work.step() if work.step else {})
        except (_Refused, ActionError, EnvironmentFailure, NoTab) as error:
            _fail(work.answer, error)

    async def _carry_out(self) -> None:
        """Make a step of the input so far, and answer the calls that wait for it."""
        answers, self._answers = self._answers, []
        view = self._gathered
        actions = self._gathering.taken()
        try:
            if actions and view is not None:
                await self._door.decide([*self._in_front(view), *actions])
                if view.drags:  # the driver carries the drag itself; a program that began none ignores this
                    self._event("Input.dragIntercepted", {"data": _DRAGGED}, view)
        except (_Refused, ActionError, EnvironmentFailure, NoTab, _Ended) as error:
            for answer in answers:
                _fail(answer, error)
            if isinstance(error, _Ended):
                raise
        for answer in answers:
            _done(answer, {})

    def _in_front(self, view: _View) -> Iterator[Action]:
        """Yield the action that brings a tab to the front, unless it is there."""
        index = self._index(view)
        if self._door.session.active is not view.tab:
            yield SwitchTab(index)

    def _index(self, view: _View) -> int:
        try:
            return self._door.session.tabs.index(view.tab)
        except ValueError:
            raise _Refused("this tab is closed") from None

    async def _navigate(self, view: _View, parameters: _Json) -> _Json:
        url = parameters.get("url")
        if not isinstance(url, str) or parameters.get("frameId", view.tab.main) != view.tab.main:
            raise _Refused(
                "Page.navigate opens an address in the whole tab; give url, and no frameId of a frame"
            )
        before = await self._frame(view)
        await self._door.decide([*self._in_front(view), Navigate(url)])
        frame = await self._frame(view)
        loader = {} if frame["loaderId"] == before["loaderId"] else {"loaderId": frame["loaderId"]}
        return {"frameId": frame["id"], **loader}

    async def _frame(self, view: _View) -> _Json:
        frame: _Json = (await _sent(view, "Page.getFrameTree", {}))["frameTree"]["frame"]
        return frame

    async def _reload(self, view: _View, parameters: _Json) -> _Json:
        await self._door.decide([*self._in_front(view), Key(("f5",))])
        return {}

    async def _history(self, view: _View, parameters: _Json) -> _Json:
        history = await _sent(view, "Page.getNavigationHistory", {})
        ids = [entry["id"] for entry in history["entries"]]
        if parameters.get("entryId") not in ids:
            raise _Refused("No entry with passed id")
        way = ids.index(parameters["entryId"]) - history["currentIndex"]
        if abs(way) > len(ids) or not way:
            return {}
        steps: list[Action] = [Back() if way < 0 else Forward()] * abs(way)
        await self._door.decide([*self._in_front(view), *steps])
        return {}

    async def _to_front(self, view: _View, parameters: _Json) -> _Json:
        if steps := list(self._in_front(view)):
            await self._door.decide(steps)
        return {}

    async def _close(self, view: _View, parameters: _Json) -> _Json:
        await self._door.decide([CloseTab(self._index(view))])
        return {"success": True}

    async def _answer_dialog(self, view: _View, parameters: _Json) -> _Json:
        if self._door.session.asked is None:
            raise _Refused("No dialog is showing")
        steps: list[Action] = [Key(("escape",))]
        if parameters.get("accept"):
            text = parameters.get("promptText")
            typed = [Key(("ctrl", "a")), Type(text)] if isinstance(text, str) and text else []
            steps = [*typed, Key(("enter",))]
        await self._door.decide(steps)
        return {}

    # Targets

    async def _tell_of_tabs(self) -> None:
        async with self._looking:  # in order, and each tab once
            tabs = {tab.main: tab for tab in self._door.session.tabs}
            for target, tab in tabs.items():
                info = self._door.describe(tab)
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

    async def _attach(self, tab: Tab) -> _View | None:
        from playwright.async_api import Error

        if len(self._views) >= _MOST_SESSIONS:
            raise _Refused(f"a connection has at most {_MOST_SESSIONS} sessions")
        try:
            cdp = await tab.page.context.new_cdp_session(tab.page)
            info = (await cdp.send("Target.getTargetInfo"))["targetInfo"]
        except Error:
            return None  # it has closed
        opener = {"openerId": info["openerId"]} if info.get("openerId") in self._known else {}
        view = _View(secrets.token_hex(16), tab, cdp, {**self._door.describe(tab), **opener})
        self._views[view.id] = view
        for event in rules.EVENTS:
            cdp.on(event, self._listener(view, event))
        self._event(
            "Target.attachedToTarget",
            {"sessionId": view.id, "targetInfo": view.info, "waitingForDebugger": False},
        )
        return view

    def _listener(self, view: _View, event: str) -> Callable[[_Json], None]:
        return lambda parameters: self._forward(view, event, parameters)

    async def _detach(self, view: _View) -> None:
        from playwright.async_api import Error

        if self._views.pop(view.id, None) is not None:
            self._event("Target.detachedFromTarget", {"sessionId": view.id, "targetId": view.tab.main})
            with suppress(Error):
                await view.cdp.detach()

    def _tab(self, target: object) -> Tab:
        tab = next((tab for tab in self._door.session.tabs if tab.main == target), None)
        if tab is None:
            raise _Refused("No target with given id found", -32602)
        return tab

    async def _auto_attach(self, view: _View | None, parameters: _Json) -> _Json:
        if view is None:  # frames and workers of a tab have no targets here
            self._attaching = parameters.get("autoAttach") is True
            await self._tell_of_tabs()
        return {}

    async def _discover(self, view: _View | None, parameters: _Json) -> _Json:
        self._discovering = parameters.get("discover") is True
        self._known = {} if self._discovering else self._known
        await self._tell_of_tabs()
        return {}

    async def _targets(self, view: _View | None, parameters: _Json) -> _Json:
        return {"targetInfos": [self._door.describe(tab) for tab in self._door.session.tabs]}

    async def _target(self, view: _View | None, parameters: _Json) -> _Json:
        target = parameters.get("targetId", view.tab.main if view else _BROWSER)
        if target == _BROWSER:
            info = {"type": _BROWSER, "title": "", "url": "", "attached": True, "canAccessOpener": False}
            return {"targetInfo": {"targetId": _BROWSER, **info}}
        return {"targetInfo": self._door.describe(self._tab(target))}

    async def _attach_to(self, view: _View | None, parameters: _Json) -> _Json:
        if parameters.get("flatten") is not True:
            raise _Refused("Target.attachToTarget needs flatten: true")
        async with self._looking:
            found = await self._attach(self._tab(parameters.get("targetId")))
        if found is None:
            raise _Refused("No target with given id found", -32602)
        return {"sessionId": found.id}

    async def _detach_from(self, view: _View | None, parameters: _Json) -> _Json:
        found = self._views.get(str(parameters.get("sessionId", view.id if view else "")))
        if found is None:
            raise _Refused("No session with given id", -32602)
        await self._detach(found)
        return {}

    async def _hear_of_drags(self, view: _View | None, parameters: _Json) -> _Json:
        if view is not None:
            view.drags = parameters.get("enabled") is True
        return {}

    async def _version(self, view: _View | None, parameters: _Json) -> _Json:
        return await self._door.version()

    async def _contexts(self, view: _View | None, parameters: _Json) -> _Json:
        return {"browserContextIds": []}

    async def _window(self, view: _View | None, parameters: _Json) -> _Json:
        width, height = self._door.session.screen
        bounds = {"left": 0, "top": 0, "width": width, "height": height, "windowState": "normal"}
        return {"windowId": 1, "bounds": bounds}


async def _step_of_target(client: _Client, parameters: _Json, name: str) -> _Json:
    """Make a step of a call that names a tab by its target."""
    tab = client._tab(parameters.get("targetId"))
    view = next((view for view in client._views.values() if view.tab is tab), None)
    if view is None:
        raise _Refused("attach to this target first")
    found = view
    return await client._asked(_Work(_future(), step=lambda: _STEPS[name](client, found, {})))


_STEPS: dict[str, Callable[[_Client, _View, _Json], Awaitable[_Json]]] = {
    "Page.navigate": _Client._navigate,
    "Page.reload": _Client._reload,
    "Page.navigateToHistoryEntry": _Client._history,
    "Page.bringToFront": _Client._to_front,
    "Page.close": _Client._close,
    "Page.handleJavaScriptDialog": _Client._answer_dialog,
}
_OWN: dict[str, Callable[[_Client, _View | None, _Json], Awaitable[_Json]]] = {
    "Browser.getVersion": _Client._version,
    "Browser.getWindowForTarget": _Client._window,
    "Input.setInterceptDrags": _Client._hear_of_drags,
    "Target.activateTarget": lambda client, _, given: _step_of_target(client, given, "Page.bringToFront"),
    "Target.attachToTarget": _Client._attach_to,
    "Target.closeTarget": lambda client, _, given: _step_of_target(client, given, "Page.close"),
    "Target.detachFromTarget": _Client._detach_from,
    "Target.getBrowserContexts": _Client._contexts,
    "Target.getTargetInfo": _Client._target,
    "Target.getTargets": _Client._targets,
    "Target.setAutoAttach": _Client._auto_attach,
    "Target.setDiscoverTargets": _Client._discover,
}


def _read(text: str | bytes) -> tuple[int, str | None, str, _Json]:
    """Return number, session, method and parameters of a message."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise _Refused("Message must be a valid JSON", -32700) from None
    if not isinstance(message, dict):
        raise _Refused("Message must be an object", -32600)
    number, session, method = message.get("id"), message.get("sessionId"), message.get("method")
    parameters = message.get("params") or {}
    if not isinstance(number, int) or isinstance(number, bool):
        raise _Refused("Message must have integer 'id' property", -32600)
    if not isinstance(method, str) or not isinstance(parameters, dict) or not isinstance(session, str | None):
        raise _Refused("Message must have 'method', and 'params' is an object", -32600)
    return number, session, method, parameters


def _allowed(view: _View, method: str, given: _Json) -> _Json:
    """Return the parameters that are passed on; worlds and contexts are the program's own."""
    parameters = {name: value for name, value in given.items() if name in rules.PASSED[method]}
    for name in ("contextId", "uniqueContextId", "executionContextId"):
        context = parameters.get(name)
        if context is not None and (not isinstance(context, int | str) or context not in view.contexts):
            raise _Refused(f"Cannot find context with specified id ({name} is none of this session's)")
    if method == "Page.createIsolatedWorld" or parameters.get("worldName"):
        parameters["worldName"] = f"{_WORLD}{parameters.get('worldName', '')}"
    return parameters


async def _sent(view: _View, method: str, parameters: _Json) -> _Json:
    from playwright.async_api import Error

    try:
        answer: _Json = await view.cdp.send(method, parameters)
    except Error as error:
        words = error.message.partition(f"Protocol error ({method}): ")[2] or error.message
        raise _Refused(words.partition("\n")[0]) from None
    return answer or {}


def _future() -> _CALL:
    return asyncio.get_running_loop().create_future()


def _done(answer: _CALL, result: _Json) -> None:
    if not answer.done():
        answer.set_result(result)


def _fail(answer: _CALL, error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
        answer.exception()  # nobody may wait for it any more
