"""Companions: further applications of a task's setup, `{"do": "start", "application": ..., "setup": [...]}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from guest import applications, steps
from guest.applications.base import Application, Desk
from guest.data import SetupError, Step
from guest.errors import BadRequest
from guest.resetting import until_ready

START: dict[str, dict[str, Any]] = {"start": {"application": str, "setup": list}}


async def prepare(desktop: Desk, setup: Sequence[Step]) -> None:
    """Prepare companions' files and settings in HOME.

    Raises:
        SetupError: A companion is unknown, or its setup is malformed.
    """
    for companion, own in _companions(setup):
        applications.require(companion)
        steps.carry_out(desktop.home, steps.checked(own))
        await companion.prepare(desktop, own)


async def start(desktop: Desk, setup: Sequence[Step]) -> None:
    """Start companions one after the other, and wait until each is ready.

    Raises:
        SetupError: A setup is malformed.
        DesktopFailure: A companion does not start.
    """
    for companion, own in _companions(setup):
        program = await desktop.start(companion, own)
        await until_ready(desktop, companion, program)
        await companion.arrange(desktop, own)


def of(setup: Sequence[Step]) -> list[Application]:
    """Return the companions of a setup."""
    return [companion for companion, _ in _companions(setup)]


def _companions(setup: Sequence[Step]) -> Iterator[tuple[Application, list[Mapping[str, Any]]]]:
    for step in setup:
        if step["do"] == "start":
            try:
                yield applications.find(step["application"]), step["setup"]
            except BadRequest as error:
                raise SetupError(f"setup step start: {error}") from error
