"""Layered reset: nothing when nothing happened, HOME and application anew, or the whole desktop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from guest import applications, home, steps
from guest.applications.base import Application
from guest.errors import GuestError, Trouble
from guest.patience import patient
from guest.program import Program

if TYPE_CHECKING:
    from guest.desk import Desk
    from guest.session import Session

_READY_SECONDS = patient(90.0)
_ASK_EVERY = 0.05


@dataclass(slots=True)
class Episode:
    """What was prepared last, and whether anybody acted since."""

    application: Application
    setup: list[Mapping[str, Any]]
    fingerprint: str
    touched: bool = False


async def reset(desk: Desk, application: Application, setup: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Bring an application on the screen as a setup wants it.

    Returns:
        Seconds it took, the layer that was needed, and the state's fingerprint.

    Raises:
        SetupError: A step is not understood.
        NotNow: The application is not installed.
        Trouble: It does not come up.
    """
    began = time.monotonic()
    layer = "clean" if await _is_clean(desk, application, setup) else await _anew(desk, application, setup)
    assert desk.episode is not None
    seconds = round(time.monotonic() - began, 4)
    return {"seconds": seconds, "layer": layer, "fingerprint": desk.episode.fingerprint}


async def _is_clean(desk: Desk, application: Application, setup: Sequence[Mapping[str, Any]]) -> bool:
    before = desk.episode
    if (
        before is None
        or before.touched
        or before.application is not application
        or before.setup != list(setup)
    ):
        return False
    try:
        _, fingerprint = await desk.collections()
    except GuestError:
        return False
    return fingerprint == before.fingerprint


async def _anew(desk: Desk, application: Application, setup: Sequence[Mapping[str, Any]]) -> str:
    applications.require(application)
    before, desk.episode = desk.episode, None  # a reset that fails leaves nothing to go on from
    session = desk.healthy() if before is not None else None
    layer = "home" if session is not None and await _renewed(session) else "desktop"
    if layer == "desktop":
        await desk.fresh()
    await _home(desk, application, setup)
    await _start(desk, application, setup)
    desk.episode = Episode(application, list(setup), "")
    _, desk.episode.fingerprint = await desk.collections()
    return layer


async def _renewed(session: Session) -> bool:
    """End what the last episode left; False when the session broke on it, as one does whose X server has just died."""
    try:
        await session.hands.let_go()
        await session.end_programs()
        await session.renew_buses()
    except Trouble:
        return False
    return True


async def _home(desk: Desk, application: Application, setup: Sequence[Mapping[str, Any]]) -> None:
    await asyncio.to_thread(home.restore, desk.home, desk.pristine)
    steps.carry_out(desk.home, setup)
    await application.prepare(desk, setup)
    desk.box.own(desk.home)


async def _start(desk: Desk, application: Application, setup: Sequence[Mapping[str, Any]]) -> None:
    launch = application.launch(desk, setup)
    program = await desk.session.launch(launch.argv, launch.env, launch.folder, application.name)
    await _until_ready(desk, application, program)
    await application.arrange(desk, setup)
    await desk.settle()


async def _until_ready(desk: Desk, application: Application, program: Program) -> None:
    end, lacking = time.monotonic() + _READY_SECONDS, "it has just been started"
    while time.monotonic() < end:
        if not program.alive and program.process.returncode != 0:  # 0: it may have handed over to another
            raise Trouble(f"{application.name} ended {program.end} before it was ready")
        rest = max(0.1, end - time.monotonic())
        try:
            told = await asyncio.wait_for(application.ready(desk), rest)
        except TimeoutError:
            break
        if told is None:
            return
        lacking = told
        await asyncio.sleep(_ASK_EVERY)
    raise Trouble(f"{application.name} was not ready within {_READY_SECONDS:g} s: {lacking}")
