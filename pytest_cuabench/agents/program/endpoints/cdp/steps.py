"""Input and navigation of one connection, carried out as steps of its episode, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_cuabench.agents.program.endpoints.cdp.episode import CdpEpisode, Ended, Json, Refused
from pytest_cuabench.agents.program.endpoints.cdp.input import Gathering
from pytest_cuabench.drivers.chromium.session.interrupts import NoTab
from pytest_cuabench.errors import ActionError, EnvironmentFailure
from pytest_cuabench.task.action import Action, Back, CloseTab, Forward, Key, Navigate, SwitchTab, Type

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

    from pytest_cuabench.drivers.chromium.session.tab import Tab

_BURST = 0.03  # seconds in which the second press of a double click follows
_QUIET = 0.25  # seconds without input after which what is gathered is carried out
_DRAGGED = {"items": [], "dragOperationsMask": 1}

_Answer = asyncio.Future[Json]


@dataclass(eq=False)
class View:
    """A program's session of one tab.

    Attributes:
        contexts: Ids and unique ids of the script contexts that the program knows.
        drags: Whether the program wants to hear of drags, to continue them by events of its own.
    """

    id: str
    tab: Tab
    cdp: CDPSession
    info: Json
    contexts: set[int | str] = field(default_factory=set)
    unique: dict[int, str] = field(default_factory=dict)
    drags: bool = False


async def sent(view: View, method: str, parameters: Json) -> Json:
    from playwright.async_api import Error

    try:
        answer: Json = await view.cdp.send(method, parameters)
    except Error as error:
        words = error.message.partition(f"Protocol error ({method}): ")[2] or error.message
        raise Refused(words.partition("\n")[0]) from None
    except (RecursionError, TypeError, ValueError):
        raise Refused(f"{method}: the parameters cannot be sent to the browser") from None
    return answer or {}


REFUSALS = (Refused, ActionError, EnvironmentFailure, NoTab)  # what a call is answered with


@dataclass
class _Work:
    """What a connection's worker does next: input to gather, or a step after all input before it."""

    answer: _Answer
    view: View | None = None
    method: str = ""
    parameters: Json = field(default_factory=dict)
    step: Callable[[], Awaitable[Json]] | None = None


