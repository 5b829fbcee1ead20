"""Reset: nothing when nothing happened, else the whole desktop anew."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from guest import applications, steps
from guest.applications.base import Application, Collections
from guest.errors import GuestError, NotYet, Trouble
from guest.look import Look, digest_of
from guest.patience import patient, until
from guest.program import Program

if TYPE_CHECKING:
    from guest.desk import Desk

_READY_SECONDS = patient(90.0)
_REST_SECONDS = 15.0  # for first screenshots to be the same, also on a busy machine
_ANSWERS = 4  # in whose time nothing may move: a program draws some time after it has answered


@dataclass(slots=True)
class Episode:
    """What was prepared last, and whether anybody acted since.

    Attributes:
        print: What the display held at the beginning, the picture included.
        told: The application's collections, as they were when they could be read last.
    """

    application: Application
    setup: list[Mapping[str, Any]]
    fingerprint: str = ""
    print: Mapping[str, Any] = field(default_factory=dict)
    touched: bool = False
    told: Collections = field(default_factory=dict)


async def reset(desk: Desk, application: Application, setup: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Bring an application on the screen as a setup wants it.

    Returns:
        Seconds it took, the layer that was needed, and the fingerprint of all that an episode could find changed.

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
    """Whether this very beginning is there still: nobody acted, and all of it is as it was, to the last pixel."""
    before = desk.episode
    if (
        before is None
        or before.touched
        or before.application is not application
        or before.setup != list(setup)
    ):
        return False
    try:
        look = await desk.look()
        return look.trouble is None and before.fingerprint == _fingerprint(look, await desk.session.print())
    except GuestError:
        return False


async def _anew(desk: Desk, application: Application, setup: Sequence[Mapping[str, Any]]) -> str:
    """Start everything anew: nothing that programs can change outlives its server, its buses and its folders."""
    applications.require(application)
    await desk.fresh()  # a reset that fails leaves no episode to go on from
    steps.carry_out(desk.home, setup)
    await application.prepare(desk, setup)
    desk.box.own(desk.home)
    await _start(desk, application, setup)
    episode = desk.episode = Episode(application, list(setup))
    look = await desk.look()
    if look.trouble is not None:
        desk.episode = None
        raise Trouble(look.trouble)
    episode.print = await desk.session.print()
    episode.fingerprint = _fingerprint(look, episode.print)
    return "desktop"


def _fingerprint(look: Look, display: Mapping[str, Any]) -> str:
    return digest_of([look.collections, display])


async def _start(desk: Desk, application: Application, setup: Sequence[Mapping[str, Any]]) -> None:
    launch = application.launch(desk, setup)
    program = await desk.session.launch(launch.argv, launch.env, launch.folder, application.name)
    await until_ready(desk, application, program)
    await application.arrange(desk, setup)
    width, height = desk.screen.size
    middle = (width // 2, height // 2)
    if await desk.screen.cursor() != middle:  # preparing moved it
        await desk.input.move(*middle)
    await _rest(desk)


async def _rest(desk: Desk) -> None:
    """Wait until the picture stays as it is, for the longer the more slowly programs answer now."""
    await desk.input.taken()
    began = time.monotonic()
    await desk.input.consumed()
    await desk.settle(_REST_SECONDS, quiet=_ANSWERS * (time.monotonic() - began))


async def until_ready(desk: Desk, application: Application, program: Program) -> None:
    """Wait until a person could work with an application.

    Raises:
        Trouble: It ended, or took too long.
    """

    async def ready() -> None:
        if not program.alive and program.process.returncode != 0:  # 0: it may have handed over to another
            raise Trouble(f"{application.name} ended {program.end} before it was ready")
        if (lacking := await application.ready(desk)) is not None:
            raise NotYet(lacking)

    await until(ready, f"{application.name} was not ready", _READY_SECONDS)
