"""Whether a page keeps a key for itself, which a browser else would act on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.chromium.session.scripts import isolated

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.session.tab import Tab


@asynccontextmanager
async def keeping(tab: Tab) -> AsyncIterator[list[bool]]:
    """Watch all frames of a tab during a block that presses a key; the list is not empty if one of them keeps it."""
    kept: list[bool] = []
    await tab.evaluate_everywhere(isolated("kept.js", False))
    yield kept
    if not tab.page.is_closed():
        kept += [True for one in await tab.evaluate_everywhere(isolated("kept.js", True)) if one]
