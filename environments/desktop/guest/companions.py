"""A second application beside the one that a task is about: `{"do": "start", "application": ..., "setup": [...]}`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from guest import applications, steps
from guest.applications.base import Application, Collections, SetupError, Step
from guest.errors import BadRequest, Trouble

if TYPE_CHECKING:
    from guest.desk import Desk

START: dict[str, dict[str, Any]] = {"start": {"application": str, "setup": list}}

_READY_SECONDS = 60.0
_ASK_EVERY = 0.05


async def prepare(desk: Desk, setup: Sequence[Step]) -> None:
    """Have companions put their files and settings into HOME.

    Raises:
        SetupError: One is unknown, or does not understand its own setup.
    """
    for companion, own in _companions(setup):
        applications.require(companion)
        steps.carry_out(desk.home, steps.checked(own))
        await companion.prepare(desk, own)


async def start(desk: Desk, setup: Sequence[Step]) -> None:
    """Start companions, one after the other, each until a person could work with it.

    Raises:
        SetupError: One does not understand its setup.
        Trouble: One does not come up.
    """
    for companion, own in _companions(setup):
        launch = companion.launch(desk, own)
        program = await desk.session.launch(launch.argv, launch.env, launch.folder, companion.name)
        end = time.monotonic() + _READY_SECONDS
        while lacking := await companion.ready(desk):
            if not program.alive and program.process.returncode != 0:
                raise Trouble(f"{companion.name} ended {program.end} before it was ready")
            if time.monotonic() > end:
                raise Trouble(f"{companion.name} was not ready within {_READY_SECONDS:g} s: {lacking}")
            await asyncio.sleep(_ASK_EVERY)
        await companion.arrange(desk, own)


async def state(desk: Desk, setup: Sequence[Step]) -> Collections:
    """Return what is true in companions."""
    found: Collections = {}
    for companion, _ in _companions(setup):
        found |= await companion.state(desk)
    return found


def _companions(setup: Sequence[Step]) -> Iterator[tuple[Application, list[Mapping[str, Any]]]]:
    for step in setup:
        if step["do"] == "start":
            try:
                yield applications.find(step["application"]), step["setup"]
            except BadRequest as error:
                raise SetupError(f"setup step start: {error}") from error
