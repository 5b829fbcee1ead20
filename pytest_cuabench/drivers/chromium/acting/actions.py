"""Performs canonical actions on the page, on the browser's frame, or on an open dialog."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.chromium.acting.kept import keeping
from pytest_cuabench.drivers.chromium.native.parts import (
    COMMANDS,
    FORWARD,
    RELOAD,
    RESERVED,
    chord_of,
    notice,
    part_of,
)
from pytest_cuabench.drivers.chromium.session.clipboard import pastes
from pytest_cuabench.drivers.chromium.session.interrupts import refusal, shortened
from pytest_cuabench.drivers.marking import point_of
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Point
from pytest_cuabench.task.keys import MODIFIERS
from pytest_cuabench.task.observation import ActionResult, Mark

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.acting.input import Input
    from pytest_cuabench.drivers.chromium.acting.window import NativeInput
    from pytest_cuabench.drivers.chromium.session.session import Session

_DONE = ActionResult()
_CUTTING = frozenset({("ctrl", "x"), ("shift", "delete")})
_COPYING = _CUTTING | {("ctrl", "c"), ("ctrl", "insert")}
_WRITTEN = {"\n": "enter", "\r": "enter", "\t": "tab"}  # keys by what they write
_NAVIGATION = 15.0  # seconds until a requested page must start to arrive


class ActionExecutor:
    """Performs one action, with the marks of the last observation."""

    def __init__(
        self, session: Session, input: Input, marks: tuple[Mark, ...], hands: NativeInput | None = None
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
        else:
            for one in [action] if self._hands is None else self._strokes(action, self._hands):
                await self._act(one)
        return _DONE

    async def _act(self, action: Action) -> None:
        if self._hands is not None and await self._hands.perform(self._session, self._input, action):
            return
        if self._session.asked is not None:
            raise ActionError(f"{action.kind}: a dialog is open ({self._session.asked}); answer it first")
        await self._session.interrupts.unless_interrupted(self._on_page(action))

    def _strokes(self, action: Action, hands: NativeInput) -> Sequence[Action]:
        """Split an action into actions that mouse and keyboard of a window can carry out."""
        match action:
            case act.FillElement():
                strokes = action.at(self._input.cursor)
                return [part for one in strokes for part in self._strokes(one, hands)]
            case act.Type(text=text) if hands.commanding:  # each character may lead beyond the page
                return [act.Key((_WRITTEN.get(character, character),)) for character in text]
        return [action]

    def _at_mark(self, action: Action) -> Action:
        """Move to the mark that an action names; a click there is one at its point."""
        if not isinstance(action, act.ClickElement | act.FillElement):
            return action
        point = point_of(action, self._marks, self._session.spec.screen)
        if isinstance(action, act.ClickElement):
            return action.at(point)[0]
        self._input.cursor = point
        return action

    # On the page.

    async def _on_page(self, action: Action) -> None:
        # Key events of the protocol carry modifiers of their own, and not those that the window knows to be held.
        held = self._hands.modifiers(action) if self._hands is not None else ()
        async with self._input.holding(self._tab, held):
            await self._act_on_page(action)

    async def _act_on_page(self, action: Action) -> None:
        chord = self._chord(action)
        if chord in RESERVED:
            for _ in range(getattr(action, "repeat", 1)):
                await self._reserved(chord)
            return
        part, tab = part_of(chord), self._tab
        if part not in COMMANDS:
            await self.handlers()[type(action)](action)
            return
        # Press by press: a page may keep one and leave the next to the browser.
        for one in (
            [action] if not isinstance(action, act.Key) else [replace(action, repeat=1)] * action.repeat
        ):
            async with keeping(tab) as kept:
                await self.handlers()[type(one)](one)
            if not kept:
                await self._command(str(part))

    def handlers(self) -> dict[type[Action], Callable[[Any], Awaitable[None]]]:
        """Return what performs an action on the page, by the action's class."""
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
        for part in one.at(self._input.cursor):
            await self.handlers()[type(part)](part)

    # On the browser's frame.

    async def _navigate(self, one: act.Navigate) -> None:
        page = self._tab.page
        url = self._session.spec.allowed.address(one.url, page.url)
        if url is None:
            raise ActionError(
                f"navigate: {shortened(one.url)} cannot be opened; only the application itself at "
                f"{self._session.spec.allowed.origin} can be reached"
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
        await self._session.activate(self._session.front.tabs[self._index("switch_tab", index)])

    async def _close(self, index: int | None) -> None:
        tabs = self._session.front.tabs
        tab = self._tab if index is None else tabs[self._index("close_tab", index)]
        if len(tabs) == 1:
            raise ActionError("close_tab: the last tab cannot be closed")
        await tab.page.close(run_before_unload=False)

    def _index(self, kind: str, index: int) -> int:
        count = len(self._session.front.tabs)
        if not 0 <= index < count:
            raise ActionError(f"{kind}: there is no tab {index}; the open tabs are 0 to {count - 1}")
        return index

    def _chord(self, action: Action) -> str:
        """Return the chord that an action completes, with the modifiers that are held already; empty without one."""
        *first, last = getattr(action, "keys", ()) or (getattr(action, "key", ""),)
        if not last or last in MODIFIERS or isinstance(action, act.KeyUp):
            return ""
        return chord_of((*(key for key in MODIFIERS if key in first or self._input.holds(key)), last))

    async def _reserved(self, chord: str) -> None:
        """Do what browsers do on a chord that they keep for themselves, or tell that it is missing."""
        if chord in ("ctrl+w", "ctrl+f4"):
            if len(self._session.front.tabs) == 1:
                self._session.log.add_notice("The last tab cannot be closed.")
            else:
                await self._tab.page.close(run_before_unload=False)
        elif chord in ("ctrl+tab", "ctrl+pagedown"):
            await self._switch_by(1)
        elif chord in ("ctrl+shift+tab", "ctrl+pageup"):
            await self._switch_by(-1)
        elif (sentence := notice(part_of(chord), window=False)) is not None:
            self._session.log.add_notice(sentence)

    async def _command(self, part: str) -> None:
        """Do what a key asks of the browser, which the page has left to it."""
        tabs = self._session.front.tabs
        if part == RELOAD:
            self._tab.will_load()
            await self._tab.cdp.send("Page.reload")
        elif not part.isdecimal():
            await self._tab.history(1 if part == FORWARD else -1)
        elif part == "9" or int(part) <= len(tabs):
            await self._session.activate(tabs[-1 if part == "9" else int(part) - 1])

    async def _switch_by(self, step: int) -> None:
        tabs = self._session.front.tabs
        await self._session.activate(tabs[(tabs.index(self._tab) + step) % len(tabs)])

    # On the dialog.

    async def _on_dialog(self, action: Action) -> None:
        dialog = self._session.overlay
        assert dialog is not None
        outcome = None
        if action.points() or isinstance(action, act.Click):
            self._input.cursor = self._point(action)
        match action:
            case act.Click(button="left", count=count, modifiers=modifiers):
                add = "ctrl" in modifiers or self._input.holds("ctrl")
                outcome = dialog.click(self._input.cursor, count, add)
            case act.MouseDown(button=button):
                self._input.pressed_aside[button] = self._input.cursor
            case act.MouseUp(button=button) if button in self._input.pressed_aside:
                pressed, at = self._input.pressed_aside.pop(button), self._input.cursor
                if button == "left" and dialog.parts_at(pressed) == dialog.parts_at(at):
                    outcome = dialog.click(at, add=self._input.holds("ctrl"))
            case act.KeyUp() | act.MouseUp():
                self._input.owe(action)
            case act.Drag():
                dialog.drag(action.points())
            case act.Scroll(dy=dy):
                dialog.scroll(dy)
            case act.Move() | act.Click():
                pass
            case act.Key(keys=keys, repeat=repeat):
                outcome = await self._keys_on_dialog(keys, repeat)
            case act.HoldKey(keys=keys):
                outcome = await self._keys_on_dialog(keys, 1)
            case act.KeyDown(key=key):
                self._input.hold_aside(key)
                outcome = await self._keys_on_dialog((key,), 1)
            case act.Type(text=text):
                outcome = dialog.type(text)
            case act.FillElement(text=text):
                dialog.click(self._input.cursor)
                dialog.key(("ctrl", "a"))
                outcome = dialog.type(text)
            case _:
                raise ActionError(f"{action.kind}: a dialog is open ({dialog.title}); answer it first")
        if outcome is not None:
            await self._session.dialogs.answer(outcome)

    async def _keys_on_dialog(self, keys: tuple[str, ...], repeat: int) -> Any:
        dialog, clipboard = self._session.overlay, self._session.clipboard
        assert dialog is not None
        held = tuple(key for key in sorted(MODIFIERS) if key not in keys and self._input.holds(key))
        chord = tuple(key.lower() if {"ctrl"} & {*held, *keys} else key for key in (*held, *keys))
        if chord[-1] in MODIFIERS:
            return None
        for _ in range(repeat):
            if chord in _COPYING:
                if text := dialog.copy(cut=chord in _CUTTING):
                    await clipboard.keep(self._tab.page.context, text)
            elif pastes(chord[:-1], chord[-1]):
                dialog.paste(await clipboard.text(self._tab.page.context))
            elif (outcome := dialog.key(chord)) is not None:
                return outcome
        return None
