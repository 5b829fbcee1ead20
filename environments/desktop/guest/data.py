"""Plain data that applications and the desktop exchange."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Step = Mapping[str, Any]  # {"do": verb, ...}: one step of a task's setup, as plain data
Collections = dict[str, dict[str, dict[str, Any]]]  # collection -> key -> row


class SetupError(Exception):
    """A setup step is unknown or malformed; the message says which, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Launch:
    """The command that starts an application inside the desktop.

    Attributes:
        argv: Program and arguments; never a shell.
        env: Variables in addition to those of the desktop session.
        folder: Working directory, relative to HOME.
        channel: Its standard input, over which the program is asked for its state (`sealed/window.py`).
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    folder: str = "."
    channel: socket.socket | None = None
