"""A second application beside the one that a task is about: `{"do": "start", "application": ..., "setup": [...]}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from guest import applications, steps
from guest.applications.base import Application, Collections, SetupError, Step
from guest.errors import BadRequest
from guest.resetting import until_ready

if TYPE_CHECKING:
    from guest.desk import Desk

START: dict[str, dict[str, Any]] = {"start": {"application": str, "setup": list}}


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
        await until_ready(desk, companion, program)
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
