"""Observations of a page with its open dialog."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from PIL import Image

from pytest_cuabench.drivers import marking
from pytest_cuabench.drivers.chromium.observing import tree
from pytest_cuabench.drivers.chromium.observing.bounds import (
    LONGEST,
    MOST_CHARACTERS,
    MOST_LINES,
    MOST_VISITED,
)
from pytest_cuabench.drivers.chromium.session.frames import ScriptError
from pytest_cuabench.drivers.paint import picture, png
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.observation import Box, Mark, Node, Observation, ObservationKind, Tab

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.browser.display import Display
    from pytest_cuabench.drivers.chromium.native.drawn import Drawing
    from pytest_cuabench.drivers.chromium.native.overlay import Overlay
    from pytest_cuabench.drivers.chromium.session.session import Session
    from pytest_cuabench.drivers.chromium.session.tab import Tab as BrowserTab

T = TypeVar("T")
_TRIES = 3  # a page may be replaced while it is read
_TIMEOUT = 10.0  # seconds for reading a page


class Observer:
    """Creates observations; keeps the last picture, for pages blocked by a dialog, and the last marks."""

    def __init__(self, screen: Size, display: Display | None = None) -> None:
        self.marks: tuple[Mark, ...] = ()
        self._screen, self._display = screen, display
        self._last: bytes | None = None

    async def picture(self, session: Session) -> bytes:
        """Return a PNG of the screen."""
        image = await self.page(session) if self._display is None else await self._display.picture()
        if (drawing := await self._drawing(session)) is not None:
            image = drawing.painted(image)
        if session.overlay is None:
            return image
        return png(session.overlay.paint(picture(image)))

    async def _drawing(self, session: Session) -> Drawing | None:
        """Return what the page in front shows beside itself; None while a dialog is open, which it waits for."""
        drawn = session.active.drawn
        if not drawn.there or session.interrupts.blocked:
            return None
        return await session.interrupts.unless_interrupted(drawn.look())

    async def observe(self, session: Session, kind: ObservationKind) -> Observation:
        """Return the observation of a type."""
        reason = "The page changed all the time and could not be read"
        try:
            for _ in range(_TRIES):
                await session.wait_for_tab()
                overlay = session.overlay
                seen = await self._observe(session, kind, overlay)
                # Else a dialog opened or closed while the page was read, and what was read is not what is seen.
                if seen is not None and session.overlay is overlay:
                    if overlay is None and (drawing := await self._drawing(session)) is not None:
                        seen = drawing.added_to(seen)
                    return replace(seen, tabs=await self._tabs(session))
        except TimeoutError:
            reason = f"The page could not be read within {_TIMEOUT:g} s"
        except ScriptError as error:
            reason = f"The page could not be read, because a script of the driver failed in it ({error})"
        session.log.add_notice(f"{reason}; only its picture is shown.")
        return await self._screenshot_only(session, kind)

    async def _screenshot_only(self, session: Session, kind: ObservationKind) -> Observation:
        """Return the observation of a page that keeps changing."""
        await session.wait_for_tab()
        image = None if kind in ("tree", "dom") else await self._any_picture(session)
        empty = {"marks": {"marks": ()}, "dom": {"dom": ""}}.get(kind, {"tree": ()})
        return Observation(self._screen, screenshot=image, tabs=await self._tabs(session), **empty)  # type: ignore[arg-type]

    async def _any_picture(self, session: Session) -> bytes:
        """Return a picture, or the last one of a page that is too busy to be painted."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_TIMEOUT):
                return await self.picture(session)
        session.log.add_notice("The page is too busy to be painted; this is its last picture.")
        return self._last or png(Image.new("RGB", self._screen, "white"))

    async def _observe(
        self, session: Session, kind: ObservationKind, overlay: Overlay | None
    ) -> Observation | None:
        if overlay is not None:
            return await self._dialog(session, kind, overlay.nodes())
        if (
            session.asked is not None
        ):  # in the browser's window, where its parts are found on the picture only
            frame = Box(0, 0, *self._screen)
            return await self._dialog(
                session, kind, (Node("dialog", session.asked, "", ("modal",), frame, 0),)
            )
        look = {"screenshot": self._screenshot, "dom": self._dom, "marks": self._marked}.get(kind)
        return await (look(session) if look is not None else self._tree(session, kind != "tree"))

    async def _screenshot(self, session: Session) -> Observation | None:
        return Observation(self._screen, screenshot=await self.picture(session))

    async def _dom(self, session: Session) -> Observation | None:
        asked = {
            "visits": MOST_VISITED,
            "most": MOST_LINES,
            "characters": MOST_CHARACTERS,
            "longest": LONGEST,
        }
        read = await self._try(session, session.active.run("read.js", asked))
        if read is None:
            return None
        if read["cut"]:
            session.log.add_notice(read["cut"])
        return Observation(self._screen, dom=read["text"])

    async def _tree(self, session: Session, pictured: bool) -> Observation | None:
        view = await self._try(session, tree.look(session.active, self._screen))
        image = await self.picture(session) if pictured else None
        if view is None:
            return None
        if view.cut:
            session.log.add_notice(view.cut)
        return Observation(self._screen, screenshot=image, tree=view.nodes)

    async def _marked(self, session: Session) -> Observation | None:
        async def found(tab: BrowserTab) -> tuple[tuple[Mark, ...], str]:
            view = await tree.look(tab, self._screen)
            return await tree.marks(tab, view), view.few

        seen = await self._try(session, found(session.active))
        if seen is None:
            return None
        marks, few = seen
        if few:
            session.log.add_notice(few)
        if (drawing := await self._drawing(session)) is not None:
            marks = drawing.marks(marks)
        return await self._numbered(session, marks)

    async def _numbered(self, session: Session, marks: tuple[Mark, ...]) -> Observation:
        self.marks = marks
        image = marking.painted(await self.picture(session), marks)
        return Observation(self._screen, screenshot=image, marks=marks)

    async def _dialog(self, session: Session, kind: ObservationKind, nodes: tuple[Node, ...]) -> Observation:
        """Return the observation of a dialog only, since its page cannot be read."""
        if kind == "marks":
            active = [node for node in nodes if node.role in tree.INTERACTIVE]
            return await self._numbered(
                session,
                tuple(Mark(number, one.role, one.name, one.box) for number, one in enumerate(active, 1)),
            )
        if kind == "dom":
            return Observation(self._screen, dom=_tree_text(nodes))
        return Observation(
            self._screen,
            screenshot=await self.picture(session) if "screenshot" in kind else None,
            tree=nodes if "tree" in kind else None,
        )

    async def page(self, session: Session) -> bytes:
        """Return a PNG of the page without its dialog; the last one taken while a dialog blocks the page."""
        if self._display is not None:
            return await self._display.picture(pointer=False)
        image = None
        if not session.interrupts.blocked:
            image = await session.interrupts.unless_interrupted(session.active.picture())
        if image is not None and _size(image) != self._screen:
            await session.active.page.set_viewport_size(
                {"width": self._screen.width, "height": self._screen.height}
            )
            image = await session.interrupts.unless_interrupted(session.active.picture())
        if image is not None:
            self._last = image
        elif self._last is None:
            self._last = png(Image.new("RGB", self._screen, "white"))
        return self._last

    async def _try(self, session: Session, work: Coroutine[Any, Any, T]) -> T | None:
        """Return the result of `work`; None if the page was replaced or a dialog opened meanwhile.

        Raises:
            ScriptError: A script of this package failed in the page.
            TimeoutError: The page was too busy to be read.
        """
        from playwright.async_api import Error

        try:
            async with asyncio.timeout(_TIMEOUT):
                return await session.interrupts.unless_interrupted(work)
        except Error:
            session.interrupts.check()
            await session.settle(1.0)
            return None

    async def _tabs(self, session: Session) -> tuple[Tab, ...]:
        if not session.interrupts.blocked:
            await asyncio.gather(*(tab.refresh_title() for tab in session.front.tabs))
        active = session.active
        return tuple(Tab(tab.title, tab is active) for tab in session.front.tabs)


def _size(image: bytes) -> tuple[int, int]:
    """Return width and height from a PNG's header."""
    return int.from_bytes(image[16:20]), int.from_bytes(image[20:24])


def _tree_text(nodes: tuple[Node, ...]) -> str:
    return "\n".join("  " * node.depth + f"[{node.role}] {node.name} {node.value}".rstrip() for node in nodes)
