"""The open tabs of a browser session, and which of them is in front."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright import async_api as playwright

    from pytest_cuabench.drivers.chromium.session.tab import Tab


class Front:
    """Tabs in the order of the tab strip and in the order of their use.

    Attributes:
        changed: Called when a tab opened, closed or went elsewhere.
    """

    def __init__(self) -> None:
        self.tabs: list[Tab] = []
        self.changed: Callable[[], None] = lambda: None
        self._recent: list[Tab] = []  # the active tab is the last
        self._open = asyncio.Event()  # set while a tab is open
        self._behind = 0  # tabs announced that will open behind the active one

    @property
    def active(self) -> Tab | None:
        """The tab in front; None where none is open."""
        return self._recent[-1] if self._recent else None

    def tab(self, page: playwright.Page) -> Tab | None:
        """Return the tab of a page."""
        return next((tab for tab in self.tabs if tab.page is page), None)

    async def wait(self) -> None:
        """Wait until a tab is open."""
        while not self._recent:
            await self._open.wait()

    def announce_behind(self) -> None:
        """Note that a tab will open behind the active one."""
        self._behind += 1

    def opens_behind(self) -> bool:
        """Whether the tab that opens now was announced to open behind the active one."""
        behind, self._behind = self._behind > 0 and bool(self.tabs), max(0, self._behind - 1)
        return behind

    def add(self, tab: Tab, *, behind: bool) -> None:
        """Add a tab in front of the others, or behind them."""
        self.tabs.append(tab)
        self._recent.insert(0 if behind else len(self._recent), tab)
        self._open.set()
        self.changed()

    def bring(self, tab: Tab) -> None:
        """Bring a tab to the front."""
        if tab in self._recent:
            self._recent.remove(tab)
        self._recent.append(tab)

    def remove(self, tab: Tab) -> None:
        """Remove a tab that closed or crashed."""
        self.tabs.remove(tab)
        self._recent.remove(tab)
        if not self._recent:
            self._open.clear()
        self.changed()
