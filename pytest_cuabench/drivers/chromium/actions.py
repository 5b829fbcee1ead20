"""Performs canonical actions on the page, on the browser's frame, or on an open dialog."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.chromium.interrupts import refusal, shortened
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Point
from pytest_cuabench.task.observation import ActionResult, Mark

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.input import Input
    from pytest_cuabench.drivers.chromium.session import Session
    from pytest_cuabench.drivers.chromium.window import Hands

_DONE = ActionResult()
_NAVIGATION = 15.0  # seconds until a requested page must start to arrive


class ActionExecutor:
    """Performs one action, with the marks of the last observation."""

    def __init__(
        self, session: Session, input: Input, marks: tuple[Mark, ...], hands: Hands | None = None
    ) -> None:
        self._session, self._input, self._marks, self._hands = session, input, marks, hands

    async def perform(self, action: Action) -> ActionResult:
        """Perform one action.

        Raises:
            ActionError: The action is not possible on this screen.
            EnvironmentFailure: The browser or the world failed.
        """
        action = self._at_mark(action)
        if isinstance(action, act.Wait):
            await self._session.interrupts.unless_interrupted(asyncio.sleep(action.seconds))
        elif isinstance(action, act.CursorPosition):
            return ActionResult(text=f"{self._input.cursor.x},{self._input.cursor.y}")
        elif self._session.overlay is not None:
            await self._on_dialog(action)
            if self._session.overlay is None:
                await self._session.interrupts.unless_interrupted(self._input.release_owed(self._tab))
        elif self._hands is None or not await self._by_hand(action, self._hands):
            if self._session.asked is not None:
                raise ActionError(f"{action.kind}: a dialog is open ({self._session.asked}); answer it first")
            await self._session.interrupts.unless_interrupted(self._on_page(action))
        return _DONE

    async def _by_hand(self, action: Action, hands: Hands) -> bool:
        """Carry out an action in the browser's window; False where the driver must."""
        if isinstance(action, act.FillElement):
            cursor = self._input.cursor
            for one in (
                act.Click(*cursor),
                act.Key(("ctrl", "a")),
                act.Key(("delete",)),
                act.Type(action.text),
            ):
                await hands.perform(self._session, self._input, one)
            return True
        return await hands.perform(self._session, self._input, action)

    # Marks are converted to points first.

    def _at_mark(self, action: Action) -> Action:
        if not isinstance(action, act.ClickElement | act.FillElement):
            return action
        mark = next((mark for mark in self._marks if mark.number == action.mark), None)
        if mark is None:
            available = (
                f"1 to {len(self._marks)}" if self._marks else "none; ask for an observation with marks"
            )
            raise ActionError(
                f"{action.kind}: mark {action.mark} is not on the last observation ({available})"
            )
        width, height = self._session.screen
        x, y = (
            min(max(0, place), most - 1) for place, most in zip(mark.box.middle, (width, height), strict=True)
        )
        if isinstance(action, act.ClickElement):
            return act.Click(x, y, button=action.button, count=action.count)
        self._input.cursor = Point(x, y)
        return action

    # On the page.

    async def _on_page(self, action: Action) -> None:
        keys = action.keys if isinstance(action, act.Key) else ()
        if keys and await self._accelerator(keys):
            return
        await self._handlers()[type(action)](action)

    def _handlers(self) -> dict[type[Action], Callable[[Any], Awaitable[None]]]:
        return {
            act.Move: lambda one: self._input.move(self._tab, Point(one.x, one.y)),
            act.Click: self._click,
            act.MouseDown: lambda one: self._input.press(self._tab, self._point(one), one.button, down=True),
            act.MouseUp: lambda one: self._input.press(self._tab, self._point(one), one.button, down=False),
            act.Drag: self._drag,
            act.Scroll: self._scroll,
            act.Key: lambda one: self._input.chord(self._tab, one.keys, one.repeat),
            act.KeyDown: lambda one: self._input.down(self._tab, one.key),
            act.KeyUp: lambda one: self._input.up(self._tab, one.key),
            act.HoldKey: lambda one: self._input.hold(self._tab, one.keys, one.seconds),
            act.Type: lambda one: self._input.type(self._tab, one.text),
            act.FillElement: self._fill,
            act.Navigate: self._navigate,
            act.Back: lambda _: self._history(-1),
            act.Forward: lambda _: self._history(1),
            act.SwitchTab: lambda one: self._switch(one.index),
            act.CloseTab: lambda one: self._close(one.index),
        }

    @property
    def _tab(self) -> Any:
        return self._session.active

    def _point(self, action: Action) -> Point:
        return next(iter(action.points()), self._input.cursor)

    async def _click(self, one: act.Click) -> None:
        tab = self._tab
        async with self._input.holding(tab, one.modifiers):
            await self._input.click(tab, self._point(one), one.button, one.count)

    async def _drag(self, one: act.Drag) -> None:
        tab = self._tab
        async with self._input.holding(tab, one.modifiers):
            await self._input.drag(tab, one.points(), one.button)

    async def _scroll(self, one: act.Scroll) -> None:
        tab = self._tab
        async with self._input.holding(tab, one.modifiers):
            await self._input.scroll(tab, self._point(one), one.dx, one.dy)

    async def _fill(self, one: act.FillElement) -> None:
        await self._input.click(self._tab, self._input.cursor, "left", 1)
        await self._input.chord(self._tab, ("ctrl", "a"))
        await self._input.chord(self._tab, ("delete",))
        await self._input.type(self._tab, one.text)

    # On the browser's frame.

    async def _navigate(self, one: act.Navigate) -> None:
        page = self._tab.page
        url = self._session.allowed.address(one.url, page.url)
        if url is None:
            raise ActionError(
                f"navigate: {shortened(one.url)} cannot be opened; only the application itself at "
                f"{self._session.allowed.origin} can be reached"
            )
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as Late

        try:
            await page.goto(url, wait_until="commit", timeout=_NAVIGATION * 1000)
        except Late:
            return  # it still loads; the screen shows the result
        except Error as error:
            error_text = refusal(str(error))
            if error_text is not None and not page.is_closed():
                raise ActionError(f"navigate: {shortened(one.url)} cannot be opened: {error_text}") from None

    async def _history(self, step: int) -> None:
        if not await self._tab.history(step):
            raise ActionError(f"{'back' if step < 0 else 'forward'}: there is no page to go to")

    async def _switch(self, index: int) -> None:
        await self._session.activate(self._session.tabs[self._index("switch_tab", index)])

    async def _close(self, index: int | None) -> None:
        tabs = self._session.tabs
        tab = self._tab if index is None else tabs[self._index("close_tab", index)]
        if len(tabs) == 1:
            raise ActionError("close_tab: the last tab cannot be closed")
        await tab.page.close(run_before_unload=False)

    def _index(self, kind: str, index: int) -> int:
        count = len(self._session.tabs)
        if not 0 <= index < count:
            raise ActionError(f"{kind}: there is no tab {index}; the open tabs are 0 to {count - 1}")
        return index

    async def _accelerator(self, keys: tuple[str, ...]) -> bool:
        """Do what the browser's own frame does on a chord; False when the chord is the page's."""
        frame: dict[tuple[str, ...], Callable[[], Awaitable[Any]]] = {
            ("alt", "left"): lambda: self._tab.history(-1),
            ("alt", "right"): lambda: self._tab.history(1),
            ("ctrl", "tab"): lambda: self._switch_by(1),
            ("ctrl", "pagedown"): lambda: self._switch_by(1),
            ("ctrl", "shift", "tab"): lambda: self._switch_by(-1),
            ("ctrl", "pageup"): lambda: self._switch_by(-1),
            ("ctrl", "w"): self._close_unless_last,
            **dict.fromkeys([("f5",), ("ctrl", "r"), ("ctrl", "f5"), ("ctrl", "shift", "r")], self._reload),
        }
        if len(keys) == 2 and keys[0] == "ctrl" and keys[1] in "123456789":
            await self._switch_to(int(keys[1]))
        elif keys in frame:
            await frame[keys]()
        else:
            return False
        return True

    async def _switch_by(self, step: int) -> None:
        tabs = self._session.tabs
        await self._session.activate(tabs[(tabs.index(self._tab) + step) % len(tabs)])

    async def _switch_to(self, number: int) -> None:
        tabs = self._session.tabs
        if number == 9 or number <= len(tabs):
            await self._session.activate(tabs[-1 if number == 9 else number - 1])

    async def _close_unless_last(self) -> None:
        if len(self._session.tabs) > 1:
            await self._tab.page.close(run_before_unload=False)

    async def _reload(self) -> None:
        self._tab.will_load()
        await self._tab.cdp.send("Page.reload")

    # On the dialog.

    async def _on_dialog(self, action: Action) -> None:
        dialog = self._session.overlay
        assert dialog is not None
        outcome = None
        if isinstance(action, act.Navigate | act.Back | act.Forward | act.SwitchTab | act.CloseTab):
            raise ActionError(f"{action.kind}: a dialog is open ({dialog.title}); answer it first")
        if action.points() or isinstance(action, act.Click):
            self._input.cursor = self._point(action)
        if isinstance(action, act.Click) and action.button == "left":
            outcome = dialog.click(
                self._input.cursor, action.count, "ctrl" in action.modifiers or self._input.holds("ctrl")
            )
        elif isinstance(action, act.Key | act.HoldKey):
            outcome = self._keys_on_dialog(action.keys, getattr(action, "repeat", 1))
        elif isinstance(action, act.KeyDown):
            outcome = dialog.key((action.key,))
        elif isinstance(action, act.KeyUp | act.MouseUp):
            self._input.owe(action)
        elif isinstance(action, act.Type):
            outcome = dialog.type(action.text)
        elif isinstance(action, act.FillElement):
            dialog.click(self._input.cursor)
            dialog.key(("ctrl", "a"))
            outcome = dialog.type(action.text)
        elif isinstance(action, act.Scroll):
            dialog.scroll(action.dy)
        if outcome is not None:
            await self._session.dialogs.answer(outcome)

    def _keys_on_dialog(self, keys: tuple[str, ...], repeat: int) -> Any:
        dialog = self._session.overlay
        assert dialog is not None
        for _ in range(repeat):
            outcome = dialog.key(keys)
            if outcome is not None:
                return outcome
        return None