class Steps:
    """The worker of one connection.

    Args:
        tell: Sends an event to the program.
    """

    def __init__(self, episode: CdpEpisode, tell: Callable[[str, Json, View], None]) -> None:
        self._episode, self._tell = episode, tell
        self._work: asyncio.Queue[_Work] = asyncio.Queue()
        self._working = False
        self._gathering = Gathering()
        self._gathered: View | None = None
        self._answers: list[_Answer] = []

    async def input(self, view: View, method: str, parameters: Json) -> Json:
        """Gather an event; the answer comes at once, or when it is carried out."""
        return await self._asked(_Work(_future(), view, method, parameters))

    async def make(self, view: View, method: str, parameters: Json) -> Json:
        """Make the step of a call in `STEPS`, after all input before it."""
        return await self._asked(_Work(_future(), step=lambda: STEPS[method](self, view, parameters)))

    async def over(self) -> None:
        """Wait until all input so far is carried out."""
        if self._working or self._answers or self._gathering.waiting or not self._work.empty():
            await self._asked(_Work(_future()))

    async def _asked(self, work: _Work) -> Json:
        self._work.put_nowait(work)
        return await work.answer

    async def perform(self) -> None:
        """Gather input and carry out steps, one after the other."""
        while True:
            # A call that waits for its answer waits no longer than the second press of a double click needs.
            patience = _BURST if self._answers else _QUIET if self._gathering.waiting else None
            try:
                async with asyncio.timeout(patience):
                    work = await self._work.get()
            except TimeoutError:
                work = _Work(_future())
            self._working = True
            try:
                await self._do(work)
            except Ended as ended:
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
        except REFUSALS as error:
            _fail(work.answer, error)

    async def _carry_out(self) -> None:
        """Make a step of the input so far, and answer the calls that wait for it."""
        answers, self._answers = self._answers, []
        view = self._gathered
        actions = self._gathering.taken()
        try:
            if actions and view is not None:
                await self._episode.decide([*self._in_front(view), *actions])
                if view.drags:  # the driver carries the drag itself; a program that began none ignores this
                    self._tell("Input.dragIntercepted", {"data": _DRAGGED}, view)
        except (*REFUSALS, Ended) as error:
            for answer in answers:
                _fail(answer, error)
            if isinstance(error, Ended):
                raise
        for answer in answers:
            _done(answer, {})

    def _in_front(self, view: View) -> Iterator[Action]:
        """Yield the action that brings a tab to the front, unless it is there."""
        index = self._index(view)
        if self._episode.session.active is not view.tab:
            yield SwitchTab(index)

    def _index(self, view: View) -> int:
        try:
            return self._episode.session.front.tabs.index(view.tab)
        except ValueError:
            raise Refused("this tab is closed") from None

    async def _navigate(self, view: View, parameters: Json) -> Json:
        url = parameters.get("url")
        if not isinstance(url, str) or parameters.get("frameId", view.tab.main) != view.tab.main:
            raise Refused(
                "Page.navigate opens an address in the whole tab; give url, and no frameId of a frame"
            )
        before = await self._frame(view)
        await self._episode.decide([*self._in_front(view), Navigate(url)])
        frame = await self._frame(view)
        # As in Chrome, a navigation within the document has no loader.
        loader = {} if frame["loaderId"] == before["loaderId"] else {"loaderId": frame["loaderId"]}
        return {"frameId": frame["id"], **loader}

    async def _frame(self, view: View) -> Json:
        frame: Json = (await sent(view, "Page.getFrameTree", {}))["frameTree"]["frame"]
        return frame

    async def _reload(self, view: View, parameters: Json) -> Json:
        await self._episode.decide([*self._in_front(view), Key(("f5",))])
        return {}

    async def _history(self, view: View, parameters: Json) -> Json:
        history = await sent(view, "Page.getNavigationHistory", {})
        ids = [entry["id"] for entry in history["entries"]]
        if parameters.get("entryId") not in ids:
            raise Refused("No entry with passed id")
        way = ids.index(parameters["entryId"]) - history["currentIndex"]
        if abs(way) > len(ids) or not way:
            return {}
        steps: list[Action] = [Back() if way < 0 else Forward()] * abs(way)
        await self._episode.decide([*self._in_front(view), *steps])
        return {}

    async def _to_front(self, view: View, parameters: Json) -> Json:
        if steps := list(self._in_front(view)):
            await self._episode.decide(steps)
        return {}

    async def _close(self, view: View, parameters: Json) -> Json:
        await self._episode.decide([CloseTab(self._index(view))])
        return {"success": True}

    async def _answer_dialog(self, view: View, parameters: Json) -> Json:
        if self._episode.session.asked is None:
            raise Refused("No dialog is showing")
        steps: list[Action] = [Key(("escape",))]
        if parameters.get("accept"):
            text = parameters.get("promptText")
            typed = [Key(("ctrl", "a")), Type(text)] if isinstance(text, str) and text else []
            steps = [*typed, Key(("enter",))]
        await self._episode.decide(steps)
        return {}


STEPS: dict[str, Callable[[Steps, View, Json], Awaitable[Json]]] = {
    "Page.navigate": Steps._navigate,
    "Page.reload": Steps._reload,
    "Page.navigateToHistoryEntry": Steps._history,
    "Page.bringToFront": Steps._to_front,
    "Page.close": Steps._close,
    "Page.handleJavaScriptDialog": Steps._answer_dialog,
}


def _future() -> _Answer:
    return asyncio.get_running_loop().create_future()


def _done(answer: _Answer, result: Json) -> None:
    if not answer.done():
        answer.set_result(result)


def _fail(answer: _Answer, error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
        answer.exception()  # nobody may wait for it any more
