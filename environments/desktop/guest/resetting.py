"""Reset: nothing if nothing changed, else a restart of the whole desktop."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from guest import applications, steps
from guest.applications.base import Application, Desk, Episode, Windowless
from guest.errors import DesktopFailure, GuestError, NotReady
from guest.program import Program
from guest.settling import blank
from guest.state import DesktopState, digest_of
from guest.timeouts import scaled, wait_until

if TYPE_CHECKING:
    from guest.session import Session

_READY_SECONDS = scaled(90.0)
_REST_SECONDS = 15.0  # settling cap, so that first screenshots are equal on a busy machine
_ANSWERS = 4  # response times without a change: a program draws some time after it has answered


class Resettable(Desk, Protocol):
    """A desktop as the reset sees it."""

    async def read_state(self) -> DesktopState: ...
    async def restart(self) -> Session: ...


async def reset(
    desktop: Resettable, application: Application, setup: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Show an application with a setup.

    Returns:
        The duration in seconds, the reset layer, and the fingerprint of the initial state.

    Raises:
        SetupError: A step is not understood.
        Conflict: The application is not installed.
        DesktopFailure: It does not start.
    """
    began = time.monotonic()
    layer = (
        "clean"
        if await _is_clean(desktop, application, setup)
        else await _restart(desktop, application, setup)
    )
    assert desktop.episode is not None
    seconds = round(time.monotonic() - began, 4)
    return {"seconds": seconds, "layer": layer, "fingerprint": desktop.episode.fingerprint}


async def _is_clean(
    desktop: Resettable, application: Application, setup: Sequence[Mapping[str, Any]]
) -> bool:
    """Whether this setup is still unchanged: no action was performed, and state, display and picture are equal."""
    before = desktop.episode
    if (
        before is None
        or before.touched
        or before.application is not application
        or before.setup != list(setup)
    ):
        return False
    try:
        state = await desktop.read_state()
        return state.failure is None and before.fingerprint == _fingerprint(
            state, await desktop.session.display_state()
        )
    except GuestError:
        return False


async def _restart(desktop: Resettable, application: Application, setup: Sequence[Mapping[str, Any]]) -> str:
    """Restart everything: X server, buses and folders."""
    applications.require(application)
    await desktop.restart()  # a failed reset leaves no episode
    steps.carry_out(desktop.home, setup)
    await application.prepare(desktop, setup)
    desktop.box.own(desktop.home)
    await _start(desktop, application, setup)
    episode = desktop.episode = Episode(application, list(setup))
    state = await desktop.read_state()
    if state.failure is not None:
        desktop.episode = None
        raise DesktopFailure(state.failure)
    episode.display_state = await desktop.session.display_state()
    episode.fingerprint = _fingerprint(state, episode.display_state)
    return "desktop"


def _fingerprint(state: DesktopState, display: Mapping[str, Any]) -> str:
    return digest_of([state.collections, display])


async def _start(desktop: Resettable, application: Application, setup: Sequence[Mapping[str, Any]]) -> None:
    program = await desktop.start(application, setup)
    await until_ready(desktop, application, program)
    await application.arrange(desktop, setup)
    width, height = desktop.screen.size
    middle = (width // 2, height // 2)
    if await desktop.screen.cursor() != middle:  # the setup moved it
        await desktop.input.move(*middle)
    await _settle(desktop)


async def _settle(desktop: Resettable) -> None:
    """Wait until the picture has settled, in proportion to the programs' response time."""
    await desktop.input.wait_until_taken()
    began = time.monotonic()
    await desktop.input.wait_until_consumed()
    await desktop.settle(_REST_SECONDS, quiet=_ANSWERS * (time.monotonic() - began))


async def until_ready(desktop: Desk, application: Application, program: Program) -> None:
    """Wait until an application is ready and, if it has a window, has drawn something.

    Raises:
        DesktopFailure: The application ended, or took too long.
    """

    async def ready() -> None:
        if not program.alive and program.process.returncode != 0:  # 0: it may have started another process
            raise DesktopFailure(f"{application.name} ended {program.end} before it was ready")
        if (lacking := await application.ready(desktop)) is not None:
            raise NotReady(lacking)
        frame = await desktop.screen.frame()
        if blank(frame, desktop.screen.size) and not isinstance(application, Windowless):
            raise NotReady("its window shows nothing yet")

    await wait_until(ready, f"{application.name} was not ready", _READY_SECONDS)
