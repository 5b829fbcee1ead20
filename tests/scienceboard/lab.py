"""A machine made of fakes, with the clients that speak to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cuabench_suite_scienceboard.upstream.machine import Machine

from scienceboard.fakes.guest import FakeGuest


@dataclass
class Lab:
    """A fake application beside a fake guest, and the clients of both."""

    guest: FakeGuest
    application: Any
    machine: Machine
    url: str
