"""A browser on a seeded org, through the plugin's own driver, with the short ways that tests of pages take."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.task.action import Action, Click, Key, Navigate, Size, Type
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.parts import Scope

from .world_process import OrgSession, OrgWorld

SCREEN = Size(1280, 900)


@dataclass
class _Place:
    """An org's session as the driver sees it."""

    origin: str
    start_url: str

    async def state(self) -> State:
        return State({}, revision=0)

    async def revision(self) -> int:
        return 0

    async def close(self) -> None:
        return None


@dataclass
class _World:
    session: OrgSession

    async def open(self, application: str, seed: int) -> _Place:
        origin = self.session.described["origin"]
        return _Place(origin, self.session.front_door(f"/{application}"))


@dataclass
class LightningDesk:
    """A signed-in browser."""

    environment: ChromiumEnvironment
    session: OrgSession

    async def go(self, path: str) -> None:
        """Open an address of the org."""
        await self.do(Navigate(path))

    async def do(self, *actions: Action) -> None:
        """Perform actions that must not be mistakes, and let the page come to rest after each."""
        for action in actions:
            result = await self.environment.perform(action)
            assert result.error is None, result.error
            await self.environment.settle()

    async def click(self, target: str, **how: Any) -> None:
        """Click what a selector finds."""
        box = await self.environment.locate(target)
        assert box is not None, target
        await self.do(Click(*box.middle, **how))

    async def fill(self, target: str, text: str) -> None:
        """Go into a field and type over what is in it."""
        await self.click(target)
        await self.do(Key(("ctrl", "a")), Type(text))

    async def keys(self, *names: str) -> None:
        """Press keys one after the other."""
        await self.do(*(Key(tuple(name.split("+"))) for name in names))

    async def read(self, target: str) -> str | None:
        """Return the text or value of what a selector finds."""
        return await self.environment.read(target)

    async def there(self, target: str) -> bool:
        """Whether a selector finds something that can be seen."""
        return await self.environment.locate(target) is not None


@contextlib.asynccontextmanager
async def sitting(
    world: OrgWorld, chromium: Chromium, downloads: Path, path: str
) -> AsyncIterator[LightningDesk]:
    """Open a session and a browser at a path of it, signed in as the administrator."""
    with world.open(seed=1) as session:
        environment = ChromiumEnvironment(chromium, _World(session), SCREEN, downloads=downloads)
        instance: Any = SimpleNamespace(
            task=SimpleNamespace(application=path.lstrip("/"), scope=Scope()), seed=1
        )
        await environment.reset(instance)
        try:
            yield LightningDesk(environment, session)
        finally:
            await environment.close()
